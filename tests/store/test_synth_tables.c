/* The run file: a synthesis with its attempts and steps. What is read is what was written; an attempt is there with all
 * its clips or not at all, wherever the writer was killed; older files have none, and get the tables when written
 * to. */
#include <time.h>

#include "store/run_file.h"

#define KILLS       24
#define PER_ATTEMPT 3            /* clips; every fifth attempt has none */
#define MIRRORS     100000       /* clips made up for steps             */

static const struct clip_summary summary = {.period = 0.5, .stride = 1.5, .speed = 3};

/* ---- made up, each by its number alone ---- */

static struct store_attempt random_attempt(struct arena *arena, int number)
{
  struct rng r = rng_stream(4, (uint64_t)number);
  struct store_attempt a = {.iteration = number / 4, .place = number % 4, .kind = "transition", .from_clip = number,
                            .from_frame = -1, .to_clip = 3, .to_frame = rng_below(&r, 50), .turn = rng_normal(&r),
                            .frames = 33, .gait = 1, .speed = -0.0, .strafe = 5e-324, .gain = rng_normal(&r),
                            .chance = rng_uniform(&r, 0, 1), .outcome = "done",
                            .status = number % 5 ? "solved" : "failed", .seconds = 0.25,
                            .peak_memory = (size_t)5 << 30, .n_clips = number % 5 ? PER_ATTEMPT : 0,
                            .n_measured = number % 3, .measured = {-0.0, 0.1 * number}};
  a.reason = number % 5 ? "" : arena_printf(arena, "for reason %d; 'quoted'", number);
  return a;
}

/* A cycle, a way into it and a way out of it. */
static void random_clips(struct arena *arena, const struct creature *c, int number, struct store_new_clip *clips)
{
  for (int i = 0; i < PER_ATTEMPT; i++)
    clips[i] = (struct store_new_clip){.clip = random_clip(arena, c, 2, PER_ATTEMPT * number + i),
                                       .about = {.summary = &summary}, .from = -1, .to = -1};
  clips[1].to = 0;
  clips[2].from = 0;
}

static int same_attempt(const struct store_attempt *a, const struct store_attempt *b)
{
  const double x[] = {a->turn, a->speed, a->strafe, a->gain, a->chance, a->seconds};
  const double y[] = {b->turn, b->speed, b->strafe, b->gain, b->chance, b->seconds};
  return a->iteration == b->iteration && a->place == b->place && !strcmp(a->kind, b->kind) &&
         a->from_clip == b->from_clip && a->from_frame == b->from_frame && a->to_clip == b->to_clip &&
         a->to_frame == b->to_frame && a->frames == b->frames && a->gait == b->gait && same_bits(x, y, sizeof x) &&
         !strcmp(a->outcome, b->outcome) && !strcmp(a->status, b->status) && !strcmp(a->reason, b->reason) &&
         a->peak_memory == b->peak_memory && a->n_clips == b->n_clips && a->n_measured == b->n_measured &&
         same_bits(a->measured, b->measured, (size_t)a->n_measured * sizeof *a->measured);
}

static int add_attempt(struct store *s, const struct creature *c, int number, struct store_attempt *a, struct diag *d)
{
  struct arena *scratch = arena_new();
  struct store_new_clip clips[PER_ATTEMPT];
  *a = random_attempt(scratch, number);
  random_clips(scratch, c, number, clips);
  int id = store_add_attempt(s, a, a->n_clips ? clips : NULL, d);
  a->kind = a->outcome = a->status = a->reason = "";
  arena_free(scratch);
  return id;
}

