/* The contact problem: what lcp_solve() finds obeys the conditions, looked at one by one, and a force that is wrong
 * does not. */
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "check.h"
#include "physics/lcp.h"

#define MOST 60

/* How far f is from a solution, in units of forces. */
static double violation(int n, const double *A, const double *b, const struct lcp_row *rows, const double *f)
{
  double worst = 0;
  for (int r = 0; r < n; r++) {
    double w = -b[r], most, off;
    for (int k = 0; k < n; k++)
      w += A[r * n + k] * f[k];
    w /= A[r * n + r]; /* the change of this force alone that would make it 0 */
    if (rows[r].kind == LCP_NORMAL) {
      off = fmax(fmax(-f[r], -w), fmin(f[r], w));
    } else {
      most = rows[r].mu * f[rows[r].normal];
      double up = most - f[r], down = f[r] + most; /* to the bounds; w > 0 wants f lower, w < 0 higher */
      off = fmax(fmax(-up, -down), fmax(fmin(w, down), fmin(-w, up)));
    }
    if (!(off <= worst))
      worst = off;
  }
  return worst;
}

/* Contacts of feet (three rows) and stops (one), A = G G^T + softness of a body with so many freedoms: fewer than
 * rows, and it is near singular. */
static int random_problem(struct rng *r, int contacts, int stops, int freedoms, double *A, double *b,
                          struct lcp_row *rows)
{
  double G[MOST][MOST];
  int n = 3 * contacts + stops;
  for (int i = 0; i < n; i++) {
    int foot = i < 3 * contacts;
    rows[i].kind = foot && i % 3 ? LCP_FRICTION : LCP_NORMAL;
    rows[i].normal = foot ? i - i % 3 : i;
    rows[i].mu = rng_uniform(r, 0.05, 1.2);
    b[i] = rng_normal(r);
    for (int k = 0; k < freedoms; k++)
      G[i][k] = rng_normal(r);
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      A[i * n + j] = i == j ? (rows[i].kind == LCP_NORMAL ? 0.03 : 1e-3) : 0;
      for (int k = 0; k < freedoms; k++)
        A[i * n + j] += G[i][k] * G[j][k] / freedoms;
    }
  return n;
}

int main(void)
{
  static double A[MOST * MOST], b[MOST], f[MOST], matrix[MOST * MOST], guess[MOST];
  static struct lcp_row rows[MOST];
  static int sides[MOST], place[MOST];
  struct rng r = rng_stream(6, 6);
  int exact = 0, all = 0;
  double worst = 0, rough = 0;
  for (int trial = 0; trial < 3000; trial++) {
    int contacts = rng_below(&r, 9), stops = rng_below(&r, 5), freedoms = 6 + rng_below(&r, 40);
    int n = random_problem(&r, contacts, stops, freedoms, A, b, rows);
    int done = lcp_solve(&(struct lcp){n, A, b, rows, f, matrix, guess, sides, place, 0});
    double off = violation(n, A, b, rows, f);
    exact += done, all++;
    if (done)
      worst = fmax(worst, off);
    else
      rough = fmax(rough, off);
    if (n && trial % 100 == 0) { /* the test can fail */
      f[0] += 1e-3;
      CHECK(violation(n, A, b, rows, f) > 1e-5);
    }
  }
  printf("%d of %d problems solved, to %.1e; the others to %.1e\n", exact, all, worst, rough);
  CHECK_NEAR(worst, 0, 1e-7);
  CHECK(exact > 0.97 * all);
  return test_finish();
}
