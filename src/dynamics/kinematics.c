/* Where the bodies and their points are, and how points move with q (doc/equations.md, 1). For drawing, contacts and
 * export: plain doubles and libm, so that it also checks the kernels, which share none of it. */
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "dynamics/room.h"

/* C = A turned about the unit vector u (in A's columns' frame) by angle: Rodrigues' formula. */
static void kinematics_turn(const double *A, const double *u, double angle, double *C)
{
  double s = sin(angle), k = 1.0 - cos(angle), R[9];
  R[0] = 1.0 - k * (u[1] * u[1] + u[2] * u[2]);
  R[1] = k * u[0] * u[1] - s * u[2];
  R[2] = k * u[0] * u[2] + s * u[1];
  R[3] = k * u[0] * u[1] + s * u[2];
  R[4] = 1.0 - k * (u[0] * u[0] + u[2] * u[2]);
  R[5] = k * u[1] * u[2] - s * u[0];
  R[6] = k * u[0] * u[2] - s * u[1];
  R[7] = k * u[1] * u[2] + s * u[0];
  R[8] = 1.0 - k * (u[0] * u[0] + u[1] * u[1]);
  mat3_mul(A, R, C);
}

/* The same about a coordinate axis, to the bit: the two columns of A across it turn. */
static void kinematics_turn_columns(const double *A, int axis, double sign, double angle, double *C)
{
  int k = (axis + 1) % 3, l = (axis + 2) % 3;
  double s = sign * sin(angle), c = 1.0 - (1.0 - cos(angle));
  for (int i = 0; i < 9; i += 3) {
    C[i + axis] = A[i + axis];
    C[i + k] = A[i + k] * c + A[i + l] * s;
    C[i + l] = A[i + l] * c - A[i + k] * s;
  }
}

void dynamics_kinematics(struct dynamics *d, const double *q)
{
  dynamics_kinematics_of(d, q, NULL);
}

void dynamics_kinematics_of(struct dynamics *d, const double *q, const unsigned char *moved)
{
  static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  for (int i = 0; i < d->tree.n; i++) {
    if (moved && !moved[i])
      continue;
    const struct kernel_body *b = &d->tree.bodies[i];
    const struct body_frame *p = i ? &d->frames[b->parent] : NULL;
    struct body_frame *f = &d->frames[i];
    const double *R = p ? p->rotation : identity;
    double shift[3] = {0, 0, 0};
    if (b->has_offset)
      mat3_mul_vec(R, b->offset, shift);
    if (b->axis == AXIS_ANY)
      mat3_mul_vec(R, b->direction, f->axis);
    else
      for (int k = 0; k < 3; k++)
        f->axis[k] = b->sign * R[3 * k + b->axis];
    for (int k = 0; k < 3; k++)
      f->origin[k] = (p ? p->origin[k] : 0.0) + shift[k] + (i < 3 ? f->axis[k] * q[i] : 0.0);
    if (i < 3)
      memcpy(f->rotation, R, sizeof f->rotation);
    else if (b->axis != AXIS_ANY)
      kinematics_turn_columns(R, b->axis, b->sign, q[i], f->rotation);
    else
      kinematics_turn(R, b->direction, q[i], f->rotation);
  }
}

void dynamics_point(const struct dynamics *d, int body, const double *local, double *world)
{
  const struct body_frame *f = &d->frames[body];
  mat3_mul_vec(f->rotation, local, world);
  for (int k = 0; k < 3; k++)
    world[k] += f->origin[k];
}

void dynamics_rotation(const struct dynamics *d, int body, double *R)
{
  memcpy(R, d->frames[body].rotation, sizeof d->frames[body].rotation);
}

void dynamics_point_jacobian(const struct dynamics *d, int body, const double *local, double *J)
{
  size_t n = (size_t)d->tree.n;
  double x[3];
  dynamics_point(d, body, local, x);
  memset(J, 0, 3 * n * sizeof *J);
  for (int j = body; j >= 0; j = d->tree.bodies[j].parent) {
    const struct body_frame *f = &d->frames[j];
    const double *s = f->axis;
    double r[3] = {x[0] - f->origin[0], x[1] - f->origin[1], x[2] - f->origin[2]};
    double turning[3];
    vec3_cross(s, r, turning);
    for (size_t k = 0; k < 3; k++)
      J[k * n + (size_t)j] = j < 3 ? s[k] : turning[k];
  }
}
