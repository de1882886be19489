/* See hold.h. Inverse kinematics of the chain is that of legs (dynamics/reach.c): damped least squares. */
#include "modal/hold.h"

#include <math.h>
#include <string.h>

#include "base/matrices.h"
#include "base/vec3.h"

#define ROUNDS  6
#define DAMPING 1e-2            /* [L^2 per rad]: softer than legs, since nothing stands on it                     */
#define SETTLED 1e-6            /* an offset that is smaller, and let go, is none [L]                              */

/* By hold_way: how far an offset goes at most [L], and how fast. What a chain carries, as a share of the mass, must not
 * go farther than CARRIED over that share: the body would have to be elsewhere. */
static const struct { double most, frequency; } laws[] = {
  [HOLD_NONE] = {0, 1}, [HOLD_ROOT] = {0.05, 2}, [HOLD_LEG] = {0.1, 4}, [HOLD_CHAIN] = {0.5, 3}};
#define CARRIED 0.015

enum hold_way hold_way_of(const struct creature *c, int limb)
{
  enum limb_role role = creature_limb_role(c, limb);
  return role == LIMB_LEG ? HOLD_LEG : role == LIMB_TRUNK ? HOLD_ROOT : HOLD_CHAIN;
}

void hold_point(const struct creature *c, const struct hold *h, double local[3])
{
  for (int i = 0; i < 3; i++)
    local[i] = c->limbs[h->limb].origin[i] / c->height + h->at[i];
}

/* Mass of a limb and of all that it carries. */
static double carried(const struct creature *c, int limb)
{
  double sum = 0;
  for (int i = limb; i < c->n_limbs; i++) {
    int k = i;
    while (k > limb)
      k = c->limbs[k].parent;
    sum += k == limb ? c->limbs[i].mass : 0;
  }
  return sum;
}

void hold_begin(const struct creature *c, struct hold *h, int limb, int leg)
{
  int top = limb;
  *h = (struct hold){.way = (int)hold_way_of(c, limb), .limb = limb, .leg = leg};
  h->most = laws[h->way].most;
  while (c->limbs[top].parent > 0 && creature_limb_role(c, c->limbs[top].parent) != LIMB_TRUNK)
    top = c->limbs[top].parent;
  if (h->way == HOLD_CHAIN)
    h->most = fmin(h->most, CARRIED * c->mass / carried(c, top));
}

/* ---- the offset ---- */

void hold_aim(struct hold *h, const double x[3])
{
  double most = h->most;
  for (int i = 0; i < 3; i++)
    h->goal[i] = h->on ? h->target[i] - x[i] : 0;
  if (h->way == HOLD_ROOT) { /* aside it walks: editable_reference.c; up there is no way, legs are nearly straight */
    h->goal[0] = h->goal[1] = 0;
    h->goal[2] = fmin(0, h->goal[2]);
  }
  double far = vec3_norm(h->goal);
  for (int i = 0; i < 3 && far > most; i++)
    h->goal[i] *= most / far;
}

static void hold_step(struct hold *h, double step)
{
  double w = laws[h->way].frequency, soft = 1 + 2 * w * step + w * w * step * step;
  for (int i = 0; i < 3; i++) {
    double off = h->goal[i] - h->off[i] - step * h->rate[i];
    h->rate[i] += step * (w * w * off - 2 * w * h->rate[i]) / soft;
    h->off[i] += step * h->rate[i];
  }
}

void hold_move(struct hold *h, double step)
{
  hold_step(h, step);
  if (!h->on && vec3_norm(h->off) < SETTLED && vec3_norm(h->rate) < SETTLED)
    h->way = HOLD_NONE;
}

void hold_ahead(const struct hold *h, int k, double step, double off[3])
{
  struct hold x = *h;
  for (int i = 0; i < 3 && k < 0; i++)
    x.off[i] += k * step * x.rate[i];
  for (; k > 0; k--)
    hold_step(&x, step);
  memcpy(off, x.off, sizeof x.off);
}

/* ---- the chain ---- */

struct hold_chain *hold_chains_new(struct arena *arena, const struct creature *c, struct dynamics *d, int n)
{
  struct hold_chain *k = ARENA_NEW(arena, (size_t)n, struct hold_chain);
  size_t dofs = (size_t)c->n_dofs;
  for (int i = 0; i < n; i++) {
    k[i].c = c;
    k[i].d = d;
    k[i].dofs = ARENA_NEW(arena, dofs, int);
    k[i].J = ARENA_NEW(arena, 3 * dofs, double);
    k[i].N = ARENA_NEW(arena, dofs * dofs, double);
    k[i].b = ARENA_NEW(arena, dofs, double);
  }
  return k;
}

void hold_chain_set(struct hold_chain *k, int limb)
{
  const struct creature *c = k->c;
  k->n_dofs = 0;
  for (; limb > 0 && creature_limb_role(c, limb) != LIMB_TRUNK; limb = c->limbs[limb].parent)
    for (int i = 0; i < c->limbs[limb].n_dofs; i++)
      k->dofs[k->n_dofs++] = c->limbs[limb].first_dof + i;
}

void hold_bend(struct hold_chain *k, const struct hold *h, int ahead, double step, double *q)
{
  int m = k->n_dofs, n = k->c->n_dofs, body = k->c->limbs[h->limb].body;
  double local[3], goal[3], off[3], at[3];
  hold_point(k->c, h, local);
  hold_ahead(h, ahead, step, off);
  dynamics_kinematics(k->d, q);
  dynamics_point(k->d, body, local, goal);
  vec3_add_scaled(goal, off, 1);
  for (int round = 0; m > 0 && round < ROUNDS; round++) {
    if (round)
      dynamics_kinematics(k->d, q);
    dynamics_point(k->d, body, local, at);
    dynamics_point_jacobian(k->d, body, local, k->J);
    for (int i = 0; i < m; i++) {
      k->b[i] = 0;
      for (int j = 0; j <= i; j++)
        k->N[i * m + j] = i == j ? DAMPING : 0;
      for (int a = 0; a < 3; a++) {
        double J = k->J[a * n + k->dofs[i]];
        k->b[i] += J * (goal[a] - at[a]);
        for (int j = 0; j <= i; j++)
          k->N[i * m + j] += J * k->J[a * n + k->dofs[j]];
      }
    }
    if (!matrices_solve_positive(m, k->N, k->b))
      return;
    for (int i = 0; i < m; i++) {
      const struct dof *f = &k->c->dofs[k->dofs[i]];
      q[k->dofs[i]] = fmin(f->upper, fmax(f->lower, q[k->dofs[i]] + k->b[i]));
    }
  }
}
