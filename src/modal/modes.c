/* The rigid modes span the root's dofs. What is left of the mass matrix when the root follows freely (its Schur
 * complement) is a smaller problem in the joints alone, K x = w^2 S x; as K is diagonal and positive, it is the
 * ordinary symmetric problem of K^-1/2 S K^-1/2, whose eigenvalues are 1 / w^2. */
#include "modal/modes.h"

#include <math.h>
#include <string.h>

#include "base/eigen.h"
#include "base/matrices.h"

struct modal_units modal_units(const struct creature *c)
{
  struct modal_units u = {.mass = c->mass, .length = c->height};
  u.time = sqrt(c->height / CREATURE_GRAVITY);
  u.force = c->mass * CREATURE_GRAVITY;
  u.torque = u.force * u.length;
  return u;
}

/* Springs by what a joint carries. */
static void set_springs(struct modes *m, const struct creature *c, double stiffness)
{
  double whole = 0;
  for (int i = 0; i < m->n; i++)
    whole += c->dofs[i].mass;
  for (int i = m->n - 1; i >= 0; i--) {
    m->stiffness[i] += c->dofs[i].mass / whole;
    if (c->dofs[i].parent >= 0)
      m->stiffness[c->dofs[i].parent] += m->stiffness[i];
    m->rest[i] = i < CREATURE_ROOT_DOFS ? 0 : c->dofs[i].rest;
  }
  for (int i = 0; i < m->n; i++)
    m->stiffness[i] *= i < CREATURE_ROOT_DOFS ? 0 : stiffness;
}

struct modes *modes_new(struct arena *arena, const struct creature *c, double stiffness)
{
  struct modes *m = ARENA_NEW(arena, 1, struct modes);
  size_t n = (size_t)c->n_dofs;
  m->n = c->n_dofs;
  m->n_joints = m->n - CREATURE_ROOT_DOFS;
  m->M = ARENA_NEW(arena, n * n, double);
  m->shape = ARENA_NEW(arena, n * n, double);
  m->weighed = ARENA_NEW(arena, n * n, double);
  m->reduced = ARENA_NEW(arena, n * n, double);
  m->half = ARENA_NEW(arena, n * CREATURE_ROOT_DOFS, double);
  m->scratch = ARENA_NEW(arena, (size_t)eigen_scratch(m->n) + 1, double);
  m->stiffness = ARENA_NEW(arena, n, double);
  m->rest = ARENA_NEW(arena, n, double);
  m->square = ARENA_NEW(arena, n, double);
  m->values = ARENA_NEW(arena, n, double);
  set_springs(m, c, stiffness);
  return m;
}

/* Rigid modes: the columns of L^-T, as rows. */
static void set_rigid(struct modes *m, const double L[36])
{
  int n = m->n;
  for (int k = 0; k < 6; k++) {
    double *x = m->shape + k * n;
    memset(x, 0, (size_t)n * sizeof *x);
    m->square[k] = 0;
    x[k] = 1 / L[6 * k + k];
    for (int i = k - 1; i >= 0; i--) {
      double sum = 0;
      for (int j = i + 1; j <= k; j++)
        sum += L[6 * j + i] * x[j];
      x[i] = -sum / L[6 * i + i];
    }
  }
}

/* half = L^-1 M(root, joints), by columns of joints: (n_joints x 6). */
static void follow_root(struct modes *m, const double L[36])
{
  for (int j = 0; j < m->n_joints; j++) {
    double *x = m->half + 6 * j;
    for (int i = 0; i < 6; i++) {
      x[i] = m->M[i * m->n + 6 + j];
      for (int k = 0; k < i; k++)
        x[i] -= L[6 * i + k] * x[k];
      x[i] /= L[6 * i + i];
    }
  }
}

/* K^-1/2 (M(joints) - half^T half) K^-1/2 */
static void reduce(struct modes *m)
{
  int n = m->n, nj = m->n_joints;
  for (int i = 0; i < nj; i++)
    for (int j = 0; j <= i; j++) {
      double sum = m->M[(6 + i) * n + 6 + j];
      for (int k = 0; k < 6; k++)
        sum -= m->half[6 * i + k] * m->half[6 * j + k];
      sum /= sqrt(m->stiffness[6 + i] * m->stiffness[6 + j]);
      m->reduced[i * nj + j] = m->reduced[j * nj + i] = sum;
    }
}

/* Mode number 6 + i from the eigenvector of the i-th greatest eigenvalue. */
static void set_mode(struct modes *m, int i, const double L[36], const double *y, double value)
{
  int n = m->n, nj = m->n_joints;
  double *x = m->shape + (6 + i) * n, root[6] = {0};
  m->square[6 + i] = 1 / value;
  for (int j = 0; j < nj; j++) {
    x[6 + j] = y[j] / sqrt(value * m->stiffness[6 + j]);
    for (int k = 0; k < 6; k++)
      root[k] -= m->half[6 * j + k] * x[6 + j];
  }
  for (int k = 5; k >= 0; k--) { /* L^-T */
    for (int j = k + 1; j < 6; j++)
      root[k] -= L[6 * j + k] * root[j];
    root[k] /= L[6 * k + k];
  }
  memcpy(x, root, sizeof root);
}

static void weigh(struct modes *m)
{
  int n = m->n;
  for (int i = 0; i < n; i++) {
    const double *x = m->shape + i * n;
    double *y = m->weighed + i * n;
    if (i >= MODAL_RIGID) { /* K x = w^2 M x, which is cheaper and has no root */
      for (int j = 0; j < n; j++)
        y[j] = m->stiffness[j] * x[j] / m->square[i];
      continue;
    }
    for (int j = 0; j < n; j++) {
      y[j] = 0;
      for (int k = 0; k < 6; k++)
        y[j] += m->M[k * n + j] * x[k];
    }
  }
}

int modes_at(struct modes *m, struct dynamics *d, const double *q)
{
  double L[36] = {0};
  dynamics_mass_matrix(d, q, m->M);
  for (int i = 0; i < 6; i++) /* the root's block of M */
    for (int j = 0; j <= i; j++)
      L[6 * i + j] = m->M[i * m->n + j];
  if (!matrices_cholesky(6, L))
    return 0;
  set_rigid(m, L);
  follow_root(m, L);
  reduce(m);
  int nj = m->n_joints;
  if (!eigen_symmetric(nj, m->reduced, m->values, m->scratch))
    return 0;
  for (int i = 0; i < nj; i++) {
    double value = m->values[nj - 1 - i];
    if (!(value > 0))
      return 0;
    set_mode(m, i, L, m->reduced + (nj - 1 - i) * nj, value);
  }
  weigh(m);
  return 1;
}

void modes_coordinates(const struct modes *m, const double *x, int from, int until, double *p)
{
  for (int i = from; i < until; i++) {
    const double *y = m->weighed + i * m->n;
    double sum = 0;
    for (int j = 0; j < m->n; j++)
      sum += y[j] * x[j];
    p[i] = sum;
  }
}

void modes_drive(const struct modes *m, const double *force, int from, int until, double *drive)
{
  for (int i = from; i < until; i++) {
    const double *y = m->shape + i * m->n;
    double sum = 0;
    for (int j = 0; j < m->n; j++)
      sum += y[j] * force[j];
    drive[i] = sum;
  }
}

int modes_below(const struct modes *m, double square)
{
  int count = 0;
  while (count < m->n_joints && m->square[MODAL_RIGID + count] < square)
    count++;
  return count;
}
