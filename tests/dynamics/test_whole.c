/* The body as a whole, flight, pendulums and support: facts of mechanics that hold whatever the code. */
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "check.h"
#include "dynamics/dynamics.h"
#include "dynamics/random_creature.h"
#include "zoo.h"

/* A creature whose root carries nothing and hangs still, with two point-mass rods about y: the textbook's double
 * pendulum. */
struct pendulum {
  struct creature c;
  struct dof dofs[8];
};

static void init_pendulum(struct pendulum *p, double m1, double l1, double m2, double l2)
{
  static const enum axis_kind kind[8] = {AXIS_X, AXIS_Y, AXIS_Z, AXIS_Z, AXIS_Y, AXIS_X, AXIS_Y, AXIS_Y};
  memset(p, 0, sizeof *p);
  for (int i = 0; i < 8; i++) {
    p->dofs[i].parent = i - 1;
    p->dofs[i].kind = kind[i];
    p->dofs[i].axis[kind[i]] = 1;
  }
  struct dof *upper = &p->dofs[6], *lower = &p->dofs[7];
  upper->has_mass = lower->has_mass = lower->has_offset = 1;
  upper->mass = m1, upper->moment1[2] = -m1 * l1, upper->moment2[2] = m1 * l1 * l1;
  lower->mass = m2, lower->moment1[2] = -m2 * l2, lower->moment2[2] = m2 * l2 * l2;
  lower->offset[2] = -l1;
  p->c = (struct creature){.name = "pendulum", .n_dofs = 8, .dofs = p->dofs, .mass = m1 + m2};
}

/* Torques from Lagrange's equations with absolute angles t1, t2 = t1 + q2 from hanging:
 * Q1 = (m1+m2) l1^2 t1'' + m2 l1 l2 (cos(t1-t2) t2'' + sin(t1-t2) t2'^2) + (m1+m2) g l1 sin t1
 * Q2 = m2 l2^2 t2'' + m2 l1 l2 (cos(t1-t2) t1'' - sin(t1-t2) t1'^2) + m2 g l2 sin t2;   tau2 = Q2, tau1 = Q1 + Q2. */
static void test_double_pendulum(void)
{
  const double m1 = 1.3, l1 = 0.7, m2 = 0.8, l2 = 0.5, g = CREATURE_GRAVITY;
  struct pendulum p;
  struct arena *arena = arena_new();
  init_pendulum(&p, m1, l1, m2, l2);
  struct dynamics *d = dynamics_new(arena, &p.c);
  struct rng r = rng_stream(3, 0);
  for (int k = 0; k < 20; k++) {
    double q[8] = {0}, v[8] = {0}, a[8] = {0}, tau[8];
    for (int i = 6; i < 8; i++)
      q[i] = rng_uniform(&r, -3, 3), v[i] = rng_uniform(&r, -3, 3), a[i] = rng_uniform(&r, -9, 9);
    double t1 = q[6], t2 = q[6] + q[7], w1 = v[6], w2 = v[6] + v[7], a1 = a[6], a2 = a[6] + a[7];
    double Q1 = (m1 + m2) * l1 * l1 * a1 + m2 * l1 * l2 * (cos(t1 - t2) * a2 + sin(t1 - t2) * w2 * w2) +
                (m1 + m2) * g * l1 * sin(t1);
    double Q2 = m2 * l2 * l2 * a2 + m2 * l1 * l2 * (cos(t1 - t2) * a1 - sin(t1 - t2) * w1 * w1) + m2 * g * l2 * sin(t2);
    dynamics_inverse(d, q, v, a, tau);
    CHECK_NEAR(tau[7], Q2, 1e-12 * (1 + fabs(Q2)) * 10);
    CHECK_NEAR(tau[6], Q1 + Q2, 1e-12 * (1 + fabs(Q1 + Q2)) * 10);
  }
  arena_free(arena);
}

/* ---- free flight ---- */

struct flight {
  struct dynamics *d;
  int n;
  double *q, *v, *zero, *work; /* work: 10 n */
};

static void acceleration(struct flight *f, const double *q, const double *v, double *a)
{
  dynamics_forward(f->d, q, v, f->zero, a);
}

/* One step of the classical Runge-Kutta method. */
static void step(struct flight *f, double h)
{
  int n = f->n;
  double *k[4], *u[4], *q = f->work + 8 * n, *v = f->work + 9 * n;
  static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
  for (int s = 0; s < 4; s++) {
    k[s] = f->work + s * n, u[s] = f->work + (4 + s) * n;
    for (int i = 0; i < n; i++) {
      q[i] = f->q[i] + (s ? at[s] * h * u[s - 1][i] : 0);
      v[i] = f->v[i] + (s ? at[s] * h * k[s - 1][i] : 0);
    }
    memcpy(u[s], v, (size_t)n * sizeof *v);
    acceleration(f, q, v, k[s]);
  }
  for (int i = 0; i < n; i++)
    for (int s = 0; s < 4; s++) {
      f->q[i] += h / 6 * weight[s] * u[s][i];
      f->v[i] += h / 6 * weight[s] * k[s][i];
    }
}

