/* Passive tissue in ODE (doc/physics.md, "Passive tissue"). A row of constraints about a joint's axis sees two bodies, so
 * tissue over two joints cannot be a row: each of its dofs gets a row of its own.
 *
 * With arms r, pull and gain g (passive.h), implicit torques are -r (pull + g r^T v'), v' the speeds at the end of the
 * step. A row may depend on the speed of its own dof alone. With Q diagonal and Q - g r r^T never negative,
 *   u - Q v',  u = Q v - r (pull + g r^T v)
 * is the same to first order in the step, and as stable as the implicit law: no tissue is too stiff. Of all such Q the
 * one with Q_i / I_i equal, I_i the inertia of dof i, is g (r_1^2 / I_1 + r_2^2 / I_2) I_i. It makes a light limb hardly
 * heavier than tissue over its own joint alone would. Over one joint it is g r^2: the implicit law itself. */
#include <string.h>

#include "base/vec3.h"
#include "dynamics/dynamics.h"
#include "physics/engine_ode.h"
#include "physics/passive.h"

void ode_tissue_open(struct world *w)
{
  struct ode *ode = w->engine_data;
  size_t n = (size_t)w->c->n_dofs;
  if (!w->passive)
    return;
  ode->inertia = ARENA_NEW(w->arena, n, double);
  ode->speed = ARENA_NEW(w->arena, n, double);
  ode->tissue_torque = ARENA_NEW(w->arena, n, double);
  ode->tissue_damping = ARENA_NEW(w->arena, n, double);
  struct arena *scratch = arena_new();
  double *M = ARENA_NEW(scratch, n * n, double), *rest = ARENA_NEW(scratch, n, double);
  creature_rest_pose(w->c, rest);
  for (int i = 0; i < 3; i++)
    rest[i] /= w->length;
  dynamics_mass_matrix(dynamics_new_dimensionless(scratch, w->c), rest, M);
  for (size_t i = 0; i < n; i++)
    ode->inertia[i] = M[i * n + i];
  arena_free(scratch);
}

void ode_tissue_prepare(struct world *w)
{
  struct ode *ode = w->engine_data;
  const struct passive *p = w->passive;
  size_t size = (size_t)w->c->n_dofs * sizeof *ode->speed;
  for (int k = 1; k < w->n_bodies; k++) {
    const struct ode_body *o = &ode->bodies[k];
    double spin[3];
    ode_relative_spin(o, spin);
    for (int i = 0; i < o->body->n; i++)
      ode->speed[o->body->first + i] = vec3_dot(o->dual[i], spin);
  }
  passive_linearise(w, ode->speed);
  memset(ode->tissue_torque, 0, size);
  memset(ode->tissue_damping, 0, size);
  for (int i = 0; i < p->n; i++) {
    const struct tissue *t = &p->law[i];
    double mobility = 0, tension = p->pull[i] + p->gain[i] * tissue_rate(t, ode->speed);
    for (int m = 0; m < t->n_dofs; m++)
      mobility += t->arm[m] * t->arm[m] / ode->inertia[t->dof[m]];
    for (int m = 0; m < t->n_dofs; m++) {
      int dof = t->dof[m], alone = t->n_dofs == 1;
      double damping = p->gain[i] * (alone ? t->arm[m] * t->arm[m] : mobility * ode->inertia[dof]);
      ode->tissue_torque[dof] += alone ? -t->arm[m] * p->pull[i] : damping * ode->speed[dof] - t->arm[m] * tension;
      ode->tissue_damping[dof] += damping;
    }
  }
}
