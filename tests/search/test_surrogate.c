/* Surrogates and samplers: the paper's properties of the chance of success, on random histories too; the regression
 * against one that is done by leaving clips out for real; samplers on costs with several valleys. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "check.h"
#include "search/sampler.h"
#include "search/surrogate.h"

static const double pi = 3.14159265358979323846;

/* ---- distance ---- */

static void test_distance(void)
{
  struct surrogate_request a = {.turn = 3, .cycles = 1, .speed = 0.5, .strafe = 0.2, .gait = 1}, b = a;
  CHECK_NEAR(surrogate_distance2(&a, &b, 0, 0), 0, 0);
  CHECK_NEAR(surrogate_distance2(&a, &b, 0.3, 0.4), 0.25, 1e-15);
  b.turn += 2 * pi;
  CHECK_NEAR(surrogate_distance2(&a, &b, 0, 0), 0, 1e-12);
  b.turn = 3 + 0.5 * pi;
  CHECK_NEAR(surrogate_distance2(&a, &b, 0, 0), 2, 1e-12);
  b = a, b.strafe += pi;
  CHECK_NEAR(surrogate_distance2(&a, &b, 0, 0), 4, 1e-12);
  b = a, b.speed = 0.9, b.gait = 0, b.cycles = 0.5;
  CHECK_NEAR(surrogate_distance2(&a, &b, 0, 0), 0.16 + 1 + 0.25, 1e-12);
  CHECK_NEAR(surrogate_distance2(&b, &a, 0, 0), 0.16 + 1 + 0.25, 1e-12);
}

/* ---- success ---- */

/* Equations 7 to 11 of the paper with the ratios swapped, term by term. */
static double by_the_book(int n, const struct surrogate_attempt *a, double q)
{
  double s1 = 0, s2 = 0, f1 = 0, f2 = 0;
  for (int i = 0; i < n; i++) {
    double qi = a[i].quality, d2 = a[i].distance2;
    if (a[i].succeeded && qi < q)
      s1 += qi / q / d2;
    else if (a[i].succeeded)
      s2 += 1 / (d2 + log(qi / q));
    else if (qi > q)
      f1 += q / qi / d2;
    else
      f2 += 1 / (d2 + log(q / qi));
  }
  return (s1 + s2) / (s1 + s2 + f1 + f2);
}

static void test_book(void)
{
  struct rng r = rng_stream(9, 1);
  for (int i = 0; i < 2000; i++) {
    struct surrogate_attempt a[12];
    int n = 1 + rng_below(&r, 12);
    double q = rng_uniform(&r, 0.01, 5);
    for (int j = 0; j < n; j++)
      a[j] = (struct surrogate_attempt){rng_below(&r, 2), rng_uniform(&r, 0.01, 5), rng_uniform(&r, 0.001, 8)};
    CHECK_NEAR(surrogate_success(n, a, q, 0), by_the_book(n, a, q), 1e-12);
  }
}

/* Whatever the numbers: a chance. */
static void test_bounds(void)
{
  static const double odd[] = {0, -1, 1e-300, 1e-9, 1, 1e9, 1e300, INFINITY, NAN};
  struct surrogate_attempt a[2];
  CHECK_NEAR(surrogate_success(0, NULL, 1, 0), 0.5, 0);
  CHECK_NEAR(surrogate_success(0, NULL, 1, SURROGATE_PRIOR), 0.5, 0);
  for (int i = 0; i < 9 * 9 * 9 * 9; i++)
    for (int prior = 0; prior < 2; prior++) {
      a[0] = (struct surrogate_attempt){i % 2, odd[i % 9], odd[i / 9 % 9]};
      a[1] = (struct surrogate_attempt){1 - i % 2, odd[i / 81 % 9], odd[i / 9 % 9]};
      double p = surrogate_success(2, a, odd[i / 729], prior);
      CHECK(p >= 0 && p <= 1);
    }
}

