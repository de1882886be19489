/* A creature or task file and all that it includes as one text, so that a run file needs no other: include("legs.inc")
 * gives way to what is in legs.inc. Comments stay.
 *
 * Words and signs are found as the parser finds them, and an include is cut out of the text where they stand. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "base/text_lex.h"
#include "store/room.h"

#define MAX_NESTED 8 /* as base/text.c */

struct flat {
  struct arena *scratch;
  FILE *out;
  struct diag *d;
  size_t total;                  /* characters so far                                     */
};

static int add_file(struct flat *f, const char *path, int depth);

/* 0 after an error. A parenthesis of anything else than an include is the parser's business. */
static int add_text(struct flat *f, const char *path, const char *text, size_t length, int depth)
{
  int has_mark = depth > 0 && length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0; /* which may only begin a text */
  size_t copied = has_mark ? 3 : 0;
  struct text_lexer lex;
  struct text_token before = {0}, t;
  if (!text_lex_open(f->scratch, path, text, length, f->d, &lex))
    return 0;
  for (; (t = text_lex_next(&lex)).kind; before = t) {
    if (t.kind != '(' || strcmp(text_lex_word(f->scratch, &lex, &before), "include") != 0)
      continue;
    struct text_token name = text_lex_next(&lex); /* text_lex_open() has seen that a word and a parenthesis follow */
    fwrite(text + copied, 1, before.from - copied, f->out);
    if (!add_file(f, text_beside(f->scratch, path, text_lex_word(f->scratch, &lex, &name)), depth + 1))
      return 0;
    putc('\n', f->out); /* in case it ends in a comment */
    t = text_lex_next(&lex);
    copied = t.until;
  }
  fwrite(text + copied, 1, length - copied, f->out);
  return 1;
}

/* A plain file as text; NULL after an error. */
static char *read_file(struct flat *f, const char *path, size_t *length)
{
  struct stat about;
  const char *why = stat(path, &about) ? strerror(errno) : S_ISREG(about.st_mode) ? NULL : "it is not a plain file";
  FILE *in = why ? NULL : fopen(path, "rb");
  char *text = NULL;
  if (in) {
    size_t room = about.st_size > TEXT_MAX_BYTES ? TEXT_MAX_BYTES + 1 : (size_t)about.st_size + 1;
    text = arena_alloc(f->scratch, room, 1);
    *length = fread(text, 1, room, in);
  }
  if (!why && (!in || ferror(in)))
    why = strerror(errno);
  if (in)
    fclose(in);
  if (why)
    diag_error(f->d, path, 0, "cannot read this file: %s", why);
  return why ? NULL : text;
}

static int add_file(struct flat *f, const char *path, int depth)
{
  size_t length = 0;
  char *text = read_file(f, path, &length);
  f->total += length;
  if (text && f->total > TEXT_MAX_BYTES)
    text_complain_size(path, f->total, f->d);
  else if (text && depth > MAX_NESTED)
    diag_error(f->d, path, 0, "includes nest more than %d deep; does a file include itself?", MAX_NESTED);
  else if (text)
    return add_text(f, path, text, length, depth);
  return 0;
}

char *store_flatten(struct arena *arena, const char *path, size_t *length, struct diag *d)
{
  return store_flatten_styled(arena, &(struct creature){.file = path}, length, d);
}

char *store_flatten_styled(struct arena *arena, const struct creature *c, size_t *length, struct diag *d)
{
  char *text = NULL, *copy = NULL;
  struct flat f = {.scratch = arena_new(), .d = d, .out = open_memstream(&text, length)};
  if (!f.out)
    arena_out_of_memory();
  int good = add_file(&f, c->file, 0);
  for (int i = 0; good && i < c->n_styles; i++)
    if (c->styles[i].file) {
      fprintf(f.out, "\nstyle %s {\n", c->styles[i].name);
      good = add_file(&f, c->styles[i].file, 1);
      fputs("\n}\n", f.out);
    }
  if (fclose(f.out) || !text)
    arena_out_of_memory();
  if (good) {
    copy = arena_alloc(arena, *length + 1, 1);
    memcpy(copy, text, *length);
  }
  free(text);
  arena_free(f.scratch);
  return copy;
}
