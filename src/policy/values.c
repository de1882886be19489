/* Average-cost value iteration on a decision process. Equations: doc/values.md. */
#include "policy/values.h"

#include <math.h>
#include <string.h>

#include "policy/accelerator.h"
#include "policy/coarse.h"

void values_defaults(struct values_options *o)
{
  *o = (struct values_options){.relative = 1e-4, .absolute = 1e-9, .max_sweeps = 5000, .depth = 3, .coarse = 1,
                               .coarse_relative = 0.01, .damping = 0.95, .safe_sweeps = 4, .near = 1.5,
                               .memory = DECISION_MEMORY};
}

/* One point of the iteration: V and g together, so that both are accelerated. */
struct work {
  const struct decision_process *process;
  const struct decision_operators *operators;
  size_t grid, n;           /* n = n_nodes grid; V at 0 .. n - 1, g at n                        */
  double eta;               /* damping times the shortest segment                               */
  double *point, *image;    /* before and after a sweep                                 (n + 1) */
  double *residual;         /* of V                                                         (n) */
  int *choice;              /* by sweep_bounds                                              (n) */
  int *order, *place;       /* nodes as a sweep in place takes them, and where each is (n_nodes) */
  double *least, *most;     /* change of each node in a sweep in place               (n_nodes) */
  double *time;             /* frames that a sweep in place looks ahead               (n_nodes) */
  double change;            /* of all V in a sweep in place, summed                             */
  double lower, upper, span;
  int sweeps;
};

/* Q_e of one segment against the best so far of its node. Rates are costs per frame above g. */
static void values_consider(const struct work *w, int e, int first, double *best, double *rate)
{
  const struct decision_segment *s = &w->process->segments[e];
  const double *V = w->point + (size_t)s->from * w->grid;
  int *choice = w->choice + (size_t)s->from * w->grid;
  double *q = decision_apply(w->operators, e, w->point + (size_t)s->to * w->grid), per_frame = 1.0 / s->length;
  decision_add_cost(w->process, e, -w->point[w->n] * s->length, q);
  if (first)
    for (size_t i = 0; i < w->grid; i++) {
      best[i] = q[i];
      rate[i] = (q[i] - V[i]) * per_frame;
      choice[i] = e;
    }
  else
    for (size_t i = 0; i < w->grid; i++) {
      double r = (q[i] - V[i]) * per_frame;
      choice[i] = q[i] < best[i] ? e : choice[i];
      best[i] = q[i] < best[i] ? q[i] : best[i];
      rate[i] = r < rate[i] ? r : rate[i];
    }
}

/* Bounds of one node, equations 5 and 6, and its part of the safe step. */
struct extremes { double least_rate, most_rate, most_chosen, sum; };

static void values_finish_node(struct work *w, int node, const double *best, const double *rate, struct extremes *x)
{
  size_t at = (size_t)node * w->grid;
  const double *V = w->point + at;
  for (size_t i = 0; i < w->grid; i++) {
    double chosen = (best[i] - V[i]) / w->process->segments[w->choice[at + i]].length;
    x->sum += rate[i];
    x->least_rate = rate[i] < x->least_rate ? rate[i] : x->least_rate;
    x->most_rate = rate[i] > x->most_rate ? rate[i] : x->most_rate;
    x->most_chosen = chosen > x->most_chosen ? chosen : x->most_chosen;
    w->image[at + i] = V[i] + w->eta * rate[i];
  }
}

/* Choices and bounds of the point itself; the image is the safe step, equation 4. */
static void sweep_bounds(struct work *w)
{
  const struct decision_process *p = w->process;
  struct extremes x = {HUGE_VAL, -HUGE_VAL, -HUGE_VAL, 0};
  double *best = w->residual, *rate = w->image;
  for (int node = 0; node < p->n_nodes; node++, rate += w->grid) {
    for (int e = p->first_segment[node]; e < p->first_segment[node + 1]; e++)
      values_consider(w, e, e == p->first_segment[node], best, rate);
    values_finish_node(w, node, best, rate, &x);
  }
  w->lower = w->point[w->n] + x.least_rate;
  w->upper = w->point[w->n] + x.most_chosen;
  w->span = x.most_rate - x.least_rate;
  w->image[w->n] = w->point[w->n] + x.sum / (double)w->n;
  w->sweeps++;
}

