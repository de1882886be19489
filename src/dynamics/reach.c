/* Damped least squares, leg by leg; see reach.h.
 *
 *   (J^T J + damping) step = J^T (goal - at)         J  derivatives of the leg's points by the leg's dofs */
#include "dynamics/reach.h"

#include <math.h>
#include <string.h>

#include "base/matrices.h"

#define ROUNDS 8
#define DAMPING 1e-3 /* squared standing heights per radian; with less, poses jump where legs are too short */
#define GOOD 1e-7    /* standing heights */

struct leg { int n_dofs, n_points, *dofs, *points; };

struct reach {
  const struct creature *c;
  struct dynamics *d;
  double *local;                /* contact points in their bodies                  (n_points x 3) */
  int n_legs;
  struct leg *legs;             /*                                                  (n_feet)      */
  double unit;                  /* a standing height, in units of poses                           */
  unsigned char *moved;         /* dofs of legs, and all that they carry            (n_dofs)      */
  double *J, *N, *b;            /* scratch                                                        */
};

/* Dofs of the limbs of a foot's chain, from its first leg limb down. */
static void add_foot(struct reach *r, struct leg *leg, int foot)
{
  const struct creature *c = r->c;
  const struct foot *f = &c->feet[foot];
  for (int p = f->first_point; p < f->first_point + f->n_points; p++)
    leg->points[leg->n_points++] = p;
  for (int limb = f->limb; limb >= 0; limb = c->limbs[limb].parent) {
    for (int i = c->limbs[limb].first_dof; i < c->limbs[limb].first_dof + c->limbs[limb].n_dofs; i++) {
      int known = i < CREATURE_ROOT_DOFS;
      for (int k = 0; k < leg->n_dofs; k++)
        known |= leg->dofs[k] == i;
      if (!known)
        leg->dofs[leg->n_dofs++] = i;
    }
    if (limb == f->first_leg_limb)
      break;
  }
}

struct reach *reach_new(struct arena *arena, const struct creature *c, struct dynamics *d, double length)
{
  struct reach *r = ARENA_NEW(arena, 1, struct reach);
  size_t n = (size_t)c->n_dofs, p = (size_t)c->n_points;
  *r = (struct reach){.c = c, .d = d, .unit = c->height / length};
  r->local = ARENA_NEW(arena, 3 * p + 1, double);
  r->legs = ARENA_NEW(arena, (size_t)c->n_feet + 1, struct leg);
  r->J = ARENA_NEW(arena, 3 * n, double);
  r->N = ARENA_NEW(arena, n * n, double);
  r->b = ARENA_NEW(arena, n, double);
  for (size_t i = 0; i < 3 * p; i++)
    r->local[i] = c->points[i / 3].at[i % 3] / length;
  for (int f = 0; f < c->n_feet; f++) {
    int k = 0;
    while (k < r->n_legs && c->feet[c->points[r->legs[k].points[0]].foot].first_leg_limb != c->feet[f].first_leg_limb)
      k++;
    if (k == r->n_legs) {
      r->legs[k].dofs = ARENA_NEW(arena, n, int);
      r->legs[k].points = ARENA_NEW(arena, p, int);
      r->n_legs++;
    }
    add_foot(r, &r->legs[k], f);
  }
  r->moved = ARENA_NEW(arena, n, unsigned char);
  for (int l = 0; l < r->n_legs; l++)
    for (int i = 0; i < r->legs[l].n_dofs; i++)
      r->moved[r->legs[l].dofs[i]] = 1;
  for (int i = CREATURE_ROOT_DOFS; i < c->n_dofs; i++)
    r->moved[i] |= r->moved[c->dofs[i].parent];
  return r;
}

/* Normal equations of a leg; the largest distance left. */
static double assemble(struct reach *r, const struct leg *leg, const double *goal, const unsigned char *wanted)
{
  int m = leg->n_dofs, n = r->c->n_dofs;
  double farthest = 0;
  memset(r->N, 0, (size_t)(m * m) * sizeof *r->N);
  memset(r->b, 0, (size_t)m * sizeof *r->b);
  for (int k = 0; k < leg->n_points; k++) {
    int p = leg->points[k];
    double at[3];
    if (wanted && !wanted[p])
      continue;
    dynamics_point(r->d, r->c->points[p].body, r->local + 3 * p, at);
    dynamics_point_jacobian(r->d, r->c->points[p].body, r->local + 3 * p, r->J);
    for (int axis = 0; axis < 3; axis++) {
      double off = goal[3 * p + axis] - at[axis];
      farthest = fmax(farthest, fabs(off));
      for (int i = 0; i < m; i++) {
        double Ji = r->J[axis * n + leg->dofs[i]];
        r->b[i] += Ji * off;
        for (int j = 0; j <= i; j++)
          r->N[i * m + j] += Ji * r->J[axis * n + leg->dofs[j]];
      }
    }
  }
  return farthest;
}

double reach_goals(struct reach *r, const double *goal, const unsigned char *wanted, double *q)
{
  double farthest = 0;
  for (int round = 0; round <= ROUNDS; round++) {
    farthest = 0;
    dynamics_kinematics_of(r->d, q, round ? r->moved : NULL);
    for (int l = 0; l < r->n_legs; l++) {
      const struct leg *leg = &r->legs[l];
      farthest = fmax(farthest, assemble(r, leg, goal, wanted));
      if (round == ROUNDS)
        continue;
      for (int i = 0; i < leg->n_dofs; i++)
        r->N[i * leg->n_dofs + i] += DAMPING * r->unit * r->unit;
      if (!matrices_solve_positive(leg->n_dofs, r->N, r->b))
        return NAN; /* a pose or a goal that is none */
      for (int i = 0; i < leg->n_dofs; i++) {
        const struct dof *f = &r->c->dofs[leg->dofs[i]];
        q[leg->dofs[i]] = fmin(f->upper, fmax(f->lower, q[leg->dofs[i]] + r->b[i]));
      }
    }
    if (farthest < GOOD * r->unit)
      break;
  }
  return farthest;
}
