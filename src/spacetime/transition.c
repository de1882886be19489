/* Transitions: from two frames of one clip to two frames of another, turning on the way. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "spacetime/body.h"
#include "spacetime/footholds.h"
#include "spacetime/problem.h"
#include "spacetime/schedule.h"
#include "spacetime/solve.h"

/* A way between two clips. Its own frame of reference: the root starts at the origin, heading along x. */
struct way {
  const struct transition_request *r;
  const struct creature *body;
  int n_frames;
  double dt, L;
  double *heading, *path;       /* nominal                    (n_frames), (n_frames x 2) [rad], [m] */
  struct schedule schedule;
  struct problem_input in;
};

/* Nominal heading of a frame of a clip. */
static double heading_of(const struct clip *clip, int k)
{
  if (clip->cyclic)
    return 0;
  double s = (double)k / (clip->n_frames - 1);
  return clip->turn * s * s * (3 - 2 * s);
}

/* Mean velocity of a clip in the frame of its heading [m/s]. */
static void velocity_of(const struct clip *clip, double out[2])
{
  double time = clip->n_frames * clip->dt;
  out[0] = clip->advance.x / time;
  out[1] = clip->advance.y / time;
}

/* ---- where a clip is in its steps ---- */

static const struct gait *gait_named(const struct creature *c, const char *name)
{
  for (int i = 0; i < c->n_gaits; i++)
    if (strcmp(c->gaits[i].name, name) == 0)
      return &c->gaits[i];
  return NULL;
}

static int foot_stands(const struct creature *c, const struct clip *clip, int k, int foot)
{
  for (int i = c->feet[foot].first_point; i < c->feet[foot].first_point + c->feet[foot].n_points; i++)
    if (clip->contact[k * clip->n_points + i])
      return 1;
  return 0;
}

/* Phase of a foot at a frame of a transition, whose steps no cycle tells: from how long ago it last changed between
 * ground and air when the clip is left there, from how soon it will when it is entered. */
static double phase_in_transition(const struct creature *c, const struct clip *clip, int frame, int foot, int entered,
                                  const struct schedule *cycle)
{
  int n = cycle->n_frames, duty = 0, step = entered ? 1 : -1, away = 1;
  int at = entered ? frame : frame + 1,
      stands = foot_stands(c, clip, at, foot); /* the outer of the two shared frames counts last */
  for (int k = 0; k < n; k++)
    duty += schedule_foot_touches(c, cycle, k, c->feet[foot].first_point);
  while (at + step * away >= 0 && at + step * away < clip->n_frames &&
         foot_stands(c, clip, at + step * away, foot) == stands)
    away++;
  int span = stands ? duty : n - duty, passed = away < span ? away : span;
  double phase = (entered ? span - passed + 0.5 : passed - 0.5) + (stands ? 0 : duty);
  phase = (phase - (at - frame)) / n;
  return phase - floor(phase);
}

static struct stride stride_of(struct arena *arena, const struct creature *body, const struct clip *clip, int frame,
                               int entered)
{
  if (clip->cyclic)
    return (struct stride){{clip->n_frames, clip->n_points, clip->contact, NULL}, frame, NULL};
  const struct gait *gait = gait_named(body, entered ? clip->gait : clip->gait_after);
  if (!gait)
    return (struct stride){{clip->n_frames, clip->n_points, clip->contact, NULL}, frame, NULL};
  int n = (int)fmax(8, lround(gait_period(gait, clip->speed) / clip->dt));
  struct stride s = {schedule_of_gait(arena, body, gait, n), 0, ARENA_NEW(arena, (size_t)body->n_feet, double)};
  for (int f = 0; f < body->n_feet; f++)
    s.phase[f] = phase_in_transition(body, clip, frame, f, entered, &s.cycle);
  return s;
}

/* Frame k of a clip, turned so that its heading at frame `at` becomes `heading`; x and y are left out. A transition
 * stays in its first or last pose beyond its ends. */
