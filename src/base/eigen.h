/* Eigenvalues and eigenvectors of a dense symmetric matrix, by LAPACK. */
#ifndef MUYBRIDGE_EIGEN_H
#define MUYBRIDGE_EIGEN_H

/* How many numbers of scratch memory a matrix of order n needs. */
int eigen_scratch(int n);

/* A = V diag(values) V^T, values in ascending order. A (n x n) is overwritten: its row i is the eigenvector of value i,
 * of length 1. Returns 0 if LAPACK gave up, or a number is not finite. */
int eigen_symmetric(int n, double *A, double *values, double *scratch);

#endif
