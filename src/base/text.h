/* Text files of keys and sections, read into a plain tree with the line of everything, so that whoever interprets the
 * tree can say where a value stood.
 *
 * Values stay text: text_number() and friends turn them into numbers and complain in a person's words. The keys and
 * sections of a kind of file are a text_schema. Syntax errors end the reading; unknown keys are reported together, each
 * with the nearest known one, and left out of the tree. */
#ifndef MUYBRIDGE_TEXT_H
#define MUYBRIDGE_TEXT_H

#include <stddef.h>

#include "base/arena.h"
#include "base/diag.h"

struct text_schema {
  const char *kind;                            /* "limb", never "root"; NULL for the file itself */
  const char *const *keys;                     /* NULL-terminated                               */
  const struct text_schema *const *sections;   /* sections allowed inside, NULL-terminated      */
  int max_sections;                            /* how many sections of this kind a file may have, 0: any number */
};

struct text_entry {                            /* key = {values}                                */
  const char *key, *file;
  int line, n_values;
  const char **values;
  struct text_entry *next;
  const struct text_section *section;          /* that it stands in                             */
};

struct text_section {
  const char *kind, *title, *file;             /* kind and title are NULL for the file itself   */
  int line;
  struct text_entry *entries;                  /* in the order of the file                      */
  struct text_section *sections;               /* first child, in the order of the file         */
  struct text_section *next;                   /* next sibling                                  */
  struct text_section *parent;
};

/* Reads a file (or text in memory that stands for it) and what it includes. NULL when nothing can be made of it. With
 * unknown keys or keys given twice there are errors in d, but there still is a tree, so that its other faults can be
 * reported in the same run. */
struct text_section *text_read_file(struct arena *arena, const char *path, const struct text_schema *schema,
                                    struct diag *d);
struct text_section *text_read_memory(struct arena *arena, const char *name, const char *text, size_t length,
                                      const struct text_schema *schema, struct diag *d);

/* The files that a file is made of: itself, those that it includes, those that they do; in the arena, *n of them. One
 * that is not there is in the list, too; of one that is not well formed the includes are unknown. */
const char *const *text_files(struct arena *arena, const char *path, int *n);

/* The path of an included file, as seen from the file that includes it; in the arena. */
char *text_beside(struct arena *arena, const char *file, const char *name);

/* The entry of that key (the first of several), or NULL. */
const struct text_entry *text_find(const struct text_section *s, const char *key);

/* What a number must be; text_number() says so when it is not. */
struct text_range {
  double least, most;
  int open_least;       /* least itself is not allowed             */
  const char *unit;     /* "kg", "m", "degrees", "" for none       */
};

/* Value i of an entry as a finite number within range. 1 if it is, 0 after an error. */
int text_number(const struct text_entry *e, int i, const struct text_range *range, double *out, struct diag *d);

/* All n values of an entry; the number of values must lie in n_least..n_most. Returns how many, 0 after an error. */
int text_numbers(const struct text_entry *e, int n_least, int n_most, const struct text_range *range, double *out,
                 struct diag *d);

/* One of several words: its index, -1 after an error. words is NULL-terminated. */
int text_word(const struct text_entry *e, const char *const *words, struct diag *d);

/* A single text: NULL after an error. */
const char *text_string(const struct text_entry *e, struct diag *d);

/* The decimal number at the start of a text (no hexadecimal, nan or inf; what is too large is infinite): what follows
 * it; NULL if there is none. */
const char *text_scan_number(const char *text, double *out);

/* The candidate nearest to word in spelling, NULL if none is near. candidates is NULL-terminated. */
const char *text_nearest(const char *word, const char *const *candidates);

/* A piece of a message, returned by value: use it at once, as in text_describe(s).words. */
struct text_phrase { char words[240]; };
struct text_clip { char word[48]; };
struct text_clip text_clip(const char *word);                         /* the word, if long then cut with "..." */
struct text_phrase text_describe(const struct text_section *s);       /* "axis 'flexion' of limb 'thigh'"      */
struct text_phrase text_describe_entry(const struct text_entry *e);   /* "rest of axis 'flexion' of limb 'a'"  */
struct text_phrase text_place(const char *file, int line, const char *from); /* "line 3", "line 3 of b.creature" */

/* "; did you mean 'mass'?", or else "; allowed are a, b, c". */
struct text_phrase text_suggest(const char *word, const char *const *candidates);

#endif
