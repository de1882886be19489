/* Motions that are shown and not simulated: speeds and torques from a frame and its neighbours. */
#include <string.h>

#include "stage/room.h"

/* Fills speeds, and the torques that joints must supply beside the forces of the ground in s->now. before, after: NULL
 * where there is no such frame; then accelerations, and so torques, are not known. */
void stage_derive(struct stage *s, const double *before, const double *q, const double *after)
{
  const struct creature *c = s->cast->creature;
  int n = c->n_dofs, n_on = 0, point[c->n_points + 1];
  double a[n], tau[n], force[3 * c->n_points + 3], dt = s->cast->dt;
  const double *from = before ? before : q, *to = after ? after : q;
  for (int i = 0; i < n; i++) {
    s->now.v[i] = (to[i] - from[i]) / ((before && after ? 2 : 1) * dt);
    a[i] = before && after ? (after[i] - 2 * q[i] + before[i]) / (dt * dt) : 0;
  }
  if (!before || !after)
    return;
  for (int i = 0; i < c->n_points; i++)
    if (s->now.on[i]) {
      memcpy(force + 3 * n_on, s->now.force + 3 * i, 3 * sizeof *force);
      point[n_on++] = i;
    }
  struct dynamics_contacts contacts = {.n = n_on, .point = point, .force = force};
  dynamics_residual(s->cast->dynamics, q, s->now.v, a, &contacts, tau, NULL);
  memcpy(s->now.torque + CREATURE_ROOT_DOFS, tau + CREATURE_ROOT_DOFS,
         (size_t)(n - CREATURE_ROOT_DOFS) * sizeof *tau);
}
