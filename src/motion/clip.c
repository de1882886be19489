/* Frames of a clip, and the states between them. */
#include "motion/clip.h"

#include <math.h>
#include <string.h>

struct clip *clip_new(struct arena *arena, const struct creature *c, int n_frames, double dt)
{
  struct clip *clip = ARENA_NEW(arena, 1, struct clip);
  size_t n = (size_t)n_frames;
  clip->name = clip->gait = clip->gait_after = "";
  clip->n_frames = n_frames;
  clip->n_dofs = c->n_dofs;
  clip->n_points = c->n_points;
  clip->dt = dt;
  clip->q = ARENA_NEW(arena, n * (size_t)c->n_dofs, double);
  clip->force = ARENA_NEW(arena, n * (size_t)c->n_points * 3, double);
  clip->contact = ARENA_NEW(arena, n * (size_t)c->n_points, unsigned char);
  return clip;
}

void clip_move_pose(struct clip_advance by, double *q)
{
  double x = q[0], y = q[1], s = sin(by.yaw), c = cos(by.yaw);
  q[0] = c * x - s * y + by.x;
  q[1] = s * x + c * y + by.y;
  q[3] += by.yaw;
}

void clip_place_pose(const struct clip *clip, struct clip_advance by, double *q)
{
  clip_move_pose(by, q);
  q[2] += surface_climb(&clip->ground, by.x, by.y);
}

int clip_is_still(const struct clip *clip)
{
  size_t row = (size_t)clip->n_dofs;
  int k = 1;
  while (k < clip->n_frames && memcmp(clip->q + (size_t)k * row, clip->q, row * sizeof *clip->q) == 0)
    k++;
  return clip->cyclic && k >= clip->n_frames && clip->advance.x == 0 && clip->advance.y == 0 && clip->advance.yaw == 0;
}

double clip_climb(const struct clip *clip)
{
  return surface_climb(&clip->ground, clip->advance.x, clip->advance.y);
}

/* The motion that undoes another. */
static struct clip_advance clip_inverse(struct clip_advance a)
{
  double s = sin(-a.yaw), c = cos(-a.yaw);
  return (struct clip_advance){-(c * a.x - s * a.y), -(s * a.x + c * a.y), -a.yaw};
}

void clip_frame(const struct clip *clip, int k, double *q)
{
  int cycles = 0, n = clip->n_frames;
  if (clip->cyclic)
    cycles = k >= 0 ? k / n : -((-k + n - 1) / n);
  memcpy(q, clip->q + (size_t)(k - cycles * n) * (size_t)clip->n_dofs, (size_t)clip->n_dofs * sizeof *q);
  for (; cycles > 0; cycles--)
    clip_place_pose(clip, clip->advance, q);
  for (; cycles < 0; cycles++)
    clip_place_pose(clip, clip_inverse(clip->advance), q);
}

int clip_state(const struct clip *clip, int k, double *q, double *v, double *a)
{
  size_t n = (size_t)clip->n_dofs;
  clip_frame(clip, k, q);
  memset(v, 0, n * sizeof *v);
  memset(a, 0, n * sizeof *a);
  if (!clip->cyclic && (k < 1 || k > clip->n_frames - 2))
    return 0;
  double h = clip->dt;
  clip_frame(clip, k - 1, v); /* the frame before, until it is replaced */
  clip_frame(clip, k + 1, a); /* the frame after */
  for (size_t i = 0; i < n; i++) {
    double before = v[i], after = a[i];
    v[i] = (after - before) / (2 * h);
    a[i] = (after - 2 * q[i] + before) / (h * h);
  }
  return 1;
}
