/* Gaits: when which contact point is on the ground. Reading them from a sketch, and asking them. */
#include "creature/gait.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_INTERVALS 16   /* of one contact point                                                  */
#define TINY          1e-9 /* fractions of a cycle nearer than this are the same; 0.7 + 0.3 is 1     */

/* ---- intervals of a cycle: from in [0, 1), until in (0, 1], from > until passes the end ---- */

static double gait_length_of(struct interval i) { return i.until - i.from + (i.from > i.until ? 1.0 : 0.0); }

struct interval gait_shift(struct interval i, double lag)
{
  double length = gait_length_of(i);
  if (length > 1.0 - TINY)
    return (struct interval){0.0, 1.0};
  double from = i.from + lag - floor(i.from + lag);
  if (from > 1.0 - TINY)
    from = 0.0;
  double until = from + length;
  if (fabs(until - 1.0) < TINY)
    until = 1.0;
  return (struct interval){from, until > 1.0 ? until - 1.0 : until};
}

static int gait_overlap(struct interval a, struct interval b)
{
  double later = b.from - a.from - floor(b.from - a.from); /* how much later than a b begins */
  return later < gait_length_of(a) - TINY || 1.0 - later < gait_length_of(b) - TINY;
}

/* ---- reading ---- */

struct schedule { /* of one contact point */
  int n;
  struct interval on[MAX_INTERVALS];
  const struct text_entry *by[MAX_INTERVALS]; /* who said so */
};

struct contacts { /* of one gait */
  const struct sketch *k;
  const struct sketch_gait *g;
  struct schedule *points;
  double *touch; /* of points of which no more is known; NAN */
};

struct target { /* what a contact section speaks of */
  int foot;
  enum side side; /* SIDE_BOTH: both of a mirrored foot, or the only one */
  int point;      /* -1 for all                                          */
};

static const char *const *foot_names(const struct sketch *k)
{
  const char **names = ARENA_NEW(k->arena, 3 * (size_t)k->n_feet + 1, const char *);
  int n = 0;
  for (int i = 0; i < k->n_feet; i++) {
    names[n++] = k->feet[i].name;
    if (!k->feet[i].mirrored)
      continue;
    names[n++] = arena_printf(k->arena, "left_%s", k->feet[i].name);
    names[n++] = arena_printf(k->arena, "right_%s", k->feet[i].name);
  }
  return names;
}

static int gait_find_foot(const struct sketch *k, const char *name, enum side *side)
{
  for (int i = 0; i < k->n_feet; i++) {
    const struct sketch_foot *f = &k->feet[i];
    *side = SIDE_BOTH;
    if (!strcmp(f->name, name))
      return i;
    *side = sketch_image_side(name, f->name);
    if (f->mirrored && *side != SIDE_BOTH)
      return i;
  }
  return -1;
}

static int gait_find_point(const struct sketch_foot *f, const char *name)
{
  for (int i = 0; i < f->n_points; i++)
    if (f->points[i].section && !strcmp(f->points[i].section->title, name))
      return i;
  return -1;
}

/* "paw", "left_paw", "paw.heel". 0 after an error. */
static int gait_read_target(const struct sketch *k, const struct text_section *s, struct target *t)
{
  char *name = arena_strdup(k->arena, s->title), *dot = strchr(name, '.');
  if (dot)
    *dot = '\0';
  t->foot = gait_find_foot(k, name, &t->side);
  t->point = -1;
  if (t->foot < 0) {
    SKETCH_ERROR(k, s, "%s: there is no foot '%s'%s", text_describe(s).words, text_clip(name).word,
                 text_suggest(name, foot_names(k)).words);
    return 0;
  }
  if (!dot)
    return 1;
  const struct sketch_foot *f = &k->feet[t->foot];
  t->point = gait_find_point(f, dot + 1);
  if (t->point >= 0)
    return 1;
  const char *names[SKETCH_MAX_POINTS + 1] = {NULL};
  for (int i = 0; i < f->n_points && f->points[i].section; i++)
    names[i] = f->points[i].section->title;
  SKETCH_ERROR(k, s, "%s: foot '%s' has no point '%s'%s", text_describe(s).words, f->name, text_clip(dot + 1).word,
               text_suggest(dot + 1, names).words);
  return 0;
}

/* The intervals of an entry. 0 after an error. */
static int gait_read_on(const struct sketch *k, const struct text_entry *e, struct interval *on)
{
  static const struct text_range fraction = {0, 1, 0, ""};
  double values[2 * MAX_INTERVALS];
  if (e->n_values % 2 != 0 || e->n_values > 2 * MAX_INTERVALS) {
    SKETCH_ERROR(k, e, "%s: expected pairs {from, until}, at most %d, found %d value%s", text_describe_entry(e).words,
                 MAX_INTERVALS, e->n_values, e->n_values == 1 ? "" : "s");
    return 0;
  }
  int n = text_numbers(e, 2, 2 * MAX_INTERVALS, &fraction, values, k->d) / 2;
  for (int i = 0; i < n; i++) {
    on[i] = (struct interval){values[2 * i], values[2 * i + 1]};
    if (gait_length_of(on[i]) > TINY)
      continue;
    SKETCH_ERROR(k, e, "%s: the interval {%g, %g} is empty; for a whole cycle write {0, 1}",
                 text_describe_entry(e).words, on[i].from, on[i].until);
    return 0;
  }
  return n;
}

