/* Clips with left and right exchanged, and clips that are their own mirror image. */
#include "motion/mirror.h"

#include <math.h>

#include "motion/ground.h"

/* Forces and contacts of frame k. */
static void mirror_contacts(const struct creature *c, const struct clip *clip, int k, struct clip *out)
{
  size_t row = (size_t)k * (size_t)c->n_points;
  for (int i = 0; i < c->n_points; i++) {
    size_t to = row + (size_t)i, from = row + (size_t)c->points[i].mirror;
    out->contact[to] = clip->contact[from];
    out->force[3 * to] = clip->force[3 * from];
    out->force[3 * to + 1] = -clip->force[3 * from + 1];
    out->force[3 * to + 2] = clip->force[3 * from + 2];
  }
}

struct clip *clip_mirror(struct arena *arena, const struct creature *c, const struct clip *clip)
{
  struct clip *out = clip_new(arena, c, clip->n_frames, clip->dt), sizes = *out;
  *out = *clip;
  out->q = sizes.q;
  out->force = sizes.force;
  out->contact = sizes.contact;
  out->strafe = -clip->strafe;
  out->turn = -clip->turn;
  out->advance.y = -clip->advance.y;
  out->advance.yaw = -clip->advance.yaw;
  out->ground = surface_mirrored(&clip->ground);
  for (int k = 0; k < clip->n_frames; k++) {
    size_t row = (size_t)k * (size_t)c->n_dofs;
    creature_mirror_pose(c, clip->q + row, out->q + row);
    mirror_contacts(c, clip, k, out);
  }
  return out;
}

/* ---- its own mirror image ---- */

/* Forces and contacts of frame k in the mirror and of frame `other`, both within the cycle. */
static int mirror_contacts_agree(const struct creature *c, const struct clip *clip, int k, int other, double tolerance)
{
  double weight = c->mass * CREATURE_GRAVITY;
  for (int i = 0; i < c->n_points; i++) {
    size_t seen = (size_t)k * (size_t)c->n_points + (size_t)c->points[i].mirror;
    size_t here = (size_t)other * (size_t)c->n_points + (size_t)i;
    if (clip->contact[seen] != clip->contact[here])
      return 0;
    for (int axis = 0; axis < 3; axis++) {
      double f = axis == 1 ? -clip->force[3 * seen + 1] : clip->force[3 * seen + (size_t)axis];
      if (!(fabs(f - clip->force[3 * here + (size_t)axis]) <= tolerance * weight))
        return 0;
    }
  }
  return 1;
}

/* Poses of frame k in the mirror and of frame k + shift, relative to the places of frames 0 and shift. */
static int mirror_poses_agree(const struct creature *c, const struct clip *clip, int k, int shift, double tolerance)
{
  double start[4], end[4], here[4];
  const double *seen = clip->q + (size_t)k * (size_t)c->n_dofs;
  const double *there = clip->q + (size_t)((k + shift) % clip->n_frames) * (size_t)c->n_dofs;
  ground_pose(clip, 0, start);
  ground_pose(clip, shift, end);
  ground_pose(clip, k + shift, here);
  for (int i = 0; i < c->n_dofs; i++) {
    const struct dof *dof = &c->dofs[i];
    double mirrored = dof->mirror_sign * seen[dof->mirror], found = i < 4 ? here[i] : there[i];
    if (i < 2) {
      mirrored -= dof->mirror_sign * start[i];
      found -= end[i];
    }
    if (!(fabs(mirrored - found) <= tolerance * (i < 3 ? c->height : 1)))
      return 0;
  }
  return 1;
}

int clip_mirror_shift(const struct creature *c, const struct clip *clip, double tolerance, int *shift)
{
  int n = clip->n_frames;
  if (!clip->cyclic || !(fabs(clip->advance.y) <= tolerance * c->height) || !(fabs(clip->advance.yaw) <= tolerance))
    return 0; /* a cycle that moves to one side moves to the other in the mirror */
  for (int s = 0; s < n; s++) {
    int k = 0;
    while (k < n && mirror_poses_agree(c, clip, k, s, tolerance) &&
           mirror_contacts_agree(c, clip, k, (k + s) % n, tolerance))
      k++;
    if (k == n) {
      *shift = s;
      return 1;
    }
  }
  return 0;
}