/* ---- sweeps in place ---- */

/* Of a node: min_e Q_e, with what this sweep has found so far; its change to residual. */
static void values_renew_node(struct work *w, int node)
{
  const struct decision_process *p = w->process;
  size_t at = (size_t)node * w->grid;
  double *V = w->image + at, *change = w->residual + at, time = 0;
  for (size_t i = 0; i < w->grid; i++)
    change[i] = HUGE_VAL;
  for (int e = p->first_segment[node]; e < p->first_segment[node + 1]; e++) {
    const struct decision_segment *s = &p->segments[e];
    const double *q = decision_apply(w->operators, e, w->image + (size_t)s->to * w->grid);
    decision_least(p, e, -w->point[w->n] * s->length, q, change);
    time += s->length + (w->place[s->to] < w->place[node] ? w->time[s->to] : 0);
  }
  struct matrix_range range = matrix_trade(w->grid, V, change);
  w->change += range.sum;
  w->least[node] = range.least;
  w->most[node] = range.most;
  w->time[node] = time / (p->first_segment[node + 1] - p->first_segment[node]);
}

/* Bounds of the image from the changes of nodes that were renewed after they had been looked at, equation 7. */
static void bounds_in_place(struct work *w)
{
  double least = HUGE_VAL, most = -HUGE_VAL;
  for (int e = 0; e < w->process->n_segments; e++) {
    const struct decision_segment *s = &w->process->segments[e];
    int renewed = w->place[s->to] < w->place[s->from];
    least = fmin(least, renewed ? 0 : w->least[s->to] / s->length);
    most = fmax(most, renewed ? 0 : w->most[s->to] / s->length);
  }
  w->lower = w->point[w->n] + least;
  w->upper = w->point[w->n] + most;
  w->span = most - least;
}

/* The image: all nodes renewed; g moves by the mean change over the time looked ahead. */
static void sweep_in_place(struct work *w)
{
  double time = 0;
  memcpy(w->image, w->point, w->n * sizeof *w->image);
  w->change = 0;
  for (int k = 0; k < w->process->n_nodes; k++)
    values_renew_node(w, w->order[k]);
  bounds_in_place(w);
  for (int node = 0; node < w->process->n_nodes; node++)
    time += w->time[node] * (double)w->grid;
  w->image[w->n] = w->point[w->n] + w->change / time;
  w->sweeps++;
}

/* ---- where to start ---- */

/* Nodes that are new: no better than the worst of the old ones, then what their segments say. */
static void guess_new_nodes(struct work *w, const int *start_node)
{
  const struct decision_process *p = w->process;
  for (int pass = 0; pass < 3; pass++)
    for (int node = 0; node < p->n_nodes; node++) {
      double *V = w->point + (size_t)node * w->grid;
      if (start_node[node] >= 0)
        continue;
      for (size_t i = 0; i < w->grid && pass == 0; i++) {
        V[i] = -HUGE_VAL;
        for (int other = 0; other < p->n_nodes; other++)
          if (start_node[other] >= 0)
            V[i] = fmax(V[i], w->point[(size_t)other * w->grid + i]);
      }
      for (int e = p->first_segment[node]; e < p->first_segment[node + 1] && pass > 0; e++)
        values_consider(w, e, e == p->first_segment[node], w->residual, w->image);
      if (pass > 0)
        memcpy(V, w->residual, w->grid * sizeof *V);
    }
}

