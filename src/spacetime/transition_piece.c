/* A transition in one piece: how long it takes, and attempts of more smoothness and more time. */
#include "spacetime/transition_piece.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/angle.h"
#include "dynamics/dynamics.h"
#include "spacetime/body.h"
#include "spacetime/formulation.h"
#include "spacetime/leap.h"
#include "spacetime/transition_problem.h"

/* ---- how long ---- */

/* Frames that it takes while no more than a share of friction is used: what the ground can give limits how fast a
 * runner turns, speeds up or brakes. The rates have their peaks, half as much again as their means, in the middle. */
static double piece_frames_to_change(const struct transition_request *r, double grip)
{
  double a[2], b[2], most = grip * r->c->friction * CREATURE_GRAVITY;
  transition_velocity(r->from, a);
  transition_velocity(r->to, b);
  double speed = 0.5 * (hypot(a[0], a[1]) + hypot(b[0], b[1])), change = hypot(b[0] - a[0], b[1] - a[1]);
  return 1.5 * hypot(speed * r->turn, change) / most / r->from->dt;
}

int spacetime_least_frames(const struct transition_request *r)
{
  struct spacetime_options o;
  spacetime_defaults(&o);
  return (int)ceil(piece_frames_to_change(r, o.grip_at_most));
}

/* Cycles that it takes at least: in a turn, feet far from the middle of a long body travel sideways, by what their legs
 * reach in each cycle. */
static double piece_cycles_to_turn(struct arena *arena, const struct creature *c, double turn, double reach)
{
  struct dynamics *d = dynamics_new(arena, c);
  double *rest = ARENA_NEW(arena, (size_t)c->n_dofs, double), most = 0;
  creature_rest_pose(c, rest);
  dynamics_kinematics(d, rest);
  for (int i = 0; i < c->n_points; i++) {
    double at[3];
    dynamics_point(d, c->points[i].body, c->points[i].at, at);
    double travel = fabs(turn) * hypot(at[0] - rest[0], at[1] - rest[1]);
    most = fmax(most, travel / (reach * c->feet[c->points[i].foot].leg_length));
  }
  return most;
}

/* A transition that is longer by a cycle must save this much haste, in cycles (schedule_haste). */
#define PRICE_OF_A_CYCLE 0.1

struct piece piece_plan(struct arena *arena, const struct transition_request *r, const struct spacetime_options *o)
{
  const struct creature *body = body_of(arena, r->c);
  struct stride before = transition_stride(arena, body, r->from, r->from_frame, 0, o),
                after = transition_stride(arena, body, r->to, r->to_frame, 1, o);
  int cycle = (before.cycle.n_frames + after.cycle.n_frames) / 2;
  if (!leap_is_none(&r->leap)) {
    int frames = leap_frames(body, &r->leap, r->from->dt);
    return (struct piece){r, r->frames ? r->frames : frames, leap_gather_frames(body, &r->leap, r->from->dt)};
  }
  if (schedule_is_on_spot(body, r->from->gait_after, r->to->gait, r->turn)) {
    int frames = schedule_spot_frames(arena, body, r->turn, r->from->dt, o);
    return (struct piece){r, r->frames ? r->frames : frames, cycle};
  }
  int cycles = 1 + (int)(fabs(r->turn) / (0.5 * PI) + 0.4);
  double most_cycles = fmax(cycles, piece_cycles_to_turn(arena, r->c, r->turn, o->sideways_reach));
  int least = (int)fmax(most_cycles * cycle, piece_frames_to_change(r, o->grip_at_ease)) +
              (strcmp(r->from->gait_after, r->to->gait) == 0 ? 0 : cycle / 2),
      best = least;
  double cheapest = INFINITY;
  for (int n = least; n < least + cycle; n++) {
    double price = schedule_haste(arena, body, &before, &after, n) + PRICE_OF_A_CYCLE * (n - least) / cycle;
    if (price < cheapest)
      best = n, cheapest = price;
  }
  return (struct piece){r, r->frames ? r->frames : best < 8 ? 8 : best, cycle};
}

/* ---- attempts ---- */

/* What is changed for a leap that was found, with as many frames, and is too rough between them: accelerations cost
 * less, and changes of forces too; or accelerations of joints cost more, and bends of the net force have a price. */
enum piece_mend { MEND_NOTHING, MEND_LIGHTER, MEND_HEAVIER, MEND_HEAVIEST };

struct piece_attempt {
  int cycles;                   /* beyond the shortest                                      */
  double smoothness;            /* the larger, the costlier are accelerations               */
  int is_sketched;              /* first with feet that may arrive at any speed: they do in a blend */
  enum piece_mend mend;
  enum leap_legs legs;
};

static const struct piece_attempt piece_attempts[] = {
    {.cycles = 0, .smoothness = 3},  {.cycles = 0, .smoothness = 3, .is_sketched = 1}, {.cycles = 0, .smoothness = 10},
    {.cycles = 0, .smoothness = 30}, {.cycles = 1, .smoothness = 3},                   {.cycles = 1, .smoothness = 10},
    {.cycles = 2, .smoothness = 10}};

