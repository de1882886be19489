/* A clip as a nonlinear problem: what the optimizer sees. Private to this room; doc/spacetime.md explains the formulation.
 *
 * Everything here is in units in which the creature's mass, standing height and gravity are 1. Frames 0..n_frames-1 are solved for; frames -1 and n_frames are
 * the last and the first again in a cyclic clip, seen in a mirror when only half a cycle is solved for. */
#ifndef MUYBRIDGE_SPACETIME_PROBLEM_H
#define MUYBRIDGE_SPACETIME_PROBLEM_H

#include <math.h>

#include "base/arena.h"
#include "dynamics/dynamics.h"
#include "nlp/nlp.h"
#include "spacetime/spacetime.h"

enum row_family { ROW_ROOT, ROW_HEIGHT, ROW_SLIP, ROW_SWING, ROW_CONE, ROW_APART, ROW_LANE, ROW_TORQUE,
                  ROW_LINK, N_ROW_FAMILIES };

struct row {
  enum row_family family;
  int frame;
  int index;            /* ROOT, TORQUE, LINK: dof; HEIGHT, SLIP, SWING, CONE: contact point; APART: the left point of a pair; LANE: contact point */
  int axis;             /* SLIP: 0 for x, 1 for y                                                                       */
};

/* weight (sum coefficient x - target)^2, a term of the objective */
struct linear_term {
  int frame;            /* whose cost it is part of; -1: of the task             */
  int first, count;     /* in term_var, term_coefficient */
  double weight, target;
};

/* One frame's entries of the Hessian: number at `local` of the dense local matrix goes, times sign, to entry `slot`. */
struct scatter {
  int local, slot;
  double sign;
};

/* Frames at the ends of a transition belong to other clips: the first ones as they are, the last ones wherever on the ground they end up. */
enum frame_hold { FRAME_FREE, FRAME_HELD, FRAME_SHIFTED };

struct weights {        /* by weights_default() */
  double scale;         /* of the whole objective                              */
  double torque, height, orientation, acceleration, force, force_rate, force_bend, force_edge, path, together;
  double limb, limb_aside, spine, spine_aside; /* posture: legs and arms, and what lies on the midline; bending in the plane of travel, and out of it */
};

struct problem_input {
  const struct creature *c;     /* a body, see body.h                                      */
  int n_frames;                 /* solved for                                              */
  double h;                     /* time between frames                                     */
  int cyclic, mirrored;
  int together;                 /* left and right do the same at the same time, as in a hop */
  const unsigned char *on;      /* contact point touches               (n_frames x n_points) */
  const double *clearance;      /* least height of a point in the air  (n_frames x n_points) */
  double travel[2];             /* how far the ground moves back from frame to frame       */
  const double *heading;        /* nominal yaw                         (n_frames)          */
  const double *rest;           /* pose to stay near                   (n_dofs)            */
  double friction, apart;       /* apart: least share of the feet's sideways distance at rest */
  double lane;                  /* how far a foot may stray sideways from its lane, in leg lengths */
  const double *aside;          /* where the lanes are, to the left of the root; NULL: as at rest (n_frames x n_points) */
  double lowest_root;           /* least height of the root                                */
  const unsigned char *limited; /* dofs whose torque limit is enforced (n_dofs)            */
  const enum frame_hold *hold;  /* NULL: all are free                  (n_frames)          */
  const double *q_held;         /* of frames that are held             (n_frames x n_dofs) */
  const double *force_held;     /* of the first and the last of them   (n_frames x n_points x 3) */
  const double *path;           /* where the root should be, or NULL   (n_frames x 2)      */
  struct weights weights;
  const double *frame_factor;   /* of the biomechanical cost of a frame; NULL: 1  (n_frames) */
  const struct task_pull *task; /* NULL: none; in units of the problem            (n_frames) */
};

struct problem {
  struct problem_input in;
  struct dynamics *d;
  int n, n_points;              /* dofs, contact points                                    */
  int n_groups;                 /* of four frames                                          */

  /* variables */
  int n_vars;
  int *q_var;                   /* first variable of a frame's q            (n_frames)             */
  int *f_var;                   /* first of a force, -1 if in the air       (n_frames x n_points)  */
  double *x_lower, *x_upper;

  /* constraints */
  int n_rows;
  struct row *rows;
  double *g_lower, *g_upper;

