/* The farm: every way in which a job can end, results in order and the same for any workers, big ones and many. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "farm/jobs.h"

static char *record(struct arena *arena, enum farm_kind kind, int workers, char *const *jobs, int n)
{
  struct farm_options options = jobs_options(kind, workers);
  options.job_seconds = 1;
  options.job_memory = 200 << 20;
  options.shared = "all share this";
  options.n_shared = strlen(options.shared);
  return jobs_record(arena, &options, jobs, n);
}

/* ---- how jobs end ---- */

/* One job alone. What the result points to stays until the farm is closed, which is with the program. */
static struct farm_result run_one(struct arena *arena, const char *job)
{
  struct farm_options options = jobs_options(FARM_FORK, 1);
  struct farm_result r = {.outcome = FARM_DONE, .words = "nothing came"};
  struct diag d;
  options.job_seconds = 1;
  options.job_memory = 100 << 20;
  options.shared = "all share this";
  options.n_shared = strlen(options.shared);
  diag_init(&d);
  struct farm *f = farm_open(arena, &options, &d);
  CHECK(f && farm_workers(f) == 1);
  if (!f)
    return r;
  farm_submit(f, 77, job, strlen(job));
  CHECK_INT(farm_outstanding(f), 1);
  CHECK_INT(farm_collect(f, &r), 1);
  CHECK_INT((long)r.tag, 77);
  CHECK(r.cpu_seconds >= 0 && r.wall_seconds >= 0);
  CHECK_INT(farm_outstanding(f), 0);
  r.words = arena_strdup(arena, r.words);
  r.bytes = r.n_bytes ? memcpy(arena_alloc(arena, 1, r.n_bytes), r.bytes, r.n_bytes) : NULL;
  farm_close(f);
  return r;
}

static void test_disasters(void)
{
  static const struct {
    const char *job;
    enum farm_outcome outcome;
    int number;
    const char *words;
  } cases[] = {{"V", FARM_CRASHED, 11, "crashed: segmentation fault (11)"},
               {"A", FARM_CRASHED, 6, "crashed: abort (6)"},
               {"P", FARM_CRASHED, 11, "crashed: segmentation fault (11)"},
               {"Q", FARM_EXITED, 0, "ended without a reply"},
               {"X3", FARM_EXITED, 3, "exit status 3"},
               {"X0", FARM_EXITED, 0, "ended without a reply"},
               {"K", FARM_LOST, 9, "killed from outside, perhaps because the machine ran out of memory"},
               {"O", FARM_HUNG, 0, "used more than 1 s of processor time"},
               {"Z", FARM_HUNG, 0, "did nothing for 1 s"},
               {"C", FARM_HUNG, 0, "did nothing for 1 s"},
               {"fbecause", FARM_FAILED, 0, "because"},
               {"M", FARM_MEMORY, 6, "out of memory"},
               {"H", FARM_MEMORY, 6, "out of memory"}};
  if (!farm_limits_memory())
    fprintf(stderr, "the address sanitizer is on: running out of memory is not tested\n");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct arena *arena = arena_new();
    if (farm_limits_memory() || cases[i].outcome != FARM_MEMORY) {
      struct farm_result r = run_one(arena, cases[i].job);
      CHECK_STR(farm_outcome_name(r.outcome), farm_outcome_name(cases[i].outcome));
      CHECK_INT(r.number, cases[i].number);
      CHECK_STR(r.words, cases[i].words);
      CHECK(!r.bytes && !r.n_bytes);
    }
    arena_free(arena);
  }
}

static void test_measures(void)
{
  struct arena *arena = arena_new();
  struct farm_result busy = run_one(arena, "O"), idle = run_one(arena, "Z"), big = run_one(arena, "b30000000");
  CHECK(busy.cpu_seconds > 1);
  CHECK(idle.cpu_seconds < 1 && idle.wall_seconds > 1);
  CHECK(big.peak_memory > 30000000 && (big.peak_memory > idle.peak_memory + 20000000 || !farm_limits_memory()));
  arena_free(arena);
}

/* The limit of memory is of the job, whatever the parent has. */
static void test_large_parent(void)
{
  struct arena *arena = arena_new();
  memset(arena_alloc(arena, 300, 1 << 20), 1, 300 << 20);
  CHECK_INT(run_one(arena, "b30000000").outcome, FARM_DONE);
  if (farm_limits_memory())
    CHECK_INT(run_one(arena, "M").outcome, FARM_MEMORY);
  arena_free(arena);
}

