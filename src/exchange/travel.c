/* See travel.h. */
#include "exchange/travel.h"

#include <math.h>

#include "base/angle.h"
#include "motion/ground.h"

#define SMOOTH 0.25             /* width of the Gaussian [s]: half a stride's sway is gone */
#define WIDTHS 3                /* of it that are looked at to either side                 */

/* ---- cycles ---- */

/* A share of a motion: evenly along the arc of a circle. Such an arc with angle a and chord v, in the direction of half
 * the angle, is (sin a / a, (1 - cos a) / a) times the way; the inverse of that matrix gives the way of the whole. */
static struct clip_advance share_of(struct clip_advance whole, double share)
{
  double a = whole.yaw, half = a / 2, cot = fabs(half) < 1e-4 ? 1 - half * half / 3 : half / tan(half);
  double x = cot * whole.x + half * whole.y, y = cot * whole.y - half * whole.x; /* the way, were it straight */
  double b = a * share, s = fabs(b) < 1e-4 ? 1 - b * b / 6 : sin(b) / b, c = fabs(b) < 1e-4 ? b / 2 : (1 - cos(b)) / b;
  return (struct clip_advance){share * (s * x - c * y), share * (c * x + s * y), b};
}

/* The arc begins where the root is in the mean: each frame, taken back by its share of the way. */
static void travel_of_cycle(const struct clip *clip, int n, struct clip_advance *way)
{
  struct clip_advance start = {0, 0, 0};
  for (int k = 0; k < clip->n_frames; k++) {
    double pose[4];
    ground_pose(clip, k, pose);
    struct clip_advance back = ground_inverse(share_of(clip->advance, (double)k / clip->n_frames));
    struct clip_advance home = ground_after(back, (struct clip_advance){pose[0], pose[1], 0});
    start.x += home.x / clip->n_frames;
    start.y += home.y / clip->n_frames;
  }
  for (int k = 0; k < n; k++)
    way[k] = ground_after(share_of(clip->advance, (double)k / clip->n_frames), start);
}

/* ---- other clips ---- */

/* x, y and yaw of a frame; beyond the ends the clip is continued by its image in the point where it ends. yaw: without
 * jumps (n_frames). */
static void extended(const struct clip *clip, const double *yaw, int k, double out[3])
{
  int last = clip->n_frames - 1, end = k < 0 ? 0 : last, outside = k < 0 || k > last;
  int inside = outside ? 2 * end - k : k;
  inside = inside < 0 ? 0 : inside > last ? last : inside;
  const double *q = clip->q + (size_t)inside * (size_t)clip->n_dofs, *e = clip->q + (size_t)end * (size_t)clip->n_dofs;
  double here[3] = {q[0], q[1], yaw[inside]}, there[3] = {e[0], e[1], yaw[end]};
  for (int i = 0; i < 3; i++)
    out[i] = outside ? 2 * there[i] - here[i] : here[i];
}

static void travel_smoothed(const struct clip *clip, int n, struct clip_advance *way)
{
  struct arena *arena = arena_new();
  double *yaw = ARENA_NEW(arena, (size_t)clip->n_frames, double);
  int reach = (int)(WIDTHS * SMOOTH / clip->dt);
  for (int k = 0; k < clip->n_frames; k++) {
    yaw[k] = clip->q[(size_t)k * (size_t)clip->n_dofs + 3];
    if (k)
      yaw[k] = yaw[k - 1] + ground_wrap(yaw[k] - yaw[k - 1]);
  }
  for (int k = 0; k < n; k++) {
    double sum = 0, mean[3] = {0, 0, 0};
    for (int i = -reach; i <= reach; i++) {
      double u = i * clip->dt / SMOOTH, weight = exp(-0.5 * u * u), x[3];
      extended(clip, yaw, k + i, x);
      sum += weight;
      for (int m = 0; m < 3; m++)
        mean[m] += weight * x[m];
    }
    way[k] = (struct clip_advance){mean[0] / sum, mean[1] / sum, mean[2] / sum};
  }
  arena_free(arena);
}

void travel_of_clip(const struct clip *clip, int n, struct clip_advance *way)
{
  if (clip->cyclic)
    travel_of_cycle(clip, n, way);
  else
    travel_smoothed(clip, n, way);
}
