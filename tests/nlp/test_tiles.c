/* Products in tiles against sums written out: the same bits, whatever the sizes, and nothing touched beside them. */
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "check.h"
#include "nlp/tiles.h"

enum { MOST = 40, ROOM = MOST * (MOST + 3) };

static void fill(struct rng *r, double *x)
{
  for (int i = 0; i < ROOM; i++)
    x[i] = rng_normal(r);
}

/* How many entries of c are not what they should be. */
static int count_wrong(const struct tiles *t, const double *before, int lower)
{
  int wrong = 0;
  for (int j = 0; j < MOST; j++)
    for (int i = 0; i < t->ld_c; i++) {
      double sum = 0, was = before[j * t->ld_c + i], is = t->c[j * t->ld_c + i];
      int inside = i < t->rows && j < t->cols;
      for (int k = 0; k < t->inner && inside; k++)
        sum += t->a[k * t->ld_a + i] * t->b[k * t->ld_b + j];
      if (!(lower && inside && i < j))
        wrong += !(is == (inside ? was - sum : was));
    }
  return wrong;
}

static void test_size(struct rng *r, int rows, int cols, int inner)
{
  static double a[ROOM], b[ROOM], c[ROOM], before[ROOM];
  struct tiles t = {rows, cols, inner, a, b, c, MOST + 1, MOST + 2, MOST + 3};
  fill(r, a), fill(r, b), fill(r, c);
  memcpy(before, c, sizeof c);
  tiles_subtract(&t);
  CHECK_INT(count_wrong(&t, before, 0), 0);
  if (rows != cols)
    return;
  memcpy(c, before, sizeof c);
  tiles_subtract_lower(&t);
  CHECK_INT(count_wrong(&t, before, 1), 0);
}

int main(void)
{
  struct rng r = rng_stream(1, 0);
  for (int rows = 0; rows <= MOST; rows += rows < 18 ? 1 : 5) {
    test_size(&r, rows, rows, rng_below(&r, MOST));
    test_size(&r, rows, 1 + rng_below(&r, MOST), 1 + rng_below(&r, MOST));
  }
  test_size(&r, 16, 16, 0);
  return test_finish();
}
