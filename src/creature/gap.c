/* Gaps between solids: see gap.h. All cases come down to a segment, the axis of a capsule, against a segment, an
 * ellipsoid or a box. The signed distance to a convex body is a convex function of the place, so along a segment it has
 * one minimum: where the outward normal of the body is perpendicular to the segment, or at an end. */
#include "creature/gap.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"

#define MOST_STEPS 200   /* of a search; each ends long before, when it is exact to rounding */

/* ---- solids ---- */

void solid_of_limb(const struct limb *l, double unit, struct solid *out)
{
  const struct shape *s = &l->shape;
  double from[3], to[3];
  memset(out, 0, sizeof *out);
  out->kind = s->kind;
  creature_capsule_axis(s, from, to);
  for (int i = 0; i < 3; i++) {
    out->from[i] = (l->origin[i] + from[i]) / unit;
    out->to[i] = (l->origin[i] + to[i]) / unit;
    out->centre[i] = (l->origin[i] + s->centre[i]) / unit;
    out->half[i] = 0.5 * (s->kind == SHAPE_CAPSULE ? s->size[0] : s->size[i]) / unit;
  }
  memcpy(out->axes, s->frame, sizeof out->axes);
  out->radius = fmin(out->half[0], fmin(out->half[1], out->half[2]));
  if (s->kind == SHAPE_CAPSULE)
    out->bound = 0.5 * s->size[2] / unit;
  else if (s->kind == SHAPE_BOX)
    out->bound = vec3_norm(out->half);
  else
    out->bound = fmax(out->half[0], fmax(out->half[1], out->half[2]));
}

static void solid_move_point(const double *p, const double *x, const double *R, int stride, double *out)
{
  for (int i = 0; i < 3; i++)
    out[i] = x[i] + vec3_dot(R + stride * i, p);
}

void solid_move(const struct solid *s, const double *x, const double *R, int stride, struct solid *out)
{
  *out = *s;
  solid_move_point(s->centre, x, R, stride, out->centre);
  if (s->kind == SHAPE_CAPSULE) {
    solid_move_point(s->from, x, R, stride, out->from);
    solid_move_point(s->to, x, R, stride, out->to);
    return;
  }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const double *row = R + stride * i;
      out->axes[3 * i + j] = row[0] * s->axes[j] + row[1] * s->axes[3 + j] + row[2] * s->axes[6 + j];
    }
}

double solid_lowest(const struct solid *s)
{
  return solid_lowest_along(s, (const double[3]){0, 0, 1});
}

double solid_lowest_along(const struct solid *s, const double *up)
{
  double reach[3];
  for (int i = 0; i < 3; i++)
    reach[i] = (up[0] * s->axes[i] + up[1] * s->axes[3 + i] + up[2] * s->axes[6 + i]) * s->half[i];
  switch (s->kind) {
  case SHAPE_CAPSULE: return fmin(vec3_dot(up, s->from), vec3_dot(up, s->to)) - s->radius;
  case SHAPE_BOX: return vec3_dot(up, s->centre) - fabs(reach[0]) - fabs(reach[1]) - fabs(reach[2]);
  case SHAPE_ELLIPSOID: return vec3_dot(up, s->centre) - vec3_norm(reach);
  case SHAPE_NONE: break;
  }
  return INFINITY;
}

/* ---- a point and a body: signed distance to the surface, and the outward normal there ---- */

/* The point of an ellipsoid nearest to p, all in the ellipsoid's frame and in the first octant: x_i = e_i^2 p_i / d_i
 * with d_i = t + e_i^2 - min e^2 and the t for which x lies on it. sum (e_i p_i / d_i)^2 - 1 falls and is convex in
 * t > 0, so Newton from the left goes straight to the root. */
static void gap_nearest_on_ellipsoid(const double *e, const double *p, double *x)
{
  double least = fmin(e[0], fmin(e[1], e[2])), t = 0, q[3], more[3];
  for (int i = 0; i < 3; i++) {
    q[i] = fmax(p[i], 1e-9 * least); /* a point on a plane of symmetry has two nearest ones: take that of this side */
    more[i] = (e[i] - least) * (e[i] + least);
    t = fmax(t, e[i] * q[i] - more[i]);
  }
  for (int step = 0; step < MOST_STEPS; step++) {
    double f = -1, slope = 0;
    for (int i = 0; i < 3; i++) {
      double d = t + more[i], r = e[i] * q[i] / d;
      f += r * r;
      slope -= 2 * r * r / d;
    }
    double next = t - f / slope;
    if (!(next > t * (1 + 1e-15)))
      break;
    t = next;
  }
  for (int i = 0; i < 3; i++)
    x[i] = e[i] * e[i] * q[i] / (t + more[i]);
}

