/* Random numbers, for tests and for everything that samples. */
#include "base/rng.h"

#include <math.h>

#include "base/angle.h"

static uint64_t mix(uint64_t z)
{
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

struct rng rng_stream(uint64_t seed, uint64_t item)
{
  return (struct rng){mix(mix(seed + UINT64_C(0x9e3779b97f4a7c15)) ^ (item * UINT64_C(0xd1342543de82ef95)))};
}

uint64_t rng_next(struct rng *r)
{
  r->state += UINT64_C(0x9e3779b97f4a7c15);
  return mix(r->state);
}

double rng_uniform(struct rng *r, double from, double to)
{
  return from + (to - from) * (double)(rng_next(r) >> 11) * 0x1p-53;
}

double rng_normal(struct rng *r)
{
  double u = 1.0 - rng_uniform(r, 0, 1), v = rng_uniform(r, 0, 1); /* Box and Muller; u is never 0 */
  return sqrt(-2.0 * log(u)) * cos(2 * PI * v);
}

int rng_below(struct rng *r, int n)
{
  return (int)(rng_next(r) % (uint64_t)n);
}
