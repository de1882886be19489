/* Private to src/physics. What engines in reduced coordinates share: their state is w->q and w->v, nothing else. Bodies
 * are placed from q, servos and tissue give implicit torques, momentum is what q and v say. An engine that calls
 * reduced_choose_chart() has no gimbal lock of the root. */
#ifndef MUYBRIDGE_REDUCED_H
#define MUYBRIDGE_REDUCED_H

#include "physics/chart.h"

/* Tissue over two joints: D has this entry twice, off its diagonal. */
struct reduced_coupling {
  int dof[2];                   /* the first carries the second                       */
  double damping;
};

struct reduced {
  struct chart charts[2];
  struct dynamics *dynamics;    /* dimensionless, of the present chart                */
  double *frames;               /* per body: place 3, rotation 12           (n_bodies x 15) */
  double *joints;               /* place of each body's joint               (n_bodies x 3)  */
  unsigned char *touches;       /* a body that has probes, or carries one that has (n_bodies) */
  unsigned char *placed;        /* a body that is where w->q says                 (n_bodies) */
  double *zero;                 /* (n)                                                */
  double *kp, *kd, *limit;      /* of servos                                (n)       */
  double *drive;                /* torque of servos at speed 0, by reduced_set_target() (n) */
  int *at_limit;                /* -1, 0, 1: which servos are at their limit, by reduced_review() (n) */
  double *given;                /* torque of those that are                 (n)       */
  double *inertia;              /* of each dof in the rest pose             (n)       */
  double *drag;                 /* of joints of a limp creature, in D, by reduced_set_target() (n) */
  double *passive_damping, *passive_torque; /* of tissue, in D and u; 0 without (n)      */
  double *damping;              /* diagonal of D: see reduced_fill_torques() (n)      */
  double *torque;               /* u, less what couplings take at w->v      (n)       */
  int n_couplings;
  struct reduced_coupling *couplings; /* the rest of D                      (n_couplings) */
};

void reduced_open(struct world *w);            /* sets w->reduced, x and R of the bodies */

/* Before placing bodies: takes the chart in which the root is far from gimbal lock. */
void reduced_choose_chart(struct world *w);

/* Bodies that may touch the ground, at w->q; others when asked for. */
void reduced_place(struct world *w);
void reduced_place_carriers(struct world *w, int body);  /* this one, and all that carry it */

/* Before a step: 0 if it cannot be done (target not sane). No servo is at its limit; tissue is
 * as w->q and w->v say. A limp creature's joints have drag where they turn wildly. */
int reduced_set_target(struct world *w, const struct world_target *target);

/* Torque of servos and tissue together at the speeds v' at the end of the step is u - D v'. Of servos D = h kp + kd,
 * for those that are not at their limit; torque is constant for those that are. Tissue with arms r and gain g
 * (passive.h) has g r r^T in D, and no limit. u - D v, which steps need, is torque - damping * v: of couplings, torque
 * has it already. */
void reduced_fill_torques(struct world *w);

/* The law of the servos at the speeds `next` at the end of the step; sets w->torques. Torques beyond their limits are
 * set to them, those at limits that they no longer need are released. How many changed? 0: the step is done. */
int reduced_review(struct world *w, const double *next);

/* Parts of struct engine. */
void reduced_motion(const struct world *w, int body, double *u, double *spin);
int  reduced_is_sane(const struct world *w);
void reduced_velocity(const struct world *w, double *v);
void reduced_momentum(const struct world *w, double *com, double *momentum, double *angular);

#endif
