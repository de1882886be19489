/* From the sketch to the creature: what its styles make of each gait. Speeds, period and contacts change here, for
 * everybody; the rest is a struct style for the optimizer. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/angle.h"
#include "creature/build.h"
#include "creature/gait.h"
#include "creature/style.h"

/* A wish for the height of the root or the lean of the trunk must count against what it costs to crouch and to lean, by
 * these factors on the weight of posture: with a factor of 8 a person who is asked to walk at 0.86 of its height walks
 * at 0.92, and leans by 17 degrees of 18. */
#define WISH_HEIGHT 30.0
#define WISH_LEAN   8.0

/* What many factors together may come to. */
#define MOST_FACTOR 1e6

/* From the ends of a joint's range a posture keeps this far [rad]. */
#define MARGIN (2.0 * TO_RADIANS)

struct styling {                /* one gait */
  struct build *b;
  struct gait *g;
  double *effort, *posture, *rest, *clearance;
  int n_weights, n_keys, room_weights, room_keys;
  struct style_weight *weights;
  struct style_key *keys;
  double gaze;                  /* NaN: not said                           */
  int neck_is_bent;             /* by a section `joints`                   */
};

/* ---- joints ---- */

/* Calls for each joint axis of the parts, once. seen: of this call (n_dofs). */
static void style_mark_dofs(const struct build *b, const struct sketch_parts *of, unsigned char *seen)
{
  for (int p = 0; p < of->n; p++) {
    int limbs[2], n = build_images(b, &of->parts[p], limbs);
    for (int j = 0; j < n; j++) {
      const struct limb *l = &b->limbs[limbs[j]];
      for (int i = 0; i < l->n_dofs; i++)
        if (l->first_dof + i >= CREATURE_ROOT_DOFS && (of->parts[p].axis < 0 || of->parts[p].axis == i))
          seen[l->first_dof + i] = 1;
    }
  }
}

static int style_pitches(const struct dof *d) { return fabs(d->axis[1]) > 0.7; }

static int style_is_in(const struct build *b, int dof, enum sketch_group group)
{
  return (b->limb_of[b->dofs[dof].limb]->groups >> group & 1u) != 0;
}

/* On which side a dof is: 0 midline, 1 and 2 the two images. */
static int style_side(const struct build *b, int dof)
{
  const struct dof *d = &b->dofs[dof];
  return d->mirror == dof ? 0 : (int)b->side_of[d->limb];
}

/* Turns what hangs on these joints by an angle about +y (forwards, nose down), shared evenly among those of a side,
 * those at the ends of their ranges excepted. */
static void style_pitch(struct styling *s, const unsigned char *seen, double angle)
{
  const struct creature *c = s->b->c;
  for (int side = 0; side < 3; side++) {
    double left = angle;
    for (int round = 0; round < 4 && fabs(left) > 1e-9; round++) {
      int n = 0;
      for (int i = CREATURE_ROOT_DOFS; i < c->n_dofs; i++)
        n += seen[i] && style_side(s->b, i) == side && style_pitches(&s->b->dofs[i]);
      double share = n ? left / n : 0.0;
      for (int i = CREATURE_ROOT_DOFS; i < c->n_dofs && n; i++) {
        const struct dof *d = &s->b->dofs[i];
        if (!seen[i] || style_side(s->b, i) != side || !style_pitches(d))
          continue;
        double sign = d->axis[1] > 0 ? 1.0 : -1.0, room = fmin(MARGIN, 0.25 * (d->upper - d->lower));
        double wanted = fmin(fmax(s->rest[i] + sign * share, fmin(d->lower + room, s->rest[i])),
                             fmax(d->upper - room, s->rest[i]));
        left -= sign * (wanted - s->rest[i]);
        s->rest[i] = wanted;
      }
    }
  }
}

