/* Window feedback: a linear model of each window, and the controls that bring errors back at least cost.
 *
 * A model says what the errors x (follow/errors.h) at a window's end are when it begins with errors x and servo
 * targets are off by u:
 *
 *   x' = A x + B u + d
 *
 * fitted to simulations (feedback_fit). Backwards from the end, the quadratic value V(x) = x'Px + 2 p'x and the
 * control u = K x + k follow (feedback_solve): finite horizon for what comes once, and the same over and over for a
 * cycle until it settles. doc/tracking.md. */
#ifndef MUYBRIDGE_FEEDBACK_FEEDBACK_H
#define MUYBRIDGE_FEEDBACK_FEEDBACK_H

#include "base/arena.h"
#include "creature/creature.h"

struct window_model {
  double *A, *B, *d;            /* (n_errors x n_errors), (n_errors x n_controls), (n_errors)      */
  double residual;              /* rms of what the fit leaves over                                  */
  int n_samples;                /* that it was made from                                            */
};

struct window_gain {
  double *K, *k;                /* (n_controls x n_errors), (n_controls)                            */
  double *P, *p;                /* value at the window's start (n_errors x n_errors), (n_errors)    */
};

struct feedback_weights {
  double place, height, yaw, tilt, joint, root_velocity, velocity, control;
};
void feedback_weights_defaults(struct feedback_weights *w);

/* Samples of one window: errors at the start (their position on the ground is taken to be 0), controls, errors at the
 * end. turn: how far the reference's heading turns over the window. */
struct window_samples {
  int n, n_errors, n_controls;
  const double *x, *u, *end;    /* (n x n_errors), (n x n_controls), (n x n_errors)                 */
  double turn;
  double ridge;                 /* of the sum of squares of a column                                */
  double scale_x, scale_v, scale_u; /* sizes of the perturbations                                   */
};
struct window_model *feedback_fit(struct arena *arena, const struct window_samples *s);

/* Gains of windows 0 .. n - 1, whose models are models[which[w]]. cycle: the windows from there on repeat for ever;
 * n: they do not, and the motion ends with its last window. 0 if a step has no solution (a NaN in a model, say). */
struct feedback_problem {
  int n, cycle;
  const int *which;
  const struct window_model *const *models;
  const struct feedback_weights *weights;
  const struct creature *creature;
  const struct window_gain *end; /* of a motion that ends: the value where it does; NULL: none                      */
};
int feedback_solve(struct arena *arena, const struct feedback_problem *problem, struct window_gain *gains);

/* Errors that linear models are trusted with: larger ones of place and yaw are cut to these. Policies' features are
 * cut likewise (control/features.h). */
struct feedback_trust { double place, yaw; }; /* [L], [rad] */
extern const struct feedback_trust feedback_trust;

/* u = K x + k, errors of place and yaw being cut to what the linear model may be trusted with. */
void feedback_control(const struct creature *c, const struct window_gain *g, const double *x, double *u);

/* V(x) likewise; what was cut adds its own square. */
double feedback_value(const struct creature *c, const struct window_gain *g, const double *x);

#endif
