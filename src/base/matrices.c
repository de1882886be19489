/* Small dense matrices: plain loops in an order that the compiler can turn into vectors without changing a sum's
 * order. */
#include "base/matrices.h"

#include <math.h>
#include <string.h>

void matrices_product(int rows, int inner, int columns, const double *A, const double *B, double *out)
{
  memset(out, 0, (size_t)rows * (size_t)columns * sizeof *out);
  for (int i = 0; i < rows; i++)
    for (int k = 0; k < inner; k++) {
      double a = A[i * inner + k];
      if (a == 0)
        continue;
      for (int j = 0; j < columns; j++)
        out[i * columns + j] += a * B[k * columns + j];
    }
}

void matrices_product_turned(int rows, int inner, int columns, const double *A, const double *B, double *out)
{
  memset(out, 0, (size_t)rows * (size_t)columns * sizeof *out);
  for (int k = 0; k < inner; k++)
    for (int i = 0; i < rows; i++) {
      double a = A[k * rows + i];
      if (a == 0)
        continue;
      for (int j = 0; j < columns; j++)
        out[i * columns + j] += a * B[k * columns + j];
    }
}

void matrices_apply_add(int rows, int columns, const double *A, const double *x, double *y)
{
  for (int i = 0; i < rows; i++) {
    double sum = 0;
    for (int j = 0; j < columns; j++)
      sum += A[i * columns + j] * x[j];
    y[i] += sum;
  }
}

void matrices_apply(int rows, int columns, const double *A, const double *x, double *y)
{
  memset(y, 0, (size_t)rows * sizeof *y);
  matrices_apply_add(rows, columns, A, x, y);
}

double matrices_form(int n, const double *A, const double *x)
{
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double row = 0;
    for (int j = 0; j < n; j++)
      row += A[i * n + j] * x[j];
    sum += row * x[i];
  }
  return sum;
}

void matrices_symmetrize(int n, double *A)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      A[i * n + j] = A[j * n + i] = 0.5 * (A[i * n + j] + A[j * n + i]);
}

int matrices_cholesky(int n, double *A)
{
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      double sum = A[i * n + j];
      for (int k = 0; k < j; k++)
        sum -= A[i * n + k] * A[j * n + k];
      if (j < i)
        A[i * n + j] = sum / A[j * n + j];
      else if (sum > 0) /* not of a NaN */
        A[i * n + i] = sqrt(sum);
      else
        return 0;
    }
  }
  return 1;
}

void matrices_cholesky_solve(int n, const double *L, int columns, double *B)
{
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i; k++)
      for (int j = 0; j < columns; j++)
        B[i * columns + j] -= L[i * n + k] * B[k * columns + j];
    for (int j = 0; j < columns; j++)
      B[i * columns + j] /= L[i * n + i];
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++)
      for (int j = 0; j < columns; j++)
        B[i * columns + j] -= L[k * n + i] * B[k * columns + j];
    for (int j = 0; j < columns; j++)
      B[i * columns + j] /= L[i * n + i];
  }
}

int matrices_solve_positive(int n, double *A, double *x)
{
  if (!matrices_cholesky(n, A))
    return 0;
  matrices_cholesky_solve(n, A, 1, x);
  return 1;
}

int matrices_solve(int n, double *A, double *x)
{
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(A[i * n + k]) > fabs(A[best * n + k]))
        best = i;
    if (!(fabs(A[best * n + k]) > 0)) /* nor of a NaN */
      return 0;
    for (int j = k; best != k && j < n; j++) {
      double swap = A[k * n + j];
      A[k * n + j] = A[best * n + j], A[best * n + j] = swap;
    }
    double swap = x[k];
    x[k] = x[best], x[best] = swap;
    for (int i = k + 1; i < n; i++) {
      double factor = A[i * n + k] / A[k * n + k];
      if (factor == 0)
        continue;
      for (int j = k + 1; j < n; j++)
        A[i * n + j] -= factor * A[k * n + j];
      x[i] -= factor * x[k];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++)
      x[i] -= A[i * n + j] * x[j];
    x[i] /= A[i * n + i];
  }
  return 1;
}

void matrices_lower_apply(int n, const double *L, double *x)
{
  for (int i = n - 1; i >= 0; i--) {
    double sum = 0;
    for (int j = 0; j <= i; j++)
      sum += L[i * n + j] * x[j];
    x[i] = sum;
  }
}
