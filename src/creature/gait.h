/* Private to src/creature. The contacts of gaits, from a sketch. */
#ifndef MUYBRIDGE_GAIT_H
#define MUYBRIDGE_GAIT_H

#include "creature/sketch.h"

/* The gaits of a sketch whose names are right (its limbs may have errors), for the contact points in the order in which
 * build_feet() will make them. */
const struct gait *gait_read(const struct sketch *k, struct arena *arena);

/* The same for those that leave something open. */
const struct open_gait *gait_read_open(const struct sketch *k, struct arena *arena);

/* An interval of a cycle later by lag, from in [0, 1), until in (0, 1]. */
struct interval gait_shift(struct interval i, double lag);

#endif
