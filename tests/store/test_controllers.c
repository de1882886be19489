/* The run file: its tasks and controllers come out as they went in, and what is wrong with them is told. */
#include "store/run_file.h"

#define LARGE ((size_t)24 << 20) /* bytes: a player of a large controller, and more */

static const char slow[] = "name = slow\nparameter speed { }\n";

static struct store *open_new(struct arena *arena, const char *name, struct diag *d)
{
  diag_init(d);
  struct store *s = store_open(arena, in_folder(arena, name), STORE_WRITE, d);
  CHECK(s != NULL);
  return s;
}

/* ---- tasks ---- */

static void check_task(struct store *s, int id, const char *file, const char *text, struct diag *d)
{
  struct arena *arena = arena_new();
  const char *found_file = NULL;
  size_t length = 0;
  const char *found = store_get_task_text(arena, s, id, &found_file, &length, d);
  CHECK_STR(found, text);
  CHECK_STR(found_file, file);
  CHECK(length == strlen(text));
  arena_free(arena);
}

static void test_tasks(void)
{
  struct arena *arena = arena_new();
  const char top[] = "# turns\ninclude(\"more.inc\")\n", more[] = "parameter direction { }", other[] = "alpha = 1";
  const char *path = in_folder(arena, "top.task"), *included = in_folder(arena, "more.inc");
  const char flat[] = "# turns\nparameter direction { }\n\n";
  struct diag d;
  int n = 0;
  struct store *s = open_new(arena, "a.muy", &d);
  write_bytes(path, top, strlen(top));
  write_bytes(included, more, strlen(more));
  CHECK_INT(store_put_task(s, path, &d), 1);
  CHECK_INT(store_put_task_text(s, "slow.task", slow, strlen(slow), &d), 2);
  CHECK_INT(store_put_task(s, path, &d), 1); /* the same again */
  CHECK_INT(store_put_task_text(s, "other.task", flat, strlen(flat), &d), 1);
  CHECK_INT(store_put_task_text(s, "slow.task", slow, strlen(slow) - 1, &d), 3);
  CHECK_INT(store_put_task_text(s, "empty.task", "", 0, &d), 4);
  write_bytes(included, other, strlen(other));
  CHECK_INT(store_put_task(s, path, &d), 5);
  CHECK(remove(path) == 0 && remove(included) == 0);
  store_close(s);
  s = store_open(arena, in_folder(arena, "a.muy"), STORE_READ, &d);
  check_task(s, 1, path, flat, &d);
  check_task(s, 2, "slow.task", slow, &d);
  check_task(s, 4, "empty.task", "", &d);
  check_task(s, 5, path, "# turns\nalpha = 1\n\n", &d);
  const struct store_task *tasks = store_list_tasks(arena, s, &n, &d);
  CHECK(tasks && n == 5 && tasks[0].id == 1 && tasks[4].id == 5);
  CHECK_STR(tasks[1].file, "slow.task");
  CHECK_STR(tasks[4].file, path);
  store_close(s);
  check_says(&d, "");
  empty_folder();
  arena_free(arena);
}

static void test_refused_tasks(void)
{
  struct arena *arena = arena_new();
  const char *file, *none = in_folder(arena, "none.task"), binary[] = "alpha = 1\nalpha \0 = 2\n";
  size_t length;
  struct diag d;
  int n = -1;
  struct store *s = open_new(arena, "a.muy", &d);
  CHECK_INT(store_put_task(s, none, &d), 0);
  check_says(&d, "@/none.task: error: cannot read this file: No such file or directory\n");
  CHECK_INT(store_put_task_text(s, "b.task", binary, sizeof binary - 1, &d), 0);
  check_says(&d, "b.task:2: error: not a text file: byte 0x00 at line 2\n");
  CHECK(store_list_tasks(arena, s, &n, &d) && n == 0);
  CHECK(store_get_task_text(arena, s, 1, &file, &length, &d) == NULL);
  check_says(&d, "@/a.muy: error: there is no task 1 in this run file\n");
  CHECK_INT(store_put_task_text(s, "slow.task", slow, strlen(slow), &d), 1); /* it can go on */
  check_says(&d, "");
  store_close(s);
  empty_folder();
  arena_free(arena);
}

/* ---- controllers ---- */

static void check_controller(struct store *s, int id, const struct store_controller *expected, struct diag *d)
{
  struct arena *arena = arena_new();
  struct store_controller c;
  CHECK(store_get_controller(arena, s, id, &c, d) && same_controller(&c, expected));
  arena_free(arena);
}

