/* Small dense matrices, row by row, for feedback and covariances: up to a hundred or so rows. The same bits on every
 * machine. Results may not overlap arguments unless said. */
#ifndef MUYBRIDGE_FOLLOW_MATRICES_H
#define MUYBRIDGE_FOLLOW_MATRICES_H

/* out (rows x columns) = A (rows x inner) B (inner x columns) */
void matrices_product(int rows, int inner, int columns, const double *A, const double *B, double *out);

/* out (rows x columns) = A^T B, A being inner x rows */
void matrices_product_turned(int rows, int inner, int columns, const double *A, const double *B, double *out);

/* y = A x, and y += A x */
void matrices_apply(int rows, int columns, const double *A, const double *x, double *y);
void matrices_apply_add(int rows, int columns, const double *A, const double *x, double *y);

/* x^T A x */
double matrices_form(int n, const double *A, const double *x);

/* A := (A + A^T) / 2 */
void matrices_symmetrize(int n, double *A);

/* Factors A = L L^T in place (lower triangle; the upper one is left as it is). 0 if A is not positive definite. */
int matrices_cholesky(int n, double *A);

/* B (n x columns) := inv(L L^T) B */
void matrices_cholesky_solve(int n, const double *L, int columns, double *B);

/* x := L x, of the lower triangle. */
void matrices_lower_apply(int n, const double *L, double *x);

/* A = V diag(values) V^T, of a symmetric A, which is destroyed; columns of V. Jacobi's way: slow and exact. */
void matrices_eigen(int n, double *A, double *values, double *V);

#endif
