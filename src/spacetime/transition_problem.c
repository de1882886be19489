/* The problem of a transition: what is held at its ends, the steps between, starts for the optimizer. */
#include "spacetime/transition_problem.h"

#include <math.h>
#include <string.h>

#include "creature/style.h"
#include "spacetime/body.h"
#include "spacetime/footholds.h"
#include "spacetime/guess.h"
#include "spacetime/joints.h"
#include "spacetime/solve.h"

/* Nominal heading of a frame of a clip. */
static double transition_clip_heading(const struct clip *clip, int k)
{
  if (clip->cyclic)
    return 0;
  double s = (double)k / (clip->n_frames - 1);
  return clip->turn * s * s * (3 - 2 * s);
}

void transition_velocity(const struct clip *clip, double out[2])
{
  double time = clip->n_frames * clip->dt;
  out[0] = clip->advance.x / time;
  out[1] = clip->advance.y / time;
}

/* ---- where a clip is in its steps ---- */

static int transition_foot_stands(const struct creature *c, const struct clip *clip, int k, int foot)
{
  for (int i = c->feet[foot].first_point; i < c->feet[foot].first_point + c->feet[foot].n_points; i++)
    if (clip->contact[k * clip->n_points + i])
      return 1;
  return 0;
}

/* Phase of a foot at a frame of a transition, whose steps no cycle tells: from how long ago it last changed between
 * ground and air when the clip is left there, from how soon it will when it is entered. */
static double transition_phase(const struct creature *c, const struct clip *clip, int frame, int foot, int entered,
                                  const struct schedule *cycle)
{
  int n = cycle->n_frames, duty = 0, step = entered ? 1 : -1, away = 1;
  int at = entered ? frame : frame + 1,
      stands = transition_foot_stands(c, clip, at, foot); /* the outer of the two shared frames counts last */
  for (int k = 0; k < n; k++)
    duty += schedule_foot_touches(c, cycle, k, c->feet[foot].first_point);
  while (at + step * away >= 0 && at + step * away < clip->n_frames &&
         transition_foot_stands(c, clip, at + step * away, foot) == stands)
    away++;
  int span = stands ? duty : n - duty, passed = away < span ? away : span;
  double phase = (entered ? span - passed + 0.5 : passed - 0.5) + (stands ? 0 : duty);
  phase = (phase - (at - frame)) / n;
  return phase - floor(phase);
}

struct stride transition_stride(struct arena *arena, const struct creature *body, const struct clip *clip, int frame,
                                int entered, const struct spacetime_options *o)
{
  int g = clip->cyclic ? -1 : creature_find_gait(body, entered ? clip->gait : clip->gait_after);
  if (g < 0)
    return (struct stride){{clip->n_frames, clip->n_points, clip->contact, NULL, NULL}, frame, NULL};
  const struct gait *gait = &body->gaits[g];
  int n = (int)fmax(8, (double)lround(gait_period(gait, clip->speed) / clip->dt));
  struct stride s = {schedule_of_gait(arena, body, gait, n, o), 0, ARENA_NEW(arena, (size_t)body->n_feet, double)};
  for (int f = 0; f < body->n_feet; f++)
    s.phase[f] = transition_phase(body, clip, frame, f, entered, &s.cycle);
  return s;
}

/* Frame k of a clip, turned so that its heading at frame `at` becomes `heading`; x and y are left out. A transition
 * stays in its first or last pose beyond its ends. */
static void transition_turned_pose(const struct clip *clip, int k, int at, double heading, double *q)
{
  int last = clip->n_frames - 1;
  clip_frame(clip, clip->cyclic ? k : k < 0 ? 0 : k > last ? last : k, q);
  q[0] = q[1] = 0;
  q[3] += heading - transition_clip_heading(clip, at);
}

/* In a bend, people and animals slow down and take smaller steps. The share of its speed that a body keeps while it
 * turns by so much in a cycle: people who walk keep some 0.8 of it at 45 degrees (from memory). */
#define SPEED_LOST_PER_RADIAN 0.3
static double transition_speed_kept(double turn_in_cycle)
{
  return 1 / (1 + SPEED_LOST_PER_RADIAN * fabs(turn_in_cycle));
}

