/* Legs that reach: bends the joints of every leg so that its contact points come to their goals, the root staying where it
 * is. Legs that share no joint are solved apart; nothing is allocated. */
#ifndef MUYBRIDGE_MODAL_REACH_H
#define MUYBRIDGE_MODAL_REACH_H

#include "base/arena.h"
#include "creature/creature.h"
#include "dynamics/dynamics.h"

struct reach;

struct reach *reach_new(struct arena *arena, const struct creature *c, struct dynamics *d, double length);

/* goal (n_points x 3) and q in units of which one is `length` metres. Returns the farthest that a point with wanted[p]
 * (NULL: all) stays away from its goal. */
double reach_goals(struct reach *r, const double *goal, const unsigned char *wanted, double *q);

#endif
