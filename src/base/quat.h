/* Rotations as unit quaternions: w, x, y, z. For code that must not meet the poles of three angles. Results may not
 * overlap arguments unless said. */
#ifndef MUYBRIDGE_QUAT_H
#define MUYBRIDGE_QUAT_H

#include <math.h>

/* out = a b: first b, then a. */
static inline void quat_multiply(const double *a, const double *b, double *out)
{
  out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
  out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
  out[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
  out[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

/* The rotation that undoes another; out may be a. */
static inline void quat_inverse(const double *a, double *out)
{
  out[0] = a[0];
  for (int k = 1; k < 4; k++)
    out[k] = -a[k];
}

/* By angle about a unit vector. */
static inline void quat_about(const double *axis, double angle, double *out)
{
  out[0] = cos(0.5 * angle);
  for (int k = 0; k < 3; k++)
    out[k + 1] = sin(0.5 * angle) * axis[k];
}

/* Of any length but 0 to length 1, in place. 0 if it is too short to say. */
static inline int quat_normalize(double *a)
{
  double n = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3]);
  for (int k = 0; k < 4; k++)
    a[k] /= n;
  return n > 1e-6;
}

/* Of the two that mean one rotation the one nearer to another, in place. */
static inline void quat_keep_near(const double *other, double *a)
{
  if (other[0] * a[0] + other[1] * a[1] + other[2] * a[2] + other[3] * a[3] < 0)
    for (int k = 0; k < 4; k++)
      a[k] = -a[k];
}

/* The angle between two [rad], 0 to pi. */
static inline double quat_angle(const double *a, const double *b)
{
  double back[4], d[4];
  quat_inverse(a, back);
  quat_multiply(back, b, d);
  return 2 * atan2(sqrt(d[1] * d[1] + d[2] * d[2] + d[3] * d[3]), fabs(d[0]));
}

/* To a 3 x 3 matrix, row-major. */
static inline void quat_to_matrix(const double *q, double *R)
{
  double w = q[0], x = q[1], y = q[2], z = q[3];
  const double m[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                       2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                       2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
  for (int k = 0; k < 9; k++)
    R[k] = m[k];
}

/* From a rotation matrix: by the largest component, so that nothing small is divided by. */
static inline void quat_of_matrix(const double *R, double *q)
{
  double trace = R[0] + R[4] + R[8];
  const double four[4] = {1 + trace, 1 + 2 * R[0] - trace, 1 + 2 * R[4] - trace, 1 + 2 * R[8] - trace}; /* 4 q_k^2 */
  int k = 0;
  for (int i = 1; i < 4; i++)
    if (four[i] > four[k])
      k = i;
  const double a = R[7] - R[5], b = R[2] - R[6], c = R[3] - R[1], d = R[1] + R[3], e = R[2] + R[6], f = R[5] + R[7];
  const double rows[4][4] = {{four[0], a, b, c}, {a, four[1], d, e}, {b, d, four[2], f}, {c, e, f, four[3]}};
  for (int i = 0; i < 4; i++)
    q[i] = rows[k][i] / (2 * sqrt(four[k]));
}

#endif
