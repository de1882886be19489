/* See creature_bytes.h. One table a struct says which fields are written, in which order; reading uses the same table.
 * Indices are checked when they are read, for whoever uses them later does not check. */
#include "creature/creature_bytes.h"

#include <math.h>

#include "creature/motions.h"
#include "creature/style.h"

#define MARK 0x3343554du         /* "MUC3": a creature; changes with the format */
#define MARK_STYLED 0x3353554du  /* "MUS3": the same, and its styles; one without has the bytes it always had */
#define MOST 100000              /* parts of one kind that are accepted         */
#define MOST_PAIRS 2000000       /* of a creature with as many limbs as a file may have, both sides counted */

/* ---- what is written ---- */

#define NAME(field)  BYTES_NAME(THIS, field)
#define TEXT(field)  BYTES_TEXT(THIS, field)
#define INTS(field)  BYTES_INTS(THIS, field)
#define REALS(field) BYTES_REALS(THIS, field)

#define THIS struct dof
static const struct bytes_field dof_fields[] = {
    NAME(name), INTS(parent), INTS(limb), INTS(mirror), INTS(mirror_sign), INTS(kind), REALS(axis), REALS(offset),
    INTS(has_offset), INTS(has_mass), REALS(mass), REALS(moment1), REALS(moment2), REALS(lower), REALS(upper),
    REALS(rest), REALS(torque_max), REALS(servo_kp), REALS(servo_kd), BYTES_END};
#undef THIS

#define THIS struct limb
static const struct bytes_field limb_fields[] = {
    NAME(name), INTS(parent), INTS(mirror), INTS(first_dof), INTS(n_dofs), INTS(body), REALS(at), REALS(origin),
    INTS(shape.kind), REALS(shape.from), REALS(shape.to), REALS(shape.centre), REALS(shape.frame), REALS(shape.size),
    REALS(mass), REALS(com), REALS(inertia), REALS(volume), INTS(solid), REALS(sunk),
    BYTES_END};
#undef THIS

#define THIS struct tissue
static const struct bytes_field tissue_fields[] = {
    NAME(name), INTS(n_dofs), INTS(dof), INTS(mirror), INTS(one_sided), REALS(arm), REALS(slack), REALS(toe),
    REALS(stiffness), REALS(damping), BYTES_END};
#undef THIS

#define THIS struct limb_pair
static const struct bytes_field pair_fields[] = {NAME(name),   INTS(a),   INTS(b),
                                                 INTS(mirror), INTS(why), REALS(rest_gap), BYTES_END};
#undef THIS

#define THIS struct foot
static const struct bytes_field foot_fields[] = {
    NAME(name), INTS(limb), INTS(mirror), INTS(first_point), INTS(n_points), INTS(first_leg_limb), REALS(leg_length),
    REALS(clearance), BYTES_END};
#undef THIS

#define THIS struct contact_point
static const struct bytes_field point_fields[] = {
    NAME(name), INTS(foot), INTS(limb), INTS(body), INTS(mirror), REALS(at), BYTES_END};
#undef THIS

#define THIS struct gait /* after these, for each contact point, the number of its intervals and the intervals */
static const struct bytes_field gait_fields[] = {NAME(name), REALS(period_slow), REALS(period_fast), REALS(speed_min),
                                                 REALS(speed_max), REALS(right_lag), BYTES_END};
#undef THIS

#define THIS struct interval
static const struct bytes_field interval_fields[] = {REALS(from), REALS(until), BYTES_END};
#undef THIS

#define THIS struct style_weight
static const struct bytes_field weight_fields[] = {NAME(name), REALS(factor), BYTES_END};
#undef THIS

#define THIS struct style_key
static const struct bytes_field key_fields[] = {NAME(pose),   INTS(dof),     REALS(angle), REALS(phase),
                                                REALS(width), REALS(weight), BYTES_END};
#undef THIS

#define THIS struct creature /* after these its dofs, limbs, feet, points, tissues, pairs, exempt pairs and gaits */
static const struct bytes_field creature_fields[] = {
    NAME(name), TEXT(summary), NAME(file), INTS(n_dofs), INTS(n_limbs), INTS(n_feet), INTS(n_points), INTS(n_gaits),
    INTS(n_tissues), INTS(n_pairs), INTS(n_exempt),
    REALS(mass), REALS(friction), REALS(height), REALS(frame_rate), BYTES_END};
