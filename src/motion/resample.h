/* A clip at another frame rate, for programs that have their own. What is between frames is a cubic through them: good
 * for the eye, and to a few digits; physics was solved at the frames of the clip itself. */
#ifndef MUYBRIDGE_RESAMPLE_H
#define MUYBRIDGE_RESAMPLE_H

#include "motion/clip.h"

enum resample_ends {
  RESAMPLE_EXACT,  /* frames at k / fps as long as the clip lasts; a cycle does not close then, and is none */
  RESAMPLE_CLOSED  /* a cycle stays one: it has the whole number of frames that comes nearest, 3 or more  */
};

/* fps > 0. q by cubics with the slopes of central differences, forces by straight lines, contacts of the nearest frame.
 * A new clip in the arena, of the same name and gaits. */
struct clip *clip_resample(struct arena *arena, const struct creature *c, const struct clip *clip, double fps,
                           enum resample_ends ends);

#endif
