/* The contact problem: guess which rows are at a bound, solve the linear rest, let the rows that do not fit change
 * sides, and again; when that does not settle, sweeps of projected Gauss-Seidel make a new guess. Feet that stand
 * are found at the first try, feet that slide or lift after a few. See lcp.h. */
#include "physics/lcp.h"

#include <math.h>
#include <string.h>

#include "base/matrices.h"

#define TRIES     16            /* guesses                                         */
#define CHANGES   6             /* from one guess on, of rows that do not fit      */
#define SWEEPS    8             /* for a new guess, more and more                  */
#define TOLERANCE 1e-9

enum side { AT_LOWER = -1, INSIDE = 0, AT_UPPER = 1 }; /* a normal row at its lower bound is a contact that opens */

/* Row r of A f - b. */
static double miss(const struct lcp *p, int r, const double *f)
{
  const double *A = p->A + r * p->n;
  double sum = -p->b[r];
  for (int k = 0; k < p->n; k++)
    sum += A[k] * f[k];
  return sum;
}

/* The unknowns are the rows inside. Friction that slides is mu times its normal force: its column of A is added to
 * that one's. */
static void fill_inside(const struct lcp *p, int n_inside, const double *A, double *row)
{
  int k = 0;
  for (int r = 0; r < p->n; r++)
    if (p->sides[r] == INSIDE)
      p->place[r] = k, row[k++] = A[r];
  for (int r = 0; r < p->n && n_inside < p->n; r++) {
    const struct lcp_row *slide = &p->rows[r];
    if (p->sides[r] != INSIDE && slide->kind == LCP_FRICTION && p->sides[slide->normal] == INSIDE)
      row[p->place[slide->normal]] += p->sides[r] * slide->mu * A[r];
  }
}

/* f for the sides as they are: rows inside have w = 0, the others their bound. 0: there is none. */
static int solve_sides(const struct lcp *p)
{
  int inside = 0, k = 0;
  for (int r = 0; r < p->n; r++)
    inside += p->sides[r] == INSIDE;
  for (int r = 0; r < p->n; r++)
    if (p->sides[r] == INSIDE) {
      fill_inside(p, inside, p->A + r * p->n, p->matrix + k * inside);
      p->f[k++] = p->b[r];
    }
  if (!matrices_solve(inside, p->matrix, p->f))
    return 0;
  for (int r = p->n - 1; r >= 0; r--) /* from the last on, since f holds those inside close together */
    p->f[r] = p->sides[r] == INSIDE ? p->f[--k] : 0;
  for (int r = 0; r < p->n; r++)
    if (p->sides[r] != INSIDE && p->rows[r].kind == LCP_FRICTION)
      p->f[r] = p->sides[r] * p->rows[r].mu * p->f[p->rows[r].normal];
  return 1;
}

/* The side on which row r belongs, from what f is there. */
static int side_of(const struct lcp *p, int r, double slack)
{
  const struct lcp_row *row = &p->rows[r];
  int side = p->sides[r];
  if (side != INSIDE) {
    double w = miss(p, r, p->f) / p->A[r * p->n + r];
    return (row->kind == LCP_NORMAL ? w < -slack : w * side > slack) ? INSIDE : side;
  }
  if (row->kind == LCP_NORMAL)
    return p->f[r] < -slack ? AT_LOWER : INSIDE;
  double most = row->mu * fmax(0, p->f[row->normal]) + slack;
  return p->f[r] > most ? AT_UPPER : p->f[r] < -most ? AT_LOWER : INSIDE;
}

/* Rows that f does not fit change sides. How many did? None: f is the solution. */
static int change_sides(const struct lcp *p)
{
  double scale = 0;
  int changed = 0;
  for (int r = 0; r < p->n; r++)
    scale = fmax(scale, fabs(p->f[r]));
  for (int r = 0; r < p->n; r++) {
    int side = side_of(p, r, TOLERANCE * scale);
    changed += side != p->sides[r];
    p->sides[r] = side;
  }
  return changed;
}

/* One sweep of projected Gauss-Seidel over the guess; sides as it leaves them. */
static void sweep(const struct lcp *p)
{
  for (int r = 0; r < p->n; r++) {
    const struct lcp_row *row = &p->rows[r];
    double x = p->guess[r] - miss(p, r, p->guess) / p->A[r * p->n + r];
    double most = row->kind == LCP_NORMAL ? HUGE_VAL : row->mu * p->guess[row->normal];
    double least = row->kind == LCP_NORMAL ? 0 : -most;
    p->sides[r] = x >= most ? AT_UPPER : x <= least ? AT_LOWER : INSIDE;
    p->guess[r] = x > most ? most : x < least ? least : x;
  }
}

int lcp_solve(const struct lcp *p)
{
  memset(p->sides, 0, (size_t)p->n * sizeof *p->sides);
  memset(p->guess, 0, (size_t)p->n * sizeof *p->guess);
  for (int t = 0; t < (p->tries > 0 ? p->tries : TRIES); t++) {
    for (int k = 0; k < CHANGES && solve_sides(p); k++)
      if (!change_sides(p))
        return 1;
    for (int s = 0; s < SWEEPS << (t / 4); s++)
      sweep(p);
  }
  memcpy(p->f, p->guess, (size_t)p->n * sizeof *p->f);
  return 0;
}
