/* Private to src/spacetime. What torque and posture of each joint cost, by what its limb is for. */
#ifndef MUYBRIDGE_SPACETIME_JOINTS_H
#define MUYBRIDGE_SPACETIME_JOINTS_H

#include "base/arena.h"
#include "creature/creature.h"

/* Price of torque^2 (n_dofs): muscles of light limbs are weak, and a newton metre of theirs counts for more. Strength
 * is taken to grow with the mass of the whole limb, and the price is its inverse square: 1 for legs. */
const double *joints_effort(struct arena *arena, const struct creature *c);

/* The pose without load (n_dofs): as at rest, but joints that hang in a tendon at rest, such as a horse's fetlock, are
 * where it is slack. */
const double *joints_relaxed(struct arena *arena, const struct creature *c, const double *rest);

/* Angular momentum about the vertical through the centre of mass per speed of each dof, in the pose rest, dimensionless
 * (n_dofs): the yaw row of the mass matrix, less what the centre of mass carries. 0 for the root's translations. */
const double *joints_spin(struct arena *arena, const struct creature *c, const double *rest);

/* How far each joint turns for a gaze of one radian to the left of where the root looks (n_dofs): all joints of neck
 * and head share in it, each by how far it turns them about the vertical. 0 for others. *most is the farthest gaze that
 * leaves every joint well within its range; 0: nothing can turn. */
const double *joints_gaze(struct arena *arena, const struct creature *c, const double *rest, double *most);

#endif