/* What the paper says of it. */
static void test_sense(void)
{
  struct surrogate_attempt good = {1, 1, 0.5}, bad = {0, 1, 0.5}, both[2] = {good, bad};
  CHECK_NEAR(surrogate_success(2, both, 1, 0), 0.5, 1e-12);
  CHECK_NEAR(surrogate_success(1, &good, 1, 0), 1, 0);
  CHECK_NEAR(surrogate_success(1, &bad, 1, 0), 0, 0);
  CHECK_NEAR(surrogate_success(1, &bad, 1, SURROGATE_PRIOR), 1. / 4, 1e-12); /* 1 / (1 + 1 + 1 / 0.5) */
  both[0].distance2 = 0.05; /* near a success, far from a failure */
  CHECK(surrogate_success(2, both, 1, 1) > 0.8);
  both[0].distance2 = 5, both[1].distance2 = 0.05;
  CHECK(surrogate_success(2, both, 1, 1) < 0.2);
  double last = 0; /* a better start helps beside a failure */
  for (double q = 1; q > 0.01; q /= 2) {
    double p = surrogate_success(1, &bad, q, 1);
    CHECK(p > last);
    last = p;
  }
  struct surrogate_attempt here = {1, 0.5, 0}; /* the very same has been solved */
  CHECK(surrogate_success(1, &here, 0.5, 1) > 0.9999);
}

/* Ours: what is near decides, however much lies elsewhere; with nothing near, the rate of all. */
static void test_chance(void)
{
  static const double odd[] = {0, -1, 1e-300, 1e-9, 1, 1e9, 1e300, INFINITY, NAN};
  struct surrogate_attempt a[41];
  CHECK_NEAR(surrogate_chance(0, NULL), 0.5, 1e-12);
  for (int i = 0; i < 40; i++) /* three of four fail, far away */
    a[i] = (struct surrogate_attempt){i % 4 == 0, 1, 100};
  CHECK_NEAR(surrogate_chance(40, a), 11. / 42, 0.01);
  a[40] = (struct surrogate_attempt){1, 1, 0.1};
  CHECK(surrogate_chance(41, a) > 0.9);
  for (int i = 0; i < 40; i++)
    a[i].distance2 = 1, a[i].succeeded = 0;
  CHECK(surrogate_chance(41, a) > 0.7 && surrogate_success(41, a, 1, SURROGATE_PRIOR) < 0.3);
  for (int i = 0; i < 81; i++) {
    a[0] = (struct surrogate_attempt){i % 2, 1, odd[i % 9]};
    a[1] = (struct surrogate_attempt){1 - i % 2, 1, odd[i / 9]};
    double p = surrogate_chance(2, a);
    CHECK(p >= 0 && p <= 1);
  }
}

/* ---- interpolation ---- */

static void test_interpolation(void)
{
  const double cost[3] = {1, 2, 6}, at[3] = {0, 0.3, 0.5}, even[3] = {0.2, 0.2, 0.2}, two[3] = {1, 2, 1e9};
  CHECK_NEAR(surrogate_interpolate(3, cost, at), 1, 1e-3);
  CHECK_NEAR(surrogate_interpolate(3, cost, even), 3, 1e-12);
  CHECK_NEAR(surrogate_interpolate(3, cost, two), (1 + 0.25 * 2) / 1.25, 1e-9);
  CHECK_NEAR(surrogate_interpolate(0, cost, at), 0, 0);
}

/* ---- regression ---- */

enum { CLIPS = 40, N = SURROGATE_FEATURES };

static double truth(const struct surrogate_request *r)
{
  double turn = r->turn / r->cycles;
  return -2 + 0.5 * turn * turn + 0.3 * fabs(turn) + 0.8 * r->speed - 0.4 * r->cycles + 0.6 * r->gait_change;
}

static void make_clips(double noise, double *features, double *y)
{
  struct rng r = rng_stream(9, 2);
  for (int i = 0; i < CLIPS; i++) {
    struct surrogate_request q = {.turn = rng_uniform(&r, -1.6, 1.6), .cycles = 0.5 * (1 + rng_below(&r, 4)),
                                  .speed = rng_uniform(&r, 0.2, 1), .gait_change = rng_below(&r, 2)};
    surrogate_features(&q, features + i * N);
    y[i] = truth(&q) + noise * rng_normal(&r);
  }
}

