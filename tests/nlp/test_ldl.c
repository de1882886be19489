/* The linear solver behind the optimizer: solutions put back into their systems, eigenvalues counted by other means,
 * and MUMPS beside it. */
#include <dmumps_c.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/rng.h"
#include "check.h"
#include "nlp/fronts.h"
#include "nlp/ldl.h"

/* A system like that of a motion: frames of variables on a ring (even seeds) or along a line, each coupled with the
 * next two, rows over two frames, some with a slack. */
enum { FRAMES = 12, VARIABLES = 7, ROWS = 3, MOST = 20000 };

struct system {
  int ring, n, multipliers, count, row[MOST], col[MOST];
  double value[MOST];
};

/* Variables beyond the last one are the first again, or nowhere. */
static int is_there(const struct system *s, int variable)
{
  return s->ring || variable < FRAMES * VARIABLES;
}

static void add(struct system *s, int i, int j, double value)
{
  s->row[s->count] = i > j ? i : j;
  s->col[s->count] = i > j ? j : i;
  s->value[s->count++] = value;
}

static void add_frame(struct system *s, struct rng *r, int k, double convexity)
{
  int here = k * VARIABLES;
  for (int i = 0; i < VARIABLES; i++)
    for (int step = 0; step < 3; step++)
      for (int j = 0; j < VARIABLES; j++)
        if ((step > 0 || j <= i) && is_there(s, here + step * VARIABLES))
          add(s, here + i, (here + step * VARIABLES) % (FRAMES * VARIABLES) + j,
              (step == 0 && i == j ? convexity : 0) + 0.3 * rng_normal(r));
}

static void make(struct system *s, double convexity, unsigned seed)
{
  struct rng r = rng_stream(seed, 0);
  int x = FRAMES * VARIABLES, slacks = FRAMES, first = x + slacks;
  memset(s, 0, sizeof *s);
  s->ring = seed % 2 == 0;
  s->multipliers = FRAMES * ROWS;
  s->n = first + s->multipliers;
  for (int k = 0; k < FRAMES; k++)
    add_frame(s, &r, k, convexity);
  for (int k = 0; k < FRAMES; k++) {
    add(s, x + k, x + k, exp(6 * rng_normal(&r))); /* slacks of active constraints and of others */
    add(s, x + k, first + k * ROWS, -1);
    for (int m = 0; m < ROWS; m++)
      for (int j = 0; j < 2 * VARIABLES && is_there(s, k * VARIABLES + j); j++)
        add(s, first + k * ROWS + m, (k * VARIABLES + j) % x, rng_normal(&r));
  }
}

static double residual(const struct system *s, const double *x, const double *b)
{
  static double left[MOST];
  double most = 0;
  memcpy(left, b, (size_t)s->n * sizeof *b);
  for (int k = 0; k < s->count; k++) {
    left[s->row[k]] -= s->value[k] * x[s->col[k]];
    if (s->row[k] != s->col[k])
      left[s->col[k]] -= s->value[k] * x[s->row[k]];
  }
  for (int i = 0; i < s->n; i++)
    most = isnan(left[i]) ? NAN : fmax(most, fabs(left[i]));
  return most;
}

static void right_side(int n, double *b)
{
  for (int i = 0; i < n; i++)
    b[i] = sin(1.7 * i);
}

static void test_solution(double convexity, double threshold, unsigned seed, int expect_delays)
{
  static struct system s;
  static double x[MOST], b[MOST];
  make(&s, convexity, seed);
  struct ldl *l = ldl_new(s.n, s.count, s.row, s.col);
  CHECK_INT(ldl_factor(l, s.value, threshold), LDL_DONE);
  right_side(s.n, b);
  memcpy(x, b, sizeof x);
  ldl_solve(l, x);
  CHECK_NEAR(residual(&s, x, b), 0, 1e-9);
  if (convexity > 5) /* variables convex: as many negative eigenvalues as multipliers */
    CHECK_INT(ldl_negative(l), s.multipliers);
  CHECK((ldl_facts(l).delayed > 0) == expect_delays);
  ldl_free(l);
}

/* Sylvester's law: the signs of the pivots of a dense elimination, the largest of the diagonal first. */
static int count_negative(const struct system *s)
{
  int n = s->n, negative = 0;
  double *a = calloc((size_t)n * (size_t)n, sizeof *a);
  char *gone = calloc((size_t)n, 1);
  for (int k = 0; k < s->count; k++) {
    a[s->row[k] * n + s->col[k]] += s->value[k];
    if (s->row[k] != s->col[k])
      a[s->col[k] * n + s->row[k]] += s->value[k];
  }
  for (int step = 0; step < n; step++) {
    int p = -1;
    for (int i = 0; i < n; i++)
      if (!gone[i] && (p < 0 || fabs(a[i * n + i]) > fabs(a[p * n + p])))
        p = i;
    gone[p] = 1;
    negative += a[p * n + p] < 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n && !gone[i]; j++)
        if (!gone[j])
          a[i * n + j] -= a[i * n + p] * a[p * n + j] / a[p * n + p];
  }
  free(a);
  free(gone);
  return negative;
}

