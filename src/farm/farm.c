/* The queue of the farm: who gets which job, and in which order results go out. Nothing here knows what a worker is. */
#include <stdlib.h>
#include <string.h>

#include "farm/room.h"

#define LONGEST_WAIT 1000 /* milliseconds between two questions whether to stop */

const char *farm_outcome_name(enum farm_outcome o)
{
  static const char *const names[] = {"done", "failed", "crashed", "hung", "out of memory", "exited", "lost"};
  return (size_t)o < sizeof names / sizeof *names ? names[o] : "unknown";
}

int farm_workers(const struct farm *f) { return f->n_workers; }
int farm_outstanding(const struct farm *f) { return f->n_outstanding; }

/* ---- open and close ---- */

static const struct farm_ways *ways_of(enum farm_kind kind)
{
  switch (kind) {
  case FARM_FORK: return &farm_fork_ways;
  case FARM_MPI: return &farm_mpi_ways;
  case FARM_INLINE: return &farm_inline_ways;
  default: return farm_ranks() > 1 ? &farm_mpi_ways : &farm_fork_ways;
  }
}

struct farm *farm_open(struct arena *arena, const struct farm_options *options, struct diag *d)
{
  struct farm *f = ARENA_NEW(arena, 1, struct farm);
  f->options = *options;
  f->ways = ways_of(options->kind);
  f->n_workers = options->workers > 1 && options->kind != FARM_INLINE ? options->workers : 1;
  f->waiting_end = &f->waiting;
  f->out_end = &f->out;
  if (options->prepare && !options->prepare(options->user, options->shared, options->n_shared, d))
    return NULL;
  if (!f->ways->open(f, arena, d))
    return NULL;
  f->serving = ARENA_NEW(arena, (size_t)f->n_workers, struct job *);
  return f;
}

static void free_job(struct job *j)
{
  if (!j)
    return;
  free(j->in);
  free(j->owned);
  free(j);
}

void farm_close(struct farm *f)
{
  if (!f)
    return;
  f->ways->close(f);
  if (f->options.as_they_come) { /* then only those that have come are in the list that goes out */
    for (int i = 0; i < f->n_workers; i++)
      free_job(f->serving[i]);
    for (struct job *j = f->waiting, *next; j; j = next) {
      next = j->next_waiting;
      free_job(j);
    }
  }
  for (struct job *j = f->out, *next; j; j = next) {
    next = j->next_out;
    free_job(j);
  }
  free_job(f->collected);
}

/* ---- in ---- */

static void send_out(struct farm *f, struct job *j)
{
  *f->out_end = j;
  f->out_end = &j->next_out;
}

static struct job *next_waiting(struct farm *f)
{
  struct job *j = f->waiting;
  f->waiting = j->next_waiting;
  if (!f->waiting)
    f->waiting_end = &f->waiting;
  return j;
}

/* Gives the first that waits to a worker; 0: it would not have it. */
static int give(struct farm *f, int worker)
{
  f->serving[worker] = f->waiting;
  if (!f->ways->give(f, worker)) {
    f->serving[worker] = NULL;
    return 0;
  }
  next_waiting(f);
  return 1;
}

/* When nobody works and nobody can, waiting would have no end. */
static void give_up(struct farm *f)
{
  struct verdict v = {0};
  verdict_say(&v, FARM_LOST, 0, "no worker could be made for it");
  f->serving[0] = next_waiting(f);
  farm_finish(f, 0, &v, NULL, NULL, 0);
}

static void hand_out(struct farm *f)
{
  int at_work = 0;
  for (int i = 0; i < f->n_workers; i++)
    at_work += f->serving[i] || (f->waiting && give(f, i));
  if (f->waiting && !at_work)
    give_up(f);
}

void farm_submit(struct farm *f, uint64_t tag, const void *bytes, size_t n)
{
  struct job *j = farm_memory(NULL, sizeof *j);
  *j = (struct job){.tag = tag, .in = farm_memory(NULL, n), .n_in = n};
  if (n)
    memcpy(j->in, bytes, n);
  *f->waiting_end = j;
  f->waiting_end = &j->next_waiting;
  if (!f->options.as_they_come)
    send_out(f, j);
  f->n_outstanding++;
  hand_out(f);
}

/* ---- out ---- */

void farm_finish(struct farm *f, int worker, const struct verdict *v, void *owned, const void *bytes, size_t n)
{
  struct job *j = f->serving[worker];
  f->serving[worker] = NULL;
  j->verdict = *v;
  j->owned = owned;
  j->bytes = bytes;
  j->n_bytes = n;
  j->finished = 1;
  free(j->in);
  j->in = NULL;
  if (f->options.as_they_come)
    send_out(f, j);
}

void farm_finish_body(struct farm *f, int worker, void *owned, const void *body, size_t length)
{
  struct verdict v;
  memcpy(&v, body, sizeof v);
  farm_finish(f, worker, &v, owned, (const char *)body + sizeof v, length - sizeof v);
}

void farm_report_progress(struct farm *f, int worker, const char *words, size_t n)
{
  char line[FARM_WORDS] = {0};
  if (!f->options.progress || !f->serving[worker])
    return;
  memcpy(line, words, n < sizeof line ? n : sizeof line - 1);
  f->options.progress(f->options.user, f->serving[worker]->tag, line);
}

static void turn(struct farm *f, int milliseconds)
{
  hand_out(f);
  f->ways->turn(f, milliseconds);
  hand_out(f);
}

void farm_turn(struct farm *f) { turn(f, 0); }

static void describe(const struct job *j, struct farm_result *r)
{
  const struct verdict *v = &j->verdict;
  int done = v->outcome == FARM_DONE;
  *r = (struct farm_result){.tag = j->tag,
                            .outcome = (enum farm_outcome)v->outcome,
                            .number = v->number,
                            .words = v->words,
                            .bytes = done ? j->bytes : NULL,
                            .n_bytes = done ? j->n_bytes : 0,
                            .cpu_seconds = v->cpu_seconds,
                            .wall_seconds = v->wall_seconds,
                            .peak_memory = (size_t)v->peak_memory};
}

int farm_collect(struct farm *f, struct farm_result *result)
{
  free_job(f->collected);
  f->collected = NULL;
  while (!f->out || !f->out->finished) {
    if (f->n_outstanding == 0)
      return 0;
    if (f->options.stop && f->options.stop(f->options.user))
      return -1;
    turn(f, LONGEST_WAIT);
  }
  struct job *j = f->collected = f->out;
  f->out = j->next_out;
  if (!f->out)
    f->out_end = &f->out;
  f->n_outstanding--;
  describe(j, result);
  return 1;
}
