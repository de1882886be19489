/* Creatures of the zoo with other proportions: what a solver must not be surprised by. */
#ifndef MUYBRIDGE_TESTS_MUTANT_H
#define MUYBRIDGE_TESTS_MUTANT_H

#include "base/arena.h"
#include "base/rng.h"
#include "creature/creature.h"

/* Lengths of each part by up to +-40 %, masses by 0.5 to 2, left and right alike; periods and speeds follow the new
 * size. */
const struct creature *mutant_of(struct arena *arena, const struct creature *c, struct rng *r);

#endif
