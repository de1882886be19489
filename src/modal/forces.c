/* The dual of the force problem, by a semismooth Newton method with a line search. */
#include "modal/forces.h"

#include <math.h>
#include <string.h>

#include "base/matrices.h"
#include "base/vec3.h"

#define STEPS 60
#define GOOD 1e-10

struct forces *forces_new(struct arena *arena, int room)
{
  struct forces *f = ARENA_NEW(arena, 1, struct forces);
  f->room = room;
  f->contacts = ARENA_NEW(arena, (size_t)room + 1, struct forces_contact);
  return f;
}

static void set_matrix(double *J, double diagonal)
{
  for (int i = 0; J && i < 9; i++)
    J[i] = i % 4 == 0 ? diagonal : 0;
}

/* On the boundary: with t the tangential part of f, of length s, along u, and z its normal part, the nearest point lies
 * on the edge mu u + n at (mu s + z) / (mu^2 + 1). */
static void edge(const double f[3], const double n[3], double mu, double out[3], double *J)
{
  double z = vec3_dot(f, n), u[3], s2 = 0;
  for (int i = 0; i < 3; i++) {
    u[i] = f[i] - z * n[i];
    s2 += u[i] * u[i];
  }
  double s = sqrt(s2), c = (mu * s + z) / (mu * mu + 1), share = mu * c / s;
  double e[3];
  for (int i = 0; i < 3; i++) {
    u[i] /= s;
    e[i] = (mu * u[i] + n[i]);
    out[i] = c * e[i];
  }
  for (int i = 0; J && i < 3; i++)
    for (int j = 0; j < 3; j++)
      J[3 * i + j] = e[i] * e[j] / (mu * mu + 1) + share * ((i == j) - u[i] * u[j] - n[i] * n[j]);
}

void forces_project(const double f[3], const double n[3], double mu, double out[3], double *J)
{
  double z = vec3_dot(f, n), t[3];
  for (int i = 0; i < 3; i++)
    t[i] = f[i] - z * n[i];
  double s = vec3_norm(t);
  memcpy(out, f, 3 * sizeof *out);
  set_matrix(J, 1);
  if (isinf(mu) || s <= mu * z)
    return;
  if (z <= -mu * s) { /* in the polar cone */
    memset(out, 0, 3 * sizeof *out);
    set_matrix(J, 0);
    return;
  }
  edge(f, n, mu, out, J);
}

/* Value of the dual and its gradient y - r + sum B f(y); with H also the derivative of that. */
static double evaluate(struct forces *f, const double *y, double *g, double *H)
{
  double value = 0;
  for (int i = 0; i < FORCES_ROWS; i++) {
    value += y[i] * (0.5 * y[i] - f->wanted[i]);
    g[i] = y[i] - f->wanted[i];
  }
  for (int i = 0; H && i < FORCES_ROWS * FORCES_ROWS; i++)
    H[i] = i % (FORCES_ROWS + 1) == 0;
  for (int k = 0; k < f->n; k++) {
    struct forces_contact *c = &f->contacts[k];
    double z[3], J[9], JB[3][FORCES_ROWS];
    for (int a = 0; a < 3; a++) {
      z[a] = 0;
      for (int i = 0; i < FORCES_ROWS; i++)
        z[a] += c->B[a][i] * y[i];
      z[a] = c->usual[a] + z[a] / c->weight;
    }
    forces_project(z, c->normal, c->mu, c->force, H ? J : NULL);
    value += 0.5 * c->weight * vec3_dot(c->force, c->force);
    for (int i = 0; i < FORCES_ROWS; i++)
      for (int a = 0; a < 3; a++)
        g[i] += c->B[a][i] * c->force[a];
    if (!H)
      continue;
    for (int a = 0; a < 3; a++)
      for (int i = 0; i < FORCES_ROWS; i++)
        JB[a][i] = (J[3 * a] * c->B[0][i] + J[3 * a + 1] * c->B[1][i] + J[3 * a + 2] * c->B[2][i]) / c->weight;
    for (int i = 0; i < FORCES_ROWS; i++)
      for (int j = 0; j <= i; j++)
        H[i * FORCES_ROWS + j] += c->B[0][i] * JB[0][j] + c->B[1][i] * JB[1][j] + c->B[2][i] * JB[2][j];
  }
  return value;
}

static double length(const double *x)
{
  double sum = 0;
  for (int i = 0; i < FORCES_ROWS; i++)
    sum += x[i] * x[i];
  return sqrt(sum);
}

int forces_solve(struct forces *f)
{
  double g[FORCES_ROWS], step[FORCES_ROWS], y[FORCES_ROWS], H[FORCES_ROWS * FORCES_ROWS], *at = f->dual;
  double scale = 1 + length(f->wanted);
  for (int count = 0; count < STEPS; count++) {
    double value = evaluate(f, at, g, H), slope = 0, share = 1;
    if (!(length(g) > GOOD * scale))
      return count;
    for (int i = 0; i < FORCES_ROWS; i++)
      step[i] = -g[i];
    matrices_solve_positive(FORCES_ROWS, H, step); /* H >= 1: it has a factor */
    for (int i = 0; i < FORCES_ROWS; i++)
      slope += g[i] * step[i];
    for (int half = 0; half < 40; half++, share *= 0.5) {
      double there[FORCES_ROWS];
      for (int i = 0; i < FORCES_ROWS; i++)
        y[i] = at[i] + share * step[i];
      if (evaluate(f, y, there, NULL) <= value + 1e-4 * share * slope + 1e-15 * fabs(value))
        break;
    }
    memcpy(at, y, sizeof y);
  }
  evaluate(f, at, g, NULL);
  return -1;
}
