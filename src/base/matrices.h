/* Small dense matrices, row-major, up to a hundred or so rows: products, factors, solutions; base/eigen.h has
 * eigenvectors.
 *
 * The order of operations is fixed, so that results have the same bits on every machine; a foreign BLAS or LAPACK would
 * not promise that. Inputs that are no numbers are answered like a matrix that has no factor. Results may not overlap
 * arguments unless said. Nothing is allocated. (base/matrix.h has the vector kernels of the policies; src/nlp has the
 * sparse factorisation behind the optimizer.) */
#ifndef MUYBRIDGE_BASE_MATRICES_H
#define MUYBRIDGE_BASE_MATRICES_H

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

/* x := inv(A) x, A symmetric and positive definite, of which only the lower triangle is read; its factor takes its
 * place. 0 if A is not positive definite, x being as it was. */
int matrices_solve_positive(int n, double *A, double *x);

/* x := inv(A) x, of any square A, which is destroyed: Gaussian elimination with row exchange. 0 if A is singular (a
 * pivot is exactly 0, or no number); x is of no use then. */
int matrices_solve(int n, double *A, double *x);

/* x := L x, of the lower triangle. */
void matrices_lower_apply(int n, const double *L, double *x);

#endif
