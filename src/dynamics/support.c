/* The zero-moment point and the polygon that it must stay in (doc/equations.md, 7). */
#include <math.h>
#include <string.h>

#include "dynamics/dynamics.h"

int dynamics_zmp(const struct dynamics_whole *w, double ground, double *xy)
{
  double fx = w->momentum_rate[0], fy = w->momentum_rate[1];
  double fz = w->momentum_rate[2] + w->weight, height = w->com[2] - ground;
  if (!(fz > 1e-9 * w->weight))
    return 0;
  xy[0] = w->com[0] - (fx * height + w->angular_rate[1]) / fz;
  xy[1] = w->com[1] - (fy * height - w->angular_rate[0]) / fz;
  return 1;
}

/* Twice the area of triangle o, a, b; positive when it turns left. */
static double support_turn_of(const double *o, const double *a, const double *b)
{
  return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
}

static double support_distance2(const double *a, const double *b)
{
  return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]);
}

static int support_same_point(const double *a, const double *b)
{
  return a[0] == b[0] && a[1] == b[1];
}

/* The point that has all others on the left of the line to it: the next corner after `from`. */
static const double *support_next_corner(int n, const double *xy, const double *from)
{
  const double *best = from;
  for (int i = 0; i < n; i++) {
    const double *p = xy + 2 * i;
    if (support_same_point(p, from))
      continue;
    double turn = support_turn_of(from, best, p);
    if (support_same_point(best, from) || turn < 0 ||
        (turn == 0 && support_distance2(from, p) > support_distance2(from, best)))
      best = p;
  }
  return best;
}

/* Wrapping the points like a gift: n times the number of corners, and no memory; feet are few. */
int dynamics_support_polygon(int n, const double *xy, double *hull)
{
  const double *start = xy, *at;
  int size = 0;
  for (int i = 1; i < n; i++)
    if (xy[2 * i] < start[0] || (xy[2 * i] == start[0] && xy[2 * i + 1] < start[1]))
      start = xy + 2 * i;
  for (at = start; size < n && (size == 0 || !support_same_point(at, start)); at = support_next_corner(n, xy, at))
    memcpy(hull + 2 * size++, at, 2 * sizeof *at);
  return size;
}

static double support_distance_to_segment(const double *a, const double *b, const double *p)
{
  double dx = b[0] - a[0], dy = b[1] - a[1], length2 = dx * dx + dy * dy;
  double t = length2 > 0 ? ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length2 : 0;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  return hypot(a[0] + t * dx - p[0], a[1] + t * dy - p[1]);
}

double dynamics_support_margin(int n, const double *hull, const double *xy)
{
  double nearest = INFINITY;
  int inside = n > 2;
  for (int i = 0; i < n; i++) {
    const double *a = hull + 2 * i, *b = hull + 2 * ((i + 1) % n);
    nearest = fmin(nearest, support_distance_to_segment(a, b, xy));
    inside = inside && support_turn_of(a, b, xy) >= 0;
  }
  return inside ? nearest : -nearest;
}