/* Thrown into the air without torques: momentum falls by m g t, angular momentum and energy stay. */
static void check_flight(struct arena *arena, const struct creature *c, double rate, uint64_t seed)
{
  size_t n = (size_t)c->n_dofs;
  struct rng r = rng_stream(seed, 7);
  struct flight f = {dynamics_new(arena, c), c->n_dofs, ARENA_NEW(arena, n, double), ARENA_NEW(arena, n, double),
                     ARENA_NEW(arena, n, double), ARENA_NEW(arena, 10 * n, double)};
  struct dynamics_whole before, after;
  creature_rest_pose(c, f.q);
  for (size_t i = 0; i < n; i++)
    f.v[i] = rng_uniform(&r, -1, 1) * rate;
  double *a = ARENA_NEW(arena, n, double), t = 0.4 / rate, h = t / 800;
  dynamics_whole(f.d, f.q, f.v, a, &before);
  for (int k = 0; k < 800; k++)
    step(&f, h);
  acceleration(&f, f.q, f.v, a);
  dynamics_whole(f.d, f.q, f.v, a, &after);
  double scale = before.mass * CREATURE_GRAVITY * t, spin = vec3_norm(before.angular);
  CHECK_NEAR(after.momentum[0], before.momentum[0], 1e-9 * scale);
  CHECK_NEAR(after.momentum[1], before.momentum[1], 1e-9 * scale);
  CHECK_NEAR(after.momentum[2], before.momentum[2] - scale, 1e-9 * scale);
  for (int k = 0; k < 3; k++) {
    CHECK_NEAR(after.angular[k], before.angular[k], 1e-8 * spin);
    CHECK_NEAR(after.angular_rate[k], 0, 1e-8 * spin * rate);
    CHECK_NEAR(after.com_acceleration[k], k == 2 ? -CREATURE_GRAVITY : 0, 1e-9 * CREATURE_GRAVITY);
  }
  CHECK_NEAR(after.kinetic + after.potential, before.kinetic + before.potential, 1e-8 * before.kinetic);
}

/* Root rows of inverse dynamics are the rate of momentum; the mass matrix is the kinetic energy's. */
static void check_whole_against_kernels(struct arena *arena, const struct creature *c, uint64_t seed)
{
  size_t n = (size_t)c->n_dofs;
  struct dynamics *d = dynamics_new(arena, c);
  struct rng r = rng_stream(seed, 8);
  double *x[6], *M = ARENA_NEW(arena, n * n, double), kinetic = 0;
  struct dynamics_whole w, later;
  for (int i = 0; i < 6; i++)
    x[i] = ARENA_NEW(arena, n, double);
  double *q = x[0], *v = x[1], *a = x[2], *tau = x[4], *moved = x[5], e = 1e-5;
  random_state(&r, c->n_dofs, q, v, a, x[3]);
  dynamics_inverse(d, q, v, a, tau);
  dynamics_mass_matrix(d, q, M);
  dynamics_whole(d, q, v, a, &w);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      kinetic += 0.5 * v[i] * M[i * n + j] * v[j];
  double scale = w.mass * CREATURE_GRAVITY;
  CHECK_NEAR(w.mass, c->mass, 1e-12 * c->mass);
  CHECK_NEAR(w.kinetic, kinetic, 1e-11 * kinetic);
  CHECK_NEAR(tau[0], w.momentum_rate[0], 1e-10 * scale);
  CHECK_NEAR(tau[1], w.momentum_rate[1], 1e-10 * scale);
  CHECK_NEAR(tau[2], w.momentum_rate[2] + scale, 1e-10 * scale);
  for (size_t i = 0; i < n; i++)
    moved[i] = q[i] + e * v[i] + 0.5 * e * e * a[i], v[i] += e * a[i];
  dynamics_whole(d, moved, v, a, &later);
  for (int k = 0; k < 3; k++) {
    CHECK_NEAR((later.com[k] - w.com[k]) / e, w.com_velocity[k], 1e-3 * (1 + vec3_norm(w.com_velocity)));
    CHECK_NEAR((later.angular[k] - w.angular[k]) / e, w.angular_rate[k], 1e-3 * (1 + vec3_norm(w.angular_rate)));
  }
}

/* A creature that stands still presses on the ground below its centre of mass, and the moment of its weight about that
 * point is 0. */
