/* Solving a clip's problem: torque limits as they are needed, checks of the result, and words for what went wrong. */
#include "spacetime/solve.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "motion/verify.h"

struct problem_input solve_input(struct arena *arena, const struct creature *c, int n_frames, double h)
{
  double *rest = ARENA_NEW(arena, (size_t)c->n_dofs, double);
  creature_rest_pose(c, rest);
  for (int i = 0; i < 3; i++)
    rest[i] /= c->height;
  return (struct problem_input){.c = c, .n_frames = n_frames, .h = h,
                                .heading = ARENA_NEW(arena, (size_t)n_frames, double), .rest = rest,
                                .friction = c->friction, .apart = 0.4, .lane = 0.12, .lowest_root = LOWEST_ROOT,
                                .limited = ARENA_NEW(arena, (size_t)c->n_dofs, unsigned char),
                                .weights = weights_default()};
}

/* ---- words ---- */

static const char *const family_text[N_ROW_FAMILIES] = {
  [ROW_ROOT] = "the balance of forces and moments on the whole body",
  [ROW_HEIGHT] = "a foot on the ground at height zero",
  [ROW_SLIP] = "a foot that must not slip",
  [ROW_SWING] = "the clearance of a foot, or of a limb's end, above the ground",
  [ROW_CONE] = "the friction cone",
  [ROW_APART] = "the distance between left and right feet",
  [ROW_LANE] = "a foot that must keep to its side",
  [ROW_TORQUE] = "a torque limit",
  [ROW_LINK] = "the junction with the next clip",
};

static const char *const family_advice[N_ROW_FAMILIES] = {
  [ROW_ROOT] = "give more time on the ground, a longer period or a lower speed",
  [ROW_HEIGHT] = "lower the speed or widen the joint ranges of that leg",
  [ROW_SLIP] = "lower the speed, shorten the contact, or widen the joint ranges of that leg",
  [ROW_SWING] = "widen the joint ranges of that leg",
  [ROW_CONE] = "lower the speed or the turn, or raise the friction",
  [ROW_APART] = "widen the abduction ranges",
  [ROW_LANE] = "widen the abduction ranges of that leg",
  [ROW_TORQUE] = "raise the torque limit, or lower the speed",
  [ROW_LINK] = "allow more frames",
};

static const char *row_subject(const struct problem *p, const struct row *r)
{
  switch (r->family) {
  case ROW_ROOT:
  case ROW_TORQUE:
  case ROW_LINK: return p->in.c->dofs[r->index].name;
  default: return p->in.c->points[r->index].name;
  }
}

static const char *row_unit(enum row_family family)
{
  switch (family) {
  case ROW_ROOT: return "body weights";
  case ROW_CONE: return "squared body weights";
  case ROW_TORQUE: return "m g L";
  default: return "standing heights";
  }
}

/* Which constraint stands in the way, by how much, where, and what to try. */
static void explain(const struct problem *p, const double *x, struct spacetime_report *report, double *g)
{
  struct nlp nlp = problem_nlp((struct problem *)p);
  int which = 0;
  nlp.constraints(nlp.self, x, g);
  double worst = nlp_violation(&nlp, x, g, &which);
  size_t size = sizeof report->reason;
  int n = snprintf(report->reason, size, "the optimizer stopped (%s) after %d iterations; ",
                   nlp_status_text(report->nlp.status), report->nlp.iterations);
  if (worst < 1e-6)
    snprintf(report->reason + n, size - (size_t)n,
             "all constraints are met but the motion is not yet the best one: allow "
             "more iterations");
  else if (which < 0)
    snprintf(report->reason + n, size - (size_t)n, "a bound of a coordinate is violated by %.2g", worst);
  else {
    const struct row *r = &p->rows[which];
    snprintf(report->reason + n, size - (size_t)n, "%s (%s, frame %d of %d) is violated by %.2g %s; %s",
             family_text[r->family], row_subject(p, r), r->frame, p->in.n_frames, worst, row_unit(r->family),
             family_advice[r->family]);
  }
}

/* ---- solving ---- */

struct recorder {
  const struct spacetime_options *o;
  struct spacetime_report *report;
};

static int record(void *user, const struct nlp_progress *p)
{
  struct recorder *r = user;
  int room = (int)(sizeof r->report->history / sizeof *r->report->history);
  if (r->report->n_history < room)
    r->report->history[r->report->n_history++] =
        (struct spacetime_iteration){p->iteration, p->objective, p->infeasibility, p->dual_infeasibility};
  return r->o->progress ? r->o->progress(r->o->user, p) : 1;
}

static void solve_once(struct problem *p, double *x, int warm, const struct spacetime_options *o,
                       struct spacetime_report *report)
{
  struct recorder recorder = {o, report};
  struct nlp_options options;
  struct nlp nlp = problem_nlp(p);
  nlp_defaults(&options);
  options.max_iterations = o->max_iterations;
  options.max_seconds = fmax(0.01, o->max_seconds - report->seconds); /* of what earlier attempts have left */
  options.patience = o->patience;
  options.limited_memory = o->limited_memory;
  options.warm_start = warm;
  options.progress = record;
  options.user = &recorder;
  report->n_history = 0;
  report->n_vars = nlp.n;
  report->n_rows = nlp.m;
  nlp_solve(&nlp, &options, x, NULL, &report->nlp);
  report->solves++;
  report->seconds += report->nlp.seconds;
  report->seconds_evaluating += report->nlp.seconds_evaluating;
  report->seconds_hessian += report->nlp.seconds_hessian;
  report->cost = report->nlp.objective / p->in.weights.scale;
}

