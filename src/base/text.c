/* Text files of keys and sections, read into a tree. The grammar, in the words and signs of text_lex.h:
 *   file    = { item }
 *   item    = key "=" value | key "=" "{" value { "," value } [ "," ] "}"
 *           | kind name "{" { item } "}"          a section: its kind and what it may hold is in the schema
 *           | include "(" file ")"                outside of any section: as if the file stood there
 * Keys, values and names are words. A syntax error ends the reading; unknown keys and keys given twice are reported and
 * left out of the tree, and the reading continues. */
#include "base/text.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text_lex.h"

#define MAX_NESTED  8          /* includes, one within the other          */
#define MAX_FILES   100        /* of one reading                          */
#define MAX_TOTAL   (4u << 20) /* bytes of these together                 */
#define MAX_UNKNOWN 50         /* unknown keys                            */
#define MAX_KINDS   40         /* of sections in a schema                 */
#define MAX_KEYS    64         /* of a section in a schema                */

struct level {                       /* a section that is open                                    */
  const struct level *outer;         /* NULL: the file itself                                     */
  struct text_section *section;
  const struct text_schema *schema;
  struct text_entry *last_entry;     /* read, be it in the tree or not                            */
  struct text_entry **end_entries;   /* where the next one is linked                              */
  struct text_section **end_sections;
  int n_room;                        /* values that last_entry has room for                       */
};

struct reader {
  struct arena *arena;               /* of the tree                                               */
  struct diag *d;
  struct text_lexer *lex;            /* of the file being read                                    */
  struct text_token t;               /* the present one                                           */
  int n_nested, n_files;             /* files open, one within the other; read so far             */
  int n_unknown;                     /* keys reported                                             */
  size_t total;                      /* bytes read                                                */
  struct { const struct text_schema *schema; int n; } counts[MAX_KINDS]; /* of sections            */
};

/* An error that ends the reading. All that parse: 1, or 0 after such an error. */
#define STOP(r, line, ...) (diag_error((r)->d, (r)->lex->file, (line), __VA_ARGS__), 0)

static int parse_text(struct reader *r, struct level *file, const char *name, const char *text, size_t length);

static char reader_next(struct reader *r)
{
  r->t = text_lex_next(r->lex);
  return r->t.kind;
}

static char *reader_word(const struct reader *r)
{
  return text_lex_word(r->arena, r->lex, &r->t);
}

/* ---- the schema ---- */

static int schema_has_key(const struct text_schema *schema, const char *key)
{
  int i = 0;
  while (schema->keys[i] && strcmp(schema->keys[i], key))
    i++;
  return schema->keys[i] != NULL;
}

static const struct text_schema *schema_find_kind(const struct text_schema *schema, const char *kind)
{
  for (int i = 0; schema->sections && schema->sections[i]; i++)
    if (!strcmp(schema->sections[i]->kind, kind))
      return schema->sections[i];
  return NULL;
}

/* ---- complaints ---- */

/* " after 'mass = 8'", the last that was read in the section; nothing at its beginning. */
static struct text_phrase after_last(const struct level *l)
{
  struct text_phrase p = {{0}};
  const struct text_entry *e = l->last_entry;
  if (e)
    snprintf(p.words, sizeof p.words, " after '%s = %s%s'", text_clip(e->key).word, e->n_values > 1 ? "..., " : "",
             text_clip(e->values[e->n_values - 1]).word);
  return p;
}

/* A word that the schema does not have. If a section around this one has it, a closing brace is missing, more likely
 * than not. */
