/* The run file: motions under modal control come out as they went in, what is wrong with them is told, and a file from before
 * there were any is read as one that has none. */
#include "store/modals.h"
#include "store/run_file.h"

static struct store_modal some_motion(const char *what, double x)
{
  static const unsigned char bytes[60] = {1, 2, 3, 0, 255};
  struct store_modal m = {.clip = 2, .what = what, .place = "ode", .options = "window 12", .success = 1, .fault = "",
                          .n_steps = 5, .n_wanted = 7, .dt = 0.006, .unsolved = 3, .seconds = x};
  for (int i = 0; i < N_STORE_MODAL_NUMBERS; i++)
    m.numbers[i] = x + i;
  for (int i = 0; i < N_STORE_MODAL_BYTES; i++) {
    m.bytes[i] = bytes + i;
    m.n_bytes[i] = (size_t)(8 * i + 3);
  }
  return m;
}

static void check_motion(const struct store_modal *a, const struct store_modal *b)
{
  CHECK_STR(a->what, b->what);
  CHECK_STR(a->place, b->place);
  CHECK_STR(a->options, b->options);
  CHECK_STR(a->fault, b->fault);
  CHECK_INT(a->clip, b->clip);
  CHECK_INT(a->success, b->success);
  CHECK_INT(a->n_steps, b->n_steps);
  CHECK_INT(a->n_wanted, b->n_wanted);
  CHECK_INT(a->unsolved, b->unsolved);
  CHECK(a->dt == b->dt && a->seconds == b->seconds);
  for (int i = 0; i < N_STORE_MODAL_NUMBERS; i++)
    CHECK(a->numbers[i] == b->numbers[i]);
}

static void test_round(void)
{
  struct arena *arena = arena_new();
  struct diag d;
  int n = 0;
  diag_init(&d);
  const char *path = hopper_run(arena, "a.muy", 2);
  struct store *s = store_open(arena, path, STORE_WRITE, &d);
  struct store_modal one = some_motion("clip 2, walk", 0.25), two = some_motion("squat", -0.0), found;
  two.success = two.clip = 0;
  two.fault = "tilt";
  CHECK(!store_get_modal(arena, s, 0, &found, &d));
  check_says(&d, "@/a.muy: error: there is no motion under modal control in this run file; muybridge track --method modal makes one\n");
  CHECK_INT(store_put_modal(s, &one, &d), 1);
  CHECK_INT(store_put_modal(s, &two, &d), 2);
  store_close(s);
  s = store_open(arena, path, STORE_READ, &d);
  CHECK(store_get_modal(arena, s, 1, &found, &d));
  check_motion(&found, &one);
  for (int i = 0; i < N_STORE_MODAL_BYTES; i++) {
    CHECK(found.n_bytes[i] == one.n_bytes[i]);
    CHECK(!memcmp(found.bytes[i], one.bytes[i], one.n_bytes[i]));
  }
  CHECK(store_get_modal(arena, s, 0, &found, &d)); /* the newest */
  check_motion(&found, &two);
  CHECK(!store_get_modal(arena, s, 7, &found, &d));
  check_says(&d, "@/a.muy: error: there is no motion 7 under modal control in this run file\n");
  const struct store_modal *all = store_list_modals(arena, s, &n, &d);
  CHECK_INT(n, 2);
  check_motion(&all[0], &one);
  check_motion(&all[1], &two);
  CHECK(all[0].bytes[0] == NULL);
  store_close(s);
  check_says(&d, "");
  empty_folder();
  arena_free(arena);
}

static void test_refused(void)
{
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  struct store *s = store_open(arena, in_folder(arena, "a.muy"), STORE_WRITE, &d);
  struct store_modal m = some_motion("clip 1", 1);
  m.n_steps = 0;
  CHECK_INT(store_put_modal(s, &m, &d), 0);
  check_says(&d, "@/a.muy: error: the motion under modal control is not written: it has no steps\n");
  m = some_motion("clip 1", 1);
  m.n_bytes[STORE_MODAL_USED] = 0;
  CHECK_INT(store_put_modal(s, &m, &d), 0);
  check_says(&d, "@/a.muy: error: the motion under modal control is not written: a part of it is empty\n");
  m = some_motion("clip 1", 1);
  m.dt = 0;
  CHECK_INT(store_put_modal(s, &m, &d), 0);
  check_says(&d, "@/a.muy: error: the motion under modal control is not written: its step is no time\n");
  store_close(s);
  empty_folder();
  arena_free(arena);
}

/* A file of version 5 is read as it is, and gets the table when it is opened for writing. */
static void test_older(void)
{
  struct arena *arena = arena_new();
  struct diag d;
  struct store_modal one = some_motion("clip 2, walk", 1), found;
  int n = 1;
  diag_init(&d);
  const char *path = hopper_run(arena, "a.muy", 2);
  harm(path, "DROP TABLE modal; PRAGMA user_version = 5");
  struct store *s = store_open(arena, path, STORE_READ, &d);
  CHECK(store_list_modals(arena, s, &n, &d) != NULL);
  CHECK_INT(n, 0);
  CHECK(!store_get_modal(arena, s, 0, &found, &d));
  check_says(&d, "@/a.muy: error: there is no motion under modal control in this run file; muybridge track --method modal makes one\n");
  store_close(s);
  CHECK_STR(ask(arena, path, "PRAGMA user_version"), "5");
  s = store_open(arena, path, STORE_WRITE, &d);
  CHECK_INT(store_put_modal(s, &one, &d), 1);
  store_close(s);
  CHECK_STR(ask(arena, path, "PRAGMA user_version"), "6");
  CHECK_STR(ask(arena, path, "SELECT count(*) FROM clip"), "2");
  check_says(&d, "");
  empty_folder();
  arena_free(arena);
}

int main(void)
{
  run_begin();
  test_round();
  test_refused();
  test_older();
  return run_finish();
}
