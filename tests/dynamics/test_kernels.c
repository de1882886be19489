/* The dynamics kernels against code that shares nothing with them: Newton's law summed over point masses whose paths
 * are differenced numerically, finite differences of first and second derivatives, four lanes against one, vector
 * against portable instructions. Random trees of 6 to 200 dofs and all creatures of the zoo. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "dynamics/dynamics.h"
#include "dynamics/random_creature.h"
#include "zoo.h"

/* Everything that one state of one creature needs; sized for four lanes. */
struct bench {
  struct arena *arena;
  const struct creature *c;
  struct dynamics *d;
  struct rng rng;
  size_t n;
  double *q, *v, *a, *w, *tau;
  struct dynamics_contacts contacts;
  double *force, *lambda;       /* of these contacts */
};

#define MAX_CONTACTS 4

static double *numbers(struct bench *b, size_t count)
{
  return ARENA_NEW(b->arena, count * DYNAMICS_LANES, double);
}

/* Forces and multipliers on a few points, several perhaps on one; four lanes that differ. */
static void random_contacts(struct bench *b)
{
  int *point = ARENA_NEW(b->arena, MAX_CONTACTS, int);
  b->contacts.n = b->c->n_points < MAX_CONTACTS ? b->c->n_points : MAX_CONTACTS;
  b->contacts.point = point;
  b->contacts.force = b->force = numbers(b, 3 * MAX_CONTACTS);
  b->contacts.lambda = b->lambda = numbers(b, 3 * MAX_CONTACTS);
  for (int c = 0; c < b->contacts.n; c++)
    point[c] = rng_below(&b->rng, b->c->n_points);
  for (int i = 0; i < 3 * MAX_CONTACTS * DYNAMICS_LANES; i++) {
    b->force[i] = rng_uniform(&b->rng, -1, 1) * b->c->mass;
    b->lambda[i] = rng_uniform(&b->rng, -1, 1) * b->c->mass;
  }
}

static struct dynamics_derivatives derivative_memory(struct bench *b)
{
  size_t n = b->n, nn = n * n;
  return (struct dynamics_derivatives){numbers(b, n),  numbers(b, nn), numbers(b, nn),
                                       numbers(b, nn), numbers(b, 3 * MAX_CONTACTS), numbers(b, 3 * MAX_CONTACTS * n)};
}

static struct bench bench_on(struct arena *arena, const struct creature *c, uint64_t seed)
{
  struct bench b = {.arena = arena, .c = c, .d = dynamics_new(arena, c), .rng = rng_stream(seed, 0),
                    .n = (size_t)c->n_dofs};
  b.q = numbers(&b, b.n), b.v = numbers(&b, b.n), b.a = numbers(&b, b.n), b.w = numbers(&b, b.n);
  b.tau = numbers(&b, b.n);
  random_state(&b.rng, c->n_dofs, b.q, b.v, b.a, b.w);
  random_contacts(&b);
  return b;
}

static double largest(const double *x, size_t n)
{
  double most = 0;
  for (size_t i = 0; i < n; i++)
    if (!(fabs(x[i]) <= most))
      most = fabs(x[i]);
  return most;
}

/* |x - y| relative to the largest of x; NaN stays NaN. */
static double deviation(const double *x, const double *y, size_t n)
{
  double most = 0, scale = largest(x, n) + DBL_MIN;
  for (size_t i = 0; i < n; i++)
    if (!(fabs(x[i] - y[i]) <= most))
      most = fabs(x[i] - y[i]);
  return most / scale;
}

/* ---- inverse dynamics against Newton ---- */

/* A body's moments as point masses: the mass sits at +-sqrt(3 lambda) along the principal axes of its central second
 * moment. The axes are found by Jacobi's rotations. Returns 6 points of mass m/6 in x. */
