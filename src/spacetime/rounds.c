/* Solving a clip's problem in rounds: solve, look which rows the solution lacks, add them, solve again. What is judged
 * on the way; words.c says what went wrong. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "spacetime/formulation.h"
#include "spacetime/solve.h"
#include "spacetime/words.h"

/* A violation of constraints that counts as none. */
#define FEASIBLE 1e-6

/* Multipliers of the round before are a start while the rows that are new are violated by less than this in all: the
 * next solution is near. They halve the iterations then; beyond it they double them. In transitions they save little,
 * and led one of six turns of a human to a motion that missed a bar. */
#define SAME_SOLUTION 0.2

/* ---- judging ---- */

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

/* Sets the status: solved, or why not; rejected if it satisfies all constraints and nobody would want it. */
static void solve_judge(struct arena *arena, struct problem *p, const double *x, const struct spacetime_options *o,
                        struct spacetime_report *report)
{
  enum nlp_status nlp = report->nlp.status;
  report->reason[0] = 0;
  if (nlp != NLP_SOLVED && !(nlp == NLP_ACCEPTABLE && report->nlp.infeasibility < FEASIBLE)) {
    report->status = nlp == NLP_STOPPED ? SPACETIME_STOPPED : SPACETIME_FAILED;
    words_explain(arena, p, x, o, report);
    return;
  }
  double height = 0, peak = 0;
  int joint = 0, frame = 0;
  problem_evaluate(p, x, 1);
  for (int k = 0; k < p->in.n_frames; k++) {
    height += x[p->q_var[k] + 2] / p->in.n_frames;
    for (int i = CREATURE_ROOT_DOFS; i < p->n; i++)
      if (fabs(problem_torque(p, k, i)) > peak)
        peak = fabs(problem_torque(p, k, i)), joint = i, frame = k;
  }
  report->status = height < o->lowest_mean_root || peak > o->highest_torque ? SPACETIME_REJECTED : SPACETIME_SOLVED;
  if (height < o->lowest_mean_root)
    snprintf(report->reason, sizeof report->reason,
             "the motion found crouches: its root is on average at %.2f of the standing height, least is %.2f; lower "
             "the speed or shorten the period, so that feet need not reach so far",
             height, o->lowest_mean_root);
  else if (peak > o->highest_torque)
    snprintf(report->reason, sizeof report->reason,
             "the motion found needs a torque of %.1f m g L at %s (frame %d of %d), most is %.1f; lower the speed or "
             "give more time on the ground",
             peak, p->in.c->dofs[joint].name, frame, p->in.n_frames, o->highest_torque);
}

/* ---- which rows ---- */

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
static int solve_relent(struct problem *p, const double *x, enum nlp_status why)
{
  const struct formulation *f = p->in.formulation;
  int relented = 0;
  for (int t = 0; t < f->n_families; t++)
    if (f->families[t]->relent && p->in.chosen[t])
      relented |= f->families[t]->relent(p, x, why, p->in.chosen[t]);
  return relented;
}

/* ---- rounds ---- */

/* The best motion so far that lacks only rows that it may lack. */
struct kept_motion {
  struct problem *p;            /* NULL: there is none          */
  double *x;                    /*                     (n_vars) */
  double shortfall;             /* see row_family.shortfall     */
  struct spacetime_report report;
};

struct rounds {
  struct arena *arena;
  const struct spacetime_options *o;
  struct spacetime_report *report;
  struct problem *p;            /* the one with the rows so far                                           */
  double *x;                    /* where it is solved from, then the solution: the caller's      (n_vars) */
  int n_solved;
  const struct problem *known;  /* the problem that multipliers are of; NULL: there are none               */
  struct nlp_multipliers multipliers;
  struct kept_motion kept;
  const struct row_family *lacking; /* some of its rows, the last solution                                 */
};

static int rounds_is_same_row(const struct row *a, const struct row *b)
{
  return a->family == b->family && a->frame == b->frame && a->index == b->index && a->axis == b->axis;
}

