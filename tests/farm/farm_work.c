/* A program for tests/farm/test_mpi.sh: does a list of good and bad jobs and writes how they went. Usage, perhaps after
 * mpirun -n N: farm_work fork|mpi|auto|inline WORKERS good|bad|close|unready */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "farm/jobs.h"

/* Closes farms with jobs in all states; then all must be as before. */
static void close_early(struct arena *arena, const struct farm_options *options)
{
  char *jobs[] = {"Z", "b20000000", "h1", "O", "L1000", "Z", "h2"};
  struct diag d;
  struct farm_result r;
  diag_init(&d);
  for (int i = 0; i < 7; i++) {
    struct farm *f = farm_open(arena, options, &d);
    for (int k = i; f && k < 7; k++)
      farm_submit(f, 0, jobs[k], strlen(jobs[k]));
    if (f && i == 2)
      farm_collect(f, &r);
    farm_close(f);
  }
  char *text = diag_text(&d);
  fputs(text, stdout);
  free(text);
  diag_clear(&d);
}

/* What is shared is bad at all ranks but 0. */
static void be_unready(struct arena *arena, struct farm_options options, char *const *jobs, int n)
{
  options.shared = "bad elsewhere";
  options.n_shared = strlen(options.shared);
  fputs(jobs_record(arena, &options, jobs, n), stdout);
}

static enum farm_kind kind_of(const char *name)
{
  return !strcmp(name, "fork") ? FARM_FORK : !strcmp(name, "mpi") ? FARM_MPI
         : !strcmp(name, "inline") ? FARM_INLINE : FARM_AUTO;
}

int main(int argc, char **argv)
{
  farm_start(&argc, &argv);
  if (argc != 4)
    return 2;
  struct arena *arena = arena_new();
  struct farm_options options = jobs_options(kind_of(argv[1]), atoi(argv[2]));
  const char *what = argv[3];
  int n = 200;
  options.shared = "all share this";
  options.n_shared = strlen(options.shared);
  if (farm_rank() > 0) {
    farm_serve(&options);
  } else {
    char **jobs = strcmp(what, "bad") ? jobs_good(arena, n) : jobs_bad(arena, &n);
    options.job_seconds = strcmp(what, "bad") ? 0 : 1;
    options.job_memory = 200 << 20;
    if (!strcmp(what, "close"))
      close_early(arena, &options);
    if (!strcmp(what, "unready"))
      be_unready(arena, options, jobs, n);
    fputs(jobs_record(arena, &options, jobs, n), stdout);
  }
  arena_free(arena);
  farm_stop();
  return 0;
}
