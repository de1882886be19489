/* See limb_frames.h. */
#include "spacetime/limb_frames.h"

#include "base/vec3.h"

void limb_frames_at(struct dynamics *d, const struct creature *c, const double *q, struct limb_frame *out)
{
  static const double origin[3] = {0, 0, 0};
  dynamics_kinematics(d, q);
  for (int j = 0; j < c->n_dofs; j++) {
    dynamics_rotation(d, j, out[j].rotation);
    dynamics_point(d, j, origin, out[j].origin);
    mat3_mul_vec(out[j].rotation, c->dofs[j].axis, out[j].axis);
  }
}

const struct limb_frame *limb_frames_of(const struct problem *p, int k)
{
  struct limb_frame *frames = p->limb_frames + (size_t)k * (size_t)p->n;
  if (!p->has_limb_frames[k]) {
    limb_frames_at(p->d, p->in.c, p->x + p->q_var[k], frames);
    p->has_limb_frames[k] = 1;
  }
  return frames;
}

void limb_frame_place(const struct limb_frame *f, const double *local, double *world)
{
  mat3_mul_vec(f->rotation, local, world);
  vec3_add_scaled(world, f->origin, 1);
}