/* The clips of an attempt are those made up for its number, their ends with the ids that the file gave. */
static void check_clips(struct store *s, const struct creature *c, int number, const int *ids, struct diag *d)
{
  struct arena *arena = arena_new();
  struct store_new_clip clips[PER_ATTEMPT];
  random_clips(arena, c, number, clips);
  for (int i = 0; i < PER_ATTEMPT; i++) {
    struct clip expected = *clips[i].clip;
    struct store_record about = {0};
    const struct clip *k = store_get_clip(arena, s, ids[i], d);
    expected.to.clip = i == 1 ? ids[0] : expected.to.clip;
    expected.from.clip = i == 2 ? ids[0] : expected.from.clip;
    CHECK(k && same_clip(k, &expected));
    CHECK(store_get_record(arena, s, ids[i], &about, d) && about.summary && about.summary->period == 0.5);
  }
  arena_free(arena);
}

/* Attempts 0 .. n - 1 of a file, and no others. Returns how many clips they have. */
static int check_attempts(struct store *s, const struct creature *c, int n, struct diag *d)
{
  struct arena *arena = arena_new();
  int found = -1, n_clips = 0;
  const struct store_attempt *list = store_list_attempts(arena, s, -1, &found, d);
  CHECK(list != NULL);
  CHECK_INT(found, n);
  for (int i = 0; list && i < found; i++) {
    struct store_attempt expected = random_attempt(arena, i);
    CHECK(same_attempt(&list[i], &expected) && list[i].id == i + 1);
    if (list[i].n_clips)
      check_clips(s, c, i, list[i].clips, d);
    n_clips += list[i].n_clips;
  }
  arena_free(arena);
  return n_clips;
}

/* ---- what is written is read ---- */

static const struct store_synth synth = {.task = 1, .seed = 0xfedcba9876543210u, .strategy = "paper", .branches = 4,
                                         .alpha = 0.1, .options = "budget=8h\nclips=20\n", .state = "running"};

static int same_synth(const struct store_synth *a, const struct store_synth *b)
{
  return a->task == b->task && a->seed == b->seed && !strcmp(a->strategy, b->strategy) && a->branches == b->branches &&
         a->alpha == b->alpha && !strcmp(a->options, b->options) && !strcmp(a->state, b->state);
}

static void test_synth(void)
{
  struct arena *arena = arena_new();
  const char *path = hopper_run(arena, "a.muy", 1);
  struct store_synth found, other = synth;
  struct diag d;
  diag_init(&d);
  struct store *s = store_open(arena, path, STORE_WRITE, &d);
  CHECK_INT(store_get_synth(arena, s, &found, &d), 0);
  CHECK(!store_put_synth(s, &synth, &d));
  check_says(&d, "@/a.muy: error: the synthesis is not written: there is no task 1 in this run file\n");
  add_controllers(s, 1, 10, &d);
  CHECK(store_put_synth(s, &synth, &d));
  CHECK(store_get_synth(arena, s, &found, &d) == 1 && same_synth(&found, &synth));
  other.state = "stopped by the user";
  CHECK(store_put_synth(s, &other, &d));
  store_close(s);
  s = store_open(arena, path, STORE_READ, &d);
  CHECK(store_get_synth(arena, s, &found, &d) == 1 && same_synth(&found, &other));
  CHECK_STR(ask(arena, path, "SELECT count(*) FROM synth"), "1");
  CHECK(!store_put_synth(s, &synth, &d));
  check_says(&d, "@/a.muy: error: cannot write: the file or its folder is read-only\n");
  store_close(s);
  empty_folder();
  arena_free(arena);
}

