/* Mutants: each body of the tree gets a scale of length and one of mass. */
#include "spacetime/mutant.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "dynamics/dynamics.h"

struct scales { double *length, *mass; }; /* per dof */

static struct scales random_scales(struct arena *arena, const struct creature *c, struct rng *r)
{
  struct scales s = {ARENA_NEW(arena, (size_t)c->n_dofs, double), ARENA_NEW(arena, (size_t)c->n_dofs, double)};
  for (int i = 0; i < c->n_dofs; i++) {
    double length = rng_uniform(r, 0.6, 1.4), mass = exp(rng_uniform(r, -1, 1) * log(2));
    int mirror = c->dofs[i].mirror;
    s.length[i] = mirror < i ? s.length[mirror] : length;
    s.mass[i] = mirror < i ? s.mass[mirror] : mass;
  }
  return s;
}

static void scale(double *v, int n, double factor)
{
  for (int i = 0; i < n; i++)
    v[i] *= factor;
}

/* Stretched length from the leg's first joint to the point. */
static double stretched_length(const struct creature *c, const struct foot *f)
{
  int top = c->limbs[f->first_leg_limb].first_dof, body = c->limbs[f->limb].body;
  double length = 0;
  for (int p = f->first_point; p < f->first_point + f->n_points; p++)
    length = fmax(length, vec3_norm(c->points[p].at));
  for (int i = body; i > top && i >= CREATURE_ROOT_DOFS; i = c->dofs[i].parent)
    length += vec3_norm(c->dofs[i].offset);
  return length;
}

static double standing_height(struct arena *arena, const struct creature *c)
{
  struct dynamics *d = dynamics_new(arena, c);
  double *q = ARENA_NEW(arena, (size_t)c->n_dofs, double), lowest = INFINITY, x[3];
  for (int i = CREATURE_ROOT_DOFS; i < c->n_dofs; i++)
    q[i] = c->dofs[i].rest;
  dynamics_kinematics(d, q);
  for (int p = 0; p < c->n_points; p++) {
    dynamics_point(d, c->points[p].body, c->points[p].at, x);
    lowest = fmin(lowest, x[2]);
  }
  return -lowest;
}

static void *copy(struct arena *arena, const void *from, size_t size)
{
  return memcpy(arena_alloc(arena, 1, size), from, size);
}

const struct creature *mutant_of(struct arena *arena, const struct creature *c, struct rng *r)
{
  struct scales s = random_scales(arena, c, r);
  struct creature *m = copy(arena, c, sizeof *c);
  struct dof *dofs = copy(arena, c->dofs, (size_t)c->n_dofs * sizeof *dofs);
  struct contact_point *points = copy(arena, c->points, (size_t)c->n_points * sizeof *points);
  struct foot *feet = copy(arena, c->feet, (size_t)c->n_feet * sizeof *feet);
  struct limb *limbs = copy(arena, c->limbs, (size_t)c->n_limbs * sizeof *limbs);
  struct gait *gaits = copy(arena, c->gaits, (size_t)c->n_gaits * sizeof *gaits);
  m->dofs = dofs, m->points = points, m->feet = feet, m->gaits = gaits, m->limbs = limbs;
  m->mass = 0;
  for (int i = 0; i < c->n_dofs; i++) {
    if (dofs[i].parent >= 0)
      scale(dofs[i].offset, 3, s.length[dofs[i].parent]);
    dofs[i].mass *= s.mass[i];
    scale(dofs[i].moment1, 3, s.mass[i] * s.length[i]);
    scale(dofs[i].moment2, 6, s.mass[i] * s.length[i] * s.length[i]);
    m->mass += dofs[i].mass;
  }
  for (int p = 0; p < c->n_points; p++)
    scale(points[p].at, 3, s.length[points[p].body]);
  for (int l = 0; l < c->n_limbs; l++) {
    scale(limbs[l].origin, 3, s.length[limbs[l].body]);
    scale(limbs[l].shape.from, 3, s.length[limbs[l].body]);
    scale(limbs[l].shape.to, 3, s.length[limbs[l].body]);
    scale(limbs[l].shape.centre, 3, s.length[limbs[l].body]);
    scale(limbs[l].shape.size, 3, s.length[limbs[l].body]);
  }
  for (int f = 0; f < c->n_feet; f++)
    feet[f].leg_length = stretched_length(m, &feet[f]);
  m->height = standing_height(arena, m);
  double tempo = sqrt(m->height / c->height);
  m->frame_rate = c->frame_rate / tempo;
  for (int g = 0; g < c->n_gaits; g++) {
    gaits[g].period_slow *= tempo, gaits[g].period_fast *= tempo;
    gaits[g].speed_min *= tempo, gaits[g].speed_max *= tempo;
  }
  for (int i = 0; i < c->n_dofs; i++)
    dofs[i].torque_max *= m->mass * m->height / (c->mass * c->height);
  creature_sort_pairs(arena, m, limbs);
  return m;
}