static void test_controllers(void)
{
  struct arena *arena = arena_new();
  const char *path = in_folder(arena, "a.muy");
  struct store_controller in[4];
  struct diag d;
  int n = 0;
  struct store *s = open_new(arena, "a.muy", &d);
  CHECK_INT(store_put_task_text(s, "slow.task", slow, strlen(slow), &d), 1);
  CHECK_INT(store_put_task_text(s, "empty.task", "", 0, &d), 2);
  for (int i = 0; i < 4; i++) {
    in[i] = random_controller(arena, 1 + i % 2, i + 1, i == 2 ? LARGE : (size_t)(1 + 5000 * i));
    if (i > 0)
      CHECK(store_add_session(s, &(struct store_session){"muybridge 1", "muybridge policy", "2026-01-31"}, &d));
    CHECK_INT(store_put_controller(s, &in[i], &d), i + 1);
    check_controller(s, 0, &in[i], &d);
  }
  store_close(s);
  s = store_open(arena, path, STORE_READ, &d);
  const struct store_controller *list = store_list_controllers(arena, s, &n, &d);
  CHECK(list && n == 4);
  for (int i = 0; i < n && list; i++) {
    struct store_controller line = list[i];
    check_controller(s, i + 1, &in[i], &d);
    CHECK(line.bytes == NULL);
    line.bytes = in[i].bytes;
    CHECK(same_controller(&line, &in[i]));
  }
  store_close(s);
  check_says(&d, "");
  CHECK_STR(ask(arena, path, "SELECT group_concat(ifnull(session, 'nobody')) FROM controller"), "nobody,1,2,3");
  empty_folder();
  arena_free(arena);
}

/* Tries to put a controller that must not go in. */
static void check_not_put(struct store *s, struct store_controller c, const char *why)
{
  struct arena *arena = arena_new();
  struct diag d;
  int n;
  diag_init(&d);
  CHECK_INT(store_put_controller(s, &c, &d), 0);
  check_says(&d, arena_printf(arena, "@/a.muy: error: the controller is not written: %s\n", why));
  CHECK(store_list_controllers(arena, s, &n, &d) && n == 0);
  arena_free(arena);
}

static void test_refused_controllers(void)
{
  struct arena *arena = arena_new();
  struct diag d;
  struct store *s = open_new(arena, "a.muy", &d);
  struct store_controller good = random_controller(arena, 1, 1, 100), c = good;
  check_not_put(s, good, "there is no task 1 in this run file");
  CHECK_INT(store_put_task_text(s, "slow.task", slow, strlen(slow), &d), 1);
  double *numbers[] = {&c.cost, &c.cost_lower, &c.cost_upper};
  for (int i = 0; i < 6; i++, c = good) {
    *numbers[i % 3] = i < 3 ? NAN : INFINITY;
    check_not_put(s, c, "its cost or a bound of it is not finite");
  }
  int *counts[] = {&c.n_clips, &c.n_nodes, &c.n_segments};
  for (int i = 0; i < 3; i++, c = good) {
    *counts[i] = 0;
    check_not_put(s, c, "it has no clips, no nodes or no segments");
  }
  c.n_bytes = 0;
  check_not_put(s, c, "its player is empty");
  c.n_bytes = 2000000000; /* which nobody will look at */
  check_not_put(s, c, "its player has 2000000000 bytes, a run file takes up to 999999000");
  CHECK_INT(store_put_controller(s, &good, &d), 1); /* it can go on */
  struct store *reader = store_open(arena, in_folder(arena, "a.muy"), STORE_READ, &d);
  CHECK_INT(store_put_controller(reader, &good, &d), 0);
  check_says(&d, "@/a.muy: error: cannot write: the file or its folder is read-only\n");
  store_close(reader);
  store_close(s);
  empty_folder();
  arena_free(arena);
}

/* ---- mishaps ---- */

/* A controller that does not fit its columns is an error, not a crash; its neighbours are still there. */
static void test_damaged_controllers(void)
{
  static const char *const harms[] = {"n_bytes = n_bytes - 1", "n_bytes = -100", "n_bytes = NULL", "bytes = NULL",
                                      "bytes = substr(bytes, 2)", "bytes = x'', n_bytes = 0", "bytes = zeroblob(101)",
                                      "cost = NULL", "cost_lower = 9e999", "n_clips = 0", "n_nodes = -1",
                                      "n_segments = 4294967297"};
  enum { N_HARMS = sizeof harms / sizeof *harms };
  struct arena *arena = arena_new();
  const char *path = in_folder(arena, "a.muy");
  struct store_controller c, expected = random_controller(arena, 1, 1, 100);
  struct diag d;
  struct store *s = open_new(arena, "a.muy", &d);
  add_controllers(s, N_HARMS + 1, 100, &d);
  store_close(s);
  for (int i = 0; i < N_HARMS; i++)
    harm(path, arena_printf(arena, "UPDATE controller SET %s WHERE id = %d", harms[i], i + 2));
  s = store_open(arena, path, STORE_READ, &d);
  for (int id = 2; id < N_HARMS + 2; id++) {
    CHECK(!store_get_controller(arena, s, id, &c, &d));
    check_says(&d, arena_printf(arena, "@/a.muy: error: the file is damaged: controller %d is not whole\n", id));
  }
  int n = 0;
  CHECK(store_list_controllers(arena, s, &n, &d) && n == N_HARMS + 1);
  check_controller(s, 1, &expected, &d);
  check_says(&d, "");
  CHECK(!store_get_controller(arena, s, 99, &c, &d));
  check_says(&d, "@/a.muy: error: there is no controller 99 in this run file\n");
  store_close(s);
  empty_folder();
  arena_free(arena);
}

