/* Sample batches: windows of a reference simulated many times, as jobs of the farm.
 *
 * A batch begins with one state of the world and simulates one window several times, each time with other servo
 * offsets. What it gives depends on its bytes alone, so that results are the same for any number and kind of workers.
 * With one worker no process is made. Samples are simulated in the world of record, or in a surrogate simulator: the
 * same world stepped by the tree engine, some ten times faster. */
#ifndef MUYBRIDGE_FOLLOW_BATCHES_H
#define MUYBRIDGE_FOLLOW_BATCHES_H

#include "base/arena.h"
#include "base/diag.h"
#include "farm/farm.h"
#include "follow/rollout.h"

struct batches;

/* workers: 0 or 1: here; 2 or more: so many processes; BATCHES_RANKS: the other ranks of MPI, of which there must be
 * some, and then no other batches may be open. NULL after an error. To be closed before the arena is freed; the
 * reference must live as long. */
#define BATCHES_RANKS (-1)
struct batches *batches_open(struct arena *arena, const struct reference *r, const struct rollout_options *o,
                             int workers,
                       struct diag *d);
void batches_close(struct batches *c);

/* The rollout of this process, in the world of record. */
struct rollout *batches_rollout(struct batches *c);

/* Is there a surrogate simulator? There is
 * none if the world of record is such itself, or the engine cannot do this creature. */
int batches_has_surrogate(const struct batches *c);

/* Bytes of a state of the world of record, or of the surrogate simulator's. */
size_t batches_state_size(const struct batches *c, int surrogate);

enum batch_kind {
  BATCH_SAMPLES,                /* offsets around a mean, from a state of the world                          */
  BATCH_PERTURBED               /* states around the reference and offsets around 0: for window models       */
};

struct batch {
  enum batch_kind kind;
  int window, n;                /* samples                                                                   */
  int first;                    /* of BATCH_PERTURBED: number of the first sample among all of its window   */
  uint64_t seed, stream; /* sample i draws from its own stream, stream + i; perturbed ones are rows of design_fill() */
  int uniform;                  /* offsets evenly from a box; else normal                                    */
  int with_mean;                /* the first sample is the mean itself                                       */
  int recentre; /* samples are drawn around the mean, set off by what the first one missed (Liu 2010, figure 3b) */
  double place, velocity, control; /* of BATCH_PERTURBED: sizes                                              */
  const double *mean;           /* (n_controls); NULL: 0                                                     */
  const double *spread;         /* half widths or deviations (n_controls); or a lower triangle if full       */
  int full;                     /* spread is n_controls x n_controls                                         */
  const void *state;            /* of the world; not of BATCH_PERTURBED                                      */
  int surrogate;                /* 1: in the surrogate simulator; 0: in the world of record */
  int from_surrogate;           /* 1: the state is one of the surrogate's                                        */
  int stateless;                /* 1: states at the end are not wanted                                       */
};

struct batch_sample {
  int good;                     /* 0: lost, and nothing below means anything but u                           */
  struct cost_terms cost;
  const double *start;          /* errors; of BATCH_PERTURBED only        (2 n_dofs)                         */
  const double *u;              /* offsets                                (n_controls)                       */
  const double *end;            /* errors                                 (2 n_dofs)                         */
  const void *state;            /* of the world at the window's end, or of the surrogate; NULL if not wanted     */
};

void batches_submit(struct batches *c, const struct batch *b);

/* The next batch, in the order of submission: its samples, in the arena; how many, -1 after an error. */
int batches_collect(struct batches *c, struct arena *arena, struct batch_sample **out, struct diag *d);

long batches_samples(const struct batches *c);   /* windows simulated so far */
double batches_seconds(const struct batches *c); /* of processors that its jobs took; for people                      */
int batches_workers(const struct batches *c);
int batches_is_elsewhere(const struct batches *c); /* by other processes, whose time this one's clock does not know */

/* For farm_serve() at a rank of MPI: what it serves batches of rank 0 with. Lives in the arena. */
struct farm_options batches_service(struct arena *arena);

#endif
