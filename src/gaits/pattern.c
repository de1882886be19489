/* Families of footfall orders. See gaits/pattern.h. */
#include "gaits/pattern.h"

#include <math.h>
#include <stdlib.h>

#include "base/angle.h"

#define PATTERN_DUTY_LEAST 0.12
#define PATTERN_DUTY_MOST  0.9
#define PATTERN_LEAD_MOST  0.4   /* legs of a pair that are nearly half a cycle apart alternate */

static double pattern_wrap(double x) { return x - floor(x); }

static int pattern_pairs(const struct legs *legs)
{
  int n = 0;
  for (int i = 0; i < legs->n; i++)
    n += legs->leg[i].other > i;
  return n;
}

int pattern_family_fits(const struct legs *legs, enum pattern_family family)
{
  int pairs = pattern_pairs(legs);
  switch (family) {
  case PATTERN_ALTERNATE: return pairs > 0;
  case PATTERN_TOGETHER: return 1;
  case PATTERN_LEAD: return legs->n_rows == 2 && pairs > 0;
  case PATTERN_RING: return legs->n >= 3 && 2 * pairs < legs->n;
  case PATTERN_GIVEN: return 1;
  }
  return 0;
}

static double pattern_duty(const struct legs *legs, const struct pattern *p, int row)
{
  double share = legs->n_rows > 1 ? (double)row / (legs->n_rows - 1) : 0;
  return p->duty_hind + share * (p->duty_fore - p->duty_hind);
}

/* Place of each leg in the order round the body, from the hindmost on. */
static void pattern_ring(const struct legs *legs, int *place)
{
  double centre[2] = {0}, angle[LEGS_MOST];
  for (int i = 0; i < legs->n; i++)
    for (int k = 0; k < 2; k++)
      centre[k] += legs->leg[i].at[k] / legs->n;
  for (int i = 0; i < legs->n; i++)
    angle[i] = atan2(legs->leg[i].at[1] - centre[1], legs->leg[i].at[0] - centre[0]);
  for (int i = 0; i < legs->n; i++) {
    double after = pattern_wrap((angle[i] - angle[0]) / (2 * PI));
    place[i] = 0;
    for (int k = 0; k < legs->n; k++) {
      double other = pattern_wrap((angle[k] - angle[0]) / (2 * PI));
      place[i] += other < after || (other == after && k < i);
    }
  }
}

void pattern_footfall(const struct legs *legs, const struct pattern *p, struct footfall *out)
{
  int place[LEGS_MOST];
  *out = (struct footfall){.period = p->period, .toe_down = p->toe_down, .heel_off = p->heel_off};
  pattern_ring(legs, place);
  for (int i = 0; i < legs->n; i++) {
    const struct leg *leg = &legs->leg[i];
    double at = leg->row * p->lag, lead = leg->row ? p->lead_fore : p->lead_hind;
    int is_right = leg->other >= 0 && leg->other < i; /* of a pair, the second */
    if (p->family == PATTERN_ALTERNATE)
      at += 0.5 * is_right;
    else if (p->family == PATTERN_LEAD && leg->other >= 0)
      at += is_right ? 0 : lead;
    else if (p->family == PATTERN_RING)
      at = place[i] * p->lag;
    if (p->family == PATTERN_LEAD)   /* the lag is that of the middles */
      at += leg->row ? 0.5 * (p->lead_hind - p->lead_fore) : 0;
    if (p->family == PATTERN_LEAD && leg->other < 0)
      at += 0.5 * lead;
    out->touch[i] = pattern_wrap(at);
    out->duty[i] = pattern_duty(legs, p, leg->row);
  }
}

static double pattern_clamp(double x, double lo, double hi) { return fmin(hi, fmax(lo, x)); }

static int pattern_rolls(const struct legs *legs)
{
  for (int i = 0; i < legs->n; i++)
    if (legs->leg[i].rolls)
      return 1;
  return 0;
}

int pattern_normalize(const struct legs *legs, struct pattern *p)
{
  p->duty_hind = pattern_clamp(p->duty_hind, PATTERN_DUTY_LEAST, PATTERN_DUTY_MOST);
  p->duty_fore = legs->n_rows == 2 ? pattern_clamp(p->duty_fore, PATTERN_DUTY_LEAST, PATTERN_DUTY_MOST) : p->duty_hind;
  p->lag = legs->n_rows > 1 || p->family == PATTERN_RING ? pattern_wrap(p->lag) : 0;
  if (p->lag > 1 - 1e-6)
    p->lag = 0;
  if (!pattern_rolls(legs))
    p->toe_down = 0, p->heel_off = 1;
  if (p->family != PATTERN_LEAD) {
    p->lead_hind = p->lead_fore = 0;
    return 1;
  }
  if (p->lead_hind < 0) /* its mirror image */
    p->lead_hind = -p->lead_hind, p->lead_fore = -p->lead_fore;
  return p->lead_hind <= PATTERN_LEAD_MOST && fabs(p->lead_fore) <= PATTERN_LEAD_MOST;
}

