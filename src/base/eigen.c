/* LAPACK's dsyev: its own tridiagonal form and QL iterations. At the orders of creatures (10 to 60) it is as fast as
 * the divide and conquer of dsyevd, and needs no integer scratch. */
#include "base/eigen.h"

#include <math.h>
#include <stddef.h>

void dsyev_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w, double *work,
            const int *lwork, int *info);

#define BLOCK 34 /* columns of scratch: LAPACK's block of 32 and two more */

int eigen_scratch(int n)
{
  return BLOCK * n;
}

int eigen_symmetric(int n, double *A, double *values, double *scratch)
{
  int room = eigen_scratch(n), info = 0;
  for (size_t i = 0; i < (size_t)n * (size_t)n; i++)
    if (!isfinite(A[i]))
      return 0;
  if (n == 0)
    return 1;
  /* LAPACK's columns are our rows, and a symmetric matrix is its own transpose */
  dsyev_("V", "L", &n, A, &n, values, scratch, &room, &info);
  return info == 0;
}
