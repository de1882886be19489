/* Solving a clip's problem: rows as they are needed, checks of the result, and words for what went wrong. */
#include "spacetime/solve.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "creature/style.h"
#include "motion/verify.h"
#include "spacetime/formulation.h"
#include "spacetime/joints.h"
#include "spacetime/torque_change.h"

/* A violation of constraints that counts as none. */
#define FEASIBLE 1e-6

void spacetime_defaults(struct spacetime_options *o)
{
  *o = (struct spacetime_options){.max_iterations = 300,
                                  .max_seconds = 60,
                                  .swing_height = 0.10,
                                  .free_end_depth = 0.02,
                                  .feet_apart = 0.4,
                                  .feet_apart_room = 1.5,
                                  .lane = 0.12,
                                  .lane_room = 0.5,
                                  .landing_speed = 0.045,
                                  .torque_change = 0.16,
                                  .torque_iterations = 50,
                                  .torque_rounds = 6,
                                  .torque_threshold = 1e-11,
                                  .lowest_root = 0.6,
                                  .leg_reach = 1.25,
                                  .cone_margin = 4e-8,
                                  .lowest_mean_root = 0.65,
                                  .highest_torque = 20,
                                  .limb_margin = 0.01,
                                  .limb_depth = 0.03,
                                  .ground_depth = 0.005,
                                  .early_iterations = 80,
                                  .choose_rounds = 12,
                                  .task_rounds = 4,
                                  .guesses = 3,
                                  .tempo_range = 0.2,
                                  .large = 1100,
                                  .grip_at_ease = 0.6,
                                  .grip_at_most = 0.75,
                                  .sideways_reach = 1.33,
                                  .longest_piece = 3,
                                  .longest_change = 2,
                                  .longest_polished = 6,
                                  .least_turn_divided = 0.5,
                                  .gaits_apart = 1.2,
                                  .attempt_share = 0.4,
                                  .attempt_patience = 5,
                                  .hopeless_roughness = 3};
}

struct problem_input solve_input(struct arena *arena, const struct creature *c, int n_frames, double h,
                                 const struct spacetime_options *o)
{
  double *rest = ARENA_NEW(arena, (size_t)c->n_dofs, double);
  creature_rest_pose(c, rest);
  for (int i = 0; i < 3; i++)
    rest[i] /= c->height;
  struct problem_input in = {.c = c,
                             .n_frames = n_frames,
                             .h = h,
                             .heading = ARENA_NEW(arena, (size_t)n_frames, double),
                             .rest = rest,
                             .relaxed = joints_relaxed(arena, c, rest),
                             .effort = joints_effort(arena, c),
                             .spin = joints_spin(arena, c, rest),
                             .friction = c->friction,
                             .cone_margin = o->cone_margin,
                             .apart = o->feet_apart,
                             .apart_room = o->feet_apart_room,
                             .lane = o->lane,
                             .lane_room = o->lane_room,
                             .landing_speed = o->landing_speed,
                             .lowest_root = o->lowest_root,
                             .limb_margin = o->limb_margin,
                             .limb_depth = o->limb_depth,
                             .ground_depth = o->ground_depth};
  formulation_set(arena, &in, o->formulation ? o->formulation : &formulation_default);
  return in;
}

void solve_set_style(struct arena *arena, struct problem_input *in, const struct style *s)
{
  if (!s)
    return;
  struct style *scaled = ARENA_NEW(arena, 1, struct style);
  size_t n = (size_t)in->c->n_dofs;
  double *rest = ARENA_NEW(arena, n, double), *effort = ARENA_NEW(arena, n, double);
  memcpy(rest, s->rest, n * sizeof *rest);
  for (int i = 0; i < 3; i++)
    rest[i] /= in->c->height;
  for (size_t i = 0; i < n; i++)
    effort[i] = in->effort[i] * s->effort[i];
  in->effort = effort;
  *scaled = *s;
  scaled->rest = rest;
  in->style = scaled;
  for (int i = 0; i < s->n_weights; i++)
    formulation_scale_weight(in, s->weights[i].name, s->weights[i].factor);
}

/* Lengths in standing heights; angles are the same in all units. */
static struct posture_target solve_scale_target(struct posture_target t, const struct creature *c)
{
  double unit = t.dof < 3 ? c->height : 1;
  return (struct posture_target){t.dof, t.from / unit, t.to / unit, t.weight * unit * unit};
}

