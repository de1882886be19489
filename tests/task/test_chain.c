/* How parameters move: the matrix on the grid is a Markov chain, has the symmetries of its space, and is the law of the
 * sampler, by moments and by counting. Seeds are fixed; the bounds are five standard errors, or the 99.99 % point of a
 * chi-square, so that a right program fails no seed worth mentioning. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "task/task.h"

#define PI     3.14159265358979323846
#define DEGREE (PI / 180.0)

static struct arena *arena;

static const struct gait gaits[] = {{.name = "walk", .speed_min = 1, .speed_max = 3},
                                    {.name = "trot", .speed_min = 2, .speed_max = 6},
                                    {.name = "pace", .speed_min = 2, .speed_max = 6}};
static const struct creature beast = {.name = "beast", .n_gaits = 3, .n_motions = 3, .gaits = gaits, .height = 1,
                                     .frame_rate = 50};

static const struct task *task(const char *text)
{
  struct diag d;
  diag_init(&d);
  const struct task_file *file = task_parse(arena, "text", text, strlen(text), &d);
  const struct task *t = file ? task_bind(arena, file, &beast, &d) : NULL;
  char *messages = diag_text(&d);
  CHECK_STR(messages, "");
  free(messages);
  diag_clear(&d);
  if (!t)
    exit(test_finish());
  return t;
}

/* ---- matrices ---- */

static void check_stochastic(const double *K, int n)
{
  for (int i = 0; i < n; i++) {
    long double sum = 0; /* of hundreds of equal terms a double's rounding adds up */
    double least = 0;
    for (int j = 0; j < n; j++) {
      sum += K[i * n + j];
      least = fmin(least, K[i * n + j]);
    }
    CHECK_NEAR((double)sum, 1, 1e-14);
    CHECK_NEAR(least, 0, 0);
  }
}

/* Row i is row 0 shifted by i, and going left is as likely as going right: to the bit. */
static void check_circulant(const double *K, int n)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      CHECK(K[i * n + j] == K[(j - i + n) % n]);
      CHECK(K[i * n + j] == K[j * n + i]);
    }
}

/* The mean of cos(step) after one frame: the sampler's, in closed form, for steps of any width on grids of any size. */
static void test_circles(void)
{
  static const int grids[] = {8, 9, 36, 72, 361};
  static const double widths[] = {1e-6, 0.01, 0.5, 3, 5, 20, 60, 180};
  for (size_t g = 0; g < sizeof grids / sizeof *grids; g++)
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
      const struct task *t = task(arena_printf(arena, "parameter torso { grid = %d drift = %.9f jump_every = 2 "
                                                      "drift_every = 0.04 }", grids[g], widths[w]));
      int n = grids[g];
      const double *K = task_chain(arena, t, 0);
      double mean = 0, sigma = widths[w] * DEGREE, expected = (1 - 0.01 - 0.5) + 0.5 * exp(-sigma * sigma / 2);
      check_stochastic(K, n);
      check_circulant(K, n);
      for (int j = 0; j < n; j++)
        mean += K[j] * cos(2 * PI * j / n);
      CHECK_NEAR(mean, expected, 1e-13);
    }
}

/* When the grid is fine enough for the Gaussian, the row is the Gaussian itself. */
static void test_fine_circle(void)
{
  const struct task *t = task("parameter direction { grid = 72 drift = 10 jump_every = never drift_every = 0.02 }");
  const double *K = task_chain(arena, t, 0);
  for (int j = 0; j < 72; j++) {
    double x = (j <= 36 ? j : 72 - j) * 5 / 10.0;
    CHECK_NEAR(K[j], 0.5 / sqrt(2 * PI) * exp(-x * x / 2), 1e-9);
  }
}

/* Time in minutes: eigenvalues of the first harmonic multiply, so that after any number of frames it is still exact. */
static void test_long_run(void)
{
  const struct task *t = task("parameter direction { grid = 24 drift = 3 jump_every = never drift_every = 0.5 }");
  const double *K = task_chain(arena, t, 0);
  double row[24] = {1}, next[24], sigma = 3 * DEGREE, mean = 0;
  int frames = 5000;
  for (int f = 0; f < frames; f++) {
    for (int j = 0; j < 24; j++) {
      next[j] = 0;
      for (int i = 0; i < 24; i++)
        next[j] += row[i] * K[i * 24 + j];
    }
    memcpy(row, next, sizeof row);
  }
  for (int j = 0; j < 24; j++)
    mean += row[j] * cos(2 * PI * j / 24);
  CHECK_NEAR(mean, pow(0.96 + 0.04 * exp(-sigma * sigma / 2), frames), 1e-11);
}

