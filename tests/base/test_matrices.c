/* Dense linear algebra: factors multiplied again, solutions put back, matrices whose inverses and eigenvalues are known
 * in closed form, and what has no answer: singular matrices, numbers that are none. */
#include <stdlib.h>

#include "base/eigen.h"
#include "base/matrices.h"
#include "base/matrix.h"
#include "base/rng.h"
#include "base/vec3.h"
#include "check.h"

enum { MOST = 40 };

static void fill(struct rng *r, int n, double *x)
{
  for (int i = 0; i < n; i++)
    x[i] = rng_normal(r);
}

/* A random symmetric positive definite matrix: G^T G + 0.1. */
static void fill_positive(struct rng *r, int n, double *A)
{
  double G[MOST * MOST];
  fill(r, n * n, G);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      A[i * n + j] = i == j ? 0.1 : 0;
      for (int k = 0; k < n; k++)
        A[i * n + j] += G[k * n + i] * G[k * n + j];
    }
}

/* The largest entry of A x - b, in long double. */
static double residual(int n, const double *A, const double *x, const double *b)
{
  double worst = 0;
  for (int i = 0; i < n; i++) {
    long double sum = -(long double)b[i];
    for (int j = 0; j < n; j++)
      sum += (long double)A[i * n + j] * x[j];
    worst = fmax(worst, fabs((double)sum));
  }
  return worst;
}

static void test_products(void)
{
  double A[6] = {1, 2, 3, 4, 5, 6}, B[6] = {7, 8, 9, 10, 11, 12}, out[9], x[3] = {1, -1, 2}, y[2];
  const double AB[4] = {58, 64, 139, 154}, AtB[4] = {47 + 0, 52, 64, 71};
  matrices_product(2, 3, 2, A, B, out);
  for (int i = 0; i < 4; i++)
    CHECK_NEAR(out[i], AB[i], 0);
  matrices_product_turned(3, 2, 3, A, B, out); /* A^T B of two 2 x 3 matrices */
  CHECK_NEAR(out[0], AtB[0], 0);
  CHECK_NEAR(out[1], AtB[1], 0);
  CHECK_NEAR(out[3], AtB[2], 0);
  CHECK_NEAR(out[4], AtB[3], 0);
  matrices_apply(2, 3, A, x, y);
  matrices_apply_add(2, 3, A, x, y);
  CHECK_NEAR(y[0], 2 * 5, 0);
  CHECK_NEAR(y[1], 2 * 11, 0);
  CHECK_NEAR(matrices_form(2, (double[]){2, 1, 3, 4}, (double[]){1, 2}), 26, 0);
}

/* L L^T is the matrix again; solutions put back; several right-hand sides are each other's neighbours. */
static void test_cholesky(void)
{
  struct rng r = rng_stream(1, 0);
  for (int n = 1; n <= MOST; n += 3) {
    double A[MOST * MOST], L[MOST * MOST], B[MOST * 3], X[MOST * 3], x[MOST], b[MOST], y[MOST];
    fill_positive(&r, n, A);
    fill(&r, 3 * n, B);
    memcpy(L, A, sizeof L);
    CHECK(matrices_cholesky(n, L));
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++) {
        double sum = 0;
        for (int k = 0; k <= j; k++)
          sum += L[i * n + k] * L[j * n + k];
        CHECK_NEAR(sum, A[i * n + j], 1e-13 * n);
      }
    memcpy(X, B, sizeof X);
    matrices_cholesky_solve(n, L, 3, X);
    for (int c = 0; c < 3; c++) {
      for (int i = 0; i < n; i++)
        x[i] = X[3 * i + c], b[i] = B[3 * i + c];
      CHECK_NEAR(residual(n, A, x, b), 0, 1e-12 * n);
    }
    memcpy(y, b, sizeof y); /* the last again, alone, from the lower triangle only: the same bits */
    for (int i = 0; i < n; i++)
      for (int j = i + 1; j < n; j++)
        A[i * n + j] = NAN;
    CHECK(matrices_solve_positive(n, A, y));
    CHECK(!memcmp(x, y, (size_t)n * sizeof *x));
    memcpy(y, x, sizeof y); /* L L^T x = b once more, by the factor */
    matrices_lower_apply(n, L, y);
    for (int i = 0; i < n; i++) {
      double sum = 0;
      for (int j = 0; j <= i; j++)
        sum += L[i * n + j] * x[j];
      CHECK_NEAR(y[i], sum, 1e-12 * n);
    }
  }
}

