/* Footholds of a transition, from its nominal way. */
#include "spacetime/footholds.h"

#include <math.h>

#include "dynamics/dynamics.h"

struct walker {
  const struct creature *c;
  const struct schedule *s;
  const struct nominal_way *way;
  double *at_rest, *at_first, *at_last; /* points over the ground, the first from the root's  (n_points x 2) */
};

static double *points_of_pose(struct arena *arena, const struct creature *c, const double *q)
{
  struct dynamics *d = dynamics_new(arena, c);
  double *out = ARENA_NEW(arena, 2 * (size_t)c->n_points, double);
  dynamics_kinematics(d, q);
  for (int i = 0; i < c->n_points; i++) {
    double x[3];
    dynamics_point(d, c->points[i].body, c->points[i].at, x);
    out[2 * i] = x[0];
    out[2 * i + 1] = x[1];
  }
  return out;
}

/* Does the foot of point i stand? A heel that a sprinter never puts down goes where its toes go. */
static int stands(const struct walker *w, int k, int i)
{
  return w->c->points[i].foot >= 0 && schedule_foot_touches(w->c, w->s, k, i);
}

static int ever_stands(const struct walker *w, int i)
{
  for (int k = 0; k < w->way->n_frames; k++)
    if (stands(w, k, i))
      return 1;
  return 0;
}

/* Where point i stands during the stance that frame k belongs to. */
static void foothold(const struct walker *w, int k, int i, double out[2])
{
  int first = k, last = k, n = w->way->n_frames;
  while (first > 0 && stands(w, first - 1, i))
    first--;
  while (last + 1 < n && stands(w, last + 1, i))
    last++;
  const double *fixed = first == 0 ? w->at_first : last == n - 1 ? w->at_last : NULL, *rest = w->at_rest + 2 * i;
  int middle = (first + last) / 2;
  double c = cos(w->way->heading[middle]), s = sin(w->way->heading[middle]);
  out[0] = fixed ? fixed[2 * i] : w->way->path[2 * middle] + c * rest[0] - s * rest[1];
  out[1] = fixed ? fixed[2 * i + 1] : w->way->path[2 * middle + 1] + s * rest[0] + c * rest[1];
}

/* Where point i is at frame k, on the way from foothold to foothold; one that is in the air at an end starts or ends
 * where it is there. */
static void swing_place(const struct walker *w, int k, int i, double out[2])
{
  int n = w->way->n_frames, first = k, last = k;
  double from[2] = {w->at_first[2 * i], w->at_first[2 * i + 1]}, to[2] = {w->at_last[2 * i], w->at_last[2 * i + 1]};
  while (first > 0 && !stands(w, first, i))
    first--;
  while (last + 1 < n && !stands(w, last, i))
    last++;
  if (stands(w, first, i))
    foothold(w, first, i, from);
  if (stands(w, last, i))
    foothold(w, last, i, to);
  double share = last > first ? (double)(k - first) / (last - first) : 0, smooth = share * share * (3 - 2 * share);
  for (int axis = 0; axis < 2; axis++)
    out[axis] = from[axis] + smooth * (to[axis] - from[axis]);
}

double *footholds_aside(struct arena *arena, const struct creature *c, const struct schedule *s,
                        const struct nominal_way *way)
{
  double *rest = ARENA_NEW(arena, (size_t)c->n_dofs, double),
         *aside = ARENA_NEW(arena, (size_t)(way->n_frames * c->n_points), double);
  creature_rest_pose(c, rest);
  rest[0] = rest[1] = rest[3] = 0;
  struct walker w = {c,
                     s,
                     way,
                     points_of_pose(arena, c, rest),
                     points_of_pose(arena, c, way->first),
                     points_of_pose(arena, c, way->last)};
  for (int i = 0; i < c->n_points; i++) {
    int steps = ever_stands(&w, i);
    for (int k = 0; k < way->n_frames; k++) {
      double at[2], heading = way->heading[k];
      swing_place(&w, k, i, at);
      aside[k * c->n_points + i] =
          !steps ? w.at_rest[2 * i + 1]
                 : -sin(heading) * (at[0] - way->path[2 * k]) + cos(heading) * (at[1] - way->path[2 * k + 1]);
    }
  }
  return aside;
}