static void turned_pose(const struct clip *clip, int k, int at, double heading, double *q)
{
  int last = clip->n_frames - 1;
  clip_frame(clip, clip->cyclic ? k : k < 0 ? 0 : k > last ? last : k, q);
  q[0] = q[1] = 0;
  q[3] += heading - heading_of(clip, at);
}

static void nominal_way(struct arena *arena, struct way *w)
{
  const struct transition_request *r = w->r;
  double va[2], vb[2];
  w->heading = ARENA_NEW(arena, (size_t)w->n_frames, double);
  w->path = ARENA_NEW(arena, 2 * (size_t)w->n_frames, double);
  velocity_of(r->from, va);
  velocity_of(r->to, vb);
  for (int k = 0; k < w->n_frames; k++) {
    double s = fmin(1, fmax(0, (k - 0.5) / (w->n_frames - 2))), smooth = s * s * (3 - 2 * s);
    w->heading[k] = r->turn * smooth;
    if (k + 1 == w->n_frames)
      break;
    double v[2] = {va[0] + smooth * (vb[0] - va[0]), va[1] + smooth * (vb[1] - va[1])};
    double c = cos(w->heading[k]), sn = sin(w->heading[k]);
    w->path[2 * k + 2] = w->path[2 * k] + (c * v[0] - sn * v[1]) * w->dt;
    w->path[2 * k + 3] = w->path[2 * k + 1] + (sn * v[0] + c * v[1]) * w->dt;
  }
}

/* A vector of a clip's frame of reference in the way's, at the start or the end. */
static void turn_vector(double angle, const double *v, double *out)
{
  out[0] = cos(angle) * v[0] - sin(angle) * v[1];
  out[1] = sin(angle) * v[0] + cos(angle) * v[1];
  out[2] = v[2];
}

/* The two frames at an end, in units of the problem: pose, place and the outermost frame's forces. */
static void hold_end(struct arena *arena, struct way *w, int at_end, double *q_held, double *force_held,
                     enum frame_hold *hold)
{
  const struct transition_request *r = w->r;
  const struct clip *clip = at_end ? r->to : r->from;
  const struct creature *c = r->c;
  int first = at_end ? r->to_frame : r->from_frame, n = c->n_dofs, points = c->n_points, all = w->body->n_points;
  double angle = (at_end ? r->turn : 0) - heading_of(clip, first), *raw = ARENA_NEW(arena, 2 * (size_t)n, double);
  clip_frame(clip, first, raw);
  clip_frame(clip, first + 1, raw + n);
  for (int i = 0; i < 2; i++) {
    int k = at_end ? w->n_frames - 2 + i : i;
    double step[3] = {raw[i * n] - raw[0], raw[i * n + 1] - raw[1], 0}, turned[3], *q = q_held + (size_t)(k * n);
    memcpy(q, raw + i * n, (size_t)n * sizeof *q);
    turn_vector(angle, step, turned);
    q[0] = turned[0] + (at_end ? w->path[2 * (w->n_frames - 2)] : 0);
    q[1] = turned[1] + (at_end ? w->path[2 * (w->n_frames - 2) + 1] : 0);
    q[3] += angle;
    for (int j = 0; j < 3; j++)
      q[j] /= w->L;
    hold[k] = at_end ? FRAME_SHIFTED : FRAME_HELD;
  }
  int outer = at_end ? w->n_frames - 1 : 0, frame = at_end ? first + 1 : first;
  int source = clip->cyclic ? (frame % clip->n_frames + clip->n_frames) % clip->n_frames : frame;
  for (int i = 0; i < points; i++) {
    double *f = force_held + 3 * (size_t)(outer * all + i);
    turn_vector(angle, clip->force + 3 * (size_t)(source * points + i), f);
    for (int axis = 0; axis < 3; axis++)
      f[axis] /= c->mass * CREATURE_GRAVITY;
  }
}