/* Any matrix, also one that needs row exchanges; against the closed-form inverse of Hilbert's matrix. */
static void test_solve(void)
{
  struct rng r = rng_stream(2, 0);
  for (int n = 1; n <= MOST; n += 3) {
    double A[MOST * MOST], F[MOST * MOST], b[MOST], x[MOST];
    fill(&r, n * n, A);
    fill(&r, n, b);
    if (n > 1)
      A[0] = 0; /* no pivot where one begins */
    memcpy(F, A, sizeof F);
    memcpy(x, b, sizeof x);
    CHECK(matrices_solve(n, F, x));
    CHECK_NEAR(residual(n, A, x, b), 0, 1e-11 * n);
  }
  double H[16], e[4] = {1, 0, 0, 0};
  const double column[4] = {16, -120, 240, -140}; /* of the inverse */
  for (int i = 0; i < 16; i++)
    H[i] = 1.0 / (i / 4 + i % 4 + 1);
  CHECK(matrices_solve(4, H, e));
  for (int i = 0; i < 4; i++)
    CHECK_NEAR(e[i], column[i], 1e-9);
}

static void test_no_answer(void)
{
  double singular[4] = {1, 2, 2, 4}, indefinite[4] = {1, 2, 2, 1}, x[2] = {1, 1};
  CHECK(!matrices_solve(2, singular, x));
  x[0] = 3, x[1] = 5;
  CHECK(!matrices_solve_positive(2, indefinite, x));
  CHECK(x[0] == 3 && x[1] == 5);
  for (int at = 0; at < 4; at++) {
    double A[4] = {4, 1, 1, 3}, B[4] = {4, 1, 1, 3}, C[4] = {4, 1, 1, 3}, values[2], scratch[8], y[2] = {1, 2};
    A[at] = B[at] = C[at] = NAN;
    CHECK(matrices_cholesky(2, A) == (at == 1)); /* the upper triangle is not read */
    CHECK(!matrices_solve(2, B, y) || isnan(y[0]) || isnan(y[1]));
    CHECK(!eigen_symmetric(2, C, values, scratch));
    C[at] = INFINITY;
    CHECK(!eigen_symmetric(2, C, values, scratch));
  }
  double huge[4] = {1e308, 1e308, 1e308, 1e308}, values[2], scratch[8];
  CHECK(!eigen_symmetric(2, huge, values, scratch) || isfinite(values[1]));
  CHECK(matrices_solve(0, NULL, NULL) && matrices_cholesky(0, NULL) && eigen_symmetric(0, NULL, NULL, NULL));
}

static void test_mat3(void)
{
  struct rng r = rng_stream(3, 0);
  for (int round = 0; round < 20; round++) {
    double A[9], inverse[9], one[9];
    fill(&r, 9, A);
    if (!mat3_invert(A, inverse))
      continue;
    mat3_mul(A, inverse, one);
    for (int i = 0; i < 9; i++)
      CHECK_NEAR(one[i], i % 4 == 0, 1e-11);
  }
  double flat[9] = {1, 2, 3, 2, 4, 6, 0, 0, 1}, none[9] = {NAN, 0, 0, 0, 1, 0, 0, 0, 1}, out[9];
  CHECK(!mat3_invert(flat, out));
  CHECK(!mat3_invert(none, out));
}

/* ---- eigenvalues ---- */

/* Rows of length 1 at right angles that the matrix stretches by their values, in ascending order. */
static void check_eigen(int n, const double *A, const double *V, const double *values, double tolerance)
{
  for (int k = 0; k < n; k++) {
    double scaled[MOST];
    for (int i = 0; i < n; i++)
      scaled[i] = values[k] * V[k * n + i];
    CHECK_NEAR(residual(n, A, V + k * n, scaled), 0, tolerance);
    for (int i = 0; i <= k; i++) {
      double dot = 0;
      for (int j = 0; j < n; j++)
        dot += V[i * n + j] * V[k * n + j];
      CHECK_NEAR(dot, i == k, 1e-13);
    }
    CHECK(k == 0 || values[k] >= values[k - 1]);
  }
}

static void test_eigen_random(void)
{
  struct rng r = rng_stream(4, 0);
  for (int n = 1; n <= MOST; n++) {
    double A[MOST * MOST], V[MOST * MOST], values[MOST], trace = 0, sum = 0;
    double *scratch = malloc((size_t)eigen_scratch(n) * sizeof *scratch); /* no more: for the sanitizers */
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++)
        A[i * n + j] = A[j * n + i] = n % 3 == 0 ? rng_below(&r, 3) - 1 : rng_normal(&r); /* many equal values, too */
    memcpy(V, A, sizeof V);
    CHECK(eigen_symmetric(n, V, values, scratch));
    check_eigen(n, A, V, values, 1e-13 * n);
    for (int i = 0; i < n; i++)
      trace += A[i * n + i], sum += values[i];
    CHECK_NEAR(sum, trace, 1e-12 * n);
    free(scratch);
  }
}

