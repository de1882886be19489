/* Motions over the ground, and where the frames of a clip stand on it.
 *
 * A motion (struct clip_advance) turns about the origin, then moves. The ground frame of a frame of a clip has its
 * origin below the root and its x axis along the reference heading: it is what a controller steers, free of the sway
 * that the root's own yaw shows. */
#ifndef MUYBRIDGE_GROUND_H
#define MUYBRIDGE_GROUND_H

#include "motion/clip.h"

/* First `inner`, then `outer`. */
struct clip_advance ground_after(struct clip_advance outer, struct clip_advance inner);

/* The motion that undoes another. */
struct clip_advance ground_inverse(struct clip_advance a);

/* An angle as one of (-pi, pi]. */
double ground_wrap(double angle);

/* x, y, z and yaw of a frame; of a cyclic clip any frame, else 0 .. n_frames - 1. */
void ground_pose(const struct clip *clip, int k, double pose[4]);

/* Reference heading of a frame in the clip's own frame: 0 in a cyclic clip (it grows evenly in one that turns); in a
 * transition it goes smoothly from 0 to `turn` in its last two frames, which belong to another clip. */
double ground_heading(const struct clip *clip, int k);

/* The ground frame of a frame: the motion that takes the origin and the x axis there. */
struct clip_advance ground_frame(const struct clip *clip, int k);

/* The motion that takes the own frame of `moved` to that of `still` so that the root of moved's frame m stands where
 * that of still's frame s does, yaw included. */
struct clip_advance ground_match(const struct clip *still, int s, const struct clip *moved, int m);

#endif