static void transition_lay_path(struct arena *arena, struct transition_problem *w, int cycle)
{
  const struct transition_request *r = w->r;
  double va[2], vb[2];
  w->heading = ARENA_NEW(arena, (size_t)w->n_frames, double);
  w->path = ARENA_NEW(arena, 2 * (size_t)w->n_frames, double);
  transition_velocity(r->from, va);
  transition_velocity(r->to, vb);
  for (int k = 0; k < w->n_frames; k++) {
    double s = fmin(1, fmax(0, (k - 0.5) / (w->n_frames - 2))), smooth = s * s * (3 - 2 * s);
    w->heading[k] = r->turn * smooth;
    if (k + 1 == w->n_frames)
      break;
    double kept = transition_speed_kept(r->turn * 6 * s * (1 - s) * cycle / (w->n_frames - 2));
    double v[2] = {kept * (va[0] + smooth * (vb[0] - va[0])), kept * (va[1] + smooth * (vb[1] - va[1]))};
    double c = cos(w->heading[k]), sn = sin(w->heading[k]);
    w->path[2 * k + 2] = w->path[2 * k] + (c * v[0] - sn * v[1]) * w->dt;
    w->path[2 * k + 3] = w->path[2 * k + 1] + (sn * v[0] + c * v[1]) * w->dt;
  }
  if (!leap_is_none(&r->leap)) {
    w->leap = leap_way_of(arena, w->body, &r->leap, w->n_frames, w->dt);
    for (int k = 0; k < w->n_frames; k++)
      w->path[2 * k] = w->leap.forward[k] * w->L;
  }
}

/* Whoever turns looks where he will go: the neck leads by the angle that the body will have turned a moment later. The
 * moment is one of sqrt(L / g), a person's 0.3 s (people's heads lead by 0.2 to 0.3 s, from memory). */
static const double *transition_gaze(struct arena *arena, const struct transition_problem *w, double most)
{
  double *gaze = ARENA_NEW(arena, (size_t)w->n_frames, double);
  int ahead = (int)lround(sqrt(w->L / CREATURE_GRAVITY) / w->dt);
  for (int k = 0; k < w->n_frames; k++) {
    double lead = w->heading[k + ahead < w->n_frames ? k + ahead : w->n_frames - 1] - w->heading[k];
    gaze[k] = fmax(-most, fmin(most, lead));
  }
  return gaze;
}

/* A vector of a clip's frame of reference in the transition's, at the start or the end. */
static void transition_turn_vector(double angle, const double *v, double *out)
{
  out[0] = cos(angle) * v[0] - sin(angle) * v[1];
  out[1] = sin(angle) * v[0] + cos(angle) * v[1];
  out[2] = v[2];
}

/* The two frames at an end, in units of the problem: pose, place and forces. */
static void transition_hold_end(struct arena *arena, struct transition_problem *w, int at_end, double *q_held,
                                double *force_held, enum frame_hold *hold)
{
  const struct transition_request *r = w->r;
  const struct clip *clip = at_end ? r->to : r->from;
  const struct creature *c = r->c;
  int first = at_end ? r->to_frame : r->from_frame, n = c->n_dofs, points = c->n_points, all = w->body->n_points;
  double angle = (at_end ? r->turn : 0) - transition_clip_heading(clip, first);
  double *raw = ARENA_NEW(arena, 2 * (size_t)n, double);
  clip_frame(clip, first, raw);
  clip_frame(clip, first + 1, raw + n);
  for (int i = 0; i < 2; i++) {
    int k = at_end ? w->n_frames - 2 + i : i;
    double step[3] = {raw[i * n] - raw[0], raw[i * n + 1] - raw[1], 0}, turned[3], *q = q_held + (size_t)(k * n);
    memcpy(q, raw + i * n, (size_t)n * sizeof *q);
    transition_turn_vector(angle, step, turned);
    q[0] = turned[0] + (at_end ? w->path[2 * (w->n_frames - 2)] : 0);
    q[1] = turned[1] + (at_end ? w->path[2 * (w->n_frames - 2) + 1] : 0);
    q[3] += angle;
    for (int j = 0; j < 3; j++)
      q[j] /= w->L;
    hold[k] = at_end && leap_is_none(&r->leap) ? FRAME_SHIFTED : FRAME_HELD; /* a leap is as long as it was asked for */
    int source = clip->cyclic ? ((first + i) % clip->n_frames + clip->n_frames) % clip->n_frames : first + i;
    for (int j = 0; j < points; j++) {
      double *f = force_held + 3 * (size_t)(k * all + j);
      transition_turn_vector(angle, clip->force + 3 * (size_t)(source * points + j), f);
      for (int axis = 0; axis < 3; axis++)
        f[axis] /= c->mass * CREATURE_GRAVITY;
    }
  }
}

