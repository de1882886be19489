/* Blends: a path that begins as one motion and ends as another. doc/search.md, equations 5 to 7.
 *
 * The first two frames of a blend are those of the first path and the last two those of the second, up to a motion over
 * the ground: they are what a transition shares with other clips. Joint angles are blended, so that feet slide a little
 * and physics is broken; an optimizer is to mend that. */
#ifndef MUYBRIDGE_BLEND_H
#define MUYBRIDGE_BLEND_H

#include "motion/path.h"
#include "motion/registration.h"

/* Weight of the second path, from 0 in the first two frames to 1 in the last two, smoothly (n). */
void blend_weights(int n, double *weight);

/* Frame by frame, two paths of the same length, the second placed so that both start at the same place along the same
 * heading. Contacts are those of the path that counts more. */
struct path *blend_linear(struct arena *arena, const struct creature *c, const struct path *a, const struct path *b);

/* Along a registration curve, in n_frames frames: moments that belong together are blended, standing as they stand
 * best to each other, at a tempo between the two. */
struct path *blend_registered(struct arena *arena, const struct creature *c, const struct registration *r,
                              const struct path *a, const struct path *b, int n_frames);

#endif
