/* See frame_state.h. */
#include "exchange/frame_state.h"

#include <math.h>

#include "dynamics/tissue.h"

struct frame_state frame_state_new(struct arena *arena, const struct creature *c, const struct clip *clip)
{
  size_t n = (size_t)c->n_dofs;
  return (struct frame_state){.c = c,
                              .clip = clip,
                              .dynamics = dynamics_new(arena, c),
                              .q = ARENA_NEW(arena, n, double),
                              .v = ARENA_NEW(arena, n, double),
                              .a = ARENA_NEW(arena, n, double),
                              .torque = ARENA_NEW(arena, n, double),
                              .passive = ARENA_NEW(arena, n, double),
                              .at = ARENA_NEW(arena, 3 * (size_t)c->n_points, double),
                              .J = ARENA_NEW(arena, 3 * n, double)};
}

/* The muscles' and the tissue's parts of tau = M a + h - sum J^T f, or NaNs where there is no v and a. */
void frame_state_find(struct frame_state *s, int k)
{
  size_t first = (size_t)k * (size_t)s->c->n_points;
  int n = s->c->n_dofs;
  s->force = s->clip->force + 3 * first;
  s->contact = s->clip->contact + first;
  s->known = clip_state(s->clip, k, s->q, s->v, s->a);
  dynamics_inverse(s->dynamics, s->q, s->v, s->a, s->torque);
  dynamics_kinematics(s->dynamics, s->q);
  for (int p = 0; p < s->c->n_points; p++) {
    dynamics_point(s->dynamics, s->c->points[p].body, s->c->points[p].at, s->at + 3 * p);
    dynamics_point_jacobian(s->dynamics, s->c->points[p].body, s->c->points[p].at, s->J);
    for (int i = 0; i < n; i++)
      for (int x = 0; x < 3; x++)
        s->torque[i] -= s->J[x * n + i] * s->force[3 * p + x];
  }
  for (int i = 0; i < n; i++)
    s->passive[i] = s->torque[i];
  tissue_subtract(s->c, s->q, s->v, s->torque);
  for (int i = 0; i < n; i++) {
    s->passive[i] = s->known ? s->passive[i] - s->torque[i] : NAN;
    s->torque[i] = s->known ? s->torque[i] : NAN;
  }
}

int frame_state_has_tissue(const struct creature *c, int dof)
{
  for (int i = 0; i < c->n_tissues; i++)
    for (int k = 0; k < c->tissues[i].n_dofs; k++)
      if (c->tissues[i].dof[k] == dof)
        return 1;
  return 0;
}