/* The lanes in which the feet swing, in units of the problem. */
static double *lanes_of(struct arena *arena, const struct way *w, const double *q_held)
{
  size_t n = (size_t)w->body->n_dofs, count = (size_t)(w->n_frames * w->body->n_points);
  double *ends = ARENA_NEW(arena, 2 * n, double);
  memcpy(ends, q_held, n * sizeof *ends);
  memcpy(ends + n, q_held + (size_t)(w->n_frames - 1) * n, n * sizeof *ends);
  for (int i = 0; i < 3; i++)
    ends[i] *= w->L, ends[n + (size_t)i] *= w->L;
  struct nominal_way nominal = {w->n_frames, w->path, w->heading, ends, ends + n};
  double *aside = footholds_aside(arena, w->body, &w->schedule, &nominal);
  for (size_t i = 0; i < count; i++)
    aside[i] /= w->L;
  return aside;
}

static struct way lay_out_way(struct arena *arena, const struct transition_request *r, int n_frames)
{
  const struct creature *c = r->c, *body = body_of(arena, c);
  struct way w = {.r = r, .body = body, .n_frames = n_frames, .dt = r->from->dt, .L = c->height};
  size_t n = (size_t)n_frames;
  double *q_held = ARENA_NEW(arena, n * (size_t)c->n_dofs, double), *path = ARENA_NEW(arena, 2 * n, double);
  double *force_held = ARENA_NEW(arena, 3 * n * (size_t)body->n_points, double);
  enum frame_hold *hold = ARENA_NEW(arena, n, enum frame_hold);
  struct stride before = stride_of(arena, body, r->from, r->from_frame, 0),
                after = stride_of(arena, body, r->to, r->to_frame, 1);
  nominal_way(arena, &w);
  w.schedule = schedule_between(arena, body, &before, &after, n_frames);
  hold_end(arena, &w, 0, q_held, force_held, hold);
  hold_end(arena, &w, 1, q_held, force_held, hold);
  for (size_t i = 0; i < 2 * n; i++)
    path[i] = w.path[i] / w.L;
  w.in = solve_input(arena, body, n_frames, w.dt / sqrt(w.L / CREATURE_GRAVITY));
  w.in.on = w.schedule.on;
  w.in.clearance = w.schedule.clearance;
  w.in.heading = w.heading;
  w.in.hold = hold;
  w.in.q_held = q_held;
  w.in.force_held = force_held;
  w.in.path = path;
  w.in.aside = lanes_of(arena, &w, q_held);
  return w;
}

/* Both clips played on, blended from one to the other along the nominal way. */
static void guess_blend(struct arena *arena, const struct problem *p, const struct way *w, double *x)
{
  const struct transition_request *r = w->r;
  int n = p->n, last = w->n_frames;
  double *a = ARENA_NEW(arena, (size_t)n, double), *b = ARENA_NEW(arena, (size_t)n, double);
  for (int k = 0; k < last; k++) {
    double s = (double)k / (last - 1), blend = s * s * (3 - 2 * s), touching = 0;
    double *q = x + p->q_var[k];
    turned_pose(r->from, r->from_frame + k, r->from_frame, w->heading[k], a);
    turned_pose(r->to, r->to_frame + 2 - last + k, r->to_frame, w->heading[k], b);
    for (int i = 0; i < n; i++)
      q[i] = a[i] + blend * (b[i] - a[i]);
    q[0] = p->in.path[2 * k];
    q[1] = p->in.path[2 * k + 1];
    q[2] /= w->L;
    if (p->in.hold[k] != FRAME_FREE)
      memcpy(q, p->in.q_held + (size_t)(k * n), (size_t)n * sizeof *q);
    for (int i = 0; i < p->n_points; i++)
      touching += p->in.on[k * p->n_points + i];
    for (int i = 0; i < p->n_points; i++)
      if (p->f_var[k * p->n_points + i] >= 0)
        x[p->f_var[k * p->n_points + i] + 2] = 1 / touching;
  }
}