static void test_fit(void)
{
  static double features[CLIPS * N], y[CLIPS];
  struct surrogate_model m;
  double error, shown[CLIPS];
  make_clips(0, features, y);
  surrogate_fit(CLIPS, features, y, &m);
  CHECK(m.error < 0.03); /* the truth is among the features */
  for (int i = 0; i < CLIPS; i++)
    shown[i] = surrogate_predict(&m, features + i * N, &error);
  CHECK(surrogate_rank_correlation(CLIPS, shown, y) > 0.99);
  CHECK(error >= m.error && error < 2 * m.error);
  struct surrogate_request far = {.turn = 30, .cycles = 1, .speed = 9};
  double f[N], far_error;
  surrogate_features(&far, f);
  surrogate_predict(&m, f, &far_error);
  CHECK(far_error > 5 * error);
}

/* The error is about what one gets by leaving each clip out and fitting the rest. The formula keeps ridge and
 * standardisation of all clips, fitting anew does not: hence few digits. */
static void test_left_out(void)
{
  static double features[CLIPS * N], y[CLIPS], rest[CLIPS * N], rest_y[CLIPS];
  struct surrogate_model all, m;
  double sum = 0;
  make_clips(0.3, features, y);
  surrogate_fit(CLIPS, features, y, &all);
  CHECK(all.error > 0.2 && all.error < 0.6);
  for (int out = 0; out < CLIPS; out++) {
    int n = 0;
    for (int i = 0; i < CLIPS; i++)
      if (i != out) {
        memcpy(rest + n * N, features + i * N, N * sizeof *rest);
        rest_y[n++] = y[i];
      }
    surrogate_fit(n, rest, rest_y, &m);
    double miss = y[out] - surrogate_predict(&m, features + out * N, NULL);
    sum += miss * miss / CLIPS;
  }
  CHECK_NEAR(all.error / sqrt(sum), 1, 0.05);
}

static void test_few(void)
{
  double features[3 * N], y[3] = {1, 2, 4}, error;
  struct surrogate_model m;
  struct surrogate_request r = {.turn = 0.5, .cycles = 1, .speed = 0.4};
  for (int i = 0; i < 3; i++)
    surrogate_features(&r, features + i * N);
  for (int n = 0; n < 3; n++) {
    surrogate_fit(n, features, y, &m);
    CHECK_NEAR(surrogate_predict(&m, features, &error), n == 0 ? 0 : n == 1 ? 1 : 1.5, 1e-12);
    CHECK(isinf(error));
  }
  surrogate_fit(3, features, y, &m); /* all the same: the mean, and an honest error */
  CHECK_NEAR(surrogate_predict(&m, features, &error), 7. / 3, 1e-12);
  CHECK(error > 1 && error < 4);
}

static void test_ranks(void)
{
  const double x[5] = {1, 2, 3, 4, 5}, up[5] = {1, 8, 27, 64, 125}, down[5] = {9, 7, 5, 3, 1};
  const double flat[5] = {2, 2, 2, 2, 2}, tied[5] = {1, 1, 2, 3, 4};
  CHECK_NEAR(surrogate_rank_correlation(5, x, up), 1, 1e-12);
  CHECK_NEAR(surrogate_rank_correlation(5, x, down), -1, 1e-12);
  CHECK_NEAR(surrogate_rank_correlation(5, x, flat), 0, 0);
  CHECK_NEAR(surrogate_rank_correlation(5, x, tied), 9.5 / sqrt(95), 1e-12); /* ranks 0.5 0.5 2 3 4 */
}

/* ---- samplers ---- */

static const struct sampler_parameter box[3] = {{.space = SAMPLER_CIRCLE, .least = -3.14159, .most = 3.14159},
                                                {.space = SAMPLER_INTERVAL, .least = 1, .most = 3, .unit = 1},
                                                {.space = SAMPLER_CATEGORY, .n = 3}};

/* A wide valley, and a narrow deeper one in another category. */
static double valleys(const double *x)
{
  double wide = 2 - 2 * cos(x[0] + 2) + (x[1] - 2.5) * (x[1] - 2.5) + (x[2] == 0 ? 0 : 1);
  double deep = 3 * (2 - 2 * cos(x[0] - 1)) + 3 * (x[1] - 1.5) * (x[1] - 1.5) + (x[2] == 2 ? 0 : 1.5);
  return fmin(-1 + wide, -2 + deep);
}

