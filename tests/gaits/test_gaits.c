/* Gaits found, not given: legs of toy bodies, families of footfall orders, names, effort against another way to compute
 * it, sections read back, and a real search with the same result for any number of workers. */
#include <stdlib.h>

#include "base/rng.h"
#include "check.h"
#include "dynamics/dynamics.h"
#include "dynamics/tissue.h"
#include "gaits/balance.h"
#include "gaits/burst.h"
#include "gaits/gaits.h"
#include "gaits/job.h"
#include "gaits/sections.h"
#include "store/store.h"
#include "zoo.h"

static const struct creature *parse(struct arena *arena, const char *text)
{
  struct diag d;
  diag_init(&d);
  const struct creature *c = creature_parse(arena, "toy", text, strlen(text), &d);
  if (!c)
    fprintf(stderr, "%s\n", d.n_messages ? d.messages[0].text : "no creature");
  diag_clear(&d);
  return c;
}

/* A trunk on pairs of legs at these places along it, and single legs in its middle. */
static const struct creature *toy(struct arena *arena, int n_pairs, int n_single)
{
  const char *text = "name = toy  limb trunk { from = {-0.3, 0, 0}  to = {0.3, 0, 0}  radius = 0.08  mass = 5 }\n";
  for (int i = 0; i < n_pairs + n_single; i++)
    text = arena_printf(arena,
                        "%slimb leg%d { parent = trunk %s at = {%g, %g, -0.05} to = {0, 0, -0.3} radius = 0.02 "
                        "mass = 0.5 axis flexion { about = -y range = {-60, 60} } "
                        "axis knee { about = x range = {-40, 40} } }\n"
                        "foot tip%d { limb = leg%d }\n",
                        text, i, i < n_pairs ? "mirror = true" : "", 0.3 - 0.12 * i, i < n_pairs ? 0.1 : 0.0, i, i);
  return parse(arena, text);
}

/* ---- legs ---- */

static void test_legs(struct arena *arena)
{
  for (int pairs = 0; pairs <= 4; pairs++)
    for (int single = 0; single <= 3; single++) {
      const struct creature *c = toy(arena, pairs, single);
      const struct legs *legs = legs_of(arena, c);
      CHECK((legs != NULL) == (pairs + single > 0));
      if (!legs)
        continue;
      CHECK_INT(legs->n, 2 * pairs + single);
      CHECK_INT(legs->n_rows, pairs + single);
      CHECK(legs->symmetric);
      for (int i = 0; i < legs->n; i++) {
        CHECK_NEAR(legs->leg[i].length, 0.3, 1e-9);
        CHECK(i == 0 || legs->leg[i].row >= legs->leg[i - 1].row);
        CHECK(i == 0 || legs->leg[i].at[0] >= legs->leg[i - 1].at[0] - 1e-12);
        CHECK(legs->leg[i].side == LEG_MIDDLE || legs->leg[legs->leg[i].other].other == i);
      }
      CHECK_INT(pattern_family_fits(legs, PATTERN_ALTERNATE), pairs > 0);
      CHECK_INT(pattern_family_fits(legs, PATTERN_LEAD), pairs > 0 && pairs + single == 2);
      CHECK_INT(pattern_family_fits(legs, PATTERN_RING), 2 * pairs + single >= 3 && single > 0);
    }
}

/* Legs that are written out for both sides are a pair as well, by where they are. */
static void test_unmirrored(struct arena *arena)
{
  const struct creature *c = parse(
      arena, "limb b { from = {-1, 0, 0} to = {1, 0, 0} radius = 0.1 }"
             "limb l { parent = b at = {0, 0.2, 0} to = {0, 0, -1} radius = 0.05 axis a { about = y } }"
             "limb r { parent = b at = {0, -0.2, 0} to = {0, 0, -1} radius = 0.05 axis a { about = y } }"
             "foot fl { limb = l }  foot fr { limb = r }");
  const struct legs *legs = legs_of(arena, c);
  CHECK_INT(legs->n_rows, 1);
  CHECK_INT(legs->leg[0].other, 1);
  CHECK_INT(legs->leg[0].side, LEG_LEFT);
  CHECK_INT(legs->symmetric, 0);
}

