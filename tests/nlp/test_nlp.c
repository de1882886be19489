/* The solver behind its wall, on a problem whose answer is known, and on one that has none. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "nlp/nlp.h"

/* Hock and Schittkowski's problem 71: minimise x0 x3 (x0 + x1 + x2) + x2, x0 x1 x2 x3 >= 25, sum of squares = 40,
 * 1 <= x <= 5. Its solution is published: (1, 4.74299963, 3.82114998, 1.37940829), value 17.0140173. `broken` spoils
 * the Hessian a little, `upside_down` altogether. */
struct hs71 { int broken, upside_down; };

static double objective(void *self, const double *x)
{
  (void)self;
  return x[0] * x[3] * (x[0] + x[1] + x[2]) + x[2];
}

static void gradient(void *self, const double *x, double *g)
{
  (void)self;
  g[0] = x[3] * (2 * x[0] + x[1] + x[2]);
  g[1] = x[0] * x[3];
  g[2] = x[0] * x[3] + 1;
  g[3] = x[0] * (x[0] + x[1] + x[2]);
}

static void constraints(void *self, const double *x, double *g)
{
  (void)self;
  g[0] = x[0] * x[1] * x[2] * x[3];
  g[1] = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3];
}

static const int jacobian_row[8] = {0, 0, 0, 0, 1, 1, 1, 1}, jacobian_col[8] = {0, 1, 2, 3, 0, 1, 2, 3};

static void jacobian(void *self, const double *x, double *v)
{
  (void)self;
  for (int i = 0; i < 4; i++) {
    v[i] = x[(i + 1) % 4] * x[(i + 2) % 4] * x[(i + 3) % 4];
    v[4 + i] = 2 * x[i];
  }
}

static const int hessian_row[10] = {0, 1, 1, 2, 2, 2, 3, 3, 3, 3}, hessian_col[10] = {0, 0, 1, 0, 1, 2, 0, 1, 2, 3};

static void hessian(void *self, const double *x, double s, const double *l, double *v)
{
  const double value[10] = {2 * s * x[3] + 2 * l[1], s * x[3] + l[0] * x[2] * x[3], 2 * l[1],
                            s * x[3] + l[0] * x[1] * x[3], l[0] * x[0] * x[3], 2 * l[1],
                            s * (2 * x[0] + x[1] + x[2]) + l[0] * x[1] * x[2], s * x[0] + l[0] * x[0] * x[2],
                            s * x[0] + l[0] * x[0] * x[1], 2 * l[1]};
  memcpy(v, value, sizeof value);
  v[4] *= ((struct hs71 *)self)->broken ? 1.01 : 1;
  for (int k = 0; k < 10 && ((struct hs71 *)self)->upside_down; k++)
    v[k] = hessian_row[k] == hessian_col[k] ? -1e6 : 0;
}

static struct nlp problem(struct hs71 *self, double *bounds)
{
  for (int i = 0; i < 4; i++)
    bounds[i] = 1, bounds[4 + i] = 5;
  bounds[8] = 25, bounds[9] = 40, bounds[10] = NLP_INFINITY, bounds[11] = 40;
  return (struct nlp){.n = 4, .m = 2, .x_lower = bounds, .x_upper = bounds + 4, .g_lower = bounds + 8,
                      .g_upper = bounds + 10,
                      .n_jacobian = 8, .n_hessian = 10, .jacobian_row = jacobian_row, .jacobian_col = jacobian_col,
                      .hessian_row = hessian_row, .hessian_col = hessian_col, .self = self, .objective = objective,
                      .gradient = gradient, .constraints = constraints, .jacobian = jacobian, .hessian = hessian};
}

static void test_solution(int limited_memory)
{
  static const double expected[4] = {1, 4.74299963, 3.82114998, 1.37940829};
  struct hs71 self = {0};
  double bounds[12], x[4] = {1, 5, 5, 1};
  struct nlp p = problem(&self, bounds);
  struct nlp_options o;
  struct nlp_result r;
  nlp_defaults(&o);
  o.tolerance = 1e-9;
  o.limited_memory = limited_memory;
  nlp_solve(&p, &o, x, NULL, &r);
  CHECK_INT(r.status, NLP_SOLVED);
  CHECK_NEAR(r.objective, 17.0140173, 1e-6);
  CHECK_NEAR(r.infeasibility, 0, 1e-6); /* Ipopt relaxes bounds by 1e-8 of their size */
  for (int i = 0; i < 4; i++)
    CHECK_NEAR(x[i], expected[i], 1e-6);
}