static void test_attempts(void)
{
  struct arena *arena = arena_new();
  const char *path = hopper_run(arena, "a.muy", 1);
  const struct creature *c = NULL;
  struct store_attempt a;
  struct diag d;
  int n = -1;
  diag_init(&d);
  struct store *s = open_hopper(arena, path, &c, &d);
  for (int i = 0; i < 11; i++) {
    CHECK_INT(add_attempt(s, c, i, &a, &d), i + 1);
    CHECK(a.id == i + 1 && (i % 5 == 0 || (a.clips[0] > 1 && a.clips[2] == a.clips[0] + 2)));
  }
  check_attempts(s, c, 11, &d);
  const struct store_attempt *list = store_list_attempts(arena, s, 1, &n, &d);
  CHECK(list && n == 4 && list[0].id == 5 && list[3].id == 8 && list[1].n_clips == 0 && list[2].n_clips == PER_ATTEMPT);
  CHECK(store_list_attempts(arena, s, 9, &n, &d) && n == 0);
  check_says(&d, "");
  CHECK_INT(add_attempt(s, c, 6, &a, &d), 0);
  check_says(&d, "@/a.muy: error: attempt 2 of iteration 1 is in this file already; "
                 "does another process work on it?\n");
  CHECK(a.id == 0 && a.clips[0] == 0);
  store_close(s);
  empty_folder();
  arena_free(arena);
}

/* The second of two clips is bad: neither it nor the first, nor the attempt, is written, and ids go on as if nothing
 * had been. */
static void test_bad_attempts(void)
{
  struct arena *arena = arena_new();
  const char *path = hopper_run(arena, "a.muy", 1);
  const struct creature *c = NULL;
  struct store_new_clip clips[PER_ATTEMPT];
  struct store_attempt a = random_attempt(arena, 1), many = a;
  struct diag d;
  diag_init(&d);
  struct store *s = open_hopper(arena, path, &c, &d);
  random_clips(arena, c, 1, clips);
  clips[1].to = 1;
  CHECK(!store_add_attempt(s, &a, clips, &d));
  check_says(&d, "@/a.muy: error: clip 'clip-4' is not written: an end of it refers to a clip that does not come "
                 "before it\n");
  clips[1].to = 0;
  ((struct clip *)clips[2].clip)->q[5] = NAN;
  CHECK(!store_add_attempt(s, &a, clips, &d));
  check_says(&d, "@/a.muy: error: clip 'clip-5' is not written: it has numbers that are not finite\n");
  many.n_clips = STORE_ATTEMPT_CLIPS + 1;
  CHECK(!store_add_attempt(s, &many, clips, &d));
  check_says(&d, "@/a.muy: error: the attempt is not written: it has 7 clips, a run file takes up to 6\n");
  CHECK_STR(ask(arena, path, "SELECT (SELECT count(*) FROM clip) || (SELECT count(*) FROM attempt) || "
                             "(SELECT count(*) FROM attempt_clip) || (SELECT count(*) FROM summary)"), "1000");
  CHECK(a.id == 0 && add_attempt(s, c, 1, &a, &d) == 1 && a.clips[0] == 2);
  store_close(s);
  check_says(&d, "");
  empty_folder();
  arena_free(arena);
}

static struct store_step random_step(int iteration, int *clips, int n)
{
  struct rng r = rng_stream(5, (uint64_t)iteration);
  double cost = rng_normal(&r);
  return (struct store_step){iteration, n, clips, cost, cost - 1e-300, iteration ? cost + 1 : (double)INFINITY, 60,
                             0.5, -0.0, rng_normal(&r), 2};
}

static int same_step(const struct store_step *a, const struct store_step *b)
{
  return a->iteration == b->iteration && a->n_clips == b->n_clips && a->n_candidates == b->n_candidates &&
         same_bits(a->clips, b->clips, (size_t)a->n_clips * sizeof *a->clips) && same_bits(&a->cost, &b->cost, 24) &&
         same_bits(&a->seconds_proposing, &b->seconds_proposing, 32);
}

