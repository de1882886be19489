/* Files that are there whole or not at all. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "check.h"

static char folder[] = "/tmp/test_file.XXXXXX";

static int count_entries(void)
{
  DIR *d = opendir(folder);
  int n = -2; /* without . and .. */
  while (d && readdir(d))
    n++;
  if (d)
    closedir(d);
  return n;
}

static int holds(const char *path, const char *text)
{
  char found[100] = "";
  FILE *in = fopen(path, "rb");
  size_t n = in ? fread(found, 1, sizeof found, in) : 0;
  if (in)
    fclose(in);
  return n == strlen(text) && !memcmp(found, text, n);
}

static int write_half(const void *what, FILE *out)
{
  fputs("only half of", out);
  errno = *(const int *)what;
  return 1;
}

int main(void)
{
  char path[64], missing[64];
  int reason = ENOTSUP;
  CHECK(mkdtemp(folder) != NULL);
  snprintf(path, sizeof path, "%s/a", folder);
  snprintf(missing, sizeof missing, "%s/none/a", folder);
  CHECK_INT(file_write_bytes(path, "old", 3), 0);
  CHECK(holds(path, "old"));
  CHECK_INT(file_write(path, write_half, &reason), ENOTSUP); /* the old one stays, nothing is left over */
  CHECK(holds(path, "old") && count_entries() == 1);
  CHECK_INT(file_write_bytes(path, "new", 3), 0);
  CHECK(holds(path, "new") && count_entries() == 1);
  CHECK_INT(file_write_bytes(path, NULL, 0), 0);
  CHECK(holds(path, ""));
  CHECK_INT(file_write_bytes(missing, "x", 1), ENOENT);
  CHECK(file_write_bytes(folder, "x", 1) != 0); /* a folder is no file */
  CHECK_INT(file_write_bytes("/dev/null", "x", 1), 0); /* in place */
  if (access("/dev/full", W_OK) == 0)
    CHECK_INT(file_write_bytes("/dev/full", "x", 1), ENOSPC);
  CHECK(count_entries() == 1);
  struct arena *arena = arena_new();
  size_t n = 9;
  CHECK_INT(file_write_bytes(path, "a\0b", 3), 0);
  char *read = file_read(arena, path, &n);
  CHECK(read && n == 3 && !memcmp(read, "a\0b", 4));
  CHECK(!file_read(arena, missing, &n) && errno == ENOENT);
  CHECK(!file_read(arena, folder, &n) && errno == EISDIR);
  arena_free(arena);
  unlink(path);
  CHECK(rmdir(folder) == 0);
  return test_finish();
}