static void complain_unknown(struct reader *r, const struct level *l, int line, const char *head, const char *word,
                             const char *after)
{
  const char *words[MAX_KEYS + MAX_KINDS + 1];
  int n = 0;
  for (int i = 0; l->schema->keys[i] && n < MAX_KEYS; i++)
    words[n++] = l->schema->keys[i];
  for (int i = 0; l->schema->sections && l->schema->sections[i] && i < MAX_KINDS; i++)
    words[n++] = l->schema->sections[i]->kind;
  words[n] = NULL;
  char where[250] = "";
  struct text_phrase tail = text_suggest(word, words);
  if (l->outer)
    snprintf(where, sizeof where, " in %s", text_describe(l->section).words);
  if (!strcmp(word, "include"))
    snprintf(tail.words, sizeof tail.words, "; it stands outside of any section");
  for (const struct level *o = l->outer; o; o = o->outer)
    if (schema_has_key(o->schema, word) || schema_find_kind(o->schema, word))
      snprintf(tail.words, sizeof tail.words, "; is a '}' missing before it?");
  diag_error(r->d, r->lex->file, line, "%s '%s'%s%s%s", head, text_clip(word).word, after, where, tail.words);
}

/* The present word or sign stands where it cannot. */
static int complain_token(struct reader *r, const struct level *l)
{
  struct text_phrase after = after_last(l);
  struct text_clip found = text_clip(reader_word(r));
  if (!r->t.kind)
    return STOP(r, r->t.line, "the file ends where a value is expected");
  if (r->t.kind == TEXT_WORD) /* only inside of braces is a word not taken for a key */
    return STOP(r, r->t.line, "expected ',' or '}'%s, found '%s'", after.words, found.word);
  if (r->t.kind == ',' && l->last_entry)
    return STOP(r, r->t.line, "unexpected ','%s; several values go into braces: {1, 2, 3}", after.words);
  if (r->t.kind == '}')
    return STOP(r, r->t.line, "a value is missing between '=' and '}'");
  return STOP(r, r->t.line, "unexpected '%s'%s%s", found.word, after.words,
              r->t.kind == '=' && l->last_entry ? "; is a value or a key missing?" : "");
}

/* ---- keys and values ---- */

/* An entry begins where its first value stands. */
static void add_entry(struct reader *r, struct level *l, const char *key)
{
  const struct text_entry *first = text_find(l->section, key);
  struct text_entry *e = ARENA_NEW(r->arena, 1, struct text_entry);
  *e = (struct text_entry){.key = key, .file = r->lex->file, .line = r->t.line, .section = l->section};
  l->last_entry = e;
  l->n_room = 0;
  if (!schema_has_key(l->schema, key)) {
    int before = r->d->n_errors; /* the same message about the same line is one */
    complain_unknown(r, l, e->line, "unknown key", key, "");
    r->n_unknown += r->d->n_errors - before;
  } else if (first) {
    diag_error(r->d, e->file, e->line, "%s is given twice, first at %s", text_describe_entry(e).words,
               text_place(first->file, first->line, e->file).words);
  } else {
    *l->end_entries = e;
    l->end_entries = &e->next;
  }
}

static void add_value(struct reader *r, struct level *l, const char *value)
{
  struct text_entry *e = l->last_entry;
  if (e->n_values == l->n_room) {
    l->n_room = l->n_room ? 2 * l->n_room : 8;
    const char **more = ARENA_NEW(r->arena, (size_t)l->n_room, const char *);
    if (e->n_values)
      memcpy(more, e->values, (size_t)e->n_values * sizeof *more);
    e->values = more;
  }
  e->values[e->n_values++] = value;
}

/* From behind a key to behind its last value. */
static int parse_entry(struct reader *r, struct level *l, const char *key)
{
  int known = schema_has_key(l->schema, key);
  if (!known && r->n_unknown == MAX_UNKNOWN)
    return STOP(r, r->t.line, "more than %d unknown keys", MAX_UNKNOWN);
  reader_next(r);
  if (r->t.kind && r->t.kind != '=' && known)
    return STOP(r, r->t.line, "expected '=' after '%s'", key);
  if (r->t.kind && r->t.kind != '=') /* then it was not meant to be a key */
    return complain_unknown(r, l, r->t.line, "unexpected", key, after_last(l).words), 0;
  int several = r->t.kind && reader_next(r) == '{';
  for (int n = 0;; n++) {
    if (several && reader_next(r) == '}' && n > 0) /* after a last comma */
      return 1;
    if (r->t.kind != TEXT_WORD)
      return complain_token(r, l);
    if (n == 0)
      add_entry(r, l, key);
    add_value(r, l, reader_word(r));
    if (!several || reader_next(r) == '}')
      return 1;
    if (r->t.kind != ',')
      return complain_token(r, l);
  }
}