/* Clips of attempts and, new, their mirrors, which may end in one another. */
static void test_steps(void)
{
  struct arena *arena = arena_new();
  const char *path = hopper_run(arena, "a.muy", 5);
  const struct creature *c = NULL;
  int first[] = {2}, second[] = {3, 0, 5, 0}, third[] = {4}, n = -1;
  struct store_step steps[] = {random_step(0, first, 1), random_step(1, second, 4), random_step(2, NULL, 0),
                               random_step(3, third, 1)};
  struct store_new_clip new[4] = {{.clip = NULL}};
  struct diag d;
  diag_init(&d);
  struct store *s = open_hopper(arena, path, &c, &d);
  new[1] = (struct store_new_clip){random_clip(arena, c, 2, 1), {&summary, NULL, NULL}, 0, -1};
  new[3] = (struct store_new_clip){random_clip(arena, c, 2, 2), {NULL, NULL, NULL}, 1, 2};
  CHECK(store_list_steps(arena, s, &n, &d) && n == 0);
  CHECK(store_add_step(s, &steps[0], NULL, &d) && store_add_step(s, &steps[1], new, &d));
  CHECK(store_add_step(s, &steps[2], NULL, &d) && store_add_step(s, &steps[3], NULL, &d));
  CHECK(second[0] == 3 && second[1] == 6 && second[2] == 5 && second[3] == 7);
  const struct store_step *list = store_list_steps(arena, s, &n, &d);
  for (int i = 0; list && i < n; i++)
    CHECK(same_step(&list[i], &steps[i]));
  CHECK_INT(n, 4);
  const struct clip *mirror = store_get_clip(arena, s, 6, &d), *way = store_get_clip(arena, s, 7, &d);
  CHECK(mirror && mirror->from.clip == 3 && mirror->to.clip == new[1].clip->to.clip);
  CHECK(way && way->from.clip == 6 && way->to.clip == 5);
  store_close(s);
  check_says(&d, "");
  empty_folder();
  arena_free(arena);
}

static void test_bad_steps(void)
{
  struct arena *arena = arena_new();
  const char *path = hopper_run(arena, "a.muy", 3);
  const struct creature *c = NULL;
  int clips[2] = {2, 0}, n;
  struct store_step step = random_step(0, clips, 1), next = random_step(1, clips, 2);
  struct store_new_clip new[2] = {{.clip = NULL}};
  struct diag d;
  diag_init(&d);
  struct store *s = open_hopper(arena, path, &c, &d);
  CHECK(store_add_step(s, &step, NULL, &d));
  CHECK(!store_add_step(s, &step, NULL, &d));
  check_says(&d, "@/a.muy: error: the step of iteration 0 is in this file already; does another process work on it?\n");
  CHECK(!store_add_step(s, &next, NULL, &d));
  check_says(&d, "@/a.muy: error: the step is not written: clip 2 is part of the graph already\n");
  clips[0] = 3;
  CHECK(!store_add_step(s, &next, NULL, &d));
  check_says(&d, "@/a.muy: error: the step is not written: there is no clip 0 in this run file\n");
  clips[0] = 4;
  CHECK(!store_add_step(s, &next, NULL, &d));
  check_says(&d, "@/a.muy: error: the step is not written: there is no clip 4 in this run file\n");
  clips[0] = 3;
  struct clip *broken = random_clip(arena, c, 2, 1);
  broken->n_frames = 0;
  new[1] = (struct store_new_clip){broken, {NULL, NULL, NULL}, -1, -1};
  CHECK(!store_add_step(s, &next, new, &d) && clips[1] == 0);
  CHECK_INT(d.n_errors, 1);
  diag_clear(&d);
  CHECK(store_list_steps(arena, s, &n, &d) && n == 1);
  CHECK_STR(ask(arena, path, "SELECT (SELECT count(*) FROM clip) || (SELECT count(*) FROM step_clip)"), "31");
  store_close(s);
  check_says(&d, "");
  empty_folder();
  arena_free(arena);
}

/* ---- progress ---- */

