/* Poses of a creature: at rest, in the mirror, and where the bodies then are. */
#include "creature/pose.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "creature/solid.h"

#define LEGS_OF_SIZE 0.35      /* the zoo's insects stand at 0.37 and 0.41 of theirs, all others higher */

double creature_size(const struct creature *c)
{
  double legs = 0;
  for (int f = 0; f < c->n_feet; f++)
    legs += c->feet[f].leg_length / c->n_feet;
  return fmax(c->height, LEGS_OF_SIZE * legs);
}

void creature_rest_pose(const struct creature *c, double *q)
{
  for (int i = 0; i < c->n_dofs; i++)
    q[i] = c->dofs[i].rest; /* that of root_z is the standing height */
}

void creature_mirror_pose(const struct creature *c, const double *q, double *mirrored)
{
  for (int i = 0; i < c->n_dofs; i++)
    mirrored[i] = c->dofs[i].mirror_sign * q[c->dofs[i].mirror];
}

/* R about a unit axis by an angle, Rodrigues: cos 1 + sin [a]x + (1 - cos) a a^T. */
static void pose_rotation(const double a[3], double angle, double R[9])
{
  double s = sin(angle), c = cos(angle), v = 1.0 - c;
  const double cross[9] = {0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      R[3 * i + j] = (i == j ? c : 0.0) + s * cross[3 * i + j] + v * a[i] * a[j];
}

void pose_point(const struct pose_frame *f, const double local[3], double world[3])
{
  mat3_mul_vec(f->R, local, world);
  vec3_add_scaled(world, f->p, 1.0);
}

void pose_frames(const struct creature *c, const double *q, struct pose_frame *frames)
{
  static const struct pose_frame world = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  for (int i = 0; i < c->n_dofs; i++) {
    const struct dof *dof = &c->dofs[i];
    const struct pose_frame *parent = dof->parent < 0 ? &world : &frames[dof->parent];
    double turn[9], moved[3];
    for (int j = 0; j < 3; j++)
      moved[j] = dof->offset[j] + (i < 3 ? q[i] * dof->axis[j] : 0.0);
    pose_point(parent, moved, frames[i].p);
    pose_rotation(dof->axis, i < 3 ? 0.0 : q[i], turn);
    mat3_mul(parent->R, turn, frames[i].R);
  }
}

/* How far the lowest point of a limb's shape is below the world's origin. */
static double pose_limb_reach(const struct pose_frame *frames, const struct limb *l)
{
  const struct pose_frame *f = &frames[l->body];
  double origin[3];
  pose_point(f, l->origin, origin);
  return solid_reach(&l->shape, &f->R[6]) - origin[2]; /* the third row: the world's z in the limb's frame */
}

double pose_height(const struct creature *c, const struct pose_frame *frames)
{
  double lowest = INFINITY, world[3];
  for (int i = 0; i < c->n_points; i++) {
    pose_point(&frames[c->points[i].body], c->points[i].at, world);
    lowest = fmin(lowest, world[2]);
  }
  for (int i = 0; c->n_points == 0 && i < c->n_limbs; i++)
    lowest = fmin(lowest, -pose_limb_reach(frames, &c->limbs[i]));
  return frames[CREATURE_ROOT_DOFS - 1].p[2] - lowest;
}

int creature_find_gait(const struct creature *c, const char *name)
{
  for (int i = 0; i < c->n_motions; i++)
    if (!strcmp(c->gaits[i].name, name))
      return i;
  return -1;
}

int creature_find_limb(const struct creature *c, const char *name)
{
  for (int i = 0; i < c->n_limbs; i++)
    if (!strcmp(c->limbs[i].name, name))
      return i;
  return -1;
}

int creature_find_dof(const struct creature *c, const char *name)
{
  for (int i = 0; i < c->n_dofs; i++)
    if (!strcmp(c->dofs[i].name, name))
      return i;
  return -1;
}
