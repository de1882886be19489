/* The run file: what is opened and what is refused; a file that is damaged or read-only is an error, never a crash. */
#include "store/run_file.h"

static void test_wrong_files(void)
{
  struct arena *arena = arena_new();
  const char *path = hopper_run(arena, "a.muy", 2), *none = in_folder(arena, "none.muy");
  harm(path, "PRAGMA user_version = 9");
  check_untouched(path, "@/a.muy: error: this run file is from a newer muybridge (format 9, this one knows up to 8)\n");
  harm(path, "PRAGMA user_version = 0");
  check_untouched(path, "@/a.muy: error: the file is damaged: there is no format 0 of run files\n");
  harm(path, "PRAGMA user_version = -1");
  check_untouched(path, "@/a.muy: error: the file is damaged: there is no format -1 of run files\n");
  harm(path, "PRAGMA user_version = 3; PRAGMA application_id = 5");
  check_untouched(path, "@/a.muy: error: this is a database of another program, not a run file of muybridge\n");
  const char *garbage = in_folder(arena, "b.muy");
  write_bytes(garbage, hopper, strlen(hopper));
  check_untouched(garbage, "@/b.muy: error: this is not a run file of muybridge\n");
  check_refused(none, STORE_READ, "@/none.muy: error: cannot open this run file: No such file or directory\n");
  CHECK(access(none, F_OK) != 0);
  check_refused(in_folder(arena, "no/where.muy"), STORE_WRITE,
                "@/no/where.muy: error: cannot make this run file: No such file or directory\n");
  check_refused(folder, STORE_WRITE, "@: error: cannot open this run file: it is a folder\n");
  write_bytes(none, "", 0);
  check_refused(none, STORE_READ, "@/none.muy: error: this run file is empty\n");
  empty_folder();
  arena_free(arena);
}

static void test_recognised(void)
{
  struct arena *arena = arena_new();
  const char *path = hopper_run(arena, "a.muy", 0), *other = in_folder(arena, "run");
  CHECK(rename(path, other) == 0);
  CHECK(store_is_run_file("none.muy") && store_is_run_file(other));
  CHECK(!store_is_run_file("horse") && !store_is_run_file(folder) && !store_is_run_file(".muy"));
  write_bytes(other, hopper, strlen(hopper));
  CHECK(!store_is_run_file(other));
  empty_folder();
  arena_free(arena);
}

/* Everything that can be read, whatever comes of it. */
static void read_all(struct arena *arena, struct store *s, struct diag *d)
{
  struct store_controller c;
  const char *file;
  size_t length;
  int n;
  for (int id = 1; id <= 3; id++)
    store_get_clip(arena, s, id, d);
  store_get_creature(arena, s, d);
  store_get_task_text(arena, s, 1, &file, &length, d);
  for (int id = 0; id <= 2; id++)
    store_get_controller(arena, s, id, &c, d);
  store_list_clips(arena, s, &n, d);
  store_list_tasks(arena, s, &n, d);
  store_list_controllers(arena, s, &n, d);
}

/* A file with three clips, a task and two controllers. */
static const char *full_run(struct arena *arena, const char *name)
{
  const char *path = hopper_run(arena, name, 3);
  struct diag d;
  diag_init(&d);
  struct store *s = store_open(arena, path, STORE_WRITE, &d);
  add_controllers(s, 2, 9000, &d);
  store_close(s);
  check_says(&d, "");
  return path;
}

/* Bytes lost or changed anywhere: an error or the right clip, never a crash. */
static void test_damaged_file(void)
{
  struct arena *arena = arena_new();
  size_t n;
  const char *path = full_run(arena, "a.muy"), *bytes = read_bytes(arena, path, &n);
  struct rng r = rng_stream(5, 0);
  for (int i = 0; i < 200; i++) {
    char *copy = memcpy(arena_alloc(arena, n, 1), bytes, n);
    size_t kept = i % 2 ? n : (size_t)rng_below(&r, (int)n);
    for (int k = 0; k < 20 && i % 2; k++)
      copy[rng_below(&r, i % 4 == 1 ? 2000 : (int)n)] = (char)rng_below(&r, 256);
    write_bytes(path, copy, kept);
    struct diag d;
    diag_init(&d);
    struct store *s = store_open(arena, path, i % 3 ? STORE_READ : STORE_WRITE, &d);
    if (s)
      read_all(arena, s, &d);
    store_close(s);
    CHECK(kept == n || kept == 0 || d.n_errors > 0);
    diag_clear(&d);
  }
  write_bytes(path, bytes, n - 1);
  check_untouched(path, "@/a.muy: error: the file is damaged: its end is missing\n");
  empty_folder();
  arena_free(arena);
}

static int read_only_file(const char *path)
{
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  CHECK(as_nobody());
  check_refused(path, STORE_WRITE, "@/a.muy: error: cannot write: the file or its folder is read-only\n");
  struct store *s = store_open(arena, path, STORE_READ, &d);
  CHECK(s && store_get_clip(arena, s, 2, &d));
  store_close(s);
  check_says(&d, "");
  arena_free(arena);
  return 0;
}

static int read_only_folder(const char *path)
{
  struct arena *arena = arena_new();
  read_only_file(path);
  check_refused(in_folder(arena, "new.muy"), STORE_WRITE,
                "@/new.muy: error: cannot make this run file: Permission denied\n");
  arena_free(arena);
  return 0;
}

static void test_read_only(void)
{
  struct arena *arena = arena_new();
  const char *path = hopper_run(arena, "a.muy", 2);
  CHECK(chmod(path, 0666) == 0 && chmod(folder, 0555) == 0);
  in_child(read_only_folder, path);
  CHECK(chmod(path, 0444) == 0 && chmod(folder, 0777) == 0);
  in_child(read_only_file, path);
  CHECK(chmod(folder, 0755) == 0);
  empty_folder();
  arena_free(arena);
}

/* A reader may not write. */
static void test_read_mode(void)
{
  struct arena *arena = arena_new();
  const char *path = hopper_run(arena, "a.muy", 1);
  struct diag d;
  diag_init(&d);
  struct store *s = store_open(arena, path, STORE_READ, &d);
  const struct creature *c = store_get_creature(arena, s, &d);
  CHECK_INT(store_add_clip(s, random_clip(arena, c, 1, 2), NULL, &d), 0);
  check_says(&d, "@/a.muy: error: cannot write: the file or its folder is read-only\n");
  store_close(s);
  empty_folder();
  arena_free(arena);
}

int main(void)
{
  run_begin();
  test_wrong_files();
  test_recognised();
  test_damaged_file();
  test_read_only();
  test_read_mode();
  return run_finish();
}