#undef THIS

/* ---- writing ---- */

static int creature_has_style(const struct creature *c)
{
  int has = c->n_styles > 0;
  for (int i = 0; i < c->n_gaits; i++)
    has |= c->gaits[i].style != NULL;
  return has;
}

/* Which limbs are loads, the names of the styles, what they are for each gait. Their files stay where they are. */
static void put_styles(struct bytes_writer *w, const struct creature *c)
{
  for (int i = 0; i < c->n_limbs; i++)
    bytes_put_int(w, c->limbs[i].is_load);
  bytes_put_int(w, c->n_styles);
  for (int i = 0; i < c->n_styles; i++)
    bytes_put_text(w, c->styles[i].name);
  for (int i = 0; i < c->n_gaits; i++) {
    const struct style *s = c->gaits[i].style;
    bytes_put_int(w, s != NULL);
    if (!s)
      continue;
    bytes_put_reals(w, s->effort, (size_t)c->n_dofs);
    bytes_put_reals(w, s->posture, (size_t)c->n_dofs);
    bytes_put_reals(w, s->rest, (size_t)c->n_dofs);
    bytes_put_reals(w, s->clearance, (size_t)c->n_points);
    bytes_put_int(w, s->n_weights);
    for (int k = 0; k < s->n_weights; k++)
      bytes_put_fields(w, weight_fields, &s->weights[k]);
    bytes_put_int(w, s->n_keys);
    for (int k = 0; k < s->n_keys; k++)
      bytes_put_fields(w, key_fields, &s->keys[k]);
  }
}

void creature_put_gait(struct bytes_writer *w, const struct creature *c, const struct gait *g)
{
  bytes_put_fields(w, gait_fields, g);
  for (int p = 0; p < c->n_points; p++) {
    bytes_put_int(w, g->n_intervals[p]);
    for (int k = 0; k < g->n_intervals[p]; k++)
      bytes_put_fields(w, interval_fields, &g->on[p][k]);
  }
}

void creature_put(struct bytes_writer *w, const struct creature *c)
{
  bytes_put_bits(w, creature_has_style(c) ? MARK_STYLED : MARK, 4);
  bytes_put_fields(w, creature_fields, c);
  for (int i = 0; i < c->n_dofs; i++)
    bytes_put_fields(w, dof_fields, &c->dofs[i]);
  for (int i = 0; i < c->n_limbs; i++)
    bytes_put_fields(w, limb_fields, &c->limbs[i]);
  for (int i = 0; i < c->n_feet; i++)
    bytes_put_fields(w, foot_fields, &c->feet[i]);
  for (int i = 0; i < c->n_points; i++)
    bytes_put_fields(w, point_fields, &c->points[i]);
  for (int i = 0; i < c->n_tissues; i++)
    bytes_put_fields(w, tissue_fields, &c->tissues[i]);
  for (int i = 0; i < c->n_pairs; i++)
    bytes_put_fields(w, pair_fields, &c->pairs[i]);
  for (int i = 0; i < c->n_exempt; i++)
    bytes_put_fields(w, pair_fields, &c->exempt[i]);
  for (int i = 0; i < c->n_gaits; i++)
    creature_put_gait(w, c, &c->gaits[i]);
  if (creature_has_style(c))
    put_styles(w, c);
}

/* ---- reading ---- */

static int within(int x, int least, int end)
{
  return x >= least && x < end;
}

/* Are these n things, starting at first, among all? Both may be any int. */
static int range_within(int first, int n, int all)
{
  return within(n, 0, all + 1) && within(first, 0, all - n + 1);
}

/* Is the mass of a body one that can be: its inertia about its own centre positive definite? Engines stop the program
 * where it is not. */
static int mass_fits(const struct dof *x)
{
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  double C[6];
  if (!x->has_mass)
    return 1;
  if (!(x->mass > 0) || !isfinite(x->mass))
    return 0;
  for (int i = 0; i < 6; i++)
    C[i] = x->moment2[i] - x->moment1[row[i]] * x->moment1[column[i]] / x->mass;
  double a = C[1] + C[2], b = C[0] + C[2], c = C[0] + C[1], minor = a * b - C[3] * C[3];
  double whole = c * minor - a * C[5] * C[5] - b * C[4] * C[4] - 2 * C[3] * C[4] * C[5];
  return a > 0 && minor > 0 && whole > 0 && isfinite(whole);
}

