/* The product of matrices that the policies need, fast, and with the same bits on every machine.
 *
 * A tensor of several axes is multiplied along its first axis by a small square matrix, and that axis becomes the last
 * one:
 *
 *   out[r][i] = sum_j T[i][j] in[j][r]          i, j < n,  r < rest
 *
 * After as many products as the tensor has axes, all have been multiplied and the axes stand where they stood. The sum
 * over j goes upwards for each number of out by itself, without fused multiply-add: vector instructions change nothing.
 * (A foreign BLAS was considered: its bits differ from processor to processor, it may start threads, and it is no
 * faster on matrices of this size: measured, 36 x 36 by 36 x 36, 2.0 us here and 3.2 us there.) */
#ifndef MUYBRIDGE_MATRIX_H
#define MUYBRIDGE_MATRIX_H

#include <stddef.h>

/* T, by its columns: T[i][j] is at columns[j * stride + i]. A dense matrix has stride n; one whose rows are each
 * other's shifts around a circle needs only 2 n numbers, and stride -1. */
struct matrix_columns {
  const double *columns;
  ptrdiff_t stride;
};

void matrix_turn_product(struct matrix_columns T, int n, const double *in, size_t rest, double *out);

/* best = min(best, offset + x + y), number by number. */
void matrix_least(size_t n, double offset, const double *x, const double *y, double *best);

/* Trades x for y: x becomes y, y becomes y - x; returns the least, the most and the sum of the differences. */
struct matrix_range { double least, most, sum; };
struct matrix_range matrix_trade(size_t n, double *x, double *y);

/* out = x where choice is which, 0 elsewhere; 0 when all of out is. */
int matrix_select(size_t n, const int *choice, int which, const double *x, double *out);

/* out = x - y; the sum of absolute values. */
double matrix_change(size_t n, const double *x, const double *y, double *out);

/* out = sum_k weight[k] x[k], of count vectors. */
void matrix_combine(size_t n, int count, const double *weight, const double *const *x, double *out);

/* x . y, and y += factor x. */
double matrix_dot(size_t n, const double *x, const double *y);
void matrix_add_scaled(size_t n, double factor, const double *x, double *y);

/* (x, y) := (c x - s y, s x + c y); x and y do not overlap. */
void matrix_rotate(size_t n, double c, double s, double *x, double *y);

#endif
