/* Vectors of three doubles and 3 x 3 matrices (row-major), for code where clarity counts more than speed.
 * Results may not overlap arguments unless said. */
#ifndef MUYBRIDGE_VEC3_H
#define MUYBRIDGE_VEC3_H

#include <math.h>

static inline double vec3_dot(const double *a, const double *b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double vec3_norm(const double *a)
{
  return sqrt(vec3_dot(a, a));
}

static inline void vec3_cross(const double *a, const double *b, double *out)
{
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

/* out += s a; out may be a */
static inline void vec3_add_scaled(double *out, const double *a, double s)
{
  for (int i = 0; i < 3; i++)
    out[i] += s * a[i];
}

/* out += a x b */
static inline void vec3_add_cross(double *out, const double *a, const double *b)
{
  double c[3];
  vec3_cross(a, b, c);
  vec3_add_scaled(out, c, 1.0);
}

/* out = R v */
static inline void mat3_mul_vec(const double *R, const double *v, double *out)
{
  for (int i = 0; i < 3; i++)
    out[i] = vec3_dot(R + 3 * i, v);
}

/* out = A B */
static inline void mat3_mul(const double *A, const double *B, double *out)
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      out[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
}

/* out = A^-1, by cofactors. 0 if the determinant is next to nothing, or no number. */
static inline int mat3_invert(const double *A, double *out)
{
  double c[9];
  vec3_cross(A + 3, A + 6, c);
  vec3_cross(A + 6, A, c + 3);
  vec3_cross(A, A + 3, c + 6);
  double det = vec3_dot(A, c);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      out[3 * i + j] = c[3 * j + i] / det;
  return fabs(det) > 1e-12;
}

/* out = R S R^T for symmetric S given and returned as xx yy zz xy xz yz */
static inline void sym3_turn(const double *R, const double *S, double *out)
{
  const double full[9] = {S[0], S[3], S[4], S[3], S[1], S[5], S[4], S[5], S[2]};
  double A[9];
  mat3_mul(R, full, A);
  out[0] = vec3_dot(A, R);
  out[1] = vec3_dot(A + 3, R + 3);
  out[2] = vec3_dot(A + 6, R + 6);
  out[3] = vec3_dot(A, R + 3);
  out[4] = vec3_dot(A, R + 6);
  out[5] = vec3_dot(A + 3, R + 6);
}

/* out = S v */
static inline void sym3_mul_vec(const double *S, const double *v, double *out)
{
  out[0] = S[0] * v[0] + S[3] * v[1] + S[4] * v[2];
  out[1] = S[3] * v[0] + S[1] * v[1] + S[5] * v[2];
  out[2] = S[4] * v[0] + S[5] * v[1] + S[2] * v[2];
}

#endif
