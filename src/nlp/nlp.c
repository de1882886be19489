/* What does not depend on the solver: defaults, names, the worst constraint, a check of derivatives. */
#include "nlp/nlp.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"

void nlp_defaults(struct nlp_options *o)
{
  *o = (struct nlp_options){.tolerance = 1e-4,
                            .constraint_tolerance = 1e-8,
                            .max_iterations = 300,
                            .max_seconds = 120,
                            .pivot_threshold = 1e-9};
}

const char *nlp_status_text(enum nlp_status status)
{
  static const char *const texts[] = {
    "solved", "acceptable", "constraints cannot be met", "too many iterations", "out of time",
    "stopped", "led astray", "not a number", "solver gave up"};
  return texts[status];
}

static double outside(double value, double lower, double upper)
{
  if (isnan(value))
    return INFINITY;
  return fmax(fmax(lower - value, value - upper), 0);
}

double nlp_violation(const struct nlp *p, const double *x, const double *g, int *which)
{
  double worst = -1;
  for (int i = 0; i < p->n; i++)
    if (outside(x[i], p->x_lower[i], p->x_upper[i]) > worst) {
      worst = outside(x[i], p->x_lower[i], p->x_upper[i]);
      *which = -1 - i;
    }
  for (int i = 0; i < p->m; i++)
    if (outside(g[i], p->g_lower[i], p->g_upper[i]) > worst) {
      worst = outside(g[i], p->g_lower[i], p->g_upper[i]);
      *which = i;
    }
  return worst;
}

/* ---- derivatives against differences, in one random direction u ---- */

struct probe {
  const struct nlp *p;
  double *u, *moved, *lambda, *g[2], *grad[2], *jac, *hess, *ju, *expected;
};

static void move(const struct probe *b, const double *x, double step)
{
  for (int i = 0; i < b->p->n; i++)
    b->moved[i] = x[i] + step * b->u[i];
}

/* The gradient of the Lagrangian f + lambda . g at the moved point. */
static void lagrangian_gradient(const struct probe *b, double *out)
{
  const struct nlp *p = b->p;
  p->gradient(p->self, b->moved, out);
  p->jacobian(p->self, b->moved, b->jac);
  for (int k = 0; k < p->n_jacobian; k++)
    out[p->jacobian_col[k]] += b->lambda[p->jacobian_row[k]] * b->jac[k];
}

static double relative_error(const double *a, const double *b, int n)
{
  double most = 0, scale = 1e-300;
  for (int i = 0; i < n; i++) {
    most = fmax(most, isnan(a[i] - b[i]) ? INFINITY : fabs(a[i] - b[i]));
    scale = fmax(scale, fabs(a[i]));
  }
  return most / scale;
}

struct nlp_check nlp_check_derivatives(struct arena *arena, const struct nlp *p, const double *x, unsigned seed)
{
  size_t n = (size_t)p->n, m = (size_t)p->m, most = (n > m ? n : m) + 1;
  struct rng r = rng_stream(seed, 0);
  struct probe b = {.p = p,
                    .u = ARENA_NEW(arena, n, double),
                    .moved = ARENA_NEW(arena, n, double),
                    .lambda = ARENA_NEW(arena, most, double),
                    .jac = ARENA_NEW(arena, (size_t)p->n_jacobian + 1, double),
                    .hess = ARENA_NEW(arena, (size_t)p->n_hessian + 1, double),
                    .ju = ARENA_NEW(arena, most, double),
                    .expected = ARENA_NEW(arena, most, double)};
  struct nlp_check c = {0, 0, 0};
  const double e = 1e-5;
  double f[2], slope = 0;
  for (int i = 0; i < p->n; i++)
    b.u[i] = rng_normal(&r);
  for (int i = 0; i < p->m; i++)
    b.lambda[i] = rng_normal(&r);
  for (int side = 0; side < 2; side++) {
    b.g[side] = ARENA_NEW(arena, most, double), b.grad[side] = ARENA_NEW(arena, most, double);
    move(&b, x, side ? e : -e);
    f[side] = p->objective(p->self, b.moved);
    p->constraints(p->self, b.moved, b.g[side]);
    lagrangian_gradient(&b, b.grad[side]);
  }
  move(&b, x, 0);
  p->gradient(p->self, b.moved, b.expected);
  for (int i = 0; i < p->n; i++)
    slope += b.expected[i] * b.u[i];
  c.gradient = fabs(slope - (f[1] - f[0]) / (2 * e)) / (fabs(slope) + 1e-300);

  p->jacobian(p->self, b.moved, b.jac);
  for (int k = 0; k < p->n_jacobian; k++)
    b.ju[p->jacobian_row[k]] += b.jac[k] * b.u[p->jacobian_col[k]];
  for (int i = 0; i < p->m; i++)
    b.expected[i] = (b.g[1][i] - b.g[0][i]) / (2 * e);
  c.jacobian = relative_error(b.ju, b.expected, p->m);

  p->hessian(p->self, b.moved, 1.0, b.lambda, b.hess);
  memset(b.ju, 0, most * sizeof *b.ju);
  for (int k = 0; k < p->n_hessian; k++) {
    int row = p->hessian_row[k], col = p->hessian_col[k];
    b.ju[row] += b.hess[k] * b.u[col];
    if (row != col)
      b.ju[col] += b.hess[k] * b.u[row];
  }
  for (int i = 0; i < p->n; i++)
    b.expected[i] = (b.grad[1][i] - b.grad[0][i]) / (2 * e);
  c.hessian = relative_error(b.ju, b.expected, p->n);
  return c;
}
