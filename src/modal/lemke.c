/* The tableau holds w - C z - d z0 = h, all of it, so that the rows of the inverse of the basis are at hand: the
 * columns of w. These are what the lexicographic rule compares. */
#include "modal/lemke.h"

#include <math.h>
#include <string.h>

#define PIVOTS_EACH 40          /* pivots per row until it is given up */
#define TINY 1e-10              /* of the column's largest entry, or of 1: no pivot                                */
#define EQUAL 1e-10             /* ratios that differ by less are ties: what is 0 in theory is rounding here, and a
                                   comparison of rounding errors ends along rays that are none */

struct lemke *lemke_new(struct arena *arena, int most)
{
  struct lemke *l = ARENA_NEW(arena, 1, struct lemke);
  l->most = most;
  l->tableau = ARENA_NEW(arena, (size_t)most * (2 * (size_t)most + 2) + 1, double);
  l->basis = ARENA_NEW(arena, (size_t)most + 1, int);
  return l;
}

/* Columns: w 0 .. n - 1, z n .. 2n - 1, z0 2n, right-hand side 2n + 1. */
static void fill(struct lemke *l, int n, const double *C, const double *h)
{
  int width = 2 * n + 2;
  for (int i = 0; i < n; i++) {
    double *row = l->tableau + (size_t)i * (size_t)width;
    memset(row, 0, (size_t)width * sizeof *row);
    row[i] = 1;
    for (int j = 0; j < n; j++)
      row[n + j] = -C[i * n + j];
    row[2 * n] = -1;
    row[2 * n + 1] = h[i];
    l->basis[i] = i;
  }
}

static void pivot(struct lemke *l, int n, int at, int column)
{
  int width = 2 * n + 2;
  double *p = l->tableau + (size_t)at * (size_t)width, scale = 1 / p[column];
  for (int j = 0; j < width; j++)
    p[j] *= scale;
  p[column] = 1;
  for (int i = 0; i < n; i++) {
    double *row = l->tableau + (size_t)i * (size_t)width, factor = row[column];
    if (i == at || factor == 0)
      continue;
    for (int j = 0; j < width; j++)
      row[j] -= factor * p[j];
    row[column] = 0;
  }
  l->basis[at] = column;
}

/* Is row a, divided by its pivot, lexicographically before row b? Right-hand side first, then the basis' inverse. */
static int before(const struct lemke *l, int n, int a, int b, int column)
{
  int width = 2 * n + 2;
  const double *x = l->tableau + (size_t)a * (size_t)width, *y = l->tableau + (size_t)b * (size_t)width;
  for (int k = -1; k < n; k++) {
    int j = k < 0 ? 2 * n + 1 : k;
    double u = x[j] / x[column], v = y[j] / y[column], size = fmax(fabs(u), fabs(v));
    if (fabs(u - v) > EQUAL * fmax(1, size))
      return u < v;
  }
  return 0;
}

/* The row that leaves when a column enters; -1: none, a ray. z0 leaves as soon as it may. */
static int choose_row(const struct lemke *l, int n, int column)
{
  int width = 2 * n + 2, best = -1;
  double largest = 0;
  for (int i = 0; i < n; i++)
    largest = fmax(largest, fabs(l->tableau[(size_t)i * (size_t)width + (size_t)column]));
  for (int i = 0; i < n; i++)
    if (l->tableau[(size_t)i * (size_t)width + (size_t)column] > TINY * fmax(1, largest) &&
        (best < 0 || before(l, n, i, best, column)))
      best = i;
  for (int i = 0; i < n && best >= 0; i++) {
    const double *row = l->tableau + (size_t)i * (size_t)width, *b = l->tableau + (size_t)best * (size_t)width;
    double least = b[2 * n + 1] / b[column];
    if (l->basis[i] == 2 * n && row[column] > TINY * fmax(1, largest) &&
        row[2 * n + 1] / row[column] <= least + EQUAL * fmax(1, fabs(least)))
      best = i;
  }
  return best;
}

/* Row with which z0 enters: the least right-hand side; of equal ones the last, which is lexicographically least. */
static int first_row(const double *h, int n)
{
  int at = 0;
  for (int i = 1; i < n; i++)
    if (h[i] <= h[at])
      at = i;
  return at;
}

enum lemke_outcome lemke_solve(struct lemke *l, int n, const double *C, const double *h, double *z, int *pivots)
{
  int width = 2 * n + 2, count = 0, at = n ? first_row(h, n) : -1;
  if (pivots)
    *pivots = 0;
  memset(z, 0, (size_t)n * sizeof *z);
  if (n == 0 || h[at] >= 0)
    return LEMKE_SOLVED;
  fill(l, n, C, h);
  int leaving = l->basis[at];
  pivot(l, n, at, 2 * n);
  for (count = 1; leaving != 2 * n; count++) {
    int entering = leaving < n ? leaving + n : leaving - n;
    at = choose_row(l, n, entering);
    if (pivots)
      *pivots = count;
    if (at < 0)
      return LEMKE_RAY;
    if (count > PIVOTS_EACH * n)
      return LEMKE_TOO_LONG;
    leaving = l->basis[at];
    pivot(l, n, at, entering);
  }
  for (int i = 0; i < n; i++)
    if (l->basis[i] >= n && l->basis[i] < 2 * n)
      z[l->basis[i] - n] = fmax(0, l->tableau[(size_t)i * (size_t)width + (size_t)(2 * n + 1)]);
  return LEMKE_SOLVED;
}
