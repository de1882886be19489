/* Which files a text file is made of. See text.h. */
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/text.h"
#include "base/text_lex.h"

enum { NESTED = 8, MOST_FILES = 256 }; /* includes within each other, as base/text.c; files in all */

struct file_list { struct arena *arena; const char **files; int n; };

static void list_file(struct file_list *l, const char *path, int depth)
{
  struct stat about;
  struct diag d;
  struct text_lexer lex;
  struct text_token before = {0}, t;
  size_t length = 0;
  for (int i = 0; i < l->n; i++)
    if (!strcmp(l->files[i], path))
      return;
  if (l->n == MOST_FILES)
    return;
  l->files[l->n++] = path;
  if (depth >= NESTED || stat(path, &about) || !S_ISREG(about.st_mode) || about.st_size > TEXT_MAX_BYTES)
    return;
  const char *text = file_read(l->arena, path, &length);
  diag_init(&d);                /* what is wrong with it is for its parser to say */
  if (text && text_lex_open(l->arena, path, text, length, &d, &lex))
    for (; (t = text_lex_next(&lex)).kind; before = t)
      if (t.kind == '(' && !strcmp(text_lex_word(l->arena, &lex, &before), "include")) {
        struct text_token name = text_lex_next(&lex);
        if (name.kind == TEXT_WORD)
          list_file(l, text_beside(l->arena, path, text_lex_word(l->arena, &lex, &name)), depth + 1);
      }
  diag_clear(&d);
}

const char *const *text_files(struct arena *arena, const char *path, int *n)
{
  struct file_list l = {arena, ARENA_NEW(arena, MOST_FILES, const char *), 0};
  list_file(&l, path, 0);
  *n = l.n;
  return l.files;
}
