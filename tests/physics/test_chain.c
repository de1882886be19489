/* Turns about axes in a row: the rotation is what dynamics says, its angles come back, also near and past gimbal lock. */
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "base/vec3.h"
#include "check.h"
#include "physics/chain.h"

#define TRIALS 2000

static const double quarter = 1.57079632679489661923;

static void random_unit(struct rng *r, double *u)
{
  double length;
  do {
    for (int i = 0; i < 3; i++)
      u[i] = rng_normal(r);
    length = vec3_norm(u);
  } while (length < 0.1);
  for (int i = 0; i < 3; i++)
    u[i] /= length;
}

/* Axes in a row at right angles, or at angles of up to 30 degrees off. */
static struct chain random_chain(struct rng *r, int n, int oblique)
{
  double axis[3][3], off;
  random_unit(r, axis[0]);
  for (int i = 1; i < n; i++)
    do {
      double side[3], u[3];
      random_unit(r, u);
      vec3_cross(axis[i - 1], u, side);
      double length = vec3_norm(side);
      for (int k = 0; k < 3; k++)
        axis[i][k] = oblique ? u[k] : side[k] / length;
      off = fabs(vec3_dot(axis[i], axis[i - 1]));
    } while (!(off < 0.5));
  return chain_of(n, axis);
}

/* The same rotation from quaternions, which chain.c does not know. */
static void by_quaternions(const struct chain *k, const double *q, double *R)
{
  double p[4] = {1, 0, 0, 0};
  for (int i = 0; i < k->n; i++) {
    double c = cos(q[i] / 2), s = sin(q[i] / 2), a[3], o[4], cross[3];
    for (int j = 0; j < 3; j++)
      a[j] = s * k->axis[i][j];
    vec3_cross(p + 1, a, cross);
    o[0] = p[0] * c - vec3_dot(p + 1, a);
    for (int j = 0; j < 3; j++)
      o[j + 1] = p[0] * a[j] + c * p[j + 1] + cross[j];
    memcpy(p, o, sizeof p);
  }
  double w = p[0], x = p[1], y = p[2], z = p[3];
  const double Q[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), 2 * (x * y + w * z), 1 - 2 * (x * x + z * z),
                       2 * (y * z - w * x), 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)};
  memcpy(R, Q, sizeof Q);
}

/* chain_read() between two bodies that are turned together at random, and the axes seen from the parent. */
static void read(const struct chain *k, struct rng *r, const double *R, double *q, double axes[3][3])
{
  double turned[9], together[3] = {rng_uniform(r, -3, 3), rng_uniform(r, -3, 3), rng_uniform(r, -3, 3)}, P[9], A[12], B[12], seen[3][3];
  struct chain any = random_chain(r, 3, 0);
  chain_rotation(&any, together, P);
  mat3_mul(P, R, turned);
  for (int i = 0; i < 12; i++) {
    A[i] = i % 4 == 3 ? 0 : P[i / 4 * 3 + i % 4];
    B[i] = i % 4 == 3 ? 0 : turned[i / 4 * 3 + i % 4];
  }
  chain_read(k, A, B, q, seen);
  for (int i = 0; i < k->n; i++)
    for (int j = 0; j < 3; j++)
      axes[i][j] = P[j] * seen[i][0] + P[3 + j] * seen[i][1] + P[6 + j] * seen[i][2];
}

static double largest(int n, const double *a, const double *b)
{
  double most = 0;
  for (int i = 0; i < n; i++)
    if (!(fabs(a[i] - b[i]) <= most))
      most = fabs(a[i] - b[i]);
  return most;
}

