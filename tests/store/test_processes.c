/* The run file: nothing that was in it is lost when the disk is full, others write, or the writer is killed. */
#include <time.h>

#include "store/run_file.h"

#define KILLS 24

/* No more room after some clips: an error, nothing lost, and writing goes on once there is room. */
static int out_of_room(const char *path)
{
  struct arena *arena = arena_new();
  const struct creature *c = NULL;
  struct diag d;
  int n = 0, id;
  diag_init(&d);
  limit_files(200000);
  struct store *s = open_hopper(arena, path, &c, &d);
  while (c && n < 1000 && (id = store_add_clip(s, random_clip(arena, c, 1, n + 1), NULL, &d)) > 0)
    CHECK_INT(id, ++n);
  CHECK(n > 2 && n < 1000);
  check_says(&d, "@/a.muy: error: cannot read or write: disk I/O error; nothing was changed\n");
  for (int i = 1; i <= n; i++) {
    const struct clip *k = store_get_clip(arena, s, i, &d);
    CHECK(k && same_clip(k, random_clip(arena, c, 1, i)));
  }
  limit_files(RLIM_INFINITY);
  CHECK_INT(store_add_clip(s, random_clip(arena, c, 1, n + 1), NULL, &d), n + 1);
  store_close(s);
  check_says(&d, "");
  arena_free(arena);
  return 0;
}

static void test_no_room(void)
{
  struct arena *arena = arena_new();
  in_child(out_of_room, in_folder(arena, "a.muy"));
  empty_folder();
  arena_free(arena);
}

/* ---- other processes ---- */

static void test_locked(void)
{
  struct arena *arena = arena_new();
  const char *path = hopper_run(arena, "a.muy", 1);
  const struct creature *c = NULL;
  sqlite3 *other;
  struct diag d;
  diag_init(&d);
  struct store *s = open_hopper(arena, path, &c, &d);
  store_set_patience(s, 0.05);
  CHECK(sqlite3_open(path, &other) == SQLITE_OK && sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL) == 0);
  CHECK_INT(store_add_clip(s, random_clip(arena, c, 1, 2), NULL, &d), 0);
  check_says(&d, "@/a.muy: error: another process is writing to this file; try again when it has finished\n");
  CHECK(store_get_clip(arena, s, 1, &d)); /* reading goes on */
  CHECK(sqlite3_exec(other, "COMMIT; BEGIN; SELECT * FROM clip", NULL, NULL, NULL) == 0);
  CHECK_INT(store_add_clip(s, random_clip(arena, c, 1, 2), NULL, &d), 0); /* a reader that stays blocks a writer */
  diag_clear(&d);
  CHECK(sqlite3_exec(other, "COMMIT", NULL, NULL, NULL) == 0);
  CHECK_INT(store_add_clip(s, random_clip(arena, c, 1, 2), NULL, &d), 2);
  sqlite3_close(other);
  store_close(s);
  check_says(&d, "");
  empty_folder();
  arena_free(arena);
}

#define PER_WRITER 25

static int write_some(const char *path, uint64_t seed)
{
  struct arena *arena = arena_new();
  const struct creature *c = NULL;
  struct diag d;
  int good = 1;
  test_failures = 0;
  diag_init(&d);
  struct store *s = open_hopper(arena, path, &c, &d);
  for (int i = 1; i <= PER_WRITER; i++)
    good &= c && store_add_clip(s, random_clip(arena, c, seed, i), NULL, &d) > 0;
  store_close(s);
  check_says(&d, "");
  arena_free(arena);
  return !good || test_failures;
}