static double gap_point_to_ellipsoid(const struct solid *s, const double *local, double *normal)
{
  double p[3], x[3], n[3], inside = -1, sum = 0;
  for (int i = 0; i < 3; i++) {
    p[i] = fabs(local[i]);
    inside += p[i] * p[i] / (s->half[i] * s->half[i]);
  }
  gap_nearest_on_ellipsoid(s->half, p, x);
  for (int i = 0; i < 3; i++) {
    n[i] = x[i] / (s->half[i] * s->half[i]);
    sum += (p[i] - x[i]) * (p[i] - x[i]);
  }
  double size = vec3_norm(n);
  for (int i = 0; i < 3; i++)
    normal[i] = copysign(n[i] / size, local[i]);
  return copysign(sqrt(sum), inside);
}

static double gap_point_to_box(const struct solid *s, const double *local, double *normal)
{
  double out[3], distance = 0, deepest = -INFINITY;
  int side = 0;
  for (int i = 0; i < 3; i++) {
    double beyond = fabs(local[i]) - s->half[i];
    out[i] = fmax(0, beyond);
    distance += out[i] * out[i];
    if (beyond > deepest)
      deepest = beyond, side = i;
  }
  distance = sqrt(distance);
  for (int i = 0; i < 3; i++)
    normal[i] = copysign(distance > 0 ? out[i] / distance : i == side, local[i]);
  return distance > 0 ? distance : deepest;
}

/* p and normal in the world. */
static double gap_point_to(const struct solid *s, const double *p, double *normal)
{
  double d[3], local[3], n[3];
  for (int i = 0; i < 3; i++)
    d[i] = p[i] - s->centre[i];
  for (int i = 0; i < 3; i++)
    local[i] = s->axes[i] * d[0] + s->axes[3 + i] * d[1] + s->axes[6 + i] * d[2];
  double distance =
      s->kind == SHAPE_BOX ? gap_point_to_box(s, local, n) : gap_point_to_ellipsoid(s, local, n);
  mat3_mul_vec(s->axes, n, normal);
  return distance;
}

/* ---- pairs ---- */

/* Sets the gap from the place p on the axis of a capsule, its distance to b's surface, and b's outward normal. */
static void gap_of_place(const double *p, double radius, double distance, struct gap *out)
{
  out->gap = distance - radius;
  for (int i = 0; i < 3; i++)
    out->at[i] = p[i] - out->normal[i] * 0.5 * (radius + distance);
}

static void gap_along(const struct solid *a, double s, double *p)
{
  for (int i = 0; i < 3; i++)
    p[i] = a->from[i] + s * (a->to[i] - a->from[i]);
}

/* The place along the axis of a where b's normal is perpendicular to it, by regula falsi (Illinois). */
static void gap_capsule_and_body(const struct solid *a, const struct solid *b, struct gap *out)
{
  double u[3] = {a->to[0] - a->from[0], a->to[1] - a->from[1], a->to[2] - a->from[2]}, length = vec3_norm(u);
  double low = 0, high = 1, p[3], distance, at_low, at_high;
  gap_along(a, 1, p);
  distance = gap_point_to(b, p, out->normal);
  at_high = vec3_dot(out->normal, u);
  if (at_high > 0) { /* else the far end is the nearest */
    gap_along(a, 0, p);
    distance = gap_point_to(b, p, out->normal);
    at_low = vec3_dot(out->normal, u);
    for (int step = 0, side = 0; at_low < 0 && step < MOST_STEPS; step++) {
      double s = (low * at_high - high * at_low) / (at_high - at_low);
      gap_along(a, s, p);
      distance = gap_point_to(b, p, out->normal);
      double slope = vec3_dot(out->normal, u);
      if (fabs(slope) < 1e-10 * length || high - low < 1e-12)
        break;
      if (slope > 0) {
        high = s, at_high = slope;
        at_low *= side == 1 ? 0.5 : 1;
        side = 1;
      } else {
        low = s, at_low = slope;
        at_high *= side == -1 ? 0.5 : 1;
        side = -1;
      }
    }
  }
  gap_of_place(p, a->radius, distance, out);
}

static double gap_clamp(double x)
{
  return x < 0 ? 0 : x > 1 ? 1 : x;
}

/* Nearest points of two segments: the pair inside of both if it is there, else the nearest pair with an end. Of
 * parallel segments the middle of where they pass each other. */
