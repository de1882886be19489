/* The run file: control graphs come out as they went in; settings that versions 5 and 6 kept as a sentence are read
 * from it, and are columns once the file has been written to. */
#include "store/controls.h"
#include "tests/store/run_file.h"

/* What version 6 would have of these: the sentences are those that it wrote. */
static const char version_6[] =
    "DROP TABLE control_graph; DROP TABLE performance; DROP TABLE attempt_measure;"
    "CREATE TABLE track (id INTEGER PRIMARY KEY AUTOINCREMENT, session INTEGER REFERENCES session, what TEXT, method "
    "TEXT, options TEXT, success INTEGER, fault TEXT, seconds, fault_after, n_frames INTEGER, cost, cost_pose, "
    "cost_root, cost_ends, cost_balance, worst_height, worst_angle, worst_foot, worst_course, samples INTEGER, "
    "seconds_models, seconds_tracking, q BLOB, torque BLOB, force BLOB, contact BLOB, control BLOB);"
    "CREATE TABLE control (id INTEGER PRIMARY KEY AUTOINCREMENT, session INTEGER REFERENCES session, teacher TEXT,"
    " options TEXT, iteration INTEGER, n_iterations INTEGER, seconds, residual, success, robustness, bytes BLOB);"
    "CREATE TABLE modal (id INTEGER PRIMARY KEY AUTOINCREMENT, session INTEGER REFERENCES session,"
    " clip INTEGER REFERENCES clip, what TEXT, place TEXT, options TEXT, success INTEGER, fault TEXT, n_steps INTEGER,"
    " n_wanted INTEGER, dt, worst_angle, worst_height, rms_angle, rms_joint, missed, unsolved INTEGER, seconds,"
    " q BLOB, reference BLOB, torque BLOB, planned BLOB, used BLOB, control BLOB);"
    "INSERT INTO control VALUES (2, NULL, 'lqr', 'seed 5', 1, 1, 1.75, 0.044, 1, NULL, x'01');"
    "INSERT INTO control VALUES (3, NULL, 'ahead', 'seed 18446744073709551615, 200 visits, skill run, 9 visits', 2, 4, "
    "8, 0.5, 0.25, 12.5, x'0203');"
    "INSERT INTO control VALUES (7, NULL, 'guided', 'seed 1, 30 then 40 samples, 4 saved, 100 visits, value 2.5, "
    "refined, 3 of cycles first, skill walk', 3, 10, 9, 0.5, 0.25, 3, x'04');"
    "INSERT INTO control VALUES (8, NULL, 'guided', 'seed 2, 40 then 41 samples, 5 saved, 99 visits, value 0', 1, 10, "
    "9, 0.5, 0.25, 3, x'05');"
    "DROP TABLE surface; PRAGMA user_version = 6";

static const struct store_control expected[] = {
  {.id = 2, .teacher = "lqr", .seed = 5, .iteration = 1, .n_iterations = 1, .seconds = 1.75, .residual = 0.044,
   .success = 1, .robustness = NAN, .bytes = "\1", .n_bytes = 1},
  {.id = 3, .teacher = "ahead", .seed = UINT64_MAX, .skill = "run, 9 visits", .visits = 200, .iteration = 2,
   .n_iterations = 4, .seconds = 8, .residual = 0.5, .success = 0.25, .robustness = 12.5, .bytes = "\2\3",
   .n_bytes = 2},
  {.id = 7, .teacher = "guided", .seed = 1, .skill = "walk", .samples_first = 30, .samples = 40, .saved = 4,
   .visits = 100, .value_weight = 2.5, .refine = 1, .cycles_first = 3, .iteration = 3, .n_iterations = 10, .seconds = 9,
   .residual = 0.5, .success = 0.25, .robustness = 3, .bytes = "\4", .n_bytes = 1},
  {.id = 8, .teacher = "guided", .seed = 2, .samples_first = 40, .samples = 41, .saved = 5, .visits = 99,
   .iteration = 1,
   .n_iterations = 10, .seconds = 9, .residual = 0.5, .success = 0.25, .robustness = 3, .bytes = "\5", .n_bytes = 1},
};
enum { N = sizeof expected / sizeof *expected };

