/* Private to src/spacetime. Where the axes of all dofs are at a pose: what rows about limbs are made of. */
#ifndef MUYBRIDGE_SPACETIME_LIMB_FRAMES_H
#define MUYBRIDGE_SPACETIME_LIMB_FRAMES_H

#include "spacetime/problem.h"

/* Of one dof and the body that it carries, in the world, in units of the problem. */
struct limb_frame {
  double axis[3], origin[3];
  double rotation[9];   /* columns are the body's axes */
};

/* Frames of all dofs at q (n_dofs each). */
void limb_frames_at(struct dynamics *d, const struct creature *c, const double *q, struct limb_frame *out);

/* The same at frame k of the last point evaluated; computed once for each point. */
const struct limb_frame *limb_frames_of(const struct problem *p, int k);

/* A place of a body's frame in the world. */
void limb_frame_place(const struct limb_frame *f, const double *local, double *world);

#endif
