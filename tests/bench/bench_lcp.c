/* Why there are two solvers of contact problems (doc/decisions.md): points on one body, by physics/lcp.c with friction
 * of two directions, and by modal/lemke.c with the polygon of modal control. How many are solved, and in which time.
 *
 * Of rank 6: forces move a rigid body only, as in modal control with `yield` 0; of full rank: joints give, too, as in
 * the tree engine. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/rng.h"
#include "base/vec3.h"
#include "modal/lemke.h"
#include "modal/modal.h"
#include "physics/lcp.h"

#define TRIALS 400
#define MOST   16               /* points                       */
#define MODES  30
#define ROWS   (MODAL_EDGES + 2)
#define MU     0.8

struct problem {
  int points;
  double A[9 * MOST * MOST], b[3 * MOST]; /* rows of each point: normal, two directions of friction */
};

struct count { int solved; double seconds; };

static double now(void)
{
  return (double)clock() / CLOCKS_PER_SEC;
}

/* Points below the centre of a body that falls, turns, and is moved in `rank` modes. */
static void make(struct problem *p, int points, int rank, uint64_t seed)
{
  static double J[3 * MOST][MODES];
  struct rng r = rng_stream(seed, (uint64_t)points);
  double v[MODES];
  int n = 3 * points;
  p->points = points;
  memset(J, 0, sizeof J);
  for (int i = 0; i < n; i++) {
    static double x[3];
    double u[3] = {i % 3 == 1, i % 3 == 2, i % 3 == 0}, moment[3];
    if (i % 3 == 0)
      x[0] = rng_uniform(&r, -0.3, 0.3), x[1] = rng_uniform(&r, -0.3, 0.3), x[2] = -1;
    vec3_cross(x, u, moment);
    for (int k = 0; k < 3; k++)
      J[i][k] = u[k], J[i][3 + k] = 3 * moment[k];
    for (int k = 6; k < rank; k++)
      J[i][k] = 2 * rng_normal(&r);
  }
  for (int k = 0; k < MODES; k++)
    v[k] = rng_normal(&r) * (k < 6 ? 0.3 : 0.1) - (k == 2);
  for (int i = 0; i < n; i++) {
    p->b[i] = 0;
    for (int k = 0; k < rank; k++)
      p->b[i] -= J[i][k] * v[k];
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < rank; k++)
        sum += J[i][k] * J[j][k];
      p->A[i * n + j] = sum;
    }
  }
}

static void by_lcp(const struct problem *p, double soft, struct count *c)
{
  static double A[9 * MOST * MOST], f[3 * MOST], matrix[9 * MOST * MOST], guess[3 * MOST];
  static int sides[3 * MOST], place[3 * MOST];
  struct lcp_row rows[3 * MOST];
  int n = 3 * p->points;
  memcpy(A, p->A, (size_t)(n * n) * sizeof *A);
  for (int i = 0; i < n; i++) {
    A[i * n + i] += soft;
    rows[i] = (struct lcp_row){i % 3 ? LCP_FRICTION : LCP_NORMAL, i - i % 3, MU};
  }
  double from = now();
  c->solved += lcp_solve(&(struct lcp){n, A, p->b, rows, f, matrix, guess, sides, place});
  c->seconds += now() - from;
}

/* Direction a of a point's rows in modal control, in normal and two directions of friction. */
static void direction(int a, double u[3])
{
  double t = 2 * 3.14159265358979323846 * (a - 1) / MODAL_EDGES;
  u[0] = a == 0, u[1] = a ? cos(t) : 0, u[2] = a ? sin(t) : 0;
}

static void by_lemke(const struct problem *p, double soft, struct lemke *l, struct count *c)
{
  static double C[ROWS * ROWS * MOST * MOST], h[ROWS * MOST], z[ROWS * MOST];
  int n = 3 * p->points, width = ROWS * p->points;
  memset(C, 0, sizeof C);
  memset(h, 0, sizeof h);
  for (int i = 0; i < width; i++) {
    int a = i % ROWS, from = 3 * (i / ROWS);
    double u[3], w[3];
    if (a > MODAL_EDGES)
      continue;
    direction(a, u);
    h[i] = -vec3_dot(u, p->b + from);
    for (int j = 0; j < width; j++) {
      int e = j % ROWS, to = 3 * (j / ROWS);
      if (e > MODAL_EDGES) {
        C[i * width + j] = from == to && a > 0;
        C[j * width + i] = from == to ? a > 0 ? -1 : MU : 0;
        continue;
      }
      direction(e, w);
      for (int x = 0; x < 3; x++)
        C[i * width + j] += u[x] * vec3_dot(p->A + (from + x) * n + to, w);
    }
    C[i * width + i] += soft;
  }
  double from = now();
  c->solved += lemke_solve(l, width, C, h, z, NULL) == LEMKE_SOLVED;
  c->seconds += now() - from;
}

int main(void)
{
  static struct problem p;
  static const double softness[] = {1e-6, 1e-4, 1e-2};
  struct arena *arena = arena_new();
  struct lemke *l = lemke_new(arena, ROWS * MOST);
  printf("%d problems each: solved by lcp.c, by lemke.c; us a problem\n", TRIALS);
  for (int full = 0; full < 2; full++)
    for (int points = 2; points <= MOST; points *= 2)
      for (int s = 0; s < 3; s++) {
        struct count lcp = {0, 0}, lemke = {0, 0};
        for (int k = 0; k < TRIALS; k++) {
          make(&p, points, full ? MODES : 6, (uint64_t)k);
          by_lcp(&p, softness[s], &lcp);
          by_lemke(&p, softness[s], l, &lemke);
        }
        printf("%s, %2d points, softness %-6g  %3d %9.1f us   %3d %9.1f us\n", full ? "full rank" : "rank 6   ", points,
               softness[s], lcp.solved, 1e6 * lcp.seconds / TRIALS, lemke.solved, 1e6 * lemke.seconds / TRIALS);
      }
  arena_free(arena);
  return 0;
}
