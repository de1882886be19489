/* Transitions: from two frames of one clip to two frames of another, turning on the way. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "motion/verify.h"
#include "spacetime/body.h"
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

static struct schedule flags_of(const struct clip *clip)
{
  return (struct schedule){clip->n_frames, clip->n_points, clip->contact, NULL};
}

/* Frame k of a clip, turned so that its heading at frame `at` becomes `heading`; x and y are left out. */
static void turned_pose(const struct clip *clip, int k, int at, double heading, double *q)
{
  clip_frame(clip, k, q);
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
static void hold_end(struct arena *arena, struct way *w, int at_end, double *q_held, double *force_held, enum frame_hold *hold)
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

static struct way lay_out_way(struct arena *arena, const struct transition_request *r, int n_frames)
{
  const struct creature *c = r->c, *body = body_of(arena, c);
  struct way w = {.r = r, .body = body, .n_frames = n_frames, .dt = r->from->dt, .L = c->height};
  size_t n = (size_t)n_frames;
  double *q_held = ARENA_NEW(arena, n * (size_t)c->n_dofs, double), *path = ARENA_NEW(arena, 2 * n, double);
  double *force_held = ARENA_NEW(arena, 3 * n * (size_t)body->n_points, double);
  enum frame_hold *hold = ARENA_NEW(arena, n, enum frame_hold);
  struct schedule before = flags_of(r->from), after = flags_of(r->to);
  nominal_way(arena, &w);
  w.schedule = schedule_between(arena, body, &before, r->from_frame, &after, r->to_frame + 2, n_frames);
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
  w.in.lane = 0.35; /* a turn steps aside; so may a start from a clip that strafes */
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
  clip->name = strcmp(r->from->gait_after, r->to->gait) == 0 ? arena_printf(arena, "%s-turn", r->to->gait)
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

/* About a cycle for every 90 degrees, and at least one; in the same cycle such that the feet need not change their step. */
static int frames_for(const struct transition_request *r)
{
  int n = (r->from->n_frames + r->to->n_frames) / 2, cycles = 1 + (int)(fabs(r->turn) / (0.5 * 3.14159265358979323846) + 0.4);
  int same = r->from->n_frames == r->to->n_frames && strcmp(r->from->gait, r->to->gait) == 0;
  int extra = same ? ((r->to_frame - r->from_frame + 2) % n + n) % n : 2;
  if (same && extra > n / 2 && cycles > 1)
    extra -= n;
  return cycles * n + extra + (strcmp(r->from->gait_after, r->to->gait) == 0 ? 0 : n / 2); /* a new gait takes a while longer */
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
    return refuse(report, "the clips have different frame rates; solve both without --frames, or with frames that give the same");
  if (!isfinite(r->turn) || fabs(r->turn) > 6.3)
    return refuse(report, "a turn must lie between -360 and 360 degrees");
  if (r->frames && (r->frames < 8 || r->frames > 2000))
    return refuse(report, "a transition takes 8 to 2000 frames");
  return 1;
}

/* One attempt; the smoother it must be, the dearer are accelerations. */
static struct clip *try_frames(struct arena *arena, const struct transition_request *r, int n_frames, double smoothness,
                               const struct spacetime_options *o, struct spacetime_report *report)
{
  struct way w = lay_out_way(arena, r, n_frames);
  w.in.weights.acceleration *= smoothness;
  struct problem *p = problem_new(arena, &w.in);
  double *x = ARENA_NEW(arena, (size_t)p->n_vars, double);
  guess_blend(arena, p, &w, x);
  p = solve_within_limits(arena, p, x, 0, o, report);
  if (r->task && report->status == SPACETIME_SOLVED)
    p = solve_for_task(arena, p, x, r->task, o, report);
  return report->status == SPACETIME_SOLVED ? clip_of_way(arena, &w, p, x) : NULL;
}

/* Does it keep the bars of the verifier, those between frames above all? A hasty transition jerks. */
static int is_smooth(struct arena *arena, const struct creature *c, const struct clip *clip)
{
  struct verify_report report;
  verify_clip(arena, c, clip, &report);
  return report.passed;
}

struct clip *spacetime_transition(struct arena *arena, const struct transition_request *r,
                                  const struct spacetime_options *o, struct spacetime_report *report)
{
  /* more time and more smoothness, where the first idea was too hasty; lengths in cycles beyond the first one */
  static const struct { double longer, smoothness; } attempts[] = {{0, 3}, {0, 10}, {0.5, 3}, {1, 3}, {1, 10}, {2, 10}};
  int n = frames_for(r), cycle = (r->from->n_frames + r->to->n_frames) / 2;
  struct clip *best = NULL;
  memset(report, 0, sizeof *report);
  if (!request_is_sane(r, report))
    return NULL;
  for (size_t i = 0; i < sizeof attempts / sizeof *attempts; i++) {
    struct spacetime_report trial = {.solves = report->solves, .seconds = report->seconds};
    int frames = r->frames ? r->frames : n + (int)(attempts[i].longer * cycle);
    struct clip *clip = r->frames && attempts[i].longer > 0 ? NULL : try_frames(arena, r, frames, attempts[i].smoothness, o, &trial);
    int good = clip && is_smooth(arena, r->c, clip);
    if (good || (clip && !best) || !best)
      *report = trial, best = clip ? clip : best;
    report->solves = trial.solves, report->seconds = trial.seconds;
    if (good || trial.status == SPACETIME_STOPPED || (r->frames && i > 0))
      break;
  }
  return best;
}
