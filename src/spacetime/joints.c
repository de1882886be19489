/* See joints.h. */
#include "spacetime/joints.h"

#include <math.h>
#include <string.h>

#include "dynamics/dynamics.h"
#include "dynamics/tissue.h"

/* A price at most: of a horse's tail there is next to nothing. Set on human gaits: from 20 on arms swing as
 * pendulums, and with 40 a runner's elbows bend by themselves. */
#define HIGHEST_PRICE 40

/* Of what is part of the body: a load makes nobody stronger. */
static double joints_mass_beyond(const struct creature *c, int limb)
{
  double mass = 0;
  for (int i = limb; i < c->n_limbs; i++)
    for (int l = i; l >= limb && !c->limbs[i].is_load; l = c->limbs[l].parent)
      if (l == limb) {
        mass += c->limbs[i].mass;
        break;
      }
  return mass;
}

/* Where the pair that a limb belongs to hangs on the trunk: its whole moves as one, by muscles of one size. */
static int joints_top(const struct creature *c, int limb)
{
  while (c->limbs[limb].mirror != limb && c->limbs[c->limbs[limb].parent].mirror != c->limbs[limb].parent)
    limb = c->limbs[limb].parent;
  return limb;
}

const double *joints_effort(struct arena *arena, const struct creature *c)
{
  double *price = ARENA_NEW(arena, (size_t)c->n_dofs, double), leg = 0;
  int legs = 0;
  for (int i = 0; i < c->n_feet; i++, legs++)
    leg += joints_mass_beyond(c, joints_top(c, c->feet[i].limb));
  for (int i = 0; i < c->n_dofs; i++) {
    const struct dof *d = &c->dofs[i];
    price[i] = 1;
    if (i < CREATURE_ROOT_DOFS || !legs || creature_limb_role(c, d->limb) == LIMB_LEG)
      continue;
    double share = leg / legs / joints_mass_beyond(c, joints_top(c, d->limb));
    price[i] = fmin(HIGHEST_PRICE, fmax(1, share * share));
  }
  return price;
}

const double *joints_spin(struct arena *arena, const struct creature *c, const double *rest)
{
  size_t n = (size_t)c->n_dofs;
  struct dynamics *d = dynamics_new_dimensionless(arena, c);
  double *M = ARENA_NEW(arena, n * n, double), *spin = ARENA_NEW(arena, n, double);
  dynamics_mass_matrix(d, rest, M);
  /* the mass is 1: M(yaw, x) = -y, M(yaw, y) = x of the centre of mass, from the root's place */
  double y = -M[3 * n + 0], x = M[3 * n + 1];
  for (size_t i = 3; i < n; i++)
    spin[i] = M[3 * n + i] - x * M[1 * n + i] + y * M[0 * n + i];
  for (size_t i = 3; i < n; i++) /* what hardly spins is not worth its entries in the Hessian */
    if (fabs(spin[i]) < 1e-3 * spin[3])
      spin[i] = 0;
  return spin;
}

const double *joints_relaxed(struct arena *arena, const struct creature *c, const double *rest)
{
  double *q = ARENA_NEW(arena, (size_t)c->n_dofs, double);
  memcpy(q, rest, (size_t)c->n_dofs * sizeof *q);
  for (int i = 0; i < c->n_tissues; i++) {
    const struct tissue *t = &c->tissues[i];
    double stretch = tissue_stretch(t, rest);
    if (t->one_sided && t->n_dofs == 1 && stretch > 0)
      q[t->dof[0]] -= stretch / t->arm[0];
  }
  return q;
}
