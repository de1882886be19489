/* What the tests of the run file share: a folder of their own, a small creature, clips of it that can be told apart to
 * the bit, and ways to do harm. SQLite is used here, and in these tests, only for that.
 *
 * All is in the header because check.h counts in each file by itself. A test begins with run_begin() and ends with
 * return run_finish(). */
#ifndef MUYBRIDGE_TESTS_RUN_FILE_H
#define MUYBRIDGE_TESTS_RUN_FILE_H

#include <dirent.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/rng.h"
#include "check.h"
#include "store/store.h"

#define NOBODY 65534

static const char hopper[] =
    "name = hopper\n"
    "limb body  { from = {-0.2, 0, 0}  to = {0.2, 0, 0}  radius = 0.1  mass = 8 }\n"
    "limb thigh { parent = body  mirror = true  at = {0, 0.1, 0}  to = {0, 0, -0.3}  radius = 0.04  mass = 1\n"
    "             axis flexion { about = -y  range = {-40, 90}  rest = 25 } axis abduction { about = x } }\n"
    "limb shank { parent = thigh  to = {0, 0, -0.3}  radius = 0.03  mass = 0.5\n"
    "             axis flexion { about = y  rest = 50 } }\n"
    "foot paw   { limb = shank }\n"
    "gait hop   { period = 0.5  speed = {0.5, 2}  right_lag = 0  contact paw { on = {0, 0.4} } }\n";

static char folder[] = "/tmp/muybridge-store-XXXXXX";

static inline void run_begin(void)
{
  CHECK(mkdtemp(folder) != NULL && chmod(folder, 0755) == 0);
}

static inline int run_finish(void)
{
  CHECK(rmdir(folder) == 0); /* every test has emptied it */
  return test_finish();
}

/* ---- files ---- */

static inline const char *in_folder(struct arena *arena, const char *name)
{
  return arena_printf(arena, "%s/%s", folder, name);
}

static inline void write_bytes(const char *path, const char *bytes, size_t n)
{
  FILE *out = fopen(path, "wb");
  CHECK(out && fwrite(bytes, 1, n, out) == n);
  CHECK(out && fclose(out) == 0);
}

static inline char *read_bytes(struct arena *arena, const char *path, size_t *n)
{
  struct stat about;
  FILE *in = fopen(path, "rb");
  *n = 0;
  CHECK(in && stat(path, &about) == 0);
  if (!in)
    return "";
  char *bytes = arena_alloc(arena, (size_t)about.st_size + 1, 1);
  *n = fread(bytes, 1, (size_t)about.st_size, in);
  fclose(in);
  return bytes;
}

static inline void empty_folder(void)
{
  struct arena *arena = arena_new();
  DIR *dir = opendir(folder);
  for (struct dirent *e; dir && (e = readdir(dir));)
    if (e->d_name[0] != '.')
      remove(in_folder(arena, e->d_name));
  if (dir)
    closedir(dir);
  arena_free(arena);
}

/* ---- messages ---- */

/* Compares the messages with a text in which @ stands for the folder, and clears them. */
static inline void check_says(struct diag *d, const char *expected)
{
  struct arena *arena = arena_new();
  char *text = diag_text(d), *out = arena_alloc(arena, strlen(expected) + 1, sizeof folder), *end = out;
  for (const char *p = expected; *p; p++) {
    size_t n = *p == '@' ? strlen(folder) : 1;
    memcpy(end, *p == '@' ? folder : p, n);
    end += n;
  }
  CHECK_STR(text, out);
  free(text);
  diag_clear(d);
  arena_free(arena);
}

static inline void check_refused(const char *path, enum store_mode mode, const char *expected)
{
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  struct store *s = store_open(arena, path, mode, &d);
  CHECK(s == NULL);
  check_says(&d, expected);
  store_close(s);
  arena_free(arena);
}