static void test_heartbeat(void)
{
  struct arena *arena = arena_new();
  const char *path = hopper_run(arena, "a.muy", 1);
  struct store_progress p;
  sqlite3 *other;
  struct diag d;
  diag_init(&d);
  struct store *s = store_open(arena, path, STORE_WRITE, &d), *watcher = store_open(arena, path, STORE_READ, &d);
  CHECK_INT(store_get_progress(arena, watcher, &p, &d), 0);
  CHECK(store_heartbeat(s, "2026-01-31T12:00:00Z", "iteration 1"));
  CHECK(store_heartbeat(s, "2026-01-31T12:00:05Z", "iteration 2"));
  CHECK_INT(store_get_progress(arena, watcher, &p, &d), 1);
  CHECK_STR(p.time, "2026-01-31T12:00:05Z");
  CHECK_STR(p.words, "iteration 2");
  CHECK_STR(ask(arena, path, "SELECT count(*) FROM progress"), "1");
  CHECK(!store_heartbeat(watcher, "now", "from a reader")); /* which cannot write, and nobody minds */
  CHECK(sqlite3_open(path, &other) == SQLITE_OK && sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL) == 0);
  CHECK(!store_heartbeat(s, "now", "left out"));
  CHECK(sqlite3_exec(other, "COMMIT; BEGIN; SELECT * FROM clip", NULL, NULL, NULL) == 0);
  CHECK(!store_heartbeat(s, "now", "left out")); /* a reader that stays */
  CHECK(sqlite3_exec(other, "COMMIT", NULL, NULL, NULL) == 0);
  CHECK(store_heartbeat(s, "later", "iteration 3") && store_get_progress(arena, watcher, &p, &d) == 1);
  CHECK_STR(p.words, "iteration 3");
  sqlite3_close(other);
  store_close(watcher);
  store_close(s);
  check_says(&d, "");
  empty_folder();
  arena_free(arena);
}

/* Holds the file for a while, having said so. */
static void hold_file(const char *path, int pipe_end)
{
  sqlite3 *db;
  int held = sqlite3_open(path, &db) == SQLITE_OK && sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK;
  held = held && write(pipe_end, "x", 1) == 1;
  nanosleep(&(struct timespec){0, 700000000}, NULL);
  sqlite3_close(db);
  _exit(!held);
}

/* The little patience of a heartbeat is its own: what is worth waiting for waits as before. */
static void test_patience(void)
{
  struct arena *arena = arena_new();
  const char *path = hopper_run(arena, "a.muy", 1);
  int ends[2], status = -1;
  char byte;
  struct diag d;
  diag_init(&d);
  CHECK(pipe(ends) == 0);
  fflush(stderr);
  struct store *s = store_open(arena, path, STORE_WRITE, &d);
  pid_t child = fork();
  if (child == 0)
    hold_file(path, ends[1]);
  CHECK(child > 0 && read(ends[0], &byte, 1) == 1);
  store_heartbeat(s, "now", "perhaps");
  CHECK(store_add_session(s, &(struct store_session){"muybridge", "muybridge synth", "now"}, &d));
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  store_close(s);
  check_says(&d, "");
  close(ends[0]);
  close(ends[1]);
  empty_folder();
  arena_free(arena);
}

static void test_creature_text(void)
{
  struct arena *arena = arena_new();
  const char *path = hopper_run(arena, "a.muy", 0);
  size_t length = 0;
  struct diag d;
  diag_init(&d);
  struct store *s = store_open(arena, path, STORE_READ, &d);
  CHECK_STR(store_get_creature_text(arena, s, &length, &d), hopper);
  CHECK_INT((long)length, (long)strlen(hopper));
  store_close(s);
  harm(path, "DELETE FROM creature");
  s = store_open(arena, path, STORE_READ, &d);
  CHECK(!store_get_creature_text(arena, s, &length, &d));
  check_says(&d, "@/a.muy: error: there is no creature in this run file\n");
  store_close(s);
  empty_folder();
  arena_free(arena);
}

/* ---- older files ---- */