static void test_inertia(void)
{
  static struct system s;
  int unlike = 0;
  for (unsigned seed = 1; seed <= 8; seed++) {
    make(&s, 0.5, seed);
    struct ldl *l = ldl_new(s.n, s.count, s.row, s.col);
    CHECK_INT(ldl_factor(l, s.value, 1e-9), LDL_DONE);
    CHECK_INT(ldl_negative(l), count_negative(&s));
    unlike += ldl_negative(l) != s.multipliers;
    ldl_free(l);
  }
  CHECK(unlike > 0); /* the variables were not convex: otherwise the above says little */
}

static void test_same_bits(void)
{
  static struct system s;
  static double x[2][MOST];
  make(&s, 10, 3);
  for (int k = 0; k < 2; k++) {
    struct ldl *l = ldl_new(s.n, s.count, s.row, s.col);
    right_side(s.n, x[k]);
    for (int again = 0; again <= k; again++)
      CHECK_INT(ldl_factor(l, s.value, 1e-9), LDL_DONE);
    ldl_solve(l, x[k]);
    ldl_free(l);
  }
  CHECK(memcmp(x[0], x[1], (size_t)s.n * sizeof **x) == 0);
}

/* A front's border is part of what its parent has, in the same order; every unknown and every entry has one front. */
static void test_plan(unsigned seed)
{
  static struct system s;
  struct arena *arena = arena_new();
  make(&s, 10, seed);
  struct fronts f = fronts_plan(arena, s.n, s.count, s.row, s.col);
  int own = 0, entries = 0, strays = 0;
  for (int k = 0; k < f.count; k++) {
    const struct front_plan *c = &f.front[k], *p = c->parent < 0 ? NULL : &f.front[c->parent];
    own += c->own, entries += c->n_entries;
    CHECK(p ? c->parent > k : c->own == c->size);
    for (int i = c->own, at = 0; p && i < c->size; i++) {
      while (at < p->size && p->member[at] != c->member[i])
        at++;
      strays += at == p->size;
    }
  }
  CHECK_INT(own, s.n);
  CHECK_INT(entries, s.count);
  CHECK_INT(strays, 0);
  arena_free(arena);
}

static void test_singular(void)
{
  const int row[] = {0, 1, 2}, col[] = {0, 0, 2};
  const double value[] = {1, 2, 0}, fine[] = {1, 2, 3};
  struct ldl *l = ldl_new(3, 3, row, col);
  CHECK_INT(ldl_factor(l, value, 1e-9), LDL_SINGULAR);
  CHECK_INT(ldl_factor(l, fine, 1e-9), LDL_DONE);
  CHECK_INT(ldl_negative(l), 1);
  ldl_free(l);
}

/* A long ring: easily factored, unless next to no pivot is good enough, so that all wait for the last front. */
static void test_labour(void)
{
  enum { LONG = 3000 };
  int *row = malloc(2 * LONG * sizeof *row), *col = malloc(2 * LONG * sizeof *col), count = 0;
  double *value = malloc(2 * LONG * sizeof *value);
  for (int i = 0; i < LONG; i++) {
    row[count] = col[count] = i, value[count++] = 2;
    row[count] = i ? i : LONG - 1, col[count] = i ? i - 1 : 0, value[count++] = -0.9;
  }
  struct ldl *l = ldl_new(LONG, count, row, col);
  CHECK_INT(ldl_factor(l, value, 1e-6), LDL_DONE);
  CHECK_INT(ldl_factor(l, value, 1e6), LDL_SINGULAR);
  CHECK(ldl_facts(l).largest_front < LONG / 2); /* it did not wait for the end */
  CHECK_INT(ldl_factor(l, value, 1e-6), LDL_DONE);
  ldl_free(l);
  free(row);
  free(col);
  free(value);
}

/* MUMPS, asked for the same, agrees. */
static void test_mumps(void)
{
  static struct system s;
  static double b[MOST], x[2][MOST];
  static DMUMPS_STRUC_C id;
  make(&s, 10, 5);
  right_side(s.n, b);
  memcpy(x[0], b, sizeof b);
  memcpy(x[1], b, sizeof b);
  struct ldl *l = ldl_new(s.n, s.count, s.row, s.col);
  CHECK_INT(ldl_factor(l, s.value, 1e-9), LDL_DONE);
  CHECK_INT(ldl_negative(l), s.multipliers);
  ldl_solve(l, x[0]);
  ldl_free(l);
  for (int k = 0; k < s.count; k++)
    s.row[k]++, s.col[k]++;
  id.sym = 2, id.par = 1, id.job = -1;
  dmumps_c(&id);
  id.n = s.n, id.nz = s.count, id.irn = s.row, id.jcn = s.col, id.a = s.value, id.rhs = x[1];
  id.icntl[0] = id.icntl[1] = id.icntl[2] = id.icntl[3] = 0; /* prints nothing */
  id.job = 6, dmumps_c(&id);
  CHECK_INT(id.infog[0], 0);
  CHECK_INT(id.infog[11], s.multipliers);
  id.job = -2, dmumps_c(&id);
  for (int i = 0; i < s.n; i++)
    CHECK_NEAR(x[0][i], x[1][i], 1e-8 * (1 + fabs(x[1][i])));
}

int main(void)
{
  for (unsigned seed = 1; seed <= 5; seed++) {
    test_solution(10, 1e-9, seed, 0);
    test_solution(0.5, 1e-9, seed, 0);
    test_solution(10, 0.3, seed, 1); /* hardly any pivot is good enough: they go from child to parent */
  }
  test_inertia();
  test_same_bits();
  test_plan(4);
  test_plan(5);
  test_singular();
  test_labour();
  test_mumps();
  return test_finish();
}