/* Two that make the same file at the same moment: both get all theirs in, each in its own order. */
static void test_two_writers(void)
{
  struct arena *arena = arena_new();
  const char *path = in_folder(arena, "a.muy");
  const struct creature *c = NULL;
  int next[2] = {1, 1}, status, n = 0;
  struct diag d;
  diag_init(&d);
  for (uint64_t w = 0; w < 2; w++)
    if (fork() == 0)
      _exit(write_some(path, w));
  for (int w = 0; w < 2; w++)
    CHECK(wait(&status) > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  struct store *s = open_hopper(arena, path, &c, &d);
  CHECK(store_list_clips(arena, s, &n, &d) && n == 2 * PER_WRITER);
  for (int id = 1; id <= n; id++) {
    const struct clip *k = store_get_clip(arena, s, id, &d);
    uint64_t w = k && same_clip(k, random_clip(arena, c, 0, next[0])) ? 0 : 1;
    CHECK(k && same_clip(k, random_clip(arena, c, w, next[w])));
    next[w]++;
  }
  store_close(s);
  check_says(&d, "");
  empty_folder();
  arena_free(arena);
}

/* ---- killed at any instant ---- */

/* Adds clips for ever, telling the pipe of each that store_add_clip() said it had kept. */
static void write_for_ever(const char *path, int first, int pipe_end)
{
  struct arena *arena = arena_new();
  const struct creature *c = NULL;
  struct diag d;
  diag_init(&d);
  struct store *s = open_hopper(arena, path, &c, &d);
  for (int id = first; c; id++) {
    struct arena *scratch = arena_new();
    if (store_add_clip(s, random_clip(scratch, c, 1, id), NULL, &d) != id || write(pipe_end, &id, sizeof id) < 0)
      break;
    arena_free(scratch);
  }
  _exit(1);
}

/* Starts a writer, kills it after so many microseconds; the last clip that it told of. */
static int killed_writer(const char *path, int first, int microseconds)
{
  int ends[2], last = first - 1, id, status = 0;
  CHECK(pipe(ends) == 0);
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    write_for_ever(path, first, ends[1]);
  }
  close(ends[1]);
  nanosleep(&(struct timespec){0, 1000L * microseconds}, NULL);
  CHECK(child > 0 && kill(child, SIGKILL) == 0 && waitpid(child, &status, 0) == child);
  CHECK(WIFSIGNALED(status));
  while (read(ends[0], &id, sizeof id) == (ssize_t)sizeof id)
    last = id;
  close(ends[0]);
  return last;
}

/* All that was told of is there, at most one more, each whole. Returns how many. */
static int check_prefix(const char *path, int told, enum store_mode mode)
{
  struct arena *arena = arena_new();
  struct diag d;
  int n = 0;
  diag_init(&d);
  struct store *s = store_open(arena, path, told ? mode : STORE_WRITE, &d); /* before the first there may be no file */
  const struct store_line *lines = s ? store_list_clips(arena, s, &n, &d) : NULL;
  const struct creature *c = n > 0 ? store_get_creature(arena, s, &d) : NULL;
  CHECK(lines && (n == told || n == told + 1));
  for (int i = 0; i < n && c; i++) {
    const struct clip *k = store_get_clip(arena, s, i + 1, &d);
    CHECK(lines[i].id == i + 1 && k && same_clip(k, random_clip(arena, c, 1, i + 1)));
  }
  store_close(s);
  check_says(&d, "");
  arena_free(arena);
  return n;
}

/* How long a write takes on this disk [microseconds]. */
static int time_of_write(void)
{
  struct arena *arena = arena_new();
  struct timespec from, until;
  clock_gettime(CLOCK_MONOTONIC, &from);
  hopper_run(arena, "a.muy", 6);
  clock_gettime(CLOCK_MONOTONIC, &until);
  arena_free(arena);
  return (int)((double)(until.tv_sec - from.tv_sec) * 1e6 + (double)(until.tv_nsec - from.tv_nsec) * 1e-3) / 8;
}

/* Every sixth kill is of a writer that starts with no file, so that some fall into its making. */
static void test_kill(void)
{
  int unit = time_of_write();
  struct arena *arena = arena_new();
  const char *path = in_folder(arena, "a.muy"), *journal = in_folder(arena, "a.muy-journal");
  struct rng r = rng_stream((uint64_t)getpid(), 0); /* other moments each time */
  int clips = 0, all = 0, cut_short = 0;
  for (int i = 0; i < KILLS; i++) {
    if (i % 6 == 0)
      empty_folder(), clips = 0;
    int told = killed_writer(path, clips + 1, 500 + rng_below(&r, (i % 6 ? 6 : 2) * unit + 1));
    cut_short += access(journal, F_OK) == 0;
    int before = clips;
    clips = check_prefix(path, told, i % 2 ? STORE_READ : STORE_WRITE);
    all += clips - before;
  }
  fprintf(stderr, "%d kills, %d clips written, %d writes cut short\n", KILLS, all, cut_short);
  CHECK(all > 0);
  empty_folder();
  arena_free(arena);
}

int main(void)
{
  run_begin();
  test_no_room();
  test_locked();
  test_two_writers();
  test_kill();
  return run_finish();
}
