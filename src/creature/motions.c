/* Gaits that no file has to give: see CREATURE_STAND in creature.h, and "Built-in gaits" in doc/creature-format.md. */
#include "creature/motions.h"

#include <math.h>
#include <string.h>

#include "creature/gait.h"
#include "creature/pose.h"
#include "creature/style.h"

#define N_MOTIONS   4          /* at most                                                                        */
#define LEVEL       0.02       /* of L: contact points so near to the lowest one at rest are on the ground       */
#define SAME_PLACE  0.02       /* of L: feet that are less apart along the body step as one pair                 */
#define LEAST_DUTY  0.55       /* of a gait of the file whose steps are fit to be made on the spot                  */
#define DUTY_OF_TWO 0.65       /* of steps on the spot where the file has no gait for them, with one pair of legs */
#define DUTY_OF_MORE 0.75      /* and with more: one leg of four in the air                                      */
#define PERIOD      4.0        /* sqrt(leg / g), of these steps: a person's slow walk takes 1.2 s                */

#define MOMENT      1e-6       /* of a cycle                                                                     */

/* Speeds of back and side, over sqrt(g leg): a person goes backwards at some 0.75 m/s, sideways at half of that; and
 * over the least speed of the gait whose steps they are, so that insects do not race. */
#define BACK_SPEED  0.20
#define SIDE_SPEED  0.10
#define BACK_MOST   1.0
#define SIDE_MOST   0.5

struct motions {
  struct arena *arena;
  struct creature *c;
  int n;
  struct gait *gaits;
  unsigned char *grounded;      /* reaches the ground at rest (n_points)                       */
  double (*at)[3];              /* contact points at rest (n_points) [m]                       */
  double leg;                   /* mean length of the legs that stand [m]                      */
};

static int motions_foot_stands(const struct motions *m, int foot)
{
  const struct foot *f = &m->c->feet[foot];
  for (int p = f->first_point; p < f->first_point + f->n_points; p++)
    if (m->grounded[p])
      return 1;
  return 0;
}

/* What stands at rest. The number of such feet. */
static int motions_look(struct motions *m)
{
  const struct creature *c = m->c;
  double *q = ARENA_NEW(m->arena, (size_t)c->n_dofs, double), lowest = INFINITY, sum = 0;
  struct pose_frame *frames = ARENA_NEW(m->arena, (size_t)c->n_dofs, struct pose_frame);
  int standing = 0;
  m->grounded = ARENA_NEW(m->arena, (size_t)c->n_points + 1, unsigned char);
  m->at = arena_alloc(m->arena, (size_t)c->n_points + 1, sizeof *m->at);
  creature_rest_pose(c, q);
  pose_frames(c, q, frames);
  for (int p = 0; p < c->n_points; p++) {
    pose_point(&frames[c->points[p].body], c->points[p].at, m->at[p]);
    lowest = fmin(lowest, m->at[p][2]);
  }
  for (int p = 0; p < c->n_points; p++)
    m->grounded[p] = m->at[p][2] <= lowest + LEVEL * c->height;
  for (int f = 0; f < c->n_feet; f++)
    if (motions_foot_stands(m, f))
      sum += c->feet[f].leg_length, standing++;
  m->leg = standing ? sum / standing : 0;
  return standing;
}

static int motions_slowest_gait(const struct creature *c)
{
  int slowest = -1;
  for (int g = 0; g < c->n_gaits; g++)
    if (slowest < 0 || c->gaits[g].speed_min < c->gaits[slowest].speed_min)
      slowest = g;
  return slowest;
}

/* Of what goes nowhere: without key poses, which belong to a way of going. */
static const struct style *motions_calm_style(const struct motions *m, const struct style *s)
{
  if (!s)
    return NULL;
  struct style *calm = ARENA_NEW(m->arena, 1, struct style);
  *calm = *s;
  calm->n_keys = 0;
  return calm;
}

/* A gait of that name, unless the file has it; its intervals are to be filled in. NULL: it has. */
static struct gait *motions_add(struct motions *m, const char *name, struct gait like)
{
  const struct creature *c = m->c;
  for (int g = 0; g < c->n_gaits; g++)
    if (strcmp(c->gaits[g].name, name) == 0)
      return NULL;
  struct gait *g = &m->gaits[m->n++];
  *g = like;
  g->name = name;
  return g;
}

