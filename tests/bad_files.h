/* Folders of bad files, each beside the exact messages that it must give: bad/x.task, bad/x.expected. A header, for the
 * checks count where they stand (check.h). */
#ifndef MUYBRIDGE_TESTS_BAD_FILES_H
#define MUYBRIDGE_TESTS_BAD_FILES_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "check.h"

/* Makes a folder of the sources the working folder. 0, and a message, when that fails. */
static inline int bad_files_enter(const char *folder)
{
  const char *source = getenv("srcdir");
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", source ? source : ".", folder);
  if (chdir(path) == 0)
    return 1;
  perror(path);
  return 0;
}

/* The text of a file, for the caller to free; NULL if there is none. */
static inline char *bad_files_read(const char *path)
{
  FILE *in = fopen(path, "rb");
  if (!in)
    return NULL;
  char *text = calloc(1, 1 << 16);
  size_t n = fread(text, 1, (1 << 16) - 1, in);
  (void)n;
  fclose(in);
  return text;
}

/* Are these the messages of bad/NAME without its ending, then SUFFIX.expected? With MUYBRIDGE_REWRITE set they are
 * written there instead. Clears d. */
static inline void bad_files_compare(const char *name, const char *suffix, struct diag *d)
{
  char path[300];
  snprintf(path, sizeof path, "bad/%.*s%s.expected", (int)(strrchr(name, '.') - name), name, suffix);
  char *text = diag_text(d), *expected = bad_files_read(path);
  FILE *out = getenv("MUYBRIDGE_REWRITE") ? fopen(path, "wb") : NULL;
  if (out)
    fputs(text, out), fclose(out);
  else
    CHECK_STR(text, expected);
  free(text);
  free(expected);
  diag_clear(d);
}

/* Hands every file of bad/ with this ending to check, in the order of their names; there must be so many at least. */
static inline void bad_files_each(const char *ending, int least, void (*check)(const char *name))
{
  struct dirent **files;
  int n = scandir("bad", &files, NULL, alphasort), count = 0;
  for (int i = 0; i < n; i++) {
    const char *dot = strrchr(files[i]->d_name, '.');
    if (dot && !strcmp(dot, ending)) {
      check(files[i]->d_name);
      count++;
    }
    free(files[i]);
  }
  CHECK(count >= least);
  if (n >= 0)
    free(files);
}

#endif