static void check_zmp(struct arena *arena, const struct creature *c)
{
  size_t n = (size_t)c->n_dofs;
  struct dynamics *d = dynamics_new(arena, c);
  double *q = ARENA_NEW(arena, n, double), *still = ARENA_NEW(arena, n, double), *a = ARENA_NEW(arena, n, double),
          zmp[2];
  struct dynamics_whole w;
  creature_rest_pose(c, q);
  dynamics_whole(d, q, still, still, &w);
  CHECK(dynamics_zmp(&w, 0, zmp));
  CHECK_NEAR(zmp[0], w.com[0], 1e-12 * c->height);
  CHECK_NEAR(zmp[1], w.com[1], 1e-12 * c->height);

  /* forces on the root alone move everything: they act at the point about which the root's torques vanish, in the plane
   * z = ground */
  struct rng r = rng_stream(9, 9);
  double *v = ARENA_NEW(arena, n, double), *tau = ARENA_NEW(arena, n, double);
  for (size_t i = 0; i < n; i++)
    a[i] = rng_uniform(&r, -1, 1), v[i] = rng_uniform(&r, -1, 1);
  dynamics_whole(d, q, v, a, &w);
  dynamics_inverse(d, q, v, a, tau);
  if (!dynamics_zmp(&w, 0, zmp))
    return;
  /* at rest orientation yaw, pitch, roll axes are z, y, x: tau 5 and 4 are moments about x and y through the root's
   * origin */
  double arm[3] = {zmp[0] - q[0], zmp[1] - q[1], -q[2]}, moment[3];
  vec3_cross(arm, tau, moment);
  CHECK_NEAR(moment[0], tau[5], 1e-9 * c->mass * CREATURE_GRAVITY * c->height);
  CHECK_NEAR(moment[1], tau[4], 1e-9 * c->mass * CREATURE_GRAVITY * c->height);
  w.momentum_rate[2] = -w.mass * CREATURE_GRAVITY;
  CHECK(!dynamics_zmp(&w, 0, zmp));
}

static void test_support(void)
{
  const double square[] = {0, 0, 1, 1, 0.5, 0.5, 1, 0, 0, 1, 0.5, 0, 1, 0, 0, 0};
  double hull[16], inside[2] = {0.5, 0.25}, outside[2] = {2, 0.5}, corner[2] = {1, 1};
  CHECK(dynamics_support_polygon(8, square, hull) == 4);
  const double expected[] = {0, 0, 1, 0, 1, 1, 0, 1};
  CHECK(memcmp(hull, expected, sizeof expected) == 0);
  CHECK_NEAR(dynamics_support_margin(4, hull, inside), 0.25, 1e-15);
  CHECK_NEAR(dynamics_support_margin(4, hull, outside), -1, 1e-15);
  CHECK_NEAR(dynamics_support_margin(4, hull, corner), 0, 1e-15);
  const double line[] = {0, 0, 1, 1, 0.25, 0.25};
  CHECK(dynamics_support_polygon(3, line, hull) == 2);
  CHECK_NEAR(dynamics_support_margin(2, hull, inside), -sqrt(2) / 8, 1e-15);
  CHECK(dynamics_support_polygon(1, line, hull) == 1);
  CHECK_NEAR(dynamics_support_margin(1, hull, outside), -hypot(2, 0.5), 1e-15);
  CHECK(dynamics_support_polygon(0, line, hull) == 0);

  /* random points: every point is inside the hull, every corner is one of them */
  struct rng r = rng_stream(4, 4);
  double xy[80], corners[80];
  for (int k = 0; k < 80; k++)
    xy[k] = rng_uniform(&r, -1, 1);
  int size = dynamics_support_polygon(40, xy, corners);
  CHECK(size > 2 && size < 40);
  for (int k = 0; k < 40; k++)
    CHECK(dynamics_support_margin(size, corners, xy + 2 * k) >= -1e-15);
}

int main(void)
{
  test_double_pendulum();
  test_support();
  for (uint64_t k = 0; k < 3; k++) {
    struct arena *arena = arena_new();
    struct rng r = rng_stream(11, k);
    check_whole_against_kernels(arena, random_creature(arena, (struct random_creature){29, 0, 8, 0.3}, &r), k);
    arena_free(arena);
  }
  for (int i = 0; i < zoo_size(); i++) {
    struct arena *arena = arena_new();
    const struct creature *c = zoo_load(arena, i);
    CHECK(c != NULL);
    if (c) {
      check_flight(arena, c, sqrt(CREATURE_GRAVITY / c->height), (uint64_t)i);
      check_whole_against_kernels(arena, c, (uint64_t)i);
      check_zmp(arena, c);
    }
    arena_free(arena);
  }
  return test_finish();
}