/* What version 2 added to version 1, as it was made then. Never to be changed, for there are such files. */
static const char version_2[] =
    "CREATE TABLE task (id INTEGER PRIMARY KEY AUTOINCREMENT, session INTEGER REFERENCES session, file TEXT,"
    " n_bytes INTEGER, text TEXT);"
    "CREATE TABLE controller (id INTEGER PRIMARY KEY AUTOINCREMENT, session INTEGER REFERENCES session,"
    " task INTEGER REFERENCES task, cost, cost_lower, cost_upper, n_clips INTEGER, n_nodes INTEGER,"
    " n_segments INTEGER, n_bytes INTEGER, bytes BLOB);"
    "PRAGMA user_version = 2";

/* A file of an older version with the hopper and two clips; of version 2, with a task too. */
static const char *old_run(struct arena *arena, int version)
{
  const char *path = hopper_run(arena, "a.muy", 2);
  harm(path, "DROP TABLE surface; DROP TABLE performance; DROP TABLE control_graph; DROP TABLE progress;"
             "DROP TABLE step_clip; DROP TABLE step; DROP TABLE attempt_measure; DROP TABLE attempt_clip;"
             "DROP TABLE attempt; DROP TABLE synth;"
             "DROP TABLE controller; DROP TABLE task; PRAGMA user_version = 1");
  if (version == 2) {
    harm(path, version_2);
    harm(path, "INSERT INTO task (file, n_bytes, text) VALUES ('turn.task', 24, 'parameter direction { }' || x'0a')");
  }
  return path;
}

static void check_nothing(struct store *s, struct diag *d)
{
  struct arena *arena = arena_new();
  struct store_synth y;
  struct store_progress p;
  int n = -1, m = -1;
  CHECK(s && store_get_synth(arena, s, &y, d) == 0 && store_get_progress(arena, s, &p, d) == 0);
  CHECK(store_list_attempts(arena, s, -1, &n, d) && n == 0 && store_list_steps(arena, s, &m, d) && m == 0);
  check_says(d, "");
  arena_free(arena);
}

static void test_upgrade(int version)
{
  static const char tables[] = "SELECT group_concat(sql, ';') FROM (SELECT sql FROM sqlite_master ORDER BY name)";
  struct arena *arena = arena_new();
  const char *path = old_run(arena, version), *new = hopper_run(arena, "new.muy", 0);
  const struct creature *c = NULL;
  struct store_synth y;
  struct store_attempt a;
  size_t n, m;
  struct diag d;
  diag_init(&d);
  const char *before = read_bytes(arena, path, &n);
  struct store *reader = store_open(arena, path, STORE_READ, &d);
  check_nothing(reader, &d);
  const char *after = read_bytes(arena, path, &m);
  CHECK(n == m && !memcmp(before, after, n)); /* reading changes nothing */
  struct store *s = open_hopper(arena, path, &c, &d);
  check_nothing(s, &d);
  CHECK_STR(ask(arena, path, "PRAGMA user_version"), "8");
  CHECK_STR(ask(arena, path, tables), ask(arena, new, tables));
  CHECK_STR(ask(arena, path, "PRAGMA integrity_check"), "ok");
  CHECK_INT(store_put_task_text(s, "turn.task", "parameter direction { }\n", 24, &d), 1);
  CHECK(store_put_synth(s, &synth, &d) && add_attempt(s, c, 0, &a, &d) == 1 && add_attempt(s, c, 1, &a, &d) == 2);
  CHECK_INT(a.clips[0], 3);
  store_close(s);
  CHECK(store_get_synth(arena, reader, &y, &d) == 1 && same_synth(&y, &synth)); /* which was there before the tables */
  check_attempts(reader, c, 2, &d);
  store_close(reader);
  check_says(&d, "");
  empty_folder();
  arena_free(arena);
}

/* ---- damage ---- */

