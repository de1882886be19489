/* The ground under everything: arenas, random numbers, the kernels' sine and cosine. */
#define LANES 1
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/rng.h"
#include "base/seconds.h"
#include "base/vec3.h"
#include "check.h"
#include "dynamics/lanes.h"

static void test_arena(void)
{
  struct arena *a = arena_new();
  for (size_t size = 1; size < 3000000; size = size * 3 + 1) {
    char *p = arena_alloc(a, size, 1);
    CHECK((uintptr_t)p % 64 == 0);
    CHECK(p[0] == 0 && p[size - 1] == 0);
    memset(p, 0xff, size);
  }
  CHECK(arena_alloc(a, 0, 8) != NULL);
  CHECK(strcmp(arena_printf(a, "%s %d", "leg", 4), "leg 4") == 0);
  CHECK(strcmp(arena_strdup(a, "hoof"), "hoof") == 0);
  arena_free(a);
  arena_free(NULL);
}

/* Moments of the distributions within five standard errors, and streams that differ. */
static void test_rng(void)
{
  enum { N = 200000 };
  struct rng r = rng_stream(1, 0), same = rng_stream(1, 0), other = rng_stream(1, 1), seed = rng_stream(2, 0);
  CHECK(rng_next(&r) == rng_next(&same));
  CHECK(rng_next(&r) != rng_next(&other) && rng_next(&r) != rng_next(&seed));
  double sum = 0, normal = 0, square = 0;
  int counts[7] = {0};
  for (int i = 0; i < N; i++) {
    double u = rng_uniform(&r, 2, 4), z = rng_normal(&r);
    CHECK(u >= 2 && u < 4);
    sum += u, normal += z, square += z * z;
    counts[rng_below(&r, 7)]++;
  }
  CHECK_NEAR(sum / N, 3, 5 * 2 / sqrt(12.0 * N));
  CHECK_NEAR(normal / N, 0, 5 / sqrt(N));
  CHECK_NEAR(square / N, 1, 5 * sqrt(2.0 / N));
  for (int k = 0; k < 7; k++)
    CHECK_NEAR(counts[k], N / 7.0, 5 * sqrt(N / 7.0));
}

/* One unit in the last place or 1.2e-16, up to a hundred thousand radians; NaN in, NaN out. */
static void test_sincos(void)
{
  struct rng r = rng_stream(3, 0);
  double s, c, worst = 0;
  for (int i = 0; i < 300000; i++) {
    double x = i < 1000 ? (i - 500) * 0.78539816339744830962 : rng_uniform(&r, -1, 1) * pow(10, rng_uniform(&r, -8, 5));
    lane_sincos(x, &s, &c);
    worst = fmax(worst, fmax(fabs(s - sin(x)) / fmax(fabs(sin(x)), 0.5), fabs(c - cos(x)) / fmax(fabs(cos(x)), 0.5)));
  }
  CHECK_NEAR(worst, 0, 2.4e-16);
  lane_sincos(NAN, &s, &c);
  CHECK(isnan(s) && isnan(c));
  lane_sincos(0.0, &s, &c);
  CHECK(s == 0 && c == 1);
}

static void test_vec3(void)
{
  const double R[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1}, S[6] = {1, 2, 3, 0.5, 0.25, 0.125}, x[3] = {1, 2, 3},
               y[3] = {0, 1, 0};
  double turned[6], a[3], b[3], c[3], back[3];
  sym3_turn(R, S, turned); /* R S R^T y = R (S (R^T y)) */
  const double Rt[9] = {0, 1, 0, -1, 0, 0, 0, 0, 1};
  mat3_mul_vec(Rt, x, a);
  sym3_mul_vec(S, a, b);
  mat3_mul_vec(R, b, c);
  sym3_mul_vec(turned, x, back);
  for (int k = 0; k < 3; k++)
    CHECK_NEAR(back[k], c[k], 1e-15);
  vec3_cross(x, y, a);
  CHECK_NEAR(vec3_dot(a, x), 0, 1e-15);
  CHECK_NEAR(vec3_norm(a), sqrt(10), 1e-15);
}

/* Bytes: the order is fixed, what was written is read, and the first thing that is not there spoils all that
 * follows. */
static void test_bytes(void)
{
  struct arena *a = arena_new();
  const double x[] = {1, -0.0, NAN, INFINITY, 4.9e-324, 12, 12.5, -1, 2e7};
  enum { N = sizeof x / sizeof *x };
  const unsigned char *bytes = bytes_of_reals(a, x, N), one[8] = {0, 0, 0, 0, 0, 0, 0xf0, 0x3f};
  CHECK(!memcmp(bytes, one, 8));
  struct bytes_reader r = {.at = bytes, .left = 8 * N, .arena = a};
  const double *back = bytes_get_reals(&r, N);
  CHECK(back && !memcmp(back, x, sizeof x) && r.left == 0 && !r.bad);
  r = (struct bytes_reader){.at = bytes, .left = 8 * N, .arena = a};
  const int counts[N] = {1, 0, -1, -1, -1, 12, -1, -1, -1};
  for (int i = 0; i < N; i++)
    CHECK_INT(bytes_get_count(&r), counts[i]);
  CHECK(!r.bad);
  CHECK_INT(bytes_get_count(&r), 0);
  CHECK(r.bad && bytes_get_reals(&r, 1) == NULL && bytes_get_real(&r) == 0);
  r = (struct bytes_reader){.at = bytes, .left = 8 * N, .arena = a};
  CHECK(bytes_get_reals(&r, SIZE_MAX / 4) == NULL && r.bad);
  arena_free(a);
}

/* Clocks go forward; work takes processor time. */
static void test_seconds(void)
{
  double wall = wall_seconds(), processor = processor_seconds();
  volatile double sum = 0;
  for (int i = 0; i < 1000000; i++)
    sum += sqrt(i);
  CHECK(wall_seconds() >= wall && processor_seconds() > processor);
}

int main(void)
{
  test_arena();
  test_rng();
  test_bytes();
  test_seconds();
  test_sincos();
  test_vec3();
  return test_finish();
}
