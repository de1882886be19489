/* Features of states for compact policies. */
#include "control/features.h"

#include <math.h>
#include <string.h>

#include "dynamics/dynamics.h"
#include "feedback/feedback.h"
#include "follow/errors.h"

#define HEAVY 0.25              /* a joint carries weight if so much of the mass hangs on it */
#define FIXED 12                /* features before those of feet                             */
#define LAST 3                  /* after them                                                */

struct features {
  const struct creature *c;
  struct dynamics *dynamics;
  int n, n_actions;
  int *dofs;
  double *zero;                 /* (n_dofs) */
};

/* Does a foot stand at the end of what a limb's joint carries? */
static int has_foot(const struct creature *c, int limb)
{
  for (int f = 0; f < c->n_feet; f++)
    for (int l = c->feet[f].limb; l >= 0; l = c->limbs[l].parent)
      if (l == limb)
        return 1;
  return 0;
}

static double mass_on(const struct creature *c, int limb)
{
  double mass = 0;
  for (int i = limb; i < c->n_limbs; i++)
    for (int l = i; l >= 0; l = c->limbs[l].parent)
      if (l == limb)
        mass += c->limbs[i].mass;
  return mass;
}

struct features *features_new(struct arena *arena, const struct creature *c)
{
  struct features *f = ARENA_NEW(arena, 1, struct features);
  *f = (struct features){.c = c, .dynamics = dynamics_new(arena, c), .n = FIXED + 3 * c->n_feet + LAST};
  f->zero = ARENA_NEW(arena, (size_t)c->n_dofs, double);
  f->dofs = ARENA_NEW(arena, (size_t)c->n_dofs, int);
  for (int i = CREATURE_ROOT_DOFS; i < c->n_dofs; i++)
    if (has_foot(c, c->dofs[i].limb) || mass_on(c, c->dofs[i].limb) >= HEAVY * c->mass)
      f->dofs[f->n_actions++] = i;
  return f;
}

int features_count(const struct features *f)
{
  return f->n;
}

int features_actions(const struct features *f)
{
  return f->n_actions;
}

const int *features_action_dofs(const struct features *f)
{
  return f->dofs;
}

/* out = in turned by -yaw, in a unit */
static void features_put_turned(double yaw, const double *in, double unit, double *out)
{
  double s = sin(yaw), c = cos(yaw);
  out[0] = (c * in[0] + s * in[1]) / unit;
  out[1] = (-s * in[0] + c * in[1]) / unit;
  out[2] = in[2] / unit;
}

static void foot_place(const struct features *f, int foot, double *at)
{
  const struct foot *t = &f->c->feet[foot];
  memset(at, 0, 3 * sizeof *at);
  for (int p = t->first_point; p < t->first_point + t->n_points; p++) {
    double point[3];
    dynamics_point(f->dynamics, f->c->points[p].body, f->c->points[p].at, point);
    for (int i = 0; i < 3; i++)
      at[i] += point[i] / t->n_points;
  }
}

void features_of_state(struct features *f, const double *q, const double *v, double *s)
{
  const struct creature *c = f->c;
  struct errors_units unit = errors_units(c);
  struct dynamics_whole whole;
  dynamics_whole(f->dynamics, q, v, f->zero, &whole);
  dynamics_kinematics(f->dynamics, q);
  s[0] = q[4];
  s[1] = q[5];
  s[2] = q[2] / unit.length;
  double from_root[3] = {whole.com[0] - q[0], whole.com[1] - q[1], whole.com[2]};
  features_put_turned(q[3], from_root, unit.length, s + 3);
  features_put_turned(q[3], whole.com_velocity, unit.speed, s + 6);
  features_put_turned(q[3], whole.angular, c->mass * unit.length * unit.speed, s + 9);
  for (int i = 0; i < c->n_feet; i++) {
    double at[3];
    foot_place(f, i, at);
    for (int k = 0; k < 3; k++)
      at[k] -= whole.com[k];
    features_put_turned(q[3], at, unit.length, s + FIXED + 3 * i);
  }
}

static double features_clamp(double x, double most)
{
  return x > most ? most : x < -most ? -most : x;
}

void features_of_errors(struct features *f, const double *x, double *s)
{
  double *last = s + f->n - LAST;
  last[0] = features_clamp(x[ERRORS_YAW], feedback_trust.yaw);
  last[1] = features_clamp(x[ERRORS_X], feedback_trust.place);
  last[2] = features_clamp(x[ERRORS_Y], feedback_trust.place);
}

const char *features_name(const struct features *f, struct arena *arena, int i)
{
  static const char *const fixed[FIXED] = {"pitch", "roll", "height", "centre x", "centre y", "centre z", "velocity x",
                                           "velocity y", "velocity z", "turning x", "turning y", "turning z"};
  static const char *const last[LAST] = {"heading", "place x", "place y"};
  static const char axes[] = "xyz";
  if (i < FIXED)
    return fixed[i];
  if (i >= f->n - LAST)
    return last[i - (f->n - LAST)];
  return arena_printf(arena, "%s %c", f->c->feet[(i - FIXED) / 3].name, axes[(i - FIXED) % 3]);
}
