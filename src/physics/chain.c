/* Turns about one to three axes in a row: their rotation, and the angles of a rotation. See chain.h. */
#include "physics/chain.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"

#define LEAST_VOLUME 1e-9       /* of three axes; below, they are locked */
#define NEAR_LOCK    0.5        /* [rad] two ways to write a rotation that are closer than this are both looked at */

static const double two_pi = 6.283185307179586476925286766559;

/* out = v turned about the unit vector u by the angle with this cosine and sine. */
static void turn_vector(const double *u, double c, double s, const double *v, double *out)
{
  double along = (1.0 - c) * vec3_dot(u, v), side[3];
  vec3_cross(u, v, side);
  for (int i = 0; i < 3; i++)
    out[i] = c * v[i] + s * side[i] + along * u[i];
}

/* Rotation about the unit vector u. */
static void turn_matrix(const double *u, double angle, double *R)
{
  double s = sin(angle), k = 1.0 - cos(angle);
  R[0] = 1.0 - k * (u[1] * u[1] + u[2] * u[2]);
  R[1] = k * u[0] * u[1] - s * u[2];
  R[2] = k * u[0] * u[2] + s * u[1];
  R[3] = k * u[0] * u[1] + s * u[2];
  R[4] = 1.0 - k * (u[0] * u[0] + u[2] * u[2]);
  R[5] = k * u[1] * u[2] - s * u[0];
  R[6] = k * u[0] * u[2] - s * u[1];
  R[7] = k * u[1] * u[2] + s * u[0];
  R[8] = 1.0 - k * (u[0] * u[0] + u[1] * u[1]);
}

struct chain chain_of(int n, double axis[3][3])
{
  struct chain k = {.n = n};
  memcpy(k.axis, axis, (size_t)n * sizeof k.axis[0]);
  if (n < 2)
    return k;
  double d12 = vec3_dot(axis[0], axis[1]), d23 = n == 3 ? vec3_dot(axis[1], axis[2]) : 0;
  k.perpendicular = fabs(d12) < 1e-12 && fabs(d23) < 1e-12;
  if (n == 3) {
    double side[3], A, B;
    vec3_cross(axis[1], axis[2], side);
    k.level = d12 * d23;
    A = vec3_dot(axis[0], axis[2]) - k.level;
    B = vec3_dot(axis[0], side);
    k.shift = atan2(B, A);
    k.radius = hypot(A, B);
  }
  return k;
}

void chain_rotation(const struct chain *k, const double *q, double *R)
{
  double turn[9], product[9];
  turn_matrix(k->axis[0], q[0], R);
  for (int i = 1; i < k->n; i++) {
    turn_matrix(k->axis[i], q[i], turn);
    mat3_mul(R, turn, product);
    memcpy(R, product, sizeof product);
  }
}

void chain_axes(const struct chain *k, const double *q, double axes[3][3])
{
  memcpy(axes[0], k->axis[0], sizeof axes[0]);
  if (k->n < 2)
    return;
  double c = cos(q[0]), s = sin(q[0]), v[3];
  turn_vector(k->axis[0], c, s, k->axis[1], axes[1]);
  if (k->n < 3)
    return;
  turn_vector(k->axis[1], cos(q[1]), sin(q[1]), k->axis[2], v);
  turn_vector(k->axis[0], c, s, v, axes[2]);
}

/* ---- angles ---- */

/* The same angle, within half a turn of near. */
static double nearest(double angle, double near)
{
  return angle - two_pi * rint((angle - near) / two_pi);
}

/* How far R turns about u, as well as a turn about u can say it. */
static double twist(const double *R, const double *u)
{
  double Ru[3];
  mat3_mul_vec(R, u, Ru);
  double sine = (R[7] - R[5]) * u[0] + (R[2] - R[6]) * u[1] + (R[3] - R[1]) * u[2];
  return atan2(sine, R[0] + R[4] + R[8] - vec3_dot(u, Ru));
}

/* The turn about u that brings a over b, or as near as it can. Returns the length of the shadow in which that is seen. */
static double turn_between(const double *u, const double *a, const double *b, double *angle)
{
  double side[3], p[3], r[3], pu = vec3_dot(u, a), ru = vec3_dot(u, b);
  for (int i = 0; i < 3; i++) /* shadows first: short ones would drown in the rounding of a . b */
    p[i] = a[i] - pu * u[i], r[i] = b[i] - ru * u[i];
  vec3_cross(p, r, side);
  double s = vec3_dot(u, side), c = vec3_dot(p, r);
  *angle = atan2(s, c);
  return hypot(s, c);
}