  /* objective */
  int n_terms, n_term_vars;
  struct linear_term *terms;
  int *term_var;
  double *term_coefficient;

  /* structure */
  int *chain_count, *chain;     /* dofs that carry a point                  (n_points; n_points x n) */
  int *near_count, *near;       /* dofs above or below a dof                (n; n x n)               */
  int n_jacobian, n_hessian, *jacobian_row, *jacobian_col, *hessian_row, *hessian_col;
  int local_size;               /* of a frame's dense Hessian: 3 n + 3 n_points                      */
  int *scatter_first;           /* into scatter, per frame                  (n_frames + 1)           */
  struct scatter *scatter;
  double *constant_hessian;     /* of the linear terms                      (n_hessian)              */
  int *cone_slot;               /* of a force's three diagonal entries      (n_frames x n_points x 3) */

  /* the last point evaluated; numbers of four frames interleaved */
  double *x_seen;
  int level;                    /* 0 nothing, 1 residuals, 2 derivatives    */
  int *points;                  /* 0, 1, 2 ...                              */
  double *q, *v, *a;            /*                                (n_groups x 4 n)            */
  double *force, *lambda, *position; /*                           (n_groups x 4 x 3 n_points) */
  double *tau, *w;              /*                                (n_groups x 4 n)            */
  double *dq, *dv, *M;          /*                                (n_groups x 4 n n)          */
  double *jacobian;             /*                                (n_groups x 4 x 3 n_points n) */
  struct dynamics_curvature curvature; /* of one group                                        */
  double *local, *minus, *here, *plus; /* of one frame                                        */
  int *seen;                    /* local variables that one torque sees   (local_size)        */
  double *slope;                /* and its slopes by them                 (local_size)        */
};

struct weights weights_default(void);

/* Lays out the problem; all memory is the arena's. */
struct problem *problem_new(struct arena *arena, const struct problem_input *in);

/* The problem as the solver wants it. */
struct nlp problem_nlp(struct problem *p);

/* Where dof i of frame k (-1 .. n_frames) is: its variable, and the sign with which it enters. */
struct place_of { int var; double sign; };
struct place_of problem_q(const struct problem *p, int k, int i);

/* Frame and point that stand for point i of frame k, and whether y is reversed. */
struct point_of { int frame, point; double y_sign; };
struct point_of problem_point(const struct problem *p, int k, int i);

/* Does frame k have both neighbours, so that it has a velocity and an acceleration? */
static inline int problem_has_dynamics(const struct problem *p, int k)
{
  return p->in.cyclic || (k > 0 && k + 1 < p->in.n_frames);
}

/* To the left of the nominal heading: the direction that separates left from right feet. */
static inline void problem_sideways(const struct problem *p, int k, double out[2])
{
  out[0] = -sin(p->in.heading[k]);
  out[1] = cos(p->in.heading[k]);
}

/* The biomechanical cost of each frame at x, unscaled and without its factor (n_frames). */
void problem_frame_costs(struct problem *p, const double *x, double *cost);

/* Weight of the squared torques of frame k in the objective. */
double problem_torque_weight(const struct problem *p, int k);

/* Evaluates residuals (level 1) or derivatives too (level 2) at x, unless that is done. */
void problem_evaluate(struct problem *p, const double *x, int level);

/* Value number i of frame k in an array of interleaved groups with `size` numbers per state. */
static inline double problem_value(const double *array, size_t size, int k, size_t i)
{
  return array[((size_t)(k / DYNAMICS_LANES) * size + i) * DYNAMICS_LANES + (size_t)(k % DYNAMICS_LANES)];
}

/* the nlp's functions: problem_values.c and problem_hessian.c */
double problem_objective(void *self, const double *x);
void problem_gradient(void *self, const double *x, double *grad);
void problem_constraints(void *self, const double *x, double *g);
void problem_jacobian(void *self, const double *x, double *values);
void problem_hessian(void *self, const double *x, double sigma, const double *lambda, double *values);

/* Visits the entries of the Jacobian in order; values come from the last evaluation of level 2, or are 0 before it. */
typedef void (*visit_entry)(void *to, int row, int var, double value);
void problem_visit_jacobian(const struct problem *p, visit_entry visit, void *to);

/* Sets hessian_row, hessian_col, scatter and constant_hessian. */
void problem_structure_hessian(struct arena *arena, struct problem *p);

#endif
