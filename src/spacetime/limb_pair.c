/* See limb_pair.h. */
#include "spacetime/limb_pair.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"

#define MOST_STEPS    60
#define BOX_POWER     16     /* of the norm that rounds a box's edges                                             */
#define ROOM_AT_REST  0.8
#define FLATTEST      1e-3   /* of |u|^2: limbs that are nearer to parallel have no place of their own              */
#define ROUND_MARGIN  0.1    /* of a's radius, added to ellipsoids and boxes: half lengths plus a radius enclose a
                                little less than all that is nearer than the radius                               */

/* ---- models ---- */

static void limb_pair_join(struct arena *arena, const struct creature *c, struct limb_pair_model *m)
{
  int a = m->body_a, b = m->body_b, n_a = 0;
  m->dof = ARENA_NEW(arena, (size_t)c->n_dofs, int);
  m->sign = ARENA_NEW(arena, (size_t)c->n_dofs, double);
  int *down = ARENA_NEW(arena, (size_t)c->n_dofs, int);
  while (a != b)
    if (b > a) {
      m->dof[m->n] = b;
      m->sign[m->n++] = -1;
      b = c->dofs[b].parent;
    } else {
      down[n_a++] = a;
      a = c->dofs[a].parent;
    }
  while (n_a > 0) {
    m->dof[m->n] = down[--n_a];
    m->sign[m->n++] = 1;
  }
  m->motion = ARENA_NEW(arena, 3 * (size_t)m->n, double);
  m->across = ARENA_NEW(arena, (size_t)m->n, double);
}

static struct limb_pair_model limb_pair_model(const struct creature *c, int a, int b)
{
  struct limb_pair_model m;
  struct solid sa, sb;
  memset(&m, 0, sizeof m);
  solid_of_limb(&c->limbs[a], c->height, &sa);
  solid_of_limb(&c->limbs[b], c->height, &sb);
  int swap = sa.kind != SHAPE_CAPSULE && (sb.kind == SHAPE_CAPSULE || sb.radius < sa.radius);
  m.limb_a = swap ? b : a, m.limb_b = swap ? a : b;
  m.a = swap ? sb : sa, m.b = swap ? sa : sb;
  m.body_a = c->limbs[m.limb_a].body, m.body_b = c->limbs[m.limb_b].body;
  m.thin = fmin(sa.radius, sb.radius);
  if (m.a.kind != SHAPE_CAPSULE)
    solid_capsule_inside(&m.a, &m.a);
  m.c = m.a.radius + m.b.radius;
  double more = (1 + ROUND_MARGIN) * m.a.radius;
  for (int i = 0; i < 3; i++)
    m.D[i] = m.b.half[i] + more;
  return m;
}

struct limb_pair_model *limb_pair_models(struct arena *arena, const struct creature *c, struct dynamics *d,
                                         const double *rest)
{
  struct limb_pair_model *models = ARENA_NEW(arena, (size_t)c->n_pairs, struct limb_pair_model);
  struct limb_frame *frames = ARENA_NEW(arena, (size_t)c->n_dofs, struct limb_frame);
  limb_frames_at(d, c, rest, frames);
  for (int i = 0; i < c->n_pairs; i++) {
    struct limb_pair_place place;
    models[i] = limb_pair_model(c, c->pairs[i].a, c->pairs[i].b);
    limb_pair_join(arena, c, &models[i]);
    limb_pair_look(&models[i], frames, &place);
    models[i].room = ROOM_AT_REST * fmax(0, place.gap);
    double size = vec3_norm(place.d);
    for (int k = 0; k < 3; k++)
      models[i].rest[k] = size > 0 ? place.d[k] / size : k == 1;
  }
  return models;
}

/* ---- a place of a's axis, seen from b ---- */

/* The axis of limb a in b's frame: from + s along. */
struct limb_pair_axis { double from[3], along[3]; };

static void limb_pair_to_b(const struct limb_frame *b, const double *world, double *local)
{
  double d[3] = {world[0] - b->origin[0], world[1] - b->origin[1], world[2] - b->origin[2]};
  for (int i = 0; i < 3; i++)
    local[i] = b->rotation[i] * d[0] + b->rotation[3 + i] * d[1] + b->rotation[6 + i] * d[2];
}

static struct limb_pair_axis limb_pair_axis(const struct limb_pair_model *m, const struct limb_frame *frames)
{
  struct limb_pair_axis axis;
  double from[3], to[3];
  limb_frame_place(&frames[m->body_a], m->a.from, from);
  limb_frame_place(&frames[m->body_a], m->a.to, to);
  limb_pair_to_b(&frames[m->body_b], from, axis.from);
  limb_pair_to_b(&frames[m->body_b], to, axis.along);
  vec3_add_scaled(axis.along, axis.from, -1);
  return axis;
}

