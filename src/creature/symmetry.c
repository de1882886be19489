/* Is a creature its own mirror image? For everybody who makes a motion of half of it, or a second motion of its mirror
 * image: both are valid only if the body that moves is the same in the mirror.
 *
 * Let S = diag(1, -1, 1) mirror the plane y = 0, let m pair the parts (`mirror`), and let s be mirror_sign. Then the
 * frame of body i in the pose s_i q_m(i) is that of body m(i) in the pose q, mirrored, if for every dof
 *
 *   parent(m(i)) = m(parent(i)),   offset_i = S offset_m(i),   s_i axis_i = -S axis_m(i)
 *
 * (an axis is a pseudovector: S R(a, t) S = R(-S a, t)). It answers to the same forces, mirrored, if masses, springs,
 * limits and contact points are mirrored too. Limbs are compared first, since their words are those of the file. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/angle.h"
#include "creature/creature.h"
#include "creature/style.h"

/* Numbers that differ by less are the same but for rounding: relative, of lengths in standing heights, of angles in
 * radians. */
#define SAME 1e-9

/* Two parts that should be mirror images, and where to write down what differs. */
struct symmetry_pair {
  const char *part, *twin;      /* names, the same on the midline              */
  struct creature_asymmetry *out;
};

static int __attribute__((format(printf, 2, 3))) symmetry_say(const struct symmetry_pair *p, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(p->out->what, sizeof p->out->what, format, arguments);
  va_end(arguments);
  p->out->part = p->part;
  return 0;
}

/* Is a value of the part what it must be: `expected`, that of its twin in the mirror? Infinities are equal only to each
 * other, a NaN is nothing's equal. */
static int symmetry_same(const struct symmetry_pair *p, const char *what, const char *unit, double value,
                         double expected, double scale)
{
  if (value == expected || (isfinite(scale) && fabs(value - expected) <= SAME * scale))
    return 1;
  if (p->part == p->twin)
    return symmetry_say(p, "%s is %.6g%s, but %.6g%s in the mirror", what, value, unit, expected, unit);
  return symmetry_say(p, "%s is %.6g%s, but %.6g%s in the mirror image of '%s'", what, value, unit, expected, unit,
                      p->twin);
}

static int symmetry_same_share(const struct symmetry_pair *p, const char *what, const char *unit, double value,
                               double expected)
{
  return symmetry_same(p, what, unit, value, expected, fmax(fabs(value), fabs(expected)));
}

/* A vector and that of the twin. */
static int symmetry_same_vector(const struct symmetry_pair *p, const char *what, const char *unit, const double v[3],
                                const double twin[3], double scale)
{
  static const char *const axis[] = {"x", "y", "z"};
  char text[80];
  for (int i = 0; i < 3; i++) {
    snprintf(text, sizeof text, "%s of %s", axis[i], what);
    if (!symmetry_same(p, text, unit, v[i], i == 1 ? 0.0 - twin[i] : twin[i], scale))
      return 0;
  }
  return 1;
}

/* A symmetric matrix, xx yy zz xy xz yz. */
static int symmetry_same_matrix(const struct symmetry_pair *p, const char *what, const double m[6],
                                const double twin[6], double scale)
{
  static const char *const element[] = {"xx", "yy", "zz", "xy", "xz", "yz"};
  char text[80];
  for (int i = 0; i < 6; i++) {
    snprintf(text, sizeof text, "%s of %s", element[i], what);
    if (!symmetry_same(p, text, " kg m2", m[i], i == 3 || i == 5 ? 0.0 - twin[i] : twin[i], scale))
      return 0;
  }
  return 1;
}

/* ---- limbs ---- */

/* Is one the mirror image of the other? */
static int symmetry_is_image(const double a[3], const double b[3], double scale)
{
  return fabs(a[0] - b[0]) <= SAME * scale && fabs(a[1] + b[1]) <= SAME * scale && fabs(a[2] - b[2]) <= SAME * scale;
}

/* The solids. A limb that lies across the midline, such as a pelvis, has its own ends exchanged. */
static int symmetry_shape(const struct symmetry_pair *p, const struct shape *s, const struct shape *o, double L)
{
  int across = p->part == p->twin && symmetry_is_image(s->from, o->to, L) && symmetry_is_image(s->to, o->from, L);
  if (o->kind != s->kind)
    return symmetry_say(p, "its shape is another than that of '%s'", p->twin);
  return (across || (symmetry_same_vector(p, "its end 'from'", " m", s->from, o->from, L) &&
                     symmetry_same_vector(p, "its end 'to'", " m", s->to, o->to, L))) &&
         symmetry_same(p, "the first of its sizes", " m", s->size[0], o->size[0], L) &&
         symmetry_same(p, "the second of its sizes", " m", s->size[1], o->size[1], L) &&
         symmetry_same(p, "the third of its sizes", " m", s->size[2], o->size[2], L);
}

static int symmetry_limb(const struct creature *c, int i, struct creature_asymmetry *out)
{
  const struct limb *l = &c->limbs[i], *o = &c->limbs[l->mirror];
  const struct symmetry_pair p = {l->name, o->name, out};
  const double L = c->height, trace = l->inertia[0] + l->inertia[1] + l->inertia[2];
  int parent = l->parent < 0 ? -1 : c->limbs[l->parent].mirror;
  if (o->mirror != i || o->parent != parent || o->n_dofs != l->n_dofs)
    return symmetry_say(&p, "it is on one side only");
  return symmetry_same_vector(&p, "its joint", " m", l->at, o->at, L) &&
         symmetry_same_vector(&p, "its origin", " m", l->origin, o->origin, L) &&
         symmetry_shape(&p, &l->shape, &o->shape, L) &&
         symmetry_same_share(&p, "its mass", " kg", l->mass, o->mass) &&
         symmetry_same_vector(&p, "its centre of mass", " m", l->com, o->com, L) &&
         symmetry_same_matrix(&p, "its inertia", l->inertia, o->inertia, trace);
}