/* ---- sections ---- */

static int parse_items(struct reader *r, struct level *l, int brace);

/* One more section of this kind: 0 if that is too many. */
static int count_kind(struct reader *r, const struct text_schema *schema)
{
  int i = 0;
  while (i < MAX_KINDS - 1 && r->counts[i].schema && r->counts[i].schema != schema)
    i++;
  assert(!r->counts[i].schema || r->counts[i].schema == schema);
  r->counts[i].schema = schema;
  return ++r->counts[i].n <= schema->max_sections || schema->max_sections == 0;
}

/* From behind its kind to behind its closing brace. */
static int parse_section(struct reader *r, struct level *l, const struct text_schema *schema)
{
  if (!reader_next(r))
    return complain_token(r, l);
  if (r->t.kind != TEXT_WORD)
    return STOP(r, r->t.line, "a %s needs a name: %s NAME { ... }", schema->kind, schema->kind);
  char *title = reader_word(r);
  if (!reader_next(r))
    return complain_token(r, l);
  if (r->t.kind != '{')
    return STOP(r, r->t.line, "expected '{' after the name of the %s", schema->kind);
  if (!count_kind(r, schema))
    return STOP(r, r->t.line, "more than %d %s sections", schema->max_sections, schema->kind);
  struct text_section *s = ARENA_NEW(r->arena, 1, struct text_section);
  *s = (struct text_section){.kind = schema->kind, .title = title, .file = r->lex->file, .line = r->t.line,
                             .parent = l->section};
  *l->end_sections = s;
  l->end_sections = &s->next;
  struct level inner = {.outer = l, .section = s, .schema = schema, .end_entries = &s->entries,
                        .end_sections = &s->sections};
  return parse_items(r, &inner, r->t.line);
}

/* ---- files ---- */

/* At most *length bytes of a file, and in *length how many they are. NULL when it cannot be read, and why. */
static char *read_bytes(struct arena *arena, const char *path, size_t *length, const char **why)
{
  FILE *in = fopen(path, "rb");
  *why = in ? NULL : strerror(errno);
  if (!in)
    return NULL;
  char *bytes = arena_alloc(arena, *length, 1);
  *length = fread(bytes, 1, *length, in);
  if (ferror(in))
    *why = strerror(errno);
  fclose(in);
  return *why ? NULL : bytes;
}

char *text_beside(struct arena *arena, const char *file, const char *name)
{
  const char *slash = strrchr(file, '/');
  if (name[0] == '/' || !slash)
    return arena_strdup(arena, name);
  return arena_printf(arena, "%.*s/%s", (int)(slash - file), file, name);
}