/* 0 after an error. */
static int gait_add_interval(struct contacts *c, int point, const char *name, struct interval i,
                             const struct text_entry *e)
{
  struct schedule *s = &c->points[point];
  for (int j = 0; j < s->n; j++) {
    if (!gait_overlap(s->on[j], i))
      continue;
    SKETCH_ERROR(c->k, e, "%s puts '%s' on the ground from %g to %g, but %s does so from %g to %g",
                 text_describe(e->section).words, name, i.from, i.until,
                 text_place(s->by[j]->file, s->by[j]->line, e->file).words, s->on[j].from, s->on[j].until);
    return 0;
  }
  if (s->n == MAX_INTERVALS) {
    SKETCH_ERROR(c->k, e, "%s gives '%s' more than %d intervals", text_describe(e->section).words, name, MAX_INTERVALS);
    return 0;
  }
  s->on[s->n] = i;
  s->by[s->n++] = e;
  return 1;
}

/* Index of the first contact point of a foot: left before right, feet in the order of the file, as in build_feet(). */
static int gait_first_point(const struct sketch *k, int foot, int is_right)
{
  int n = 0;
  for (int i = 0; i < foot; i++)
    n += k->feet[i].n_points * (k->feet[i].mirrored ? 2 : 1);
  return n + (is_right ? k->feet[foot].n_points : 0);
}

/* One side of a foot. 0 after an error. */
static int gait_add_side(struct contacts *c, const struct target *t, int is_right, struct interval i,
                         const struct text_entry *e)
{
  const struct sketch_foot *f = &c->k->feet[t->foot];
  const char *side = !f->mirrored ? "" : is_right ? "right_" : "left_";
  for (int p = 0; p < f->n_points; p++) {
    if (t->point >= 0 && t->point != p)
      continue;
    const char *name = arena_printf(c->k->arena, "%s%s", side, f->name);
    if (f->points[p].section)
      name = arena_printf(c->k->arena, "%s.%s", name, f->points[p].section->title);
    if (!gait_add_interval(c, gait_first_point(c->k, t->foot, is_right) + p, name, i, e))
      return 0;
  }
  return 1;
}

/* A touch-down alone. */
static void gait_read_touch(struct contacts *c, const struct text_section *s, const struct text_entry *e)
{
  static const struct text_range fraction = {0, 1, 0, ""};
  struct target t;
  double at;
  if (!gait_read_target(c->k, s, &t) || !text_numbers(e, 1, 1, &fraction, &at, c->k->d))
    return;
  const struct sketch_foot *f = &c->k->feet[t.foot];
  for (int is_right = 0; is_right <= f->mirrored; is_right++) {
    double later = at + (is_right && t.side == SIDE_BOTH ? c->g->right_lag : 0);
    for (int p = 0; p < f->n_points && t.side != (is_right ? SIDE_LEFT : SIDE_RIGHT); p++)
      if (t.point < 0 || t.point == p)
        c->touch[gait_first_point(c->k, t.foot, is_right) + p] = later - floor(later);
  }
}

static void gait_read_contact(struct contacts *c, const struct text_section *s)
{
  struct target t;
  struct interval on[MAX_INTERVALS];
  const struct text_entry *e = text_find(s, "on"), *at = text_find(s, "at");
  if (!e == !at)
    SKETCH_ERROR(c->k, s, "%s needs times: on = {from, until}, or at = TOUCH-DOWN alone", text_describe(s).words);
  if (!e && at) {
    gait_read_touch(c, s, at);
    return;
  }
  int n = e ? gait_read_on(c->k, e, on) : 0, good = gait_read_target(c->k, s, &t);
  for (int i = 0; good && i < n; i++) {
    int is_mirrored = c->k->feet[t.foot].mirrored;
    double lag = t.side == SIDE_BOTH ? c->g->right_lag : 0.0; /* one named side says itself when */
    if (t.side != SIDE_RIGHT)
      good &= gait_add_side(c, &t, 0, gait_shift(on[i], 0.0), e);
    if (good && is_mirrored && t.side != SIDE_LEFT)
      good &= gait_add_side(c, &t, 1, gait_shift(on[i], lag), e);
  }
}

/* Joins intervals that meet, also across the end of the cycle: the foot does not leave the ground between them. They
 * are sorted and do not overlap. Returns how many remain. */