void solve_set_targets(struct arena *arena, struct problem_input *in, const struct posture_target *targets, int n)
{
  struct posture_target *scaled = ARENA_NEW(arena, (size_t)n + 1, struct posture_target);
  for (int i = 0; i < n; i++)
    scaled[i] = solve_scale_target(targets[i], in->c);
  in->n_targets = n;
  in->targets = scaled;
}

/* ---- words ---- */

int solve_refuse(struct spacetime_report *report, const char *reason)
{
  report->status = SPACETIME_REFUSED;
  snprintf(report->reason, sizeof report->reason, "%s", reason);
  return 0;
}

/* Which bound of which variable is violated. */
static void solve_explain_bound(const struct problem *p, int var, double by, char *text, size_t size)
{
  int k = p->in.n_frames - 1;
  while (k > 0 && p->q_var[k] > var)
    k--;
  int dof = var - p->q_var[k];
  if (dof < p->n)
    snprintf(text, size,
             "the range of a coordinate (%s, frame %d of %d) is violated by %.2g; widen it, or lower the speed",
             p->in.c->dofs[dof].name, k, p->in.n_frames, by);
  else
    snprintf(text, size, "a foot pulls at the ground (frame %d of %d) by %.2g body weights; lower the speed", k,
             p->in.n_frames, by);
}

/* Which constraint stands in the way, by how much, where, and what to try. */
static void solve_explain(struct arena *arena, struct problem *p, const double *x, struct spacetime_report *report)
{
  struct nlp nlp = problem_nlp(p);
  double *g = ARENA_NEW(arena, (size_t)p->n_rows, double);
  int which = 0;
  nlp.constraints(nlp.self, x, g);
  double worst = nlp_violation(&nlp, x, g, &which);
  int n = snprintf(report->reason, sizeof report->reason, "the optimizer stopped (%s) after %d iterations; ",
                   nlp_status_text(report->nlp.status), report->nlp.iterations);
  char *text = report->reason + n;
  size_t size = sizeof report->reason - (size_t)n;
  if (worst < FEASIBLE)
    snprintf(text, size, "all constraints are met but the motion is not yet the best one: allow more iterations");
  else if (which < 0)
    solve_explain_bound(p, -1 - which, worst, text, size);
  else {
    const struct row *r = &p->rows[which];
    struct row_words words;
    r->family->words(p, r, &words);
    snprintf(text, size, "%s (%s, frame %d of %d) is violated by %.2g %s; %s", words.what, words.subject, r->frame,
             p->in.n_frames, worst, words.unit, words.advice);
  }
}

/* ---- solving ---- */

struct solve_recorder {
  const struct spacetime_options *o;
  struct spacetime_report *report;
};

static int solve_record(void *user, const struct nlp_progress *p)
{
  struct solve_recorder *r = user;
  int room = (int)(sizeof r->report->history / sizeof *r->report->history);
  if (r->report->n_history < room)
    r->report->history[r->report->n_history++] =
        (struct spacetime_iteration){p->iteration, p->objective, p->infeasibility, p->dual_infeasibility};
  return r->o->progress ? r->o->progress(r->o->user, p) : 1;
}

static void solve_once(struct problem *p, double *x, int warm, const struct spacetime_options *o,
                       struct spacetime_report *report)
{
  struct solve_recorder recorder = {o, report};
  struct nlp_options options;
  struct nlp nlp = problem_nlp(p);
  nlp_defaults(&options);
  options.max_iterations = o->max_iterations;
  options.max_seconds = fmax(0.01, o->max_seconds - report->seconds); /* of what earlier attempts have left */
  options.patience = o->patience;
  options.limited_memory = o->limited_memory;
  options.warm_start = warm;
  if (p->in.torque_change > 0)
    options.pivot_threshold = o->torque_threshold;
  options.progress = solve_record;
  options.user = &recorder;
  report->n_history = 0;
  report->n_vars = nlp.n;
  report->n_rows = nlp.m;
  nlp_solve(&nlp, &options, x, NULL, &report->nlp);
  report->solves++;
  report->seconds += report->nlp.seconds;
  report->seconds_evaluating += report->nlp.seconds_evaluating;
  report->seconds_hessian += report->nlp.seconds_hessian;
  report->cost = report->nlp.objective / p->in.scale;
}

