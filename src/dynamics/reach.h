/* Inverse kinematics of legs: bends the joints of every leg so that its contact points come to their goals, as near as
 * joint ranges allow; the root, the spine and the arms stay as they are. Damped least squares (Wampler 1986), leg by
 * leg: legs that share a joint are solved together. */
#ifndef MUYBRIDGE_DYNAMICS_REACH_H
#define MUYBRIDGE_DYNAMICS_REACH_H

#include "base/arena.h"
#include "creature/creature.h"
#include "dynamics/dynamics.h"

struct reach;

/* For poses in units of which one is `length` metres: 1 with dynamics_new(), the creature's height with
 * dynamics_new_dimensionless(). d is used by reach_goals(), whose kinematics it leaves there. */
struct reach *reach_new(struct arena *arena, const struct creature *c, struct dynamics *d, double length);

/* Moves q (n_dofs) so that contact points come to goal (n_points x 3), both in the units of reach_new(). Returns the
 * farthest that a point with wanted[p] (NULL: all) stays away from its goal along x, y or z. Nothing is allocated. */
double reach_goals(struct reach *r, const double *goal, const unsigned char *wanted, double *q);

#endif