static void style_add_joints(struct styling *s, const struct sketch_joints *j)
{
  int n = s->b->c->n_dofs;
  unsigned char *seen = ARENA_NEW(s->b->k->arena, (size_t)n, unsigned char);
  style_mark_dofs(s->b, &j->of, seen);
  for (int i = 0; i < n; i++) {
    if (!seen[i])
      continue;
    s->effort[i] *= j->effort;
    s->posture[i] *= j->posture;
    if (!isnan(j->rest))
      s->rest[i] = j->rest;
  }
  if (isnan(j->pitch))
    return;
  style_pitch(s, seen, j->pitch);
  for (int i = CREATURE_ROOT_DOFS; i < n; i++)
    s->neck_is_bent |= seen[i] && style_is_in(s->b, i, GROUP_NECK);
}

/* Where the head looks at the posture to hold, against where it looks at rest, becomes what was asked for: by the joint
 * of the head. Where that is fixed the neck does it, unless the style has another use for the neck. */
static void style_set_gaze(struct styling *s)
{
  const struct build *b = s->b;
  unsigned char *seen = ARENA_NEW(b->k->arena, (size_t)b->c->n_dofs, unsigned char);
  double pitch = s->rest[4] - b->dofs[4].rest;
  int head = -1, turns = 0;
  for (int n = 0; n < b->c->n_limbs; n++)
    if (b->limb_of[n]->groups & 1u << GROUP_HEAD)
      head = n;
  for (int i = CREATURE_ROOT_DOFS; i < b->c->n_dofs; i++)
    turns |= seen[i] = style_is_in(b, i, GROUP_HEAD) && style_pitches(&b->dofs[i]);
  for (int i = CREATURE_ROOT_DOFS; i < b->c->n_dofs && !turns && !s->neck_is_bent; i++)
    seen[i] = (unsigned char)style_is_in(b, i, GROUP_NECK);
  for (int n = head; n > 0; n = b->limbs[n].parent)
    for (int i = b->limbs[n].first_dof; i < b->limbs[n].first_dof + b->limbs[n].n_dofs; i++)
      if (style_pitches(&b->dofs[i]))
        pitch += (b->dofs[i].axis[1] > 0 ? 1.0 : -1.0) * (s->rest[i] - b->dofs[i].rest);
  if (head > 0)
    style_pitch(s, seen, -s->gaze - pitch);
}

/* ---- key poses ---- */

static void style_add_key(struct styling *s, const struct sketch_pose *p, int dof, double angle, int later)
{
  if (!s->keys) {
    s->n_keys++;
    return;
  }
  double phase = p->phase + (later ? s->g->right_lag : 0.0);
  s->keys[s->n_keys++] = (struct style_key){arena_strdup(s->b->arena, p->section->title), dof, angle,
                                            phase - floor(phase), p->width, p->weight};
}

/* What is mirrored and named without a side: the right one later, as in contacts of a gait. With `mirror`, the mirror
 * image of whatever is named, too. */
static void style_add_pose(struct styling *s, const struct sketch_pose *p)
{
  const struct build *b = s->b;
  for (int k = 0; k < p->n_keys; k++)
    for (int i = 0; i < p->keys[k].of.n; i++) {
      const struct sketch_part *part = &p->keys[k].of.parts[i];
      int limbs[2], n = build_images(b, part, limbs);
      for (int j = 0; j < n; j++) {
        int dof = b->limbs[limbs[j]].first_dof + part->axis;
        const struct dof *d = &b->dofs[dof];
        style_add_key(s, p, dof, p->keys[k].angle, j == 1);
        if (p->mirror && n == 1)
          style_add_key(s, p, d->mirror, d->mirror_sign * p->keys[k].angle, 1);
      }
    }
}

/* ---- time on the ground ---- */

struct stance_window { double from, length; };

