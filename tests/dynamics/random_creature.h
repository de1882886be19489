/* Creatures made of random numbers, and random states, for the tests and benchmarks of the dynamics. */
#ifndef MUYBRIDGE_RANDOM_CREATURE_H
#define MUYBRIDGE_RANDOM_CREATURE_H

#include "base/arena.h"
#include "base/rng.h"
#include "creature/creature.h"

struct random_creature {
  int n_dofs, n_points;
  int branching;        /* a dof hangs on one of the last so many dofs: 1 gives a chain */
  double oblique;       /* share of axes that are not coordinate axes                   */
};

const struct creature *random_creature(struct arena *arena, struct random_creature what, struct rng *r);

/* q, v, a and w of n numbers each, uniform in -1 .. 1, the root up to 30 m away. */
void random_state(struct rng *r, int n, double *q, double *v, double *a, double *w);

#endif
