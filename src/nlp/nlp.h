/* A sparse nonlinear problem, and the solver behind it.
 *
 *   minimise f(x)   subject to   x_lower <= x <= x_upper,   g_lower <= g(x) <= g_upper
 *
 * The problem belongs to whoever wrote it; the solver (Ipopt, in one file, with ldl.h for its linear systems) only
 * calls it. Structures are triplets, zero-based; the Hessian of the Lagrangian sigma f + lambda . g is a lower
 * triangle. Entries that appear twice are added. */
#ifndef MUYBRIDGE_NLP_H
#define MUYBRIDGE_NLP_H

#include "base/arena.h"

#define NLP_INFINITY 1e20

struct nlp {
  int n, m;                              /* variables, constraints                    */
  const double *x_lower, *x_upper;       /*                                  (n each) */
  const double *g_lower, *g_upper;       /*                                  (m each) */
  int n_jacobian, n_hessian;             /* entries of the triplets                   */
  const int *jacobian_row, *jacobian_col;
  const int *hessian_row, *hessian_col;  /* row >= col                                */
  void *self;                            /* passed to all functions                   */
  double (*objective)(void *self, const double *x);
  void (*gradient)(void *self, const double *x, double *grad);
  void (*constraints)(void *self, const double *x, double *g);
  void (*jacobian)(void *self, const double *x, double *values);
  void (*hessian)(void *self, const double *x, double sigma, const double *lambda, double *values);
};

enum nlp_status {
  NLP_SOLVED,          /* to the tolerance                                           */
  NLP_ACCEPTABLE,      /* feasible, not quite optimal                                */
  NLP_INFEASIBLE,      /* stuck where the constraints cannot be met                  */
  NLP_ITERATIONS,      /* more iterations than allowed                               */
  NLP_TIME,            /* more processor time than allowed                           */
  NLP_STOPPED,         /* the caller's progress function said so                     */
  NLP_ASTRAY,          /* the curvature was wrong for too long, see patience          */
  NLP_NUMBERS,         /* a NaN or an infinity turned up                             */
  NLP_FAILED           /* the solver gave up, or refused the problem                 */
};
const char *nlp_status_text(enum nlp_status status);

struct nlp_progress {
  int iteration, restoring;              /* restoring: looking for feasibility alone  */
  double objective, infeasibility, dual_infeasibility, barrier, step;
};

/* What is known of the solution. NLP_RESUME: that of nearly the same problem, x and multipliers. Few iterations then,
 * but many more than from x alone where the solution is not near after all. */
enum nlp_start { NLP_AFAR, NLP_NEAR, NLP_RESUME };

struct nlp_options {                     /* by nlp_defaults()                         */
  double tolerance;                      /* of the scaled optimality conditions       */
  double constraint_tolerance;           /* of the constraints as they are            */
  int max_iterations;
  double max_seconds;                    /* of processor time                         */
  int patience;                          /* iterations in a row whose Hessian had to be bent heavily before it gives
                                            up; 0: never                              */
  enum nlp_start start;
  double pivot_threshold;                /* of ldl.h: entries of L may grow to 1 over it; see ipopt_ldl.c */
  int limited_memory;                    /* no Hessian: to compare with               */
  int mumps;                             /* linear systems by MUMPS instead of ldl.h, as when the environment has
                                            MUYBRIDGE_MUMPS                           */
  int verbose;                           /* 0 to 12, the solver's own words on standard output */
  int (*progress)(void *user, const struct nlp_progress *p); /* 0 stops; may be NULL  */
  void *user;
};
void nlp_defaults(struct nlp_options *o);

struct nlp_result {
  enum nlp_status status;
  int iterations;
  double objective, infeasibility;       /* the latter recomputed from g and bounds   */
  double seconds;                        /* of processor time, in all                 */
  double seconds_evaluating;             /* of these in the problem's own functions   */
  double seconds_hessian;                /* of these in hessian()                     */
};

struct nlp_multipliers {
  double *rows;                          /* of constraints                        (m) */
  double *lower, *upper;                 /* of bounds of variables           (n each) */
};

/* Starts from x and leaves the solution (or the last point) there; so with the multipliers, which may be NULL unless
 * they are to start from.
 * Not for two threads at a time: Ipopt 3.11 counts the changes of its objects without a lock. Other threads may use
 * MUMPS meanwhile: linear systems are solved by ldl.h (ipopt_ldl.h says how), unless MUMPS is asked for, or this Ipopt
 * cannot be given another solver. */
void nlp_solve(const struct nlp *p, const struct nlp_options *o, double *x,
               struct nlp_multipliers *multipliers, struct nlp_result *result);

/* Largest violation of bounds and constraints at x; *which is the constraint's index, or -1 - i for bound i. */
double nlp_violation(const struct nlp *p, const double *x, const double *g, int *which);

/* Compares derivatives with central differences at x in random directions and returns the largest relative errors. */
struct nlp_check { double gradient, jacobian, hessian; };
struct nlp_check nlp_check_derivatives(struct arena *arena, const struct nlp *p, const double *x, unsigned seed);

#endif