static int pattern_near(double a, double b, double step) { return fabs(a - b) < 0.5 * step; }

int pattern_same(const struct pattern *a, const struct pattern *b, double step)
{
  double lag = fabs(a->lag - b->lag);
  return a->family == b->family && pattern_near(a->duty_hind, b->duty_hind, step) &&
         pattern_near(a->duty_fore, b->duty_fore, step) && fmin(lag, 1 - lag) < 0.5 * step &&
         pattern_near(a->lead_hind, b->lead_hind, step) && pattern_near(a->lead_fore, b->lead_fore, step) &&
         pattern_near(a->toe_down, b->toe_down, step) && pattern_near(a->heel_off, b->heel_off, step) &&
         fabs(log(a->period / b->period)) < 0.02;
}

double pattern_natural_period(const struct legs *legs, double speed)
{
  double l = legs->length;
  return 2.3 * pow(speed * speed / (CREATURE_GRAVITY * l), 0.3) * l / speed;
}

/* Shortens the period until legs reach; the shortest stance, of several duties, says how far. */
static void pattern_fit_period(const struct legs *legs, struct pattern *p, double speed)
{
  struct footfall f;
  pattern_footfall(legs, p, &f);
  double reach = footfall_reach(legs, &f, speed);
  if (reach > PATTERN_REACH)
    p->period *= PATTERN_REACH / reach;
}

/* ---- the coarse grid ---- */

struct grid {
  const struct legs *legs;
  const struct pattern_fixed *fixed;
  double speed;
  int frames, n, room;
  struct pattern *list;
};

static double grid_snap(const struct grid *g, double x) { return round(x * g->frames) / g->frames; }

/* What is fixed, whatever a pattern was made for. */
static void pattern_fix(struct pattern *p, const struct pattern_fixed *fixed)
{
  if (fixed->duty > 0)
    p->duty_hind = p->duty_fore = fixed->duty;
  if (fixed->period > 0)
    p->period = fixed->period;
}

static const struct pattern_fixed nothing_fixed = {0};

static void grid_add(struct grid *g, struct pattern p)
{
  p.duty_hind = grid_snap(g, p.duty_hind);
  p.duty_fore = grid_snap(g, p.duty_fore);
  p.lag = grid_snap(g, p.lag);
  p.lead_hind = grid_snap(g, p.lead_hind);
  p.lead_fore = grid_snap(g, p.lead_fore);
  p.period = pattern_natural_period(g->legs, g->speed);
  if (!pattern_normalize(g->legs, &p) || g->n == g->room)
    return;
  pattern_fit_period(g->legs, &p, g->speed);
  pattern_fix(&p, g->fixed);
  for (int i = 0; i < g->n; i++)
    if (pattern_same(&g->list[i], &p, 1.0 / g->frames))
      return;
  g->list[g->n++] = p;
}

/* With heel and toe where feet roll: heel first, as in a walk, and on the toes. */
static void grid_add_feet(struct grid *g, struct pattern p)
{
  p.toe_down = 0.125, p.heel_off = 0.56; /* a person's walk: .08 and .36 of .64 */
  grid_add(g, p);
  if (pattern_rolls(g->legs) && !g->fixed->feet) {
    p.toe_down = p.heel_off = 0;
    grid_add(g, p);
  }
}

static void grid_add_lags(struct grid *g, enum pattern_family family, double duty, int n)
{
  for (int i = 0; i < n; i++)
    grid_add_feet(g, (struct pattern){.family = family, .duty_hind = duty, .duty_fore = duty, .lag = (double)i / n});
}

static void grid_add_leads(struct grid *g, double duty)
{
  static const double leads[] = {0.125, 0.25}, lags[] = {0.25, 0.375, 0.5};
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 3; k++)
      for (int side = -1; side <= 1; side += 2)
        grid_add_feet(g, (struct pattern){.family = PATTERN_LEAD, .duty_hind = duty, .duty_fore = duty, .lag = lags[k],
                                          .lead_hind = leads[i], .lead_fore = side * leads[i]});
}

/* Duties from the longest stance that the legs allow downwards: at natural periods a foot travels its leg's length. */
static const double grid_duties[] = {1, 0.75, 0.55};
#define GRID_DUTIES     3
#define GRID_DUTY_MOST  0.85
#define GRID_LEAP_FROM  0.25     /* Froude number: slower animals do not gallop, bound or hop */