/* Cheapest of so many points. */
static double explore(enum sampler_strategy strategy, uint64_t seed, int n)
{
  struct arena *arena = arena_new();
  struct sampler *s = sampler_new(arena, 3, box, strategy);
  struct rng r = rng_stream(11, seed);
  double x[3], best = INFINITY;
  for (int i = 0; i < n; i++) {
    sampler_next(s, &r, x);
    CHECK(fabs(x[0]) <= 3.1416 && x[1] >= 1 && x[1] <= 3 && (x[2] == 0 || x[2] == 1 || x[2] == 2));
    best = fmin(best, valleys(x));
    sampler_report(s, x, valleys(x));
  }
  arena_free(arena);
  return best;
}

static void test_strategies(void)
{
  double mean[4] = {0};
  for (uint64_t seed = 0; seed < 40; seed++)
    for (int strategy = 0; strategy < 4; strategy++)
      mean[strategy] += explore((enum sampler_strategy)strategy, seed, 50) / 40;
  for (int guided = SAMPLER_GUIDED; guided <= SAMPLER_LOCAL; guided++) {
    CHECK(mean[guided] < mean[SAMPLER_EVEN] - 0.1);
    CHECK(mean[guided] < mean[SAMPLER_RANDOM] - 0.1);
  }
  CHECK(mean[SAMPLER_LOCAL] < -1.8); /* of -2 */
}

/* Even points are evenly spread: no two nearer than random ones come. */
static void test_even(void)
{
  double nearest[4] = {INFINITY, INFINITY, INFINITY, INFINITY};
  for (int strategy = SAMPLER_EVEN; strategy <= SAMPLER_RANDOM; strategy++) {
    struct arena *arena = arena_new();
    struct sampler_parameter line = {.space = SAMPLER_INTERVAL, .least = 0, .most = 1, .unit = 1};
    struct sampler *s = sampler_new(arena, 1, &line, (enum sampler_strategy)strategy);
    struct rng r = rng_stream(11, 99);
    double x[32];
    for (int i = 0; i < 32; i++) {
      sampler_next(s, &r, &x[i]);
      for (int j = 0; j < i; j++)
        nearest[strategy] = fmin(nearest[strategy], fabs(x[i] - x[j]));
    }
    arena_free(arena);
  }
  CHECK(nearest[SAMPLER_EVEN] > 0.01);
  CHECK(nearest[SAMPLER_RANDOM] < 0.005);
}

/* Exact at what is known (up to the shift), lower where nothing is known; costs may be below 0. */
static void test_promise(void)
{
  struct arena *arena = arena_new();
  struct sampler *s = sampler_new(arena, 3, box, SAMPLER_GUIDED);
  const double a[3] = {0, 1.5, 0}, b[3] = {0.5, 2, 0}, c[3] = {3, 3, 1};
  CHECK_NEAR(sampler_promise(s, a), 0, 0);
  sampler_report(s, a, -7);
  sampler_report(s, b, -5);
  CHECK_NEAR(sampler_promise(s, b) - sampler_promise(s, a), 2, 1e-6);
  CHECK(sampler_promise(s, a) > 0);
  CHECK(sampler_promise(s, c) < sampler_promise(s, b));
  double x[3], first = sampler_promise(s, a); /* given out, not yet known: no reason to go there again */
  struct rng r = rng_stream(11, 5), again = r;
  sampler_next(s, &r, x);
  CHECK_NEAR(sampler_promise(s, x), first + 2, 1e-6);
  sampler_report(s, x, -6);
  CHECK_NEAR(sampler_promise(s, x), first + 1, 1e-6);
  sampler_report(s, c, NAN);
  CHECK_NEAR(sampler_promise(s, c), first + 2, 1e-6);
  struct sampler *twin = sampler_new(arena, 3, box, SAMPLER_GUIDED);
  double y[3];
  sampler_report(twin, a, -7), sampler_report(twin, b, -5);
  sampler_next(twin, &again, y);
  CHECK(memcmp(x, y, sizeof x) == 0);
  sampler_clear(s);
  CHECK_NEAR(sampler_promise(s, a), 0, 0);
  arena_free(arena);
}

int main(void)
{
  test_distance();
  test_book();
  test_bounds();
  test_sense();
  test_chance();
  test_interpolation();
  test_fit();
  test_left_out();
  test_few();
  test_ranks();
  test_strategies();
  test_even();
  test_promise();
  return test_finish();
}