static void point_masses(const struct dof *dof, double x[6][3])
{
  double C[3][3], V[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, m = dof->mass;
  const double *h = dof->moment1, *J = dof->moment2;
  static const int at[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      C[i][j] = J[at[i][j]] / m - h[i] * h[j] / (m * m);
  static const int pairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};
  for (int turn = 0; turn < 90; turn++) {
    int a = pairs[turn % 3][0], b = pairs[turn % 3][1];
    double angle = 0.5 * atan2(2 * C[a][b], C[a][a] - C[b][b]), c = cos(angle), s = sin(angle);
    for (int i = 0; i < 3; i++) {
      double u = C[i][a], w = C[i][b], e = V[i][a], f = V[i][b];
      C[i][a] = c * u + s * w, C[i][b] = c * w - s * u;
      V[i][a] = c * e + s * f, V[i][b] = c * f - s * e;
    }
    for (int i = 0; i < 3; i++) {
      double u = C[a][i], w = C[b][i];
      C[a][i] = c * u + s * w, C[b][i] = c * w - s * u;
    }
  }
  for (int k = 0; k < 3; k++)
    for (int side = 0; side < 2; side++)
      for (int i = 0; i < 3; i++)
        x[2 * k + side][i] = h[i] / m + (side ? 1 : -1) * sqrt(3 * fmax(C[k][k], 0)) * V[i][k];
}

/* q along the path with velocity v and acceleration a at time 0 */
static void on_path(const struct bench *b, double t, double *q)
{
  for (size_t i = 0; i < b->n; i++)
    q[i] = b->q[i] + t * b->v[i] + 0.5 * t * t * b->a[i];
}

/* tau = sum over point masses of J^T m (acceleration - gravity), accelerations by differences of the fourth order */
static void newton(struct bench *b, double *tau)
{
  static const double weight[5] = {-1.0 / 12, 4.0 / 3, -5.0 / 2, 4.0 / 3, -1.0 / 12};
  double h = 4e-3, *q = numbers(b, b->n), *J = numbers(b, 3 * b->n);
  memset(tau, 0, b->n * sizeof *tau);
  for (size_t body = 0; body < b->n; body++) {
    const struct dof *dof = &b->c->dofs[body];
    double x[6][3];
    if (!dof->has_mass)
      continue;
    point_masses(dof, x);
    for (int p = 0; p < 6; p++) {
      double acc[3] = {0, 0, CREATURE_GRAVITY};
      for (int k = 0; k < 5; k++) {
        double r[3];
        on_path(b, (k - 2) * h, q);
        dynamics_kinematics(b->d, q);
        dynamics_point(b->d, (int)body, x[p], r);
        for (int i = 0; i < 3; i++)
          acc[i] += weight[k] * r[i] / (h * h);
      }
      dynamics_kinematics(b->d, b->q);
      dynamics_point_jacobian(b->d, (int)body, x[p], J);
      for (size_t j = 0; j < b->n; j++)
        for (size_t i = 0; i < 3; i++)
          tau[j] += J[i * b->n + j] * dof->mass / 6 * acc[i];
    }
  }
}

static void check_newton(struct bench *b)
{
  double *expected = numbers(b, b->n);
  b->q[0] = b->q[1] = b->q[2] = 0; /* differences lose digits far from the origin */
  newton(b, expected);
  dynamics_inverse(b->d, b->q, b->v, b->a, b->tau);
  CHECK_NEAR(deviation(expected, b->tau, b->n), 0, 3e-7);
}

/* ---- derivatives against differences ---- */

/* Column j of an n x n matrix from tau at x -+ e in number j of x: fourth order. */
static void difference_tau(struct bench *b, double *x, double *out)
{
  double e = 1e-3, *t[4];
  for (int k = 0; k < 4; k++)
    t[k] = numbers(b, b->n);
  for (size_t j = 0; j < b->n; j++) {
    static const double step[4] = {-2, -1, 1, 2};
    double keep = x[j];
    for (int k = 0; k < 4; k++) {
      x[j] = keep + step[k] * e;
      dynamics_residual(b->d, b->q, b->v, b->a, &b->contacts, t[k], NULL);
    }
    x[j] = keep;
    for (size_t i = 0; i < b->n; i++)
      out[i * b->n + j] = (8 * (t[2][i] - t[1][i]) - (t[3][i] - t[0][i])) / (12 * e);
  }
}

static void check_derivatives(struct bench *b)
{
  size_t nn = b->n * b->n;
  double *dq = numbers(b, nn), *dv = numbers(b, nn), *M = numbers(b, nn), *tau = numbers(b, b->n), *M2 = numbers(b, nn);
  struct dynamics_derivatives o = derivative_memory(b);
  dynamics_derivatives(b->d, b->q, b->v, b->a, NULL, &o);
  dynamics_inverse(b->d, b->q, b->v, b->a, tau);
  CHECK_NEAR(deviation(tau, o.tau, b->n), 0, 1e-12);
  dynamics_derivatives(b->d, b->q, b->v, b->a, &b->contacts, &o);
  difference_tau(b, b->q, dq);
  difference_tau(b, b->v, dv);
  difference_tau(b, b->a, M);
  CHECK_NEAR(deviation(o.dq, dq, nn), 0, 1e-8);
  CHECK_NEAR(deviation(o.dv, dv, nn), 0, 1e-8);
  CHECK_NEAR(deviation(o.M, M, nn), 0, 1e-8);
  dynamics_mass_matrix(b->d, b->q, M2);
  CHECK_NEAR(deviation(o.M, M2, nn), 0, 1e-14);
}

/* The residual against inverse dynamics and Jacobians of the points, which come from other code. */
static void check_contacts(struct bench *b)
{
  size_t n = b->n;
  struct dynamics_derivatives o = derivative_memory(b);
  double *tau = numbers(b, n), *residual = numbers(b, n), *position = numbers(b, 3 * MAX_CONTACTS),
          *J = numbers(b, 3 * n);
  dynamics_inverse(b->d, b->q, b->v, b->a, tau);
  dynamics_residual(b->d, b->q, b->v, b->a, &b->contacts, residual, position);
  dynamics_derivatives(b->d, b->q, b->v, b->a, &b->contacts, &o);
  dynamics_kinematics(b->d, b->q);
  for (int c = 0; c < b->contacts.n; c++) {
    const struct contact_point *p = &b->c->points[b->contacts.point[c]];
    double x[3];
    dynamics_point(b->d, p->body, p->at, x);
    dynamics_point_jacobian(b->d, p->body, p->at, J);
    CHECK_NEAR(deviation(x, position + 3 * c, 3), 0, 1e-14);
    CHECK_NEAR(deviation(x, o.position + 3 * c, 3), 0, 1e-14);
    CHECK_NEAR(deviation(J, o.jacobian + 3 * n * (size_t)c, 3 * n), 0, 1e-13);
    for (size_t j = 0; j < n; j++)
      for (size_t i = 0; i < 3; i++)
        tau[j] -= J[i * n + j] * b->force[3 * c + (int)i];
  }
  CHECK_NEAR(deviation(tau, residual, n), 0, 1e-12);
  CHECK_NEAR(deviation(tau, o.tau, n), 0, 1e-12);
}

/* ---- curvature ---- */

static struct dynamics_curvature curvature_memory(struct bench *b)
{
  size_t n = b->n, nn = n * n;
  return (struct dynamics_curvature){numbers(b, n),  numbers(b, n),  numbers(b, n),  numbers(b, nn),
                                     numbers(b, nn), numbers(b, nn), numbers(b, nn), numbers(b, 3 * MAX_CONTACTS * n)};
}

static void curvature(struct bench *b, struct dynamics_curvature *out)
{
  dynamics_curvature(b->d, b->q, b->v, b->a, b->w, &b->contacts, out);
}

/* phi from the residual and the positions alone */
static double phi(struct bench *b)
{
  double position[3 * MAX_CONTACTS], sum = 0;
  dynamics_residual(b->d, b->q, b->v, b->a, &b->contacts, b->tau, position);
  for (size_t i = 0; i < b->n; i++)
    sum += b->w[i] * b->tau[i];
  for (int i = 0; i < 3 * b->contacts.n; i++)
    sum += b->lambda[i] * position[i];
  return sum;
}

static double difference_phi(struct bench *b, double *x)
{
  double e = 2e-3, keep = *x, f[4];
  static const double step[4] = {-2, -1, 1, 2};
  for (int i = 0; i < 4; i++) {
    *x = keep + step[i] * e;
    f[i] = phi(b);
  }
  *x = keep;
  return (8 * (f[2] - f[1]) - (f[3] - f[0])) / (12 * e);
}

static void check_gradient(struct bench *b, struct dynamics_curvature *k)
{
  double *g[3] = {k->gq, k->gv, k->ga}, *x[3] = {b->q, b->v, b->a};
  double *expected = numbers(b, b->n);
  for (int which = 0; which < 3; which++) {
    for (size_t i = 0; i < b->n; i++)
      expected[i] = difference_phi(b, &x[which][i]);
    CHECK_NEAR(deviation(expected, g[which], b->n), 0, 1e-7);
  }
}

/* Differences of the (checked) gradient in number j of x must be row j of a block. */
enum gradient_kind { BY_Q, BY_V, BY_A };

static void check_block(struct bench *b, double *x, enum gradient_kind of, const double *block)
{
  struct dynamics_curvature moved = curvature_memory(b);
  double e = 1e-3, *expected = numbers(b, b->n * b->n);
  static const double step[4] = {-2, -1, 1, 2}, weight[4] = {1, -8, 8, -1};
  const double *gradient = of == BY_Q ? moved.gq : of == BY_V ? moved.gv : moved.ga;
  for (size_t j = 0; j < b->n; j++) {
    double keep = x[j];
    for (int s = 0; s < 4; s++) {
      x[j] = keep + step[s] * e;
      curvature(b, &moved);
      for (size_t i = 0; i < b->n; i++)
        expected[j * b->n + i] += weight[s] * gradient[i] / (12 * e);
    }
    x[j] = keep;
  }
  CHECK_NEAR(deviation(expected, block, b->n * b->n), 0, 1e-8);
}

/* The gradient is linear in the forces: one newton more shows the block. */
static void check_force_block(struct bench *b, const struct dynamics_curvature *k)
{
  struct dynamics_curvature moved = curvature_memory(b);
  for (int c = 0; c < b->contacts.n; c++)
    for (int axis = 0; axis < 3; axis++) {
      double most = 0;
      b->force[3 * c + axis] += 1;
      curvature(b, &moved);
      b->force[3 * c + axis] -= 1;
      for (size_t i = 0; i < b->n; i++)
        most = fmax(most, fabs(moved.gq[i] - k->gq[i] - k->qf[((size_t)c * b->n + i) * 3 + (size_t)axis]));
      CHECK_NEAR(most, 0, 1e-12 * (1 + largest(k->gq, b->n)));
    }
}

static void check_curvature(struct bench *b)
{
  struct dynamics_curvature k = curvature_memory(b);
  curvature(b, &k);
  check_gradient(b, &k);
  check_block(b, b->q, BY_Q, k.qq);
  check_block(b, b->q, BY_V, k.qv);
  check_block(b, b->q, BY_A, k.qa);
  check_block(b, b->v, BY_V, k.vv);
  check_force_block(b, &k);
}

/* ---- forward dynamics ---- */

/* Mass matrices of random trees are badly conditioned: what must be small is the error in the torques. */
static void check_forward(struct bench *b)
{
  double *a = numbers(b, b->n), *back = numbers(b, b->n);
  dynamics_inverse(b->d, b->q, b->v, b->a, b->tau);
  for (int again = 0; again < 2; again++) { /* the second time, what the first left behind must not matter */
    dynamics_forward(b->d, b->q, b->v, b->tau, a);
    dynamics_inverse(b->d, b->q, b->v, a, back);
    CHECK_NEAR(deviation(b->tau, back, b->n), 0, 1e-11);
  }
}

/* ---- four lanes, and other instructions, give the same bits ---- */

struct outputs {
  double *tau, *M, *residual, *position;
  struct dynamics_derivatives d;
  struct dynamics_curvature k;
};

static struct outputs output_memory(struct bench *b)
{
  return (struct outputs){numbers(b, b->n),      numbers(b, b->n * b->n),        numbers(b, b->n),
                          numbers(b, 3 * MAX_CONTACTS), derivative_memory(b), curvature_memory(b)};
}

/* A list of all arrays of the outputs, and how many numbers each has. */
enum { N_ARRAYS = 18 };

static void list_arrays(const struct bench *b, struct outputs *o, double *arrays[N_ARRAYS], size_t counts[N_ARRAYS])
{
  size_t n = b->n, nn = n * n, contacts = (size_t)b->contacts.n;
  double *all[N_ARRAYS] = {o->tau,  o->M,    o->residual, o->position, o->d.tau,      o->d.dq,
                           o->d.dv, o->d.M,  o->k.gq,     o->k.gv,     o->k.ga,       o->k.qq,
                           o->k.qv, o->k.qa, o->k.vv,     o->k.qf,     o->d.jacobian, o->d.position};
  size_t sizes[N_ARRAYS] = {n, nn, n, 3 * contacts, n, nn, nn, nn, n, n, n, nn, nn, nn, nn, 3 * n * contacts,
                            3 * n * contacts, 3 * contacts};
  memcpy(arrays, all, sizeof all);
  memcpy(counts, sizes, sizeof sizes);
}

static void run_one(struct dynamics *d, double *const s[4], const struct dynamics_contacts *contacts, struct outputs *o)
{
  dynamics_inverse(d, s[0], s[1], s[2], o->tau);
  dynamics_mass_matrix(d, s[0], o->M);
  dynamics_residual(d, s[0], s[1], s[2], contacts, o->residual, o->position);
  dynamics_derivatives(d, s[0], s[1], s[2], contacts, &o->d);
  dynamics_curvature(d, s[0], s[1], s[2], s[3], contacts, &o->k);
}

static void run_four(struct dynamics *d, double *const s[4], const struct dynamics_contacts *contacts,
                     struct outputs *o)
{
  dynamics_inverse_x4(d, s[0], s[1], s[2], o->tau);
  dynamics_mass_matrix_x4(d, s[0], o->M);
  dynamics_residual_x4(d, s[0], s[1], s[2], contacts, o->residual, o->position);
  dynamics_derivatives_x4(d, s[0], s[1], s[2], contacts, &o->d);
  dynamics_curvature_x4(d, s[0], s[1], s[2], s[3], contacts, &o->k);
}

static void pick_lane(const double *four, size_t count, size_t lane, double *one)
{
  for (size_t i = 0; i < count; i++)
    one[i] = four[DYNAMICS_LANES * i + lane];
}

static int same_lane(const double *one, const double *four, size_t count, size_t lane)
{
  for (size_t i = 0; i < count; i++)
    if (memcmp(&one[i], &four[DYNAMICS_LANES * i + lane], sizeof *one) != 0)
      return 0;
  return 1;
}

static void check_lanes(struct bench *b)
{
  struct outputs one = output_memory(b), four = output_memory(b);
  double *s[4], *x[4], *ones[N_ARRAYS], *fours[N_ARRAYS];
  size_t counts[N_ARRAYS];
  struct dynamics_contacts contacts = b->contacts;
  double *force = numbers(b, 3 * MAX_CONTACTS), *lambda = numbers(b, 3 * MAX_CONTACTS);
  contacts.force = force, contacts.lambda = lambda;
  for (int i = 0; i < 4; i++) {
    s[i] = numbers(b, b->n), x[i] = numbers(b, b->n);
    for (size_t k = 0; k < DYNAMICS_LANES * b->n; k++)
      s[i][k] = rng_uniform(&b->rng, -3, 3);
  }
  run_four(b->d, s, &b->contacts, &four);
  list_arrays(b, &one, ones, counts);
  list_arrays(b, &four, fours, counts);
  for (size_t lane = 0; lane < DYNAMICS_LANES; lane++) {
    for (int i = 0; i < 4; i++)
      pick_lane(s[i], b->n, lane, x[i]);
    pick_lane(b->force, 3 * MAX_CONTACTS, lane, force);
    pick_lane(b->lambda, 3 * MAX_CONTACTS, lane, lambda);
    run_one(b->d, x, &contacts, &one);
    for (int k = 0; k < N_ARRAYS; k++)
      CHECK(same_lane(ones[k], fours[k], counts[k], lane));
  }
}

static void check_instructions(struct arena *arena, const struct creature *c)
{
  struct bench b = bench_on(arena, c, 5);
  struct outputs here = output_memory(&b), portable = output_memory(&b);
  double *state[4] = {b.q, b.v, b.a, b.w}, *heres[N_ARRAYS], *portables[N_ARRAYS];
  size_t counts[N_ARRAYS];
  setenv("MUYBRIDGE_SIMD", "generic", 1);
  CHECK(strcmp(dynamics_instructions(), "generic") == 0);
  struct dynamics *generic = dynamics_new(arena, c);
  unsetenv("MUYBRIDGE_SIMD");
  list_arrays(&b, &here, heres, counts);
  list_arrays(&b, &portable, portables, counts);
  run_one(b.d, state, &b.contacts, &here);
  run_one(generic, state, &b.contacts, &portable);
  for (int k = 0; k < N_ARRAYS; k++)
    CHECK(memcmp(heres[k], portables[k], counts[k] * sizeof(double)) == 0);
}

/* In its own units a creature has the same motion: torques scale with m g L, forces with m g. */
static void check_units(struct arena *arena, const struct creature *c)
{
  struct bench b = bench_on(arena, c, 6);
  struct dynamics *d = dynamics_new_dimensionless(arena, c);
  double *small = numbers(&b, b.n), time = sqrt(c->height / CREATURE_GRAVITY), weight = c->mass * CREATURE_GRAVITY;
  dynamics_inverse(b.d, b.q, b.v, b.a, b.tau);
  for (size_t i = 0; i < b.n; i++) {
    double unit = i < 3 ? c->height : 1;
    b.q[i] /= unit, b.v[i] *= time / unit, b.a[i] *= time * time / unit;
  }
  dynamics_inverse(d, b.q, b.v, b.a, small);
  for (size_t i = 0; i < b.n; i++)
    small[i] *= weight * (i < 3 ? 1 : c->height);
  CHECK_NEAR(deviation(b.tau, small, b.n), 0, 1e-12);
}

static void check_all(struct arena *arena, const struct creature *c, uint64_t seed)
{
  struct bench b = bench_on(arena, c, seed);
  check_derivatives(&b);
  check_contacts(&b);
  check_curvature(&b);
  check_forward(&b);
  check_lanes(&b);
  check_newton(&b);
  check_instructions(arena, c);
}

int main(void)
{
  static const struct random_creature kinds[] = {{6, 2, 1, 0},    {7, 3, 1, 1},     {16, 4, 3, 0.5}, {22, 4, 8, 0.2},
                                                 {29, 4, 12, 0}, {29, 4, 29, 1.0}, {60, 4, 6, 0.3}, {30, 4, 1, 0.3}};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    struct arena *arena = arena_new();
    struct rng r = rng_stream(1, k);
    check_all(arena, random_creature(arena, kinds[k], &r), k);
    arena_free(arena);
  }
  struct arena *arena = arena_new();
  struct rng r = rng_stream(2, 0);
  struct bench large = bench_on(arena, random_creature(arena, (struct random_creature){200, 4, 4, 0.2}, &r), 1);
  check_derivatives(&large);
  check_lanes(&large);
  arena_free(arena);
  for (int i = 0; i < zoo_size(); i++) {
    arena = arena_new();
    const struct creature *c = zoo_load(arena, i);
    CHECK(c != NULL);
    if (c) {
      check_all(arena, c, (uint64_t)i);
      check_units(arena, c);
    }
    arena_free(arena);
  }
  return test_finish();
}
