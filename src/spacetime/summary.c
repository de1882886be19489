/* What a clip costs and how it uses its body, for summaries and figures. */
#include <math.h>
#include <string.h>

#include "dynamics/dynamics.h"
#include "dynamics/tissue.h"
#include "spacetime/spacetime.h"

#define NOWHERE 1e-9 /* standing heights: a jump of a symmetric body is in place but for rounding */

void spacetime_summarize(struct arena *arena, const struct creature *c, const struct clip *clip,
                         struct clip_summary *out)
{
  size_t n = (size_t)c->n_dofs;
  struct dynamics *d = dynamics_new(arena, c);
  double *q = ARENA_NEW(arena, n, double), *v = ARENA_NEW(arena, n, double), *a = ARENA_NEW(arena, n, double);
  double *tau = ARENA_NEW(arena, n, double), work = 0, weight = c->mass * CREATURE_GRAVITY, distance = 0;
  int *point = ARENA_NEW(arena, (size_t)c->n_points, int);
  memset(out, 0, sizeof *out);
  out->lowest_root = INFINITY;
  for (int i = 0; i < c->n_points; i++)
    point[i] = i;
  for (int k = 0; k < clip->n_frames; k++) {
    const double *force = clip->force + 3 * (size_t)(k * c->n_points);
    struct dynamics_contacts contacts = {c->n_points, point, force, NULL};
    if (!clip_state(clip, k, q, v, a))
      continue;
    dynamics_residual(d, q, v, a, &contacts, tau, NULL);
    tissue_subtract(c, q, v, tau);
    out->lowest_root = fmin(out->lowest_root, (q[2] - surface_height(&clip->ground, q[0], q[1])) / c->height);
    distance += hypot(v[0], v[1]) * clip->dt;
    for (int i = CREATURE_ROOT_DOFS; i < c->n_dofs; i++) {
      work += fabs(tau[i] * v[i]) * clip->dt;
      if (fabs(tau[i]) / (weight * c->height) > out->peak_torque)
        out->peak_torque = fabs(tau[i]) / (weight * c->height), out->peak_torque_dof = i;
    }
    for (int i = 0; i < c->n_points; i++)
      if (force[3 * i + 2] / weight > out->peak_force)
        out->peak_force = force[3 * i + 2] / weight, out->peak_force_point = i;
  }
  if (clip->cyclic)
    distance = hypot(hypot(clip->advance.x, clip->advance.y), clip_climb(clip));
  if (distance < NOWHERE * c->height)
    distance = 0;
  out->period = clip->n_frames * clip->dt;
  out->stride = distance;
  out->speed = distance / out->period;
  out->power = work / (weight * sqrt(CREATURE_GRAVITY * c->height) * out->period);
  out->cost_of_transport = distance > 0 ? work / (weight * distance) : 0;
}