/* Refused in both modes, and left as it was. */
static inline void check_untouched(const char *path, const char *expected)
{
  struct arena *arena = arena_new();
  size_t n, m;
  const char *before = read_bytes(arena, path, &n);
  check_refused(path, STORE_READ, expected);
  check_refused(path, STORE_WRITE, expected);
  const char *after = read_bytes(arena, path, &m);
  CHECK(n == m && memcmp(before, after, n) == 0);
  arena_free(arena);
}

/* ---- creature, clips, controllers ---- */

/* A clip of numbers that only its seed and number determine: among them 0, -0, and the smallest and largest. */
static inline struct clip *random_clip(struct arena *arena, const struct creature *c, uint64_t seed, int id)
{
  static const double special[] = {0.0, -0.0, 5e-324, -2.2250738585072011e-308, 1.7976931348623157e308, -1e-17};
  struct rng r = rng_stream(seed, (uint64_t)id);
  struct clip *k = clip_new(arena, c, 20 + rng_below(&r, 30), 1 / rng_uniform(&r, 20, 200));
  k->name = arena_printf(arena, "clip-%d", id);
  k->gait = "walk";
  k->gait_after = id % 3 ? "walk" : "trot";
  k->cyclic = id % 2;
  k->speed = rng_normal(&r);
  k->strafe = -0.0;
  k->turn = id % 2 ? -1e-300 : 3;
  k->advance = (struct clip_advance){rng_normal(&r), -0.0, rng_normal(&r)};
  if (id % 5 == 4) /* no clip of a file of version 1, which has level ground only */
    k->ground = (struct surface){{rng_normal(&r), id % 2 ? -0.0 : 0.1}};
  k->from = (struct clip_end){id, id + 1};
  k->to = (struct clip_end){id + 2, -1};
  for (int i = 0; i < k->n_frames * k->n_dofs; i++)
    k->q[i] = rng_below(&r, 10) ? rng_normal(&r) : special[rng_below(&r, 6)];
  for (int i = 0; i < k->n_frames * k->n_points; i++)
    k->contact[i] = (unsigned char)rng_below(&r, 2);
  for (int i = 0; i < k->n_frames * k->n_points * 3; i++)
    k->force[i] = rng_normal(&r) * 1e3;
  return k;
}

static inline int same_bits(const void *a, const void *b, size_t n)
{
  return n == 0 || memcmp(a, b, n) == 0;
}

/* Every bit, the sign of zero too. */
static inline int same_clip(const struct clip *a, const struct clip *b)
{
  size_t frames = (size_t)a->n_frames, n = frames * (size_t)a->n_dofs, m = frames * (size_t)a->n_points;
  const double x[] = {a->dt, a->speed, a->strafe, a->turn, a->advance.x, a->advance.y, a->advance.yaw,
                      a->ground.rise[0], a->ground.rise[1]};
  const double y[] = {b->dt, b->speed, b->strafe, b->turn, b->advance.x, b->advance.y, b->advance.yaw,
                      b->ground.rise[0], b->ground.rise[1]};
  return a->n_frames == b->n_frames && a->n_dofs == b->n_dofs && a->n_points == b->n_points &&
         a->cyclic == b->cyclic && !strcmp(a->name, b->name) && !strcmp(a->gait, b->gait) &&
         !strcmp(a->gait_after, b->gait_after) && a->from.clip == b->from.clip && a->from.frame == b->from.frame &&
         a->to.clip == b->to.clip && a->to.frame == b->to.frame && same_bits(x, y, sizeof x) &&
         same_bits(a->q, b->q, n * sizeof *a->q) && same_bits(a->force, b->force, 3 * m * sizeof *a->force) &&
         same_bits(a->contact, b->contact, m);
}

static inline struct store *open_hopper(struct arena *arena, const char *path, const struct creature **c,
                                        struct diag *d)
{
  struct store *s = store_open(arena, path, STORE_WRITE, d);
  if (s && store_put_creature_text(s, "hopper.creature", hopper, strlen(hopper), d))
    *c = store_get_creature(arena, s, d);
  return s;
}