/* An interval's first harmonic is cos(pi x); with its ends at half weight the uniform distribution stays as it is. */
static void test_intervals(void)
{
  static const int grids[] = {2, 3, 7, 17, 200};
  static const double widths[] = {1e-4, 0.02, 0.05, 0.3, 1};
  for (size_t g = 0; g < sizeof grids / sizeof *grids; g++)
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
      const struct task *t = task(arena_printf(arena, "parameter speed { grid = %d drift = %.9f jump_every = 2 "
                                                      "drift_every = 0.04 }", grids[g], widths[w]));
      int n = grids[g];
      const double *K = task_chain(arena, t, 0);
      double s = widths[w] * PI, kept = 0.49 + 0.5 * exp(-s * s / 2);
      check_stochastic(K, n);
      for (int i = 0; i < n; i++) {
        double mean = 0, arriving = 0;
        for (int j = 0; j < n; j++) {
          mean += K[i * n + j] * cos(PI * j / (n - 1));
          arriving += K[j * n + i] * (j == 0 || j == n - 1 ? 0.5 : 1);
          CHECK_NEAR(K[i * n + j], K[(n - 1 - i) * n + n - 1 - j], 1e-15); /* both ends are alike */
        }
        CHECK_NEAR(mean, kept * cos(PI * i / (n - 1)), 1e-13);
        CHECK_NEAR(arriving, i == 0 || i == n - 1 ? 0.5 : 1, 1e-13);
      }
    }
}

static void test_jumpers(void)
{
  const struct task *t = task("parameter gait { jump_every = 2 }\n"
                              "parameter speed { values = {0, 0.1, 1} jump_every = 4 }");
  for (int p = 0; p < 2; p++) {
    const double *K = task_chain(arena, t, p), jump = p ? 0.005 : 0.01;
    check_stochastic(K, 3);
    for (int i = 0; i < 9; i++)
      CHECK_NEAR(K[i], i % 4 ? jump / 2 : 1 - jump, 1e-16);
  }
}

static void test_frozen_direction(void) /* no drift: only jumps */
{
  const struct task *t = task("parameter direction { grid = 10 jump_every = 0.2 drift_every = never }");
  const double *K = task_chain(arena, t, 0);
  check_stochastic(K, 10);
  check_circulant(K, 10);
  CHECK_NEAR(K[3], 0.01, 1e-17);
  CHECK_NEAR(K[0], 0.91, 1e-16);
}

/* ---- jumps that are not all alike ---- */

/* Weights that are all the same change nothing; the grid need not fit the parts. */
static void test_even_weights(void)
{
  static const char *const pairs[][2] = {
      {"parameter torso { grid = 37 }", "parameter torso { grid = 37 jump_weights = {3, 3, 3, 3, 3} }"},
      {"parameter speed { grid = 9 }", "parameter speed { grid = 9 jump_weights = {1, 1, 1} }"},
      {"parameter gait { }", "parameter gait { jump_weights = {2, 2, 2} }"},
      {"parameter speed { values = {0, 0.1, 1} }",
       "parameter speed { values = {0, 0.1, 1} jump_weights = {1, 1, 1} }"}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    const struct task *plain = task(pairs[i][0]), *even = task(pairs[i][1]);
    const double *A = task_chain(arena, plain, 0), *B = task_chain(arena, even, 0);
    int n = plain->parameters[0].n;
    CHECK(even->parameters[0].n_weights > 0 && even->parameters[0].n == n);
    for (int k = 0; k < n * n; k++)
      CHECK_NEAR(B[k], A[k], 1e-15);
  }
}

/* Turns of 0, 90, 180 and 270 degrees on a grid of 30: a part of 90 degrees is three cells, shared at its ends. */
static void test_turns(void)
{
  const struct task *t = task("parameter direction { grid = 12 jump_every = 0.04 drift_every = never\n"
                              "  jump_weights = {0, 6, 1, 3} }");
  const double *K = task_chain(arena, t, 0);
  static const double parts[12] = {0, 0, 2, 2, 2, 1 / 3.0, 1 / 3.0, 1 / 3.0, 1, 1, 1, 0}; /* cells of 30 degrees */
  check_stochastic(K, 12);
  for (int i = 0; i < 12; i++)
    for (int j = 0; j < 12; j++)
      CHECK(K[i * 12 + j] == K[(j - i + 12) % 12]);
  for (int j = 1; j < 12; j++)
    CHECK_NEAR(K[j], 0.5 * parts[j] / 10, 1e-15);
  CHECK_NEAR(K[0], 0.5, 1e-15);
  const struct task *coarse = task("parameter direction { grid = 8 jump_every = 0.04 drift_every = never\n"
                                   "  jump_weights = {0, 6, 1, 3} }");
  K = task_chain(arena, coarse, 0); /* cell 1, 22.5 to 67.5 degrees, is half in the part from 45 on: a quarter of it */
  CHECK_NEAR(K[1], 0.5 * (6 / 4.0) / 10, 1e-15);
  CHECK_NEAR(K[2], 0.5 * (6 / 2.0) / 10, 1e-15);
  CHECK_NEAR(K[3], 0.5 * (6 / 4.0 + 1 / 4.0) / 10, 1e-15);
}

