/* The cubic spline through values at even steps: value, velocity and acceleration are continuous.
 *
 *   b[k-1] + 4 b[k] + b[k+1] = 6 (y[k+1] - 2 y[k] + y[k-1]) / h^2          b: second derivatives
 *
 * Several curves with the same steps stand beside each other, as the dofs of a motion do. */
#ifndef MUYBRIDGE_BASE_SPLINE_H
#define MUYBRIDGE_BASE_SPLINE_H

#include <stddef.h>

#include "base/arena.h"

enum spline_ends {
  SPLINE_NATURAL, /* b = 0 at both ends: goes on straight                                       */
  SPLINE_JOINED   /* the two outer pieces at either end are one cubic, so that cubics are exact; natural if n < 4 */
};

struct spline {
  int n;           /* of knots                                                      */
  size_t width;    /* of curves                                                     */
  double step;     /* h                                                             */
  const double *y; /* at the knots, the caller's                     (n x width)    */
  double *bend;    /* b, by spline_fit()                             (n x width)    */
};

/* n >= 2. y is not copied. */
struct spline spline_fit(struct arena *arena, int n, size_t width, const double *y, double step, enum spline_ends ends);

/* Value, first and second derivative at a share u, 0 to 1, of the way from knot k to the next, k <= n - 2, of all
 * curves; each (width), or NULL: not wanted. */
void spline_at(const struct spline *s, int k, double u, double *y, double *v, double *a);

#endif
