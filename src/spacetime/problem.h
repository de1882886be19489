/* Private to src/spacetime. A clip as a nonlinear problem: what the optimizer sees. doc/spacetime.md has the
 * formulation.
 *
 * Everything here is in units in which the creature's mass, standing height and gravity are 1. Frames 0..n_frames-1 are
 * solved for; frames -1 and n_frames are the last and the first again in a cyclic clip, mirrored left to right when
 * only half a cycle is solved for. Its formulation (formulation.h) says which constraints and costs it has. */
#ifndef MUYBRIDGE_SPACETIME_PROBLEM_H
#define MUYBRIDGE_SPACETIME_PROBLEM_H

#include <math.h>

#include "base/arena.h"
#include "dynamics/dynamics.h"
#include "motion/surface.h"
#include "nlp/nlp.h"
#include "spacetime/spacetime.h"

struct formulation;
struct held;
struct limb_frame;
struct row_family;

/* One scalar constraint. Its family knows what index, axis and data mean. */
struct row {
  const struct row_family *family;
  int frame;
  int index;            /* a dof, a contact point, a pair of limbs ...            */
  int axis;             /* 0, 1, 2 for x, y, z where that matters                 */
  const void *data;     /* of the family's, in the problem's arena; NULL for most */
};

/* weight (sum coefficient x - target)^2, a part of the objective */
struct square {
  int frame;            /* whose cost it is part of; -1: of the task           */
  int first, count;     /* in square_var, square_coefficient                   */
  double weight, target;
};

/* One frame's entries of the Hessian: entry `local` of the dense local matrix is added, times sign, to entry `slot`. */
struct scatter {
  int local, slot;
  double sign;
};

/* Frames at the ends of a transition belong to other clips: the first ones where they are, the last ones at any place
 * on the ground. */
enum frame_hold { FRAME_FREE, FRAME_HELD, FRAME_SHIFTED };

/* The frame next to an end of a transition, of the clip that it leaves or enters: that clip goes on there, and what is
 * smooth in either may have a bend where they meet. */
struct problem_beyond {
  int known;                    /* 0: that clip ends there, too                            */
  const double *force;          /* on points, 0 in the air                      (n_points x 3) */
  const double *step;           /* of points, between it and the end, forwards in time (n_points x 3) */
};

struct problem_input {          /* by solve_input(), then by whoever lays out the clip     */
  const struct creature *c;     /* a body, see body.h                                      */
  const struct formulation *formulation;
  int n_frames;                 /* solved for                                              */
  double h;                     /* time between frames                                     */
  int cyclic, mirrored;
  int together;                 /* left and right do the same at the same time, as in a hop */
  const unsigned char *on;      /* contact point touches               (n_frames x n_points) */
  const double *swing;          /* how far a point is in its swing, see schedule.h  (n_frames x n_points) */
  const double *clearance;      /* least height of a point in the air  (n_frames x n_points) */
  double travel[3];             /* how far the ground moves back from frame to frame       */
  struct surface ground;        /* by solve_set_ground(); moved back along itself it stays what it is */
  double tilt[2];               /* pitch and roll of the root on it, likewise              */
  const double *heading;        /* nominal yaw                         (n_frames)          */
  const double *gaze;           /* where to look, to the left of the heading; NULL: ahead (n_frames) */
  const double *gaze_share;     /* of it, of each joint, see joints.h  (n_dofs)            */
  const double *rest;           /* pose to stay near                   (n_dofs)            */
  const double *relaxed;        /* pose of legs in the air, see joints.h (n_dofs)          */
  const double *effort;         /* price of torque^2 of each joint, see joints.h (n_dofs)  */
  const double *spin;           /* yaw momentum of the body at rest per speed of each dof, see joints.h (n_dofs) */
  const struct style *style;    /* by solve_set_style(), in units of the problem; NULL: none */
  const double *phase;          /* of the cycle, for key poses; NULL: they are left out (n_frames) */
  int n_keys;                   /* key poses of the request, beside those of the style, in units of the problem */
  const struct style_key *keys;
  double friction;              /* coefficient                                             */
  double cone_margin;           /* see spacetime.h                                         */
  double apart;                 /* least share of the feet's sideways distance at rest     */
  double lane;                  /* how far a foot may stray sideways from its lane, in leg lengths */
  const double *aside;          /* where the lanes are, to the left of the root; NULL: as at rest
                                                                       (n_frames x n_points) */
  double lowest_root;           /* least height of the root                                */
  double lane_room, apart_room; /* more of both, near touch-down and lift-off in a transition; see spacetime.h */
  double torque_change;         /* from a frame to the next, of the axis' peak; 0: any; see spacetime.h       */
  double landing_speed;         /* of a foot that comes down or leaves, at most; see spacetime.h */
  int warm;                     /* it starts from a solved motion: rows that bind there will bind again       */
  int coarse;                   /* fewer frames than a clip has, to start with: what is between them does not count  */
  double limb_margin;           /* between limbs, of the thinner one's radius              */
  double limb_depth;            /* overlap of limbs that is left alone, likewise           */
  double ground_depth;          /* how deep a limb may be in the ground, beyond its depth at rest */
  const enum frame_hold *hold;  /* NULL: all are free                  (n_frames)          */
  const double *q_held;         /* of frames that are held             (n_frames x n_dofs) */
  const double *force_held;     /* of these: forces of the other clip; held at the first and the last frame only
                                                                       (n_frames x n_points x 3) */
  struct problem_beyond beyond[2]; /* the first frame, the last                            */
  const double *path;           /* where the root should be, or NULL   (n_frames x 2)      */
  const double *lift;           /* how much higher than at rest it should be; NULL: not at all (n_frames) */
  int n_targets;                /* postures to keep, in units of the problem               */
  const struct posture_target *targets;
  double scale;                 /* of the whole objective                                  */
  double *weights;              /* of the cost terms, see formulation_weight()             */
  void **chosen;                /* by families whose rows are added as needed: which; by row_family.choose()
                                   (one per family, NULL: none yet)                        */
  int every_row;                /* all rows that such families may ever add: for tests     */
  const double *frame_factor;   /* of the biomechanical cost of a frame; NULL: 1  (n_frames) */
  const struct task_gradient *task; /* NULL: none; in units of the problem            (n_frames) */
};

