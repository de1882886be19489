/* The zero-moment point against the feet that stand. See zmp.h. */
#include "capture/zmp.h"

#include <math.h>
#include <stdlib.h>

#include "base/angle.h"
#include "base/arena.h"

double zmp_patch_radius(const struct creature *c, int point)
{
  const struct shape *s = &c->limbs[c->points[point].limb].shape;
  if (s->kind == SHAPE_NONE)
    return 0;
  return 0.5 * fmin(s->size[0], fmin(s->size[1], s->size[2]));
}

int zmp_support(const struct creature *c, const struct dynamics *d, const unsigned char *contact, double patch,
                double *hull)
{
  double *corners = malloc((size_t)c->n_points * ZMP_CORNERS * 2 * sizeof *corners + 1);
  int n = 0;
  if (!corners)
    arena_out_of_memory();
  for (int p = 0; p < c->n_points; p++) {
    double at[3], radius = patch < 0 ? zmp_patch_radius(c, p) : patch;
    if (!contact[p])
      continue;
    dynamics_point(d, c->points[p].body, c->points[p].at, at);
    for (int k = 0; k < (radius > 0 ? ZMP_CORNERS : 1); k++, n++) {
      corners[2 * n] = at[0] + radius * cos(2 * PI * k / ZMP_CORNERS);
      corners[2 * n + 1] = at[1] + radius * sin(2 * PI * k / ZMP_CORNERS);
    }
  }
  int size = n ? dynamics_support_polygon(n, corners, hull) : 0;
  free(corners);
  return size;
}

double zmp_distance(int n, const double *hull, const double *zmp)
{
  return n ? -dynamics_support_margin(n, hull, zmp) : NAN;
}

double zmp_quality(double distance, double gamma)
{
  if (distance <= 0)
    return 1;
  if (!(distance < gamma))
    return 0;
  double x = distance / gamma;
  return 2 * x * x * x - 3 * x * x + 1;
}