static int all_finite(const double *x, int n)
{
  int fits = 1;
  for (int i = 0; i < n; i++)
    fits &= isfinite(x[i]) != 0;
  return fits;
}

/* Rotations about an axis are rotations only if it is a unit vector. */
static int axis_fits(const struct dof *x)
{
  double length = x->axis[0] * x->axis[0] + x->axis[1] * x->axis[1] + x->axis[2] * x->axis[2];
  return fabs(length - 1) < 1e-9 && all_finite(x->offset, 3) && isfinite(x->rest) && x->lower <= x->upper &&
         x->torque_max >= 0 && x->servo_kp >= 0 && isfinite(x->servo_kp) && x->servo_kd >= 0 && isfinite(x->servo_kd);
}

/* Are the shape's own axes at right angles, and its lengths lengths? */
static int shape_fits(const struct shape *x)
{
  int fits = all_finite(x->from, 3) && all_finite(x->to, 3) && all_finite(x->centre, 3);
  for (int i = 0; i < 3 && x->kind != SHAPE_NONE; i++) {
    fits &= x->size[i] > 0 && isfinite(x->size[i]);
    for (int k = 0; k < 3; k++) {
      double dot = x->frame[i] * x->frame[k] + x->frame[3 + i] * x->frame[3 + k] + x->frame[6 + i] * x->frame[6 + k];
      fits &= fabs(dot - (i == k)) < 1e-9;
    }
  }
  return fits;
}

static int dof_fits(const struct creature *c, const struct dof *x, int i)
{
  return within(x->parent, i ? 0 : -1, i) && within(x->limb, 0, c->n_limbs) && within(x->mirror, 0, c->n_dofs) &&
         (x->mirror_sign == 1 || x->mirror_sign == -1) && within((int)x->kind, AXIS_X, AXIS_ANY + 1) &&
         within(x->has_offset, 0, 2) && within(x->has_mass, 0, 2) && axis_fits(x) && mass_fits(x);
}

static int limb_fits(const struct creature *c, const struct limb *x, int i)
{
  return within(x->parent, i ? 0 : -1, i) && within(x->mirror, 0, c->n_limbs) && within(x->body, 0, c->n_dofs) &&
         range_within(x->first_dof, x->n_dofs, c->n_dofs) &&
         within((int)x->shape.kind, SHAPE_NONE, SHAPE_ELLIPSOID + 1) && within(x->solid, 0, 2) &&
         shape_fits(&x->shape) && all_finite(x->at, 3) && all_finite(x->origin, 3) && all_finite(x->com, 3) &&
         x->mass >= 0 && isfinite(x->mass) && all_finite(x->inertia, 6);
}

/* A pair of a list of n. */
static int pair_fits(const struct creature *c, const struct limb_pair *x, int n)
{
  return within(x->a, 0, x->b) && within(x->b, 1, c->n_limbs) && within(x->mirror, 0, n) &&
         within((int)x->why, PAIR_APART, PAIR_MAY_OVERLAP + 1) && isfinite(x->rest_gap);
}

static int foot_fits(const struct creature *c, const struct foot *x)
{
  return within(x->limb, 0, c->n_limbs) && within(x->mirror, 0, c->n_feet) &&
         range_within(x->first_point, x->n_points, c->n_points) && within(x->first_leg_limb, 0, c->n_limbs);
}

static int point_fits(const struct creature *c, const struct contact_point *x)
{
  return within(x->foot, 0, c->n_feet) && within(x->limb, 0, c->n_limbs) && within(x->body, 0, c->n_dofs) &&
         within(x->mirror, 0, c->n_points);
}

static int tissue_fits(const struct creature *c, const struct tissue *x)
{
  int fits = within(x->n_dofs, 1, CREATURE_TISSUE_DOFS + 1) && within(x->mirror, -1, c->n_tissues) &&
             within(x->one_sided, 0, 2) && isfinite(x->slack) && (x->toe > 0 || !x->one_sided) && isfinite(x->toe) &&
             x->stiffness >= 0 && isfinite(x->stiffness) && x->damping >= 0 && isfinite(x->damping);
  for (int i = 0; i < CREATURE_TISSUE_DOFS; i++)
    fits &= within(x->dof[i], CREATURE_ROOT_DOFS, c->n_dofs) && isfinite(x->arm[i]);
  return fits;
}

