/* Directions for experiments: random, of about normal numbers, and exactly perpendicular to each other. */
#ifndef MUYBRIDGE_FOLLOW_DESIGN_H
#define MUYBRIDGE_FOLLOW_DESIGN_H

#include <stdint.h>

/* n rows of n numbers, perpendicular, each of length sqrt(n), so that a number has variance 1: a regression on them
 * is as well conditioned as can be. The same for the same seed and stream. */
void design_fill(uint64_t seed, uint64_t stream, int n, double *rows);

#endif