/* 1 if earlier values were of use. */
static int values_take_start(struct work *w, const struct values_options *o)
{
  const struct values *start = o->start;
  int found = 0;
  if (!start || start->status == VALUES_REFUSED || start->grid != w->grid)
    return 0;
  w->point[w->n] = start->g;
  for (int node = 0; node < w->process->n_nodes; node++) {
    int old = o->start_node ? o->start_node[node] : node;
    if (old < 0 || old >= start->n_nodes)
      continue;
    memcpy(w->point + (size_t)node * w->grid, start->V + (size_t)old * w->grid, w->grid * sizeof *w->point);
    found = 1;
  }
  if (o->start_node && found)
    guess_new_nodes(w, o->start_node);
  return found;
}

/* ---- the iteration ---- */

static struct work *values_work_new(struct arena *arena, const struct decision_operators *operators,
                                    const struct values_options *o)
{
  const struct decision_process *process = operators->process;
  struct work *w = ARENA_NEW(arena, 1, struct work);
  size_t n_nodes = (size_t)process->n_nodes;
  int shortest = process->segments[0].length;
  for (int e = 1; e < process->n_segments; e++)
    shortest = process->segments[e].length < shortest ? process->segments[e].length : shortest;
  w->process = process;
  w->operators = operators;
  w->grid = operators->grid;
  w->n = w->grid * n_nodes;
  w->eta = o->damping * shortest;
  w->point = ARENA_NEW(arena, w->n + 1, double);
  w->image = ARENA_NEW(arena, w->n + 1, double);
  w->residual = ARENA_NEW(arena, w->n, double);
  w->choice = ARENA_NEW(arena, w->n, int);
  w->order = ARENA_NEW(arena, n_nodes, int);
  w->place = ARENA_NEW(arena, n_nodes, int);
  w->least = ARENA_NEW(arena, n_nodes, double);
  w->most = ARENA_NEW(arena, n_nodes, double);
  w->time = ARENA_NEW(arena, n_nodes, double);
  decision_order(process, w->order, w->place);
  return w;
}

static double values_tolerance(const struct values_options *o, double g)
{
  return fmax(o->absolute, o->relative * fabs(g));
}

/* Sweeps that surely come nearer, equation 4; then bounds, choices and g are those of the point. 1 when it is near
 * enough. */
static int values_iterate_safely(struct work *w, int sweeps, const struct values_options *o, struct values *v)
{
  for (int k = 0;; k++) {
    sweep_bounds(w);
    v->g = w->point[w->n];
    v->lower = fmax(v->lower, w->lower); /* of any policy: what an earlier sweep proved stays true */
    v->upper = w->upper;
    if (v->lower <= v->g && v->g <= v->upper && v->upper - v->lower <= values_tolerance(o, v->g))
      return 1;
    if (k >= sweeps || w->sweeps >= o->max_sweeps)
      return 0;
    memcpy(w->point, w->image, (w->n + 1) * sizeof *w->point);
  }
}

/* Accelerated sweeps in place until the bounds seem near enough or no longer come nearer: 1 if the former. Leaves the
 * best point there was. */
static int values_iterate_fast(struct work *w, struct accelerator *a, double near, const struct values_options *o,
                               struct values *v)
{
  int progress = 1;
  accelerator_restart(a);
  do {
    sweep_in_place(w);
    v->lower = fmax(v->lower, w->lower);
    progress = accelerator_next(a, w->image, w->residual, w->span, w->point);
    w->point[w->n] = fmin(fmax(w->point[w->n], v->lower), fmax(v->lower, w->upper));
  } while (progress && w->span > near * values_tolerance(o, w->point[w->n]) && w->sweeps < o->max_sweeps);
  memcpy(w->point, a->best_image, (w->n + 1) * sizeof *w->point);
  return progress;
}