/* ---- degrees of freedom ---- */

/* Angles of the mirrored pose are sign * angle: on the midline, about an axis across y, ranges change their ends. */
static int symmetry_angles(const struct symmetry_pair *p, const struct dof *d, const struct dof *o)
{
  double s = d->mirror_sign, lower = s > 0 ? o->lower : 0.0 - o->upper, upper = s > 0 ? o->upper : 0.0 - o->lower;
  return symmetry_same(p, "the start of its range", " degrees", d->lower * TO_DEGREES, lower * TO_DEGREES,
                       TO_DEGREES) &&
         symmetry_same(p, "the end of its range", " degrees", d->upper * TO_DEGREES, upper * TO_DEGREES, TO_DEGREES) &&
         symmetry_same(p, "its rest angle", " degrees", d->rest * TO_DEGREES, (s * o->rest + 0.0) * TO_DEGREES,
                       TO_DEGREES);
}

static int symmetry_axis(const struct symmetry_pair *p, const struct dof *d, const struct dof *o, int slides)
{
  double axis[3]; /* that the twin must have, for symmetry_same_vector() to mirror it into d's */
  for (int j = 0; j < 3; j++)
    axis[j] = (slides ? 1 : -1) * d->mirror_sign * o->axis[j] + 0.0;
  return symmetry_same_vector(p, "its axis", "", d->axis, axis, 1);
}

static int symmetry_dof(const struct creature *c, int i, struct creature_asymmetry *out)
{
  const struct dof *d = &c->dofs[i], *o = &c->dofs[d->mirror];
  const struct symmetry_pair p = {d->name, o->name, out};
  const double L = c->height, m = d->mass;
  int parent = d->parent < 0 ? -1 : c->dofs[d->parent].mirror;
  if (o->mirror != i || o->parent != parent || o->mirror_sign != d->mirror_sign)
    return symmetry_say(&p, "its joint is on one side only");
  return symmetry_axis(&p, d, o, i < 3) &&
         symmetry_same_vector(&p, "its place", " m", d->offset, o->offset, L) &&
         (i < CREATURE_ROOT_DOFS || symmetry_angles(&p, d, o)) &&
         symmetry_same_share(&p, "its torque", " N m", d->torque_max, o->torque_max) &&
         symmetry_same_share(&p, "kp of its servo", " N m/rad", d->servo_kp, o->servo_kp) &&
         symmetry_same_share(&p, "kd of its servo", " N m s/rad", d->servo_kd, o->servo_kd) &&
         symmetry_same_share(&p, "the mass that it carries", " kg", m, o->mass) &&
         symmetry_same_vector(&p, "the first moment of what it carries", " kg m", d->moment1, o->moment1, m * L) &&
         symmetry_same_matrix(&p, "the second moment of what it carries", d->moment2, o->moment2, m * L * L);
}

/* ---- passive tissue ---- */

/* Images are told by their joints and numbers: what has none is on one side only, or another on the other. */
static int symmetry_tissue(const struct creature *c, int i, struct creature_asymmetry *out)
{
  const struct tissue *t = &c->tissues[i];
  const struct symmetry_pair p = {t->name, t->name, out};
  return t->mirror >= 0 || symmetry_say(&p, "the other side has none that is its mirror image");
}

/* ---- contact points, the whole ---- */

static int symmetry_point(const struct creature *c, int i, struct creature_asymmetry *out)
{
  const struct contact_point *x = &c->points[i], *o = &c->points[x->mirror];
  const struct symmetry_pair p = {x->name, o->name, out};
  if (o->mirror != i || o->body != c->dofs[x->body].mirror)
    return symmetry_say(&p, "the point is on one side only");
  return symmetry_same_vector(&p, "the point", " m", x->at, o->at, c->height);
}

/* A gait whose sides step together or half a cycle apart can be its own mirror image; then its style must be, too. */
static int symmetry_gait(const struct creature *c, const struct gait *g, struct creature_asymmetry *out)
{
  if (!g->style || (g->right_lag != 0.0 && g->right_lag != 0.5) || style_is_mirrored(c, g->style, g->right_lag, out))
    return 1;
  out->kind = "style of gait";
  out->part = g->name;
  return 0;
}

int creature_is_symmetric(const struct creature *c, struct creature_asymmetry *why)
{
  struct creature_asymmetry unread, *out = why ? why : &unread;
  int same = 1;
  *out = (struct creature_asymmetry){.kind = "limb"};
  for (int i = 0; i < c->n_limbs && same; i++)
    same = symmetry_limb(c, i, out);
  if (same)
    out->kind = "joint axis";
  for (int i = 0; i < c->n_dofs && same; i++)
    same = symmetry_dof(c, i, out);
  if (same)
    out->kind = "tendon";
  for (int i = 0; i < c->n_tissues && same; i++)
    same = symmetry_tissue(c, i, out);
  if (same)
    out->kind = "contact point";
  for (int i = 0; i < c->n_points && same; i++)
    same = symmetry_point(c, i, out);
  for (int i = 0; i < c->n_gaits && same; i++)
    same = symmetry_gait(c, &c->gaits[i], out);
  return same;
}