static void gap_of_segments(const struct solid *a, const struct solid *b, double *s, double *t)
{
  double u[3], v[3], r[3];
  for (int i = 0; i < 3; i++)
    u[i] = a->to[i] - a->from[i], v[i] = b->to[i] - b->from[i], r[i] = a->from[i] - b->from[i];
  double uu = vec3_dot(u, u), vv = vec3_dot(v, v), uv = vec3_dot(u, v), ur = vec3_dot(u, r), vr = vec3_dot(v, r);
  double tiny = 1e-16 * (uu + vv);
  *s = *t = 0;
  if (uu <= tiny && vv <= tiny)
    return;
  if (uu <= tiny) {
    *t = gap_clamp(vr / vv);
    return;
  }
  double det = uu * vv - uv * uv;
  if (vv > tiny && det > 1e-9 * uu * vv) {
    *s = gap_clamp((uv * vr - vv * ur) / det);
  } else if (vv > tiny) { /* parallel: of the stretch of a that b passes, the middle */
    double first = gap_clamp(-ur / uu), last = gap_clamp((uv - ur) / uu);
    *s = 0.5 * (first + last);
  }
  *t = vv > tiny ? (uv * *s + vr) / vv : 0;
  if (*t >= 0 && *t <= 1 && vv > tiny)
    return;
  *t = gap_clamp(*t);
  *s = gap_clamp((uv * *t - ur) / uu);
}

static void gap_capsules(const struct solid *a, const struct solid *b, struct gap *out)
{
  double s, t, p[3], q[3], d[3];
  gap_of_segments(a, b, &s, &t);
  gap_along(a, s, p);
  gap_along(b, t, q);
  for (int i = 0; i < 3; i++)
    d[i] = p[i] - q[i];
  double distance = vec3_norm(d);
  if (!(distance > 1e-9 * (a->radius + b->radius))) { /* the axes cross: out the way that the limbs' middles lie */
    double u[3] = {a->to[0] - a->from[0], a->to[1] - a->from[1], a->to[2] - a->from[2]};
    double v[3] = {b->to[0] - b->from[0], b->to[1] - b->from[1], b->to[2] - b->from[2]};
    double m[3] = {a->centre[0] - b->centre[0], a->centre[1] - b->centre[1], a->centre[2] - b->centre[2]};
    vec3_cross(u, v, d);
    if (!(vec3_norm(d) > 1e-9 * vec3_norm(u) * vec3_norm(v)))
      memcpy(d, vec3_norm(m) > 0 ? m : (const double[3]){0, 0, 1}, sizeof d);
    double size = vec3_norm(d) * (vec3_dot(d, m) < 0 ? -1 : 1);
    for (int i = 0; i < 3; i++)
      out->normal[i] = d[i] / size;
    distance = 0;
  } else {
    for (int i = 0; i < 3; i++)
      out->normal[i] = d[i] / distance;
  }
  gap_of_place(p, a->radius, distance - b->radius, out);
}

/* A capsule inside of a box or an ellipsoid, along its longest axis: as thick as the solid (of an ellipsoid four
 * fifths of that, or only a ball would fit). */
void solid_capsule_inside(const struct solid *s, struct solid *out)
{
  int along = 0;
  for (int i = 1; i < 3; i++)
    along = s->half[i] > s->half[along] ? i : along;
  double most = s->half[along], r = s->kind == SHAPE_BOX ? s->radius : 0.8 * s->radius;
  double reach = s->kind == SHAPE_BOX ? most - r : 0.6 * sqrt(fmax(0, most * most - s->radius * s->radius));
  double centre[3], axis[3];
  for (int i = 0; i < 3; i++)
    centre[i] = s->centre[i], axis[i] = s->axes[3 * i + along];
  *out = *s;
  out->kind = SHAPE_CAPSULE;
  out->radius = r;
  for (int i = 0; i < 3; i++) {
    out->from[i] = centre[i] - reach * axis[i];
    out->to[i] = centre[i] + reach * axis[i];
  }
}

void gap_between(const struct solid *a, const struct solid *b, struct gap *out)
{
  struct solid inside;
  int a_is = a->kind == SHAPE_CAPSULE, b_is = b->kind == SHAPE_CAPSULE;
  if (!a_is && !b_is) { /* the thinner one counts as a capsule */
    int first = a->radius < b->radius;
    solid_capsule_inside(first ? a : b, &inside);
    if (first)
      a = &inside, a_is = 1;
    else
      b = &inside, b_is = 1;
  }
  if (a_is && b_is) {
    gap_capsules(a, b, out);
  } else if (a_is) {
    gap_capsule_and_body(a, b, out);
  } else {
    gap_capsule_and_body(b, a, out);
    for (int i = 0; i < 3; i++)
      out->normal[i] = 0.0 - out->normal[i];
  }
}