static struct clip *clip_of_way(struct arena *arena, const struct way *w, const struct problem *p, const double *x)
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
      int var = p->f_var[k * p->n_points + i];
      clip->contact[k * c->n_points + i] = var >= 0;
      for (int axis = 0; axis < 3 && var >= 0; axis++)
        clip->force[3 * (k * c->n_points + i) + axis] = x[var + axis] * c->mass * CREATURE_GRAVITY;
    }
  }
  const double *end = clip->q + (size_t)((w->n_frames - 1) * p->n);
  clip->name = strcmp(r->from->gait_after, r->to->gait) == 0
                   ? arena_printf(arena, "%s-turn", r->to->gait)
                   : arena_printf(arena, "%s-%s", r->from->gait_after, r->to->gait);
  clip->gait = r->from->gait_after;
  clip->gait_after = r->to->gait;
  clip->speed = r->to->speed;
  clip->turn = r->turn;
  clip->advance = (struct clip_advance){end[0], end[1], r->turn};
  clip->from = (struct clip_end){r->from_id, r->from_frame};
  clip->to = (struct clip_end){r->to_id, r->to_frame};
  return clip;
}

/* ---- how long ---- */

/* Frames that it takes at least: what the ground can give limits how fast a runner turns, speeds up or brakes. The
 * rates have their peaks, half as much again as their means, in the middle. */
static double frames_to_change(const struct transition_request *r)
{
  double a[2], b[2], most = 0.6 * r->c->friction * CREATURE_GRAVITY;
  velocity_of(r->from, a);
  velocity_of(r->to, b);
  double speed = 0.5 * (hypot(a[0], a[1]) + hypot(b[0], b[1])), change = hypot(b[0] - a[0], b[1] - a[1]);
  return 1.5 * hypot(speed * r->turn, change) / most / r->from->dt;
}

/* About a cycle for every 90 degrees, at least one, more at speed, and half a cycle more into another gait; then
 * whatever hurries the feet least. */
static int frames_for(struct arena *arena, const struct transition_request *r, int *cycle_frames)
{
  const struct creature *body = body_of(arena, r->c);
  struct stride before = stride_of(arena, body, r->from, r->from_frame, 0),
                after = stride_of(arena, body, r->to, r->to_frame, 1);
  int cycle = (before.cycle.n_frames + after.cycle.n_frames) / 2,
      cycles = 1 + (int)(fabs(r->turn) / (0.5 * 3.14159265358979323846) + 0.4);
  int least = (int)fmax(cycles * cycle, frames_to_change(r)) +
              (strcmp(r->from->gait_after, r->to->gait) == 0 ? 0 : cycle / 2),
      best = least;
  double cheapest = INFINITY;
  *cycle_frames = cycle;
  for (int n = least; n < least + cycle; n++) {
    double price = schedule_haste(arena, body, &before, &after, n) + 0.1 * (n - least) / cycle;
    if (price < cheapest)
      best = n, cheapest = price;
  }
  return best < 8 ? 8 : best;
}

static int refuse(struct spacetime_report *report, const char *reason)
{
  report->status = SPACETIME_REFUSED;
  snprintf(report->reason, sizeof report->reason, "%s", reason);
  return 0;
}

static int has_pair(const struct clip *clip, int k)
{
  return clip->cyclic || (k >= 0 && k + 1 < clip->n_frames);
}

static int request_is_sane(const struct transition_request *r, struct spacetime_report *report)
{
  if (!has_pair(r->from, r->from_frame) || !has_pair(r->to, r->to_frame))
    return refuse(report, "that frame and the one after it are not in the clip");
  if (fabs(r->from->dt - r->to->dt) > 1e-9 * r->from->dt)
    return refuse(
        report, "the clips have different frame rates; solve both without --frames, or with frames that give the same");
  if (!isfinite(r->turn) || fabs(r->turn) > 6.3)
    return refuse(report, "a turn must lie between -360 and 360 degrees");
  if (r->frames && (r->frames < 8 || r->frames > 2000))
    return refuse(report, "a transition takes 8 to 2000 frames");
  return 1;
}

