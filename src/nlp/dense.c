/* The pivoting of Bunch and Kaufman in a dense block. Work on vectors goes to BLAS, whose functions are named here and
 * nowhere else. */
#pragma GCC optimize("O3") /* loops over columns: vectors make them twice as fast */
#include "nlp/dense.h"

#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "nlp/tiles.h"

void dgemv_(const char *trans, const int *m, const int *n, const double *alpha, const double *a, const int *lda,
            const double *x, const int *incx, const double *beta, double *y, const int *incy);
void dtrsv_(const char *uplo, const char *trans, const char *diag, const int *n, const double *a, const int *lda,
            double *x, const int *incx);

static const int ONE = 1;
#define TINY 1e-20 /* nothing that a pivot could be */

/* ---- pivots ---- */

struct block {
  int n, end;           /* order; rows from `end` on are no candidates for now */
  double *a;
  struct pivots *p;
};

static double *column(const struct block *b, int j)
{
  return b->a + (size_t)j * (size_t)b->n;
}

static double entry(const struct block *b, int i, int j)
{
  return i >= j ? column(b, j)[i] : column(b, i)[j];
}

/* The largest magnitude in row i of what is left (from column k), off the diagonal. */
static double largest_in_row(const struct block *b, int i, int k, int *where)
{
  double most = 0;
  *where = -1;
  for (int j = k; j < b->end; j++)
    if (j != i && fabs(entry(b, i, j)) > most)
      most = fabs(entry(b, i, j)), *where = j;
  return most;
}

static void swap(double *a, double *b)
{
  double t = *a;
  *a = *b, *b = t;
}

/* Rows and columns i < j exchanged, with the rows of L that are done. */
static void exchange(struct block *b, int i, int j)
{
  if (i == j)
    return;
  for (int c = 0; c < i; c++)
    swap(&column(b, c)[i], &column(b, c)[j]);
  for (int c = i + 1; c < j; c++)
    swap(&column(b, i)[c], &column(b, c)[j]);
  for (int r = j + 1; r < b->n; r++)
    swap(&column(b, i)[r], &column(b, j)[r]);
  swap(&column(b, i)[i], &column(b, j)[j]);
  int t = b->p->order[i];
  b->p->order[i] = b->p->order[j], b->p->order[j] = t;
}

static void eliminate_one(struct block *b, int k)
{
  double *l = column(b, k), d = l[k];
  b->p->diagonal[k] = d;
  b->p->below[k] = 0;
  for (int i = k + 1; i < b->n; i++)
    l[i] /= d;
  for (int j = k + 1; j < b->n; j++) {
    double *out = column(b, j), factor = d * l[j];
    for (int i = j; i < b->n; i++)
      out[i] -= factor * l[i];
  }
}

/* inv([a b; b c]) (x, y), scaled by b so that nothing overflows. */
static void solve_pair(double a, double b, double c, double *x, double *y)
{
  double s = a / b, t = c / b, f = 1 / (b * (s * t - 1)), u = f * (t * *x - *y);
  *y = f * (s * *y - *x);
  *x = u;
}

/* With x, y the two columns and (p, q) = (x, y) inv(D), which is L: A -= x p' + y q'. */
static void eliminate_two(struct block *b, int k)
{
  double *u = column(b, k), *v = column(b, k + 1), a = u[k], e = u[k + 1], c = v[k + 1];
  b->p->diagonal[k] = a, b->p->diagonal[k + 1] = c;
  b->p->below[k] = e, b->p->below[k + 1] = 0;
  u[k + 1] = 0;
  for (int j = k + 2; j < b->n; j++) {
    double p = u[j], q = v[j];
    solve_pair(a, e, c, &p, &q);
    double *out = column(b, j);
    for (int i = j; i < b->n; i++)
      out[i] -= u[i] * p + v[i] * q;
    u[j] = p, v[j] = q; /* no one needs x and y of row j any more: later columns begin below it */
  }
}

/* Moves a good pivot to k. Its order, or 0: row k has none. */
static int choose_pivot(struct block *b, int k)
{
  const double alpha = 0.6403882032022076; /* (1 + sqrt 17) / 8 */
  int r, unused;
  double here = fabs(column(b, k)[k]), most = largest_in_row(b, k, k, &r);
  if (!(fmax(here, most) > TINY))
    return 0;
  if (here >= alpha * most)
    return 1;
  double most_of_r = largest_in_row(b, r, k, &unused);
  if (here * most_of_r >= alpha * most * most)
    return 1;
  if (fabs(column(b, r)[r]) >= alpha * most_of_r) {
    exchange(b, k, r);
    return 1;
  }
  exchange(b, k + 1, r);
  return 2;
}