/* The angle that is left for the last axis: twist of (turns before)^T R. */
static double last_angle(const struct chain *k, const double *R, const double *q)
{
  struct chain before = *k;
  double T[9], rest[9];
  before.n = k->n - 1;
  chain_rotation(&before, q, T);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      rest[3 * i + j] = T[i] * R[j] + T[3 + i] * R[3 + j] + T[6 + i] * R[6 + j];
  return twist(rest, k->axis[k->n - 1]);
}

static void two_angles(const struct chain *k, const double *R, double *q)
{
  double b[3], found[2] = {q[0], 0};
  mat3_mul_vec(R, k->axis[1], b);
  turn_between(k->axis[0], k->axis[1], b, &found[0]);
  found[1] = last_angle(k, R, found);
  for (int i = 0; i < 2; i++)
    q[i] = nearest(found[i], q[i]);
}

/* Angles whose middle one is given; w: where R brings axis 3. Returns how far they are from those in near. */
static double complete(const struct chain *k, const double *R, const double *w, const double *near, double *q)
{
  double u[3], distance = 0;
  turn_vector(k->axis[1], cos(q[1]), sin(q[1]), k->axis[2], u);
  if (turn_between(k->axis[0], u, w, &q[0]) < LEAST_VOLUME * LEAST_VOLUME)
    q[0] = near[0]; /* gimbal lock: the first and the last are one axis, and the last takes what is left */
  q[2] = last_angle(k, R, q);
  for (int i = 0; i < 3; i++) {
    q[i] = nearest(q[i], near[i]);
    distance += (q[i] - near[i]) * (q[i] - near[i]);
  }
  return distance;
}

static void three_angles(const struct chain *k, const double *R, double *q)
{
  double w[3], other[3], best[3];
  mat3_mul_vec(R, k->axis[2], w);
  double x = (vec3_dot(k->axis[0], w) - k->level) / k->radius, y = sqrt(fmax(0, 1 - x * x));
  if (k->perpendicular) { /* the same, and right to the last digit near lock as well */
    double shadow[3];
    vec3_cross(k->axis[0], w, shadow);
    y = vec3_norm(shadow);
  }
  double bend = atan2(y, x);
  best[1] = nearest(k->shift + bend, q[1]);
  other[1] = nearest(k->shift - bend, q[1]);
  if (fabs(other[1] - q[1]) < fabs(best[1] - q[1])) {
    double swap = best[1];
    best[1] = other[1], other[1] = swap;
  }
  double distance = complete(k, R, w, q, best);
  if (fabs(other[1] - q[1]) < fabs(best[1] - q[1]) + NEAR_LOCK || distance > NEAR_LOCK)
    if (complete(k, R, w, q, other) < distance)
      memcpy(best, other, sizeof best);
  memcpy(q, best, sizeof best);
}

void chain_angles(const struct chain *k, const double *R, double *q)
{
  if (k->n == 1)
    q[0] = nearest(twist(R, k->axis[0]), q[0]);
  else if (k->n == 2)
    two_angles(k, R, q);
  else
    three_angles(k, R, q);
}

double chain_dual(int n, double axes[3][3], double dual[3][3])
{
  if (n == 1) {
    memcpy(dual[0], axes[0], sizeof dual[0]);
    return 1;
  }
  if (n == 2) {
    double d = vec3_dot(axes[0], axes[1]), area2 = fmax(1 - d * d, LEAST_VOLUME * LEAST_VOLUME);
    for (int i = 0; i < 3; i++) {
      dual[0][i] = (axes[0][i] - d * axes[1][i]) / area2;
      dual[1][i] = (axes[1][i] - d * axes[0][i]) / area2;
    }
    return sqrt(area2);
  }
  vec3_cross(axes[1], axes[2], dual[0]);
  vec3_cross(axes[2], axes[0], dual[1]);
  vec3_cross(axes[0], axes[1], dual[2]);
  double volume = vec3_dot(axes[0], dual[0]);
  double divisor = fabs(volume) > LEAST_VOLUME ? volume : copysign(LEAST_VOLUME, volume);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      dual[i][j] /= divisor;
  return fabs(volume);
}