/* Heel and ball of a person are one leg, which rolls. */
static void test_human(struct arena *arena)
{
  const struct creature *c = zoo_find(arena, "human");
  const struct legs *legs = legs_of(arena, c);
  CHECK_INT(legs->n, 2);
  CHECK(legs->leg[0].rolls && legs->leg[1].rolls);
  for (int i = 0; i < c->n_points; i++)
    CHECK_NEAR(legs->along[i], strstr(c->points[i].name, "ball") ? 1 : 0, 1e-9);
  struct pattern p = {.family = PATTERN_ALTERNATE, .duty_hind = 0.64, .duty_fore = 0.64, .toe_down = 0.125,
                      .heel_off = 0.5625, .period = 1};
  struct footfall f;
  pattern_footfall(legs, &p, &f);
  struct gait g = footfall_gait(arena, c, legs, &f, "walk", 1.3);
  /* those of the file: heel {0, .36}, ball {.08, .64}, right half a cycle later */
  for (int i = 0; i < c->n_points; i++) {
    int ball = legs->along[i] > 0.5, right = c->points[i].name[0] == 'r';
    CHECK_NEAR(g.on[i][0].from, (ball ? 0.08 : 0) + (right ? 0.5 : 0), 1e-9);
    CHECK_NEAR(fmod(g.on[i][0].until - (right ? 0.5 : 0) + 1, 1), ball ? 0.64 : 0.36, 1e-9);
  }
}

/* ---- footfalls and names ---- */

static void test_footfalls(struct arena *arena)
{
  const struct legs *legs = legs_of(arena, toy(arena, 2, 0)); /* hind left, hind right, fore left, fore right */
  struct footfall f;
  struct pattern gallop = {.family = PATTERN_LEAD, .duty_hind = 0.2, .duty_fore = 0.3, .lag = 0.4, .lead_hind = 0.1,
                           .lead_fore = -0.2, .period = 1};
  pattern_footfall(legs, &gallop, &f);
  CHECK_NEAR(f.touch[1], 0, 1e-12);
  CHECK_NEAR(f.touch[0], 0.1, 1e-12);
  CHECK_NEAR(f.touch[2], 0.05 + 0.4 - 0.1, 1e-12); /* rotary: left first */
  CHECK_NEAR(f.touch[3], 0.05 + 0.4 + 0.1, 1e-12);
  CHECK_NEAR(f.duty[0], 0.2, 1e-12);
  CHECK_NEAR(f.duty[3], 0.3, 1e-12);
  struct pattern walk = {.family = PATTERN_ALTERNATE, .duty_hind = 0.6, .duty_fore = 0.6, .lag = 0.25, .period = 1};
  pattern_footfall(legs, &walk, &f);
  static const double quarters[] = {0, 0.5, 0.25, 0.75};
  for (int i = 0; i < 4; i++) /* one foot every quarter */
    CHECK_NEAR(f.touch[i], quarters[i], 1e-12);
  CHECK_NEAR(footfall_reach(legs, &f, 0.25), 0.25 * 0.6 / 0.3, 1e-9);
  struct pattern ring = {.family = PATTERN_RING, .duty_hind = 0.6, .lag = 1.0 / 3, .period = 1};
  const struct legs *three = legs_of(arena, toy(arena, 1, 1));
  pattern_footfall(three, &ring, &f);
  double sum = 0;
  for (int i = 0; i < 3; i++)
    sum += f.touch[i];
  CHECK_NEAR(sum, 1, 1e-9); /* 0, 1/3, 2/3 in some order */
}