/* Where the points are at a frame of a clip, in units of the problem (n_points x 3 of the body). */
static void transition_place_points(struct dynamics *d, const struct creature *body, const struct clip *clip, int k,
                                    double *q, double *at)
{
  clip_frame(clip, k, q);
  dynamics_kinematics(d, q);
  for (int i = 0; i < body->n_points; i++) {
    dynamics_point(d, body->points[i].body, body->points[i].at, at + 3 * i);
    for (int axis = 0; axis < 3; axis++)
      at[3 * i + axis] /= body->height;
  }
}

/* What the clip at an end does in the frame beyond it. */
static struct problem_beyond transition_look_beyond(struct arena *arena, const struct transition_problem *w, int at_end)
{
  const struct transition_request *r = w->r;
  const struct clip *clip = at_end ? r->to : r->from;
  int first = at_end ? r->to_frame : r->from_frame, k = at_end ? first + 2 : first - 1;
  if (!clip->cyclic && (k < 0 || k >= clip->n_frames))
    return (struct problem_beyond){0};
  size_t points = (size_t)w->body->n_points;
  double angle = (at_end ? r->turn : 0) - transition_clip_heading(clip, first);
  double weight = r->c->mass * CREATURE_GRAVITY, *q = ARENA_NEW(arena, (size_t)r->c->n_dofs, double);
  double *before = ARENA_NEW(arena, 3 * points, double), *after = ARENA_NEW(arena, 3 * points, double);
  double *force = ARENA_NEW(arena, 3 * points, double), *step = ARENA_NEW(arena, 3 * points, double);
  struct dynamics *d = dynamics_new(arena, w->body);
  int source = clip->cyclic ? (k % clip->n_frames + clip->n_frames) % clip->n_frames : k;
  transition_place_points(d, w->body, clip, at_end ? k - 1 : k, q, before);
  transition_place_points(d, w->body, clip, at_end ? k : k + 1, q, after);
  for (size_t i = 0; i < 3 * points; i++)
    after[i] -= before[i];
  for (int i = 0; i < w->body->n_points; i++)
    transition_turn_vector(angle, after + 3 * i, step + 3 * i);
  for (int i = 0; i < r->c->n_points; i++) {
    transition_turn_vector(angle, clip->force + 3 * (size_t)(source * r->c->n_points + i), force + 3 * i);
    for (int axis = 0; axis < 3; axis++)
      force[3 * i + axis] /= weight;
  }
  return (struct problem_beyond){1, force, step};
}

static struct nominal_path transition_nominal(struct arena *arena, const struct transition_problem *w,
                                              const double *q_held)
{
  size_t n = (size_t)w->body->n_dofs;
  double *ends = ARENA_NEW(arena, 2 * n, double);
  memcpy(ends, q_held, n * sizeof *ends);
  memcpy(ends + n, q_held + (size_t)(w->n_frames - 1) * n, n * sizeof *ends);
  for (int i = 0; i < 3; i++)
    ends[i] *= w->L, ends[n + (size_t)i] *= w->L;
  return (struct nominal_path){w->n_frames, w->path, w->heading, ends, ends + n};
}

/* The lanes in which the feet swing, in units of the problem. */
static double *transition_lanes(struct arena *arena, const struct transition_problem *w, const double *q_held)
{
  size_t count = (size_t)(w->n_frames * w->body->n_points);
  struct nominal_path nominal = transition_nominal(arena, w, q_held);
  double *aside = footholds_aside(arena, w->body, &w->schedule, &nominal);
  for (size_t i = 0; i < count; i++)
    aside[i] /= w->L;
  return aside;
}

/* ---- style ---- */

static const struct style *transition_style(const struct creature *c, const char *gait)
{
  int g = creature_find_gait(c, gait);
  return g < 0 ? NULL : c->gaits[g].style;
}

/* Phases of the cycle for key poses: from where the one cycle is left to where the other is entered, by whole strides
 * and as evenly as that goes. NULL if either is no cycle: its phase has no one number. */
static const double *transition_phases(struct arena *arena, const struct transition_request *r, int n_frames)
{
  if (!r->from->cyclic || !r->to->cyclic)
    return NULL;
  double *phase = ARENA_NEW(arena, (size_t)n_frames, double);
  double first = (r->from_frame + 0.5) / r->from->n_frames, last = (r->to_frame + 1.5) / r->to->n_frames;
  double strides = (n_frames - 1) * 0.5 * (1.0 / r->from->n_frames + 1.0 / r->to->n_frames);
  double way = last - first + round(strides - (last - first));
  for (int k = 0; k < n_frames; k++)
    phase[k] = first + way * k / (n_frames - 1);
  return phase;
}

