/* Solids of uniform density. Volumes and moments of inertia are textbook closed forms; tests/creature/test_solid.c
 * checks them against sums over many random points. */
#include "creature/solid.h"

#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "base/eigen.h"
#include "base/vec3.h"

static void set_centre(struct shape *s)
{
  for (int i = 0; i < 3; i++)
    s->centre[i] = 0.5 * (s->from[i] + s->to[i]);
}

static void set_identity(double m[9])
{
  memset(m, 0, 9 * sizeof *m);
  m[0] = m[4] = m[8] = 1.0;
}

/* Third column from .. to, first column sideways: as near to y as can be, x for a limb that points sideways itself.
 * Returns the distance from .. to. */
static double set_frame_along(struct shape *s)
{
  double t[3], w[3], d[3];
  for (int i = 0; i < 3; i++)
    t[i] = s->to[i] - s->from[i];
  double length = vec3_norm(t);
  set_identity(s->frame);
  if (!(length > 0.0))
    return 0.0;
  for (int i = 0; i < 3; i++)
    t[i] /= length;
  const double y[3] = {0, 1, 0}, x[3] = {1, 0, 0};
  const double *side = fabs(t[1]) < 0.999 ? y : x;
  double along = vec3_dot(side, t), norm;
  for (int i = 0; i < 3; i++)
    w[i] = side[i] - along * t[i];
  norm = vec3_norm(w);
  for (int i = 0; i < 3; i++)
    w[i] /= norm;
  vec3_cross(t, w, d);
  for (int i = 0; i < 3; i++) {
    s->frame[3 * i] = w[i];
    s->frame[3 * i + 1] = d[i];
    s->frame[3 * i + 2] = t[i];
  }
  return length;
}

void solid_none(struct shape *s)
{
  s->kind = SHAPE_NONE;
  set_centre(s);
  set_frame_along(s);
  memset(s->size, 0, sizeof s->size);
}

void solid_capsule(struct shape *s, double radius)
{
  s->kind = SHAPE_CAPSULE;
  set_centre(s);
  double length = set_frame_along(s);
  s->size[0] = s->size[1] = 2.0 * radius;
  s->size[2] = length + 2.0 * radius;
}

void creature_capsule_axis(const struct shape *s, double from[3], double to[3])
{
  double half = 0.5 * (s->size[2] - s->size[0]);
  for (int i = 0; i < 3; i++) {
    from[i] = s->centre[i] - half * s->frame[3 * i + 2];
    to[i] = s->centre[i] + half * s->frame[3 * i + 2];
  }
}

void solid_shorten(struct shape *s)
{
  double length = s->size[2] - s->size[0], less = fmin(length, 0.5 * s->size[0]);
  s->size[2] -= less;
  for (int i = 0; i < 3; i++)
    s->centre[i] -= 0.5 * less * s->frame[3 * i + 2];
}

void solid_upright(struct shape *s, enum shape_kind kind, const double size[3])
{
  s->kind = kind;
  set_centre(s);
  set_identity(s->frame);
  memcpy(s->size, size, sizeof s->size);
}

void solid_along(struct shape *s, enum shape_kind kind, double width, double depth)
{
  s->kind = kind;
  set_centre(s);
  s->size[2] = set_frame_along(s);
  s->size[0] = width;
  s->size[1] = depth;
}

static double capsule_radius(const struct shape *s) { return 0.5 * s->size[0]; }
static double capsule_length(const struct shape *s) { return s->size[2] - s->size[0]; } /* of the cylinder */

double solid_volume(const struct shape *s)
{
  const double *l = s->size;
  double r = capsule_radius(s);
  switch (s->kind) {
  case SHAPE_CAPSULE: return PI * r * r * (capsule_length(s) + 4.0 / 3.0 * r);
  case SHAPE_BOX: return l[0] * l[1] * l[2];
  case SHAPE_ELLIPSOID: return PI / 6.0 * l[0] * l[1] * l[2];
  case SHAPE_NONE: break;
  }
  return 0.0;
}

/* About the solid's own axes. A capsule is a cylinder of mass mc and two half balls of mass mb together; a half ball's
 * centre of mass is 3/8 r from its flat side. */
static void principal_inertia(const struct shape *s, double mass, double I[3])
{
  const double *l = s->size;
  double share = s->kind == SHAPE_BOX ? mass / 12.0 : mass / 20.0; /* box: (b2 + c2) / 12, ellipsoid: / 20 */
  for (int i = 0; i < 3; i++) {
    double b = l[(i + 1) % 3], c = l[(i + 2) % 3];
    I[i] = share * (b * b + c * c);
  }
  if (s->kind != SHAPE_CAPSULE)
    return;
  double r = capsule_radius(s), h = capsule_length(s);
  double mc = mass * h / (h + 4.0 / 3.0 * r), mb = mass - mc;
  I[0] = I[1] = mc * (h * h / 12.0 + r * r / 4.0) + mb * (0.4 * r * r + h * h / 4.0 + 0.375 * h * r);
  I[2] = mc * r * r / 2.0 + mb * 0.4 * r * r;
}

void solid_inertia(const struct shape *s, double mass, double inertia[6])
{
  double I[6] = {0}; /* about the solid's own axes */
  if (s->kind != SHAPE_NONE)
    principal_inertia(s, mass, I);
  sym3_turn(s->frame, I, inertia);
}

void solid_mirror(struct shape *s)
{
  s->from[1] = 0.0 - s->from[1];
  s->to[1] = 0.0 - s->to[1];
  s->centre[1] = 0.0 - s->centre[1];
  for (int k = 0; k < 3; k++)
    s->frame[3 + k] = 0.0 - s->frame[3 + k];
  for (int i = 0; i < 3; i++)
    s->frame[3 * i] = 0.0 - s->frame[3 * i]; /* else the frame would be left-handed */
}

void solid_mirror_inertia(double inertia[6])
{
  inertia[3] = 0.0 - inertia[3];
  inertia[5] = 0.0 - inertia[5];
}

void solid_second_moment(const double inertia[6], double moment2[6])
{
  double half_trace = 0.5 * (inertia[0] + inertia[1] + inertia[2]);
  for (int i = 0; i < 3; i++) {
    moment2[i] = half_trace - inertia[i];
    moment2[3 + i] = 0.0 - inertia[3 + i];
  }
}

void solid_principal(const double m[6], double values[3])
{
  double A[9] = {m[0], m[3], m[4], m[3], m[1], m[5], m[4], m[5], m[2]}, scratch[12];
  if (!eigen_symmetric(3, A, values, scratch))
    values[0] = values[1] = values[2] = NAN;
}

double solid_reach(const struct shape *s, const double u[3])
{
  if (s->kind == SHAPE_NONE)
    return fmax(-vec3_dot(u, s->from), -vec3_dot(u, s->to));
  if (s->kind == SHAPE_CAPSULE) {
    double from[3], to[3];
    creature_capsule_axis(s, from, to);
    return fmax(-vec3_dot(u, from), -vec3_dot(u, to)) + capsule_radius(s);
  }
  double extent = 0.0; /* of the solid itself: a sum for a box, a root of squares for an ellipsoid */
  for (int k = 0; k < 3; k++) {
    double along = 0.0;
    for (int i = 0; i < 3; i++)
      along += u[i] * s->frame[3 * i + k];
    along = 0.5 * fabs(along) * s->size[k];
    extent += s->kind == SHAPE_BOX ? along : along * along;
  }
  return -vec3_dot(u, s->centre) + (s->kind == SHAPE_BOX ? extent : sqrt(extent));
}