static void test_names(struct arena *arena)
{
  static const struct { int pairs; struct pattern p; const char *key; } cases[] = {
      {1, {PATTERN_ALTERNATE, 0.6, 0.6, 0, 0, 0, 0, 1, 1}, "walk"},
      {1, {PATTERN_ALTERNATE, 0.4, 0.4, 0, 0, 0, 0, 1, 1}, "run"},
      {1, {PATTERN_TOGETHER, 0.4, 0.4, 0, 0, 0, 0, 1, 1}, "hop"},
      {2, {PATTERN_ALTERNATE, 0.62, 0.62, 0.2, 0, 0, 0, 1, 1}, "walk"},
      {2, {PATTERN_ALTERNATE, 0.62, 0.62, 0.75, 0, 0, 0, 1, 1}, "diagonal_walk"},
      {2, {PATTERN_ALTERNATE, 0.38, 0.38, 0.54, 0, 0, 0, 1, 1}, "trot"},
      {2, {PATTERN_ALTERNATE, 0.36, 0.36, 0.04, 0, 0, 0, 1, 1}, "pace"},
      {2, {PATTERN_ALTERNATE, 0.36, 0.36, 0.97, 0, 0, 0, 1, 1}, "pace"},
      {2, {PATTERN_ALTERNATE, 0.42, 0.42, 0.25, 0, 0, 0, 1, 1}, "tolt"},
      {2, {PATTERN_TOGETHER, 0.28, 0.28, 0.48, 0, 0, 0, 1, 1}, "bound"},
      {2, {PATTERN_TOGETHER, 0.28, 0.28, 0.02, 0, 0, 0, 1, 1}, "pronk"},
      {2, {PATTERN_LEAD, 0.38, 0.38, 0.25, 0.27, 0.23, 0, 1, 1}, "canter"},       /* the horse's, of its file */
      {2, {PATTERN_LEAD, 0.23, 0.22, 0.375, 0.15, 0.16, 0, 1, 1}, "gallop"},      /* likewise                 */
      {2, {PATTERN_LEAD, 0.22, 0.22, 0.45, 0.12, -0.14, 0, 1, 1}, "rotary_gallop"}, /* the dog's              */
      {2, {PATTERN_LEAD, 0.22, 0.22, 0.45, 0, 0.14, 0, 1, 1}, "half_bound"},
      {3, {PATTERN_ALTERNATE, 0.53, 0.53, 0.5, 0, 0, 0, 1, 1}, "tripod"},
      {3, {PATTERN_ALTERNATE, 0.68, 0.68, 0.3333, 0, 0, 0, 1, 1}, "tetrapod"},
      {3, {PATTERN_ALTERNATE, 0.84, 0.84, 0.1667, 0, 0, 0, 1, 1}, "wave"},
      {4, {PATTERN_ALTERNATE, 0.84, 0.84, 0.8, 0, 0, 0, 1, 1}, "retrograde_wave"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    CHECK_STR(pattern_name(legs_of(arena, toy(arena, cases[i].pairs, 0)), &cases[i].p).key, cases[i].key);
}

/* Each pattern of the grid is one of its family's, within reach, and none comes twice; each has neighbours that are. */
static void test_grid(struct arena *arena)
{
  for (int pairs = 0; pairs <= 3; pairs++)
    for (int single = 0; single <= 2; single++) {
      const struct legs *legs = legs_of(arena, toy(arena, pairs, single));
      for (int s = 0; legs && s < 3; s++) {
        double speed = (const double[]){0.1, 0.8, 4}[s];
        int n, seen[PATTERN_FAMILIES] = {0};
        const struct pattern *grid = pattern_grid(arena, legs, speed, 24, NULL, &n);
        CHECK(n > 0);
        for (int i = 0; i < n; i++) {
          struct footfall f;
          struct pattern near[PATTERN_NEIGHBOURS];
          pattern_footfall(legs, &grid[i], &f);
          seen[grid[i].family]++;
          CHECK(footfall_reach(legs, &f, speed) <= PATTERN_REACH + 1e-9);
          for (int k = 0; k < i; k++)
            CHECK(!pattern_same(&grid[i], &grid[k], 1.0 / 24));
          int m = pattern_neighbours(legs, &grid[i], speed, 1.0 / 24, 0.1, NULL, near);
          CHECK(m > 0 && m <= PATTERN_NEIGHBOURS);
          for (int k = 0; k < m; k++) {
            pattern_footfall(legs, &near[k], &f);
            CHECK(footfall_reach(legs, &f, speed) <= PATTERN_REACH + 1e-9);
            CHECK(near[k].lag >= 0 && near[k].lag < 1);
          }
        }
        for (int k = 0; k < PATTERN_FAMILIES; k++)
          CHECK(!seen[k] || pattern_family_fits(legs, (enum pattern_family)k));
        CHECK(seen[PATTERN_ALTERNATE] > 0 || pairs == 0);
        CHECK(seen[PATTERN_TOGETHER] > 0 || (pairs > 0 && s < 2)); /* leaps are for Froude numbers from 0.25 on */
      }
    }
}

/* ---- effort ---- */

/* tau = M a + h - sum J^T f - tissue, with Jacobians of points and without dynamics_residual(). */
static void test_effort(struct arena *arena)
{
  const struct creature *c = zoo_find(arena, "horse");
  size_t n = (size_t)c->n_dofs;
  struct dynamics *d = dynamics_new(arena, c);
  struct rng r = rng_stream(3, 0);
  struct clip *clip = clip_new(arena, c, 12, 0.05);
  clip->cyclic = 1;
  clip->advance.x = 2.1;
  double *rest = ARENA_NEW(arena, n, double), *q = ARENA_NEW(arena, n, double), *v = ARENA_NEW(arena, n, double);
  double *a = ARENA_NEW(arena, n, double), *tau = ARENA_NEW(arena, n, double), *J = ARENA_NEW(arena, 3 * n, double);
  creature_rest_pose(c, rest);
  for (int k = 0; k < 12; k++) {
    for (size_t i = 0; i < n; i++)
      clip->q[(size_t)k * n + i] = rest[i] + rng_uniform(&r, -0.03, 0.03) + (i ? 0 : 2.1 * k / 12);
    for (int i = 0; i < 3 * c->n_points; i++)
      clip->force[k * 3 * c->n_points + i] = rng_uniform(&r, 0, 1000);
  }
  double torque = 0, work = 0, l = 0;
  for (int i = 0; i < c->n_feet; i++)
    l += c->feet[i].leg_length / c->n_feet;
  double mgL = c->mass * 9.81 * l, unit = sqrt(9.81 * l);
  for (int k = 0; k < 12; k++) {
    clip_state(clip, k, q, v, a);
    dynamics_inverse(d, q, v, a, tau);
    dynamics_kinematics(d, q);
    for (int i = 0; i < c->n_points; i++) {
      dynamics_point_jacobian(d, c->points[i].body, c->points[i].at, J);
      for (size_t j = 0; j < n; j++)
        for (int axis = 0; axis < 3; axis++)
          tau[j] -= J[(size_t)axis * n + j] * clip->force[3 * (k * c->n_points + i) + axis];
    }
    tissue_subtract(c, q, v, tau);
    for (size_t j = 6; j < n; j++) {
      torque += pow(tau[j] / mgL, 2) / 12;
      work += tau[j] * v[j] > 0 ? tau[j] * v[j] / (c->mass * 9.81 * unit) / 12 : 0;
    }
  }
  struct effort e;
  struct effort_prices p = {.work = 0.3, .living = 0.01};
  effort_of_clip(arena, c, clip, &p, &e);
  CHECK_NEAR(e.torque, torque, 1e-9 * torque);
  CHECK_NEAR(e.work, work, 1e-9 * work);
  CHECK_NEAR(e.rate, torque + 0.3 * work, 1e-9 * e.rate);
  CHECK_NEAR(e.transport, (e.rate + 0.01) / (2.1 / 0.6 / unit), 1e-9 * e.transport);
  CHECK(e.work > 0 && e.torque > 0);
  clip->advance.x = 0;
  for (int k = 0; k < 12; k++)
    clip->q[(size_t)k * n] = 0;
  effort_of_clip(arena, c, clip, &p, &e);
  CHECK(isinf(e.transport));
}

/* Falling of a body that holds still, on feet and with forces of our choice: an inverted pendulum. */
static double fall_of(struct arena *arena, const struct creature *c, double l, int first, int second, double share)
{
  struct clip *clip = clip_new(arena, c, 8, 0.05);
  clip->cyclic = 1;
  for (int k = 0; k < 8; k++) {
    creature_rest_pose(c, clip->q + k * c->n_dofs);
    for (int i = 0; i < c->n_points; i++) {
      int on = first < 0 ? share > 0 : i == (k < 4 ? first : second);
      clip->contact[k * c->n_points + i] = (unsigned char)on;
      clip->force[3 * (k * c->n_points + i) + 2] = on ? share * c->mass * 9.81 : 0;
    }
  }
  return balance_fall(arena, c, clip, l);
}

static void test_balance(struct arena *arena)
{
  const struct creature *c = toy(arena, 4, 0);
  double l = 0.3, period = 8 * 0.05 / sqrt(l / 9.81);
  CHECK_NEAR(fall_of(arena, c, l, -1, -1, 0.25), 0, 1e-12);                       /* on four feet */
  CHECK_NEAR(fall_of(arena, c, l, -1, -1, 0), 0, 1e-12);                          /* in the air   */
  CHECK_NEAR(fall_of(arena, c, l, 0, 0, 1), expm1(2 * period) / 2 / period, 1e-9); /* on one foot  */
  CHECK_NEAR(fall_of(arena, c, l, 0, 3, 1), 2 * expm1(period) / 2 / period, 1e-9); /* two steps    */
  CHECK_NEAR(fall_of(arena, c, l, 0, 3, 0.25), 2 * expm1(period / 2) / 2 / period, 1e-9);
}

/* Stances of known length and load, one of them across the end of the cycle. */
static void test_bursts(struct arena *arena)
{
  const struct creature *c = toy(arena, 1, 0);
  struct clip *clip = clip_new(arena, c, 10, 0.04);
  double l = 0.3, unit = sqrt(l / 9.81), weight = c->mass * 9.81;
  clip->cyclic = 1;
  for (int k = 0; k < 10; k++) /* left: frames 8, 9, 0, 1 with 1.5 weights; right: 3 to 6 with one */
    for (int i = 0; i < 2; i++) {
      int on = i ? k >= 3 && k <= 6 : k >= 8 || k <= 1;
      clip->contact[2 * k + i] = (unsigned char)on;
      clip->force[3 * (2 * k + i) + 2] = on ? (i ? 1 : 1.5) * weight : 0;
    }
  double stance = 4 * 0.04 / unit;
  CHECK_NEAR(burst_of_clip(arena, c, clip, l), (0.6 + 0.4) / (stance * stance), 1e-9);
  for (int k = 0; k < 10; k++) { /* a leg that stands all the time */
    clip->contact[2 * k] = 1, clip->contact[2 * k + 1] = 0;
    clip->force[6 * k + 2] = weight;
  }
  CHECK_NEAR(burst_of_clip(arena, c, clip, l), 1 / pow(10 * 0.04 / unit, 2), 1e-9);
}

/* ---- sections ---- */

static void same_gait(const struct creature *a, const struct gait *g, const struct creature *b, const struct gait *h)
{
  CHECK_STR(h->name, g->name);
  CHECK_NEAR(h->period_slow, g->period_slow, 0);
  CHECK_NEAR(h->period_fast, g->period_fast, 0);
  CHECK_NEAR(h->speed_min, g->speed_min, 0);
  CHECK_NEAR(h->speed_max, g->speed_max, 0);
  CHECK_INT(a->n_points, b->n_points);
  for (int i = 0; i < a->n_points; i++) {
    CHECK_INT(h->n_intervals[i], g->n_intervals[i]);
    for (int k = 0; k < g->n_intervals[i] && k < h->n_intervals[i]; k++) {
      CHECK_NEAR(h->on[i][k].from, g->on[i][k].from, 1e-12);
      CHECK_NEAR(h->on[i][k].until, g->on[i][k].until, 1e-12);
    }
  }
}

/* Every pattern of the grid, as a section of the creature's own text, in place of the gaits that were there. */
static void read_back(struct arena *arena, const char *name, double speed)
{
  struct diag d;
  diag_init(&d);
  const struct creature *c = zoo_find(arena, name);
  const struct legs *legs = legs_of(arena, c);
  size_t length;
  const char *text = store_creature_text(arena, c, &length, &d);
  const char *bare = sections_without_gaits(arena, c->file, text, length, NULL, &d);
  const struct creature *without = bare ? creature_parse(arena, "bare", bare, strlen(bare), &d) : NULL;
  CHECK(without != NULL);
  CHECK(c->n_gaits > 0 && without && without->n_gaits == 0 && without->n_tissues == c->n_tissues);
  int n;
  const struct pattern *grid = pattern_grid(arena, legs, speed, 24, NULL, &n);
  for (int i = 0; i < n; i += 5) {
    struct footfall f;
    pattern_footfall(legs, &grid[i], &f);
    struct gait g = footfall_gait(arena, c, legs, &f, "found", speed);
    g.right_lag = i % 2 ? 0 : 0.5;
    g.speed_max *= 1.2345678;
    footfall_tidy(&g);
    CHECK(g.speed_min <= speed && g.speed_max >= 1.2345678 * speed * (1 - 1e-9) && g.speed_max < 1.24 * speed);
    const char *whole = arena_printf(arena, "%s\n%s", bare, sections_of_gait(arena, c, &g, "a comment"));
    const struct creature *back = creature_parse(arena, "back", whole, strlen(whole), &d);
    CHECK(back && back->n_gaits == 1);
    if (back && back->n_gaits == 1)
      same_gait(c, &g, back, &back->gaits[0]);
  }
  CHECK_INT(d.n_errors, 0);
  for (int i = 0; i < d.n_messages && d.n_errors; i++)
    fprintf(stderr, "%s:%d: %s\n", d.messages[i].file, d.messages[i].line, d.messages[i].text);
  diag_clear(&d);
}

/* Compact where it can be: both sides in one. */
static void test_section_text(struct arena *arena)
{
  const struct creature *c = zoo_find(arena, "biped");
  const struct legs *legs = legs_of(arena, c);
  struct pattern p = {.family = PATTERN_ALTERNATE, .duty_hind = 0.6, .duty_fore = 0.6, .heel_off = 1, .period = 0.65};
  struct footfall f;
  pattern_footfall(legs, &p, &f);
  struct gait g = footfall_gait(arena, c, legs, &f, "walk", 0.8);
  CHECK_STR(sections_of_gait(arena, c, &g, "walk: found"),
            "# walk: found\ngait walk {\n  period = 0.65  speed = {0.8, 0.8}\n  contact tip { on = {0, 0.6} }\n}\n");
  g.right_lag = 0;
  CHECK_STR(sections_of_gait(arena, c, &g, NULL),
            "gait walk {\n  period = 0.65  speed = {0.8, 0.8}  right_lag = 0\n  contact left_tip { on = {0, 0.6} }\n"
            "  contact right_tip { on = {0.5, 0.1} }\n}\n");
}

/* ---- a search ---- */

static const struct gaits_result *search(struct arena *arena, int workers, enum farm_kind farm)
{
  struct gaits_options o;
  struct diag d;
  diag_init(&d);
  gaits_defaults(&o);
  o.workers = workers;
  o.farm = farm;
  o.rounds = 1;
  const struct gaits_result *r = gaits_find(arena, zoo_find(arena, "biped"), (const double[]){0.5, 2}, 2, &o, &d);
  CHECK(r != NULL);
  CHECK_INT(d.n_errors, 0);
  diag_clear(&d);
  return r;
}

static void test_search(struct arena *arena)
{
  const struct gaits_result *a = search(arena, 1, FARM_FORK), *b = search(arena, 3, FARM_FORK);
  if (!a || !b)
    return;
  CHECK_INT(a->n_trials, b->n_trials);
  for (int i = 0; i < a->n_trials && i < b->n_trials; i++) {
    CHECK_INT(a->trials[i].solved, b->trials[i].solved);
    CHECK(!memcmp(&a->trials[i].effort, &b->trials[i].effort, sizeof a->trials[i].effort));
  }
  CHECK_INT(a->n_gaits, 2);
  CHECK_STR(a->gaits[0].name, "walk");
  CHECK_STR(a->gaits[1].name, "run");
  CHECK_INT(a->n_changes, 1);
  CHECK(a->n_changes == 1 && a->changes[0].speed > 0.5 && a->changes[0].speed < 2);
  for (int s = 0; s < 2; s++) {
    const struct gaits_speed *x = &a->speeds[s], *y = &b->speeds[s];
    CHECK(x->clip && y->clip && x->clip->n_frames == y->clip->n_frames);
    if (x->clip && y->clip && x->clip->n_frames == y->clip->n_frames)
      CHECK(!memcmp(x->clip->q, y->clip->q, (size_t)(x->clip->n_frames * x->clip->n_dofs) * sizeof *x->clip->q));
    CHECK_NEAR(x->clip ? x->clip->speed : NAN, x->speed, 0);
    CHECK(gaits_best_of(a, s, NULL) == x->best);
  }
}

/* Of many speeds the one that costs least, and no gait but that. */
static void test_comfortable(struct arena *arena)
{
  const double speeds[] = {0.3, 0.6, 2};
  struct gaits_options o;
  struct diag d;
  diag_init(&d);
  gaits_defaults(&o);
  o.workers = 2;
  o.rounds = 1;
  o.fine = GAITS_FINE_NONE;
  o.comfortable = 1;
  const struct gaits_result *r = gaits_find(arena, zoo_find(arena, "biped"), speeds, 3, &o, &d);
  CHECK(r != NULL);
  if (r) {
    int best = 0, used = r->n_gaits ? r->gaits[0].first : 0;
    for (int i = 1; i < r->n_trials; i++)
      if (r->trials[i].solved && (!r->trials[best].solved ||
                                  r->trials[i].effort.transport < r->trials[best].effort.transport))
        best = i;
    CHECK_INT(r->n_gaits, 1);
    CHECK_INT(used, r->trials[best].speed);
    CHECK_INT(r->speeds[used].trial, best);
    CHECK_INT(r->gaits[0].last, used);
    CHECK_STR(r->gaits[0].name, r->trials[best].name.key);
    CHECK_NEAR(r->creature->gaits[0].speed_min, speeds[used], 1e-3 * speeds[used]);
    for (int s = 0; s < 3; s++) {
      CHECK_INT(r->speeds[s].gait, s == used ? 0 : -1);
      CHECK((r->speeds[s].reason == NULL) == (s == used));
    }
  }
  diag_clear(&d);
}

/* Of a gait that leaves something open, what it says is kept, and the rest is found. */
static const struct gaits_result *complete(struct arena *arena, const char *section)
{
  struct gaits_options o;
  struct diag d;
  diag_init(&d);
  const struct creature *biped = zoo_find(arena, "biped");
  size_t length;
  const char *text = store_creature_text(arena, biped, &length, &d);
  const char *bare = sections_without_gaits(arena, biped->file, text, length, NULL, &d);
  const struct creature *c = parse(arena, arena_printf(arena, "%s\n%s", bare, section));
  const double speeds[] = {0.6, 0.9};
  gaits_defaults(&o);
  o.workers = 2;
  o.rounds = 1;
  o.fine = GAITS_FINE_NONE;
  o.open = c && c->n_open ? &c->open[0] : NULL;
  CHECK(o.open != NULL);
  const struct gaits_result *r = o.open ? gaits_find(arena, c, speeds, 2, &o, &d) : NULL;
  CHECK(r && r->n_gaits == 1);
  CHECK_INT(d.n_errors, 0);
  diag_clear(&d);
  return r && r->n_gaits == 1 ? r : NULL;
}

static void test_open(struct arena *arena)
{
  const struct gaits_result *r = complete(arena, "gait amble { speed = {0.6, 0.9}  duty = 0.6 }");
  const struct gait *g = r ? &r->creature->gaits[0] : NULL;
  if (g) {
    CHECK_STR(g->name, "amble");
    CHECK_NEAR(gait_duty(g, 0), 0.6, 1e-9);
    CHECK_NEAR(g->speed_min, 0.6, 0);
    CHECK_NEAR(g->speed_max, 0.9, 0);
    CHECK(g->period_slow > 0.3 && g->period_fast > 0.3 && g->period_slow < 1.5);
  }
  r = complete(arena, "gait amble { period = {0.75, 0.7}  speed = {0.6, 0.9}  contact tip { at = 0.25 } }");
  g = r ? &r->creature->gaits[0] : NULL;
  if (g) {
    CHECK_NEAR(g->period_slow, 0.75, 0);
    CHECK_NEAR(g->period_fast, 0.7, 0);
    CHECK_NEAR(g->on[0][0].from, 0.25, 1e-9);
    CHECK_NEAR(g->on[1][0].from, 0.75, 1e-9);
    CHECK(gait_duty(g, 0) > 0.3 && gait_duty(g, 0) < 0.9);
  }
  r = complete(arena, "gait amble { speed = {0.6, 0.9}  contact tip { on = {0.1, 0.7} } }");
  g = r ? &r->creature->gaits[0] : NULL;
  if (g) {
    CHECK_NEAR(g->on[0][0].from, 0.1, 0);
    CHECK_NEAR(g->on[0][0].until, 0.7, 0);
    CHECK(r->n_trials > 2 && g->period_slow > 0.3 && g->period_slow < 1.5);
    for (int i = 0; i < r->n_trials; i++) /* nothing but the period was searched */
      CHECK_NEAR(r->trials[i].pattern.duty_hind, 0.6, 1e-9);
  }
}

static int refuse(void *user, const struct gaits_progress *p)
{
  (void)user, (void)p;
  return 0;
}

static void test_refusals(struct arena *arena)
{
  struct gaits_options o;
  struct diag d;
  gaits_defaults(&o);
  diag_init(&d);
  CHECK(!gaits_find(arena, toy(arena, 0, 0), (const double[]){1}, 1, &o, &d));
  CHECK_INT(d.n_errors, 1);
  CHECK_STR(d.n_messages ? d.messages[0].text : "",
            "toy has no foot to stand on: it can have no gait. Give it sections foot");
  diag_clear(&d);
  diag_init(&d);
  o.progress = refuse;
  CHECK(!gaits_find(arena, toy(arena, 1, 0), (const double[]){0.5}, 1, &o, &d));
  CHECK_INT(d.n_errors, 0);
  diag_clear(&d);
  /* a leg that cannot move carries no gait, and says why */
  diag_init(&d);
  o.progress = NULL;
  const struct creature *post =
      parse(arena, "limb b { from = {0, 0, 0} to = {0, 0, -1} radius = 0.1 } foot f { limb = b }");
  const struct gaits_result *r = gaits_find(arena, post, (const double[]){1}, 1, &o, &d);
  CHECK(r && r->n_gaits == 0 && r->speeds[0].gait == -1 && r->speeds[0].reason && r->speeds[0].reason[0]);
  diag_clear(&d);
}

static void test_speeds(struct arena *arena)
{
  int n;
  const double *v = gaits_speeds(arena, zoo_find(arena, "horse"), 1, 12, &n);
  CHECK_INT(n, 12);
  CHECK_NEAR(v[0], 1, 1e-12);
  CHECK_NEAR(v[11], 12, 1e-9);
  CHECK_NEAR(v[1] / v[0], v[11] / v[10], 1e-9);
  gaits_speeds(arena, zoo_find(arena, "horse"), 1.4, 1.4, &n);
  CHECK_INT(n, 1);
}

int main(void)
{
  struct arena *arena = arena_new();
  test_legs(arena);
  test_unmirrored(arena);
  test_human(arena);
  test_footfalls(arena);
  test_names(arena);
  test_grid(arena);
  test_effort(arena);
  test_balance(arena);
  test_bursts(arena);
  read_back(arena, "human", 2.5);
  read_back(arena, "horse", 4);
  read_back(arena, "hexapod", 0.1);
  read_back(arena, "triped", 0.8);
  test_section_text(arena);
  test_speeds(arena);
  test_search(arena);
  test_comfortable(arena);
  test_open(arena);
  test_refusals(arena);
  arena_free(arena);
  return test_finish();
}