/* Multipliers of rows that stay; 0 for those that are new. Rows are in the same order in all rounds. */
static void rounds_hand_on_multipliers(struct rounds *r)
{
  double *rows = ARENA_NEW(r->arena, (size_t)r->p->n_rows + 1, double);
  for (int i = 0, from = 0; i < r->p->n_rows; i++)
    for (int j = from; j < r->known->n_rows; j++)
      if (rounds_is_same_row(&r->p->rows[i], &r->known->rows[j])) {
        rows[i] = r->multipliers.rows[j];
        from = j + 1;
        break;
      }
  r->multipliers.rows = rows;
}

static double rounds_violation(struct rounds *r)
{
  struct nlp nlp = problem_nlp(r->p);
  double *g = ARENA_NEW(r->arena, (size_t)r->p->n_rows + 1, double), sum = 0;
  nlp.constraints(nlp.self, r->x, g);
  for (int i = 0; i < r->p->n_rows; i++)
    sum += fmax(fmax(r->p->g_lower[i] - g[i], g[i] - r->p->g_upper[i]), 0);
  return sum;
}

/* Gives the solver what is known of its solution. */
static enum nlp_start rounds_prepare(struct rounds *r, int near)
{
  if (near && r->known && r->p->in.cyclic && rounds_violation(r) < SAME_SOLUTION) {
    rounds_hand_on_multipliers(r);
    return NLP_RESUME;
  }
  size_t n = (size_t)r->p->n_vars;
  r->multipliers = (struct nlp_multipliers){ARENA_NEW(r->arena, (size_t)r->p->n_rows + 1, double),
                                            ARENA_NEW(r->arena, n, double), ARENA_NEW(r->arena, n, double)};
  return near ? NLP_NEAR : NLP_AFAR;
}

/* One solve, and a judgement of it in the report. near: x is near a solution. */
static void rounds_solve(struct rounds *r, int near, int max_iterations)
{
  struct spacetime_report *report = r->report;
  struct solve_recorder recorder = {r->o, report};
  struct nlp nlp = problem_nlp(r->p);
  struct nlp_options options;
  nlp_defaults(&options);
  options.start = rounds_prepare(r, near);
  options.max_iterations = max_iterations;
  options.max_seconds = fmax(0.01, r->o->max_seconds - report->seconds); /* of what earlier attempts have left */
  options.patience = r->o->patience;
  options.limited_memory = r->o->limited_memory;
  if (r->p->in.torque_change > 0)
    options.pivot_threshold = r->o->torque_threshold;
  options.progress = solve_record;
  options.user = &recorder;
  report->n_history = 0;
  report->n_vars = nlp.n;
  report->n_rows = nlp.m;
  nlp_solve(&nlp, &options, r->x, &r->multipliers, &report->nlp);
  report->solves++;
  report->seconds += report->nlp.seconds;
  report->seconds_evaluating += report->nlp.seconds_evaluating;
  report->seconds_hessian += report->nlp.seconds_hessian;
  report->cost = report->nlp.objective / r->p->in.scale;
  solve_judge(r->arena, r->p, r->x, r->o, report);
  r->known = report->status == SPACETIME_SOLVED ? r->p : NULL;
  r->n_solved++;
}

/* The first solve, with rows that can be foreseen at its start. They may lead astray: then without them. What was
 * solved before foresees better than a guess, and has all the iterations that there are. */
