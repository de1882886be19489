/* How much a controller stands: many runs, each from a perturbed start, with random pushes.
 *
 *   walk     a random walk over the whole graph, unperturbed after its start, for so long
 *   push     one push of a given size, at a random time in a random direction
 *   growing  pushes in a row, sizes normal with a deviation that grows with time, until it falls (Liu 2016, table II)
 *
 * Pushes act on the trunk, horizontally. Trials are jobs of the farm: the same numbers for any number of workers. */
#ifndef MUYBRIDGE_CONTROL_TRIALS_H
#define MUYBRIDGE_CONTROL_TRIALS_H

#include "control/jobs.h"
#include "control/runner.h"

enum trial_kind { TRIAL_WALK, TRIAL_PUSH, TRIAL_GROWING, N_TRIAL_KINDS };

struct trial_options {
  enum trial_kind kind;
  struct runner_options runner;
  double start;                 /* size of errors at the start, velocities three times it, 0.02                    */
  double seconds;               /* of a walk; after a push; at most of growing ones                                */
  double size;                  /* of a push [body weights]                                                        */
  double push_seconds;          /* 0.1                                                                             */
  double every, growth;         /* of growing ones: [s]; deviation [body weights / s]                              */
  int only_cycle;               /* strip to stay on, such as a walk; -1: random walk over all                      */
  int workers;                  /* control/jobs.h                                                                  */
  uint64_t seed;
  int (*progress)(void *user, int done, int n); /* 0: stop; may be NULL */
  void *user;
  double earliest;              /* of the push in a trial of one [s]                                               */
  double cycles;                /* it comes within so many cycles of the clip after that                           */
};
void trial_defaults(const struct creature *c, enum trial_kind kind, struct trial_options *o);

struct trial_result {
  double seconds;               /* until it fell, or all                                                           */
  double up;                    /* 1: it did not fall                                                              */
  double last_push, angle, phase_fragment; /* [body weights]; against the heading [rad]; fragment in which it began */
  double fragment;              /* in which it was in the end: where it fell                                       */
  double looks;                 /* share of fragments that were looked ahead from                                  */
  double course, heading;       /* largest error of place [L] and heading [rad] against the path, in the end        */
  double processor;             /* seconds; for people                                                             */
};

extern const struct control_jobs_kind trials_jobs; /* for ranks that serve */

/* n results in the arena; NULL after an error. */
struct trial_result *trials_run(struct arena *arena, const struct controls *c, int n, const struct trial_options *o,
                                struct diag *d);

struct trial_summary {
  double mean_seconds, deviation; /* to the fall, or to the end                                                    */
  double speed;                 /* simulated seconds per second of one processor                                   */
  double looks;                 /* share of fragments that were looked ahead from, mean                            */
  double course;                /* largest error of place of any [L]                                               */
  int up, n;                    /* how many did not fall, of how many                                              */
};
struct trial_summary trials_summary(const struct trial_result *r, int n);

/* How many fell in each clip, in the arena (n_strips). */
int *trials_falls(struct arena *arena, const struct control_graph *g, const struct trial_result *r, int n);

/* Is it good enough that so many of n did not fall (-1: an error)? Of walks all; of pushes 19 of 20; growing pushes
 * make everything fall at some time. */
int trials_passed(enum trial_kind kind, int up, int n);

#endif