/* Fast sweeps as long as they help. Where they do not, ever more safe ones, so that those have the last word. */
static void values_iterate(struct work *w, struct arena *scratch, const struct values_options *o, struct values *v)
{
  struct accelerator accelerator;
  int depth = o->depth < 0 ? 0 : o->depth > DECISION_HISTORY ? DECISION_HISTORY : o->depth, safe_sweeps = 0;
  double near = o->near;
  accelerator_init(&accelerator, scratch, w->n + 1, w->n, depth);
  v->lower = -HUGE_VAL;
  v->status = VALUES_SOLVED;
  while (!values_iterate_safely(w, safe_sweeps, o, v)) {
    if (w->sweeps >= o->max_sweeps) {
      v->status = VALUES_SWEEPS;
      break;
    }
    w->point[w->n] = fmin(fmax(w->image[w->n], v->lower), fmax(v->lower, v->upper));
    if (values_iterate_fast(w, &accelerator, near, o, v)) {
      safe_sweeps = 0;
      near *= 0.5;
    } else {
      safe_sweeps = o->safe_sweeps << (v->retreats < 10 ? v->retreats : 10);
      v->retreats++;
    }
  }
  v->sweeps = w->sweeps;
}

/* Roughly solved on a coarser grid, where a sweep costs a tenth or less. */
static void values_start_coarse(struct work *w, const struct values_options *o, struct values *v)
{
  struct arena *scratch = arena_new();
  const struct decision_operators *operators = coarse_operators(scratch, w->operators);
  if (operators) {
    struct values_options rough = *o;
    struct values ignored = {0};
    struct work *coarse = values_work_new(scratch, operators, o);
    rough.relative = fmax(o->coarse_relative, o->relative);
    values_iterate(coarse, scratch, &rough, &ignored);
    v->coarse_sweeps = coarse->sweeps;
    w->point[w->n] = coarse->point[coarse->n];
    for (int node = 0; node < w->process->n_nodes; node++)
      coarse_refine(operators->process, w->process, coarse->point + (size_t)node * coarse->grid,
                    w->point + (size_t)node * w->grid, w->operators->scratch);
  }
  arena_free(scratch);
}

/* Only differences of values matter: their mean is made zero. */
static void copy_centred(size_t n, const double *from, double *to)
{
  double mean = 0;
  for (size_t i = 0; i < n; i++)
    mean += from[i] / (double)n;
  for (size_t i = 0; i < n; i++)
    to[i] = from[i] - mean;
}

static void solve_operators(struct arena *arena, const struct decision_operators *operators,
                            const struct values_options *o, struct values *v)
{
  struct arena *scratch = arena_new();
  struct work *w = values_work_new(scratch, operators, o);
  if (!values_take_start(w, o) && o->coarse)
    values_start_coarse(w, o, v);
  values_iterate(w, scratch, o, v);
  v->n_nodes = operators->process->n_nodes;
  v->grid = w->grid;
  v->V = ARENA_NEW(arena, w->n, double);
  copy_centred(w->n, w->point, v->V);
  v->choice = memcpy(ARENA_NEW(arena, w->n, int), w->choice, w->n * sizeof(int));
  arena_free(scratch);
}

struct values *values_solve_operators(struct arena *arena, const struct decision_operators *operators,
                                      const struct values_options *o)
{
  struct values *v = ARENA_NEW(arena, 1, struct values);
  solve_operators(arena, operators, o, v);
  return v;
}

struct values *values_solve(struct arena *arena, const struct decision_process *process, const struct values_options *o)
{
  struct values *v = ARENA_NEW(arena, 1, struct values);
  struct arena *scratch = arena_new();
  v->status = VALUES_REFUSED;
  if (decision_check(process, o->memory, &v->complaint))
    solve_operators(arena, decision_operators(scratch, process, 0), o, v);
  arena_free(scratch);
  return v;
}

void values_q(const struct decision_process *process, const struct values *values, float *out)
{
  struct arena *scratch = arena_new();
  struct decision_operators *operators = decision_operators(scratch, process, 0);
  for (int e = 0; e < process->n_segments; e++) {
    const struct decision_segment *s = &process->segments[e];
    double *q = decision_apply(operators, e, values->V + (size_t)s->to * values->grid);
    decision_add_cost(process, e, -values->g * s->length, q);
    for (size_t i = 0; i < values->grid; i++)
      out[(size_t)e * values->grid + i] = (float)q[i];
  }
  arena_free(scratch);
}
