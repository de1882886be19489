/* The two solvers of modal control. Lemke's algorithm against problems whose solutions are known, degenerate ones, ones
 * without a solution, and frictional contact; forces in the cone against their conditions of optimality. */
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "base/vec3.h"
#include "check.h"
#include "modal/forces.h"
#include "modal/lemke.h"

#define MOST 48

/* How far z is from solving w = C z + h, z, w >= 0, z w = 0. */
static double violation(int n, const double *C, const double *h, const double *z)
{
  double worst = 0;
  for (int i = 0; i < n; i++) {
    double w = h[i];
    for (int j = 0; j < n; j++)
      w += C[i * n + j] * z[j];
    double off = fmax(fmax(-z[i], -w), fmin(fabs(z[i]), fabs(w)));
    if (!(off <= worst))
      worst = off;
  }
  return worst;
}

/* C = G G^T / k + D with D skew: positive semidefinite of rank k, not symmetric. */
static void random_matrix(struct rng *r, int n, int rank, double soft, double *C)
{
  double G[MOST][MOST];
  for (int i = 0; i < n; i++)
    for (int k = 0; k < rank; k++)
      G[i][k] = rng_normal(r);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double skew = i == j ? 0 : 0.3 * sin(1 + 7.0 * (i < j ? i * n + j : j * n + i)) * (i < j ? 1 : -1);
      C[i * n + j] = (i == j ? soft : 0) + skew;
      for (int k = 0; k < rank; k++)
        C[i * n + j] += G[i][k] * G[j][k] / rank;
    }
}

/* h so that a chosen z solves it. degenerate: some pairs are both zero. */
static void test_known(struct lemke *l)
{
  struct rng r = rng_stream(8, 1);
  double C[MOST * MOST], h[MOST], z[MOST], known[MOST];
  for (int round = 0; round < 400; round++) {
    int n = 1 + rng_below(&r, 32), degenerate = round % 2, pivots;
    random_matrix(&r, n, n, 0.5, C);
    for (int i = 0; i < n; i++) {
      int kind = rng_below(&r, degenerate ? 3 : 2);
      known[i] = kind == 0 ? rng_uniform(&r, 0.1, 2) : 0;
      h[i] = kind == 1 ? rng_uniform(&r, 0.1, 2) : 0; /* that of w */
    }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        h[i] -= C[i * n + j] * known[j];
    CHECK(lemke_solve(l, n, C, h, z, &pivots) == LEMKE_SOLVED);
    CHECK_NEAR(violation(n, C, h, z), 0, 1e-8);
    for (int i = 0; i < n; i++) /* positive definite: there is one solution only */
      CHECK_NEAR(z[i], known[i], 1e-6);
  }
}

/* Rank-deficient, with many equal rows: solutions are not unique, but what is found must solve it. */
static void test_deficient(struct lemke *l)
{
  struct rng r = rng_stream(8, 2);
  double C[MOST * MOST], h[MOST], z[MOST];
  for (int round = 0; round < 300; round++) {
    int n = 4 + rng_below(&r, 28), rank = 1 + rng_below(&r, n);
    random_matrix(&r, n, rank, 0, C);
    for (int i = 0; i < n; i++)
      h[i] = 0;
    for (int i = 0; i < n; i++) { /* feasible: h = -C u + w of some u, w >= 0 */
      double u = rng_uniform(&r, 0, 1);
      for (int j = 0; j < n; j++)
        h[j] -= C[j * n + i] * u;
      h[i] += rng_below(&r, 2) * rng_uniform(&r, 0, 1);
    }
    CHECK(lemke_solve(l, n, C, h, z, NULL) == LEMKE_SOLVED);
    CHECK_NEAR(violation(n, C, h, z), 0, 1e-7);
  }
}

static void test_small(struct lemke *l)
{
  double C[] = {-1}, h[] = {-1}, z[2] = {0};
  CHECK(lemke_solve(l, 1, C, h, z, NULL) == LEMKE_RAY); /* -z - 1 is never positive */
  h[0] = 1;
  CHECK(lemke_solve(l, 1, C, h, z, NULL) == LEMKE_SOLVED && z[0] == 0);
  double swap[] = {0, 1, -1, 0}, both[] = {0, 0}; /* all zeros: solved without a pivot */
  CHECK(lemke_solve(l, 2, swap, both, z, NULL) == LEMKE_SOLVED && z[0] == 0 && z[1] == 0);
  CHECK(lemke_solve(l, 0, C, h, z, NULL) == LEMKE_SOLVED);
}

