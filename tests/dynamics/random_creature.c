/* Creatures made of random numbers: trees that no zoo would hold, with oblique axes and bodies that are anything. */
#include "dynamics/random_creature.h"

#include <math.h>
#include <string.h>

/* Moments of a few random point masses: always those of a possible body. */
static void random_body(struct dof *d, struct rng *r)
{
  d->has_mass = 1;
  for (int k = 0; k < 5; k++) {
    double m = rng_uniform(r, 0.05, 0.5), x[3];
    for (int i = 0; i < 3; i++)
      x[i] = rng_uniform(r, -0.3, 0.3);
    d->mass += m;
    for (int i = 0; i < 3; i++) {
      d->moment1[i] += m * x[i];
      d->moment2[i] += m * x[i] * x[i];
    }
    d->moment2[3] += m * x[0] * x[1];
    d->moment2[4] += m * x[0] * x[2];
    d->moment2[5] += m * x[1] * x[2];
  }
}

static void random_axis(struct dof *d, double oblique, struct rng *r)
{
  d->kind = (enum axis_kind)rng_below(r, 3);
  d->axis[d->kind] = rng_below(r, 2) ? 1 : -1;
  if (rng_uniform(r, 0, 1) >= oblique)
    return;
  double norm = 0;
  d->kind = AXIS_ANY;
  for (int i = 0; i < 3; i++) {
    d->axis[i] = rng_normal(r);
    norm += d->axis[i] * d->axis[i];
  }
  for (int i = 0; i < 3; i++)
    d->axis[i] /= sqrt(norm);
}

static void root_dofs(struct dof *dofs, struct rng *r)
{
  static const enum axis_kind kind[6] = {AXIS_X, AXIS_Y, AXIS_Z, AXIS_Z, AXIS_Y, AXIS_X};
  for (int i = 0; i < CREATURE_ROOT_DOFS; i++) {
    dofs[i].parent = i - 1;
    dofs[i].kind = kind[i];
    dofs[i].axis[kind[i]] = 1;
  }
  random_body(&dofs[5], r);
}

static void give_leaves_mass(struct dof *dofs, int n, struct rng *r)
{
  for (int i = n - 1; i > 5; i--) {
    int carries = 0;
    for (int k = i + 1; k < n; k++)
      carries |= dofs[k].parent == i;
    if (!carries && !dofs[i].has_mass)
      random_body(&dofs[i], r);
  }
}

const struct creature *random_creature(struct arena *arena, struct random_creature what, struct rng *r)
{
  struct creature *c = ARENA_NEW(arena, 1, struct creature);
  struct dof *dofs = ARENA_NEW(arena, (size_t)what.n_dofs, struct dof);
  struct contact_point *points = ARENA_NEW(arena, (size_t)what.n_points, struct contact_point);
  root_dofs(dofs, r);
  for (int i = CREATURE_ROOT_DOFS; i < what.n_dofs; i++) {
    int back = i - 5 < what.branching ? i - 5 : what.branching;
    dofs[i].parent = i - 1 - rng_below(r, back);
    random_axis(&dofs[i], what.oblique, r);
    if (rng_below(r, 3))
      random_body(&dofs[i], r);
    if (!dofs[dofs[i].parent].has_mass && dofs[i].kind == dofs[dofs[i].parent].kind)
      random_body(&dofs[dofs[i].parent], r); /* nothing massless between two axes that may be the same */
    dofs[i].has_offset = rng_below(r, 2);
    for (int k = 0; k < 3 && dofs[i].has_offset; k++)
      dofs[i].offset[k] = rng_uniform(r, -0.4, 0.4);
  }
  give_leaves_mass(dofs, what.n_dofs, r);
  for (int i = 0; i < what.n_points; i++) {
    points[i].body = 5 + rng_below(r, what.n_dofs - 5);
    for (int k = 0; k < 3; k++)
      points[i].at[k] = rng_uniform(r, -0.3, 0.3);
  }
  for (int i = 0; i < what.n_dofs; i++)
    c->mass += dofs[i].mass;
  c->name = "random";
  c->n_dofs = what.n_dofs;
  c->n_points = what.n_points;
  c->dofs = dofs;
  c->points = points;
  return c;
}

void random_state(struct rng *r, int n, double *q, double *v, double *a, double *w)
{
  for (int i = 0; i < n; i++) {
    q[i] = rng_uniform(r, -1, 1) * (i < 3 ? 30 : 1);
    v[i] = rng_uniform(r, -1, 1);
    a[i] = rng_uniform(r, -1, 1);
    w[i] = rng_uniform(r, -1, 1);
  }
}