/* ---- stand ---- */

static void motions_set_standing(const struct motions *m, struct gait *g)
{
  size_t n = (size_t)m->c->n_points;
  int *count = ARENA_NEW(m->arena, n, int);
  const struct interval **on = ARENA_NEW(m->arena, n, const struct interval *);
  struct interval *always = ARENA_NEW(m->arena, 1, struct interval);
  *always = (struct interval){0.0, 1.0};
  for (size_t p = 0; p < n; p++)
    count[p] = m->grounded[p], on[p] = always;
  g->n_intervals = count;
  g->on = on;
}

/* ---- steps ---- */

/* Feet of one leg, such as heel and ball, step as one; which leg a foot is of. */
static int motions_leg(const struct motions *m, int foot)
{
  return m->c->feet[foot].first_leg_limb;
}

static int motions_leg_stands(const struct motions *m, int leg)
{
  for (int f = 0; f < m->c->n_feet; f++)
    if (motions_leg(m, f) == leg && motions_foot_stands(m, f))
      return 1;
  return 0;
}

/* Share of the cycle from the touch-down of a leg until all of it is up again; 0: it never touches; -1: it does not
 * step just once. */
static double motions_leg_duty(const struct motions *m, const struct gait *g, int leg)
{
  enum { SAMPLES = 360 };
  int on[SAMPLES] = {0}, touch_downs = 0, sum = 0;
  for (int p = 0; p < m->c->n_points; p++)
    for (int k = 0; k < SAMPLES && motions_leg(m, m->c->points[p].foot) == leg; k++)
      on[k] |= gait_contact(g, p, (k + 0.5) / SAMPLES);
  for (int k = 0; k < SAMPLES; k++)
    sum += on[k], touch_downs += on[k] && !on[(k + SAMPLES - 1) % SAMPLES];
  return sum == 0 ? 0 : touch_downs == 1 ? (double)sum / SAMPLES : -1;
}

/* Can a creature that goes nowhere step like this? Each leg that stands does step, and is in the air for the shorter
 * part of the cycle; no other touches the ground. */
static int motions_can_step_in(const struct motions *m, const struct gait *g)
{
  for (int f = 0; f < m->c->n_feet; f++) {
    double duty = motions_leg_duty(m, g, motions_leg(m, f));
    if (motions_leg_stands(m, motions_leg(m, f)) ? !(duty > LEAST_DUTY) : duty != 0)
      return 0;
  }
  return 1;
}

/* Legs by where their feet are along the body, from hind to fore. Returns how many pairs, or single legs on the
 * midline, there are; pair[f] is the number of foot f's, -1 for one whose leg does not stand. */
static int motions_number_pairs(const struct motions *m, int *pair)
{
  const struct creature *c = m->c;
  double *x = ARENA_NEW(m->arena, (size_t)c->n_feet, double); /* of a leg: its hindmost point */
  int n = 0;
  for (int f = 0; f < c->n_feet; f++) {
    x[f] = INFINITY;
    pair[f] = -1;
    for (int p = 0; p < c->n_points; p++)
      if (motions_leg(m, c->points[p].foot) == motions_leg(m, f) && m->grounded[p])
        x[f] = fmin(x[f], m->at[p][0]);
  }
  for (;;) {
    double next = INFINITY;
    for (int f = 0; f < c->n_feet; f++)
      next = pair[f] < 0 ? fmin(next, x[f]) : next;
    if (!isfinite(next))
      return n;
    for (int f = 0; f < c->n_feet; f++)
      if (pair[f] < 0 && !(x[f] > next + SAME_PLACE * c->height)) /* of damaged numbers, too */
        pair[f] = n;
    n++;
  }
}

