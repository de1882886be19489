/* Eigenvalues and eigenvectors of a dense symmetric matrix: Householder's tridiagonal form, then implicit QL iterations
 * (Wilkinson and Reinsch 1971). The same bits on every machine; LAPACK's dsyev, which this replaced, has other last
 * digits with every build of BLAS, and at the orders of creatures (10 to 60) is no faster. */
#ifndef MUYBRIDGE_BASE_EIGEN_H
#define MUYBRIDGE_BASE_EIGEN_H

/* How many numbers of scratch memory a matrix of order n needs. */
int eigen_scratch(int n);

/* A = V^T diag(values) V, values in ascending order. A (n x n, row-major, both triangles filled) is overwritten by V:
 * its row i is the eigenvector of value i, of length 1, whose sign is arbitrary. Returns 0, and A and values are of no
 * use, if a number is not finite or the iterations do not converge. */
int eigen_symmetric(int n, double *A, double *values, double *scratch);

#endif