/* Sets the status: solved, or why not; rejected if it satisfies all constraints and nobody would want it. */
static void solve_judge(struct arena *arena, struct problem *p, const double *x, const struct spacetime_options *o,
                        struct spacetime_report *report)
{
  enum nlp_status nlp = report->nlp.status;
  report->reason[0] = 0;
  if (nlp != NLP_SOLVED && !(nlp == NLP_ACCEPTABLE && report->nlp.infeasibility < FEASIBLE)) {
    report->status = nlp == NLP_STOPPED ? SPACETIME_STOPPED : SPACETIME_FAILED;
    solve_explain(arena, p, x, report);
    return;
  }
  double height = 0, peak = 0;
  problem_evaluate(p, x, 1);
  for (int k = 0; k < p->in.n_frames; k++) {
    height += x[p->q_var[k] + 2] / p->in.n_frames;
    for (int i = CREATURE_ROOT_DOFS; i < p->n; i++)
      peak = fmax(peak, fabs(problem_torque(p, k, i)));
  }
  report->status = height < o->lowest_mean_root || peak > o->highest_torque ? SPACETIME_REJECTED : SPACETIME_SOLVED;
  if (height < o->lowest_mean_root)
    snprintf(report->reason, sizeof report->reason,
             "the motion found crouches: its root is on average at %.2f of the standing height; lower the speed",
             height);
  else if (peak > o->highest_torque)
    snprintf(report->reason, sizeof report->reason,
             "the motion found needs a joint torque of %.1f m g L; lower the speed or give more time on the ground",
             peak);
}

/* Lets families look at x for rows that they lack; at a start, only those that want to. The last that found some, NULL
 * if none did; *may_lack: a motion without these rows is better than none. */
static const struct row_family *solve_choose_rows(struct arena *arena, struct problem *p, const double *x, int at_start,
                                                  int *may_lack)
{
  const struct formulation *f = p->in.formulation;
  const struct row_family *found = NULL;
  *may_lack = 1;
  for (int t = 0; t < f->n_families; t++)
    if (f->families[t]->choose && (!at_start || f->families[t]->choose_at_start) &&
        f->families[t]->choose(arena, p, x, &p->in.chosen[t])) {
      found = f->families[t];
      *may_lack &= found->may_lack;
    }
  return found;
}

/* The last motion that lacked only rows that it may lack. */
struct solve_fallback {
  struct problem *p;            /* NULL: there is none */
  double *x;
  double jump;                  /* of torques */
  struct spacetime_report report;
};

/* Where jumps of torques are what it lacks, the best one: they need not become less from round to round. */
static void solve_keep(struct arena *arena, struct solve_fallback *k, struct problem *p, const double *x,
                       const struct spacetime_report *report)
{
  double jump = p->in.torque_change > 0 ? torque_change_worst(p, x) : 0;
  if (k->p && jump > k->jump)
    return;
  k->jump = jump;
  if (!k->x)
    k->x = ARENA_NEW(arena, (size_t)p->n_vars, double);
  memcpy(k->x, x, (size_t)p->n_vars * sizeof *x);
  k->p = p;
  k->report = *report;
}

static struct problem *solve_fall_back(const struct solve_fallback *k, double *x, struct spacetime_report *report)
{
  int solves = report->solves;
  double seconds = report->seconds;
  memcpy(x, k->x, (size_t)k->p->n_vars * sizeof *x);
  *report = k->report;
  report->solves = solves, report->seconds = seconds;
  return k->p;
}

/* Forgets rows that were chosen ahead and that a motion may lack. */
static struct problem *solve_without_early_rows(struct arena *arena, struct problem *p)
{
  const struct formulation *f = p->in.formulation;
  for (int t = 0; t < f->n_families; t++)
    if (f->families[t]->may_lack)
      p->in.chosen[t] = NULL;
  return problem_new(arena, &p->in);
}

/* Lets families give up rows that the solution at x, which is none, could not meet. 0: there are none. */
static int solve_relent(struct problem *p, const double *x)
{
  const struct formulation *f = p->in.formulation;
  int relented = 0;
  for (int t = 0; t < f->n_families; t++)
    if (f->families[t]->relent && p->in.chosen[t])
      relented |= f->families[t]->relent(p, x, p->in.chosen[t]);
  return relented;
}

