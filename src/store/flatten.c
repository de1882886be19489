/* A creature or task file and all that it includes as one text, so that a run file needs no other: include("legs.inc")
 * gives way to what is in legs.inc. Comments stay.
 *
 * text_scan() blanks comments, as it does for the parser, and its copy has every character in its place; so an include
 * is looked for in the copy and cut out of the original. In a well-formed text a parenthesis outside of quotes can only
 * be an include's. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text_scan.h"
#include "store/room.h"

#define MAX_NESTED 8 /* as base/text.c */

struct flat {
  struct arena *scratch;
  FILE *out;
  struct diag *d;
  size_t total;                  /* characters so far                                     */
};

struct call { size_t from, until; const char *name; }; /* include("name"): characters from .. until - 1 */

static int add_file(struct flat *f, const char *path, int depth);

static int is_blank(char c)
{
  return c == ' ' || c == '\t' || c == '\n';
}

/* The end of the quotes that open at i. */
static size_t skip_quotes(const char *text, size_t length, size_t i)
{
  char quote = text[i++];
  while (i < length && text[i] != quote)
    i += text[i] == '\\' && i + 1 < length && (text[i + 1] == quote || text[i + 1] == '\\') ? 2 : 1;
  return i;
}

/* The name between a parenthesis at i and its fellow, whose place is left in *end. */
static const char *name_in_call(struct flat *f, const char *text, size_t length, size_t i, size_t *end)
{
  for (i++; i < length && is_blank(text[i]); i++) {}
  int quoted = text[i] == '"' || text[i] == '\'';
  size_t last = quoted ? skip_quotes(text, length, i) : i + strcspn(text + i, " \t\n)");
  size_t from = i + (quoted ? 1 : 0), n = 0;
  char *name = arena_alloc(f->scratch, last - from + 1, 1);
  for (i = from; i < last; i++) {
    i += text[i] == '\\' && text[i + 1] == '\\'; /* written twice, meant once */
    name[n++] = text[i];
  }
  *end = last + strcspn(text + last, ")");
  return name;
}

/* The next include from i on; 0 if there is none. */
static int next_call(struct flat *f, const char *text, size_t length, size_t i, struct call *call)
{
  static const char word[] = "include";
  size_t n = sizeof word - 1;
  for (; i < length && text[i] != '('; i++)
    if (text[i] == '"' || text[i] == '\'')
      i = skip_quotes(text, length, i);
  if (i >= length)
    return 0;
  size_t from = i, end;
  while (from > 0 && is_blank(text[from - 1]))
    from--;
  if (from < n || memcmp(text + from - n, word, n) != 0)
    return 0; /* not well formed: the parser will say so */
  call->name = name_in_call(f, text, length, i, &end);
  call->from = from - n;
  call->until = end < length ? end + 1 : length;
  return 1;
}

/* The name of an included file, as seen from the file that includes it. */
static const char *beside(struct flat *f, const char *file, const char *name)
{
  const char *slash = strrchr(file, '/');
  if (name[0] == '/' || !slash)
    return name;
  return arena_printf(f->scratch, "%.*s/%s", (int)(slash - file), file, name);
}

static int add_text(struct flat *f, const char *path, const char *text, size_t length, int depth)
{
  int unclosed;
  int has_mark = depth > 0 && length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0; /* which may only begin a text */
  size_t copied = has_mark ? 3 : 0;
  const char *scanned = text_scan(f->scratch, path, text, length, &unclosed, f->d);
  struct call call;
  if (!scanned)
    return 0;
  for (size_t i = 0; next_call(f, scanned, length, i, &call); i = copied = call.until) {
    fwrite(text + copied, 1, call.from - copied, f->out);
    if (!add_file(f, beside(f, path, call.name), depth + 1))
      return 0;
    putc('\n', f->out); /* in case it ends in a comment */
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
  char *text = NULL, *copy = NULL;
  struct flat f = {.scratch = arena_new(), .d = d, .out = open_memstream(&text, length)};
  if (!f.out)
    abort(); /* out of memory */
  int good = add_file(&f, path, 0);
  if (fclose(f.out) || !text)
    abort();
  if (good) {
    copy = arena_alloc(arena, *length + 1, 1);
    memcpy(copy, text, *length);
  }
  free(text);
  arena_free(f.scratch);
  return copy;
}
