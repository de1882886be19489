/* Jobs for the tests of the farm, good and bad ones. */
#include "farm/jobs.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/rng.h"

/* The address sanitizer would answer crashes with an exit status of its own. Its library looks for this function by
 * name: it must not be hidden. */
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
  return "handle_segv=0:handle_abort=0:handle_sigbus=0";
}

static volatile unsigned char sink; /* so that no work is optimised away */
static int times_run;
static struct { const unsigned char *bytes; size_t n; } shared_bytes;

int jobs_prepare(void *user, const void *shared, size_t n_shared, struct diag *d)
{
  (void)user;
  int bad = n_shared == 3 && !memcmp(shared, "bad", 3);
  if (bad || (n_shared == 13 && !memcmp(shared, "bad elsewhere", 13) && farm_rank() > 0)) {
    diag_error(d, "shared", 0, "these are bad");
    return 0;
  }
  shared_bytes.bytes = shared;
  shared_bytes.n = n_shared;
  return 1;
}

/* ---- good jobs ---- */

static uint64_t hash(const void *bytes, size_t n)
{
  const unsigned char *p = bytes;
  uint64_t h = 14695981039346656037u;
  for (size_t i = 0; i < n; i++)
    h = (h ^ p[i]) * 1099511628211u;
  return h;
}

static void random_work(const char *text, struct farm_reply *out)
{
  struct rng r = rng_stream(hash(text, strlen(text)), 0);
  int rounds = 1 << rng_below(&r, 18), n = rng_below(&r, 3000);
  for (int i = 0; i < rounds; i++)
    sink = (unsigned char)rng_next(&r);
  for (int i = 0; i < n; i++) {
    unsigned char byte = (unsigned char)rng_next(&r);
    farm_reply_write(out, &byte, 1);
  }
}

static void pattern(size_t n, struct farm_reply *out)
{
  unsigned char part[1000];
  for (size_t i = 0; i < n; i += sizeof part) {
    for (size_t j = 0; j < sizeof part; j++)
      part[j] = (unsigned char)((i + j) * 2654435761u >> 7);
    farm_reply_write(out, part, n - i < sizeof part ? n - i : sizeof part);
  }
}

