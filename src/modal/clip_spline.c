/* A clip between its frames. A cycle is unrolled a little at both ends: what happens further away is forgotten like
 * 0.27 to the power of the distance in frames. */
#include "modal/clip_spline.h"

#include <math.h>
#include <string.h>

#include "base/spline.h"

#define BEYOND 24               /* frames of the unrolled cycle, or of a mirrored end, on either side */

struct clip_spline {
  const struct clip *clip;
  struct spline curve;          /* through frames -BEYOND .. n_frames + BEYOND - 1; step 1 */
};

/* Beyond the ends of a clip that is no cycle it goes on as it came, mirrored in its last pose: a captured walk begins
 * and ends in motion. */
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

struct clip_spline *clip_spline_new(struct arena *arena, const struct clip *clip)
{
  struct clip_spline *s = ARENA_NEW(arena, 1, struct clip_spline);
  int n = clip->n_frames + 2 * BEYOND;
  size_t width = (size_t)clip->n_dofs;
  double *end = ARENA_NEW(arena, width, double), *q = ARENA_NEW(arena, (size_t)n * width, double);
  for (int k = 0; k < n; k++)
    unrolled(clip, k - BEYOND, end, q + (size_t)k * width);
  s->clip = clip;
  s->curve = spline_fit(arena, n, width, q, 1, SPLINE_NATURAL);
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

void clip_spline_pose(const struct clip_spline *s, double frame, double *q)
{
  const struct clip *clip = s->clip;
  int cycles = take_cycles(clip, &frame), k = (int)floor(frame);
  spline_at(&s->curve, k + BEYOND, frame - k, q, NULL, NULL);
  for (; cycles > 0; cycles--)
    clip_move_pose(clip->advance, q);
  for (; cycles < 0; cycles++)
    clip_move_pose(back(clip->advance), q);
}

void clip_spline_contacts(const struct clip_spline *s, double frame, unsigned char *contact, double *force)
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
