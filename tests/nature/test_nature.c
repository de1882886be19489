/* The measures of `nature` on curves whose answers are known, its table, and its reader of reference files. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "nature/curves.h"
#include "nature/motion.h"
#include "nature/reference.h"
#include "nature/table.h"

static const double pi = 3.14159265358979323846;

#define N 120

/* a + b sin(h phase - lag) */
static void wave(double a, double b, int h, double lag, double *x)
{
  for (int k = 0; k < N; k++)
    x[k] = a + b * sin(2 * pi * h * k / N - lag);
}

static void test_statistics(void)
{
  double x[N], y[N], flat[N];
  wave(3, 2, 1, 0, x);
  wave(7, 5, 1, pi / 3, y);
  wave(4, 0, 1, 0, flat);
  CHECK_NEAR(curve_mean(N, x), 3, 1e-12);
  CHECK_NEAR(curve_correlation(N, x, y), 0.5, 1e-12); /* cosine of the lag; means and amplitudes do not matter */
  CHECK_NEAR(curve_correlation(N, x, x), 1, 1e-12);
  CHECK(isnan(curve_correlation(N, x, flat)));
  CHECK_NEAR(curve_rms(N, x, flat), sqrt(1 + 2), 1e-12); /* offset 1, and 2 sin, whose mean square is 2 */
  CHECK_NEAR(curve_rms_centred(N, x, flat), sqrt(2), 1e-12);
  CHECK_NEAR(curve_range(N, x).low, 1, 1e-12);
  CHECK_NEAR(curve_range(N, x).high, 5, 1e-12);
}

static void test_resampling(void)
{
  double x[N], out[101], saw[] = {0, 1, 2, 3}, five[5];
  wave(1, 2, 1, 0, x);
  curve_resample(N, x, 30, 101, out); /* from a quarter cycle on: a cosine */
  for (int i = 0; i < 101; i++)
    CHECK_NEAR(out[i], 1 + 2 * cos(2 * pi * i / 100), 2 * 2 * pi * pi / 4 / N / N * 2); /* of straight lines */
  CHECK_NEAR(out[0], out[100], 1e-12);
  curve_resample(4, saw, 2.5, 5, five); /* the end of a cycle is followed by its start */
  const double expected[] = {2.5, 1.5, 0.5, 1.5, 2.5};
  for (int i = 0; i < 5; i++)
    CHECK_NEAR(five[i], expected[i], 1e-12);
}

static void test_swing(void)
{
  const unsigned char on[] = {1, 1, 0, 0, 0, 1, 1, 1}, always[] = {1, 1, 1}, never[] = {0, 0};
  const double x[] = {10, 20, -5, 7, 6, 30, -40, 0};
  CHECK_INT(curve_touchdown(8, on), 5);
  CHECK_INT(curve_stance(8, on, 5), 5); /* over the end of the cycle */
  CHECK_INT(curve_stance(8, on, 2), 0);
  CHECK_INT(curve_touchdown(3, always), -1);
  CHECK_INT(curve_stance(3, always, 1), 3);
  CHECK_INT(curve_touchdown(2, never), -1);
  CHECK_NEAR(curve_range_where(8, x, on, 0).low, -5, 0);
  CHECK_NEAR(curve_range_where(8, x, on, 0).high, 7, 0);
  CHECK_NEAR(curve_range_where(8, x, on, 1).low, -40, 0);
  CHECK_NEAR(curve_range_where(8, x, on, 1).high, 30, 0);
  CHECK(isnan(curve_range_where(2, x, never, 1).high));
}

static void test_peaks(void)
{
  const double two[] = {0, 0.6, 1.2, 0.8, 0.7, 0.9, 1.1, 1.1, 0.5, 0}, one[] = {0, 0.6, 1.2, 0.8, 0.7, 0.6, 0.3, 0};
  double x[N];
  CHECK_NEAR(curve_last_peak(10, two), 1.1, 0);
  CHECK(isnan(curve_last_peak(8, one))); /* it falls in all of the second half */
  CHECK(isnan(curve_last_peak(0, one)));
  for (int k = 0; k < N; k++)
    x[k] = 5 + 3 * sin(2 * pi * k / N) + 0.7 * cos(4 * pi * k / N + 1);
  CHECK_NEAR(curve_harmonic(N, x, 2), 1.4, 1e-12);
  CHECK_NEAR(curve_harmonic(N, x, 1), 6, 1e-12);
  CHECK_NEAR(curve_harmonic(N, x, 3), 0, 1e-12);
}

static void test_recovery(void)
{
  double up[N], against[N], with[N], quarter[N];
  wave(9, 2, 2, 0, up);
  wave(5, 2, 2, pi, against);
  wave(5, 1, 2, 0, with);
  wave(5, 2, 2, pi / 2, quarter);
  CHECK_NEAR(curve_recovery(N, against, up), 1, 1e-12);
  CHECK_NEAR(curve_recovery(N, with, up), 0, 1e-12);
  /* amplitudes 2 and 2 a quarter cycle apart: together 2 sqrt(2), so 1 - sqrt(2) / 2 */
  CHECK_NEAR(curve_recovery(N, quarter, up), 1 - sqrt(0.5), 2e-3);
}

