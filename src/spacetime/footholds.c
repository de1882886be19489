/* Footholds of a transition, from its nominal path. */
#include "spacetime/footholds.h"

#include <math.h>

#include "dynamics/dynamics.h"

struct foothold_plan {
  const struct creature *c;
  const struct schedule *s;
  const struct nominal_path *path;
  double *at_rest, *at_first, *at_last; /* points over the ground, the first from the root's  (n_points x 2) */
};

static double *foothold_points_of_pose(struct arena *arena, const struct creature *c, const double *q)
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
static int foothold_stands(const struct foothold_plan *w, int k, int i)
{
  return w->c->points[i].foot >= 0 && schedule_foot_touches(w->c, w->s, k, i);
}

/* Where point i stands during the stance that frame k belongs to. */
static void foothold_at(const struct foothold_plan *w, int k, int i, double out[2])
{
  int first = k, last = k, n = w->path->n_frames;
  while (first > 0 && foothold_stands(w, first - 1, i))
    first--;
  while (last + 1 < n && foothold_stands(w, last + 1, i))
    last++;
  const double *fixed = first == 0 ? w->at_first : last == n - 1 ? w->at_last : NULL, *rest = w->at_rest + 2 * i;
  int middle = (first + last) / 2;
  double c = cos(w->path->heading[middle]), s = sin(w->path->heading[middle]);
  out[0] = fixed ? fixed[2 * i] : w->path->root[2 * middle] + c * rest[0] - s * rest[1];
  out[1] = fixed ? fixed[2 * i + 1] : w->path->root[2 * middle + 1] + s * rest[0] + c * rest[1];
}

/* Where point i is at frame k, on the way from foothold to foothold; one that is in the air at an end starts or ends
 * where it is there. */
static void foothold_swing_place(const struct foothold_plan *w, int k, int i, double out[2])
{
  int n = w->path->n_frames, first = k, last = k;
  double from[2] = {w->at_first[2 * i], w->at_first[2 * i + 1]}, to[2] = {w->at_last[2 * i], w->at_last[2 * i + 1]};
  while (first > 0 && !foothold_stands(w, first, i))
    first--;
  while (last + 1 < n && !foothold_stands(w, last, i))
    last++;
  if (foothold_stands(w, first, i))
    foothold_at(w, first, i, from);
  if (foothold_stands(w, last, i))
    foothold_at(w, last, i, to);
  double share = last > first ? (double)(k - first) / (last - first) : 0, smooth = share * share * (3 - 2 * share);
  for (int axis = 0; axis < 2; axis++)
    out[axis] = from[axis] + smooth * (to[axis] - from[axis]);
}

static struct foothold_plan foothold_plan_new(struct arena *arena, const struct creature *c, const struct schedule *s,
                                              const struct nominal_path *path)
{
  double *rest = ARENA_NEW(arena, (size_t)c->n_dofs, double);
  creature_rest_pose(c, rest);
  rest[0] = rest[1] = rest[3] = 0;
  struct foothold_plan w = {.c = c, .s = s, .path = path};
  w.at_rest = foothold_points_of_pose(arena, c, rest);
  w.at_first = foothold_points_of_pose(arena, c, path->first);
  w.at_last = foothold_points_of_pose(arena, c, path->last);
  return w;
}

double *footholds_aside(struct arena *arena, const struct creature *c, const struct schedule *s,
                        const struct nominal_path *path)
{
  double *aside = ARENA_NEW(arena, (size_t)(path->n_frames * c->n_points), double);
  struct foothold_plan w = foothold_plan_new(arena, c, s, path);
  for (int i = 0; i < c->n_points; i++) {
    int steps = 0; /* does it ever stand? */
    for (int k = 0; k < path->n_frames && !steps; k++)
      steps = foothold_stands(&w, k, i);
    for (int k = 0; k < path->n_frames; k++) {
      double at[2], heading = path->heading[k];
      const double *root = path->root + 2 * k;
      foothold_swing_place(&w, k, i, at);
      aside[k * c->n_points + i] =
          steps ? -sin(heading) * (at[0] - root[0]) + cos(heading) * (at[1] - root[1]) : w.at_rest[2 * i + 1];
    }
  }
  return aside;
}

double footholds_strain(struct arena *arena, const struct creature *c, const struct schedule *s,
                        const struct nominal_path *path)
{
  struct foothold_plan w = foothold_plan_new(arena, c, s, path);
  int n = path->n_frames, standing = 0;
  double farthest = 0, sum = 0;
  for (int i = 0; i < c->n_points; i++) {
    double leg = c->points[i].foot < 0 ? 1 : c->feet[c->points[i].foot].leg_length;
    int since = 0; /* the first frame of a stance */
    for (int k = 0; k < n; k++) {
      if (!foothold_stands(&w, k, i)) {
        since = k + 1;
        continue;
      }
      const double *root = path->root + 2 * k, *rest = w.at_rest + 2 * i;
      double at[2], co = cos(path->heading[k]), si = sin(path->heading[k]);
      foothold_at(&w, k, i, at);
      double away = hypot(at[0] - root[0] - co * rest[0] + si * rest[1], at[1] - root[1] - si * rest[0] - co * rest[1]);
      if (k == n - 1 && since == 0) /* it never leaves the ground: it must end where it is */
        away += hypot(w.at_first[2 * i] - w.at_last[2 * i], w.at_first[2 * i + 1] - w.at_last[2 * i + 1]);
      farthest = fmax(farthest, away / leg);
      sum += away / leg;
      standing++;
    }
  }
  return farthest + (standing ? sum / standing : 0);
}
