/* Gaits that leave something open. See gaits/open.h. */
#include "gaits/open.h"

#include <math.h>

/* Does the file say when point p is on the ground? 1: touch-down alone. */
static int open_is_incomplete(const struct open_gait *open, int p) { return !isnan(open->touch[p]); }

static int open_mentions(const struct open_gait *open, int p)
{
  return open->gait.n_intervals[p] > 0 || open_is_incomplete(open, p);
}

/* The touch-down of a leg is that of its hindmost point of which something is known; 0 if the leg is not mentioned. */
static double open_touch(const struct creature *c, const struct legs *legs, const struct open_gait *open, int leg)
{
  double touch = 0, along = INFINITY;
  for (int p = 0; p < c->n_points; p++)
    if (legs->of_point[p] == leg && legs->along[p] < along && open_mentions(open, p)) {
      touch = open_is_incomplete(open, p) ? open->touch[p] : open->gait.on[p][0].from;
      along = legs->along[p];
    }
  return touch;
}

struct pattern_fixed open_fixed(struct arena *arena, const struct creature *c, const struct legs *legs,
                                const struct open_gait *open, double speed)
{
  struct pattern_fixed fixed = {.duty = open->duty, .period = open->gait.period_slow > 0
                                                                  ? gait_period(&open->gait, speed) : 0};
  if (!open->has_order)
    return fixed;
  double *touch = ARENA_NEW(arena, (size_t)legs->n, double), longest = 0;
  int n_incomplete = 0;
  for (int i = 0; i < legs->n; i++)
    touch[i] = open_touch(c, legs, open, i);
  for (int p = 0; p < c->n_points; p++) {
    n_incomplete += open_is_incomplete(open, p);
    longest = fmax(longest, gait_duty(&open->gait, p));
  }
  fixed.touch = touch;
  if (!n_incomplete)
    fixed.duty = longest, fixed.feet = 1;
  return fixed;
}

struct gait open_completed(struct arena *arena, const struct creature *c, const struct legs *legs,
                           const struct open_gait *open, const struct gait *found)
{
  struct gait g = *found;
  int *n = ARENA_NEW(arena, (size_t)c->n_points, int), *mentioned = ARENA_NEW(arena, (size_t)legs->n, int);
  const struct interval **on = ARENA_NEW(arena, (size_t)c->n_points, const struct interval *);
  for (int p = 0; p < c->n_points; p++)
    mentioned[legs->of_point[p]] |= !open->has_order || open_mentions(open, p);
  for (int p = 0; p < c->n_points; p++) {
    int is_known = open->gait.n_intervals[p] > 0;
    n[p] = is_known ? open->gait.n_intervals[p] : mentioned[legs->of_point[p]] ? found->n_intervals[p] : 0;
    on[p] = is_known ? open->gait.on[p] : found->on[p];
  }
  g.name = open->gait.name;
  g.right_lag = open->gait.right_lag;
  g.n_intervals = n;
  g.on = on;
  return g;
}