/* The step of an iteration adds a new clip. */
static int add_step(struct store *s, const struct creature *c, int iteration, struct diag *d)
{
  struct arena *scratch = arena_new();
  int id = 0;
  struct store_step step = random_step(iteration, &id, 1);
  struct store_new_clip mirror = {random_clip(scratch, c, 2, MIRRORS + iteration), {NULL, NULL, NULL}, -1, -1};
  int kept = store_add_step(s, &step, &mirror, d);
  arena_free(scratch);
  return kept;
}

/* Everything that can be read, whatever comes of it. */
static void read_all(struct store *s, struct diag *d)
{
  struct arena *arena = arena_new();
  struct store_synth y;
  struct store_progress p;
  size_t length;
  int n;
  store_get_synth(arena, s, &y, d);
  store_get_progress(arena, s, &p, d);
  store_list_attempts(arena, s, -1, &n, d);
  store_list_steps(arena, s, &n, d);
  store_get_creature_text(arena, s, &length, d);
  arena_free(arena);
}

/* Bytes changed anywhere: an error or an answer, never a crash. */
static void test_damage(void)
{
  struct arena *arena = arena_new();
  const char *path = hopper_run(arena, "a.muy", 0);
  const struct creature *c = NULL;
  struct rng r = rng_stream(6, 0);
  struct store_attempt a;
  struct diag d;
  size_t n;
  diag_init(&d);
  struct store *s = open_hopper(arena, path, &c, &d);
  add_controllers(s, 1, 10, &d);
  CHECK(store_put_synth(s, &synth, &d) && store_heartbeat(s, "now", "alive"));
  for (int i = 0; i < 8; i++)
    CHECK(add_attempt(s, c, i, &a, &d) && add_step(s, c, i, &d));
  store_close(s);
  check_says(&d, "");
  const char *bytes = read_bytes(arena, path, &n);
  for (int i = 0; i < 200; i++) {
    char *copy = memcpy(arena_alloc(arena, n, 1), bytes, n);
    for (int k = 0; k < 40; k++)
      copy[100 + rng_below(&r, (int)n - 100)] = (char)rng_below(&r, 256);
    write_bytes(path, copy, n);
    s = store_open(arena, path, STORE_READ, &d);
    if (s)
      read_all(s, &d);
    store_close(s);
    diag_clear(&d);
  }
  empty_folder();
  arena_free(arena);
}

/* ---- killed at any instant ---- */

/* Goes on for ever: an attempt, of which it tells the pipe once it is kept, a step, a heartbeat. */
static void write_for_ever(const char *path, int first, int pipe_end)
{
  struct arena *arena = arena_new();
  const struct creature *c = NULL;
  struct store_attempt a;
  struct diag d;
  int n_steps;
  diag_init(&d);
  struct store *s = open_hopper(arena, path, &c, &d);
  int good = c && store_list_steps(arena, s, &n_steps, &d) && (n_steps == first || add_step(s, c, n_steps, &d));
  for (int number = first; good; number++) {
    int kept = number + 1;
    good = add_attempt(s, c, number, &a, &d) == kept && write(pipe_end, &kept, sizeof kept) > 0 &&
           add_step(s, c, number, &d);
    store_heartbeat(s, "now", "still alive");
  }
  _exit(1);
}

/* Starts a writer, kills it after so many microseconds; how many attempts it told of, with those before. */
static int killed_writer(const char *path, int first, int microseconds)
{
  int ends[2], last = first, told, status = 0;
  CHECK(pipe(ends) == 0);
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    write_for_ever(path, first, ends[1]);
  }
  close(ends[1]);
  nanosleep(&(struct timespec){microseconds / 1000000, 1000L * (microseconds % 1000000)}, NULL);
  CHECK(child > 0 && kill(child, SIGKILL) == 0 && waitpid(child, &status, 0) == child && WIFSIGNALED(status));
  while (read(ends[0], &told, sizeof told) == (ssize_t)sizeof told)
    last = told;
  close(ends[0]);
  return last;
}

