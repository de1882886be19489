/* Creatures and clips made up for tests of pictures: no physics, every shape. */
#ifndef MUYBRIDGE_TESTS_PLOTS_MADE_H
#define MUYBRIDGE_TESTS_PLOTS_MADE_H

#include "motion/clip.h"

/* A body on two legs with feet, arms and a head, 15 dofs and 4 contact points, and one gait, walk. */
extern const char made_walker[];

/* NULL if the text is wrong, and then standard error says why. */
const struct creature *made_creature(struct arena *arena, const char *text);

/* Joints swing about the rest pose, feet stand as the first gait says, and share the weight. */
struct made { int frames, cyclic; double turn; };
struct clip *made_clip(struct arena *arena, const struct creature *c, const struct made *m);

#endif