/* The solution of an attempt with as many frames. */
static void guess_again(const struct problem *p, const struct way *w, const struct clip *clip, double *x)
{
  for (int k = 0; k < w->n_frames; k++) {
    double *q = x + p->q_var[k];
    memcpy(q, clip->q + (size_t)(k * p->n), (size_t)p->n * sizeof *q);
    for (int i = 0; i < 3; i++)
      q[i] /= w->L;
    for (int i = 0; i < clip->n_points; i++) {
      int var = p->f_var[k * p->n_points + i];
      for (int axis = 0; axis < 3 && var >= 0; axis++)
        x[var + axis] = clip->force[3 * (k * clip->n_points + i) + axis] / (w->body->mass * CREATURE_GRAVITY);
    }
  }
}

#define ATTEMPT_SHARE 0.4       /* of the time that is left */
#define HOPELESS      3         /* roughness that smoothing alone has never mended */

struct attempt {
  int cycles;                   /* beyond the shortest                                      */
  double smoothness;            /* the larger, the dearer are accelerations                 */
};

/* One attempt; from `before`, if that has as many frames. */
static struct clip *try_frames(struct arena *arena, const struct transition_request *r, int n_frames, double smoothness,
                               const struct clip *before, const struct spacetime_options *o,
                               struct spacetime_report *report)
{
  struct way w = lay_out_way(arena, r, n_frames);
  int again = before && before->n_frames == n_frames;
  w.in.weights.acceleration *= smoothness;
  struct problem *p = problem_new(arena, &w.in);
  double *x = ARENA_NEW(arena, (size_t)p->n_vars, double);
  if (again)
    guess_again(p, &w, before, x);
  else
    guess_blend(arena, p, &w, x);
  p = solve_within_limits(arena, p, x, again, o, report);
  if (r->task && report->status == SPACETIME_SOLVED)
    p = solve_for_task(arena, p, x, r->task, o, report);
  return report->status == SPACETIME_SOLVED ? clip_of_way(arena, &w, p, x) : NULL;
}

struct clip *spacetime_transition(struct arena *arena, const struct transition_request *r,
                                  const struct spacetime_options *o, struct spacetime_report *report)
{
  /* more smoothness and more time, where the first idea was too hasty; a length that was asked for stays */
  static const struct attempt attempts[] = {{0, 3}, {0, 10}, {0, 30}, {1, 3}, {1, 10}, {2, 10}};
  int n = r->frames, cycle = 0;
  struct clip *best = NULL;
  memset(report, 0, sizeof *report);
  if (!request_is_sane(r, report))
    return NULL;
  if (!r->frames)
    n = frames_for(arena, r, &cycle);
  for (size_t i = 0; i < sizeof attempts / sizeof *attempts && !(r->frames && attempts[i].cycles); i++) {
    struct spacetime_report trial = {.solves = report->solves, .seconds = report->seconds};
    struct spacetime_options own = *o; /* no attempt takes all the time from those after it */
    if (attempts[i].smoothness > 10 && !best)
      continue;
    own.max_seconds = trial.seconds + ATTEMPT_SHARE * (o->max_seconds - trial.seconds);
    struct clip *clip =
        try_frames(arena, r, n + attempts[i].cycles * cycle, attempts[i].smoothness, best, &own, &trial);
    double rough = clip ? solve_roughness(arena, r->c, clip) : (double)INFINITY;
    if (clip || !best)
      *report = trial, best = clip ? clip : best;
    report->solves = trial.solves, report->seconds = trial.seconds;
    if (rough == 0 || trial.status == SPACETIME_STOPPED || report->seconds > o->max_seconds ||
        (r->frames && rough > HOPELESS))
      break;
  }
  return best;
}

int spacetime_transition_frames(struct arena *arena, const struct transition_request *r)
{
  struct spacetime_report report;
  int cycle;
  return !request_is_sane(r, &report) ? 0 : r->frames ? r->frames : frames_for(arena, r, &cycle);
}
