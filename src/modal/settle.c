/* See settle.h. */
#include "modal/settle.h"

#include <math.h>
#include <string.h>

static double height_of(const struct creature *c, struct dynamics *d, int point)
{
  double at[3], local[3];
  for (int k = 0; k < 3; k++)
    local[k] = c->points[point].at[k] / c->height;
  dynamics_point(d, c->points[point].body, local, at);
  return at[2];
}

/* Between stances in a straight line; before the first and after the last as there. */
static void fill_swings(const struct clip *clip, int point, double *lift)
{
  int n = clip->n_frames, p = clip->n_points, last = -1;
  for (int k = 0; k < n; k++) {
    if (!clip->contact[k * p + point])
      continue;
    for (int j = last + 1; j < k; j++) {
      double share = last < 0 ? 1 : (double)(j - last) / (k - last);
      lift[j * p + point] = share * lift[k * p + point] + (1 - share) * (last < 0 ? 0 : lift[last * p + point]);
    }
    last = k;
  }
  for (int j = last + 1; last >= 0 && j < n; j++)
    lift[j * p + point] = lift[last * p + point];
}

double *settle_clip(struct arena *arena, const struct creature *c, struct dynamics *d, const struct clip *clip,
                    double settled)
{
  int n = clip->n_frames, p = clip->n_points;
  double *lift = ARENA_NEW(arena, (size_t)(n * p) + 1, double), *height = ARENA_NEW(arena, (size_t)(n * p) + 1, double);
  double *q = ARENA_NEW(arena, (size_t)c->n_dofs, double), most = 0;
  for (int k = 0; k < n; k++) {
    clip_frame(clip, k, q);
    for (int i = 0; i < 3; i++)
      q[i] /= c->height;
    dynamics_kinematics(d, q);
    for (int i = 0; i < p; i++) {
      height[k * p + i] = height_of(c, d, i);
      if (clip->contact[k * p + i]) {
        lift[k * p + i] = -height[k * p + i];
        most = fmax(most, fabs(lift[k * p + i]));
      }
    }
  }
  for (int i = 0; i < p; i++)
    fill_swings(clip, i, lift);
  for (int k = 0; k < n * p; k++)
    lift[k] = fmax(lift[k], -height[k]); /* a foot that swings low does not scuff */
  return most > settled ? lift : NULL;
}

double settle_at(const double *lift, const struct clip *clip, double frame, int point)
{
  int n = clip->n_frames, p = clip->n_points;
  if (clip->cyclic)
    frame -= n * floor(frame / n);
  else
    frame = fmin(n - 1, fmax(0, frame));
  int k = (int)frame, next = k + 1 < n ? k + 1 : clip->cyclic ? 0 : n - 1;
  return lift[k * p + point] + (frame - k) * (lift[next * p + point] - lift[k * p + point]);
}