/* A problem that has hardly changed: the point alone saves a few iterations, with the multipliers most. */
static void test_resume(void)
{
  struct hs71 self = {0};
  double bounds[12], x[4] = {1, 5, 5, 1}, rows[2], lower[4], upper[4], solved[4];
  struct nlp p = problem(&self, bounds);
  struct nlp_multipliers multipliers = {rows, lower, upper};
  struct nlp_options o;
  struct nlp_result first, near, resumed;
  nlp_defaults(&o);
  nlp_solve(&p, &o, x, &multipliers, &first);
  CHECK_INT(first.status, NLP_SOLVED);
  CHECK_NEAR(lower[0], 1.0879, 1e-3); /* x[0] is at its bound, the others are not */
  CHECK_NEAR(lower[1], 0, 1e-3);
  bounds[9] = bounds[11] = 40.01;
  memcpy(solved, x, sizeof solved);
  o.start = NLP_NEAR;
  nlp_solve(&p, &o, solved, NULL, &near);
  o.start = NLP_RESUME;
  nlp_solve(&p, &o, x, &multipliers, &resumed);
  CHECK_INT(near.status, NLP_SOLVED);
  CHECK_INT(resumed.status, NLP_SOLVED);
  CHECK(resumed.iterations < near.iterations);
  for (int i = 0; i < 4; i++)
    CHECK_NEAR(x[i], solved[i], 1e-4);
}

static int stop_at_two(void *user, const struct nlp_progress *p)
{
  (void)user;
  return p->iteration < 2;
}

static void test_endings(void)
{
  struct hs71 self = {0};
  double bounds[12], x[4] = {1, 5, 5, 1};
  struct nlp p = problem(&self, bounds);
  struct nlp_options o;
  struct nlp_result r;
  nlp_defaults(&o);
  o.progress = stop_at_two;
  nlp_solve(&p, &o, x, NULL, &r);
  CHECK_INT(r.status, NLP_STOPPED);
  nlp_defaults(&o);
  o.max_iterations = 2;
  memcpy(x, (const double[4]){1, 5, 5, 1}, sizeof x);
  nlp_solve(&p, &o, x, NULL, &r);
  CHECK_INT(r.status, NLP_ITERATIONS);
  nlp_defaults(&o);
  bounds[9] = bounds[11] = 1000; /* the sum of squares cannot exceed 100 */
  memcpy(x, (const double[4]){1, 5, 5, 1}, sizeof x);
  nlp_solve(&p, &o, x, NULL, &r);
  CHECK_INT(r.status, NLP_INFEASIBLE);
  CHECK(r.infeasibility > 800);
}

/* With a curvature that is always wrong, every step needs a bent Hessian: patience ends. */
static void test_patience(void)
{
  struct hs71 self = {.upside_down = 1};
  double bounds[12], x[4] = {1, 5, 5, 1};
  struct nlp p = problem(&self, bounds);
  struct nlp_options o;
  struct nlp_result r;
  bounds[9] = bounds[11] = 1000; /* nearly feasible is not astray */
  nlp_defaults(&o);
  o.patience = 5;
  nlp_solve(&p, &o, x, NULL, &r);
  CHECK_INT(r.status, NLP_ASTRAY);
  CHECK(r.iterations > o.patience && r.iterations < 20);
  memcpy(x, (const double[4]){1, 5, 5, 1}, sizeof x);
  o.patience = 0;
  o.max_iterations = 20;
  nlp_solve(&p, &o, x, NULL, &r);
  CHECK(r.status != NLP_ASTRAY);
  CHECK(r.iterations > 10);
}

static void test_checker(void)
{
  struct arena *arena = arena_new();
  struct hs71 self = {0};
  const double x[4] = {1.3, 4.1, 3.3, 1.9};
  double bounds[12];
  struct nlp p = problem(&self, bounds);
  struct nlp_check c = nlp_check_derivatives(arena, &p, x, 1);
  CHECK_NEAR(c.gradient, 0, 1e-8);
  CHECK_NEAR(c.jacobian, 0, 1e-8);
  CHECK_NEAR(c.hessian, 0, 1e-8);
  self.broken = 1;
  CHECK(nlp_check_derivatives(arena, &p, x, 1).hessian > 1e-5);
  arena_free(arena);
}

int main(void)
{
  test_solution(0);
  test_solution(1);
  test_resume();
  test_endings();
  test_patience();
  test_checker();
  return test_finish();
}