/* Slow or fast, seldom between: from anywhere the same law. And gaits: w_j / (1 - w_i). */
static void test_new_values(void)
{
  const struct task *t = task("parameter speed { grid = 5 jump_every = 0.04 drift_every = never\n"
                              "  jump_weights = {3, 1} }");
  const double *K = task_chain(arena, t, 0);
  static const double cells[5] = {3 / 16.0, 6 / 16.0, 4 / 16.0, 2 / 16.0, 1 / 16.0};
  check_stochastic(K, 5);
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 5; j++)
      CHECK_NEAR(K[5 * i + j], 0.5 * cells[j] + (i == j ? 0.5 : 0), 1e-15);
  const struct task *gait = task("parameter gait { jump_every = 0.04 jump_weights = {5, 3, 2} }");
  const double *G = task_chain(arena, gait, 0);
  static const double chances[9] = {0.5, 0.3, 0.2, 0.5 * 5 / 7, 0.5, 0.5 * 2 / 7, 0.5 * 5 / 8, 0.5 * 3 / 8, 0.5};
  for (int k = 0; k < 9; k++)
    CHECK_NEAR(G[k], chances[k], 1e-15);
}

/* ---- the sampler has the law of the matrix ---- */

/* The 99.99 % point of chi-square with n degrees of freedom (Wilson and Hilferty 1931). */
static double chi_square_bound(int n)
{
  double a = 2.0 / (9.0 * n), c = 1 - a + 3.719 * sqrt(a);
  return n * c * c * c;
}

/* Counts against the chances of a row. Cells that expect fewer than 10 are taken together. */
static void check_counts(const long *counts, const double *chances, int n, long runs)
{
  double sum = 0, rest = 0, expected_rest = 0;
  int cells = 0;
  for (int j = 0; j < n; j++) {
    double expected = chances[j] * (double)runs, off = (double)counts[j] - expected;
    if (expected >= 10)
      sum += off * off / expected, cells++;
    else
      rest += off, expected_rest += expected;
  }
  if (expected_rest > 10)
    sum += rest * rest / expected_rest, cells++;
  CHECK(sum < chi_square_bound(cells - 1));
}

/* The grid value nearest to theta. */
static int nearest(const struct task_parameter *p, double theta)
{
  int best = 0;
  for (int i = 1; i < p->n; i++) {
    double a = theta - p->values[i], b = theta - p->values[best];
    if (p->kind->space == TASK_CIRCLE)
      a = task_wrap(a), b = task_wrap(b);
    if (fabs(a) < fabs(b))
      best = i;
  }
  return best;
}

/* Many first steps from one value. Cells are narrow against the step here, so that a point of the grid and the cell
 * around it have the same chance, within less than these runs can see. */
static void check_one_step(const struct task *t, int from, long runs)
{
  const struct task_parameter *p = &t->parameters[0];
  const double *K = task_chain(arena, t, 0);
  long *counts = calloc((size_t)p->n, sizeof *counts);
  struct rng rng = rng_stream(7, (uint64_t)from);
  for (long i = 0; i < runs; i++)
    counts[nearest(p, task_sample(t, 0, p->values[from], &rng))]++;
  check_counts(counts, K + from * p->n, p->n, runs);
  free(counts);
}

static void test_one_step(void)
{
  const struct task *circle = task("parameter direction { grid = 72 drift = 25 jump_every = 0.1 drift_every = 0.04 }");
  const struct task *interval = task("parameter speed { grid = 41 drift = 0.2 jump_every = 0.1 drift_every = 0.04 }");
  const struct task *gait = task("parameter gait { jump_every = 0.05 }");
  const struct task *list = task("parameter speed { unit = m/s values = {1, 2, 5, 6} jump_every = 0.05 }");
  for (int i = 0; i < 72; i += 17)
    check_one_step(circle, i, 20000);
  for (int i = 0; i < 41; i += 8)
    check_one_step(interval, i, 20000);
  for (int i = 0; i < 3; i++)
    check_one_step(gait, i, 20000);
  for (int i = 0; i < 4; i++)
    check_one_step(list, i, 20000);
  const struct task *turns = task("parameter direction { grid = 72 drift = 25 jump_every = 0.1 drift_every = 0.04\n"
                                  "  jump_weights = {0, 0, 7, 2, 1, 0, 4, 0} }");
  const struct task *speeds = task("parameter speed { grid = 41 drift = 0.2 jump_every = 0.1 drift_every = 0.04\n"
                                   "  jump_weights = {5, 0, 1} }");
  const struct task *favourites = task("parameter gait { jump_every = 0.05 jump_weights = {0, 3, 1} }");
  for (int i = 0; i < 72; i += 17)
    check_one_step(turns, i, 20000);
  for (int i = 0; i < 41; i += 8)
    check_one_step(speeds, i, 20000);
  for (int i = 0; i < 3; i++)
    check_one_step(favourites, i, 20000);
}