FOR_EACH_PROCESSOR __attribute__((flatten)) int dense_factor(int n, double *a, struct pivots *p)
{
  struct block b = {n, n, a, p};
  int k = 0, since = 0; /* pivots since the candidates were all of them */
  for (int i = 0; i < n; i++)
    p->order[i] = i;
  while (k < b.end) {
    int order = choose_pivot(&b, k);
    if (order == 0)
      exchange(&b, k, --b.end);
    else if (order == 1)
      eliminate_one(&b, k);
    else
      eliminate_two(&b, k);
    k += order, since += order;
    if (k == b.end && b.end < n && since) /* what had no pivot may have one by now */
      b.end = n, since = 0;
  }
  return k;
}

int dense_whole_pivots(const struct pivots *p, int count)
{
  return count > 0 && p->below[count - 1] != 0 ? count - 1 : count;
}

/* ---- with the pivots ---- */

void dense_solve_pivots(int count, const double *diagonal, const double *below, double *x)
{
  for (int i = 0; i < count; i++)
    if (below[i] != 0) {
      solve_pair(diagonal[i], below[i], diagonal[i + 1], &x[i], &x[i + 1]);
      i++;
    } else {
      x[i] /= diagonal[i];
    }
}

int dense_negative(int count, const double *diagonal, const double *below)
{
  int negative = 0;
  for (int i = 0; i < count; i++)
    if (below[i] != 0) {
      double s = diagonal[i] / below[i], t = diagonal[i + 1] / below[i];
      negative += s * t < 1 ? 1 : diagonal[i] < 0 ? 2 : 0;
      i++;
    } else {
      negative += diagonal[i] < 0;
    }
  return negative;
}

/* A few columns lose what all before them are responsible for, then what they are to each other. */
FOR_EACH_PROCESSOR void dense_solve_right(int rows, int count, const double *l, int ld_l, double *b, int ld)
{
  enum { WIDE = 4 };
  for (int first = 0; first < count; first += WIDE) {
    int end = count - first < WIDE ? count : first + WIDE;
    double *out = b + (size_t)first * (size_t)ld;
    tiles_subtract(&(struct tiles){rows, end - first, first, b, l + first, out, ld, ld_l, ld});
    for (int j = first + 1; j < end; j++)
      for (int k = first; k < j; k++) {
        double factor = l[(size_t)k * (size_t)ld_l + (size_t)j], *to = b + (size_t)j * (size_t)ld;
        const double *from = b + (size_t)k * (size_t)ld;
        for (int i = 0; i < rows; i++)
          to[i] -= factor * from[i];
      }
  }
}

/* How many of n numbers are not within the limit. */
static int beyond(int n, const double *x, double limit)
{
  int count = 0;
  for (int i = 0; i < n; i++)
    count += !(fabs(x[i]) <= limit); /* a NaN is not */
  return count;
}

FOR_EACH_PROCESSOR __attribute__((flatten)) int dense_divide(int rows, int count, const struct pivots *p,
                                                             const double *b, double *quotient, int ld, double limit)
{
  for (int j = 0; j < count; j++) {
    const double *x = b + (size_t)j * (size_t)ld, *y = x + ld;
    double *u = quotient + (size_t)j * (size_t)ld, *v = u + ld;
    int pair = p->below[j] != 0;
    double a = 1, c = 0, e = 0, f = 1; /* the inverse: [a c; e f] */
    if (pair) {
      solve_pair(p->diagonal[j], p->below[j], p->diagonal[j + 1], &a, &c);
      solve_pair(p->diagonal[j], p->below[j], p->diagonal[j + 1], &e, &f);
    } else {
      a = 1 / p->diagonal[j];
    }
    for (int i = 0; i < rows && pair; i++)
      u[i] = a * x[i] + c * y[i], v[i] = e * x[i] + f * y[i];
    for (int i = 0; i < rows && !pair; i++)
      u[i] = a * x[i];
    if (beyond(rows, u, limit) || (pair && beyond(rows, v, limit)))
      return j;
    j += pair;
  }
  return count;
}

void dense_update(int n, int inner, const double *l, int ld_l, const double *w, int ld_w, double *c)
{
  tiles_subtract_lower(&(struct tiles){n, n, inner, l, w, c, ld_l, ld_w, n});
}

/* ---- one right-hand side ---- */

void dense_forward(int size, int count, const double *l, double *x)
{
  const double one = 1, minus = -1;
  int rest = size - count;
  dtrsv_("L", "N", "U", &count, l, &size, x, &ONE);
  if (rest)
    dgemv_("N", &rest, &count, &minus, l + count, &size, x, &ONE, &one, x + count, &ONE);
}

void dense_backward(int size, int count, const double *l, double *x)
{
  const double one = 1, minus = -1;
  int rest = size - count;
  if (rest)
    dgemv_("T", &rest, &count, &minus, l + count, &size, x + count, &ONE, &one, x, &ONE);
  dtrsv_("L", "T", "U", &count, l, &size, x, &ONE);
}
