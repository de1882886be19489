/* Success, judged from the recorded motion and the reference. */
#include "follow/judge.h"

#include <math.h>
#include <string.h>

#include "dynamics/dynamics.h"

struct bench {                  /* where it is judged */
  const struct reference *r;
  const struct follow_motion *m;
  struct judgement *out;
  struct dynamics *dynamics;
  struct judge_options o;
  int last;                     /* frame of both           */
};

/* A fault at a frame, if it is the first. */
static void judge_fault(struct bench *b, const char *what, int frame)
{
  struct judgement *j = b->out;
  if (j->fault && frame * b->r->dt >= j->seconds)
    return;
  j->fault = what;
  j->seconds = frame * b->r->dt;
}

/* Keeps the worst; a NaN is worse than anything. 1 if the bar is missed. */
static int judge_worst(double *most, double value, double bar)
{
  if (!(value <= *most))
    *most = value;
  return !(value <= bar);
}

static void judge_root(struct bench *b)
{
  const struct reference *r = b->r;
  double L = r->creature->height, h2 = 0, a2 = 0, c2 = 0, j2 = 0;
  int n = r->n_dofs;
  for (int k = 0; k <= b->last; k++) {
    const double *q = b->m->q + (size_t)k * (size_t)n, *ref = r->q + (size_t)k * (size_t)n;
    struct fall fall = fall_of(&b->o.fall, r->creature, q, ref, b->m->ground[k]);
    double course = hypot(q[0] - ref[0], q[1] - ref[1]) / L, joints = 0;
    judge_worst(&b->out->height, fall.height, INFINITY);
    judge_worst(&b->out->angle, fall.angle, INFINITY);
    if (fall.fault)
      judge_fault(b, fall.fault, k);
    if (judge_worst(&b->out->course, course, b->o.course))
      judge_fault(b, "course", k);
    for (int i = CREATURE_ROOT_DOFS; i < n; i++)
      joints += (q[i] - ref[i]) * (q[i] - ref[i]);
    h2 += fall.height * fall.height;
    a2 += fall.angle * fall.angle;
    c2 += course * course;
    j2 += joints / (n - CREATURE_ROOT_DOFS);
  }
  b->out->mean_height = sqrt(h2 / (b->last + 1));
  b->out->mean_angle = sqrt(a2 / (b->last + 1));
  b->out->mean_course = sqrt(c2 / (b->last + 1));
  b->out->mean_joint = sqrt(j2 / (b->last + 1));
}

/* ---- feet ---- */

static int judge_foot_in(const struct reference *r, const unsigned char *contact, int foot, int k)
{
  const struct foot *f = &r->creature->feet[foot];
  for (int p = f->first_point; p < f->first_point + f->n_points; p++)
    if (contact[(size_t)k * (size_t)r->n_points + (size_t)p])
      return 1;
  return 0;
}

/* Where the middle of a foot's points is on the ground, seen from the root along its yaw. */
static void foot_place(struct bench *b, int foot, const double *q, double place[2])
{
  const struct creature *c = b->r->creature;
  const struct foot *f = &c->feet[foot];
  double at[3], x = 0, y = 0, s = sin(q[3]), cs = cos(q[3]);
  dynamics_kinematics(b->dynamics, q);
  for (int p = f->first_point; p < f->first_point + f->n_points; p++) {
    dynamics_point(b->dynamics, c->points[p].body, c->points[p].at, at);
    x += (at[0] - q[0]) / f->n_points;
    y += (at[1] - q[1]) / f->n_points;
  }
  place[0] = cs * x + s * y;
  place[1] = -s * x + cs * y;
}

/* Does the reference put weight on a foot? A foot may be set down before it is. */
static int judge_carries(const struct bench *b, int foot, int k)
{
  const struct reference *r = b->r;
  const struct foot *f = &r->creature->feet[foot];
  double up = 0;
  for (int p = f->first_point; p < f->first_point + f->n_points; p++)
    up += r->force[((size_t)k * (size_t)r->n_points + (size_t)p) * 3 + 2];
  return up > b->o.load * r->creature->mass * CREATURE_GRAVITY;
}

/* The lowest point of a foot, above the ground [m]. */
static double foot_height(struct bench *b, int foot, const double *q, double ground)
{
  const struct creature *c = b->r->creature;
  const struct foot *f = &c->feet[foot];
  double lowest = INFINITY;
  dynamics_kinematics(b->dynamics, q);
  for (int p = f->first_point; p < f->first_point + f->n_points; p++) {
    double at[3];
    dynamics_point(b->dynamics, c->points[p].body, c->points[p].at, at);
    lowest = fmin(lowest, at[2] - ground);
  }
  return lowest;
}

/* A foot is down when it touches, or is no higher than where the reference has it by a hair: one that hardly carries
 * may hover. */
