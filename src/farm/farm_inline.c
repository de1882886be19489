/* The farm that is none: jobs run in the caller, one at a time, when their turn comes. For debuggers and profilers. */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/seconds.h"
#include "farm/room.h"

static int inline_open(struct farm *f, struct arena *arena, struct diag *d)
{
  (void)f, (void)arena, (void)d;
  return 1;
}

static int inline_give(struct farm *f, int worker)
{
  (void)f, (void)worker;
  return 1;
}

static void inline_close(struct farm *f) { (void)f; }

static void tell(void *farm, const char *words) { farm_report_progress(farm, 0, words, strlen(words)); }

static void inline_turn(struct farm *f, int milliseconds)
{
  struct job *j = f->serving[0];
  struct farm_reply reply = {.out = -1, .line = tell, .where = f};
  struct verdict v = {0};
  struct rusage used;
  if (!j || milliseconds == 0) /* the caller is not waiting */
    return;
  double cpu = processor_seconds(), wall = wall_seconds();
  f->options.run(f->options.user, j->in, j->n_in, &reply);
  verdict_say(&v, reply.failed ? FARM_FAILED : FARM_DONE, 0, "%s", reply.words);
  v.cpu_seconds = processor_seconds() - cpu;
  v.wall_seconds = wall_seconds() - wall;
  if (getrusage(RUSAGE_SELF, &used) == 0)
    v.peak_memory = (uint64_t)used.ru_maxrss * 1024;
  farm_finish(f, 0, &v, reply.bytes, reply.bytes, reply.n);
}

const struct farm_ways farm_inline_ways = {inline_open, inline_give, inline_turn, inline_close};
