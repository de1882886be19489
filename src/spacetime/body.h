/* Private to src/spacetime. The creature as the optimizer sees it: with points that must stay out of the ground
 * although they never stand on it. */
#ifndef MUYBRIDGE_SPACETIME_BODY_H
#define MUYBRIDGE_SPACETIME_BODY_H

#include "base/arena.h"
#include "creature/creature.h"

/* A copy of the creature with further contact points behind its own: the ends of limbs that end freely, such as a
 * tail's tip or a toe's. They have no foot (-1), and gaits know nothing of them. */
const struct creature *body_of(struct arena *arena, const struct creature *c);

/* Does point i only have to stay out of the ground? */
static inline int body_is_free_end(const struct creature *body, int i)
{
  return body->points[i].foot < 0;
}

#endif
