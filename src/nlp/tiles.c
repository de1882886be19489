/* A tile of c, eight rows by four columns, stays in registers while a and b pass by. */
#pragma GCC optimize("O3")
#include "nlp/tiles.h"

#include <string.h>

#include "base/clones.h"

#pragma GCC diagnostic ignored "-Wpsabi" /* no lane leaves this file */

enum { HIGH = 8, WIDE = 4 };

typedef double lane __attribute__((vector_size(HIGH * sizeof(double)), aligned(8)));

static inline __attribute__((always_inline)) lane load(const double *from)
{
  return *(const lane *)(const void *)from;
}

static inline __attribute__((always_inline)) void store(lane x, double *to)
{
  *(lane *)(void *)to = x;
}

/* Products are summed before they are taken from c: what comes out does not depend on how c is cut into tiles. */
static inline __attribute__((always_inline)) void whole_tile(const struct tiles *t, const double *a, const double *b,
                                                             double *c)
{
  lane s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
  size_t ld_a = (size_t)t->ld_a, ld_b = (size_t)t->ld_b, ld = (size_t)t->ld_c;
  for (int k = 0; k < t->inner; k++, a += ld_a, b += ld_b) {
    lane x = load(a);
    s0 += x * b[0], s1 += x * b[1], s2 += x * b[2], s3 += x * b[3];
  }
  store(load(c) - s0, c);
  store(load(c + ld) - s1, c + ld);
  store(load(c + 2 * ld) - s2, c + 2 * ld);
  store(load(c + 3 * ld) - s3, c + 3 * ld);
}

/* One column of a tile at an edge. */
static inline __attribute__((always_inline)) void slim_tile(const struct tiles *t, const double *a, const double *b,
                                                            double *c, int rows)
{
  double s[HIGH] = {0};
  size_t ld_a = (size_t)t->ld_a, ld_b = (size_t)t->ld_b;
  for (int k = 0; k < t->inner; k++, a += ld_a, b += ld_b)
    for (int i = 0; i < rows; i++)
      s[i] += a[i] * *b;
  for (int i = 0; i < rows; i++)
    c[i] -= s[i];
}

/* Rows from `first` on of up to WIDE columns. */
static inline __attribute__((always_inline)) void strip(const struct tiles *t, int j, int first)
{
  int cols = t->cols - j < WIDE ? t->cols - j : WIDE, i = first;
  const double *b = t->b + j;
  double *c = t->c + (size_t)j * (size_t)t->ld_c;
  for (; i + HIGH <= t->rows; i += HIGH)
    if (cols == WIDE)
      whole_tile(t, t->a + i, b, c + i);
    else
      for (int k = 0; k < cols; k++)
        slim_tile(t, t->a + i, b + k, c + (size_t)k * (size_t)t->ld_c + i, HIGH);
  for (int k = 0; k < cols && i < t->rows; k++)
    slim_tile(t, t->a + i, b + k, c + (size_t)k * (size_t)t->ld_c + i, t->rows - i);
}

FOR_EACH_PROCESSOR void tiles_subtract(const struct tiles *t)
{
  for (int j = 0; j < t->cols; j += WIDE)
    strip(t, j, 0);
}

FOR_EACH_PROCESSOR void tiles_subtract_lower(const struct tiles *t)
{
  for (int j = 0; j < t->cols; j += WIDE)
    strip(t, j, j);
}