/* Marks the dofs whose torque limit x breaks; how many are new. */
static int mark_broken_limits(struct problem *p, const double *x, unsigned char *limited)
{
  const struct creature *c = p->in.c;
  int count = 0;
  problem_evaluate(p, x, 1);
  for (int i = CREATURE_ROOT_DOFS; i < p->n; i++) {
    double limit = c->dofs[i].torque_max / (c->mass * CREATURE_GRAVITY * c->height), most = 0;
    for (int k = p->in.cyclic ? 0 : 1; k < p->in.n_frames - (p->in.cyclic ? 0 : 1); k++)
      most = fmax(most, fabs(problem_value(p->tau, (size_t)p->n, k, (size_t)i)));
    if (most > limit && !limited[i]) {
      limited[i] = limited[c->dofs[i].mirror] = 1; /* both sides, or half a cycle would not fit the other */
      count++;
    }
  }
  return count;
}

/* A motion that satisfies all constraints and that nobody would want. */
static int reject(struct problem *p, const double *x, struct spacetime_report *report)
{
  double height = 0, peak = 0;
  problem_evaluate(p, x, 1);
  for (int k = 0; k < p->in.n_frames; k++) {
    height += x[p->q_var[k] + 2] / p->in.n_frames;
    for (int i = CREATURE_ROOT_DOFS; i < p->n; i++)
      peak = fmax(peak, fabs(problem_value(p->tau, (size_t)p->n, k, (size_t)i)));
  }
  if (height < LOWEST_ROOT + 0.05) {
    snprintf(report->reason, sizeof report->reason,
             "the motion found crouches: its root is on average at %.2f of the standing height; lower the speed",
             height);
    report->status = SPACETIME_REJECTED;
  } else if (peak > 20) {
    snprintf(report->reason, sizeof report->reason,
             "the motion found needs a joint torque of %.1f m g L; lower the speed or give more time on the ground",
             peak);
    report->status = SPACETIME_REJECTED;
  }
  return report->status == SPACETIME_REJECTED;
}

static void judge(struct arena *arena, struct problem *p, const double *x, struct spacetime_report *report)
{
  int solved = report->nlp.status == NLP_SOLVED ||
               (report->nlp.status == NLP_ACCEPTABLE && report->nlp.infeasibility < 1e-6);
  report->reason[0] = 0;
  report->status = solved ? SPACETIME_SOLVED : report->nlp.status == NLP_STOPPED ? SPACETIME_STOPPED : SPACETIME_FAILED;
  if (!solved)
    explain(p, x, report, ARENA_NEW(arena, (size_t)p->n_rows, double));
  else
    reject(p, x, report);
}

struct problem *solve_within_limits(struct arena *arena, struct problem *p, double *x, int warm,
                                    const struct spacetime_options *o, struct spacetime_report *report)
{
  unsigned char *limited = ARENA_NEW(arena, (size_t)p->n, unsigned char);
  memcpy(limited, p->in.limited, (size_t)p->n);
  for (int round = 0; round < 6; round++) {
    solve_once(p, x, warm || round > 0, o, report);
    judge(arena, p, x, report);
    if (report->status != SPACETIME_SOLVED || !mark_broken_limits(p, x, limited))
      return p;
    struct problem_input in = p->in;
    in.limited = limited;
    p = problem_new(arena, &in);
  }
  report->status = SPACETIME_FAILED;
  snprintf(report->reason, sizeof report->reason,
           "torque limits are broken one after the other; raise them or lower the speed");
  return p;
}

double solve_roughness(const struct creature *c, const struct clip *clip)
{
  struct arena *work = arena_new();
  struct verify_report report;
  double worst = 0;
  verify_clip(work, c, clip, &report);
  for (int i = 0; i < N_VERIFY_MEASURES; i++)
    if (!report.lines[i].passed)
      worst = fmax(worst, report.lines[i].bar > 0 ? report.lines[i].value / report.lines[i].bar : (double)INFINITY);
  arena_free(work);
  return report.passed ? 0 : fmax(worst, 1);
}

/* ---- the task ---- */

#define TASK_ROUNDS 4

static struct task_pull *pulls_of(struct arena *arena, const struct problem *p, const struct spacetime_task *task)
{
  struct task_pull *pulls = ARENA_NEW(arena, (size_t)p->in.n_frames, struct task_pull);
  double unit = sqrt(CREATURE_GRAVITY * p->in.c->height); /* of velocities */
  for (int k = 0; k < p->in.n_frames; k++) {
    task->at(task->user, p->in.n_frames > 1 ? (double)k / (p->in.n_frames - 1) : 0, &pulls[k]);
    pulls[k].velocity_weight *= unit * unit;
    for (int i = 0; i < 2; i++)
      pulls[k].velocity[i] /= unit;
  }
  return pulls;
}

struct problem *solve_for_task(struct arena *arena, struct problem *p, double *x, const struct spacetime_task *task,
                               const struct spacetime_options *o, struct spacetime_report *report)
{
  double *factor = ARENA_NEW(arena, (size_t)p->in.n_frames, double),
         *cost = ARENA_NEW(arena, (size_t)p->in.n_frames, double);
  struct problem_input in = p->in;
  in.task = pulls_of(arena, p, task);
  in.frame_factor = factor;
  for (int round = 0; round < TASK_ROUNDS && report->status == SPACETIME_SOLVED; round++) {
    double mean = 0;
    problem_frame_costs(p, x, cost);
    for (int k = 0; k < in.n_frames; k++)
      mean += cost[k] / in.n_frames;
    for (int k = 0; k < in.n_frames; k++)
      factor[k] = task->alpha / fmax(mean, 1e-4);
    in.limited = p->in.limited;
    p = solve_within_limits(arena, problem_new(arena, &in), x, 1, o, report);
  }
  return p;
}