struct problem {
  struct problem_input in;
  struct dynamics *d;
  int n, n_points;              /* dofs, contact points                                    */
  int n_groups;                 /* of four frames                                          */
  struct surface_axes ground;   /* of in.ground                                            */

  /* variables, by problem_new() */
  int n_vars;
  int *q_var;                   /* first variable of a frame's q            (n_frames)             */
  int *f_var;                   /* first of a force, -1 if in the air       (n_frames x n_points)  */
  double *x_lower, *x_upper;

  /* constraints, by problem_new() */
  int n_rows;
  struct row *rows;
  double *g_lower, *g_upper;
  const struct held *held;      /* which rows of contact points say something new: held.h   */
  double *rest_side;            /* how far to the left of the root a point is at rest   (n_points) */

  /* objective: the squares, by problem_new() */
  int n_squares;
  struct square *squares;
  int *square_var;
  double *square_coefficient;

  /* structure, by problem_new() */
  int *chain_count, *chain;     /* dofs that carry a point                  (n_points; n_points x n) */
  int *near_count, *near;       /* dofs above or below a dof                (n; n x n)               */
  int n_jacobian, n_hessian, *jacobian_row, *jacobian_col, *hessian_row, *hessian_col;
  int local_size;               /* of a frame's dense Hessian: 3 n + 3 n_points                      */
  int *scatter_first;           /* into scatter, per frame                  (n_frames + 1)           */
  struct scatter *scatter;
  double *constant_hessian;     /* of the squares                           (n_hessian)              */
  int *pair_slot;               /* of the pairs that rows and cost terms visit, in the order of their visits */

  /* the last point evaluated, by problem_evaluate(); numbers of four frames interleaved, see problem_value() */
  double *x;
  int level;                    /* 0 nothing, 1 residuals, 2 derivatives    */
  int *points;                  /* 0, 1, 2 ...                              */
  double *q, *v, *a;            /*                                (n_groups x 4 n)            */
  double *force, *position;     /*                                (n_groups x 4 x 3 n_points) */
  double *tau;                  /* joint torques (muscles only, see torque_law); the first six are the residual of the
                                   balance                        (n_groups x 4 n)            */
  double *dq, *dv, *M;          /* d tau / d q, v, a              (n_groups x 4 n n)          */
  double *jacobian;             /* d position / d q               (n_groups x 4 x 3 n_points n) */

  /* while the Hessian is evaluated */
  double *w, *lambda;           /* multipliers of torques, positions (n_groups x 4 n), (n_groups x 4 x 3 n_points) */
  struct dynamics_curvature curvature; /* of one group, of w . tau + lambda . position        */
  double *local;                /* Hessian over (q of k - 1, k, k + 1, forces of k) of one frame (local_size squared) */
  double *minus, *here, *plus;  /* slopes of the torques of one frame by these q  (n x n each) */
  int *seen;                    /* local variables that one torque depends on  (local_size)   */
  double *slope;                /* and its slopes by them                 (local_size)        */