/* A new file with the hopper and n clips of seed 1. */
static inline const char *hopper_run(struct arena *arena, const char *name, int n)
{
  const char *path = in_folder(arena, name);
  const struct creature *c = NULL;
  struct diag d;
  diag_init(&d);
  struct store *s = open_hopper(arena, path, &c, &d);
  CHECK(c != NULL);
  for (int i = 1; i <= n && c; i++)
    CHECK_INT(store_add_clip(s, random_clip(arena, c, 1, i), NULL, &d), i);
  store_close(s);
  check_says(&d, "");
  return path;
}

/* A controller of numbers and bytes that only its number determines; its cost is -0 now and then. */
static inline struct store_controller random_controller(struct arena *arena, int task, int id, size_t n_bytes)
{
  struct rng r = rng_stream(3, (uint64_t)id);
  struct store_controller c = {.id = id, .task = task, .cost = id % 3 ? rng_normal(&r) : -0.0, .n_clips = id + 2,
                               .n_nodes = 3 * id, .n_segments = 5 * id, .n_bytes = n_bytes};
  unsigned char *bytes = arena_alloc(arena, n_bytes, 1);
  for (size_t i = 0; i < n_bytes; i++)
    bytes[i] = (unsigned char)rng_below(&r, 256);
  c.bytes = bytes;
  c.cost_lower = c.cost - 1e-300;
  c.cost_upper = c.cost + rng_uniform(&r, 0, 1);
  return c;
}

static inline int same_controller(const struct store_controller *a, const struct store_controller *b)
{
  const double x[] = {a->cost, a->cost_lower, a->cost_upper}, y[] = {b->cost, b->cost_lower, b->cost_upper};
  return a->id == b->id && a->task == b->task && same_bits(x, y, sizeof x) && a->n_clips == b->n_clips &&
         a->n_nodes == b->n_nodes && a->n_segments == b->n_segments && a->n_bytes == b->n_bytes &&
         same_bits(a->bytes, b->bytes, a->n_bytes);
}

/* Adds a task and then n controllers, all to be the first of their file. */
static inline void add_controllers(struct store *s, int n, size_t n_bytes, struct diag *d)
{
  struct arena *arena = arena_new();
  static const char text[] = "parameter direction { }\n";
  CHECK_INT(store_put_task_text(s, "turn.task", text, strlen(text), d), 1);
  for (int id = 1; id <= n; id++) {
    struct store_controller c = random_controller(arena, 1, id, n_bytes);
    CHECK_INT(store_put_controller(s, &c, d), id);
  }
  arena_free(arena);
}

/* ---- harm ---- */

/* Does SQL behind the store's back. */
static inline void harm(const char *path, const char *sql)
{
  sqlite3 *db;
  CHECK(sqlite3_open(path, &db) == SQLITE_OK);
  CHECK(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK);
  sqlite3_close(db);
}

/* What SQL finds behind the store's back: the first column of the first row. */
static inline const char *ask(struct arena *arena, const char *path, const char *sql)
{
  sqlite3 *db;
  sqlite3_stmt *statement = NULL;
  const char *answer = NULL;
  CHECK(sqlite3_open(path, &db) == SQLITE_OK && sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK);
  if (statement && sqlite3_step(statement) == SQLITE_ROW && sqlite3_column_text(statement, 0))
    answer = arena_strdup(arena, (const char *)sqlite3_column_text(statement, 0));
  sqlite3_finalize(statement);
  sqlite3_close(db);
  return answer;
}

/* From now on no file of this process may grow beyond this. */
static inline void limit_files(rlim_t most)
{
  signal(SIGXFSZ, SIG_IGN);
  CHECK(setrlimit(RLIMIT_FSIZE, &(struct rlimit){most, RLIM_INFINITY}) == 0);
}

/* Runs a test in a child; it is one of several ways to change what a process may do without changing it for all. */
static inline void in_child(int (*test)(const char *path), const char *path)
{
  int status = -1;
  fflush(stderr);
  pid_t child = fork();
  if (child == 0) {
    test_failures = 0;
    _exit(test(path) + (test_failures > 0));
  }
  CHECK(child > 0 && waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static inline int as_nobody(void)
{
  return geteuid() != 0 || seteuid(NOBODY) == 0;
}

#endif
