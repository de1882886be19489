/* Least squares within bounds; see levenberg.h.
 *
 *   (J^T J + mu diag(J^T J)) step = -J^T r      mu falls after a step that helps, grows after one that does not
 *
 * An unknown that stands at a bound and is pulled outwards stays out of the step; the others take it, and are stopped
 * at theirs. */
#include "capture/levenberg.h"

#include <math.h>
#include <string.h>

#include "base/matrices.h"

struct levenberg {
  int n, m;
  double *r, *trial_r, *J;      /* (m), (m), (m x n)      */
  double *A, *M;                /* J^T J, and damped (n x n) */
  double *g, *step, *trial;     /* (n)                    */
  unsigned char *held;          /* at a bound (n)         */
};

struct levenberg *levenberg_new(struct arena *arena, int n, int m)
{
  struct levenberg *l = ARENA_NEW(arena, 1, struct levenberg);
  size_t un = (size_t)n, um = (size_t)m;
  *l = (struct levenberg){.n = n, .m = m};
  l->r = ARENA_NEW(arena, um, double);
  l->trial_r = ARENA_NEW(arena, um, double);
  l->J = ARENA_NEW(arena, um * un, double);
  l->A = ARENA_NEW(arena, un * un, double);
  l->M = ARENA_NEW(arena, un * un, double);
  l->g = ARENA_NEW(arena, un, double);
  l->step = ARENA_NEW(arena, un, double);
  l->trial = ARENA_NEW(arena, un, double);
  l->held = ARENA_NEW(arena, un, unsigned char);
  return l;
}

static double square(int m, const double *r)
{
  double sum = 0;
  for (int i = 0; i < m; i++)
    sum += r[i] * r[i];
  return sum;
}

static double levenberg_within(const struct levenberg_problem *p, int i, double x)
{
  if (p->lower && x < p->lower[i])
    x = p->lower[i];
  if (p->upper && x > p->upper[i])
    x = p->upper[i];
  return x;
}

/* A = J^T J, g = J^T r, row by row: most entries of a row are zero. */
static void levenberg_form(struct levenberg *l, const struct levenberg_problem *p)
{
  int n = p->n;
  memset(l->A, 0, (size_t)n * (size_t)n * sizeof *l->A);
  memset(l->g, 0, (size_t)n * sizeof *l->g);
  for (int row = 0; row < p->m; row++) {
    const double *J = l->J + (size_t)row * (size_t)n;
    for (int i = 0; i < n; i++) {
      if (J[i] == 0)
        continue;
      l->g[i] += J[i] * l->r[row];
      for (int j = 0; j <= i; j++)
        l->A[i * n + j] += J[i] * J[j];
    }
  }
}

static void levenberg_hold(struct levenberg *l, const struct levenberg_problem *p, const double *x)
{
  for (int i = 0; i < p->n; i++)
    l->held[i] = (p->lower && x[i] <= p->lower[i] && l->g[i] > 0) || (p->upper && x[i] >= p->upper[i] && l->g[i] < 0);
}

/* The damped step in l->step. 0 if there is none. */
static int find_step(struct levenberg *l, const struct levenberg_problem *p, double mu)
{
  int n = p->n;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++)
      l->M[i * n + j] = l->held[i] || l->held[j] ? 0 : l->A[i * n + j];
    l->M[i * n + i] = l->held[i] ? 1 : l->A[i * n + i] * (1 + mu) + 1e-12;
    l->step[i] = l->held[i] ? 0 : -l->g[i];
  }
  return matrices_solve_positive(n, l->M, l->step);
}

/* Smaller and smaller steps until one helps; the largest change of an unknown. Lowers *cost and moves x if it does. */
static double levenberg_improve(struct levenberg *l, const struct levenberg_problem *p, double *mu, double *cost,
                                double *x)
{
  double change = 0;
  for (int tries = 0; tries < 30; tries++) {
    int found = find_step(l, p, *mu);
    change = 0;
    for (int i = 0; i < p->n && found; i++) {
      l->trial[i] = levenberg_within(p, i, x[i] + l->step[i]);
      change = fmax(change, fabs(l->trial[i] - x[i]));
    }
    if (found)
      p->evaluate(p->user, l->trial, l->trial_r, NULL);
    double trial = found ? square(p->m, l->trial_r) : INFINITY;
    if (trial < *cost) {
      *mu = fmax(*mu / 10, 1e-12);
      *cost = trial;
      memcpy(x, l->trial, (size_t)p->n * sizeof *x);
      return change;
    }
    *mu *= 10;
    if (found && change <= p->tolerance)
      break;
  }
  return 0; /* nothing helps: this is the place */
}

struct levenberg_result levenberg_solve(struct levenberg *l, const struct levenberg_problem *p, double *x)
{
  struct levenberg_result out = {0};
  double mu = 1e-6;
  for (int i = 0; i < p->n; i++)
    x[i] = levenberg_within(p, i, x[i]);
  p->evaluate(p->user, x, l->r, NULL);
  out.cost = square(p->m, l->r);
  for (; out.iterations < p->max_iterations && isfinite(out.cost) && !out.converged; out.iterations++) {
    memset(l->J, 0, (size_t)p->m * (size_t)p->n * sizeof *l->J);
    p->evaluate(p->user, x, l->r, l->J);
    levenberg_form(l, p);
    levenberg_hold(l, p, x);
    out.converged = levenberg_improve(l, p, &mu, &out.cost, x) <= p->tolerance;
  }
  return out;
}
