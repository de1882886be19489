/* Forces of the ground within the friction cone that bring a few numbers nearest to what is wanted (doc/modal.md, 3).
 *
 *   minimise  |sum_k B_k f_k - r|^2 / 2  +  sum_k w_k |f_k - g_k|^2 / 2,
 *   every f_k in its cone |tangential| <= mu normal
 *
 * Many forces, few rows: the dual has as many unknowns as rows, is smooth and convex, and every force is the projection
 * of an expression in it on the round cone. Newton's method on that finds the solution in a few steps, to rounding; no
 * polygon stands for the cone. */
#ifndef MUYBRIDGE_MODAL_FORCES_H
#define MUYBRIDGE_MODAL_FORCES_H

#include "base/arena.h"

#define FORCES_ROWS 12

struct forces_contact {
  double B[3][FORCES_ROWS];     /* what one unit of force along x, y, z adds to the rows */
  double usual[3];              /* g                                                     */
  double weight;                /* w > 0                                                 */
  double normal[3], mu;         /* mu infinite: a grip, any force                        */
  double force[3];              /* by forces_solve()                                     */
};

struct forces {
  int n, room;
  struct forces_contact *contacts; /*                    (room) */
  double wanted[FORCES_ROWS];   /* r                            */
  double dual[FORCES_ROWS];     /* where to start; by forces_solve(): r - sum B f */
};

struct forces *forces_new(struct arena *arena, int room);

/* Newton steps that it took; below 0 when it stopped short of `1e-10`, at the best point found. */
int forces_solve(struct forces *f);

/* The point of the cone nearest to f, and the derivative of that (3 x 3; NULL: not wanted). */
void forces_project(const double f[3], const double normal[3], double mu, double out[3], double *J);

#endif
