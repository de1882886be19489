/* Gaits of a file that leave something open (struct open_gait): what of them is not searched, and what the search found
 * for the rest. */
#ifndef MUYBRIDGE_GAITS_OPEN_H
#define MUYBRIDGE_GAITS_OPEN_H

#include "gaits/pattern.h"

/* What is known of it at a speed. Its arrays are in the arena. */
struct pattern_fixed open_fixed(struct arena *arena, const struct creature *c, const struct legs *legs,
                                const struct open_gait *open, double speed);

/* The gait that a footfall was found for: its own name, what it says itself, and no leg that it does not mention. */
struct gait open_completed(struct arena *arena, const struct creature *c, const struct legs *legs,
                           const struct open_gait *open, const struct gait *found);

#endif
