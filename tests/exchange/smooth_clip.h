/* A clip of smooth random motion, which obeys no physics: for tests of those who only carry clips about. */
#ifndef MUYBRIDGE_TESTS_SMOOTH_CLIP_H
#define MUYBRIDGE_TESTS_SMOOTH_CLIP_H

#include <stdint.h>

#include "motion/clip.h"

/* Angles swing by up to `swing` [rad], the root travels; every contact point has a force in half of the frames. */
struct clip *smooth_clip(struct arena *arena, const struct creature *c, uint64_t seed, int cyclic, double swing);

#endif