/* g at X, its gradient and second derivatives (3 x 3, may be NULL); t and the way from b's axis for whoever looks. */
static double limb_pair_from_capsule(const struct limb_pair_model *m, const double *X, double *t, double *g, double *H)
{
  double v[3], r[3], vv = 0, share = 0, sum = 0;
  for (int i = 0; i < 3; i++) {
    v[i] = m->b.to[i] - m->b.from[i];
    r[i] = X[i] - m->b.from[i];
    vv += v[i] * v[i];
    share += v[i] * r[i];
  }
  *t = vv > 0 ? share / vv : 0;
  int inside = *t > 0 && *t < 1;
  *t = *t < 0 ? 0 : *t > 1 ? 1 : *t;
  for (int i = 0; i < 3; i++) {
    double d = r[i] - *t * v[i];
    g[i] = d / m->c;
    sum += d * d;
  }
  for (int i = 0; H && i < 9; i++)
    H[i] = ((i % 4 == 0) - (inside ? v[i / 3] * v[i % 3] / vv : 0)) / m->c;
  return 0.5 * sum / m->c;
}

static double limb_pair_from_body(const struct limb_pair_model *m, const double *X, double *g, double *H)
{
  int p = m->b.kind == SHAPE_BOX ? BOX_POWER : 2;
  double d[3], y[3], y1[3], gy[3], S = 0;
  const double *A = m->b.axes;
  for (int i = 0; i < 3; i++)
    d[i] = X[i] - m->b.centre[i];
  for (int i = 0; i < 3; i++) {
    y[i] = (A[i] * d[0] + A[3 + i] * d[1] + A[6 + i] * d[2]) / m->D[i];
    y1[i] = p == 2 ? y[i] : pow(y[i], p - 1);
    S += y[i] * y1[i];
  }
  S = fmax(S, 1e-12);
  double scale = m->c * pow(S, 2.0 / p - 1);
  for (int i = 0; i < 3; i++)
    gy[i] = scale * y1[i] / m->D[i];
  mat3_mul_vec(A, gy, g);
  if (H) {
    double local[9], turned[9], back[9];
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        double own = i == j ? (p == 2 ? 1 : (p - 1) * pow(y[i], p - 2)) : 0;
        local[3 * i + j] = scale * (own + (2 - p) * y1[i] * y1[j] / S) / (m->D[i] * m->D[j]);
        back[3 * i + j] = A[3 * j + i];
      }
    mat3_mul(A, local, turned);
    mat3_mul(turned, back, H);
  }
  return 0.5 * m->c * pow(S, 2.0 / p);
}

static double limb_pair_from_b(const struct limb_pair_model *m, const double *X, double *t, double *g, double *H)
{
  *t = 0;
  return m->b.kind == SHAPE_CAPSULE ? limb_pair_from_capsule(m, X, t, g, H) : limb_pair_from_body(m, X, g, H);
}

static void limb_pair_along(const struct limb_pair_axis *axis, double s, double *X)
{
  for (int i = 0; i < 3; i++)
    X[i] = axis->from[i] + s * axis->along[i];
}

static double limb_pair_product(const double *a, const double *H, const double *b)
{
  double Hb[3];
  mat3_mul_vec(H, b, Hb);
  return vec3_dot(a, Hb);
}

/* The place along a's axis where g is least. g is convex there: Newton, kept between two places where it falls and
 * rises. */
static double limb_pair_nearest(const struct limb_pair_model *m, const struct limb_pair_axis *axis)
{
  double low = 0, high = 1, s = 0.5, X[3], g[3], H[9], t;
  limb_pair_along(axis, 0, X);
  limb_pair_from_b(m, X, &t, g, NULL);
  if (vec3_dot(g, axis->along) >= 0)
    return 0;
  limb_pair_along(axis, 1, X);
  limb_pair_from_b(m, X, &t, g, NULL);
  if (vec3_dot(g, axis->along) <= 0)
    return 1;
  for (int step = 0; step < MOST_STEPS; step++) {
    limb_pair_along(axis, s, X);
    limb_pair_from_b(m, X, &t, g, H);
    double slope = vec3_dot(g, axis->along), bend = limb_pair_product(axis->along, H, axis->along);
    if (slope > 0)
      high = s;
    else
      low = s;
    double next = bend > 0 ? s - slope / bend : s;
    if (!(next > low && next < high))
      next = 0.5 * (low + high);
    if (fabs(next - s) < 1e-15 || slope == 0)
      break;
    s = next;
  }
  return s;
}

/* ---- looking ---- */

