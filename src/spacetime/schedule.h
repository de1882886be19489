/* When which contact point touches the ground, frame by frame, and how high it must be in between. Private to this room. */
#ifndef MUYBRIDGE_SPACETIME_SCHEDULE_H
#define MUYBRIDGE_SPACETIME_SCHEDULE_H

#include "base/arena.h"
#include "creature/creature.h"

struct schedule {
  int n_frames, n_points;
  unsigned char *on;            /*                                     (n_frames x n_points) */
  double *clearance;            /* least height in the air, in units of the standing height L (n_frames x n_points) */
};

/* c is a body (body.h) in all of these. One cycle of a gait in n_frames frames; frame k is at phase (k + 1/2) / n_frames. */
struct schedule schedule_of_gait(struct arena *arena, const struct creature *c, const struct gait *g, int n_frames);

/* Does the second half of the cycle do what the first does, left and right exchanged? n_frames must be even. */
int schedule_is_mirrored(const struct creature *c, const struct schedule *s);

/* Do left and right do the same at the same time? */
int schedule_is_together(const struct creature *c, const struct schedule *s);

/* From `before` (whose frame first_before becomes frame 0) to `after` (whose frame first_after becomes the frame behind the last): each foot goes over from one cycle
 * to the other while it is in the air in both, as near to the middle as can be. */
struct schedule schedule_between(struct arena *arena, const struct creature *c, const struct schedule *before,
                                 int first_before, const struct schedule *after, int first_after, int n_frames);

#endif