static void wait_for_file(const char *path)
{
  while (access(path, F_OK))
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static int count_files(void)
{
  int n = 0;
  for (int fd = 0; fd < 256; fd++) {
    struct stat s;
    n += fstat(fd, &s) == 0;
  }
  return n;
}

/* Processes with this parent. */
static int count_children(int parent)
{
  DIR *all = opendir("/proc");
  int n = 0;
  for (struct dirent *e; all && (e = readdir(all));) {
    char path[300], line[400] = "";
    int owner = 0;
    if (e->d_name[0] < '0' || e->d_name[0] > '9')
      continue;
    snprintf(path, sizeof path, "/proc/%s/stat", e->d_name);
    FILE *f = fopen(path, "r");
    const char *after = f && fgets(line, sizeof line, f) ? strrchr(line, ')') : NULL;
    n += after && sscanf(after + 1, " %*c %d", &owner) == 1 && owner == parent;
    if (f)
      fclose(f);
  }
  if (all)
    closedir(all);
  return n;
}

static void tell_facts(struct farm_reply *out)
{
  struct facts f = {.group = getpgrp(), .supervisor = getppid(), .n_files = count_files()};
  struct stat output, error;
  char byte;
  f.siblings = count_children(f.supervisor) - 1;
  f.stdout_is_stderr = !fstat(1, &output) && !fstat(2, &error) && output.st_ino == error.st_ino &&
                       output.st_dev == error.st_dev;
  f.stdin_is_empty = read(0, &byte, 1) == 0;
  farm_reply_write(out, &f, sizeof f);
}

/* ---- bad jobs ---- */

static void allocate_for_ever(void)
{
  for (;;) {
    struct arena *a = arena_new(); /* which aborts, as all of ours does */
    memset(arena_alloc(a, 1, 1 << 20), 1, 1 << 20);
  }
}

static void crash(void)
{
  volatile int *volatile nowhere = (int *)64;
  sink = (unsigned char)*nowhere;
}

static void misbehave(char how, const char *text, struct farm_reply *out)
{
  switch (how) {
  case 'V': crash(); break;
  case 'A': abort();
  case 'O':
    for (;;)
      sink++;
  case 'T': farm_reply_progress(out, "%d", (int)getpid()); /* fall through */
  case 'Z':
    for (;;)
      sleep(1000);
  case 'M': allocate_for_ever(); break;
  case 'H': arena_alloc(arena_new(), (size_t)1 << 40, 1); break;
  case 'P': farm_reply_write(out, "half of", 7); crash(); break;
  case 'Q': farm_reply_write(out, "half of", 7); _exit(0);
  case 'X': exit(atoi(text));
  case 'K': kill(getpid(), SIGKILL); break;
  case 'C':
    for (int fd = 0; fd < 256; fd++)
      close(fd);
    for (;;)
      sleep(1000);
  default: farm_reply_fail(out, "no such job: %c", how);
  }
}

void jobs_run(void *user, const void *in, size_t n_in, struct farm_reply *out)
{
  char text[300] = "";
  (void)user;
  memcpy(text, in, n_in < sizeof text ? n_in : sizeof text - 1);
  const char *rest = text + 1;
  switch (text[0]) {
  case 'h': random_work(text, out); break;
  case 'e': farm_reply_write(out, in, n_in); break;
  case 'n': times_run++; farm_reply_write(out, &times_run, sizeof times_run); break;
  case 's': farm_reply_write(out, shared_bytes.bytes, shared_bytes.n); break;
  case 'b': pattern((size_t)atol(rest), out); break;
  case 'f': farm_reply_write(out, "x", 1); farm_reply_fail(out, "%s", rest); farm_reply_fail(out, "more"); break;
  case 'p': farm_reply_progress(out, "%s", rest); farm_reply_write(out, rest, strlen(rest)); break;
  case 'w': wait_for_file(rest); break;
  case 'L':
    for (int i = 0; i < atoi(rest); i++)
      farm_reply_progress(out, "%d", i);
    break;
  case 'i': tell_facts(out); break;
  default: misbehave(text[0], rest, out);
  }
}

/* ---- lists of them ---- */

struct farm_options jobs_options(enum farm_kind kind, int workers)
{
  return (struct farm_options){.kind = kind, .workers = workers, .run = jobs_run, .prepare = jobs_prepare};
}

/* One after the other. */
static char *join(struct arena *arena, char *const *lines, int n)
{
  size_t length = 1, at = 0;
  for (int i = 0; i < n; i++)
    length += strlen(lines[i]);
  char *text = ARENA_NEW(arena, length, char);
  for (int i = 0; i < n; at += strlen(lines[i++]))
    memcpy(text + at, lines[i], strlen(lines[i]));
  return text;
}

char *jobs_record(struct arena *arena, const struct farm_options *options, char *const *jobs, int n)
{
  struct diag d;
  struct farm_result r;
  char **lines = ARENA_NEW(arena, (size_t)n + 1, char *);
  int k = 0;
  diag_init(&d);
  struct farm *f = farm_open(arena, options, &d);
  for (int i = 0; f && i < n; i++)
    farm_submit(f, (uint64_t)i, jobs[i], strlen(jobs[i]));
  while (f && k < n && farm_collect(f, &r) == 1)
    lines[k++] = arena_printf(arena, "%d: %s %d, %zu bytes %016llx, \"%s\"\n", (int)r.tag,
                              farm_outcome_name(r.outcome), r.number, r.n_bytes,
                              (unsigned long long)hash(r.bytes, r.n_bytes), r.words);
  farm_close(f);
  char *complaint = diag_text(&d);
  lines[k++] = arena_strdup(arena, complaint);
  free(complaint);
  diag_clear(&d);
  return join(arena, lines, k);
}

char **jobs_good(struct arena *arena, int n)
{
  char **jobs = ARENA_NEW(arena, (size_t)n, char *);
  for (int i = 0; i < n; i++)
    jobs[i] = i % 10 == 9 ? arena_printf(arena, "ffor reason %d", i) : arena_printf(arena, "h%d", i);
  return jobs;
}

char **jobs_bad(struct arena *arena, int *n)
{
  static const char *const kinds[] = {"h1", "V", "h2", "A",  "P", "Q",  "X3", "X0",       "fbecause", "h3", "K",
                                      "O",  "Z", "C",  "h4", "n", "n",  "M",  "b3000000", "H",        "s",  "h5"};
  char **jobs = ARENA_NEW(arena, sizeof kinds / sizeof *kinds, char *);
  *n = 0;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (farm_limits_memory() || !strchr("MH", kinds[i][0]))
      jobs[(*n)++] = arena_strdup(arena, kinds[i]);
  return jobs;
}