/* A box on a plane with four corners, pushed sideways: sticks, slides against the push, and presses with its weight. */
static void test_box(struct lemke *l)
{
  enum { edges = 6, rows = edges + 2, n = 4 * rows };
  double C[n * n], h[n], z[n], mu = 0.5;
  for (int slide = 0; slide < 2; slide++) {
    double push = slide ? 0.8 : 0.3, total[3] = {0};
    memset(C, 0, sizeof C);
    memset(h, 0, sizeof h);
    double u[edges + 1][3] = {{0, 0, 1}};
    for (int k = 0; k < edges; k++)
      u[k + 1][0] = cos(k * 1.0471975511965976), u[k + 1][1] = sin(k * 1.0471975511965976);
    for (int i = 0; i < 4; i++)
      for (int a = 0; a <= edges; a++) {
        h[i * rows + a] = u[a][0] * push - u[a][2] * 1.0;
        for (int j = 0; j < 4; j++)
          for (int b = 0; b <= edges; b++) /* a point mass: all corners move as one */
            C[(i * rows + a) * n + j * rows + b] = vec3_dot(u[a], u[b]);
        if (a > 0) {
          C[(i * rows + a) * n + i * rows + rows - 1] = 1;
          C[(i * rows + rows - 1) * n + i * rows + a] = -1;
        }
        C[(i * rows + rows - 1) * n + i * rows] = mu;
      }
    CHECK(lemke_solve(l, n, C, h, z, NULL) == LEMKE_SOLVED);
    CHECK_NEAR(violation(n, C, h, z), 0, 1e-8);
    for (int i = 0; i < 4; i++)
      for (int a = 0; a <= edges; a++)
        vec3_add_scaled(total, u[a], z[i * rows + a]);
    CHECK_NEAR(total[2], 1, 1e-8);
    CHECK_NEAR(total[0], slide ? -mu : -0.3, 1e-8);
    CHECK_NEAR(total[1], 0, 1e-8);
  }
}

/* ---- forces in the cone ---- */

static void test_projection(void)
{
  struct rng r = rng_stream(8, 3);
  for (int round = 0; round < 300; round++) {
    double n[3] = {-0.1, 0, 0.99498743710662}, f[3], p[3], J[9], mu = rng_uniform(&r, 0.1, 1.5), off[3], e = 1e-6;
    for (int i = 0; i < 3; i++)
      f[i] = rng_normal(&r);
    forces_project(f, n, mu, p, J);
    double z = vec3_dot(p, n), t[3];
    for (int i = 0; i < 3; i++)
      t[i] = p[i] - z * n[i], off[i] = f[i] - p[i];
    CHECK(vec3_norm(t) <= mu * z + 1e-12);
    CHECK_NEAR(vec3_dot(off, p), 0, 1e-12); /* what is taken away is normal to what is left */
    double oz = vec3_dot(off, n), ot[3];
    for (int i = 0; i < 3; i++)
      ot[i] = off[i] - oz * n[i];
    CHECK(mu * vec3_norm(ot) <= -oz + 1e-9); /* and lies in the polar cone */
    for (int k = 0; k < 3; k++) {
      double g[3] = {f[0], f[1], f[2]}, q[3];
      g[k] += e;
      forces_project(g, n, mu, q, NULL);
      for (int i = 0; i < 3; i++)
        CHECK_NEAR((q[i] - p[i]) / e, J[3 * i + k], 1e-4);
    }
  }
}

/* Conditions of optimality: with g the gradient at f, f in the cone, g in its dual, f . g = 0. */
static void test_forces(struct arena *arena)
{
  struct rng r = rng_stream(8, 4);
  struct forces *f = forces_new(arena, 60);
  for (int round = 0; round < 100; round++) {
    f->n = 1 + rng_below(&r, 60);
    for (int i = 0; i < FORCES_ROWS; i++)
      f->wanted[i] = rng_normal(&r);
    for (int k = 0; k < f->n; k++) {
      struct forces_contact *c = &f->contacts[k];
      *c = (struct forces_contact){.weight = pow(10, rng_uniform(&r, -5, 0)), .normal = {0, 0, 1}, .mu = 0.8};
      if (round % 10 == 9)
        c->mu = INFINITY;
      for (int a = 0; a < 3; a++)
        for (int i = 0; i < FORCES_ROWS; i++)
          c->B[a][i] = 0.05 * rng_normal(&r);
    }
    memset(f->dual, 0, sizeof f->dual);
    CHECK(forces_solve(f) >= 0);
    double left[FORCES_ROWS];
    for (int i = 0; i < FORCES_ROWS; i++) {
      left[i] = -f->wanted[i];
      for (int k = 0; k < f->n; k++)
        for (int a = 0; a < 3; a++)
          left[i] += f->contacts[k].B[a][i] * f->contacts[k].force[a];
      CHECK_NEAR(left[i], -f->dual[i], 1e-7);
    }
    for (int k = 0; k < f->n; k++) {
      const struct forces_contact *c = &f->contacts[k];
      double g[3];
      for (int a = 0; a < 3; a++) {
        g[a] = c->weight * (c->force[a] - c->usual[a]);
        for (int i = 0; i < FORCES_ROWS; i++)
          g[a] += c->B[a][i] * left[i];
      }
      if (isinf(c->mu)) {
        CHECK_NEAR(vec3_norm(g), 0, 1e-7);
        continue;
      }
      CHECK(hypot(c->force[0], c->force[1]) <= 0.8 * c->force[2] + 1e-9);
      CHECK(0.8 * hypot(g[0], g[1]) <= g[2] + 1e-7);
      CHECK_NEAR(vec3_dot(g, c->force), 0, 1e-7);
    }
  }
}

int main(void)
{
  struct arena *arena = arena_new();
  struct lemke *l = lemke_new(arena, MOST);
  test_known(l);
  test_deficient(l);
  test_small(l);
  test_box(l);
  test_projection();
  test_forces(arena);
  arena_free(arena);
  return test_finish();
}