/* Are counts, mass, height and rate usable? */
static int creature_fits(const struct creature *c)
{
  return within(c->n_dofs, CREATURE_ROOT_DOFS, MOST) && within(c->n_limbs, 1, MOST) && within(c->n_feet, 0, MOST) &&
         within(c->n_points, 0, MOST) && within(c->n_gaits, 0, MOST) && within(c->n_pairs, 0, MOST_PAIRS) &&
         within(c->n_tissues, 0, MOST) &&
         within(c->n_exempt, 0, MOST_PAIRS) && c->mass > 0 && isfinite(c->mass) &&
         c->friction >= 0 && isfinite(c->friction) && c->height > 0 && isfinite(c->height) && c->frame_rate > 0 &&
         isfinite(c->frame_rate);
}

/* Bytes that so many parts have at least. */
static uint64_t parts_least(const struct creature *c)
{
  return (uint64_t)c->n_dofs * bytes_least(dof_fields) + (uint64_t)c->n_limbs * bytes_least(limb_fields) +
         (uint64_t)c->n_feet * bytes_least(foot_fields) + (uint64_t)c->n_points * bytes_least(point_fields) +
         (uint64_t)c->n_tissues * bytes_least(tissue_fields) +
         ((uint64_t)c->n_pairs + (uint64_t)c->n_exempt) * bytes_least(pair_fields) +
         (uint64_t)c->n_gaits * (bytes_least(gait_fields) + 4 * (uint64_t)c->n_points);
}

void creature_get_gait(struct bytes_reader *r, const struct creature *c, struct gait *g)
{
  int *n = ARENA_NEW(r->arena, (size_t)c->n_points, int);
  const struct interval **on = ARENA_NEW(r->arena, (size_t)c->n_points, const struct interval *);
  bytes_get_fields(r, gait_fields, g);
  for (int p = 0; p < c->n_points && !r->bad; p++) {
    n[p] = bytes_get_within(r, 0, MOST);
    bytes_need(r, (uint64_t)n[p] * bytes_least(interval_fields));
    struct interval *mine = ARENA_NEW(r->arena, r->bad ? 0 : (size_t)n[p], struct interval);
    for (int k = 0; !r->bad && k < n[p]; k++)
      bytes_get_fields(r, interval_fields, &mine[k]);
    on[p] = mine;
  }
  g->n_intervals = n;
  g->on = on;
}

static void get_pairs(struct bytes_reader *r, const struct creature *c, int n, struct limb_pair *pairs)
{
  for (int i = 0; i < n && !r->bad; i++) {
    bytes_get_fields(r, pair_fields, &pairs[i]);
    r->bad |= !pair_fits(c, &pairs[i], n);
  }
}

static int key_fits(const struct creature *c, const struct style_key *k)
{
  return within(k->dof, CREATURE_ROOT_DOFS, c->n_dofs) && isfinite(k->angle) && isfinite(k->phase) && k->width > 0 &&
         isfinite(k->width) && k->weight >= 0 && isfinite(k->weight);
}

/* So many finite numbers, none below least. */
static const double *get_numbers(struct bytes_reader *r, int n, double least)
{
  const double *x = bytes_get_reals(r, (size_t)n);
  for (int i = 0; x && i < n; i++)
    r->bad |= !isfinite(x[i]) || x[i] < least;
  return x;
}

static const struct style *get_style(struct bytes_reader *r, const struct creature *c)
{
  struct style *s = ARENA_NEW(r->arena, 1, struct style);
  s->effort = get_numbers(r, c->n_dofs, 0);
  s->posture = get_numbers(r, c->n_dofs, 0);
  s->rest = get_numbers(r, c->n_dofs, -INFINITY);
  s->clearance = get_numbers(r, c->n_points, 0);
  s->n_weights = bytes_get_within(r, 0, MOST);
  bytes_need(r, (uint64_t)s->n_weights * bytes_least(weight_fields));
  struct style_weight *weights = ARENA_NEW(r->arena, r->bad ? 0 : (size_t)s->n_weights, struct style_weight);
  for (int i = 0; i < s->n_weights && !r->bad; i++) {
    bytes_get_fields(r, weight_fields, &weights[i]);
    r->bad |= !(weights[i].factor >= 0) || !isfinite(weights[i].factor);
  }
  s->n_keys = bytes_get_within(r, 0, MOST);
  bytes_need(r, (uint64_t)s->n_keys * bytes_least(key_fields));
  struct style_key *keys = ARENA_NEW(r->arena, r->bad ? 0 : (size_t)s->n_keys, struct style_key);
  for (int i = 0; i < s->n_keys && !r->bad; i++) {
    bytes_get_fields(r, key_fields, &keys[i]);
    r->bad |= !key_fits(c, &keys[i]);
  }
  s->weights = weights;
  s->keys = keys;
  return s;
}