/* Covariances of few frames and many joints: of small rank, the rest is rounding. */
static void check_eigen_small_rank(int n, int rank)
{
  double *A = calloc((size_t)(n * n), sizeof *A), *values = malloc((size_t)n * sizeof *values), trace = 0, sum = 0;
  double *scratch = malloc((size_t)eigen_scratch(n) * sizeof *scratch);
  for (int k = 0; k < rank; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        A[i * n + j] += sin(k + 0.3 * i) * sin(k + 0.3 * j);
  for (int i = 0; i < n; i++)
    trace += A[i * n + i];
  CHECK(eigen_symmetric(n, A, values, scratch));
  for (int k = 0; k < n; k++) {
    sum += values[k];
    CHECK(k >= n - rank || fabs(values[k]) < 1e-13 * trace);
  }
  CHECK_NEAR(sum, trace, 1e-13 * trace);
  free(A);
  free(values);
  free(scratch);
}

static void test_eigen_small_rank(void)
{
  for (int n = 20; n <= 200; n += 20)
    for (int rank = 1; rank <= 5; rank++)
      check_eigen_small_rank(n, rank);
}

/* The chain of springs: 2 on the diagonal, -1 beside it, values 2 - 2 cos(k pi / (n + 1)); turned by a reflection, so
 * that it is no longer tridiagonal. And matrices that are done before they begin, or of sizes far apart. */
static void test_eigen_known(void)
{
  enum { N = 25 };
  double A[N * N] = {0}, V[N * N], values[N], scratch[4 * N], u[N], half = acos(-1) / (N + 1);
  CHECK(eigen_scratch(N) <= 4 * N);
  for (int i = 0; i < N; i++) {
    u[i] = 1 / sqrt(N);
    A[i * N + i] = 2;
    if (i)
      A[i * N + i - 1] = A[(i - 1) * N + i] = -1;
  }
  memcpy(V, A, sizeof V);
  CHECK(eigen_symmetric(N, V, values, scratch));
  for (int k = 0; k < N; k++)
    CHECK_NEAR(values[k], 2 - 2 * cos((k + 1) * half), 1e-14);
  for (int side = 0; side < 2; side++) /* A := (1 - 2 u u^T) A, then from the other side */
    for (int j = 0; j < N; j++) {
      double dot = 0;
      for (int i = 0; i < N; i++)
        dot += u[i] * A[side ? j * N + i : i * N + j];
      for (int i = 0; i < N; i++)
        A[side ? j * N + i : i * N + j] -= 2 * dot * u[i];
    }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < i; j++)
      A[i * N + j] = A[j * N + i];
  memcpy(V, A, sizeof V);
  CHECK(eigen_symmetric(N, V, values, scratch));
  for (int k = 0; k < N; k++)
    CHECK_NEAR(values[k], 2 - 2 * cos((k + 1) * half), 1e-13);
  check_eigen(N, A, V, values, 1e-13);

  double diagonal[9] = {3, 0, 0, 0, -1, 0, 0, 0, 2}, zero[9] = {0}, plane[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
  CHECK(eigen_symmetric(3, diagonal, values, scratch));
  CHECK(values[0] == -1 && values[1] == 2 && values[2] == 3 && fabs(diagonal[1]) == 1 && fabs(diagonal[6]) == 1);
  CHECK(eigen_symmetric(3, zero, values, scratch));
  CHECK(values[0] == 0 && values[2] == 0 && zero[0] == 1);
  CHECK(eigen_symmetric(3, plane, values, scratch));
  CHECK_NEAR(values[0], 0, 1e-15);
  CHECK_NEAR(values[2], 3, 1e-15);
  double apart[9] = {1e-20, 1e-12, 0, 1e-12, 1, 1e-3, 0, 1e-3, 1e20}, kept[9];
  memcpy(kept, apart, sizeof kept);
  CHECK(eigen_symmetric(3, apart, values, scratch));
  CHECK_NEAR(values[2], 1e20, 1e5);
  CHECK_NEAR(values[1], 1, 1e-12);
}

static void test_rotate(void)
{
  for (size_t n = 0; n < 12; n++) {
    double x[12], y[12];
    for (size_t i = 0; i < 12; i++)
      x[i] = (double)i, y[i] = 1;
    matrix_rotate(n, 0.6, 0.8, x, y);
    for (size_t i = 0; i < 12; i++) {
      CHECK_NEAR(x[i], i < n ? 0.6 * (double)i - 0.8 : (double)i, 0);
      CHECK_NEAR(y[i], i < n ? 0.8 * (double)i + 0.6 : 1, 0);
    }
  }
}

int main(void)
{
  test_products();
  test_cholesky();
  test_solve();
  test_no_answer();
  test_mat3();
  test_eigen_random();
  test_eigen_small_rank();
  test_eigen_known();
  test_rotate();
  return test_finish();
}