static int gait_join_intervals(struct interval *on, int n)
{
  if (n == 0)
    return 0;
  int last = 0;
  double duty = gait_length_of(on[0]);
  for (int i = 1; i < n; i++) {
    duty += gait_length_of(on[i]);
    if (on[i].from - on[last].until < TINY)
      on[last].until = on[i].until;
    else
      on[++last] = on[i];
  }
  if (duty > 1.0 - TINY) {
    on[0] = (struct interval){0.0, 1.0};
    return 1;
  }
  double gap = on[0].from - on[last].until;
  if (last > 0 && gap - floor(gap + TINY) < TINY) {
    on[last].until = on[0].until;
    memmove(on, on + 1, (size_t)last * sizeof *on);
    return last;
  }
  return last + 1;
}

static int gait_by_start(const void *a, const void *b)
{
  double x = ((const struct interval *)a)->from, y = ((const struct interval *)b)->from;
  return (x > y) - (x < y);
}

/* touch: see struct open_gait. */
static void gait_read_gait(const struct sketch *k, const struct sketch_gait *from, int n_points, struct arena *arena,
                           struct gait *g, double *touch)
{
  struct contacts c = {k, from, ARENA_NEW(k->arena, (size_t)n_points, struct schedule), touch};
  const struct text_section *s = from->section;
  for (int p = 0; p < n_points; p++)
    touch[p] = NAN;
  for (const struct text_section *contact = s->sections; contact; contact = contact->next)
    if (strcmp(contact->kind, "contact") == 0)
      gait_read_contact(&c, contact);

  int *n_intervals = ARENA_NEW(arena, (size_t)n_points, int);
  const struct interval **on = ARENA_NEW(arena, (size_t)n_points, const struct interval *);
  for (int p = 0; p < n_points; p++) {
    struct schedule *schedule = &c.points[p];
    struct interval *sorted = ARENA_NEW(arena, (size_t)schedule->n, struct interval);
    memcpy(sorted, schedule->on, (size_t)schedule->n * sizeof *sorted);
    qsort(sorted, (size_t)schedule->n, sizeof *sorted, gait_by_start);
    n_intervals[p] = gait_join_intervals(sorted, schedule->n);
    on[p] = sorted;
  }
  *g = (struct gait){.name = arena_strdup(arena, s->title),
                     .period_slow = from->period[0],
                     .period_fast = from->period[1],
                     .speed_min = from->speed[0],
                     .speed_max = from->speed[1],
                     .right_lag = from->right_lag,
                     .n_intervals = n_intervals,
                     .on = on};
}

const struct gait *gait_read(const struct sketch *k, struct arena *arena)
{
  struct gait *gaits = ARENA_NEW(arena, (size_t)k->n_gaits, struct gait);
  int n_points = gait_first_point(k, k->n_feet, 0);
  double *none = ARENA_NEW(k->arena, (size_t)n_points + 1, double);
  for (int i = 0; i < k->n_gaits; i++)
    gait_read_gait(k, &k->gaits[i], n_points, arena, &gaits[i], none);
  return gaits;
}

const struct open_gait *gait_read_open(const struct sketch *k, struct arena *arena)
{
  struct open_gait *open = ARENA_NEW(arena, (size_t)k->n_open, struct open_gait);
  int n_points = gait_first_point(k, k->n_feet, 0);
  for (int i = 0; i < k->n_open; i++) {
    const struct sketch_gait *from = &k->gaits[k->n_gaits + i];
    double *touch = ARENA_NEW(arena, (size_t)n_points + 1, double);
    gait_read_gait(k, from, n_points, arena, &open[i].gait, touch);
    open[i].duty = from->duty;
    open[i].has_order = from->has_order;
    open[i].touch = touch;
  }
  return open;
}

/* ---- asking ---- */

int gait_contact(const struct gait *g, int p, double phase)
{
  double x = phase - floor(phase);
  if (x >= 1.0)
    x = 0.0; /* what is a little less than 0 rounds to 1 */
  for (int i = 0; i < g->n_intervals[p]; i++) {
    struct interval on = g->on[p][i];
    if (on.from < on.until ? x >= on.from && x < on.until : x >= on.from || x < on.until)
      return 1;
  }
  return 0;
}

double gait_duty(const struct gait *g, int p)
{
  double sum = 0.0;
  for (int i = 0; i < g->n_intervals[p]; i++)
    sum += gait_length_of(g->on[p][i]);
  return sum;
}

int gait_is_still(const struct creature *c, const struct gait *g)
{
  int touching = 0, still = g->speed_max <= 0.0;
  for (int p = 0; p < c->n_points; p++) {
    touching += g->n_intervals[p] > 0;
    still &= g->n_intervals[p] == 0 || gait_duty(g, p) > 1.0 - TINY;
  }
  return still && touching;
}

double gait_period(const struct gait *g, double speed)
{
  double range = g->speed_max - g->speed_min;
  double share = range > 0.0 ? (speed - g->speed_min) / range : 0.0;
  share = fmin(1.0, fmax(0.0, share));
  return (1.0 - share) * g->period_slow + share * g->period_fast; /* never outside of the two, whatever they are */
}