struct problem *solve_with_rows_needed(struct arena *arena, struct problem *p, double *x, int warm,
                                       const struct spacetime_options *o, struct spacetime_report *report)
{
  const struct row_family *lacking = NULL;
  struct solve_fallback *kept = ARENA_NEW(arena, 1, struct solve_fallback);
  size_t bytes = (size_t)p->n_vars * sizeof *x;
  double *start = memcpy(ARENA_NEW(arena, (size_t)p->n_vars, double), x, bytes);
  int may_lack, early = solve_choose_rows(arena, p, x, 1, &may_lack) != NULL;
  if (early)
    p = problem_new(arena, &p->in);
  struct spacetime_options brief = *o; /* there is another way yet; what was solved before knows better */
  if (!p->in.warm && o->early_iterations < o->max_iterations)
    brief.max_iterations = o->early_iterations;
  for (int round = 0; round < o->choose_rounds; round++) {
    solve_once(p, x, warm || round > 0, round == 0 && early ? &brief : o, report);
    solve_judge(arena, p, x, o, report);
    int astray = report->status == SPACETIME_FAILED || report->status == SPACETIME_REJECTED;
    if (astray && round == 0 && early && report->seconds < o->max_seconds) {
      memcpy(x, start, bytes); /* rows that were added ahead may have led astray: without them, then */
      p = solve_without_early_rows(arena, p);
      solve_once(p, x, warm, o, report);
      solve_judge(arena, p, x, o, report);
    }
    if (report->status == SPACETIME_FAILED && kept->p && report->nlp.status == NLP_INFEASIBLE && solve_relent(p, x)) {
      memcpy(x, kept->x, bytes);
      p = problem_new(arena, &p->in);
      continue;
    }
    if (report->status != SPACETIME_SOLVED)
      return kept->p && report->status != SPACETIME_STOPPED ? solve_fall_back(kept, x, report) : p;
    if (!(lacking = solve_choose_rows(arena, p, x, 0, &may_lack)) || (may_lack && p->in.coarse && round > 0))
      return p; /* a coarse motion is a start for others: what it still lacks, they will find */
    if (may_lack)
      solve_keep(arena, kept, p, x, report);
    else
      kept->p = NULL;
    p = problem_new(arena, &p->in);
  }
  if (kept->p)
    return solve_fall_back(kept, x, report);
  report->status = SPACETIME_FAILED;
  snprintf(report->reason, sizeof report->reason, "%s", lacking ? lacking->endless : "no round of solves is allowed");
  return p;
}

double solve_roughness(const struct creature *c, const struct clip *clip, const struct verify_neighbours *beside)
{
  struct arena *work = arena_new();
  struct verify_report report;
  double worst = 0;
  verify_transition(work, c, clip, beside ? beside : &(struct verify_neighbours){0}, &report);
  for (int i = 0; i < N_VERIFY_MEASURES; i++)
    if (!report.lines[i].passed)
      worst = fmax(worst, report.lines[i].bar > 0 ? report.lines[i].value / report.lines[i].bar : (double)INFINITY);
  arena_free(work);
  return report.passed ? 0 : fmax(worst, 1);
}

/* ---- the task ---- */

/* A cost of a frame below which it does not count as less: alpha over nothing would be without bound. */
#define LEAST_COST 1e-4

struct problem *solve_for_task(struct arena *arena, struct problem *p, double *x, const struct spacetime_task *task,
                               const struct spacetime_options *o, struct spacetime_report *report)
{
  int n_frames = p->in.n_frames;
  double *factor = ARENA_NEW(arena, (size_t)n_frames, double), *cost = ARENA_NEW(arena, (size_t)n_frames, double);
  struct task_gradient *targets = ARENA_NEW(arena, (size_t)n_frames, struct task_gradient);
  double unit = sqrt(CREATURE_GRAVITY * p->in.c->height); /* of velocities */
  for (int k = 0; k < n_frames; k++) {
    task->at(task->user, n_frames > 1 ? (double)k / (n_frames - 1) : 0, &targets[k]);
    targets[k].velocity_weight *= unit * unit;
    for (int i = 0; i < 2; i++)
      targets[k].velocity[i] /= unit;
    for (int i = 0; i < targets[k].n_targets; i++)
      targets[k].targets[i] = solve_scale_target(targets[k].targets[i], p->in.c);
  }
  struct problem_input in = p->in;
  in.task = targets;
  in.frame_factor = factor;
  for (int round = 0; round < o->task_rounds && report->status == SPACETIME_SOLVED; round++) {
    double mean = 0;
    problem_frame_costs(p, x, cost);
    for (int k = 0; k < n_frames; k++)
      mean += cost[k] / n_frames;
    for (int k = 0; k < n_frames; k++)
      factor[k] = task->alpha / fmax(mean, LEAST_COST);
    p = solve_with_rows_needed(arena, problem_new(arena, &in), x, 1, o, report);
  }
  return p;
}
