/* Random numbers: one stream per work item, the same on every machine.
 *
 * splitmix64 (Steele, Lea and Flood 2014): a counter and a mixing function, so that any seed is a good one. */
#ifndef MUYBRIDGE_RNG_H
#define MUYBRIDGE_RNG_H

#include <stdint.h>

struct rng { uint64_t state; };

/* The stream of one work item of one seed: streams of different items do not overlap in practice. */
struct rng rng_stream(uint64_t seed, uint64_t item);

uint64_t rng_next(struct rng *r);
double rng_uniform(struct rng *r, double from, double to);
double rng_normal(struct rng *r);              /* mean 0, variance 1 */
int rng_below(struct rng *r, int n);           /* 0 .. n - 1         */

#endif
