/* The symmetric eigenvalue problem; see eigen.h. Every inner loop runs along a row. */
#include "base/eigen.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/matrix.h"

#define MOST_ITERATIONS 60 /* of QL for one eigenvalue: two or three are usual */

int eigen_scratch(int n)
{
  return 4 * n;
}

/* A = H T H^T, H = H_0 H_1 ... H_{n-3}, H_k = 1 - beta[k] v v^T with v in row k of A, right of its diagonal.
 * T: d on the diagonal, e[k] between k and k + 1. w is scratch. */
static void tridiagonalise(int n, double *A, double *d, double *e, double *beta, double *w)
{
  for (int k = 0; k < n - 1; k++) {
    double *v = A + k * n, scale = 0, square = 0;
    size_t rest = (size_t)(n - k - 1);
    d[k] = v[k];
    beta[k] = 0;
    for (int j = k + 2; j < n; j++)
      scale = fmax(scale, fabs(v[j]));
    e[k] = v[k + 1];
    if (scale == 0) /* the row is tridiagonal already */
      continue;
    scale = fmax(scale, fabs(v[k + 1]));
    for (int j = k + 1; j < n; j++)
      v[j] /= scale, square += v[j] * v[j];
    double length = sqrt(square), first = v[k + 1] + (v[k + 1] < 0 ? -length : length); /* no cancellation */
    e[k] = v[k + 1] < 0 ? scale * length : -scale * length;
    beta[k] = 1 / (length * fabs(first)); /* 2 / v^T v */
    v[k + 1] = first;

    /* the rest becomes H A H = A - v w^T - w v^T,  w = p - beta / 2 (p^T v) v,  p = beta A v */
    for (int j = k + 1; j < n; j++)
      w[j] = 0;
    for (int i = k + 1; i < n; i++)
      matrix_add_scaled(rest, beta[k] * v[i], A + i * n + k + 1, w + k + 1); /* a row is as good as a column */
    matrix_add_scaled(rest, -0.5 * beta[k] * matrix_dot(rest, w + k + 1, v + k + 1), v + k + 1, w + k + 1);
    for (int i = k + 1; i < n; i++) {
      matrix_add_scaled(rest, -v[i], w + k + 1, A + i * n + k + 1);
      matrix_add_scaled(rest, -w[i], v + k + 1, A + i * n + k + 1);
    }
  }
  d[n - 1] = A[n * n - 1];
  e[n - 1] = 0;
}

/* A = H^T, from the vectors that it holds: Z := Z H_k, from the last on; row and column k of Z are still those of 1. */
static void form_transformation(int n, double *A, const double *beta, double *v)
{
  for (int k = n - 1; k >= 0; k--) {
    size_t rest = (size_t)(n - k - 1);
    memcpy(v, A + k * n + k + 1, rest * sizeof *v);
    for (int i = k + 1; i < n && beta[k] != 0; i++) {
      double *row = A + i * n + k + 1;
      matrix_add_scaled(rest, -beta[k] * matrix_dot(rest, row, v), v, row);
    }
    for (int j = k + 1; j < n; j++)
      A[k * n + j] = A[j * n + k] = 0;
    A[k * n + k] = 1;
  }
}

/* sqrt(a^2 + b^2), without overflow; libm's hypot() has other bits elsewhere. */
static double length_of(double a, double b)
{
  double most = fmax(fabs(a), fabs(b)), least = fmin(fabs(a), fabs(b)), ratio = most > 0 ? least / most : 0;
  return most * sqrt(1 + ratio * ratio);
}

/* d becomes the eigenvalues of the tridiagonal matrix d, e; the rows of Z turn along. 0: it does not converge. */
static int iterate(int n, double *d, double *e, double *Z)
{
  double norm = 0;
  for (int k = 0; k < n; k++)
    norm = fmax(norm, fabs(d[k]) + fabs(e[k]));
  for (int l = 0; l < n; l++)
    for (int count = 0;; count++) {
      int m = l; /* the block from l to m hangs together. An e below the rounding of the whole matrix says nothing: a
                    matrix of small rank has many rows of such, and they would not become smaller */
      while (m < n - 1 && fabs(e[m]) > DBL_EPSILON * (fabs(d[m]) + fabs(d[m + 1])) &&
             fabs(e[m]) > DBL_EPSILON * norm && fabs(e[m]) > DBL_MIN)
        m++;
      if (m == l)
        break;
      if (count == MOST_ITERATIONS)
        return 0;
      /* Wilkinson's shift, then a rotation that chases the bulge upwards from m to l */
      double ratio = (d[l + 1] - d[l]) / (2 * e[l]), root = length_of(ratio, 1);
      double g = d[m] - d[l] + e[l] / (ratio + (ratio < 0 ? -root : root)), c = 1, s = 1, p = 0;
      int i = m - 1;
      for (; i >= l; i--) {
        double f = s * e[i], b = c * e[i], r = length_of(f, g);
        e[i + 1] = r;
        if (r == 0) { /* it has fallen apart early */
          d[i + 1] -= p;
          e[m] = 0;
          break;
        }
        s = f / r;
        c = g / r;
        g = d[i + 1] - p;
        r = (d[i] - g) * s + 2 * c * b;
        p = s * r;
        d[i + 1] = g + p;
        g = c * r - b;
        matrix_rotate((size_t)n, c, s, Z + i * n, Z + (i + 1) * n);
      }
      if (i >= l)
        continue;
      d[l] -= p;
      e[l] = g;
      e[m] = 0;
    }
  return 1;
}

/* Ascending; of equals, the first stays first. */
static void sort(int n, double *values, double *V, double *swap)
{
  size_t row = (size_t)n * sizeof *V;
  for (int i = 0; i < n; i++) {
    int least = i;
    for (int k = i + 1; k < n; k++)
      if (values[k] < values[least])
        least = k;
    if (least == i)
      continue;
    double value = values[i];
    values[i] = values[least], values[least] = value;
    memcpy(swap, V + i * n, row);
    memcpy(V + i * n, V + least * n, row);
    memcpy(V + least * n, swap, row);
  }
}

int eigen_symmetric(int n, double *A, double *values, double *scratch)
{
  double *e = scratch, *beta = scratch + n, *work = scratch + 2 * n;
  for (size_t i = 0; i < (size_t)n * (size_t)n; i++)
    if (!isfinite(A[i]))
      return 0;
  if (n == 0)
    return 1;
  tridiagonalise(n, A, values, e, beta, work);
  beta[n - 1] = 0;
  form_transformation(n, A, beta, work);
  if (!iterate(n, values, e, A))
    return 0;
  sort(n, values, A, work);
  for (int i = 0; i < n; i++)
    if (!isfinite(values[i])) /* numbers so large that their squares are not */
      return 0;
  return 1;
}
