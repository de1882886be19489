/* See joints.h. */
#include "spacetime/joints.h"

#include <math.h>
#include <string.h>

#include "dynamics/dynamics.h"
#include "dynamics/tissue.h"

/* A price at most: of a horse's tail there is next to nothing. Set on human gaits: from 20 on arms swing as
 * pendulums, and with 40 a runner's elbows bend by themselves. */
#define HIGHEST_PRICE 40

/* Of a joint's way from rest to its stop: as far as a gaze takes it. */
#define GAZE_AT_EASE 0.7

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
    int dof = t->dof[0];
    double away = tissue_stretch(t, rest) / t->arm[0]; /* from where it is slack */
    if (t->one_sided && t->n_dofs == 1 && tissue_stretch(t, rest) > 0 && fabs(away) > fabs(q[dof] - rest[dof]))
      q[dof] = rest[dof] - away; /* of several, the one that is slack last */
  }
  return q;
}

const double *joints_gaze(struct arena *arena, const struct creature *c, const double *rest, double *most)
{
  struct dynamics *d = dynamics_new(arena, c);
  double *share = ARENA_NEW(arena, (size_t)c->n_dofs, double), sum = 0;
  dynamics_kinematics(d, rest);
  for (int i = CREATURE_ROOT_DOFS; i < c->n_dofs; i++) {
    double R[9];
    if (creature_limb_role(c, c->dofs[i].limb) != LIMB_NECK)
      continue;
    dynamics_rotation(d, i, R); /* an axis is the same before and after its own rotation */
    for (int k = 0; k < 3; k++)
      share[i] += R[6 + k] * c->dofs[i].axis[k];
    sum += share[i] * share[i];
  }
  *most = sum > 0 ? (double)INFINITY : 0;
  for (int i = CREATURE_ROOT_DOFS; i < c->n_dofs && sum > 0; i++) {
    const struct dof *j = &c->dofs[i];
    share[i] /= sum;
    if (share[i] != 0) /* to either side */
      *most = fmin(*most, GAZE_AT_EASE * fmin(j->upper - j->rest, j->rest - j->lower) / fabs(share[i]));
  }
  return share;
}