static void grid_add_families(struct grid *g, double duty, int is_longest, int may_leap)
{
  const struct legs *legs = g->legs;
  int lags = legs->n_rows == 1 ? 1 : legs->n_rows == 2 ? 8 : legs->n_rows <= 4 ? 12 : 10;
  if (pattern_family_fits(legs, PATTERN_ALTERNATE))
    grid_add_lags(g, PATTERN_ALTERNATE, duty, lags);
  if (may_leap && (!is_longest || legs->n_rows == 1))
    grid_add_lags(g, PATTERN_TOGETHER, duty, legs->n_rows == 1 ? 1 : 4);
  if (pattern_family_fits(legs, PATTERN_LEAD) && may_leap && !is_longest)
    grid_add_leads(g, duty);
  if (pattern_family_fits(legs, PATTERN_RING))
    for (int k = 1; k < legs->n; k++)
      grid_add_feet(g, (struct pattern){.family = PATTERN_RING, .duty_hind = duty, .duty_fore = duty,
                                        .lag = (double)k / legs->n});
}

const struct pattern *pattern_grid(struct arena *arena, const struct legs *legs, double speed, int frames,
                                   const struct pattern_fixed *fixed, int *n)
{
  double l = legs->length, froude = speed * speed / (CREATURE_GRAVITY * l);
  double longest = fmin(GRID_DUTY_MOST, 0.95 * l / (speed * pattern_natural_period(legs, speed)));
  struct grid g = {.legs = legs, .fixed = fixed ? fixed : &nothing_fixed, .speed = speed, .frames = frames,
                   .room = 400};
  g.list = ARENA_NEW(arena, (size_t)g.room, struct pattern);
  int may_leap = froude >= GRID_LEAP_FROM || g.fixed->duty > 0 || !pattern_family_fits(legs, PATTERN_ALTERNATE);
  for (int i = 0; i < GRID_DUTIES; i++) {
    double duty = g.fixed->duty > 0 ? g.fixed->duty : grid_duties[i] * longest;
    if (g.fixed->touch)
      grid_add_feet(&g, (struct pattern){.family = PATTERN_GIVEN, .duty_hind = duty, .duty_fore = duty});
    else
      grid_add_families(&g, duty, i == 0 && !(g.fixed->duty > 0), may_leap);
  }
  *n = g.n;
  return g.list;
}

/* ---- neighbours ---- */

static int neighbours_add(const struct legs *legs, struct pattern p, double speed, const struct pattern_fixed *fixed,
                          struct pattern *out, int n)
{
  struct footfall f;
  if (!pattern_normalize(legs, &p))
    return n;
  pattern_footfall(legs, &p, &f);
  if (footfall_reach(legs, &f, speed) > PATTERN_REACH)
    pattern_fit_period(legs, &p, speed);
  pattern_fix(&p, fixed);
  out[n] = p;
  return n + 1;
}

int pattern_neighbours(const struct legs *legs, const struct pattern *p, double speed, double step, double pace,
                       const struct pattern_fixed *fixed, struct pattern *out)
{
  int n = 0;
  fixed = fixed ? fixed : &nothing_fixed;
  int rolls = pattern_rolls(legs) && p->heel_off > 0 && !fixed->feet, free_duty = !(fixed->duty > 0);
  for (int side = -1; side <= 1; side += 2) {
    struct pattern q = *p;
    q.duty_hind += side * step, q.duty_fore += side * step;
    if (free_duty)
      n = neighbours_add(legs, q, speed, fixed, out, n);
    q = *p, q.period *= side > 0 ? 1 + pace : 1 / (1 + pace);
    if (!(fixed->period > 0))
      n = neighbours_add(legs, q, speed, fixed, out, n);
    q = *p, q.lag += side * step;
    if (!fixed->touch && (legs->n_rows > 1 || p->family == PATTERN_RING))
      n = neighbours_add(legs, q, speed, fixed, out, n);
    q = *p, q.duty_fore += side * step;
    if (legs->n_rows == 2 && free_duty)
      n = neighbours_add(legs, q, speed, fixed, out, n);
    q = *p, q.lead_hind += side * step;
    if (p->family == PATTERN_LEAD)
      n = neighbours_add(legs, q, speed, fixed, out, n);
    q = *p, q.lead_fore += side * step;
    if (p->family == PATTERN_LEAD)
      n = neighbours_add(legs, q, speed, fixed, out, n);
    q = *p, q.heel_off = pattern_clamp(q.heel_off + 2 * side * step, q.toe_down, 1);
    if (rolls)
      n = neighbours_add(legs, q, speed, fixed, out, n);
    q = *p, q.toe_down = pattern_clamp(q.toe_down + side * step, 0, q.heel_off);
    if (rolls)
      n = neighbours_add(legs, q, speed, fixed, out, n);
  }
  return n;
}