static void test_damaged_tasks(void)
{
  static const char *const harms[] = {"text = NULL", "text = text || ' '", "text = substr(text, 2)", "n_bytes = -1",
                                      "text = CAST(x'6100' || substr(text, 3) AS TEXT)"};
  struct arena *arena = arena_new();
  for (size_t i = 0; i < sizeof harms / sizeof *harms; i++) {
    const char *path = in_folder(arena, "a.muy"), *file;
    size_t length;
    struct diag d;
    struct store *s = open_new(arena, "a.muy", &d);
    CHECK_INT(store_put_task_text(s, "slow.task", slow, strlen(slow), &d), 1);
    CHECK_INT(store_put_task_text(s, "empty.task", "", 0, &d), 2);
    harm(path, arena_printf(arena, "UPDATE task SET %s WHERE id = 1", harms[i]));
    CHECK(store_get_task_text(arena, s, 1, &file, &length, &d) == NULL);
    check_says(&d, "@/a.muy: error: the file is damaged: task 1, from slow.task, is not whole\n");
    check_task(s, 2, "empty.task", "", &d);
    store_close(s);
    check_says(&d, "");
    empty_folder();
  }
  arena_free(arena);
}

/* No room for a large one: an error, nothing lost, and a small one still goes in. */
static int large_without_room(const char *path)
{
  struct arena *arena = arena_new();
  struct store_controller first = random_controller(arena, 1, 1, 1000), large = random_controller(arena, 1, 2, LARGE);
  struct store_controller small = random_controller(arena, 1, 2, 1000);
  struct diag d;
  int n = 0;
  diag_init(&d);
  struct store *s = store_open(arena, path, STORE_WRITE, &d);
  add_controllers(s, 1, 1000, &d);
  limit_files(200000);
  CHECK_INT(store_put_controller(s, &large, &d), 0);
  check_says(&d, "@/a.muy: error: cannot read or write: File too large; nothing was changed\n");
  CHECK(store_list_controllers(arena, s, &n, &d) && n == 1);
  check_controller(s, 0, &first, &d);
  CHECK_INT(store_put_controller(s, &small, &d), 2);
  limit_files(RLIM_INFINITY);
  large.id = 3;
  CHECK_INT(store_put_controller(s, &large, &d), 3);
  check_controller(s, 2, &small, &d);
  check_controller(s, 3, &large, &d);
  store_close(s);
  check_says(&d, "");
  arena_free(arena);
  return 0;
}

static void test_no_room(void)
{
  struct arena *arena = arena_new();
  in_child(large_without_room, in_folder(arena, "a.muy"));
  empty_folder();
  arena_free(arena);
}

static void test_locked(void)
{
  struct arena *arena = arena_new();
  struct store_controller next = random_controller(arena, 1, 2, 50), first = random_controller(arena, 1, 1, 50);
  const char busy[] = "@/a.muy: error: another process is writing to this file; try again when it has finished\n";
  sqlite3 *other;
  struct diag d;
  struct store *s = open_new(arena, "a.muy", &d);
  add_controllers(s, 1, 50, &d);
  store_set_patience(s, 0.05);
  CHECK(sqlite3_open(in_folder(arena, "a.muy"), &other) == SQLITE_OK &&
        sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK);
  CHECK_INT(store_put_controller(s, &next, &d), 0);
  check_says(&d, busy);
  CHECK_INT(store_put_task_text(s, "slow.task", slow, strlen(slow), &d), 0);
  check_says(&d, busy);
  check_controller(s, 0, &first, &d); /* reading goes on */
  CHECK(sqlite3_exec(other, "COMMIT", NULL, NULL, NULL) == SQLITE_OK);
  CHECK_INT(store_put_controller(s, &next, &d), 2);
  sqlite3_close(other);
  store_close(s);
  check_says(&d, "");
  empty_folder();
  arena_free(arena);
}

int main(void)
{
  run_begin();
  test_tasks();
  test_refused_tasks();
  test_controllers();
  test_refused_controllers();
  test_damaged_controllers();
  test_damaged_tasks();
  test_no_room();
  test_locked();
  return run_finish();
}