/* Key poses of the request: their phases are those of the transition, and lengths are in standing heights. */
static void transition_set_keys(struct arena *arena, const struct transition_request *r, struct problem_input *in)
{
  struct style_key *keys = ARENA_NEW(arena, (size_t)r->n_keys + 1, struct style_key);
  double *phase = ARENA_NEW(arena, (size_t)in->n_frames, double);
  for (int i = 0; i < r->n_keys; i++) {
    keys[i] = r->keys[i];
    keys[i].angle /= keys[i].dof < 3 ? r->c->height : 1;
  }
  for (int k = 0; k < in->n_frames; k++)
    phase[k] = (double)k / (in->n_frames - 1);
  if (r->n_keys) {
    in->phase = phase;
    in->n_keys = r->n_keys;
    in->keys = keys;
  }
}

struct transition_problem transition_lay_out(struct arena *arena, const struct transition_request *r, int n_frames,
                                             enum leap_legs legs, const struct spacetime_options *o)
{
  const struct creature *c = r->c, *body = body_of(arena, c);
  struct transition_problem w = {.r = r, .body = body, .n_frames = n_frames, .dt = r->from->dt, .L = c->height};
  size_t n = (size_t)n_frames;
  double *q_held = ARENA_NEW(arena, n * (size_t)c->n_dofs, double), *path = ARENA_NEW(arena, 2 * n, double);
  double *force_held = ARENA_NEW(arena, 3 * n * (size_t)body->n_points, double);
  double *q_rest = ARENA_NEW(arena, (size_t)c->n_dofs, double), farthest;
  enum frame_hold *hold = ARENA_NEW(arena, n, enum frame_hold);
  const struct style *style =
      style_between(arena, c, transition_style(c, r->from->gait_after), transition_style(c, r->to->gait));
  struct stride before = transition_stride(arena, body, r->from, r->from_frame, 0, o),
                after = transition_stride(arena, body, r->to, r->to_frame, 1, o);
  creature_rest_pose(c, q_rest);
  transition_lay_path(arena, &w, (before.cycle.n_frames + after.cycle.n_frames) / 2);
  w.schedule = !leap_is_none(&r->leap)
                   ? leap_schedule(arena, body, &before.cycle, &r->leap, legs, n_frames, w.dt, o)
               : schedule_is_on_spot(body, r->from->gait_after, r->to->gait, r->turn)
                   ? schedule_on_spot(arena, body, &before.cycle, r->turn, n_frames, w.dt, o)
                   : schedule_between(arena, body, &before, &after, n_frames, o);
  schedule_scale_clearance(body, &w.schedule, style);
  transition_hold_end(arena, &w, 0, q_held, force_held, hold);
  transition_hold_end(arena, &w, 1, q_held, force_held, hold);
  for (size_t i = 0; i < 2 * n; i++)
    path[i] = w.path[i] / w.L;
  w.in = solve_input(arena, body, n_frames, w.dt / sqrt(w.L / CREATURE_GRAVITY), o);
  solve_price_by_frames(&w.in, solve_stretch(c, w.dt));
  solve_set_style(arena, &w.in, style);
  w.in.phase = transition_phases(arena, r, n_frames);
  transition_set_keys(arena, r, &w.in);
  w.in.on = w.schedule.on;
  w.in.swing = w.schedule.swing;
  w.in.clearance = w.schedule.clearance;
  w.in.heading = w.heading;
  w.in.gaze_share = joints_gaze(arena, c, q_rest, &farthest);
  w.in.gaze = transition_gaze(arena, &w, farthest);
  w.in.hold = hold;
  w.in.q_held = q_held;
  w.in.force_held = force_held;
  w.in.beyond[0] = transition_look_beyond(arena, &w, 0);
  w.in.beyond[1] = transition_look_beyond(arena, &w, 1);
  w.in.path = path;
  w.in.lift = w.leap.up;
  solve_set_targets(arena, &w.in, r->targets, r->n_targets);
  w.in.aside = transition_lanes(arena, &w, q_held);
  return w;
}

double transition_strain(struct arena *arena, const struct transition_request *r, int n_frames,
                         const struct spacetime_options *o)
{
  struct transition_problem w = transition_lay_out(arena, r, n_frames, LEAP_FORE_FIRST, o);
  struct nominal_path nominal = transition_nominal(arena, &w, w.in.q_held);
  return footholds_strain(arena, w.body, &w.schedule, &nominal);
}

