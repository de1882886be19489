/* Private to src/spacetime. First guesses of a cycle that has no motion to start from.
 *
 * A leg with tendons has several optima in its swing: it folds, or passes straight and is carried around. The solver
 * ends in the one that is near its start. So such a gait is started from several guesses, and the cheapest result is
 * kept (cycle.c; doc/spacetime.md, "First guesses"). A guess is poses; forces are the weight, shared evenly. */
#ifndef MUYBRIDGE_SPACETIME_GUESS_H
#define MUYBRIDGE_SPACETIME_GUESS_H

#include "spacetime/problem.h"

enum guess {                    /* in the order in which they are tried                             */
  GUESS_FOLDED,                 /* the rest pose, but legs in the air are bent so that they are shorter */
  GUESS_STANDING,               /* the rest pose in every frame                                     */
  N_GUESSES
};

/* Fills in x (n_vars), which is 0. */
void guess_make(struct arena *arena, const struct problem *p, enum guess which, double *x);

/* Sets legs such that feet are so far ahead of where they are under the standing body, and so much farther down, as far
 * as they reach (n_frames each). x has standing legs. */
void guess_reach(struct arena *arena, const struct problem *p, const double *ahead, const double *down, double *x);

/* Is a second guess worth its time? Not where no leg hangs far in a tendon: all of 39 gaits of biped, strider, triped,
 * HyQ and hexapod were found at the same cost from both. */
int guess_matters(const struct problem_input *in);

#endif
