/* Solving a clip's problem: torque limits as they are needed, checks of the result, and words for what went wrong. */
#include "spacetime/solve.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "motion/verify.h"
#include "spacetime/formulation.h"

struct problem_input solve_input(struct arena *arena, const struct creature *c, int n_frames, double h)
{
  double *rest = ARENA_NEW(arena, (size_t)c->n_dofs, double);
  creature_rest_pose(c, rest);
  for (int i = 0; i < 3; i++)
    rest[i] /= c->height;
  struct problem_input in = {.c = c, .n_frames = n_frames, .h = h,
                             .heading = ARENA_NEW(arena, (size_t)n_frames, double), .rest = rest,
                             .friction = c->friction, .cone_margin = 4e-8, .apart = 0.4, .lane = 0.12,
                             .lowest_root = LOWEST_ROOT};
  formulation_set(arena, &in, &formulation_default);
  return in;
}

/* Rounds of a solve, each with the rows that the solution of the one before lacked. */
#define CHOOSE_ROUNDS 6

/* ---- words ---- */

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
    struct row_words words;
    r->family->words(p, r, worst, &words);
    snprintf(report->reason + n, size - (size_t)n, "%s (%s, frame %d of %d) is violated by %.2g %s; %s", words.what,
             words.subject, r->frame, p->in.n_frames, worst, words.unit, words.advice);
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
  report->cost = report->nlp.objective / p->in.scale;
}

/* A motion that satisfies all constraints and that nobody would want. */
static int reject(struct problem *p, const double *x, struct spacetime_report *report)
{
  double height = 0, peak = 0;
  problem_evaluate(p, x, 1);
  for (int k = 0; k < p->in.n_frames; k++) {
    height += x[p->q_var[k] + 2] / p->in.n_frames;
    for (int i = CREATURE_ROOT_DOFS; i < p->n; i++)
      peak = fmax(peak, fabs(problem_torque(p, k, i)));
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

/* Lets families look at x for rows that they lack. The last that found some, NULL if none did. */
static const struct row_family *solve_choose_rows(struct arena *arena, struct problem *p, const double *x)
{
  const struct formulation *f = p->in.formulation;
  const struct row_family *found = NULL;
  for (int t = 0; t < f->n_families; t++)
    if (f->families[t]->choose && f->families[t]->choose(arena, p, x, &p->in.chosen[t]))
      found = f->families[t];
  return found;
}

struct problem *solve_with_rows_needed(struct arena *arena, struct problem *p, double *x, int warm,
                                       const struct spacetime_options *o, struct spacetime_report *report)
{
  const struct row_family *lacking = NULL;
  for (int round = 0; round < CHOOSE_ROUNDS; round++) {
    solve_once(p, x, warm || round > 0, o, report);
    judge(arena, p, x, report);
    if (report->status != SPACETIME_SOLVED || !(lacking = solve_choose_rows(arena, p, x)))
      return p;
    p = problem_new(arena, &p->in);
  }
  report->status = SPACETIME_FAILED;
  snprintf(report->reason, sizeof report->reason, "%s", lacking->endless);
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
    p = solve_with_rows_needed(arena, problem_new(arena, &in), x, 1, o, report);
  }
  return p;
}
