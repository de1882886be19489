/* Motions over the ground, composed, undone, and read off the frames of clips. */
#include "motion/ground.h"

#include <math.h>
#include <string.h>

#include "base/angle.h"

struct clip_advance ground_after(struct clip_advance outer, struct clip_advance inner)
{
  double s = sin(outer.yaw), c = cos(outer.yaw);
  return (struct clip_advance){c * inner.x - s * inner.y + outer.x, s * inner.x + c * inner.y + outer.y,
                               inner.yaw + outer.yaw};
}

struct clip_advance ground_inverse(struct clip_advance a)
{
  double s = sin(a.yaw), c = cos(a.yaw);
  return (struct clip_advance){-c * a.x - s * a.y, s * a.x - c * a.y, -a.yaw};
}

double ground_wrap(double angle)
{
  double wrapped = remainder(angle, 2 * PI);
  return wrapped <= -PI ? PI : wrapped;
}

void ground_pose(const struct clip *clip, int k, double pose[4])
{
  int n = clip->n_frames, cycles = clip->cyclic ? (k >= 0 ? k / n : -((n - 1 - k) / n)) : 0;
  memcpy(pose, clip->q + (size_t)(k - cycles * n) * (size_t)clip->n_dofs, 4 * sizeof *pose);
  for (; cycles > 0; cycles--)
    clip_place_pose(clip, clip->advance, pose);
  for (; cycles < 0; cycles++)
    clip_place_pose(clip, ground_inverse(clip->advance), pose);
}

double ground_heading(const struct clip *clip, int k)
{
  if (clip->cyclic)
    return clip->advance.yaw * k / clip->n_frames;
  if (k >= clip->n_frames - 2)
    return clip->turn;
  double s = (double)k / (clip->n_frames - 1);
  return clip->turn * s * s * (3 - 2 * s);
}

struct clip_advance ground_frame(const struct clip *clip, int k)
{
  double pose[4];
  ground_pose(clip, k, pose);
  return (struct clip_advance){pose[0], pose[1], ground_heading(clip, k)};
}

struct clip_advance ground_match(const struct clip *still, int s, const struct clip *moved, int m)
{
  double to[4], from[4];
  ground_pose(still, s, to);
  ground_pose(moved, m, from);
  struct clip_advance there = {to[0], to[1], to[3]}, here = {from[0], from[1], from[3]};
  return ground_after(there, ground_inverse(here));
}
