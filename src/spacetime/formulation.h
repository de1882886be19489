/* Private to src/spacetime. What a problem is made of: families of constraints, terms of the cost, laws of passive
 * torques.
 *
 * Each has a file of its own (rows_*.c, cost_*.c) that knows everything about it: where it has rows or terms, values,
 * first and second derivatives, and the words for a failure. The lists at the end of this header are the table: a new
 * family is one file and one line here. doc/spacetime.md, "How to add a constraint or a cost", leads through it;
 * tests/spacetime/test_formulation.c walks the table and compares all derivatives with differences. */
#ifndef MUYBRIDGE_SPACETIME_FORMULATION_H
#define MUYBRIDGE_SPACETIME_FORMULATION_H

#include "spacetime/problem.h"

/* ---- constraints ---- */

/* Rows while they are laid out. It is done twice, to count and to fill in; a layout must do the same both times. */
struct row_list {
  struct arena *arena;          /* for the data of rows                                    */
  const struct problem *p;      /* has its variables and rest_side, no rows yet            */
  const struct row_family *family; /* that adds rows now                                   */
  const void *chosen;           /* by it, see choose(); NULL: nothing                      */
  int count;
  struct row *rows;             /* NULL while counting, with lower and upper               */
  double *lower, *upper;
};
void row_list_add(struct row_list *l, struct row r, double lower, double upper);

struct row_words {              /* "the friction cone (left_foot, frame 3 of 20) is violated by 0.1 UNIT; ADVICE" */
  const char *what, *subject, *unit, *advice;
  char text[256];               /* for advice with numbers in it, see words.h              */
};

/* A visitor of second derivatives by variables a and b; each pair once, in any order of a and b. */
typedef void (*visit_pair)(void *to, int a, int b, double value);

struct row_family {
  const char *name;             /* as in doc/spacetime.md                                  */

  /* Rows of a frame; of a contact point at a frame; of the clip. A problem asks for them frame by frame (in each all
   * families with frame_rows in the order of the table, then point by point those with point_rows), then for clip_rows.
   * NULL: none. */
  void (*frame_rows)(struct row_list *l, int k);
  void (*point_rows)(struct row_list *l, int k, int i);
  void (*clip_rows)(struct row_list *l);

  /* Value at p->x, after problem_evaluate() of level 1. */
  double (*value)(const struct problem *p, const struct row *r);

  /* First derivatives (level 2): visits the variables of the row, the same ones in the same order at any x. A variable
   * may come twice: values are added. */
  void (*jacobian)(const struct problem *p, const struct row *r, int row, visit_entry visit, void *to);

  /* Second derivatives times the multiplier. A row of torques or of positions of contact points hands its multiplier on
   * to them (problem_pull_torque, problem_pull_position): the curvature of the dynamics does the rest. What else it
   * has, it visits as pairs, the same ones at any x. Either may be NULL; both NULL: a linear row. */
  void (*hand_on)(struct problem *p, const struct row *r, double multiplier);
  void (*pairs)(const struct problem *p, const struct row *r, visit_pair visit, void *to);

  /* What to say of this row when it cannot be met at p->x: what it is, its unit, and advice that fits this case. */
  void (*words)(const struct problem *p, const struct row *r, struct row_words *out);

  /* For a family whose rows are added only where a solution breaks them: looks at x, remembers in *chosen (NULL at
   * first) what rows it wants from now on, and returns how many of that is new; `endless` is what is said when that
   * never ends. Both NULL: all rows are there from the start. */
  int (*choose)(struct arena *arena, struct problem *p, const double *x, void **chosen);
  const char *endless;
  /* Some rows cannot be met by any pose: two limbs at one hip. A solve with chosen rows has ended at x, why says how:
   * gives up for good what stood in the way. 0: nothing of its own did. NULL: never. */
  int (*relent)(struct problem *p, const double *x, enum nlp_status why, void *chosen);
  /* Of motions that lack some of its rows: how bad that is at x, the least is kept. NULL: the last one is. */
  double (*shortfall)(struct problem *p, const double *x);
  int may_lack;                 /* a motion that lacks some of its rows is better than none; the verifier judges it. A
                                   look at the same x may raise the bounds of rows that are there */
  int choose_at_start;          /* it looks at the motion to start from, too: rows that bind in a solved one will bind
                                   again (coarse to fine, other tempos, mending), limbs that are near in a guess may
                                   meet */
};

/* ---- the objective ---- */

struct square_list {            /* squares while they are laid out; twice, as rows are     */
  const struct problem *p;
  const double *weight;         /* of the term that adds squares now, in its order          */
  int frame;                    /* whose squares are added, -1: the task's                  */
  int n_squares, n_vars;
  struct square *squares;       /* NULL while counting, with var and coefficient            */
  int *var;
  double *coefficient;
};
/* Adds weight (sum coefficient x - target)^2; the list takes care of scale and mean over frames. */
void square_list_add(struct square_list *l, double weight, double target, int count, const int *var,
                     const double *coefficient);

#define COST_WEIGHTS 12         /* of one term, at most */

struct cost_term {
  const char *name;             /* as in doc/spacetime.md                                  */
  struct cost_weight { const char *name; double value; } weights[COST_WEIGHTS]; /* defaults; a name is used once */
  int of_task;                  /* not part of the biomechanical cost of a frame           */

  /* As squares of linear functions of the variables, of frame k: their derivatives need no code. May be NULL. */
  void (*squares)(struct square_list *l, int k);