void transition_guess_blend(struct arena *arena, const struct problem *p, const struct transition_problem *w, double *x)
{
  const struct transition_request *r = w->r;
  int n = p->n, last = w->n_frames;
  double *a = ARENA_NEW(arena, (size_t)n, double), *b = ARENA_NEW(arena, (size_t)n, double);
  for (int k = 0; k < last; k++) {
    double s = (double)k / (last - 1), blend = s * s * (3 - 2 * s), touching = 0, force[3] = {0, 0, 1};
    double *q = x + p->q_var[k];
    transition_turned_pose(r->from, r->from_frame + k, r->from_frame, w->heading[k], a);
    transition_turned_pose(r->to, r->to_frame + 2 - last + k, r->to_frame, w->heading[k], b);
    for (int i = 0; i < n; i++)
      q[i] = a[i] + blend * (b[i] - a[i]);
    q[0] = p->in.path[2 * k];
    q[1] = p->in.path[2 * k + 1];
    q[2] = q[2] / w->L + (w->leap.up ? w->leap.up[k] : 0);
    if (p->in.hold[k] != FRAME_FREE)
      memcpy(q, p->in.q_held + (size_t)(k * n), (size_t)n * sizeof *q);
    if (w->leap.up)
      leap_force(&w->leap, k, last, p->in.h, force);
    for (int i = 0; i < p->n_points; i++)
      touching += p->in.on[k * p->n_points + i];
    for (int i = 0; i < p->n_points; i++)
      if (problem_force_var(p, k, i) >= 0)
        for (int axis = 0; axis < 3; axis++)
          x[problem_force_var(p, k, i) + axis] = force[axis] / touching;
  }
  if (!leap_is_none(&r->leap))
    guess_reach(arena, p, w->leap.ahead, w->leap.down, x);
}

const char *transition_name(struct arena *arena, const struct transition_request *r)
{
  if (!leap_is_none(&r->leap))
    return arena_printf(arena, "%s-%s", r->to->gait, r->leap.forward > 0 ? "leap" : "jump");
  return strcmp(r->from->gait_after, r->to->gait) == 0
             ? arena_printf(arena, "%s-turn", r->to->gait)
             : arena_printf(arena, "%s-%s", r->from->gait_after, r->to->gait);
}

struct clip *transition_clip(struct arena *arena, const struct transition_problem *w, const struct problem *p,
                             const double *x)
{
  const struct transition_request *r = w->r;
  const struct creature *c = r->c;
  struct clip *clip = clip_new(arena, c, w->n_frames, w->dt);
  for (int k = 0; k < w->n_frames; k++) {
    double *q = clip->q + (size_t)(k * p->n);
    memcpy(q, x + p->q_var[k], (size_t)p->n * sizeof *q);
    for (int i = 0; i < 3; i++)
      q[i] *= w->L;
    for (int i = 0; i < c->n_points; i++) {
      int var = problem_force_var(p, k, i);
      clip->contact[k * c->n_points + i] = var >= 0;
      for (int axis = 0; axis < 3 && var >= 0; axis++)
        clip->force[3 * (k * c->n_points + i) + axis] = x[var + axis] * c->mass * CREATURE_GRAVITY;
    }
  }
  const double *end = clip->q + (size_t)((w->n_frames - 1) * p->n);
  clip->name = transition_name(arena, r);
  clip->gait = r->from->gait_after;
  clip->gait_after = r->to->gait;
  clip->speed = r->to->speed;
  clip->turn = r->turn;
  clip->advance = (struct clip_advance){end[0], end[1], r->turn};
  clip->from = (struct clip_end){r->from_id, r->from_frame};
  clip->to = (struct clip_end){r->to_id, r->to_frame};
  return clip;
}

void transition_guess_clip(const struct problem *p, const struct transition_problem *w, const struct clip *clip,
                           double *x)
{
  for (int k = 0; k < w->n_frames; k++) {
    double *q = x + p->q_var[k];
    memcpy(q, clip->q + (size_t)(k * p->n), (size_t)p->n * sizeof *q);
    for (int i = 0; i < 3; i++)
      q[i] /= w->L;
    for (int i = 0; i < clip->n_points; i++) {
      int var = problem_force_var(p, k, i);
      for (int axis = 0; axis < 3 && var >= 0; axis++)
        x[var + axis] = clip->force[3 * (k * clip->n_points + i) + axis] / (w->body->mass * CREATURE_GRAVITY);
    }
  }
}