static void get_styles(struct bytes_reader *r, struct creature *c, struct limb *limbs, struct gait *gaits)
{
  for (int i = 0; i < c->n_limbs; i++)
    limbs[i].is_load = bytes_get_within(r, 0, 1);
  c->n_styles = bytes_get_within(r, 0, MOST);
  bytes_need(r, 4 * (uint64_t)c->n_styles);
  struct creature_style *styles = ARENA_NEW(r->arena, r->bad ? 0 : (size_t)c->n_styles, struct creature_style);
  for (int i = 0; i < c->n_styles && !r->bad; i++)
    styles[i].name = bytes_get_name(r);
  for (int i = 0; i < c->n_gaits && !r->bad; i++)
    gaits[i].style = bytes_get_within(r, 0, 1) ? get_style(r, c) : NULL;
  c->styles = styles;
}

const struct creature *creature_get(struct bytes_reader *r)
{
  struct creature *c = ARENA_NEW(r->arena, 1, struct creature);
  uint64_t mark = bytes_get_bits(r, 4);
  r->bad |= mark != MARK && mark != MARK_STYLED;
  bytes_get_fields(r, creature_fields, c);
  r->bad |= !creature_fits(c);
  if (!r->bad)
    bytes_need(r, parts_least(c));
  if (r->bad)
    return NULL;
  struct dof *dofs = ARENA_NEW(r->arena, (size_t)c->n_dofs, struct dof);
  struct limb *limbs = ARENA_NEW(r->arena, (size_t)c->n_limbs, struct limb);
  struct foot *feet = ARENA_NEW(r->arena, (size_t)c->n_feet, struct foot);
  struct contact_point *points = ARENA_NEW(r->arena, (size_t)c->n_points, struct contact_point);
  struct tissue *tissues = ARENA_NEW(r->arena, (size_t)c->n_tissues, struct tissue);
  struct gait *gaits = ARENA_NEW(r->arena, (size_t)c->n_gaits, struct gait);
  struct limb_pair *pairs = ARENA_NEW(r->arena, (size_t)c->n_pairs, struct limb_pair);
  struct limb_pair *exempt = ARENA_NEW(r->arena, (size_t)c->n_exempt, struct limb_pair);
  for (int i = 0; i < c->n_dofs && !r->bad; i++) {
    bytes_get_fields(r, dof_fields, &dofs[i]);
    r->bad |= !dof_fits(c, &dofs[i], i);
  }
  for (int i = 0; i < c->n_limbs && !r->bad; i++) {
    bytes_get_fields(r, limb_fields, &limbs[i]);
    r->bad |= !limb_fits(c, &limbs[i], i);
  }
  for (int i = 0; i < c->n_feet && !r->bad; i++) {
    bytes_get_fields(r, foot_fields, &feet[i]);
    r->bad |= !foot_fits(c, &feet[i]);
  }
  for (int i = 0; i < c->n_points && !r->bad; i++) {
    bytes_get_fields(r, point_fields, &points[i]);
    r->bad |= !point_fits(c, &points[i]);
  }
  for (int i = 0; i < c->n_tissues && !r->bad; i++) {
    bytes_get_fields(r, tissue_fields, &tissues[i]);
    r->bad |= !tissue_fits(c, &tissues[i]);
  }
  get_pairs(r, c, c->n_pairs, pairs);
  get_pairs(r, c, c->n_exempt, exempt);
  for (int i = 0; i < c->n_gaits && !r->bad; i++)
    creature_get_gait(r, c, &gaits[i]);
  if (mark == MARK_STYLED && !r->bad)
    get_styles(r, c, limbs, gaits);
  c->dofs = dofs;
  c->limbs = limbs;
  c->feet = feet;
  c->points = points;
  c->tissues = tissues;
  c->gaits = gaits;
  c->pairs = pairs;
  c->exempt = exempt;
  if (!r->bad)
    motions_build_in(r->arena, c); /* they follow from the rest, and are not written */
  return r->bad ? NULL : c;
}
