/* Private to src/nlp. Products of dense matrices, column by column, for blocks of a few dozen rows. BLAS is made for
 * larger ones: half of its time goes into copies here, and on processors newer than itself it falls back on
 * instructions of 2004. */
#ifndef MUYBRIDGE_NLP_TILES_H
#define MUYBRIDGE_NLP_TILES_H

/* c (rows x cols) -= a (rows x inner) b' (b: cols x inner). */
struct tiles {
  int rows, cols, inner;
  const double *a, *b;
  double *c;
  int ld_a, ld_b, ld_c; /* leading dimensions */
};

void tiles_subtract(const struct tiles *t);

/* The same for a square c, of whose upper triangle nobody knows what will be in it. */
void tiles_subtract_lower(const struct tiles *t);

#endif
