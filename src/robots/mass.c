/* Masses of solids, and of what is put together. */
#include <math.h>
#include <string.h>

#include "base/eigen.h"
#include "base/quat.h"
#include "base/vec3.h"
#include "robots/robot.h"

#define PI 3.14159265358979323846

double robot_solid_volume(const struct robot_solid *s)
{
  const double *a = s->size;
  switch (s->kind) {
  case ROBOT_SPHERE: return 4.0 / 3 * PI * a[0] * a[0] * a[0];
  case ROBOT_CAPSULE: return PI * a[0] * a[0] * (2 * a[1] + 4.0 / 3 * a[0]);
  case ROBOT_CYLINDER: return PI * a[0] * a[0] * 2 * a[1];
  case ROBOT_BOX: return 8 * a[0] * a[1] * a[2];
  case ROBOT_ELLIPSOID: return 4.0 / 3 * PI * a[0] * a[1] * a[2];
  }
  return 0;
}

/* Principal moments of a solid of mass 1. */
static void robot_unit_moments(const struct robot_solid *s, double I[3])
{
  const double *a = s->size, r2 = a[0] * a[0], h = 2 * a[1];
  if (s->kind == ROBOT_CAPSULE) { /* a cylinder and two half balls, by their shares of the mass */
    double cylinder = h / (h + 4.0 / 3 * a[0]), ball = 1 - cylinder;
    I[2] = cylinder * r2 / 2 + ball * 2 * r2 / 5;
    I[0] = I[1] = cylinder * (3 * r2 + h * h) / 12 + ball * (2 * r2 / 5 + 3 * a[0] * h / 8 + h * h / 4);
  } else if (s->kind == ROBOT_CYLINDER) {
    I[2] = r2 / 2;
    I[0] = I[1] = (3 * r2 + h * h) / 12;
  } else {
    double by = s->kind == ROBOT_BOX ? 1.0 / 3 : 0.2;
    const double ball[3] = {a[0], a[0], a[0]}, *b = s->kind == ROBOT_SPHERE ? ball : a;
    for (int i = 0; i < 3; i++)
      I[i] = by * (b[(i + 1) % 3] * b[(i + 1) % 3] + b[(i + 2) % 3] * b[(i + 2) % 3]);
  }
}

void robot_solid_inertia(const struct robot_solid *s, double mass, double inertia[6])
{
  double R[9], I[3];
  robot_unit_moments(s, I);
  const double own[6] = {mass * I[0], mass * I[1], mass * I[2], 0, 0, 0};
  quat_to_matrix(s->quat, R);
  sym3_turn(R, own, inertia);
}

/* inertia += that of a point mass at x about the origin. */
static void robot_add_point(double inertia[6], double m, const double x[3])
{
  double r2 = vec3_dot(x, x);
  for (int i = 0; i < 3; i++)
    inertia[i] += m * (r2 - x[i] * x[i]);
  inertia[3] -= m * x[0] * x[1];
  inertia[4] -= m * x[0] * x[2];
  inertia[5] -= m * x[1] * x[2];
}

void robot_add_mass(double *mass, double com[3], double inertia[6], double m, const double at[3], const double own[6])
{
  double sum = *mass + m, from[3], to[3];
  if (!(sum > 0))
    return;
  for (int i = 0; i < 3; i++) {
    double centre = *mass > 0 ? (*mass * com[i] + m * at[i]) / sum : at[i];
    from[i] = com[i] - centre;
    to[i] = at[i] - centre;
    com[i] = centre;
  }
  for (int i = 0; i < 6; i++)
    inertia[i] = (*mass > 0 ? inertia[i] : 0) + own[i];
  if (*mass > 0)
    robot_add_point(inertia, *mass, from);
  robot_add_point(inertia, m, to);
  *mass = sum;
}

double robot_solid_reach(const struct robot_solid *s, const double u[3])
{
  double R[9], along[3];
  const double *a = s->size;
  quat_to_matrix(s->quat, R);
  for (int i = 0; i < 3; i++)
    along[i] = u[0] * R[i] + u[1] * R[3 + i] + u[2] * R[6 + i];
  const double e[3] = {a[0] * along[0], a[1] * along[1], a[2] * along[2]};
  double middle = vec3_dot(u, s->pos), across = hypot(along[0], along[1]);
  switch (s->kind) {
  case ROBOT_SPHERE: return middle + a[0];
  case ROBOT_CAPSULE: return middle + a[0] + a[1] * fabs(along[2]);
  case ROBOT_CYLINDER: return middle + a[0] * across + a[1] * fabs(along[2]);
  case ROBOT_BOX: return middle + a[0] * fabs(along[0]) + a[1] * fabs(along[1]) + a[2] * fabs(along[2]);
  case ROBOT_ELLIPSOID: return middle + vec3_norm(e);
  }
  return middle;
}

int robot_check_inertia(struct robot *r, const struct xml_node *n, double inertia[6])
{
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  double A[9] = {inertia[0], inertia[3], inertia[4], inertia[3], inertia[1], inertia[5], inertia[4], inertia[5],
                 inertia[2]};
  double values[3] = {0}, scratch[64];
  if (!eigen_symmetric(3, A, values, scratch) || !(values[0] > 1e-12 * values[2]))
    return ROBOT_ERROR(r, n, "inertia of %s: no body has these principal moments, %g, %g, %g; each must be > 0",
                       robot_describe(r, n), values[0], values[1], values[2]);
  double excess = values[2] - (values[0] + values[1]);
  if (excess <= 1e-9 * values[2])
    return 1;
  diag_warning(r->d, n->file, n->line, "inertia of %s: no body has these principal moments, %g, %g, %g; the last is "
               "lowered to the sum of the others", robot_describe(r, n), values[0], values[1], values[2]);
  for (int k = 0; k < 6; k++)
    inertia[k] -= excess * A[6 + row[k]] * A[6 + column[k]];
  return 1;
}
