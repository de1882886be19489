/* Joins transitions at the pair of frames that both have. */
#include "spacetime/transition_join.h"

#include <math.h>
#include <string.h>

#include "motion/ground.h"

/* Copies a frame, moved over the ground, with the forces that turn with it. */
static void transition_copy_frame(struct clip *to, int at, const struct clip *from, int k, struct clip_advance place)
{
  size_t dofs = (size_t)from->n_dofs, points = (size_t)from->n_points;
  double *q = to->q + (size_t)at * dofs, co = cos(place.yaw), si = sin(place.yaw);
  memcpy(q, from->q + (size_t)k * dofs, dofs * sizeof *q);
  clip_move_pose(place, q);
  memcpy(to->contact + (size_t)at * points, from->contact + (size_t)k * points, points);
  for (size_t i = 0; i < points; i++) {
    const double *f = from->force + 3 * ((size_t)k * points + i);
    double *turned = to->force + 3 * ((size_t)at * points + i);
    turned[0] = co * f[0] - si * f[1];
    turned[1] = si * f[0] + co * f[1];
    turned[2] = f[2];
  }
}

/* Of the two frames that both have, the forces of each are those of the part in which both its neighbours lie: the
 * earlier frame's are the first part's, the later one's the second's. */
struct clip *transition_join(struct arena *arena, const struct creature *c, const struct clip *first,
                             const struct clip *second)
{
  int seam = first->n_frames - 1, n_frames = seam + second->n_frames - 1;
  struct clip *whole = clip_new(arena, c, n_frames, first->dt);
  struct clip_advance here = {0, 0, 0}, there = ground_match(first, seam - 1, second, 0);
  for (int k = 0; k < n_frames; k++)
    if (k < seam)
      transition_copy_frame(whole, k, first, k, here);
    else
      transition_copy_frame(whole, k, second, k - seam + 1, there);
  const double *end = whole->q + (size_t)(n_frames - 1) * (size_t)c->n_dofs;
  whole->gait = first->gait;
  whole->gait_after = second->gait_after;
  whole->speed = second->speed;
  whole->turn = first->turn + second->turn;
  whole->advance = (struct clip_advance){end[0], end[1], whole->turn};
  whole->from = first->from;
  whole->to = second->to;
  return whole;
}
