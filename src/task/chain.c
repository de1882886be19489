/* How a parameter moves from one frame to the next: as a matrix on its grid, and as a sampler in all its values.
 *
 *   K = (1 - jump - drift) I + jump J + drift D          doc/task-format.md, "How a parameter moves"
 *
 * Circles. J is uniform. D is a Gaussian step, wrapped. Steps are often shorter than the grid is wide, and then the two
 * plain ways are wrong. On a grid of 5 degrees the Gaussian's density at the grid's points makes a step of 2 degrees
 * one of 1.4, and of 1 degree none at all; sharing each step between the two nearest points makes them 2.8 and 2.0. So
 * D's row is a Gaussian on the grid whose width is chosen such that the mean of cos(step) is that of the true one,
 * exp(-width^2 / 2): directions are forgotten exactly as fast as the sampler forgets them, after any number of frames,
 * on any grid.
 *
 * Intervals reflect: x and the mirror images of x at both ends are the same value, so an interval of n points is a
 * circle of 2 (n - 1) points folded in half, and its matrix is that circle's, folded. A jump lands anywhere, uniformly;
 * of the grid's points the two ends stand for half a cell each.
 *
 * Categories and lists of values only jump, to one of the others. */
#include <math.h>

#include "task/room.h"

#define WRAPS 6 /* a Gaussian of half a period's width is below 1e-30 that many periods away */

/* ---- the Gaussian on a circle of m points ---- */

/* row[j], j = 0..m-1: proportional to the wrapped Gaussian of this width [cells]. Returns 1 - mean cos(step). */
static double gaussian_row(double *row, int m, double width)
{
  double sum = 0.0, lost = 0.0;
  for (int j = 0; j <= m / 2; j++) {
    row[j] = 0.0;
    for (int k = -WRAPS; k <= WRAPS; k++) {
      double x = (j + (double)k * m) / width;
      row[j] += exp(-0.5 * x * x);
    }
    row[(m - j) % m] = row[j];
  }
  for (int j = 0; j < m; j++) {
    double s = sin(PI * j / m);
    sum += row[j];
    lost += row[j] * 2.0 * s * s; /* 1 - cos(2 pi j / m) */
  }
  for (int j = 0; j < m; j++)
    row[j] /= sum;
  return lost / sum;
}

/* The row of D: width is the true one, in radians of the circle, more than 0 and at most pi. */
static void drift_row(double *row, int m, double width)
{
  double target = -expm1(-0.5 * width * width); /* 1 - mean cos(step) */
  double low = log(1e-2), high = log((double)m); /* of the width in cells; below a hundredth exp() gives 0 */
  for (int i = 0; i < 80; i++) {
    double middle = 0.5 * (low + high);
    if (gaussian_row(row, m, exp(middle)) < target)
      low = middle;
    else
      high = middle;
  }
  gaussian_row(row, m, exp(high));
}

/* ---- matrices ---- */

/* K's first row on a circle of m points; the others are this one, shifted. */
static void circle_row(const struct task_parameter *p, double *row, int m, double width)
{
  if (p->drift > 0.0)
    drift_row(row, m, width);
  double others = 0.0;
  for (int j = 1; j < m; j++) {
    row[j] = p->drift * row[j] + p->jump / m;
    others += row[j];
  }
  row[0] = 1.0 - others; /* that is (1 - jump - drift) + drift D + jump / m, and rounding takes nothing away */
}

static void fill_circle(const struct task_parameter *p, double *K, double *row)
{
  circle_row(p, row, p->n, p->width);
  for (int i = 0; i < p->n; i++)
    for (int j = 0; j < p->n; j++)
      K[i * p->n + j] = row[(j - i + p->n) % p->n];
}

/* Points n - 1 + j and n - 1 - j of the circle are the same point of the interval. */
static void fill_interval(const struct task_parameter *p, double *K, double *row)
{
  int m = 2 * (p->n - 1);
  circle_row(p, row, m, p->width * PI / (p->most - p->least));
  for (int i = 0; i < p->n; i++)
    for (int j = 0; j < m; j++)
      K[i * p->n + (j < p->n ? j : m - j)] += row[(j - i + m) % m];
}

static void fill_category(const struct task_parameter *p, double *K)
{
  for (int i = 0; i < p->n; i++)
    for (int j = 0; j < p->n; j++)
      K[i * p->n + j] = i == j ? 1.0 - p->jump : p->jump / (p->n - 1);
}

const double *task_chain(struct arena *arena, const struct task *t, int index)
{
  const struct task_parameter *p = &t->parameters[index];
  size_t n = (size_t)p->n;
  double *K = ARENA_NEW(arena, n * n, double);
  struct arena *scratch = arena_new();
  double *row = ARENA_NEW(scratch, 2 * n, double);
  if (n == 1)
    K[0] = 1.0;
  else if (p->kind->space == TASK_CIRCLE)
    fill_circle(p, K, row);
  else if (p->kind->space == TASK_INTERVAL && !p->listed)
    fill_interval(p, K, row);
  else
    fill_category(p, K);
  arena_free(scratch);
  return K;
}

/* ---- the sampler ---- */

/* Into [least, most] by mirror images at both ends. */
static double reflect(double x, double least, double most)
{
  double length = most - least, u = fmod(fabs(x - least), 2.0 * length);
  return fmin(most, least + (u > length ? 2.0 * length - u : u));
}

/* One of the others. */
static double jump_listed(const struct task_parameter *p, double theta, struct rng *rng)
{
  int here = 0;
  for (int i = 1; i < p->n; i++)
    if (fabs(p->values[i] - theta) < fabs(p->values[here] - theta))
      here = i;
  int next = rng_below(rng, p->n - 1);
  return p->values[next + (next >= here)];
}

double task_sample(const struct task *t, int index, double theta, struct rng *rng)
{
  const struct task_parameter *p = &t->parameters[index];
  double chance = rng_uniform(rng, 0.0, 1.0);
  if (p->n == 1 || chance >= p->jump + p->drift)
    return theta;
  if (p->listed || p->kind->space == TASK_CATEGORY)
    return jump_listed(p, theta, rng);
  int is_circle = p->kind->space == TASK_CIRCLE;
  if (chance < p->jump)
    return is_circle ? rng_uniform(rng, -PI, PI) : rng_uniform(rng, p->least, p->most);
  double next = theta + p->width * rng_normal(rng);
  return is_circle ? task_wrap(next) : reflect(next, p->least, p->most);
}
