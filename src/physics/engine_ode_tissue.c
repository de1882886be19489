/* Passive tissue in ODE (doc/physics.md, "Passive tissue"). A row of constraints sees two bodies, so tissue over two
 * joints cannot be one: each of its dofs gets a row of its own.
 *
 * With arms r, pull and gain g (passive.h), implicit torques are -r (pull + g r^T v'), v' the speeds at the end of the
 * step. A row may depend on the speed of its own dof alone. Where p predicts v', and Q is diagonal,
 *   u - Q v',  u = Q p - r (pull + g r^T p)
 * differs from that by what p is off. Q - g r r^T is never negative, so that no tissue is too stiff, however bad p is.
 * Of all such Q that with equal Q_i / I_i, I_i the inertia of dof i, is g (r_1^2 / I_1 + r_2^2 / I_2) I_i: it resists
 * the motion of a light limb little more than tissue over its own joint alone does. For that Q is g r^2, and the law
 * the implicit one.
 *
 * p is from a step of the tree engine, which solves for such tissue exactly, from the same state. With the present
 * speeds in its place all is of first order in the step, too, but errors of a flight are 10 times as large. */
#include <string.h>

#include "base/vec3.h"
#include "dynamics/dynamics.h"
#include "physics/engine_ode.h"
#include "physics/passive.h"

static void find_inertia(struct world *w)
{
  struct ode *ode = w->engine_data;
  size_t n = (size_t)w->c->n_dofs;
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

int ode_tissue_open(struct world *w)
{
  struct ode *ode = w->engine_data;
  struct world_options options = w->options;
  size_t n = (size_t)w->c->n_dofs;
  int coupled = 0;
  if (!w->passive)
    return 1;
  double **all[] = {&ode->inertia, &ode->speed, &ode->tissue_torque, &ode->tissue_damping};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    *all[i] = ARENA_NEW(w->arena, n, double);
  find_inertia(w);
  for (int i = 0; i < w->passive->n; i++)
    coupled |= w->passive->law[i].n_dofs > 1;
  options.engine = WORLD_TREE;
  return !coupled || (ode->predictor = world_new(w->c, &options)) != NULL;
}

void ode_tissue_close(struct world *w)
{
  struct ode *ode = w->engine_data;
  world_free(ode->predictor);
  ode->predictor = NULL;
}

/* Speeds at the end of the step, pushes left out; as they are now where the tree engine cannot tell. */
static const double *predict(struct world *w, const struct world_target *target)
{
  const struct ode *ode = w->engine_data;
  struct world *p = ode->predictor;
  size_t size = (size_t)w->c->n_dofs * sizeof *w->q;
  if (!p)
    return ode->speed;
  memcpy(p->q, w->q, size);
  memcpy(p->v, ode->speed, size);
  p->head->chart = 0; /* yaw, pitch and roll are what was copied */
  p->engine->update(p);
  return p->engine->step(p, target) && p->engine->is_sane(p) ? p->v : ode->speed;
}

void ode_tissue_prepare(struct world *w, const struct world_target *target)
{
  struct ode *ode = w->engine_data;
  const struct passive *law = w->passive;
  size_t n = (size_t)w->c->n_dofs;
  ode_velocity(w, ode->speed);
  for (size_t i = 0; i < n; i++)
    ode->speed[i] *= w->time / (i < 3 ? w->length : 1);
  passive_linearise(w, ode->speed);
  const double *p = predict(w, target);
  memset(ode->tissue_torque, 0, n * sizeof *ode->tissue_torque);
  memset(ode->tissue_damping, 0, n * sizeof *ode->tissue_damping);
  for (int i = 0; i < law->n; i++) {
    const struct tissue *t = &law->law[i];
    double mobility = 0, tension = law->pull[i] + law->gain[i] * tissue_rate(t, p);
    for (int m = 0; m < t->n_dofs; m++)
      mobility += t->arm[m] * t->arm[m] / ode->inertia[t->dof[m]];
    for (int m = 0; m < t->n_dofs; m++) {
      int dof = t->dof[m], alone = t->n_dofs == 1;
      double damping = law->gain[i] * (alone ? t->arm[m] * t->arm[m] : mobility * ode->inertia[dof]);
      ode->tissue_torque[dof] += alone ? -t->arm[m] * law->pull[i] : damping * p[dof] - t->arm[m] * tension;
      ode->tissue_damping[dof] += damping;
    }
  }
}
