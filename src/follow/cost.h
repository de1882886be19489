/* The cost of a simulated state against the reference: the four terms of Liu 2010, equations 1 to 5.
 *
 * Lengths are in standing heights L and velocities in sqrt(gL), rates in sqrt(g/L), so that the weights mean the
 * same for a mouse and a horse. */
#ifndef MUYBRIDGE_FOLLOW_COST_H
#define MUYBRIDGE_FOLLOW_COST_H

#include "base/arena.h"
#include "creature/creature.h"

struct cost_weights {           /* defaults: those "for all the motions" of section 4                               */
  double pose, root, ends, balance; /* of the terms                                                                 */
  double velocity;              /* of velocities beside places and angles, in equations 2, 3 and 5                  */
};
void cost_weights_defaults(struct cost_weights *w);

struct cost_terms { double pose, root, ends, balance, total; }; /* without weights, but the total has them */

struct costs;
struct costs *costs_new(struct arena *arena, const struct creature *c, const struct cost_weights *w);

/* ground: height of the ground below the state's root, which the reference does not know of [m]. */
struct cost_terms costs_of(struct costs *k, const double *q, const double *v, const double *q_ref, const double *v_ref,
                           double ground);

/* Angle between two orientations of the root [rad]; not finite if a number is not. */
double cost_root_angle(const struct creature *c, const double *q, const double *q_ref);

#endif
