/* Cubic splines: through their knots, smooth at them, exact where the motion is a cubic, and second order otherwise. */
#include "base/rng.h"
#include "base/spline.h"
#include "check.h"

enum { N = 30, WIDTH = 3 };

/* At every knot the pieces of both sides agree in value, velocity and acceleration, and the value is the knot's. */
static void test_smooth(struct arena *arena, enum spline_ends ends)
{
  struct rng r = rng_stream(5, 0);
  for (int n = 2; n <= N; n++) {
    double y[N * WIDTH], left[3][WIDTH], right[3][WIDTH];
    for (int i = 0; i < n * WIDTH; i++)
      y[i] = rng_normal(&r);
    struct spline s = spline_fit(arena, n, WIDTH, y, 0.2, ends);
    for (int k = 0; k < n; k++) {
      int before = k > 0, after = k < n - 1;
      if (before)
        spline_at(&s, k - 1, 1, left[0], left[1], left[2]);
      if (after)
        spline_at(&s, k, 0, right[0], right[1], right[2]);
      for (int i = 0; i < WIDTH; i++) {
        CHECK_NEAR(before ? left[0][i] : right[0][i], y[k * WIDTH + i], 1e-12);
        for (int order = 0; order < 3 && before && after; order++)
          CHECK_NEAR(left[order][i], right[order][i], 1e-9);
      }
    }
    for (int i = 0; i < WIDTH && ends == SPLINE_NATURAL; i++) {
      spline_at(&s, 0, 0, NULL, NULL, right[2]);
      CHECK_NEAR(right[2][i], 0, 1e-12);
    }
  }
}

/* y = 2 - t + 3 t^2 - t^3 comes back exactly, with its derivatives, from end to end. */
static void test_cubic(struct arena *arena)
{
  for (int n = 4; n < 9; n++) {
    double y[9], h = 0.3, value, v, a;
    for (int k = 0; k < n; k++) {
      double t = k * h;
      y[k] = 2 - t + 3 * t * t - t * t * t;
    }
    struct spline s = spline_fit(arena, n, 1, y, h, SPLINE_JOINED);
    for (double t = 0.01; t < (n - 1) * h; t += 0.07) {
      int k = (int)(t / h);
      spline_at(&s, k, t / h - k, &value, &v, &a);
      CHECK_NEAR(value, 2 - t + 3 * t * t - t * t * t, 1e-12);
      CHECK_NEAR(v, -1 + 6 * t - 3 * t * t, 1e-11);
      CHECK_NEAR(a, 6 - 6 * t, 1e-10);
    }
  }
}

/* A sine: half the step, a sixteenth of the error away from the ends. The velocity is that of differences. */
static void test_order(struct arena *arena)
{
  double worst[2] = {0, 0};
  for (int fine = 0; fine < 2; fine++) {
    int n = fine ? 81 : 41;
    double y[81], h = 4.0 / (n - 1), value, next, v;
    for (int k = 0; k < n; k++)
      y[k] = sin(k * h);
    struct spline s = spline_fit(arena, n, 1, y, h, SPLINE_NATURAL);
    for (int k = n / 4; k < 3 * n / 4; k++) {
      spline_at(&s, k, 0.5, &value, &v, NULL);
      worst[fine] = fmax(worst[fine], fabs(value - sin((k + 0.5) * h)));
      spline_at(&s, k, 0.5 + 1e-6, &next, NULL, NULL);
      CHECK_NEAR((next - value) / (1e-6 * h), v, 1e-6);
    }
  }
  CHECK(worst[0] > 14 * worst[1] && worst[0] < 18 * worst[1] && worst[1] > 0);
}

int main(void)
{
  struct arena *arena = arena_new();
  test_smooth(arena, SPLINE_NATURAL);
  test_smooth(arena, SPLINE_JOINED);
  test_cubic(arena);
  test_order(arena);
  double line[2] = {1, 3}, value, v, a; /* two knots: a line */
  struct spline s = spline_fit(arena, 2, 1, line, 0.5, SPLINE_JOINED);
  spline_at(&s, 0, 0.25, &value, &v, &a);
  CHECK(value == 1.5 && v == 4 && a == 0);
  line[1] = NAN;
  s = spline_fit(arena, 2, 1, line, 0.5, SPLINE_NATURAL);
  spline_at(&s, 0, 0.25, &value, NULL, NULL);
  CHECK(isnan(value));
  arena_free(arena);
  return test_finish();
}