/* From behind "include" to behind its parenthesis. Only plain files: opening a pipe might wait forever. */
static int parse_include(struct reader *r, struct level *file)
{
  if (!reader_next(r))
    return complain_token(r, file);
  if (r->t.kind != '(')
    return STOP(r, r->t.line, "expected '(' after 'include'");
  reader_next(r); /* text_lex_open() has seen that it is a word, and that a parenthesis follows */
  char *path = text_beside(r->arena, r->lex->file, reader_word(r));
  reader_next(r);
  int line = r->t.line;
  if (r->n_nested == MAX_NESTED)
    return STOP(r, line, "includes nest more than %d deep; does a file include itself?", MAX_NESTED);
  if (r->n_files == MAX_FILES)
    return STOP(r, line, "more than %d files", MAX_FILES);
  struct stat about;
  const char *why = stat(path, &about) ? strerror(errno) : S_ISREG(about.st_mode) ? NULL : "not a file";
  if (!why && about.st_size > TEXT_MAX_BYTES)
    return text_complain_size(path, (size_t)about.st_size, r->d), 0;
  size_t length = why ? 0 : (size_t)about.st_size;
  char *bytes = why ? NULL : read_bytes(r->arena, path, &length, &why);
  if (!bytes)
    return STOP(r, line, "cannot read '%s': %s", path, why);
  r->total += length;
  if (r->total > MAX_TOTAL)
    return STOP(r, line, "the files have more than %u MiB together", MAX_TOTAL >> 20);
  r->n_nested++;
  int good = parse_text(r, file, path, bytes, length);
  r->n_nested--;
  return good;
}

/* ---- reading ---- */

/* Up to the closing brace of a section, or the end of a file. brace: line of the opening one, 0 in a file. */
static int parse_items(struct reader *r, struct level *l, int brace)
{
  while (reader_next(r) == TEXT_WORD) {
    const char *key = reader_word(r);
    const struct text_schema *kind = schema_find_kind(l->schema, key);
    int is_include = !l->outer && !strcmp(key, "include");
    if (!key[0])
      return STOP(r, r->t.line, "this line cannot be read; is there an empty key?");
    if (strpbrk(key, "|="))
      return STOP(r, r->t.line, "a key is a word without '|' and '='");
    if (!(kind ? parse_section(r, l, kind) : is_include ? parse_include(r, l) : parse_entry(r, l, key)))
      return 0;
  }
  if (r->t.kind && r->t.kind != '}')
    return complain_token(r, l);
  if (!r->t.kind && brace)
    return STOP(r, brace, "this '{' is never closed; a '}' is missing");
  if (r->t.kind && !brace)
    return STOP(r, r->t.line, "'}' without a '{' before it");
  return 1;
}

static int parse_text(struct reader *r, struct level *file, const char *name, const char *text, size_t length)
{
  struct text_lexer lex, *outer = r->lex;
  r->n_files++;
  r->lex = &lex;
  int good = text_lex_open(r->arena, name, text, length, r->d, &lex) && parse_items(r, file, 0);
  r->lex = outer;
  return good;
}

struct text_section *text_read_memory(struct arena *arena, const char *name, const char *text, size_t length,
                                      const struct text_schema *schema, struct diag *d)
{
  struct reader r = {.arena = arena, .d = d, .total = length};
  struct text_section *s = ARENA_NEW(arena, 1, struct text_section);
  struct level file = {.section = s, .schema = schema, .end_entries = &s->entries, .end_sections = &s->sections};
  s->file = arena_strdup(arena, name);
  return parse_text(&r, &file, s->file, text, length) ? s : NULL;
}

struct text_section *text_read_file(struct arena *arena, const char *path, const struct text_schema *schema,
                                    struct diag *d)
{
  struct arena *scratch = arena_new();
  struct stat about;
  struct text_section *file = NULL;
  const char *why = stat(path, &about) ? strerror(errno) : S_ISDIR(about.st_mode) ? "it is a folder" : NULL;
  if (!why && S_ISREG(about.st_mode) && about.st_size > TEXT_MAX_BYTES) {
    text_complain_size(path, (size_t)about.st_size, d);
  } else {
    size_t length = TEXT_MAX_BYTES + 1; /* one too many is enough for text_lex_open() to say that it is too long */
    char *bytes = why ? NULL : read_bytes(scratch, path, &length, &why);
    if (bytes)
      file = text_read_memory(arena, path, bytes, length, schema, d);
    else
      diag_error(d, path, 0, "cannot read this file: %s", why);
  }
  arena_free(scratch);
  return file;
}
