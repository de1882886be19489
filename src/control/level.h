/* A state as it would be on level ground: what policies, which were learned there, are asked about on any other.
 *
 * The ground below a creature is the mean around its root, about as far as it steps: a stair or a pebble under one foot
 * is then a part of a step and not a jump of the whole body, and a slope is exactly that. Feet stay where they are
 * against the body; it is the body as a whole that is moved. Level ground changes no bit. */
#ifndef MUYBRIDGE_CONTROL_LEVEL_H
#define MUYBRIDGE_CONTROL_LEVEL_H

#include "creature/creature.h"
#include "physics/world.h"

/* Height of the ground below a creature whose root is above x, y [m]. */
double level_height(const struct terrain *t, const struct creature *c, double x, double y);

/* Takes the ground's height off the root's, and what it rises by on the way off the root's speed (v may be NULL). */
void level_state(const struct terrain *t, const struct creature *c, double *q, double *v);

#endif