/* The time during which a leg stands without a break, around this interval of one of its points. 1 and more: always. */
static struct stance_window style_window(const struct creature *c, const struct gait *g, int leg, struct interval on)
{
  struct stance_window w = {on.from, on.until - on.from + (on.from > on.until)};
  for (int grown = 1; grown && w.length < 1.0; ) {
    grown = 0;
    for (int p = 0; p < c->n_points; p++)
      for (int i = 0; i < g->n_intervals[p] && c->feet[c->points[p].foot].first_leg_limb == leg; i++) {
        struct interval o = g->on[p][i];
        double length = o.until - o.from + (o.from > o.until), later = o.from - w.from - floor(o.from - w.from);
        if (later <= w.length && later + length > w.length + 1e-12)
          w.length = later + length, grown = 1;
        else if (1.0 - later <= length && 1.0 - later > 1e-12 && later > 0.0)
          w.from = o.from, w.length += 1.0 - later, grown = 1;
      }
  }
  return w;
}

/* Stretches all contacts of a leg about the middle of its stance. The swing keeps at least half of its time. */
static void style_stretch_leg(struct styling *s, int leg, double time)
{
  const struct creature *c = s->b->c;
  struct gait *g = s->g, before = *g;
  const struct interval **on = ARENA_NEW(s->b->arena, (size_t)c->n_points, const struct interval *);
  for (int p = 0; p < c->n_points; p++) {
    on[p] = before.on[p];
    if (c->feet[c->points[p].foot].first_leg_limb != leg)
      continue;
    struct interval *mine = ARENA_NEW(s->b->arena, (size_t)before.n_intervals[p], struct interval);
    for (int i = 0; i < before.n_intervals[p]; i++) {
      struct interval o = before.on[p][i];
      struct stance_window w = style_window(c, &before, leg, o);
      double length = o.until - o.from + (o.from > o.until), later = o.from - w.from - floor(o.from - w.from);
      double most = 1.0 + 0.5 * (1.0 - w.length) / w.length, f = fmin(time, most), half = 0.5 * w.length;
      mine[i] = w.length < 1.0 ? gait_shift((struct interval){0.0, f * length}, w.from + half + f * (later - half)) : o;
    }
    on[p] = mine;
  }
  g->on = on;
}

static void style_add_stance(struct styling *s, const struct sketch_stance *x)
{
  const struct build *b = s->b;
  unsigned char *done = ARENA_NEW(b->k->arena, (size_t)b->c->n_limbs, unsigned char);
  for (int p = 0; p < x->of.n; p++) {
    int limbs[2], n = build_images(b, &x->of.parts[p], limbs);
    for (int j = 0; j < n; j++)
      for (int f = 0; f < b->c->n_feet; f++) {
        int leg = b->feet[f].first_leg_limb;
        if (b->feet[f].limb == limbs[j] && !done[leg])
          style_stretch_leg(s, leg, x->time), done[leg] = 1;
      }
  }
}

static int style_by_start(const void *a, const void *b)
{
  double x = ((const struct interval *)a)->from, y = ((const struct interval *)b)->from;
  return (x > y) - (x < y);
}

/* ---- a gait ---- */

static void style_add(struct styling *s, const struct sketch_style *y)
{
  struct build *b = s->b;
  for (int i = 0; i < y->n_joints; i++)
    style_add_joints(s, &y->joints[i]);
  if (y->crouch != 1.0) {
    s->rest[2] *= y->crouch;
    s->posture[2] *= WISH_HEIGHT;
  }
  if (!isnan(y->lean) && sketch_trunk_is_upright(b->k)) {
    s->rest[4] += y->lean;
    s->posture[4] *= WISH_LEAN;
    for (int i = CREATURE_ROOT_DOFS; i < b->c->n_dofs; i++) /* or the back straightens up again */
      if (style_pitches(&b->dofs[i]) && style_is_in(b, i, GROUP_SPINE))
        s->posture[i] *= WISH_LEAN;
  }
  if (!isnan(y->gaze))
    s->gaze = y->gaze;
  for (int i = 0; i < b->c->n_points; i++)
    s->clearance[i] *= y->clearance;
  for (int i = 0; i < y->n_weights; i++)
    s->weights[s->n_weights++] =
        (struct style_weight){arena_strdup(b->arena, y->weights[i].name), y->weights[i].factor};
  for (int i = 0; i < y->n_poses; i++)
    style_add_pose(s, &y->poses[i]);
  for (int i = 0; i < y->n_stances; i++)
    style_add_stance(s, &y->stances[i]);
  s->g->period_slow /= y->tempo;
  s->g->period_fast /= y->tempo;
  s->g->speed_min *= y->speed;
  s->g->speed_max *= y->speed;
}

