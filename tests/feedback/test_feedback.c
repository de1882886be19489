/* Feedback and its parts: regression, the Riccati recursion, diversified saving, against what is known of
 * them. */
#include <stdlib.h>

#include "base/matrices.h"
#include "base/rng.h"
#include "check.h"
#include "follow/design.h"
#include "feedback/feedback.h"
#include "samcon/saving.h"
#include "zoo.h"

#define N 12

static void fill(struct rng *rng, double *x, int n, double size)
{
  for (int i = 0; i < n; i++)
    x[i] = size * rng_normal(rng);
}

/* ---- a system that is known ---- */

struct known { const struct creature *c; int m, r; double *A, *B, *d; };

static struct known known_new(struct arena *arena, const struct creature *c, uint64_t seed)
{
  struct known k = {.c = c, .m = 2 * c->n_dofs, .r = c->n_dofs - CREATURE_ROOT_DOFS};
  struct rng rng = rng_stream(seed, 7);
  k.A = ARENA_NEW(arena, (size_t)(k.m * k.m), double);
  k.B = ARENA_NEW(arena, (size_t)(k.m * k.r), double);
  k.d = ARENA_NEW(arena, (size_t)k.m, double);
  fill(&rng, k.A, k.m * k.m, 0.18); /* grows: its largest eigenvalue is about 1 */
  fill(&rng, k.B, k.m * k.r, 0.5);
  fill(&rng, k.d, k.m, 0.01);
  for (int i = 0; i < k.m; i++)
    k.A[i * k.m] = k.A[i * k.m + 1] = i < 2; /* the place does nothing but stay */
  k.A[1] = k.A[k.m] = 0;
  return k;
}

static void known_step(const struct known *k, const double *x, const double *u, double *y)
{
  memcpy(y, k->d, (size_t)k->m * sizeof *y);
  matrices_apply_add(k->m, k->m, k->A, x, y);
  matrices_apply_add(k->m, k->r, k->B, u, y);
}

static void test_fit(const struct creature *c)
{
  struct arena *arena = arena_new();
  struct known k = known_new(arena, c, 1);
  struct rng rng = rng_stream(3, 1);
  int n = 120;
  double *x = ARENA_NEW(arena, (size_t)(n * k.m), double), *u = ARENA_NEW(arena, (size_t)(n * k.r), double);
  double *y = ARENA_NEW(arena, (size_t)(n * k.m), double);
  fill(&rng, x, n * k.m, 0.01);
  fill(&rng, u, n * k.r, 0.02);
  for (int i = 0; i < n; i++) {
    x[i * k.m] = x[i * k.m + 1] = 0;
    known_step(&k, x + i * k.m, u + i * k.r, y + i * k.m);
  }
  struct window_samples s = {.n = n, .n_errors = k.m, .n_controls = k.r, .x = x, .u = u, .end = y, .ridge = 1e-12,
                             .scale_x = 0.01, .scale_v = 0.01, .scale_u = 0.02};
  const struct window_model *model = feedback_fit(arena, &s);
  for (int i = 0; i < k.m * k.m; i++)
    CHECK_NEAR(model->A[i], k.A[i], 1e-6);
  for (int i = 0; i < k.m * k.r; i++)
    CHECK_NEAR(model->B[i], k.B[i], 1e-6);
  for (int i = 0; i < k.m; i++)
    CHECK_NEAR(model->d[i], k.d[i], 1e-8);
  CHECK_NEAR(model->residual, 0, 1e-9);
  arena_free(arena);
}

static double stage(const struct known *k, const struct feedback_weights *w, const double *y, const double *u)
{
  double sum = 0;
  int n = k->m / 2;
  for (int i = 0; i < n; i++)
    sum += (i < 2 ? w->place : i == 2 ? w->height : i == 3 ? w->yaw : i < 6 ? w->tilt : w->joint) * y[i] * y[i] +
           (i < 6 ? w->root_velocity : w->velocity) * y[n + i] * y[n + i];
  for (int i = 0; i < k->r; i++)
    sum += w->control * u[i] * u[i];
  return sum;
}

/* Cost of a run from x, offsets being what the gains say, plus a little of something else at one window. */
static double run_cost(const struct known *k, const struct feedback_weights *weights, const struct window_gain *g,
                       int n, const double *from,
                       double extra)
{
  double x[128], y[128], u[64], sum = 0;
  memcpy(x, from, (size_t)k->m * sizeof *x);
  for (int w = 0; w < n; w++) {
    memcpy(u, g[w].k, (size_t)k->r * sizeof *u);
    matrices_apply_add(k->r, k->m, g[w].K, x, u);
    if (w == 1)
      u[0] += extra;
    known_step(k, x, u, y);
    sum += stage(k, weights, y, u);
    memcpy(x, y, (size_t)k->m * sizeof *x);
  }
  return sum;
}