  /* of the last point evaluated, as far as rows have asked: limb_frames.h */
  unsigned char *has_limb_frames; /*                                      (n_frames)          */
  struct limb_frame *limb_frames; /*                                      (n_frames x n)      */
};

/* Lays out the problem; all memory is the arena's. */
struct problem *problem_new(struct arena *arena, const struct problem_input *in);

/* The problem as the solver wants it. */
struct nlp problem_nlp(struct problem *p);

/* Evaluates residuals (level 1) or derivatives too (level 2) at x, unless that is done. */
void problem_evaluate(struct problem *p, const double *x, int level);

/* The biomechanical cost of each frame at x, unscaled and without its factor (n_frames). */
void problem_frame_costs(struct problem *p, const double *x, double *cost);

/* Weights of cost term t at frame k, as they enter the objective (COST_WEIGHTS of formulation.h). */
void problem_weights_at(const struct problem *p, int t, int k, double *weight);

/* ---- where things are ---- */

/* Where dof i of frame k is, -n_frames .. 2 n_frames - 1 if cyclic: its variable, and the sign with which it enters. */
struct place_of { int var; double sign; };
struct place_of problem_q(const struct problem *p, int k, int i);

/* Frame and point that stand for point i of frame k, and whether y is reversed. */
struct point_of { int frame, point; double y_sign; };
struct point_of problem_point(const struct problem *p, int k, int i);

/* Does point i touch the ground at frame k? */
int problem_touches(const struct problem *p, int k, int i);

/* How far the swing of point i has come at frame k: 0 where it touches the ground, 1 in the middle. 1 always on the
 * ground and in a cycle, where the heading is one and the same. */
double problem_swing_share(const struct problem *p, int k, int i);

/* How far the leg that a dof belongs to is in its swing at frame k: 0 while any of its points stands. */
double problem_leg_swing(const struct problem *p, int k, int dof);

/* Does the clip have a frame before or after frame k? */
static inline int problem_has_before(const struct problem *p, int k) { return p->in.cyclic || k > 0; }
static inline int problem_has_after(const struct problem *p, int k) { return p->in.cyclic || k + 1 < p->in.n_frames; }

/* Does frame k have both, so that it has a velocity and an acceleration? */
static inline int problem_has_dynamics(const struct problem *p, int k)
{
  return p->in.cyclic || (k > 0 && k + 1 < p->in.n_frames);
}

static inline enum frame_hold problem_hold(const struct problem *p, int k)
{
  return p->in.hold ? p->in.hold[k] : FRAME_FREE;
}

/* Are the forces of a frame given? Those of the outermost frames: the next ones answer to frames that are free. */
static inline int problem_force_is_held(const struct problem *p, int k)
{
  return p->in.hold && (k == 0 || k + 1 == p->in.n_frames);
}

/* First variable of the force on point i at frame k, -1 if it is in the air. */
static inline int problem_force_var(const struct problem *p, int k, int i) { return p->f_var[k * p->n_points + i]; }

/* To the left of the nominal heading: the direction that separates left from right feet. */
static inline void problem_sideways(const struct problem *p, int k, double out[2])
{
  out[0] = -sin(p->in.heading[k]);
  out[1] = cos(p->in.heading[k]);
}

/* Value number i of frame k in an array of interleaved groups with `size` numbers per state. */
static inline double *problem_value_at(double *array, size_t size, int k, size_t i)
{
  return &array[((size_t)(k / DYNAMICS_LANES) * size + i) * DYNAMICS_LANES + (size_t)(k % DYNAMICS_LANES)];
}
static inline double problem_value(const double *array, size_t size, int k, size_t i)
{
  return array[((size_t)(k / DYNAMICS_LANES) * size + i) * DYNAMICS_LANES + (size_t)(k % DYNAMICS_LANES)];
}

/* ---- the parts of problem_new() and problem_nlp() that have files of their own ---- */

/* problem_values.c */
double problem_objective(void *self, const double *x);
void problem_gradient(void *self, const double *x, double *grad);
void problem_constraints(void *self, const double *x, double *g);
void problem_jacobian(void *self, const double *x, double *values);

/* Visits the entries of the Jacobian in order; values come from the last evaluation of level 2, or are 0 before it. */
typedef void (*visit_entry)(void *to, int row, int var, double value);
void problem_visit_jacobian(const struct problem *p, visit_entry visit, void *to);

/* problem_hessian.c */
void problem_hessian(void *self, const double *x, double sigma, const double *lambda, double *values);

/* Sets hessian_row, hessian_col, scatter, pair_slot and constant_hessian. */
void problem_structure_hessian(struct arena *arena, struct problem *p);

#endif