static void style_of_gait(struct build *b, const struct sketch_gait *from, struct gait *g)
{
  const struct sketch *k = b->k;
  struct styling s = {.b = b, .g = g, .gaze = NAN};
  size_t n = (size_t)b->c->n_dofs, n_points = (size_t)b->c->n_points;
  int n_styles = k->n_styles + from->n_styles;
  if (!n_styles)
    return;
  for (int i = 0; i < n_styles; i++) { /* room: keys are counted while there is none for them */
    const struct sketch_style *y = i < k->n_styles ? &k->styles[i] : &from->styles[i - k->n_styles];
    s.room_weights += y->n_weights;
    for (int p = 0; p < y->n_poses; p++)
      style_add_pose(&s, &y->poses[p]);
  }
  s.keys = ARENA_NEW(b->arena, (size_t)s.n_keys + 1, struct style_key);
  s.n_keys = 0;
  s.weights = ARENA_NEW(b->arena, (size_t)s.room_weights + 1, struct style_weight);
  s.effort = ARENA_NEW(b->arena, n, double);
  s.posture = ARENA_NEW(b->arena, n, double);
  s.rest = ARENA_NEW(b->arena, n, double);
  s.clearance = ARENA_NEW(b->arena, n_points, double);
  for (size_t i = 0; i < n; i++)
    s.effort[i] = s.posture[i] = 1.0, s.rest[i] = b->dofs[i].rest;
  for (size_t i = 0; i < n_points; i++)
    s.clearance[i] = 1.0;
  for (int i = 0; i < n_styles; i++)
    style_add(&s, i < k->n_styles ? &k->styles[i] : &from->styles[i - k->n_styles]);
  for (size_t i = 0; i < n; i++) {
    s.effort[i] = fmin(fmax(s.effort[i], 1.0 / MOST_FACTOR), MOST_FACTOR);
    s.posture[i] = fmin(s.posture[i], MOST_FACTOR);
  }
  if (!isnan(s.gaze))
    style_set_gaze(&s);
  for (size_t p = 0; p < n_points; p++)
    qsort((struct interval *)g->on[p], (size_t)g->n_intervals[p], sizeof **g->on, style_by_start);
  struct style *style = ARENA_NEW(b->arena, 1, struct style);
  *style = (struct style){s.effort, s.posture, s.rest, s.clearance, s.n_weights, s.n_keys, s.weights, s.keys};
  g->style = style;
}

void build_styles(struct build *b)
{
  const struct sketch *k = b->k;
  struct gait *gaits = ARENA_NEW(b->arena, (size_t)k->n_gaits, struct gait);
  struct creature_style *styles = ARENA_NEW(b->arena, (size_t)k->n_styles, struct creature_style);
  for (int i = 0; i < k->n_styles; i++) {
    const struct text_section *s = k->styles[i].section;
    int given = i >= k->n_styles - k->n_given;
    styles[i].name = arena_strdup(b->arena, s->title);
    styles[i].file = given ? arena_strdup(b->arena, s->file) : NULL;
  }
  for (int i = 0; i < k->n_gaits; i++) {
    gaits[i] = b->c->gaits[i];
    style_of_gait(b, &k->gaits[i], &gaits[i]);
  }
  b->c->gaits = gaits;
  b->c->styles = styles;
  b->c->n_styles = k->n_styles;
}