static int judge_is_down(struct bench *b, int foot, int k)
{
  size_t at = (size_t)k * (size_t)b->r->n_dofs;
  if (judge_foot_in(b->r, b->m->contact, foot, k))
    return 1;
  return foot_height(b, foot, b->m->q + at, b->m->ground[k]) - foot_height(b, foot, b->r->q + at, 0) <=
         b->o.hair * b->r->creature->height;
}

static void judge_stance(struct bench *b, int foot, int from, int until)
{
  const struct reference *r = b->r;
  int down = 0, loaded = 0, loaded_down = 0, middle = (from + until) / 2;
  for (int k = from; k < until; k++) {
    int is = judge_is_down(b, foot, k), load = judge_carries(b, foot, k);
    down += is;
    loaded += load;
    loaded_down += load && is;
  }
  b->out->stances++;
  if (loaded ? 2 * loaded_down < loaded : 2 * down < until - from) { /* captured motion knows no loads */
    b->out->stances_missed++;
    judge_fault(b, "feet down", middle);
  }
  double is[2], should[2];
  foot_place(b, foot, b->m->q + (size_t)middle * (size_t)r->n_dofs, is);
  foot_place(b, foot, r->q + (size_t)middle * (size_t)r->n_dofs, should);
  if (judge_worst(&b->out->foot, hypot(is[0] - should[0], is[1] - should[1]) / r->creature->height, b->o.foot))
    judge_fault(b, "footholds", middle);
}

static void judge_swing(struct bench *b, int foot, int from, int until)
{
  b->out->swings++;
  if (judge_foot_in(b->r, b->m->contact, foot, (from + until) / 2)) {
    b->out->swings_dragged++;
    judge_fault(b, "feet up", (from + until) / 2);
  }
}

/* Stances and swings of a foot in the reference, those that begin and end within the motion. */
static void judge_foot(struct bench *b, int foot)
{
  int from = -1, n = b->last;
  for (int k = 1; k < n; k++) {
    int now = judge_foot_in(b->r, b->r->contact, foot, k);
    if (now == judge_foot_in(b->r, b->r->contact, foot, k - 1))
      continue;
    if (from >= 0 && k - from >= 4) {
      if (now)
        judge_swing(b, foot, from, k);
      else
        judge_stance(b, foot, from, k);
    }
    from = k;
  }
}

/* ---- feet that slide ---- */

/* Where all points are at a frame (n_points x 3). */
static void all_points(struct bench *b, int k, double *at)
{
  const struct creature *c = b->r->creature;
  dynamics_kinematics(b->dynamics, b->m->q + (size_t)k * (size_t)b->r->n_dofs);
  for (int p = 0; p < c->n_points; p++)
    dynamics_point(b->dynamics, c->points[p].body, c->points[p].at, at + 3 * p);
}

/* Points that touch from one frame to the next move over the ground only if they slide. */
static void judge_slip(struct arena *arena, struct bench *b)
{
  size_t n = (size_t)b->r->n_points;
  double *now = ARENA_NEW(arena, 3 * n + 1, double), *next = ARENA_NEW(arena, 3 * n + 1, double);
  double *way = ARENA_NEW(arena, n + 1, double), L = b->r->creature->height, total = 0;
  long touching = 0;
  if (b->last > 0)
    all_points(b, 0, now);
  for (int k = 0; k < b->last; k++) {
    all_points(b, k + 1, next);
    for (size_t p = 0; p < n; p++) {
      int touches = b->m->contact[(size_t)k * n + p] && b->m->contact[((size_t)k + 1) * n + p];
      double step = hypot(next[3 * p] - now[3 * p], next[3 * p + 1] - now[3 * p + 1]) / L;
      way[p] = touches ? way[p] + step : 0;
      b->out->slide = fmax(b->out->slide, way[p]);
      total += touches ? step : 0;
      touching += touches;
    }
    double *swap = now;
    now = next, next = swap;
  }
  b->out->slip = touching ? total / ((double)touching * b->r->dt) * sqrt(L / CREATURE_GRAVITY) : 0;
}

void judge_defaults(struct judge_options *o)
{
  *o = (struct judge_options){.fall = fall_limits_following, .foot = 0.25, .course = 0.5, .hair = 0.01, .load = 0.05};
}

void judge(struct arena *arena, const struct reference *r, const struct follow_motion *m, const struct judge_options *o,
           struct judgement *out)
{
  struct bench b = {.r = r, .m = m, .out = out};
  *out = (struct judgement){0};
  b.dynamics = dynamics_new(arena, r->creature);
  if (o)
    b.o = *o;
  else
    judge_defaults(&b.o);
  int end = r->first[r->n_windows];
  b.last = m->n_frames - 1 < end ? m->n_frames - 1 : end;
  out->seconds = end * r->dt;
  judge_root(&b);
  for (int f = 0; f < r->creature->n_feet; f++)
    judge_foot(&b, f);
  judge_slip(arena, &b);
  if (b.last < end)
    judge_fault(&b, "end", b.last);
  out->success = !out->fault;
}