static void rounds_solve_first(struct rounds *r, int near)
{
  const struct spacetime_options *o = r->o;
  size_t bytes = (size_t)r->p->n_vars * sizeof *r->x;
  double *start = memcpy(ARENA_NEW(r->arena, (size_t)r->p->n_vars, double), r->x, bytes);
  if (!solve_choose_rows(r->arena, r->p, r->x, 1, &(int){0})) {
    rounds_solve(r, near, o->max_iterations);
    return;
  }
  int brief = !r->p->in.warm && o->early_iterations < o->max_iterations;
  r->p = problem_new(r->arena, &r->p->in);
  rounds_solve(r, near, brief ? o->early_iterations : o->max_iterations);
  int astray = r->report->status == SPACETIME_FAILED || r->report->status == SPACETIME_REJECTED;
  if (astray && r->report->seconds < o->max_seconds) {
    memcpy(r->x, start, bytes);
    r->p = solve_without_early_rows(r->arena, r->p);
    rounds_solve(r, near, o->max_iterations);
  }
}

/* A motion with less lacking may come before one with more: the best one is kept. */
static void rounds_keep(struct rounds *r)
{
  const struct formulation *f = r->p->in.formulation;
  struct kept_motion *k = &r->kept;
  double shortfall = 0;
  for (int t = 0; t < f->n_families; t++)
    if (f->families[t]->shortfall)
      shortfall += f->families[t]->shortfall(r->p, r->x);
  if (k->p && shortfall > k->shortfall)
    return;
  if (!k->x)
    k->x = ARENA_NEW(r->arena, (size_t)r->p->n_vars, double);
  memcpy(k->x, r->x, (size_t)r->p->n_vars * sizeof *r->x);
  k->p = r->p;
  k->shortfall = shortfall;
  k->report = *r->report;
}

static void rounds_fall_back(struct rounds *r)
{
  const struct kept_motion *k = &r->kept;
  int solves = r->report->solves;
  double seconds = r->report->seconds;
  memcpy(r->x, k->x, (size_t)k->p->n_vars * sizeof *r->x);
  *r->report = k->report;
  r->report->solves = solves, r->report->seconds = seconds;
  r->p = k->p;
}

/* After a solve. 1: there is something to be solved again, from x; 0: p, x and the report are the result. */
static int rounds_go_on(struct rounds *r)
{
  struct kept_motion *k = &r->kept;
  int may_lack, failed = r->report->status == SPACETIME_FAILED && r->report->nlp.status != NLP_TIME;
  if (failed && k->p && solve_relent(r->p, r->x, r->report->nlp.status)) {
    memcpy(r->x, k->x, (size_t)r->p->n_vars * sizeof *r->x);
    r->p = problem_new(r->arena, &r->p->in);
    return 1;
  }
  if (r->report->status != SPACETIME_SOLVED) {
    if (k->p && r->report->status != SPACETIME_STOPPED)
      rounds_fall_back(r);
    return 0;
  }
  r->lacking = solve_choose_rows(r->arena, r->p, r->x, 0, &may_lack);
  if (!r->lacking || (may_lack && r->p->in.coarse && r->n_solved > 1))
    return 0; /* a coarse motion is a start for others: what it still lacks, they will find */
  if (may_lack)
    rounds_keep(r);
  else
    k->p = NULL;
  r->p = problem_new(r->arena, &r->p->in);
  return 1;
}

/* No round is left. */
static void rounds_end(struct rounds *r)
{
  if (r->kept.p) {
    rounds_fall_back(r);
    return;
  }
  r->report->status = SPACETIME_FAILED;
  snprintf(r->report->reason, sizeof r->report->reason, "%s",
           r->lacking ? r->lacking->endless : "constraints were given up, and none of the rest can be met");
}

struct problem *solve_with_rows_needed(struct arena *arena, struct problem *p, double *x, int near,
                                       const struct spacetime_options *o, struct spacetime_report *report)
{
  struct rounds *r = ARENA_NEW(arena, 1, struct rounds);
  *r = (struct rounds){.arena = arena, .o = o, .report = report, .p = p, .x = x};
  rounds_solve_first(r, near);
  for (int left = o->choose_rounds - 1; rounds_go_on(r); left--) {
    if (left <= 0) {
      rounds_end(r);
      break;
    }
    rounds_solve(r, 1, o->max_iterations);
  }
  return r->p;
}
