/* The biped's walk, solved once for a test, and a turn out of it. */
#ifndef MUYBRIDGE_TESTS_TRACK_WALK_H
#define MUYBRIDGE_TESTS_TRACK_WALK_H

#include "motion/graph.h"

struct walk { const struct creature *creature; struct graph_input in; struct graph_clip clips[2]; };

/* The first gait of a creature at its middle speed. NULL, and why on standard error, when there is none. */
const struct clip *walk_of(struct arena *arena, const struct creature *c);

/* The biped with tendons at knees, and over hips and knees: its clips are clips of this one, and its joints need the
 * same torques, but not its muscles. */
const struct creature *walk_elastic(struct arena *arena, const struct creature *biped);

/* 0, and a message, when that does not go. turn: with the second clip. */
int walk_make(struct arena *arena, int turn, struct walk *w);

#endif
