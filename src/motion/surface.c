/* See surface.h. */
#include "motion/surface.h"

#include <math.h>

#include "base/vec3.h"

#define STRAIGHT 1e-12 /* sine of a direction that is along an axis but for rounding */

double surface_height(const struct surface *s, double x, double y)
{
  return s->rise[0] * x + s->rise[1] * y;
}

double surface_climb(const struct surface *s, double x, double y)
{
  return s->rise[0] * x + s->rise[1] * y;
}

void surface_axes(const struct surface *s, struct surface_axes *out)
{
  double up = 1 / sqrt(1 + s->rise[0] * s->rise[0] + s->rise[1] * s->rise[1]);
  double ahead = 1 / sqrt(1 + s->rise[0] * s->rise[0]);
  *out = (struct surface_axes){.normal = {-s->rise[0] * up, -s->rise[1] * up, up},
                               .along = {ahead, 0, s->rise[0] * ahead}};
  vec3_cross(out->normal, out->along, out->across);
}

double surface_distance(const struct surface *s, const double *x)
{
  struct surface_axes a;
  surface_axes(s, &a);
  return (x[2] - surface_height(s, x[0], x[1])) * a.normal[2];
}

struct surface surface_slope(double angle, double direction)
{
  double c = cos(direction), s = sin(direction);
  return (struct surface){{fabs(c) < STRAIGHT ? 0 : tan(angle) * c, fabs(s) < STRAIGHT ? 0 : tan(angle) * s}};
}

double surface_steepness(const struct surface *s, double *direction)
{
  if (direction)
    *direction = surface_is_level(s) ? 0 : atan2(s->rise[1], s->rise[0]);
  return atan(hypot(s->rise[0], s->rise[1]));
}

struct surface surface_mirrored(const struct surface *s)
{
  return (struct surface){{s->rise[0], -s->rise[1]}};
}
