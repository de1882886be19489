/* The LQR teacher: models of all fragments, identified in the simulator, and the Riccati recursion over the graph.
 *
 * A cycle's value is that of going round for ever; a transition's is of finite horizon and ends in the value of the
 * cycle that it joins, at the frame where it does (doc/control.md). What comes out is a gain and a value for every
 * fragment, on all errors of a state (follow/errors.h). */
#ifndef MUYBRIDGE_CONTROL_LQR_TEACHER_H
#define MUYBRIDGE_CONTROL_LQR_TEACHER_H

#include "control/graph.h"
#include "feedback/identify.h"

struct lqr_teacher_options {
  struct identify_options identify;
  int still_samples;            /* of a stand and of transitions from or to one, so many times as many samples      */
  double still_errors;          /* of a stand, errors and offsets as a share of those of `identify`. Biped, stand
                                   alone, 20 s from errors of 0.003 without looking ahead: 0 of 10 as other clips,
                                   17 of 20 with 0.2 and five times the samples                                     */
  struct feedback_weights weights;
  struct world_options world;   /* where models are identified: the tree engine, being faster                       */
  int workers;                  /* follow/batches.h */
  int (*progress)(void *user, int strip, int n_strips); /* 0: stop; may be NULL */
  void *user;
};
void lqr_teacher_defaults(const struct creature *c, struct lqr_teacher_options *o);

struct lqr_teacher {
  struct window_gain *gains;    /* at the start of each fragment                        (n_fragments)               */
  double *residual;             /* rms of what its model leaves over                    (n_fragments)               */
  double seconds;               /* of processors; for people                                                        */
};

/* Lives in the arena. NULL after an error, or stopped. */
struct lqr_teacher *lqr_teacher_learn(struct arena *arena, const struct control_graph *g,
                                      const struct lqr_teacher_options *o, struct diag *d);

#endif
