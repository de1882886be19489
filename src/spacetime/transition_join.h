/* Private to src/spacetime. Two transitions that share a pair of frames, as one. */
#ifndef MUYBRIDGE_TRANSITION_JOIN_H
#define MUYBRIDGE_TRANSITION_JOIN_H

#include "motion/clip.h"

/* The first ends in the frames of a clip that the second begins with. Names and ends are those of the whole. */
struct clip *transition_join(struct arena *arena, const struct creature *c, const struct clip *first,
                             const struct clip *second);

#endif
