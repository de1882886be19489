/* Private to src/capture. Least squares of a few unknowns within bounds (Levenberg 1944, Marquardt 1963): to fit
 * floors, feet and poses. */
#ifndef MUYBRIDGE_CAPTURE_LEVENBERG_H
#define MUYBRIDGE_CAPTURE_LEVENBERG_H

#include "base/arena.h"

struct levenberg_problem {
  int n, m;                     /* unknowns, residuals                                                    */
  const double *lower, *upper;  /* bounds; NULL: none                              (n)                    */
  void *user;
  /* Residuals r (m) at x, and their derivatives J (m x n, row-major), which is all zeros before; NULL: not wanted. */
  void (*evaluate)(void *user, const double *x, double *r, double *J);
  int max_iterations;
  double tolerance;             /* ends when no unknown changes by more than this                         */
};

struct levenberg_result {
  double cost;                  /* sum of squares                                                         */
  int iterations;
  int converged;                /* 0: out of iterations, or residuals that are no numbers                 */
};

/* Scratch memory for problems of up to n unknowns and m residuals. */
struct levenberg;
struct levenberg *levenberg_new(struct arena *arena, int n, int m);

/* Improves x, which is first moved within the bounds. The cost never grows. */
struct levenberg_result levenberg_solve(struct levenberg *l, const struct levenberg_problem *p, double *x);

#endif
