/* Private to src/creature. Where the bodies are at a pose, as far as loading needs it; dynamics/ has its own, fast. */
#ifndef MUYBRIDGE_POSE_H
#define MUYBRIDGE_POSE_H

#include "creature/creature.h"

struct pose_frame {
  double R[9]; /* row-major; columns are the body's axes in the world */
  double p[3]; /* the body's origin [m]                               */
};

/* Frames of all bodies at q (n_dofs each). */
void pose_frames(const struct creature *c, const double *q, struct pose_frame *frames);

/* A point of a body in the world; aliasing is not allowed. */
void pose_point(const struct pose_frame *f, const double local[3], double world[3]);

/* Height of the root's origin over the lowest contact point at these frames, over the lowest shape without feet [m]. */
double pose_height(const struct creature *c, const struct pose_frame *frames);

#endif
