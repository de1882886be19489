/* B-spline coefficients of a clip. A cycle is unrolled a little at both ends: what happens further away is forgotten
 * like 0.27 to the power of the distance in frames. */
#include "modal/spline.h"

#include <math.h>
#include <string.h>

#define BEYOND 24               /* frames of the unrolled cycle, or of a mirrored end, on either side */

struct spline {
  const struct clip *clip;
  double *c;                    /* coefficients of frames -BEYOND .. n_frames + BEYOND - 1   ((n + 2 BEYOND) x n_dofs) */
};

/* Beyond the ends of a clip that is no cycle it goes on as it came, mirrored in its last pose: a captured walk begins and
 * ends in motion. */
static void unrolled(const struct clip *clip, int k, double *end, double *q)
{
  int last = clip->n_frames - 1, at = k < 0 ? 0 : last, mirrored = 2 * at - k;
  if (clip->cyclic || (k >= 0 && k <= last)) {
    clip_frame(clip, k, q);
    return;
  }
  clip_frame(clip, at, end);
  clip_frame(clip, mirrored < 0 ? 0 : mirrored > last ? last : mirrored, q);
  for (int i = 0; i < clip->n_dofs; i++)
    q[i] = 2 * end[i] - q[i];
}

/* (c[k-1] + 4 c[k] + c[k+1]) / 6 = q[k], c = q at both ends, in place. */
static void solve(int n, int width, double *c)
{
  struct arena *scratch = arena_new();
  double *factor = ARENA_NEW(scratch, (size_t)n, double);
  for (int k = 1; k < n - 1; k++) {
    double inverse = 1 / (4 - (k > 1 ? factor[k - 1] : 0));
    factor[k] = inverse;
    for (int i = 0; i < width; i++)
      c[k * width + i] = inverse * (6 * c[k * width + i] - c[(k - 1) * width + i]);
  }
  for (int k = n - 2; k >= 1; k--)
    for (int i = 0; i < width; i++)
      c[k * width + i] -= factor[k] * c[(k + 1) * width + i];
  arena_free(scratch);
}

struct spline *spline_new(struct arena *arena, const struct clip *clip)
{
  struct spline *s = ARENA_NEW(arena, 1, struct spline);
  int n = clip->n_frames + 2 * BEYOND, width = clip->n_dofs;
  double *end = ARENA_NEW(arena, (size_t)width, double);
  s->clip = clip;
  s->c = ARENA_NEW(arena, (size_t)n * (size_t)width, double);
  for (int k = 0; k < n; k++)
    unrolled(clip, k - BEYOND, end, s->c + (size_t)k * (size_t)width);
  solve(n, width, s->c);
  return s;
}

static struct clip_advance back(struct clip_advance a)
{
  double s = sin(-a.yaw), c = cos(-a.yaw);
  return (struct clip_advance){-(c * a.x - s * a.y), -(s * a.x + c * a.y), -a.yaw};
}

/* Whole cycles that are taken off a frame, which is left within the clip. */
static int take_cycles(const struct clip *clip, double *frame)
{
  if (!clip->cyclic) {
    *frame = fmin(clip->n_frames - 1, fmax(0, *frame));
    return 0;
  }
  int cycles = (int)floor(*frame / clip->n_frames);
  *frame -= (double)cycles * clip->n_frames;
  return cycles;
}

void spline_pose(const struct spline *s, double frame, double *q)
{
  const struct clip *clip = s->clip;
  int cycles = take_cycles(clip, &frame), k = (int)floor(frame), width = clip->n_dofs;
  double t = frame - k, u = 1 - t;
  double w[4] = {u * u * u / 6, 2.0 / 3 - t * t * (1 - t / 2), 2.0 / 3 - u * u * (1 - u / 2), t * t * t / 6};
  const double *c = s->c + (size_t)(k - 1 + BEYOND) * (size_t)width;
  for (int i = 0; i < width; i++)
    q[i] = w[0] * c[i] + w[1] * c[width + i] + w[2] * c[2 * width + i] + w[3] * c[3 * width + i];
  for (; cycles > 0; cycles--)
    clip_move_pose(clip->advance, q);
  for (; cycles < 0; cycles++)
    clip_move_pose(back(clip->advance), q);
}

void spline_contacts(const struct spline *s, double frame, unsigned char *contact, double *force)
{
  const struct clip *clip = s->clip;
  int cycles = take_cycles(clip, &frame), n = clip->n_frames, width = clip->n_points;
  int a = (int)floor(frame) % n, b = clip->cyclic ? (a + 1) % n : a + 1 < n ? a + 1 : a;
  double t = frame - floor(frame), turn = cycles * clip->advance.yaw;
  int near = t < 0.5 ? a : b;
  for (int p = 0; p < width; p++) {
    const double *fa = clip->force + 3 * (size_t)(a * width + p), *fb = clip->force + 3 * (size_t)(b * width + p);
    int both = clip->contact[a * width + p] && clip->contact[b * width + p];
    double share = both ? t : near == b, f[3];
    contact[p] = clip->contact[near * width + p];
    for (int i = 0; i < 3; i++)
      f[i] = contact[p] ? (1 - share) * fa[i] + share * fb[i] : 0;
    force[3 * p] = cos(turn) * f[0] - sin(turn) * f[1];
    force[3 * p + 1] = sin(turn) * f[0] + cos(turn) * f[1];
    force[3 * p + 2] = f[2];
  }
}
