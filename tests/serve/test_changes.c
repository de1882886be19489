/* Files that are edited: saved in place, replaced, touched, removed; and which files a file is made of. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "serve/changes.h"
#include "check.h"

static char folder[] = "/tmp/test_changes.XXXXXX";

static const char *in_folder(struct arena *arena, const char *name)
{
  return arena_printf(arena, "%s/%s", folder, name);
}

static void save(const char *path, const char *text) /* in place */
{
  FILE *out = fopen(path, "w");
  fputs(text, out);
  fclose(out);
}

static int is_told(struct changes *c)
{
  struct pollfd p = {changes_fd(c), POLLIN, 0};
  return poll(&p, 1, 0) == 1;
}

static void test_changes(struct arena *arena)
{
  struct diag d;
  diag_init(&d);
  const char *a = in_folder(arena, "a"), *b = in_folder(arena, "b"), *link = in_folder(arena, "sub/link");
  const char *files[] = {a, b, link};
  mkdir(in_folder(arena, "sub"), 0777);
  mkdir(in_folder(arena, "real"), 0777);
  save(a, "one");
  save(in_folder(arena, "real/file"), "one");
  CHECK_INT(symlink("../real/file", link), 0);
  struct changes *c = changes_open(&d);
  changes_add(c, 3, files);
  changes_add(c, 3, files); /* once more: nothing */
  CHECK(!changes_must_poll(c));
  CHECK(!is_told(c) && !changes_look(c));
  save(a, "two");
  CHECK(is_told(c) && changes_look(c) && !changes_look(c) && !is_told(c));
  save(a, "two"); /* the same again */
  CHECK(is_told(c) && !changes_look(c));
  CHECK_INT(file_write_bytes(a, "three", 5), 0); /* a new file of that name */
  CHECK(is_told(c) && changes_look(c));
  save(b, ""); /* was not there */
  CHECK(is_told(c) && changes_look(c));
  unlink(b);
  CHECK(is_told(c) && changes_look(c));
  save(in_folder(arena, "other"), "x"); /* none of ours */
  CHECK(!changes_look(c));
  save(in_folder(arena, "real/file"), "two"); /* behind a link */
  CHECK(is_told(c) && changes_look(c));
  changes_close(c);
  changes_close(NULL);
  diag_clear(&d);
}

static void test_files(struct arena *arena)
{
  int n = 0;
  const char *a = in_folder(arena, "a");
  save(a, "name = x\ninclude(\"sub/b.inc\") # include(\"not.inc\")\ninclude('sub/none.inc')\ninclude(a)");
  save(in_folder(arena, "sub/b.inc"), "include(c.inc)\n");
  save(in_folder(arena, "sub/c.inc"), "include(b.inc)\nunfinished \"");
  const char *const *files = text_files(arena, a, &n);
  CHECK_INT(n, 4);
  CHECK_STR(files[0], a);
  CHECK_STR(files[1], in_folder(arena, "sub/b.inc"));
  CHECK_STR(files[2], in_folder(arena, "sub/c.inc"));
  CHECK_STR(files[3], in_folder(arena, "sub/none.inc"));
  files = text_files(arena, in_folder(arena, "nowhere"), &n);
  CHECK_INT(n, 1);
}

int main(void)
{
  struct arena *arena = arena_new();
  CHECK(mkdtemp(folder) != NULL);
  test_changes(arena);
  test_files(arena);
  char command[64];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  CHECK_INT(system(command), 0);
  arena_free(arena);
  return test_finish();
}