/* Jobs that run() does not know, without bytes, and a farm that is not there. */
static void test_odd_jobs(void)
{
  struct arena *arena = arena_new();
  struct farm_options options = jobs_options(FARM_FORK, 1);
  struct farm_result r;
  struct diag d;
  diag_init(&d);
  struct farm *f = farm_open(arena, &options, &d);
  farm_submit(f, 1, "?", 1);
  CHECK(farm_collect(f, &r) == 1 && r.outcome == FARM_FAILED);
  CHECK_STR(r.words, "no such job: ?");
  farm_submit(f, 2, NULL, 0);
  CHECK(farm_collect(f, &r) == 1 && r.outcome == FARM_FAILED && r.tag == 2);
  CHECK_INT(farm_collect(f, &r), 0);
  farm_close(f);
  farm_close(NULL);
  arena_free(arena);
}

/* ---- large and many ---- */

static void test_large(void)
{
  struct arena *arena = arena_new();
  struct farm_options options = jobs_options(FARM_FORK, 2);
  size_t n = 50000000;
  unsigned char *job = arena_alloc(arena, n, 1);
  struct farm_result r;
  struct diag d;
  diag_init(&d);
  struct farm *f = farm_open(arena, &options, &d);
  for (size_t i = 1; i < n; i++)
    job[i] = (unsigned char)(i * i >> 3);
  job[0] = 'e';
  for (uint64_t i = 0; i < 3; i++)
    farm_submit(f, i, job, n);
  for (uint64_t i = 0; i < 3; i++) {
    CHECK(farm_collect(f, &r) == 1 && r.outcome == FARM_DONE && r.tag == i);
    CHECK(r.n_bytes == n && !memcmp(r.bytes, job, n));
    CHECK((uintptr_t)r.bytes % 16 == 0);
  }
  farm_close(f);
  arena_free(arena);
}

static void test_many(void)
{
  struct arena *arena = arena_new();
  struct farm_options options = jobs_options(FARM_FORK, 3);
  struct farm_result r;
  struct diag d;
  uint64_t n = farm_limits_memory() ? 10000 : 2000; /* the sanitizer makes slow processes */
  int wrong = 0;
  diag_init(&d);
  struct farm *f = farm_open(arena, &options, &d);
  for (uint64_t i = 0; i < n; i++) {
    char job[30];
    snprintf(job, sizeof job, "e%d", (int)(i * i % 1009));
    farm_submit(f, i, job, strlen(job));
  }
  for (uint64_t i = 0; i < n && farm_collect(f, &r) == 1; i++) {
    char job[30];
    snprintf(job, sizeof job, "e%d", (int)(i * i % 1009));
    wrong += r.tag != i || r.outcome != FARM_DONE || r.n_bytes != strlen(job) || memcmp(r.bytes, job, r.n_bytes);
  }
  CHECK_INT(wrong, 0);
  CHECK_INT(farm_collect(f, &r), 0);
  farm_close(f);
  arena_free(arena);
}

/* ---- the same for all ---- */

static void test_workers(void)
{
  struct arena *arena = arena_new();
  int n = 300, n_bad;
  char **good = jobs_good(arena, n), **bad = jobs_bad(arena, &n_bad);
  char *one = record(arena, FARM_FORK, 1, good, n);
  CHECK(strstr(one, "299: failed 0, 0 bytes cbf29ce484222325, \"for reason 299\"\n"));
  CHECK_STR(record(arena, FARM_FORK, 0, good, n), one);
  CHECK_STR(record(arena, FARM_FORK, 2, good, n), one);
  CHECK_STR(record(arena, FARM_FORK, 8, good, n), one);
  CHECK_STR(record(arena, FARM_AUTO, 2, good, n), one);
  CHECK_STR(record(arena, FARM_INLINE, 2, good, n), one);
  one = record(arena, FARM_FORK, 1, bad, n_bad);
  CHECK_STR(record(arena, FARM_FORK, 2, bad, n_bad), one);
  CHECK_STR(record(arena, FARM_FORK, 8, bad, n_bad), one);
  arena_free(arena);
}

/* What a job leaves in memory is not there for the next one, nor for the parent. */
static void test_forgetting(void)
{
  struct arena *arena = arena_new();
  char *jobs[] = {"n", "n", "n"};
  CHECK_STR(record(arena, FARM_FORK, 1, jobs, 3), "0: done 0, 4 bytes ad2aca7747985764, \"\"\n"
                                                  "1: done 0, 4 bytes ad2aca7747985764, \"\"\n"
                                                  "2: done 0, 4 bytes ad2aca7747985764, \"\"\n");
  arena_free(arena);
}

static void test_shared(void)
{
  struct arena *arena = arena_new();
  struct farm_options options = jobs_options(FARM_FORK, 2);
  struct farm_result r = run_one(arena, "s");
  char *jobs[] = {"s"};
  CHECK(r.n_bytes == 14 && !memcmp(r.bytes, "all share this", 14));
  options.shared = "bad";
  options.n_shared = 3;
  CHECK_STR(jobs_record(arena, &options, jobs, 1), "shared: error: these are bad\n");
  arena_free(arena);
}

