/* Private to src/spacetime. Which coordinates of contact points are held, so that none says what others say already.
 *
 * Points of one rigid limb on the ground have six degrees of freedom between them, those of a foot with toes seven: a
 * row for each coordinate of each point would be more than that, and the solver's matrix would be singular. So rows are
 * chosen leg by leg, in the order of the points: heights first, then what keeps points from slipping; each if its
 * slopes are independent of those before it. */
#ifndef MUYBRIDGE_SPACETIME_HELD_H
#define MUYBRIDGE_SPACETIME_HELD_H

#include "spacetime/problem.h"

/* Slopes of contact points in a pose like any other, near that of rest; NULL where no leg has two points. */
struct held {
  const double *slopes;         /* d position / d q at heading 0         (n_points x 3 x n) */
  double *basis;                /* scratch: rows so far, orthonormal     (rows x n)         */
  double *row;                  /* scratch                               (n)                */
};

/* By problem_new(), when in, d, n and n_points are known. */
const struct held *held_new(struct arena *arena, const struct problem *p);

/* Is the height of point i, which touches at frame k, a row? */
int held_height(const struct problem *p, int k, int i);

/* Are its x (bit 1) and its y (bit 2), from frame k to the next, of a point that touches at both? */
enum { HELD_X = 1, HELD_Y = 2 };
int held_slip(const struct problem *p, int k, int i);

#endif
