/* See level.h. */
#include "control/level.h"

#include <math.h>

#include "base/angle.h"

#define REACH  0.4               /* of the places whose mean it is, from the root [L]: about half a step of a walk */
#define PLACES 8                 /* around, beside the one below the root                                         */

/* Mean height, and slopes along x and y (2). */
static double level_mean(const struct terrain *t, const struct creature *c, double x, double y, double *slope)
{
  double height = 0;
  slope[0] = slope[1] = 0;
  if (t->kind == TERRAIN_FLAT)
    return 0;
  for (int i = 0; i <= PLACES; i++) {
    double normal[3], far = i < PLACES ? REACH * c->height : 0, angle = 2 * PI * i / PLACES;
    height += terrain_height(t, x + far * cos(angle), y + far * sin(angle), normal) / (PLACES + 1);
    slope[0] -= normal[0] / normal[2] / (PLACES + 1);
    slope[1] -= normal[1] / normal[2] / (PLACES + 1);
  }
  return height;
}

double level_height(const struct terrain *t, const struct creature *c, double x, double y)
{
  double slope[2];
  return level_mean(t, c, x, y, slope);
}

void level_state(const struct terrain *t, const struct creature *c, double *q, double *v)
{
  double slope[2];
  if (t->kind == TERRAIN_FLAT)
    return;
  q[2] -= level_mean(t, c, q[0], q[1], slope);
  if (v)
    v[2] -= slope[0] * v[0] + slope[1] * v[1];
}