static void test_jumps(void)
{
  double x[N];
  wave(0, 4, 1, 0, x);
  CHECK_NEAR(curve_jump(N, x).share, 2 * sin(pi / N), 1e-3); /* smooth */
  x[70] += 3;
  struct curve_jump j = curve_jump(N, x);
  CHECK(j.frame == 69 || j.frame == 70);
  CHECK_NEAR(j.change, 3, 0.25);
  CHECK_NEAR(j.peak, 4, 1e-12);
  const double ends[] = {1, 2, 3, 4, 5}, none[] = {0, 0, 0};
  CHECK_INT(curve_jump(5, ends).frame, 4); /* from the last frame to the first */
  CHECK_NEAR(curve_jump(5, ends).share, 0.8, 1e-12);
  CHECK(isnan(curve_jump(3, none).share));
}

/* What was printed since the last look. */
static const char *printed(struct table *t)
{
  static char text[1000];
  fflush(t->out);
  rewind(t->out);
  size_t n = fread(text, 1, sizeof text - 1, t->out);
  text[n] = 0;
  rewind(t->out);
  if (ftruncate(fileno(t->out), 0))
    exit(99);
  return text;
}

static void test_table(void)
{
  struct table t = {.out = tmpfile()};
  if (!t.out)
    exit(99);
  table_number(&t, table_above(0.95), 0.951, 2, "1 (them)", "hip %d", 3);
  CHECK_STR(printed(&t), "| hip 3 | 0.95 | 1 (them) | above 0.95 | met |\n");
  table_number(&t, table_below(6), 6, 1, NULL, "rms");
  CHECK_STR(printed(&t), "| rms | 6.0 | – | below 6 | **missed** |\n");
  table_number(&t, table_between(8, 20), NAN, 1, NULL, "twist");
  CHECK_STR(printed(&t), "| twist | none | – | 8 to 20 | **missed** |\n");
  table_number_said(&t, table_no_bar(), -0.001, 2, " (so)", NULL, "x");
  CHECK_STR(printed(&t), "| x | 0.00 (so) | – | – |  |\n");
  table_skip(&t, table_above(1), "no file", "y");
  CHECK_STR(printed(&t), "| y | skipped: no file | – | above 1 | skipped |\n");
  table_fail(&t, "not solved", "z");
  CHECK_STR(printed(&t), "| z | not solved | – | – | **missed** |\n");
  CHECK_INT(t.met, 1);
  CHECK_INT(t.missed, 3);
  CHECK_INT(t.skipped, 1);
  fclose(t.out);
}

static void test_reference(struct arena *arena)
{
  char path[] = "nature-XXXXXX";
  int file = mkstemp(path);
  FILE *out = file >= 0 ? fdopen(file, "w") : NULL;
  if (!out)
    exit(99);
  fputs("phase,knee_deg\n0.00,5\n0.50,-60.5\n1.00,5\n", out);
  fclose(out);
  const struct reference_walk *r = reference_read(arena, path);
  remove(path);
  CHECK(r && r->n == 3 && r->n_columns == 2);
  if (r)
    CHECK_NEAR(reference_column(r, "knee_deg")[1], -60.5, 0);
  CHECK(!reference_read(arena, path)); /* it is gone */
  CHECK(!reference_read(arena, NULL));
}

/* Of a real gait: physics says what the curves must add up to. */
static void test_motion(struct arena *arena)
{
  struct motion_library *l = motion_library_new(arena);
  const struct motion *g = motion_gait(l, "biped", "walk", 0, 0);
  CHECK(g->clip && g == motion_gait(l, "biped", "walk", 0, 0));
  if (!g->clip)
    return;
  CHECK_NEAR(curve_mean(g->n, motion_force_up(g, "")), 1, 1e-3); /* the mean force carries the weight ... */
  CHECK_NEAR(curve_mean(g->n, motion_force_fore(g, "")), 0, 1e-3); /* ... and speed stays what it is */
  struct curve_range high = curve_range_where(g->n, motion_lowest_point(g, "left_"), motion_contact(g, "left_"), 1);
  CHECK(high.low > -1e-3 && high.high < 0.1 * g->c->height);
  double *tau = motion_torques(g), worst = 0, speed = 0;
  for (int i = 0; i < CREATURE_ROOT_DOFS * g->n; i++) /* nothing but the ground moves the root */
    worst = fmax(worst, fabs(tau[i]));
  CHECK(worst < 0.02 * g->c->mass * CREATURE_GRAVITY);
  for (int k = 0; k < g->n; k++)
    speed += sqrt(2 * motion_energy_forward(g)[k] / g->c->mass) / g->n;
  CHECK_NEAR(speed, g->speed, 0.01 * g->speed);
}

int main(void)
{
  struct arena *arena = arena_new();
  test_statistics();
  test_resampling();
  test_swing();
  test_peaks();
  test_recovery();
  test_jumps();
  test_table();
  test_reference(arena);
  test_motion(arena);
  arena_free(arena);
  return test_finish();
}