/* Angles that come back when one looks near them; how near: a fraction of a radian. */
static void check_round_trips(struct rng *r, int n, int oblique)
{
  double rotation_error = 0, angle_error = 0, dual_error = 0;
  for (int t = 0; t < TRIALS; t++) {
    struct chain k = random_chain(r, n, oblique);
    double q[3], near[3], R[9], S[9], axes[3][3], dual[3][3], seen[3][3];
    for (int i = 0; i < n; i++) {
      q[i] = rng_uniform(r, -9, 9);
      near[i] = q[i] + rng_uniform(r, -0.1, 0.1);
    }
    chain_rotation(&k, q, R);
    by_quaternions(&k, q, S);
    rotation_error = fmax(rotation_error, largest(9, R, S));
    chain_axes(&k, q, axes);
    double volume = chain_dual(n, axes, dual);
    if (volume < 0.3) /* near lock: looked at below */
      continue;
    read(&k, r, R, near, seen);
    angle_error = fmax(angle_error, fmax(largest(n, q, near), largest(3 * n, axes[0], seen[0])));
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        dual_error = fmax(dual_error, fabs(vec3_dot(axes[i], dual[j]) - (i == j)));
  }
  printf("%d axes%s: rotation %.1e, angles %.1e, duals %.1e\n", n, oblique ? ", oblique" : "", rotation_error, angle_error, dual_error);
  CHECK_NEAR(rotation_error, 0, 1e-14);
  CHECK_NEAR(angle_error, 0, oblique ? 1e-13 : 5e-14);
  CHECK_NEAR(dual_error, 0, 1e-13);
}

/* A middle angle that sweeps through lock, the others still: all three stay what they are, or at lock at least give the rotation. */
static void check_sweep(struct rng *r)
{
  struct chain k = random_chain(r, 3, 0);
  double q[3] = {0.7, k.shift - 1, -1.2}, seen[3], axes[3][3], R[9], S[9], worst = 0, worst_rotation = 0;
  memcpy(seen, q, sizeof q);
  for (int t = 0; t <= 400; t++) {
    q[1] = k.shift - 1 + t * 0.02; /* past lock at shift, shift + pi, shift + 2 pi */
    chain_rotation(&k, q, R);
    read(&k, r, R, seen, axes);
    chain_rotation(&k, seen, S);
    worst = fmax(worst, largest(3, q, seen));
    worst_rotation = fmax(worst_rotation, largest(9, R, S));
  }
  CHECK_NEAR(worst, 0, 1e-12);
  CHECK_NEAR(worst_rotation, 0, 1e-13);
  q[1] = k.shift; /* at lock itself the first angle is kept, and the last takes the rest */
  seen[0] = 0.3, seen[1] = k.shift + 0.01, seen[2] = -1;
  chain_rotation(&k, q, R);
  read(&k, r, R, seen, axes);
  chain_rotation(&k, seen, S);
  CHECK_NEAR(largest(9, R, S), 0, 1e-8);
}

/* Rotations that the chain cannot make give finite angles. */
static void check_unreachable(struct rng *r)
{
  for (int t = 0; t < TRIALS; t++) {
    struct chain any = random_chain(r, 3, 0), k = random_chain(r, 1 + rng_below(r, 3), 1);
    double q[3] = {rng_uniform(r, -4, 4), rng_uniform(r, -4, 4), rng_uniform(r, -4, 4)}, R[9], seen[3] = {0, 0, 0}, axes[3][3];
    chain_rotation(&any, q, R);
    read(&k, r, R, seen, axes);
    CHECK(isfinite(seen[0]) && isfinite(seen[1]) && isfinite(seen[2]));
  }
}

/* yaw, pitch, roll: z, then y, then x, as dynamics turns the root. */
static void check_root(void)
{
  double axis[3][3] = {{0, 0, 1}, {0, 1, 0}, {1, 0, 0}}, q[3] = {quarter, 0.1, 0}, R[9], ahead[3];
  const double x[3] = {1, 0, 0};
  struct chain k = chain_of(3, axis);
  chain_rotation(&k, q, R);
  mat3_mul_vec(R, x, ahead);
  CHECK_NEAR(ahead[0], 0, 1e-15);
  CHECK_NEAR(ahead[1], cos(0.1), 1e-15);
  CHECK_NEAR(ahead[2], -sin(0.1), 1e-15);
}

int main(void)
{
  struct rng r = rng_stream(5, 1);
  for (int n = 1; n <= 3; n++)
    for (int oblique = 0; oblique < 2; oblique++)
      check_round_trips(&r, n, oblique);
  for (int t = 0; t < 20; t++)
    check_sweep(&r);
  check_unreachable(&r);
  check_root();
  return test_finish();
}
