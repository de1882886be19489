/* Windows simulated by many: batches of samples as jobs of the farm.
 *
 * A batch begins with one state of the world and simulates one window several times, each time with other servo
 * offsets. What it gives depends on its bytes alone, so that results are the same for any number and kind of workers.
 * With one worker no process is made. Samples may be simulated in the world of record or by a scout. */
#ifndef MUYBRIDGE_TRACK_CREW_H
#define MUYBRIDGE_TRACK_CREW_H

#include "base/arena.h"
#include "base/diag.h"
#include "farm/farm.h"
#include "track/rollout.h"

struct crew;

/* workers: 0 or 1: here; 2 or more: so many processes; CREW_RANKS: the other ranks of MPI, of which there must be some,
 * and then no other crew may be open. NULL after an error. To be closed before the arena is freed; the reference must
 * live as long. */
#define CREW_RANKS (-1)
struct crew *crew_open(struct arena *arena, const struct reference *r, const struct rollout_options *o, int workers,
                       struct diag *d);
void crew_close(struct crew *c);

/* A rollout of the crew's own, in this process: of the world of record. */
struct rollout *crew_rollout(struct crew *c);

/* Is there a scout? Its world is the same, stepped by our own engine (physics/world.h), many times faster. There is
 * none if the world of record is such itself, or the engine cannot do this creature. */
int crew_has_scout(const struct crew *c);

/* Bytes of a state of the world of record, or of the scout's. */
size_t crew_state_size(const struct crew *c, int scout);

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
  int scout;                    /* 1: simulated by the scout, the engine of our own; 0: in the world of record */
  int scouted;                  /* 1: the state is one of the scout's                                        */
  int stateless;                /* 1: states at the end are not wanted                                       */
};

struct batch_sample {
  int good;                     /* 0: lost, and nothing below means anything but u                           */
  struct cost_terms cost;
  const double *begin;          /* errors; of BATCH_PERTURBED only        (2 n_dofs)                         */
  const double *u;              /* offsets                                (n_controls)                       */
  const double *end;            /* errors                                 (2 n_dofs)                         */
  const void *state;            /* of the world at the window's end, or of the scout; NULL if not wanted     */
};

void crew_submit(struct crew *c, const struct batch *b);

/* The next batch, in the order of submission: its samples, in the arena; how many, -1 after an error. */
int crew_collect(struct crew *c, struct arena *arena, struct batch_sample **out, struct diag *d);

long crew_samples(const struct crew *c);   /* windows simulated so far                                           */
double crew_seconds(const struct crew *c); /* of processors that its jobs took; for people                      */
int crew_workers(const struct crew *c);
int crew_is_elsewhere(const struct crew *c); /* by other processes, whose time this one's clock does not know     */

/* For farm_serve() at a rank of MPI: what it serves crews of rank 0 with. Lives in the arena. */
struct farm_options crew_service(struct arena *arena);

#endif
