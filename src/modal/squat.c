/* See squat.h. */
#include "modal/squat.h"

#include <math.h>
#include <string.h>

#include "dynamics/reach.h"
#include "modal/modes.h"

void squat_defaults(struct squat *s)
{
  *s = (struct squat){.depth = 0.22, .down = 1.2, .below = 0.4, .up = 1.2, .after = 2.5, .lean = 0.5, .rate = 120,
                      .before = 0.5, .missed = 0.01};
}

static double squat_ease(double t)
{
  t = fmin(1, fmax(0, t));
  return t * t * t * (10 - t * (15 - 6 * t));
}

/* How low it is at a time, 0 to 1. */
static double squat_lowness(const struct squat *s, double t)
{
  return squat_ease((t - s->before) / s->down) - squat_ease((t - s->before - s->down - s->below) / s->up);
}

/* Arms go up while it goes down, and stay. */
static void raise_arms(const struct creature *c, const struct squat *s, double t, double *q)
{
  static const char *const names[] = {"left_upper_arm.flexion", "right_upper_arm.flexion"};
  for (int i = 0; i < 2; i++) {
    int dof = creature_find_dof(c, names[i]);
    if (dof >= 0)
      q[dof] = c->dofs[dof].rest + s->arms * squat_ease((t - s->before) / s->down);
  }
}

/* How far the centre of mass is ahead of the middle of the feet. */
static double squat_com_ahead(struct dynamics *d, const double *q, const double *zero, double middle)
{
  struct dynamics_whole whole;
  dynamics_whole(d, q, zero, zero, &whole);
  return whole.com[0] - middle;
}

/* The pose at a lowness: the root goes back until the centre of mass is over the feet. */
static double squat_pose(struct reach *reach, struct dynamics *d, const struct squat *s, const double *rest,
                         const double *goal, double middle, double low, double *q, const double *zero)
{
  double missed = 0;
  q[4] = rest[4] + low * s->lean;
  q[2] = rest[2] - low * s->depth;
  for (int round = 0; round < 12; round++) {
    missed = reach_goals(reach, goal, NULL, q);
    q[0] -= 0.8 * squat_com_ahead(d, q, zero, middle);
  }
  return fmax(missed, reach_goals(reach, goal, NULL, q));
}

struct clip *squat_clip(struct arena *arena, const struct creature *c, const struct squat *s, struct diag *d)
{
  struct dynamics *dynamics = dynamics_new_dimensionless(arena, c);
  struct reach *reach = reach_new(arena, c, dynamics, c->height);
  size_t n = (size_t)c->n_dofs;
  double *rest = ARENA_NEW(arena, n, double), *zero = ARENA_NEW(arena, n, double), *q = ARENA_NEW(arena, n, double);
  double *goal = ARENA_NEW(arena, 3 * (size_t)c->n_points + 1, double), middle = 0, worst = 0;
  int frames = (int)ceil((s->before + s->down + s->below + s->up + s->after) * s->rate);
  struct clip *clip = clip_new(arena, c, frames, 1 / s->rate);
  clip->name = clip->gait = clip->gait_after = "squat";
  creature_rest_pose(c, rest);
  for (int i = 0; i < 3; i++)
    rest[i] /= c->height;
  dynamics_kinematics(dynamics, rest);
  for (int p = 0; p < c->n_points; p++) {
    double at[3];
    for (int i = 0; i < 3; i++)
      at[i] = c->points[p].at[i] / c->height;
    dynamics_point(dynamics, c->points[p].body, at, goal + 3 * p);
    goal[3 * p + 2] = 0;
    middle += goal[3 * p] / c->n_points;
  }
  memcpy(q, rest, n * sizeof *q);
  for (int k = 0; k < frames; k++) {
    raise_arms(c, s, k / s->rate, q);
    worst = fmax(worst, squat_pose(reach, dynamics, s, rest, goal, middle, squat_lowness(s, k / s->rate), q, zero));
    for (size_t i = 0; i < n; i++)
      clip->q[(size_t)k * n + i] = q[i] * (i < 3 ? c->height : 1);
    memset(clip->contact + (size_t)k * (size_t)c->n_points, 1, (size_t)c->n_points);
  }
  if (!(worst < s->missed)) {
    diag_error(d, c->file, 0, "%s cannot squat by %g of its height: its feet come off the ground by %.3g m", c->name,
               s->depth, worst * c->height);
    return NULL;
  }
  return clip;
}