/* Steps, one to an attempt unless the last is missing, with their clips. Returns how many. */
static int check_steps(struct store *s, const struct creature *c, int attempts, struct diag *d)
{
  struct arena *arena = arena_new();
  int n = -1;
  const struct store_step *list = store_list_steps(arena, s, &n, d);
  CHECK(list && (n == attempts || n == attempts - 1));
  for (int i = 0; list && i < n; i++) {
    struct store_step expected = random_step(i, list[i].clips, 1);
    const struct clip *k = list[i].n_clips == 1 ? store_get_clip(arena, s, list[i].clips[0], d) : NULL;
    CHECK(same_step(&list[i], &expected) && k && same_clip(k, random_clip(arena, c, 2, MIRRORS + i)));
  }
  arena_free(arena);
  return n;
}

/* All attempts that were told of are there, at most one more, each with all its clips, and no clip belongs to nothing.
 * Returns how many. */
static int check_prefix(const char *path, int told, enum store_mode mode)
{
  struct arena *arena = arena_new();
  struct diag d;
  int n = -1;
  diag_init(&d);
  struct store *s = store_open(arena, path, mode, &d);
  const struct creature *c = s ? store_get_creature(arena, s, &d) : NULL;
  CHECK(c && store_list_attempts(arena, s, -1, &n, &d) && (n == told || n == told + 1));
  int clips = c ? check_attempts(s, c, n, &d) + check_steps(s, c, n, &d) : 0;
  CHECK_STR(ask(arena, path, "SELECT count(*) FROM clip"), arena_printf(arena, "%d", clips));
  CHECK_STR(ask(arena, path, "SELECT ifnull(max(id), 0) FROM clip"), arena_printf(arena, "%d", clips));
  store_close(s);
  check_says(&d, "");
  arena_free(arena);
  return n;
}

/* How long an attempt takes on this disk [microseconds]. */
static int time_of_attempt(void)
{
  struct arena *arena = arena_new();
  const struct creature *c = NULL;
  struct timespec from, until;
  struct store_attempt a;
  struct diag d;
  diag_init(&d);
  struct store *s = open_hopper(arena, in_folder(arena, "a.muy"), &c, &d);
  clock_gettime(CLOCK_MONOTONIC, &from);
  for (int i = 1; i <= 4 && c; i++)
    add_attempt(s, c, i, &a, &d);
  clock_gettime(CLOCK_MONOTONIC, &until);
  store_close(s);
  check_says(&d, "");
  empty_folder();
  arena_free(arena);
  return (int)((double)(until.tv_sec - from.tv_sec) * 1e6 + (double)(until.tv_nsec - from.tv_nsec) * 1e-3) / 4;
}

static void test_kill(void)
{
  int unit = time_of_attempt(), attempts = 0, cut_short = 0;
  struct arena *arena = arena_new();
  const char *path = hopper_run(arena, "a.muy", 0), *journal = in_folder(arena, "a.muy-journal");
  struct rng r = rng_stream((uint64_t)getpid(), 0); /* other moments each time */
  for (int i = 0; i < KILLS; i++) {
    int told = killed_writer(path, attempts, 2000 + rng_below(&r, 6 * unit + 1));
    cut_short += access(journal, F_OK) == 0;
    attempts = check_prefix(path, told, i % 2 ? STORE_READ : STORE_WRITE);
  }
  fprintf(stderr, "%d kills, %d attempts written, %d writes cut short\n", KILLS, attempts, cut_short);
  CHECK(attempts > 0);
  empty_folder();
  arena_free(arena);
}

int main(void)
{
  run_begin();
  test_synth();
  test_attempts();
  test_bad_attempts();
  test_steps();
  test_bad_steps();
  test_heartbeat();
  test_patience();
  test_creature_text();
  test_upgrade(1);
  test_upgrade(2);
  test_damage();
  test_kill();
  return run_finish();
}
