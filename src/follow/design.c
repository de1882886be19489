/* Perpendicular random directions, by Gram and Schmidt, twice for the digits. */
#include "follow/design.h"

#include <math.h>

#include "base/rng.h"

/* row -= its part along the rows before it */
static void remove_parts(const double *rows, int row, int n, double *x)
{
  for (int k = 0; k < row; k++) {
    double along = 0;
    for (int i = 0; i < n; i++)
      along += rows[k * n + i] * x[i];
    along /= n; /* rows have length sqrt(n) */
    for (int i = 0; i < n; i++)
      x[i] -= along * rows[k * n + i];
  }
}

void design_fill(uint64_t seed, uint64_t stream, int n, double *rows)
{
  struct rng rng = rng_stream(seed, stream);
  for (int row = 0; row < n; row++) {
    double *x = rows + row * n, length;
    do {
      for (int i = 0; i < n; i++)
        x[i] = rng_normal(&rng);
      remove_parts(rows, row, n, x);
      remove_parts(rows, row, n, x);
      length = 0;
      for (int i = 0; i < n; i++)
        length += x[i] * x[i];
      length = sqrt(length);
    } while (length < 1e-6); /* never, but then by bad luck */
    for (int i = 0; i < n; i++)
      x[i] *= sqrt(n) / length;
  }
}
