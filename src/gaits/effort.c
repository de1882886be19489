/* Effort of a clip. See gaits/effort.h. */
#include "gaits/effort.h"

#include <math.h>

#include "dynamics/dynamics.h"
#include "dynamics/tissue.h"
#include "gaits/balance.h"
#include "gaits/burst.h"

void effort_defaults(struct effort_prices *p)
{
  *p = (struct effort_prices){.work = 0.2, .balance = 0.0006, .burst = 0.004, .living = 0.007};
}

/* Of the legs, mean [m]; without any, the standing height. */
static double effort_length(const struct creature *c)
{
  double sum = 0;
  for (int i = 0; i < c->n_feet; i++)
    sum += c->feet[i].leg_length / c->n_feet;
  return c->n_feet ? sum : c->height;
}

void effort_of_clip(struct arena *arena, const struct creature *c, const struct clip *clip,
                    const struct effort_prices *prices, struct effort *out)
{
  size_t n = (size_t)c->n_dofs;
  struct dynamics *d = dynamics_new(arena, c);
  double *q = ARENA_NEW(arena, n, double), *v = ARENA_NEW(arena, n, double), *a = ARENA_NEW(arena, n, double);
  double *tau = ARENA_NEW(arena, n, double), length = effort_length(c);
  double scale = c->mass * CREATURE_GRAVITY * length, pace = sqrt(CREATURE_GRAVITY * length);
  int *point = ARENA_NEW(arena, (size_t)c->n_points, int);
  *out = (struct effort){0};
  for (int i = 0; i < c->n_points; i++)
    point[i] = i;
  for (int k = 0; k < clip->n_frames; k++) {
    struct dynamics_contacts contacts = {c->n_points, point, clip->force + 3 * (size_t)(k * c->n_points), NULL};
    clip_state(clip, k, q, v, a);
    dynamics_residual(d, q, v, a, &contacts, tau, NULL);
    tissue_subtract(c, q, v, tau);
    for (int i = CREATURE_ROOT_DOFS; i < c->n_dofs; i++) {
      out->torque += tau[i] / scale * (tau[i] / scale) / clip->n_frames;
      out->work += fmax(0, tau[i] * v[i]) / (scale * pace / length) / clip->n_frames;
    }
  }
  double speed = hypot(clip->advance.x, clip->advance.y) / (clip->n_frames * clip->dt) / pace;
  out->fall = balance_fall(arena, c, clip, length);
  out->burst = burst_of_clip(arena, c, clip, length);
  out->rate = out->torque + prices->work * out->work + prices->balance * out->fall + prices->burst * out->burst;
  out->transport = speed > 0 ? (out->rate + prices->living) / speed : (double)INFINITY;
}