enum { FIRST_LONGER = 4, N_ATTEMPTS = sizeof piece_attempts / sizeof *piece_attempts };

/* A leap has one impact, and its roughness is there. */
static const struct piece_attempt piece_leaps[] = {
    {.cycles = 0, .smoothness = 3},
    {.cycles = 0, .smoothness = 0.3, .mend = MEND_LIGHTER},
    {.cycles = 0, .smoothness = 10, .mend = MEND_HEAVIER},
    {.cycles = 0, .smoothness = 3, .legs = LEAP_TOGETHER},
    {.cycles = 0, .smoothness = 10, .legs = LEAP_TOGETHER},
    {.cycles = 0, .smoothness = 0.3, .mend = MEND_LIGHTER, .legs = LEAP_TOGETHER},
    {.cycles = 1, .smoothness = 3, .legs = LEAP_TOGETHER},
    {.cycles = 1, .smoothness = 10, .legs = LEAP_TOGETHER},
    {.cycles = 1, .smoothness = 0.3, .mend = MEND_LIGHTER, .legs = LEAP_TOGETHER},
    {.cycles = 1, .smoothness = 10, .mend = MEND_HEAVIER, .legs = LEAP_TOGETHER},
    {.cycles = 1, .smoothness = 10, .mend = MEND_HEAVIEST, .legs = LEAP_TOGETHER},
    {.cycles = 2, .smoothness = 10, .legs = LEAP_TOGETHER},
    {.cycles = 2, .smoothness = 10, .mend = MEND_HEAVIER, .legs = LEAP_TOGETHER}};

enum { N_LEAPS = sizeof piece_leaps / sizeof *piece_leaps };

double piece_roughness(const struct transition_request *r, const struct clip *clip)
{
  return solve_roughness(r->c, clip, &(struct verify_neighbours){r->from, r->to, r->from_frame, r->to_frame});
}

/* Replaces the start x by a solution in which feet may arrive at any speed. 0: there is none. */
static int piece_sketch(struct arena *work, const struct problem_input *in, double *x,
                        const struct spacetime_options *o, struct spacetime_report *report)
{
  struct problem_input loose = *in;
  loose.landing_speed = INFINITY;
  solve_with_rows_needed(work, problem_new(work, &loose), x, 0, o, report);
  return report->status == SPACETIME_SOLVED;
}

/* No attempt takes all the time from those after it, and only the last has patience. */
static struct spacetime_options piece_share(const struct spacetime_options *o, const struct spacetime_report *report,
                                            int is_last)
{
  struct spacetime_options own = *o;
  own.max_seconds = report->seconds + o->attempt_share * (o->max_seconds - report->seconds);
  own.patience = is_last ? o->patience : o->attempt_patience;
  return own;
}

/* One attempt; from `before`, if that has as many frames and no sketch is to be made. */
static struct clip *piece_try(struct arena *arena, const struct transition_request *r, int n_frames,
                              struct piece_attempt a, const struct clip *before, const struct spacetime_options *o,
                              struct spacetime_report *report)
{
  struct arena *work = arena_new(); /* the problem is large, its solution small */
  struct transition_problem w = transition_lay_out(work, r, n_frames, a.legs, o);
  int again = before && before->n_frames == n_frames && !a.is_sketched;
  formulation_scale_weight(&w.in, "acceleration", a.smoothness);
  formulation_scale_weight(&w.in, "joint_acceleration", a.smoothness);
  if (a.mend == MEND_LIGHTER)
    formulation_scale_weight(&w.in, "force_rate", 0.1);
  if (a.mend > MEND_LIGHTER) {
    formulation_scale_weight(&w.in, "joint_acceleration", a.mend == MEND_HEAVIEST ? 10 : 5);
    formulation_set_weight(&w.in, "net_force_bend", 4e-5);
  }
  w.in.warm = again || a.is_sketched;
  struct problem *p = problem_new(work, &w.in);
  double *x = ARENA_NEW(work, (size_t)p->n_vars, double);
  if (again)
    transition_guess_clip(p, &w, before, x);
  else
    transition_guess_blend(work, p, &w, x);
  if (!a.is_sketched || piece_sketch(work, &w.in, x, o, report))
    p = solve_with_rows_needed(work, p, x, again || a.is_sketched, o, report);
  if (r->task && report->status == SPACETIME_SOLVED)
    p = solve_for_task(work, p, x, r->task, o, report);
  struct clip *clip = report->status == SPACETIME_SOLVED ? transition_clip(arena, &w, p, x) : NULL;
  arena_free(work);
  return clip;
}

