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
 * Categories and lists of values only jump, to one of the others.
 *
 * Jumps may be weighted. On a circle the weights are of turns, from the value that is asked at present: a law of the
 * headings themselves would need to know where north is, which a controller that counts from its own heading does not,
 * and K would no longer be the same for all rows. On an interval they are of the new value. Both are densities, even
 * within each part, and a point of the grid gets what lies in its cell. Of categories and lists a jump from i goes to j
 * with chance w_j / (1 - w_i). */
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

/* ---- the law of jumps, where it is not uniform ---- */

/* Share of the density that lies below x, x counted in parts, 0 to n_weights. */
static double weights_below(const struct task_parameter *p, double x)
{
  double sum = 0.0;
  int whole = (int)fmin(floor(x), p->n_weights);
  for (int k = 0; k < whole; k++)
    sum += p->weights[k];
  return whole < p->n_weights ? sum + (x - whole) * p->weights[whole] : sum;
}

/* The same the other way: where a share of the density lies below. */
static double weights_at(const struct task_parameter *p, double share)
{
  int k = 0;
  while (k < p->n_weights - 1 && share >= p->weights[k])
    share -= p->weights[k++];
  return k + (p->weights[k] > 0.0 ? fmin(1.0, share / p->weights[k]) : 0.5);
}

/* What lies between two turns, in shares of the circle, -1 to 2; part k is around turn k / n_weights. */
static double turns_between(const struct task_parameter *p, double from, double until)
{
  double sum = 0.0, m = p->n_weights;
  for (int round = -1; round <= 2; round++) { /* the parts of this round begin at turn round - 0.5 / m */
    double a = fmin(m, fmax(0.0, (from - round) * m + 0.5)), b = fmin(m, fmax(0.0, (until - round) * m + 0.5));
    sum += weights_below(p, b) - weights_below(p, a);
  }
  return sum;
}

/* J's first row on a circle, J's every row on an interval (n). */
static void jump_row(const struct task_parameter *p, double *row)
{
  double n = p->n, m = p->n_weights;
  for (int j = 0; j < p->n; j++)
    if (p->kind->space == TASK_CIRCLE) {
      row[j] = turns_between(p, (j - 0.5) / n, (j + 0.5) / n);
    } else {
      double from = fmax(0.0, (j - 0.5) / (n - 1)), until = fmin(1.0, (j + 0.5) / (n - 1));
      row[j] = weights_below(p, m * until) - weights_below(p, m * from);
    }
}

/* ---- matrices ---- */

/* K's first row on a circle of m points; the others are this one, shifted. */
static void circle_row(const struct task_parameter *p, double *row, int m, double width)
{
  if (p->drift > 0.0)
    drift_row(row, m, width);
  double others = 0.0;
  for (int j = 1; j < m; j++) {
    row[j] = p->drift * row[j] + (p->weights ? 0.0 : p->jump / m);
    others += row[j];
  }
  row[0] = 1.0 - others; /* that is (1 - jump - drift) + drift D + jump / m, and rounding takes nothing away */
}

/* Exchanges jump times staying, which circle_row() left with weights, for jump times J. */
static void add_jumps(const struct task_parameter *p, double *row, int here, const double *jumps)
{
  double others = 0.0;
  for (int j = 0; j < p->n; j++)
    if (j != here) {
      row[j] += p->jump * jumps[j];
      others += row[j];
    }
  row[here] = fmax(0.0, 1.0 - others);
}

static void fill_circle(const struct task_parameter *p, double *K, double *row)
{
  circle_row(p, row, p->n, p->width);
  if (p->weights) {
    jump_row(p, row + p->n);
    add_jumps(p, row, 0, row + p->n);
  }
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
  if (p->weights)
    jump_row(p, row);
  for (int i = 0; i < p->n && p->weights; i++)
    add_jumps(p, K + i * p->n, i, row);
}

static void fill_category(const struct task_parameter *p, double *K)
{
  for (int i = 0; i < p->n; i++)
    for (int j = 0; j < p->n; j++)
      if (i == j)
        K[i * p->n + j] = 1.0 - p->jump;
      else
        K[i * p->n + j] = p->weights ? p->jump * p->weights[j] / (1.0 - p->weights[i]) : p->jump / (p->n - 1);
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
  if (!p->weights) {
    int next = rng_below(rng, p->n - 1);
    return p->values[next + (next >= here)];
  }
  double share = rng_uniform(rng, 0.0, 1.0 - p->weights[here]);
  int last = here;
  for (int i = 0; i < p->n; i++)
    if (i != here && p->weights[i] > 0.0) {
      last = i;
      if (share < p->weights[i])
        break;
      share -= p->weights[i];
    }
  return p->values[last];
}

/* Anywhere, by the weights if there are any. */
static double jump_anywhere(const struct task_parameter *p, double theta, struct rng *rng)
{
  int is_circle = p->kind->space == TASK_CIRCLE;
  if (!p->weights)
    return is_circle ? rng_uniform(rng, -PI, PI) : rng_uniform(rng, p->least, p->most);
  double x = weights_at(p, rng_uniform(rng, 0.0, 1.0));
  if (is_circle)
    return task_wrap(theta + 2.0 * PI * (x - 0.5) / p->n_weights);
  return fmin(p->most, p->least + (p->most - p->least) * x / p->n_weights);
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
    return jump_anywhere(p, theta, rng);
  double next = theta + p->width * rng_normal(rng);
  return is_circle ? task_wrap(next) : reflect(next, p->least, p->most);
}
