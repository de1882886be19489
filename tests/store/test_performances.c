/* The run file: recorded performances come out as they went in, are counted in their series, and what is wrong with
 * them is told. Rows of version 6, tracks and motions under modal control, are read as they are, and move into the one
 * table with their numbers and bytes when the file is brought up to date. */
#include "store/performances.h"
#include "store/run_file.h"

static struct store_performance some_performance(enum store_series series, const char *what, double x)
{
  static const unsigned char bytes[80] = {1, 2, 3, 0, 255};
  struct store_performance p = {.series = series, .clip = 2, .what = what, .way = "samcon", .place = "tree",
                                .options = "seed 1", .success = 1, .fault = "", .seconds = 2.5, .fault_after = 2.25,
                                .n_frames = 5, .dt = 0.01, .samples = 400, .unsolved = 3, .seconds_models = 0.5,
                                .seconds_control = x};
  for (int i = 0; i < N_PERFORMANCE_NUMBERS; i++)
    p.numbers[i] = x + i;
  for (int i = 0; i < N_PERFORMANCE_BYTES; i++) {
    p.bytes[i] = bytes + i;
    p.n_bytes[i] = (size_t)(8 * i + 3);
  }
  return p;
}

static int same_number(double a, double b)
{
  return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static void check_columns(const struct store_performance *a, const struct store_performance *b)
{
  CHECK_INT(a->series, b->series);
  CHECK_STR(a->what, b->what);
  CHECK_STR(a->way, b->way);
  CHECK_STR(a->place, b->place);
  CHECK_STR(a->options, b->options);
  CHECK_STR(a->fault, b->fault);
  CHECK_INT(a->clip, b->clip);
  CHECK_INT(a->success, b->success);
  CHECK_INT(a->n_frames, b->n_frames);
  CHECK_INT(a->samples, b->samples);
  CHECK_INT(a->unsolved, b->unsolved);
  CHECK(same_number(a->seconds, b->seconds) && same_number(a->fault_after, b->fault_after) &&
        same_number(a->dt, b->dt));
  CHECK(same_number(a->seconds_models, b->seconds_models) && same_number(a->seconds_control, b->seconds_control));
  for (int i = 0; i < N_PERFORMANCE_NUMBERS; i++)
    CHECK(same_number(a->numbers[i], b->numbers[i]));
}

static void check_bytes(const struct store_performance *a, const struct store_performance *b)
{
  for (int i = 0; i < N_PERFORMANCE_BYTES; i++) {
    CHECK(a->n_bytes[i] == b->n_bytes[i]);
    CHECK(!a->n_bytes[i] || !memcmp(a->bytes[i], b->bytes[i], a->n_bytes[i]));
  }
}

/* Each series counts for itself. */
static void test_round(void)
{
  struct arena *arena = arena_new();
  struct diag d;
  int n = 0;
  diag_init(&d);
  const char *path = hopper_run(arena, "a.muy", 2);
  struct store *s = store_open(arena, path, STORE_WRITE, &d);
  struct store_performance one = some_performance(SERIES_TRACK, "clip 1, walk", 0.25), found;
  struct store_performance two = some_performance(SERIES_TRACK, "a path", -0.0);
  struct store_performance three = some_performance(SERIES_MODAL, "squat", 7);
  two.success = two.clip = 0;
  two.fault = "tilt";
  two.n_bytes[PERFORMANCE_WAY] = two.n_bytes[PERFORMANCE_PLANNED] = 0;
  CHECK(!store_get_performance(arena, s, SERIES_TRACK, 0, &found, &d));
  check_says(&d, "@/a.muy: error: there are no tracks in this run file; muybridge track makes one\n");
  CHECK(!store_get_performance(arena, s, SERIES_MODAL, 0, &found, &d));
  check_says(&d, "@/a.muy: error: there is no motion under modal control in this run file; muybridge track --method "
                 "modal makes one\n");
  CHECK_INT(store_put_performance(s, &one, &d), 1);
  CHECK_INT(store_put_performance(s, &three, &d), 1);
  CHECK_INT(store_put_performance(s, &two, &d), 2);
  store_close(s);
  s = store_open(arena, path, STORE_READ, &d);
  CHECK(store_get_performance(arena, s, SERIES_TRACK, 1, &found, &d));
  check_columns(&found, &one);
  check_bytes(&found, &one);
  CHECK(store_get_performance(arena, s, SERIES_TRACK, 0, &found, &d)); /* the newest */
  CHECK_INT(found.number, 2);
  check_columns(&found, &two);
  check_bytes(&found, &two);
  CHECK(store_get_performance(arena, s, SERIES_MODAL, 1, &found, &d));
  check_columns(&found, &three);
  CHECK(!store_get_performance(arena, s, SERIES_TRACK, 7, &found, &d));
  check_says(&d, "@/a.muy: error: there is no track 7 in this run file\n");
  CHECK(!store_get_performance(arena, s, SERIES_MODAL, 2, &found, &d));
  check_says(&d, "@/a.muy: error: there is no motion 2 under modal control in this run file\n");
  const struct store_performance *all = store_list_performances(arena, s, SERIES_TRACK, &n, &d);
  CHECK_INT(n, 2);
  check_columns(&all[0], &one);
  check_columns(&all[1], &two);
  CHECK(all[0].bytes[0] == NULL && all[0].number == 1 && all[1].number == 2);
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
  struct store_performance p = some_performance(SERIES_TRACK, "clip 1", 1);
  p.n_frames = 0;
  CHECK_INT(store_put_performance(s, &p, &d), 0);
  check_says(&d, "@/a.muy: error: the track is not written: it has no frames\n");
  p = some_performance(SERIES_MODAL, "clip 1", 1);
  p.n_bytes[PERFORMANCE_CONTROL] = 0;
  CHECK_INT(store_put_performance(s, &p, &d), 0);
  check_says(&d, "@/a.muy: error: the motion under modal control is not written: a part of it is empty\n");
  p = some_performance(SERIES_TRACK, "clip 1", 1);
  p.seconds = NAN;
  CHECK_INT(store_put_performance(s, &p, &d), 0);
  check_says(&d, "@/a.muy: error: the track is not written: its duration is not finite\n");
  p = some_performance(SERIES_MODAL, "clip 1", 1);
  p.dt = 0;
  CHECK_INT(store_put_performance(s, &p, &d), 0);
  check_says(&d, "@/a.muy: error: the motion under modal control is not written: its frame time is no time\n");
  store_close(s);
  empty_folder();
  arena_free(arena);
}

/* ---- version 6 ---- */

/* Its two tables as it made them, with two tracks and two motions; tracks 2 and 5, for ids could have gaps. */
static const char version_6[] =
    "DROP TABLE control_graph; CREATE TABLE control (id INTEGER PRIMARY KEY, session INTEGER, teacher TEXT, options "
    "TEXT, iteration INTEGER, n_iterations INTEGER, seconds, residual, success, robustness, bytes BLOB);"
    "DROP TABLE performance; DROP TABLE attempt_measure;"
    "CREATE TABLE track (id INTEGER PRIMARY KEY AUTOINCREMENT, session INTEGER REFERENCES session, what TEXT, method "
    "TEXT, options TEXT, success INTEGER, fault TEXT, seconds, fault_after, n_frames INTEGER, cost, cost_pose, "
    "cost_root, cost_ends, cost_balance, worst_height, worst_angle, worst_foot, worst_course, samples INTEGER, "
    "seconds_models, seconds_tracking, q BLOB, torque BLOB, force BLOB, contact BLOB, control BLOB);"
    "CREATE TABLE modal (id INTEGER PRIMARY KEY AUTOINCREMENT, session INTEGER REFERENCES session,"
    " clip INTEGER REFERENCES clip, what TEXT, place TEXT, options TEXT, success INTEGER, fault TEXT, n_steps INTEGER,"
    " n_wanted INTEGER, dt, worst_angle, worst_height, rms_angle, rms_joint, missed, unsolved INTEGER, seconds,"
    " q BLOB, reference BLOB, torque BLOB, planned BLOB, used BLOB, control BLOB);"
    "INSERT INTO track VALUES (2, NULL, 'clip 1, walk', 'samcon', 'seed 1', 1, '', 2.5, 2.5, 5, 1, 2, 3, 4, 5, 6, 7, "
    "8, 9, 400, 0.5, 0.25, x'01', x'0203', x'040506', x'07', x'0809');"
    "INSERT INTO track VALUES (5, NULL, 'clip 2, run', 'lqr', '', 0, 'tilt', 2.5, 1.5, 5, 1, 2, 3, 4, 5, 6, 7, 8, 9,"
    " 0, 0.5, 0.25, x'11', x'1213', x'141516', x'17', x'1819');"
    "INSERT INTO modal VALUES (1, NULL, 2, 'clip 2, run', 'own', 'window 12', 1, '', 10, 12, 0.125, 1, 2, 3, 4, 5, 6, "
    "7, x'21', x'22', x'23', x'24', x'25', x'26');"
    "INSERT INTO modal VALUES (2, NULL, NULL, 'squat', 'engine', '', 0, 'lost', 10, 12, 0.125, 1, 2, 3, 4, 5, 6, 7,"
    " x'31', x'32', x'33', x'34', x'35', x'36');"
    "DROP TABLE surface; PRAGMA user_version = 6";

/* What these rows are as performances. */
static void check_old(struct store *s, struct diag *d)
{
  struct arena *arena = arena_new();
  int n = 0;
  struct store_performance t = {.series = SERIES_TRACK, .what = "clip 1, walk", .way = "samcon", .place = "ode",
                                .options = "seed 1", .success = 1, .fault = "", .seconds = 2.5, .fault_after = 2.5,
                                .n_frames = 5, .dt = NAN, .numbers = {1, 2, 3, 4, 5, 6, 7, 8, 9, NAN, NAN, NAN},
                                .samples = 400, .seconds_models = 0.5, .seconds_control = 0.25,
                                .bytes = {"\1", "\2\3", "\4\5\6", "\7", NULL, NULL, "\10\11", NULL},
                                .n_bytes = {1, 2, 3, 1, 0, 0, 2, 0}};
  struct store_performance m = {.series = SERIES_MODAL, .clip = 2, .what = "clip 2, run", .way = "modal",
                                .place = "linear", .options = "window 12", .success = 1, .fault = "", .seconds = 1.5,
                                .fault_after = 1.25, .n_frames = 10, .dt = 0.125,
                                .numbers = {NAN, NAN, NAN, NAN, NAN, 2, 1, NAN, NAN, 3, 4, 5}, .unsolved = 6,
                                .seconds_models = NAN, .seconds_control = 7,
                                .bytes = {"\x21", "\x23", "\x25", NULL, "\x22", "\x24", "\x26", NULL},
                                .n_bytes = {1, 1, 1, 0, 1, 1, 1, 0}};
  struct store_performance found;
  CHECK(store_get_performance(arena, s, SERIES_TRACK, 2, &found, d));
  check_columns(&found, &t);
  check_bytes(&found, &t);
  CHECK(store_get_performance(arena, s, SERIES_TRACK, 0, &found, d) && found.number == 5);
  CHECK_STR(found.fault, "tilt");
  CHECK(store_get_performance(arena, s, SERIES_MODAL, 1, &found, d));
  check_columns(&found, &m);
  check_bytes(&found, &m);
  CHECK(store_get_performance(arena, s, SERIES_MODAL, 0, &found, d) && found.number == 2 && found.clip == 0);
  CHECK_STR(found.place, "tree");
  CHECK(!store_get_performance(arena, s, SERIES_TRACK, 1, &found, d));
  check_says(d, "@/a.muy: error: there is no track 1 in this run file\n");
  CHECK(store_list_performances(arena, s, SERIES_TRACK, &n, d) && n == 2);
  CHECK(store_list_performances(arena, s, SERIES_MODAL, &n, d) && n == 2);
  check_says(d, "");
  arena_free(arena);
}

static void test_version_6(void)
{
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  const char *path = hopper_run(arena, "a.muy", 2);
  harm(path, version_6);
  struct store *s = store_open(arena, path, STORE_READ, &d);
  check_old(s, &d);
  struct store *writer = store_open(arena, path, STORE_WRITE, &d);
  check_old(s, &d); /* a reader that was there before */
  check_old(writer, &d);
  struct store_performance p = some_performance(SERIES_TRACK, "clip 1", 1);
  CHECK_INT(store_put_performance(writer, &p, &d), 6);
  p.series = SERIES_MODAL;
  CHECK_INT(store_put_performance(writer, &p, &d), 3);
  store_close(writer);
  store_close(s);
  CHECK_STR(ask(arena, path, "PRAGMA user_version"), "8");
  CHECK_STR(ask(arena, path, "SELECT count(*) FROM sqlite_master WHERE name IN ('track', 'modal')"), "0");
  CHECK_STR(ask(arena, path, "SELECT count(*) FROM clip"), "2");
  check_says(&d, "");
  empty_folder();
  arena_free(arena);
}

/* Files from before there were tracks, and from before there was modal control. */
static void test_older(void)
{
  struct arena *arena = arena_new();
  struct diag d;
  int n = 1;
  diag_init(&d);
  const char *path = hopper_run(arena, "a.muy", 2);
  harm(path, version_6);
  harm(path, "DROP TABLE modal; DROP TABLE control; PRAGMA user_version = 4");
  struct store *s = store_open(arena, path, STORE_READ, &d);
  CHECK(store_list_performances(arena, s, SERIES_MODAL, &n, &d) && n == 0);
  CHECK(store_list_performances(arena, s, SERIES_TRACK, &n, &d) && n == 2);
  store_close(s);
  CHECK_STR(ask(arena, path, "PRAGMA user_version"), "4");
  harm(path, "DROP TABLE track; PRAGMA user_version = 3");
  s = store_open(arena, path, STORE_READ, &d);
  CHECK(store_list_performances(arena, s, SERIES_TRACK, &n, &d) && n == 0);
  store_close(s);
  s = store_open(arena, path, STORE_WRITE, &d);
  struct store_performance p = some_performance(SERIES_MODAL, "clip 1", 1);
  CHECK_INT(store_put_performance(s, &p, &d), 1);
  store_close(s);
  check_says(&d, "");
  empty_folder();
  arena_free(arena);
}

int main(void)
{
  run_begin();
  test_round();
  test_refused();
  test_version_6();
  test_older();
  return run_finish();
}