/* The value is what running costs, up to a constant; and any other control costs more, both ways the same. */
static void test_riccati(const struct creature *c)
{
  struct arena *arena = arena_new();
  struct known k = known_new(arena, c, 2);
  struct feedback_weights weights;
  feedback_weights_defaults(&weights);
  struct window_model model = {.A = k.A, .B = k.B, .d = k.d};
  const struct window_model *models[1] = {&model};
  int which[5] = {0};
  struct window_gain g[6];
  struct feedback_problem f = {.n = 5, .cycle = 5, .which = which, .models = models, .weights = &weights,
                               .creature = c};
  CHECK(feedback_solve(arena, &f, g));
  double zero[128] = {0}, x[128];
  struct rng rng = rng_stream(4, 1);
  fill(&rng, x, k.m, 0.02);
  double none = run_cost(&k, &weights, g, 5, zero, 0), some = run_cost(&k, &weights, g, 5, x, 0);
  CHECK_NEAR(feedback_value(c, &g[0], x), some - none, 1e-9);
  double more = run_cost(&k, &weights, g, 5, x, 0.01), less = run_cost(&k, &weights, g, 5, x, -0.01);
  CHECK(more > some && less > some);
  CHECK_NEAR(more - some, less - some, 1e-9);
  arena_free(arena);
}

/* Of a cycle: the value before it is the value after it, whichever window it begins with; and a long finite horizon
 * comes to the same. */
static void test_cycle(const struct creature *c)
{
  struct arena *arena = arena_new();
  struct known a = known_new(arena, c, 5), b = known_new(arena, c, 6);
  struct feedback_weights weights;
  feedback_weights_defaults(&weights);
  struct window_model first = {.A = a.A, .B = a.B, .d = a.d}, second = {.A = b.A, .B = b.B, .d = b.d};
  const struct window_model *models[2] = {&first, &second};
  int which[400];
  struct window_gain g[4], *horizon = ARENA_NEW(arena, 401, struct window_gain);
  for (int i = 0; i < 400; i++)
    which[i] = i % 2;
  struct feedback_problem cyclic = {.n = 3, .cycle = 1, .which = (int[]){0, 1, 0}, .models = models,
                                    .weights = &weights, .creature = c};
  CHECK(feedback_solve(arena, &cyclic, g));
  struct feedback_problem finite = cyclic;
  finite.n = finite.cycle = 400;
  finite.which = which;
  CHECK(feedback_solve(arena, &finite, horizon));
  double scale = 0, off = 0, gain = 0;
  for (int i = 0; i < a.m * a.m; i++) {
    scale = fmax(scale, fabs(g[1].P[i]));
    off = fmax(off, fabs(g[1].P[i] - g[3].P[i]));
  }
  CHECK(off < 1e-6 * scale);
  for (int i = 0; i < a.m * a.r; i++)
    gain = fmax(gain, fabs(g[0].K[i] - horizon[0].K[i]));
  for (int i = 0; i < a.r; i++)
    CHECK_NEAR(g[0].k[i], horizon[0].k[i], 1e-5);
  CHECK_NEAR(gain, 0, 1e-5);
  a.A[5] = NAN;
  CHECK(!feedback_solve(arena, &cyclic, g));
  arena_free(arena);
}

/* Rows of an experiment: perpendicular, of length sqrt(n), the same for the same stream and others for others. */
static void test_design(void)
{
  double a[N * N], b[N * N];
  design_fill(1, 5, N, a);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      double sum = 0;
      for (int k = 0; k < N; k++)
        sum += a[i * N + k] * a[j * N + k];
      CHECK_NEAR(sum, i == j ? N : 0, 1e-12);
    }
  design_fill(1, 5, N, b);
  CHECK(!memcmp(a, b, sizeof a));
  design_fill(1, 6, N, b);
  CHECK(memcmp(a, b, sizeof a) != 0);
}

static void test_saving(void)
{
  double cost[10] = {5, 1, 9, 3, INFINITY, 2, NAN, 8, 4, 7};
  int chosen[10], n = saving_choose(10, cost, 0.4, 3, chosen);
  CHECK_INT(n, 3);
  CHECK_INT(chosen[0], 1);                    /* the cheapest first */
  for (int i = 0; i < n; i++)
    CHECK(cost[chosen[i]] <= 5);              /* of 8 good ones the dearest three are left out */
  CHECK(chosen[0] != chosen[1] && chosen[1] != chosen[2] && chosen[0] != chosen[2]);
  CHECK_INT(saving_choose(10, cost, 0.4, 10, chosen), 5);
  double lost[2] = {INFINITY, NAN};
  CHECK_INT(saving_choose(2, lost, 0.4, 4, chosen), 0);
  double ramp[1000];
  int many[100], low = 0;
  for (int i = 0; i < 1000; i++)
    ramp[i] = i;
  CHECK_INT(saving_choose(1000, ramp, 0.4, 100, many), 100);
  for (int i = 0; i < 100; i++)
    low += ramp[many[i]] < 300;
  CHECK_INT(low, 90);                         /* x^6 < 1/2 for x < 0.8909; 599 / 2 = 299.5 */
}

int main(void)
{
  struct arena *arena = arena_new();
  const struct creature *c = zoo_find(arena, "biped");
  if (!c)
    return 99;
  test_fit(c);
  test_riccati(c);
  test_cycle(c);
  test_design();
  test_saving();
  arena_free(arena);
  return test_finish();
}
