/* Bursts of force of a clip. See gaits/burst.h. */
#include "gaits/burst.h"

#include <math.h>

#include "gaits/legs.h"

/* Is a leg on the ground at frame k, and with what vertical force [N]? */
static int burst_look(const struct creature *c, const struct legs *legs, const struct clip *clip, int leg, int k,
                      double *force)
{
  int on = 0;
  *force = 0;
  for (int i = 0; i < c->n_points; i++) {
    int at = k * c->n_points + i;
    if (legs->of_point[i] != leg || !clip->contact[at])
      continue;
    on = 1;
    *force += clip->force[3 * at + 2];
  }
  return on;
}

/* From the first frame in the air on, so that no stance is cut; of a leg that has none, from frame 0 on. */
static double burst_of_leg(const struct creature *c, const struct legs *legs, const struct clip *clip, int leg,
                           double unit)
{
  int n = clip->n_frames, first = 0, length = 0;
  double sum = 0, carried = 0, force, weight = c->mass * CREATURE_GRAVITY;
  while (first < n && burst_look(c, legs, clip, leg, first, &force))
    first++;
  for (int i = 0; i <= n; i++) {
    int on = burst_look(c, legs, clip, leg, (first + i) % n, &force);
    if (length && (!on || i == n)) {
      double t = length * clip->dt / unit;
      sum += fmax(0, carried) / (weight * n) / (t * t);
      length = 0, carried = 0;
    }
    if (on && i < n)
      length++, carried += force;
  }
  return sum;
}

double burst_of_clip(struct arena *arena, const struct creature *c, const struct clip *clip, double length)
{
  const struct legs *legs = legs_of(arena, c);
  double sum = 0;
  for (int leg = 0; legs && leg < legs->n; leg++)
    sum += burst_of_leg(c, legs, clip, leg, sqrt(length / CREATURE_GRAVITY));
  return sum;
}