static struct clip *piece_find_change(struct arena *arena, const struct piece *q, enum piece_length length,
                                      const struct spacetime_options *o, struct spacetime_report *report)
{
  struct clip *best = NULL;
  double rough = INFINITY, before = INFINITY;
  int first = length == PIECE_LONGER ? FIRST_LONGER : 0, last = length == PIECE_SHORTEST ? FIRST_LONGER : N_ATTEMPTS;
  last = o->one_attempt ? first + 1 : last;
  for (int i = first; i < last && rough > 0 && report->seconds <= o->max_seconds; i++) {
    const struct piece_attempt *a = &piece_attempts[i];
    /* a length that was asked for stays, and smoothing alone does not mend everything */
    if (q->r->frames && (a->cycles || (!a->is_sketched && rough > o->hopeless_roughness && isfinite(rough))))
      continue;
    /* smoothing has its price in the forces that hurry: where the first step of it made things worse, so does the
     * next */
    if (!a->cycles && a->smoothness > 10 && !(isfinite(rough) && rough < before))
      continue;
    struct spacetime_report trial = {.solves = report->solves, .seconds = report->seconds};
    struct spacetime_options own = piece_share(o, report, i + 1 == N_ATTEMPTS);
    struct clip *clip = piece_try(arena, q->r, q->n_frames + a->cycles * q->cycle, *a, best, &own, &trial);
    double now = clip ? piece_roughness(q->r, clip) : rough;
    before = rough;
    rough = now;
    if (clip || !best)
      *report = trial, best = clip ? clip : best;
    report->solves = trial.solves, report->seconds = trial.seconds;
    if (trial.status == SPACETIME_STOPPED)
      break;
  }
  return best;
}

/* The least rough of its attempts; each starts from the best before it, if that has as many frames and the same
 * steps. */
static struct clip *piece_find_leap(struct arena *arena, const struct piece *q, const struct spacetime_options *o,
                                    struct spacetime_report *report)
{
  struct clip *best = NULL;
  const struct piece_attempt *of_best = NULL;
  double least = INFINITY;
  for (int i = 0; i < N_LEAPS && least > 0 && report->seconds <= o->max_seconds; i++) {
    const struct piece_attempt *a = &piece_leaps[i];
    int alike = best && of_best->cycles == a->cycles && of_best->legs == a->legs;
    if ((q->r->frames && a->cycles) || (a->mend && !(alike && least < o->hopeless_roughness)))
      continue;
    struct spacetime_report trial = {.solves = report->solves, .seconds = report->seconds};
    struct spacetime_options own = piece_share(o, report, i + 1 == N_LEAPS);
    if (a->mend && o->early_iterations < o->max_iterations)
      own.max_iterations = o->early_iterations;
    struct clip *clip = piece_try(arena, q->r, q->n_frames + a->cycles * q->cycle, *a, alike ? best : NULL, &own,
                                  &trial);
    double rough = clip ? piece_roughness(q->r, clip) : (double)INFINITY;
    if (!best || rough < least)
      *report = trial, best = clip, of_best = a, least = rough;
    report->solves = trial.solves, report->seconds = trial.seconds;
    if (trial.status == SPACETIME_STOPPED)
      break;
  }
  return best;
}

struct clip *piece_find(struct arena *arena, const struct piece *q, enum piece_length length,
                        const struct spacetime_options *o, struct spacetime_report *report)
{
  struct clip *best = leap_is_none(&q->r->leap) ? piece_find_change(arena, q, length, o, report)
                                                : piece_find_leap(arena, q, o, report);
  if (!best && report->status == SPACETIME_SOLVED) { /* nothing was tried */
    report->status = SPACETIME_FAILED;
    report->nlp.status = NLP_TIME;
    snprintf(report->reason, sizeof report->reason, "no time was left to look for it: allow more seconds");
  }
  return best;
}

struct clip *piece_find_near(struct arena *arena, const struct transition_request *r,
                             const struct spacetime_options *o, struct spacetime_report *report)
{
  struct spacetime_options brief = *o; /* what is led astray from a good start is better found without it */
  brief.max_iterations = o->early_iterations < o->max_iterations ? o->early_iterations : o->max_iterations;
  brief.patience = o->attempt_patience;
  brief.max_seconds = o->attempt_share * o->max_seconds;
  const struct clip *before = r->near;
  for (int i = 0; i < FIRST_LONGER && report->seconds <= brief.max_seconds; i++) {
    if (piece_attempts[i].is_sketched)
      continue;
    struct clip *clip = piece_try(arena, r, r->near->n_frames, piece_attempts[i], before, &brief, report);
    if (clip && piece_roughness(r, clip) == 0)
      return clip;
    if (report->status == SPACETIME_STOPPED)
      break;
    before = clip ? clip : r->near;
  }
  return NULL;
}

struct clip *piece_polish(struct arena *arena, const struct transition_request *r, const struct clip *joined,
                          const struct spacetime_options *o, struct spacetime_report *report)
{
  return piece_try(arena, r, joined->n_frames, piece_attempts[0], joined, o, report);
}