/* ---- order ---- */

static char gate[] = "/tmp/muybridge-gate-XXXXXX"; /* a folder; the gate in it is a file */
static char gate_file[sizeof gate + 5];
static int n_lines;
static char last_line[FARM_WORDS];

static void open_gate(void)
{
  FILE *f = fopen(gate_file, "w");
  CHECK(f && !fclose(f));
}

static void on_line(void *user, uint64_t tag, const char *words)
{
  (void)user;
  n_lines++;
  snprintf(last_line, sizeof last_line, "%d: %s", (int)tag, words);
  if (!strcmp(words, "open"))
    open_gate();
}

/* The first job cannot end before the second has said something, or has even been collected. */
static void test_order(int as_they_come)
{
  struct arena *arena = arena_new();
  struct farm_options options = jobs_options(FARM_FORK, 2);
  struct farm_result r;
  struct diag d;
  char first[100];
  snprintf(first, sizeof first, "w%s", gate_file);
  options.as_they_come = as_they_come;
  options.progress = on_line;
  diag_init(&d);
  struct farm *f = farm_open(arena, &options, &d);
  farm_submit(f, 5, first, strlen(first));
  farm_submit(f, 9, as_they_come ? "pshut" : "popen", 5);
  CHECK_INT(farm_collect(f, &r), 1);
  CHECK_INT((long)r.tag, as_they_come ? 9 : 5);
  CHECK_STR(last_line, as_they_come ? "9: shut" : "9: open");
  if (as_they_come)
    open_gate();
  CHECK_INT(farm_collect(f, &r), 1);
  CHECK_INT((long)r.tag, as_they_come ? 5 : 9);
  CHECK_INT(farm_collect(f, &r), 0);
  farm_close(f);
  unlink(gate_file);
  arena_free(arena);
}

static void test_as_they_come(void)
{
  struct arena *arena = arena_new();
  struct farm_options options = jobs_options(FARM_FORK, 3);
  struct farm_result r;
  struct diag d;
  char seen[100] = {0};
  int n = 0;
  options.as_they_come = 1;
  diag_init(&d);
  struct farm *f = farm_open(arena, &options, &d);
  for (uint64_t i = 0; i < 100; i++)
    farm_submit(f, i, i % 7 ? "h1" : "V", i % 7 ? 2 : 1);
  for (; farm_collect(f, &r) == 1; n++) {
    CHECK(r.tag < 100 && !seen[r.tag]);
    seen[r.tag] = 1;
    CHECK_INT(r.outcome, r.tag % 7 ? FARM_DONE : FARM_CRASHED);
  }
  CHECK_INT(n, 100);
  for (uint64_t i = 0; i < 20; i++) /* closed in the middle: the sanitizer would see what is not freed */
    farm_submit(f, i, "h1", 2);
  farm_collect(f, &r);
  farm_close(f);
  arena_free(arena);
}

/* ---- progress ---- */

/* Inline and forked; from a job that crashes afterwards too. A parent that listens gets every line. */
static void test_progress(enum farm_kind kind)
{
  struct arena *arena = arena_new();
  struct farm_options options = jobs_options(kind, 1);
  struct farm_result r;
  struct diag d;
  options.progress = on_line;
  n_lines = 0;
  diag_init(&d);
  struct farm *f = farm_open(arena, &options, &d);
  farm_submit(f, 3, "psome words", 11);
  CHECK(farm_collect(f, &r) == 1 && r.outcome == FARM_DONE && r.n_bytes == 10 && !memcmp(r.bytes, "some words", 10));
  CHECK_STR(last_line, "3: some words");
  CHECK_INT(n_lines, 1);
  farm_submit(f, 4, "L20000", 6);
  CHECK(farm_collect(f, &r) == 1 && r.outcome == FARM_DONE && r.n_bytes == 0);
  CHECK(n_lines > 1 && n_lines <= 20001);
  CHECK(!strncmp(last_line, "4: ", 3));
  farm_close(f);
  arena_free(arena);
}

int main(void)
{
  alarm(900); /* a farm that waits for ever fails here */
  CHECK(mkdtemp(gate) != NULL);
  snprintf(gate_file, sizeof gate_file, "%s/gate", gate);
  test_workers();
  test_many();
  test_forgetting();
  test_shared();
  test_order(0);
  test_order(1);
  test_as_they_come();
  test_progress(FARM_FORK);
  test_progress(FARM_INLINE);
  test_disasters();
  test_odd_jobs();
  test_measures(); /* from here on the parent is large, and its children are slower to make */
  test_large();
  test_large_parent();
  rmdir(gate);
  return test_finish();
}
