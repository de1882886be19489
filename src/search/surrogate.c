/* Guesses of success and effort. Equations are numbered as in doc/search.md. */
#include "search/surrogate.h"

#include <math.h>
#include <string.h>

#include "base/matrices.h"

/* ---- distance, equation 10 ---- */

#define MEASURE_UNIT 2 /* units of what a task measures that count as 1 */

double surrogate_distance2(const struct surrogate_request *a, const struct surrogate_request *b, double from,
                           double to)
{
  double speed = b->speed - a->speed, cycles = b->cycles - a->cycles;
  int same_gait = a->gait == b->gait && a->gait_change == b->gait_change;
  double sum = from * from + to * to + 2 - 2 * cos(b->turn - a->turn) + 2 - 2 * cos(b->strafe - a->strafe) +
               speed * speed + cycles * cycles + (same_gait ? 0 : 1);
  for (int m = 0; m < FEATURES_MEASURES; m++) {
    double level = (b->measured[m] - a->measured[m]) / MEASURE_UNIT,
           change = (b->measured_change[m] - a->measured_change[m]) / MEASURE_UNIT;
    sum += level * level + change * change;
  }
  return sum;
}

/* ---- success, equations 11 to 13 ---- */

static double at_least(double x, double least)
{
  return x > least ? x : least; /* NaN becomes the least */
}

/* What an attempt says in favour of its own outcome; ratio is that of the qualities, at most 1. It had an excuse if it
 * succeeded from a better initial motion than ours, or failed from a worse one. */
static double evidence(double distance2, double ratio, int excuse)
{
  return excuse ? ratio / distance2 : 1 / (distance2 - log(ratio));
}

double surrogate_success(int n, const struct surrogate_attempt *attempts, double quality, double prior)
{
  double sum[2] = {prior, prior}, q = at_least(quality, SURROGATE_LEAST_QUALITY);
  for (int i = 0; i < n; i++) {
    double other = fmin(at_least(attempts[i].quality, SURROGATE_LEAST_QUALITY), 1e300);
    double d2 = fmin(at_least(attempts[i].distance2, SURROGATE_LEAST_DISTANCE2), 1e300), ours = fmin(q, 1e300);
    int good = attempts[i].succeeded != 0, excuse = good ? other <= ours : other >= ours;
    sum[good] += evidence(d2, fmin(other, ours) / fmax(other, ours), excuse);
  }
  return sum[0] + sum[1] > 0 ? sum[1] / (sum[0] + sum[1]) : 0.5;
}

#define CHANCE_PRIOR 0.3          /* what the rate of all attempts counts, in attempts at a distance of 1        */
#define CHANCE_LEAST_DISTANCE2 1e-3 /* nothing is known better than an attempt as near as this                     */

double surrogate_chance(int n, const struct surrogate_attempt *attempts)
{
  double sum[2] = {0, 0}, successes = 1;
  for (int i = 0; i < n; i++) {
    double d2 = at_least(attempts[i].distance2, CHANCE_LEAST_DISTANCE2);
    successes += attempts[i].succeeded != 0;
    sum[attempts[i].succeeded != 0] += 1 / (d2 * d2);
  }
  return (CHANCE_PRIOR * successes / (n + 2) + sum[1]) / (CHANCE_PRIOR + sum[0] + sum[1]);
}

/* ---- interpolation, equation 14 ---- */

double surrogate_interpolate(int n, const double *cost, const double *distance)
{
  double sum = 0, weights = 0;
  for (int i = 0; i < n; i++) {
    double w = 1 / at_least(distance[i] * distance[i], SURROGATE_LEAST_DISTANCE2);
    sum += w * cost[i];
    weights += w;
  }
  return weights > 0 ? sum / weights : 0;
}

/* ---- regression, equations 15 to 17 ---- */

enum { BASIC_FEATURES = SURROGATE_FEATURES - 3 * FEATURES_MEASURES };

void surrogate_features(const struct surrogate_request *r, double f[SURROGATE_FEATURES])
{
  double cycles = at_least(r->cycles, 0.1), turn = r->turn / cycles, rate = fabs(turn) * r->speed;
  const double values[BASIC_FEATURES] = {turn,     turn * turn,        fabs(turn),      r->cycles,      1 / cycles,
                                             r->speed, r->speed * r->speed, r->speed_change, fabs(r->strafe), rate,
                                             r->gait_change ? 1 : 0};
  memcpy(f, values, sizeof values);
  for (int m = 0; m < FEATURES_MEASURES; m++) {
    double *more = f + BASIC_FEATURES + 3 * m;
    more[0] = r->measured[m];
    more[1] = r->measured[m] * r->measured[m];
    more[2] = r->measured_change[m] * r->measured_change[m];
  }
}

