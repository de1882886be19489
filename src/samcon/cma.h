/* Covariance matrix adaptation (Hansen 2006): a normal distribution that learns from the samples that were good. */
#ifndef MUYBRIDGE_SAMCON_CMA_H
#define MUYBRIDGE_SAMCON_CMA_H

#include "base/arena.h"

struct cma {
  int n;
  double sigma;
  double *mean;                 /* (n)                                          */
  double *C;                    /* covariance is sigma^2 C         (n x n)      */
  double *path_sigma, *path_c;  /* where the mean has been going   (n)          */
  int updates;
};

/* diagonal: of C at first; NULL: ones. */
void cma_init(struct arena *arena, struct cma *c, int n, double sigma, const double *diagonal);

/* The lower triangle that makes of independent normal numbers such of this distribution (n x n). 0 if there is none:
 * C has lost its rank. */
int cma_lower(const struct cma *c, double *L);

/* Learns from `count` samples, the best first, of `drawn` that were drawn. Rows of n numbers. */
void cma_update(struct cma *c, int count, const double *const *samples, int drawn);

#endif
