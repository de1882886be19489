/* Private to src/nlp. Dense symmetric indefinite blocks: pivoting, and the large updates, which BLAS does. Column by
 * column, lower triangles. */
#ifndef MUYBRIDGE_NLP_DENSE_H
#define MUYBRIDGE_NLP_DENSE_H

/* The pivots of a factorisation P A P' = L D L', L with a unit diagonal, D of blocks of order 1 and 2. */
struct pivots {
  int *order;           /* row of A that became row i                            (n) */
  double *diagonal;     /* of D                                                  (n) */
  double *below;        /* of D: entry (i + 1, i), 0 for a block of order 1      (n) */
};

/* Factors a, of order n, in place, as far as pivots can be found; what has none ends up last. How many were eliminated;
 * a then holds L in the columns of those. */
int dense_factor(int n, double *a, struct pivots *p);

/* Where column `count` would part a block of order 2, one less. */
int dense_whole_pivots(const struct pivots *p, int count);

/* b (rows x count, leading dimension ld) := b inv(L'), L (unit lower, count x count, leading dimension ld_l). */
void dense_solve_right(int rows, int count, const double *l, int ld_l, double *b, int ld);

/* quotient := b inv(D), both rows x count, leading dimension ld. How many columns, from the first, have no entry beyond
 * the limit. */
int dense_divide(int rows, int count, const struct pivots *p, const double *b, double *quotient, int ld, double limit);

/* The lower triangle of c (n x n) -= l w'. */
void dense_update(int n, int inner, const double *l, int ld_l, const double *w, int ld_w, double *c);

/* One right-hand side x over the members of a front (size), of which L (size x count, unit lower) eliminates the first:
 * forward, the rest loses what those are responsible for; backward, those are found from the rest. */
void dense_forward(int size, int count, const double *l, double *x);
void dense_backward(int size, int count, const double *l, double *x);

/* x := inv(D) x */
void dense_solve_pivots(int count, const double *diagonal, const double *below, double *x);

/* Of D's first `count` eigenvalues, how many are negative. */
int dense_negative(int count, const double *diagonal, const double *below);

#endif