enum { N = SURROGATE_FEATURES };

static void standardise(int n, const double *features, struct surrogate_model *m)
{
  for (int j = 0; j < N; j++) {
    double sum = 0, square = 0;
    for (int i = 0; i < n; i++)
      sum += features[i * N + j];
    m->mean[j] = n ? sum / n : 0;
    for (int i = 0; i < n; i++)
      square += (features[i * N + j] - m->mean[j]) * (features[i * N + j] - m->mean[j]);
    double deviation = n ? sqrt(square / n) : 0;
    m->scale[j] = deviation > 1e-9 * (1 + fabs(m->mean[j])) ? 1 / deviation : 0; /* a constant says nothing */
  }
}

static void scaled(const struct surrogate_model *m, const double *features, double *x)
{
  for (int j = 0; j < N; j++)
    x[j] = (features[j] - m->mean[j]) * m->scale[j];
}

/* x' (X'X + lambda)^-1 x */
static double leverage(const struct surrogate_model *m, const double *x)
{
  double sum = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      sum += x[i] * m->inverse[i][j] * x[j];
  return sum;
}

static void solve_ridge(int n, const double *features, const double *y, struct surrogate_model *m)
{
  double A[N][N] = {{0}}, b[N] = {0}, x[N];
  for (int i = 0; i < n; i++) {
    scaled(m, features + i * N, x);
    for (int j = 0; j < N; j++) {
      b[j] += x[j] * (y[i] - m->level);
      for (int k = 0; k < N; k++)
        A[j][k] += x[j] * x[k];
    }
  }
  for (int j = 0; j < N; j++)
    A[j][j] += m->lambda;
  memset(m->inverse, 0, sizeof m->inverse);
  for (int j = 0; j < N; j++)
    m->inverse[j][j] = 1;
  if (matrices_cholesky(N, A[0])) /* the ridge keeps it positive */
    matrices_cholesky_solve(N, A[0], N, m->inverse[0]);
  for (int j = 0; j < N; j++) {
    m->slope[j] = 0;
    for (int k = 0; k < N; k++)
      m->slope[j] += m->inverse[j][k] * b[k];
  }
}

static double value_at(const struct surrogate_model *m, const double *x)
{
  double sum = m->level;
  for (int j = 0; j < N; j++)
    sum += m->slope[j] * x[j];
  return sum;
}

/* Each clip left out in turn: what is missed is the residual over 1 - h, without fitting again. */
static double error_left_out(int n, const double *features, const double *y, const struct surrogate_model *m)
{
  double sum = 0, x[N];
  for (int i = 0; i < n; i++) {
    scaled(m, features + i * N, x);
    double h = 1. / n + leverage(m, x), miss = (y[i] - value_at(m, x)) / at_least(1 - h, 1e-6);
    sum += miss * miss;
  }
  return sqrt(sum / n);
}

void surrogate_fit(int n, const double *features, const double *log_effort, struct surrogate_model *out)
{
  struct surrogate_model trial;
  memset(&trial, 0, sizeof trial);
  trial.n = n;
  for (int i = 0; i < n; i++)
    trial.level += log_effort[i] / n;
  standardise(n, features, &trial);
  trial.lambda = 100;
  trial.error = INFINITY;
  *out = trial;
  for (double lambda = 100; lambda > 0.005 && n >= 3; lambda /= 10) { /* from stiff to loose: of equals the stiffer */
    trial.lambda = lambda;
    solve_ridge(n, features, log_effort, &trial);
    trial.error = error_left_out(n, features, log_effort, &trial);
    if (trial.error < out->error)
      *out = trial;
  }
}

double surrogate_predict(const struct surrogate_model *m, const double *features, double *error)
{
  double x[N];
  scaled(m, features, x);
  if (error)
    *error = isfinite(m->error) ? m->error * sqrt(1 + 1. / m->n + leverage(m, x)) : INFINITY;
  return value_at(m, x);
}

/* ---- ranks ---- */

/* Rank of x[i] among all, the mean of those of its equals. */
static double rank_of(int n, const double *x, int i)
{
  double below = 0, equal = 0;
  for (int j = 0; j < n; j++)
    below += x[j] < x[i], equal += x[j] == x[i];
  return below + 0.5 * (equal - 1);
}

double surrogate_rank_correlation(int n, const double *x, const double *y)
{
  double xx = 0, yy = 0, xy = 0, middle = 0.5 * (n - 1);
  for (int i = 0; i < n; i++) {
    double a = rank_of(n, x, i) - middle, b = rank_of(n, y, i) - middle;
    xx += a * a, yy += b * b, xy += a * b;
  }
  return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : 0;
}
