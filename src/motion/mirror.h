/* Clips seen in a mirror: left and right exchanged. A creature that is the same on both sides gets every clip twice. */
#ifndef MUYBRIDGE_MIRROR_H
#define MUYBRIDGE_MIRROR_H

#include "motion/clip.h"

/* The clip reflected in the plane y = 0 of its own frame: poses, forces, contacts, advance, strafe, turn. Its ends
 * still name the clips and frames of the original, which it does not fit: the caller gives it new ones (see below). It
 * is a valid motion only if the creature is symmetric (creature_is_symmetric()): the caller asks. */
struct clip *clip_mirror(struct arena *arena, const struct creature *c, const struct clip *clip);

/* Is a cyclic clip its own mirror image, `shift` frames on (0 .. n_frames - 1, the least there is)? That is: is frame k
 * in the mirror the same as frame k + shift, moved over the ground without turning, for all k? Half a cycle for a walk,
 * 0 for a hop. `tolerance` is the largest difference allowed: of a joint [rad], of a place in standing heights, of a
 * force in body weights.
 *
 * Then the mirror of a transition that leaves this clip at frame i leaves the same clip at frame i + shift; and the
 * mirror of one that arrives at frame j arrives at j + shift. A clip that is not its own mirror image needs its
 * mirror in the graph beside it; there, frames keep their numbers. */
int clip_mirror_shift(const struct creature *c, const struct clip *clip, double tolerance, int *shift);

#endif
