/* See resample.h. */
#include "motion/resample.h"

#include <math.h>

#include "base/angle.h"

/* A frame, or beyond the ends of a clip that is no cycle the line on which its last two lie. */
static void resample_frame(const struct clip *clip, int k, double *q)
{
  int last = clip->n_frames - 1;
  if (clip->cyclic || (k >= 0 && k <= last)) {
    clip_frame(clip, k, q);
    return;
  }
  const double *end = clip->q + (size_t)(k < 0 ? 0 : last) * (size_t)clip->n_dofs;
  const double *before = last == 0 ? end : end + (k < 0 ? 1 : -1) * clip->n_dofs;
  for (int i = 0; i < clip->n_dofs; i++)
    q[i] = 2 * end[i] - before[i];
}

/* Angles that differ by whole turns from frame to frame, as those of a fall may, do not sweep through them. */
static double same_turn(double x, double as, int is_angle)
{
  return is_angle ? x + 2 * PI * round((as - x) / (2 * PI)) : x;
}

/* q at a share u of the way from frame k to the next (Catmull and Rom 1974); frames: scratch (4 x n_dofs). */
static void resample_pose(const struct clip *clip, int k, double u, double *frames, double *q)
{
  int n = clip->n_dofs;
  for (int f = 0; f < 4; f++)
    resample_frame(clip, k - 1 + f, frames + f * n);
  for (int i = 0; i < n; i++) {
    double b = frames[n + i], a = same_turn(frames[i], b, i >= 3), c = same_turn(frames[2 * n + i], b, i >= 3);
    double d = same_turn(frames[3 * n + i], c, i >= 3);
    double slope = (c - a) / 2, next = (d - b) / 2;
    q[i] = b + u * (slope + u * (3 * (c - b) - 2 * slope - next + u * (slope + next - 2 * (c - b))));
  }
}

/* Forces of a cycle turn with it. */
static void resample_ground(const struct clip *clip, int k, double u, struct clip *out, int frame)
{
  int n = clip->n_frames, next = clip->cyclic ? (k + 1) % n : k + 1 < n ? k + 1 : k, near = u < 0.5 ? k : next;
  double turn = clip->cyclic && k + 1 == n ? clip->advance.yaw : 0;
  for (int p = 0; p < clip->n_points; p++) {
    const double *a = clip->force + 3 * (k * clip->n_points + p), *b = clip->force + 3 * (next * clip->n_points + p);
    const double turned[3] = {cos(turn) * b[0] - sin(turn) * b[1], sin(turn) * b[0] + cos(turn) * b[1], b[2]};
    for (int x = 0; x < 3; x++)
      out->force[3 * (frame * clip->n_points + p) + x] = (1 - u) * a[x] + u * turned[x];
    out->contact[frame * clip->n_points + p] = clip->contact[near * clip->n_points + p];
  }
}

struct clip *clip_resample(struct arena *arena, const struct creature *c, const struct clip *clip, double fps,
                           enum resample_ends ends)
{
  int closes = clip->cyclic && ends == RESAMPLE_CLOSED;
  double seconds = (clip->n_frames - !clip->cyclic) * clip->dt, most = seconds * fps;
  int n = closes ? (int)fmax(3, round(most)) : (int)floor(most + 1e-6) + 1;
  if (clip->cyclic && !closes && n > 1 && (n - 1) / fps > seconds - 1e-6 / fps)
    n--; /* that would be the first frame again */
  struct clip *out = clip_new(arena, c, n, closes ? seconds / n : 1 / fps);
  struct arena *scratch = arena_new();
  double *frames = ARENA_NEW(scratch, 4 * (size_t)c->n_dofs, double);
  out->name = clip->name, out->gait = clip->gait, out->gait_after = clip->gait_after;
  out->speed = clip->speed, out->strafe = clip->strafe, out->turn = clip->turn;
  out->advance = clip->advance;
  out->ground = clip->ground;
  out->cyclic = closes;
  for (int k = 0; k < n; k++) {
    double at = k * out->dt / clip->dt;
    int frame = (int)fmin(floor(at + 1e-9), clip->n_frames - 1);
    double u = fmin(1, fmax(0, at - frame));
    resample_pose(clip, frame, u, frames, out->q + (size_t)k * (size_t)c->n_dofs);
    resample_ground(clip, frame, u, out, k);
  }
  arena_free(scratch);
  return out;
}