void limb_pair_look(const struct limb_pair_model *m, const struct limb_frame *frames, struct limb_pair_place *out)
{
  struct limb_pair_axis axis = limb_pair_axis(m, frames);
  double X[3], g[3];
  out->s = limb_pair_nearest(m, &axis);
  limb_pair_along(&axis, out->s, X);
  double value = limb_pair_from_b(m, X, &out->t, g, NULL);
  if (m->b.kind == SHAPE_CAPSULE) {
    out->gap = sqrt(2 * m->c * value) - m->c;
    for (int i = 0; i < 3; i++)
      out->d[i] = g[i] * m->c;
    return;
  }
  double phi = sqrt(2 * value / m->c), rise = vec3_norm(g);
  out->gap = rise > 0 ? (phi - 1) * m->c * phi / rise : -m->c;
  for (int i = 0; i < 3; i++)
    out->d[i] = X[i] - m->b.centre[i];
}

double limb_pair_least(const struct limb_pair_model *m, double gap)
{
  if (m->b.kind == SHAPE_CAPSULE)
    return 0.5 * (m->c + gap) * (m->c + gap) / m->c;
  double phi = 1 + gap / fmin(m->D[0], fmin(m->D[1], m->D[2]));
  return 0.5 * m->c * phi * phi;
}

/* ---- value and derivatives ---- */

/* Everything in the world's frame, so that axes of dofs need not be turned. */
struct limb_pair_view {
  double place[3];      /* of a's axis                                          */
  double along[3];      /* a's axis                                             */
  double g[3], H[9];
};

static void limb_pair_turn(const struct limb_frame *b, struct limb_pair_view *w, const double *g, const double *H)
{
  double turned[9], back[9];
  mat3_mul_vec(b->rotation, g, w->g);
  for (int i = 0; i < 9; i++)
    back[i] = b->rotation[3 * (i % 3) + i / 3];
  mat3_mul(b->rotation, H, turned);
  mat3_mul(turned, back, w->H);
}

/* How the place moves with dof i of the chain: sign axis x (place - origin). */
static void limb_pair_motion(const struct limb_pair_model *m, const struct limb_frame *frames, int i,
                             const double *place, double *out)
{
  const struct limb_frame *f = &frames[m->dof[i]];
  const double arm[3] = {place[0] - f->origin[0], place[1] - f->origin[1], place[2] - f->origin[2]};
  vec3_cross(f->axis, arm, out);
  for (int k = 0; k < 3; k++)
    out[k] *= m->sign[i];
}

static void limb_pair_hessian(const struct limb_pair_model *m, const struct limb_frame *frames,
                              const struct limb_pair_view *w, int slides, double *hessian)
{
  double *across = m->across, bend = limb_pair_product(w->along, w->H, w->along);
  slides = slides && bend * m->c > FLATTEST * vec3_dot(w->along, w->along);
  for (int i = 0; i < m->n; i++) {
    const double *axis = frames[m->dof[i]].axis, *motion = m->motion + 3 * i;
    double turn[3];
    vec3_cross(axis, w->along, turn);
    across[i] = limb_pair_product(motion, w->H, w->along) + m->sign[i] * vec3_dot(w->g, turn);
    for (int j = i; j < m->n; j++) { /* dof i carries dof j, as seen from b */
      double bent[3];
      vec3_cross(axis, m->motion + 3 * j, bent);
      hessian[j * m->n + i] = limb_pair_product(motion, w->H, m->motion + 3 * j) + m->sign[i] * vec3_dot(w->g, bent);
    }
  }
  for (int i = 0; slides && i < m->n; i++)
    for (int j = i; j < m->n; j++)
      hessian[j * m->n + i] -= across[i] * across[j] / bend;
}

double limb_pair_value(const struct limb_pair_model *m, const struct limb_frame *frames,
                       const struct limb_pair_side *side, double *slope, double *hessian)
{
  static const double flat[9] = {0};
  struct limb_pair_axis axis = limb_pair_axis(m, frames);
  struct limb_pair_view w;
  double X[3], g[3], H[9], t, s = side ? side->s : limb_pair_nearest(m, &axis), value = 0;
  limb_pair_along(&axis, s, X);
  if (side)
    for (int i = 0; i < 3; i++)
      value += side->normal[i] * (X[i] - m->b.from[i] - side->t * (m->b.to[i] - m->b.from[i]));
  else
    value = limb_pair_from_b(m, X, &t, g, hessian ? H : NULL);
  if (!slope)
    return value;
  limb_pair_turn(&frames[m->body_b], &w, side ? side->normal : g, side || !hessian ? flat : H);
  mat3_mul_vec(frames[m->body_b].rotation, axis.along, w.along);
  limb_frame_place(&frames[m->body_b], X, w.place);
  for (int i = 0; i < m->n; i++) {
    limb_pair_motion(m, frames, i, w.place, m->motion + 3 * i);
    slope[i] = vec3_dot(w.g, m->motion + 3 * i);
  }
  if (hessian)
    limb_pair_hessian(m, frames, &w, !side && s > 0 && s < 1, hessian);
  return value;
}