static void motions_set_steps(const struct motions *m, struct gait *g)
{
  const struct creature *c = m->c;
  size_t n = (size_t)c->n_points;
  int *count = ARENA_NEW(m->arena, n, int), *pair = ARENA_NEW(m->arena, (size_t)c->n_feet, int);
  const struct interval **on = ARENA_NEW(m->arena, n, const struct interval *);
  int pairs = motions_number_pairs(m, pair);
  for (size_t p = 0; p < n; p++) {
    int foot = c->points[p].foot;
    if (!m->grounded[p])
      continue;
    struct interval *one = ARENA_NEW(m->arena, 1, struct interval);
    double later = m->at[c->feet[foot].first_point][1] < 0 ? 0.5 : 0;
    *one = gait_shift((struct interval){0.0, pairs > 1 ? DUTY_OF_MORE : DUTY_OF_TWO}, later + 0.5 * pair[foot] / pairs);
    on[p] = one;
    count[p] = 1;
  }
  g->n_intervals = count;
  g->on = on;
}

/* Does a leg touch the ground in a gait at a phase? */
static int motions_leg_touches(const struct motions *m, const struct gait *g, int leg, double phase)
{
  for (int p = 0; p < m->c->n_points; p++)
    if (motions_leg(m, m->c->points[p].foot) == leg && gait_contact(g, p, phase))
      return 1;
  return 0;
}

/* When a leg that steps once in a cycle touches down and lifts off. */
static struct interval motions_leg_interval(const struct motions *m, const struct gait *g, int leg)
{
  struct interval all = {0.0, 1.0};
  for (int p = 0; p < m->c->n_points; p++)
    for (int i = 0; i < g->n_intervals[p] && motions_leg(m, m->c->points[p].foot) == leg; i++) {
      struct interval on = g->on[p][i];
      if (!motions_leg_touches(m, g, leg, on.from - MOMENT))
        all.from = on.from;
      if (!motions_leg_touches(m, g, leg, on.until + MOMENT))
        all.until = on.until;
    }
  return all;
}

/* The legs' steps of a gait, but with feet that stay flat: one that rolls from heel to toe does so to go forwards. */
static void motions_set_flat_steps(const struct motions *m, const struct gait *from, struct gait *g)
{
  size_t n = (size_t)m->c->n_points;
  int *count = ARENA_NEW(m->arena, n, int);
  const struct interval **on = ARENA_NEW(m->arena, n, const struct interval *);
  for (size_t p = 0; p < n; p++) {
    struct interval *one = ARENA_NEW(m->arena, 1, struct interval);
    *one = motions_leg_interval(m, from, motions_leg(m, m->c->points[p].foot));
    on[p] = one;
    count[p] = m->grounded[p];
  }
  g->n_intervals = count;
  g->on = on;
}

void motions_build_in(struct arena *arena, struct creature *c)
{
  struct motions m = {.arena = arena, .c = c, .n = c->n_gaits};
  int standing = motions_look(&m), slowest = motions_slowest_gait(c);
  c->n_motions = c->n_gaits;
  if (!standing)
    return;
  m.gaits = ARENA_NEW(arena, (size_t)c->n_gaits + N_MOTIONS, struct gait);
  memcpy(m.gaits, c->gaits, (size_t)c->n_gaits * sizeof *m.gaits);
  struct gait like = {.right_lag = 0.5};
  double unit = sqrt(CREATURE_GRAVITY * m.leg), most = INFINITY;
  int as_in_file = slowest >= 0 && motions_can_step_in(&m, &c->gaits[slowest]);
  like.period_slow = like.period_fast = as_in_file ? c->gaits[slowest].period_slow : PERIOD * unit / CREATURE_GRAVITY;
  like.style = slowest < 0 ? NULL : motions_calm_style(&m, c->gaits[slowest].style);
  if (as_in_file) {
    most = c->gaits[slowest].speed_min;
    like.right_lag = c->gaits[slowest].right_lag;
    motions_set_flat_steps(&m, &c->gaits[slowest], &like);
  } else
    motions_set_steps(&m, &like);
  struct gait *stand = motions_add(&m, CREATURE_STAND, like);
  if (stand)
    motions_set_standing(&m, stand);
  motions_add(&m, CREATURE_STEP, like);
  like.strafe = acos(-1);
  like.speed_max = fmin(BACK_SPEED * unit, BACK_MOST * most);
  like.speed_min = 0.5 * like.speed_max;
  motions_add(&m, "back", like);
  like.strafe = acos(0);
  like.speed_max = fmin(SIDE_SPEED * unit, SIDE_MOST * most);
  like.speed_min = 0.5 * like.speed_max;
  motions_add(&m, "side", like);
  c->gaits = m.gaits;
  c->n_motions = m.n;
}