/* Steps much shorter than the grid is wide, as in the task files: the harmonic and its drift after many frames, sampled
 * and by powers of the matrix. Harmonic: e^{i theta} of a circle, cos(pi x) of an interval. */
static void check_many_steps(const struct task *t, double start, double frequency, double offset, int frames)
{
  const struct task_parameter *p = &t->parameters[0];
  const double *K = task_chain(arena, t, 0);
  int runs = 4000, n = p->n;
  double sum = 0, squares = 0;
  struct rng rng = rng_stream(11, (uint64_t)frames);
  for (int i = 0; i < runs; i++) {
    double theta = start;
    for (int f = 0; f < frames; f++)
      theta = task_sample(t, 0, theta, &rng);
    double c = cos(frequency * (theta - offset));
    sum += c, squares += c * c;
  }
  double *v = calloc((size_t)n, sizeof *v), *next = calloc((size_t)n, sizeof *next);
  for (int j = 0; j < n; j++)
    v[j] = cos(frequency * (p->values[j] - offset));
  for (int f = 0; f < frames; f++) {
    for (int i = 0; i < n; i++) {
      next[i] = 0;
      for (int j = 0; j < n; j++)
        next[i] += K[i * n + j] * v[j];
    }
    memcpy(v, next, (size_t)n * sizeof *v);
  }
  double mean = sum / runs, error = sqrt((squares / runs - mean * mean) / runs);
  CHECK(error > 0 && error < 0.02);
  CHECK_NEAR(mean, v[nearest(p, start)], 5 * error);
  free(v), free(next);
}

static void test_many_steps(void)
{
  const struct task *circle = task("parameter direction { grid = 36 drift = 4 jump_every = 3 drift_every = 0.1 }");
  const struct task *interval = task("parameter speed { grid = 7 drift = 0.03 jump_every = 3 drift_every = 0.1 }");
  for (int frames = 10; frames < 300; frames *= 4) {
    check_many_steps(circle, 0, 1, 0, frames);
    check_many_steps(circle, 20 * DEGREE, 1, -30 * DEGREE, frames);
    check_many_steps(interval, 1, PI / 2, 1, frames); /* the walk's 1 to 3 m/s */
  }
}

/* Seconds in the file are seconds: the mean time between two jumps, and between two drifts. */
static void test_seconds(void)
{
  const struct task *t = task("parameter direction { jump_every = 3 drift_every = never }"
                              "parameter torso { jump_every = never drift_every = 1 }"
                              "parameter gait { jump_every = 2 }");
  double theta[] = {0, 0, 0}, every[] = {3, 1, 2}, seconds = 40000;
  long changes[3] = {0};
  struct rng rng = rng_stream(3, 0);
  for (long f = 0; f < (long)(seconds * 50); f++)
    for (int p = 0; p < 3; p++) {
      double next = task_sample(t, p, theta[p], &rng);
      changes[p] += next != theta[p];
      theta[p] = next;
    }
  for (int p = 0; p < 3; p++) {
    double expected = seconds / every[p];
    CHECK_NEAR((double)changes[p], expected, 5 * sqrt(expected));
  }
}

/* Every value stays where it belongs, and the same seed gives the same values. */
static void test_range(void)
{
  const struct task *t = task("parameter direction { drift = 180 drift_every = 0.02 jump_every = never }"
                              "parameter speed { drift = 1 drift_every = 0.02 jump_every = never }");
  struct rng a = rng_stream(5, 0), b = a;
  double x[] = {0, 2}, y[] = {0, 2};
  for (int i = 0; i < 20000; i++)
    for (int p = 0; p < 2; p++) {
      x[p] = task_sample(t, p, x[p], &a);
      y[p] = task_sample(t, p, y[p], &b);
      CHECK(x[p] == y[p]);
      CHECK(p ? x[p] >= 1 && x[p] <= 3 : x[p] >= -PI && x[p] < PI);
    }
}

int main(void)
{
  arena = arena_new();
  test_circles();
  test_fine_circle();
  test_long_run();
  test_intervals();
  test_jumpers();
  test_frozen_direction();
  test_even_weights();
  test_turns();
  test_new_values();
  test_one_step();
  test_many_steps();
  test_seconds();
  test_range();
  arena_free(arena);
  return test_finish();
}