  /* As any other function of frame k. weight: the term's, each times what it needs to be part of the objective. All
   * NULL, or: value adds to *sum (after level 1), gradient to grad (level 2). Second derivatives, times weight: of what
   * depends on torques and positions as multipliers handed on, and as an addition to p->local (see
   * problem_add_torque_square); of all else as pairs, the same ones at any x. */
  void (*value)(const struct problem *p, int k, const double *weight, double *sum);
  void (*gradient)(const struct problem *p, int k, const double *weight, double *grad);
  void (*hand_on)(struct problem *p, int k, const double *weight);
  void (*local_hessian)(struct problem *p, int k, const double *weight);
  void (*pairs)(const struct problem *p, int k, const double *weight, visit_pair visit, void *to);
};

/* ---- passive torques ---- */

/* A torque that no muscle gives: tendons, ligaments, stops, dampers. What remains in tau is the muscles' part, which
 * costs and limits look at. Both functions are called for one frame that has dynamics. */
struct torque_law {
  const char *name;
  /* Subtracts its torque from tau of frame k, with level 2 also its slopes from dq and dv. */
  void (*subtract)(struct problem *p, int k, int level);
  /* Subtracts its second derivatives, weighted by w, from the curvature (lane k % DYNAMICS_LANES). NULL: linear. */
  void (*subtract_curvature)(struct problem *p, int k);
};

/* ---- for those who write one: problem_values.c, problem_hessian.c ---- */

/* Coordinate of a contact point; its first derivatives times factor as entries of a row; its multiplier. */
double problem_position(const struct problem *p, int k, int point, int axis);
void problem_visit_position(const struct problem *p, int k, int point, int axis, double factor, int row,
                            visit_entry visit, void *to);
void problem_pull_position(struct problem *p, int k, int point, int axis, double multiplier);

/* d position / d q_j, for a dof j that carries the point; frame 0 .. n_frames - 1. */
double problem_point_slope(const struct problem *p, int k, int point, int axis, int j);

/* The same for row i of inverse dynamics less contact forces: a force or moment on the root (i < 6), or a torque. */
static inline double problem_torque(const struct problem *p, int k, int i)
{
  return problem_value(p->tau, (size_t)p->n, k, (size_t)i);
}
void problem_visit_torque(const struct problem *p, int k, int i, int row, visit_entry visit, void *to);
void problem_pull_torque(struct problem *p, int k, int i, double multiplier);

/* The same as functions of a family whose rows are a torque (index: dof), or the height of a point above the ground
 * (index), along its normal. */
double row_torque_value(const struct problem *p, const struct row *r);
void row_torque_jacobian(const struct problem *p, const struct row *r, int row, visit_entry visit, void *to);
void row_torque_hand_on(struct problem *p, const struct row *r, double multiplier);
double row_height_value(const struct problem *p, const struct row *r);
void row_height_jacobian(const struct problem *p, const struct row *r, int row, visit_entry visit, void *to);
void row_height_hand_on(struct problem *p, const struct row *r, double multiplier);

/* Adds weight (slope of torque i)(slope of torque i)^T to the local Hessian of frame k: i >= CREATURE_ROOT_DOFS, in
 * cost_term.local_hessian() only. */
void problem_add_torque_square(struct problem *p, int k, int i, double weight);

/* ---- the table ---- */

struct formulation {
  const struct row_family *const *families;
  const struct cost_term *const *terms;
  const struct torque_law *const *laws;
  int n_families, n_terms, n_laws;
};

/* In the order in which rows and terms are laid out: the bits of all results depend on it. */
#define SPACETIME_ROW_FAMILIES(X) \
  X(balance) \
  X(torque_limit) \
  X(height) \
  X(slip) \
  X(cone) \
  X(clearance) \
  X(lane) \
  X(feet_apart) \
  X(limbs_apart) \
  X(above_ground) \
  X(junction) \
  X(landing) \
  X(torque_change)

#define SPACETIME_COST_TERMS(X) \
  X(task) \
  X(posture) \
  X(target) \
  X(together) \
  X(path) \
  X(acceleration) \
  X(force) \
  X(torque) \
  X(net_force) \
  X(momentum) \
  X(key_pose)

#define SPACETIME_TORQUE_LAWS(X) \
  X(tissue)

#define DECLARE_ROW_FAMILY(name) extern const struct row_family row_family_##name;
#define DECLARE_COST_TERM(name) extern const struct cost_term cost_term_##name;
#define DECLARE_TORQUE_LAW(name) extern const struct torque_law torque_law_##name;
SPACETIME_ROW_FAMILIES(DECLARE_ROW_FAMILY)
SPACETIME_COST_TERMS(DECLARE_COST_TERM)
SPACETIME_TORQUE_LAWS(DECLARE_TORQUE_LAW)

/* What every clip is solved with. */
extern const struct formulation formulation_default;

/* The weight of that name; NULL if the formulation has none such. */
double *formulation_weight(const struct problem_input *in, const char *name);

/* Multiplies it, if there is one. */
void formulation_scale_weight(const struct problem_input *in, const char *name, double factor);

/* Likewise; the weight becomes value. */
void formulation_set_weight(const struct problem_input *in, const char *name, double value);

/* Fills in formulation, scale, weights and chosen: defaults, nothing chosen. */
void formulation_set(struct arena *arena, struct problem_input *in, const struct formulation *f);

#endif
