/* Passive tissue of the creature: tau_m += arm_m T(s, s') for every joint m that a tissue spans (dynamics/tissue.h), in
 * units of the problem. With w the multipliers of torques, the second derivatives of sum w_m arm_m T are those of T by
 * stretch and rate, times arms. */
#include "dynamics/tissue.h"
#include "spacetime/formulation.h"

/* The pull of a tissue at frame k, in units of the problem. */
static struct tissue_pull law_tissue_pull(const struct problem *p, const struct tissue *t, int k)
{
  const struct creature *c = p->in.c;
  double torque = c->mass * CREATURE_GRAVITY * c->height, time = sqrt(c->height / CREATURE_GRAVITY);
  double stretch = -t->slack, rate = 0;
  size_t n = (size_t)p->n;
  struct tissue_pull o;
  for (int i = 0; i < t->n_dofs; i++) {
    stretch += t->arm[i] * problem_value(p->q, n, k, (size_t)t->dof[i]);
    rate += t->arm[i] * problem_value(p->v, n, k, (size_t)t->dof[i]);
  }
  tissue_pull(t, stretch, rate / time, &o);
  return (struct tissue_pull){o.pull / torque, o.by_stretch / torque, o.by_rate / (torque * time),
                              o.by_stretch2 / torque, o.by_stretch_rate / (torque * time)};
}

static void law_tissue_subtract(struct problem *p, int k, int level)
{
  size_t n = (size_t)p->n;
  for (int i = 0; i < p->in.c->n_tissues; i++) {
    const struct tissue *t = &p->in.c->tissues[i];
    struct tissue_pull o = law_tissue_pull(p, t, k);
    for (int a = 0; a < t->n_dofs; a++) {
      *problem_value_at(p->tau, n, k, (size_t)t->dof[a]) += t->arm[a] * o.pull;
      for (int b = 0; b < t->n_dofs && level > 1; b++) {
        size_t at = (size_t)t->dof[a] * n + (size_t)t->dof[b];
        *problem_value_at(p->dq, n * n, k, at) += t->arm[a] * t->arm[b] * o.by_stretch;
        *problem_value_at(p->dv, n * n, k, at) += t->arm[a] * t->arm[b] * o.by_rate;
      }
    }
  }
}

static void law_tissue_subtract_curvature(struct problem *p, int k)
{
  size_t n = (size_t)p->n;
  for (int i = 0; i < p->in.c->n_tissues; i++) {
    const struct tissue *t = &p->in.c->tissues[i];
    struct tissue_pull o = law_tissue_pull(p, t, k);
    double w = 0;
    for (int a = 0; a < t->n_dofs; a++)
      w += t->arm[a] * problem_value(p->w, n, k, (size_t)t->dof[a]);
    for (int a = 0; a < t->n_dofs; a++)
      for (int b = 0; b < t->n_dofs; b++) {
        size_t at = DYNAMICS_LANES * ((size_t)t->dof[a] * n + (size_t)t->dof[b]) + (size_t)(k % DYNAMICS_LANES);
        p->curvature.qq[at] += w * t->arm[a] * t->arm[b] * o.by_stretch2;
        p->curvature.qv[at] += w * t->arm[a] * t->arm[b] * o.by_stretch_rate;
      }
  }
}

const struct torque_law torque_law_tissue = {
    .name = "tissue", .subtract = law_tissue_subtract, .subtract_curvature = law_tissue_subtract_curvature};