static void check_control(const struct store_control *a, const struct store_control *b)
{
  CHECK_INT(a->id, b->id);
  CHECK_STR(a->teacher, b->teacher);
  CHECK(a->seed == b->seed);
  CHECK(!a->skill == !b->skill && (!a->skill || !strcmp(a->skill, b->skill)));
  CHECK_INT(a->samples_first, b->samples_first);
  CHECK_INT(a->samples, b->samples);
  CHECK_INT(a->saved, b->saved);
  CHECK_INT(a->visits, b->visits);
  CHECK(a->value_weight == b->value_weight);
  CHECK_INT(a->refine, b->refine);
  CHECK_INT(a->cycles_first, b->cycles_first);
  CHECK_INT(a->iteration, b->iteration);
  CHECK_INT(a->n_iterations, b->n_iterations);
  CHECK(a->seconds == b->seconds && a->residual == b->residual && a->success == b->success);
  CHECK(a->robustness == b->robustness || (isnan(a->robustness) && isnan(b->robustness)));
}

static void check_all(struct store *s, struct diag *d)
{
  struct arena *arena = arena_new();
  struct store_control got;
  int n = 0;
  const struct store_control *list = store_list_controls(arena, s, &n, d);
  CHECK_INT(n, N);
  for (int i = 0; list && i < n && i < N; i++)
    check_control(&list[i], &expected[i]);
  for (int i = 0; i < N; i++) {
    if (i == 2)
      continue; /* not the newest of its teacher */
    CHECK_INT(store_get_control(arena, s, expected[i].teacher, &got, d), 1);
    check_control(&got, &expected[i]);
    CHECK(got.n_bytes == expected[i].n_bytes && !memcmp(got.bytes, expected[i].bytes, got.n_bytes));
  }
  CHECK_INT(store_get_control(arena, s, NULL, &got, d), 1);
  CHECK_INT(got.id, 8);
  CHECK_INT(store_get_control(arena, s, "nobody", &got, d), 0);
  check_says(d, "");
  arena_free(arena);
}

static void test_version_6(void)
{
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  const char *path = hopper_run(arena, "a.muy", 1);
  harm(path, version_6);
  struct store *s = store_open(arena, path, STORE_READ, &d);
  check_all(s, &d);
  CHECK_STR(ask(arena, path, "PRAGMA user_version"), "6");
  struct store *writer = store_open(arena, path, STORE_WRITE, &d);
  check_all(s, &d); /* a reader that was there before */
  check_all(writer, &d);
  CHECK_INT(store_put_control(writer, &expected[2], &d), 9);
  store_close(writer);
  store_close(s);
  CHECK_STR(ask(arena, path, "SELECT count(*) FROM sqlite_master WHERE name = 'control'"), "0");
  CHECK_STR(ask(arena, path, "SELECT group_concat(ifnull(skill, '-')) FROM control_graph"),
            "-,run, 9 visits,walk,-,walk");
  check_says(&d, "");
  empty_folder();
  arena_free(arena);
}

static void test_round(void)
{
  struct arena *arena = arena_new();
  struct diag d;
  struct store_control got, empty = {.teacher = "lqr"};
  diag_init(&d);
  const char *path = hopper_run(arena, "a.muy", 1);
  struct store *s = store_open(arena, path, STORE_WRITE, &d);
  CHECK_INT(store_get_control(arena, s, NULL, &got, &d), 0);
  for (int i = 0; i < N; i++) {
    struct store_control in = expected[i];
    in.id = store_put_control(s, &in, &d);
    CHECK_INT(in.id, i + 1);
    CHECK_INT(store_get_control(arena, s, NULL, &got, &d), 1);
    check_control(&got, &in);
  }
  CHECK_INT(store_put_control(s, &empty, &d), 0);
  check_says(&d, "@/a.muy: error: the control graph is not written: it is empty\n");
  store_close(s);
  empty_folder();
  arena_free(arena);
}

int main(void)
{
  run_begin();
  test_round();
  test_version_6();
  return run_finish();
}
