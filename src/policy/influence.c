/* The stationary distribution of a policy. Equations: doc/values.md.
 *
 * A sweep lets mass flow along the segments in an order in which most of it passes through many nodes at once; what
 * arrives at nodes that were done already waits for the next sweep. The mass that waits is what is iterated on: it
 * stays the same in sum, and is all that a sweep must know. */
#include "policy/influence.h"

#include <math.h>
#include <string.h>

#include "policy/accelerator.h"

void influence_defaults(struct influence_options *o)
{
  *o = (struct influence_options){.defect = 1e-5, .max_sweeps = 5000, .depth = 3, .safe_sweeps = 4};
}

struct flow {
  const struct decision_process *process;
  struct decision_operators *operators; /* transposed                                                */
  const int *choice;
  size_t grid, n;
  int *order, *place;                   /* successors first: sweeps go backwards through it          */
  double *waiting, *later;              /* mass that waits at nodes, before and after a sweep    (n) */
  double *change;                       /* later - waiting                                       (n) */
  double *state;                        /* mass that passed through                              (n) */
  double *part;                         /* that takes one segment                             (grid) */
  double defect;
  int sweeps;
};

/* What of a node's mass takes segment e; 0 when nothing does. */
static int influence_take_part(const struct flow *f, int e, const double *state, double *part)
{
  return matrix_select(f->grid, f->choice + (size_t)f->process->segments[e].from * f->grid, e, state, part);
}

/* All that a node holds moves on: to nodes still to come in this sweep, or to wait. */
static void influence_pass_on(const struct flow *f, int node)
{
  const struct decision_process *p = f->process;
  for (int e = p->first_segment[node]; e < p->first_segment[node + 1]; e++) {
    int to = p->segments[e].to;
    if (!influence_take_part(f, e, f->state + (size_t)node * f->grid, f->part))
      continue;
    double *goal = (f->place[to] < f->place[node] ? f->state : f->later) + (size_t)to * f->grid;
    matrix_add_scaled(f->grid, 1, decision_apply(f->operators, e, f->part), goal);
  }
}

static void influence_sweep(struct flow *f)
{
  memcpy(f->state, f->waiting, f->n * sizeof *f->state);
  memset(f->later, 0, f->n * sizeof *f->later);
  for (int k = f->process->n_nodes - 1; k >= 0; k--)
    influence_pass_on(f, f->order[k]);
  f->defect = matrix_change(f->n, f->later, f->waiting, f->change); /* the mass that waits sums to 1 */
  f->sweeps++;
}

/* Mass that waits when the states are those of start, or equally likely: what goes against the order. */
static void influence_start(struct flow *f, const struct influence_options *o)
{
  const struct decision_process *p = f->process;
  const struct influence *start = o->start && o->start->grid == f->grid ? o->start : NULL;
  for (int node = 0; node < p->n_nodes; node++) {
    int old = o->start_node ? o->start_node[node] : node;
    for (size_t i = 0; i < f->grid; i++)
      f->state[i] = !start                              ? 1.0 / (double)f->n
                    : old >= 0 && old < start->n_nodes ? start->state[(size_t)old * f->grid + i]
                                                       : 0;
    for (int e = p->first_segment[node]; e < p->first_segment[node + 1]; e++) {
      int to = p->segments[e].to;
      if (f->place[to] >= f->place[node] && influence_take_part(f, e, f->state, f->part))
        matrix_add_scaled(f->grid, 1, decision_apply(f->operators, e, f->part), f->waiting + (size_t)to * f->grid);
    }
  }
}

static void influence_sweep_safely(struct flow *f, int n, const struct influence_options *o)
{
  for (int k = 0; k < n && f->sweeps < o->max_sweeps; k++) {
    influence_sweep(f);
    for (size_t i = 0; i < f->n; i++)
      f->waiting[i] = 0.5 * (f->waiting[i] + f->later[i]); /* half stays: no cycles, equation 11 */
  }
}

/* Nothing is less than nothing: an accelerated point may be, in its last digits. */
static void influence_normalise(struct flow *f, const double *from)
{
  double sum = 0;
  for (size_t i = 0; i < f->n; i++)
    sum += f->waiting[i] = fmax(0, from[i]);
  for (size_t i = 0; i < f->n; i++)
    f->waiting[i] /= sum;
}

static void influence_iterate(struct flow *f, struct accelerator *a, const struct influence_options *o,
                              struct influence *out)
{
  influence_normalise(f, f->waiting);
  for (;;) {
    int progress = 1;
    accelerator_restart(a);
    do {
      influence_sweep(f);
      progress = accelerator_next(a, f->later, f->change, f->defect, f->waiting);
    } while (progress && f->defect > o->defect && f->sweeps < o->max_sweeps);
    influence_normalise(f, a->best_image);
    influence_sweep(f); /* of a distribution, not only of something near one */
    out->solved = f->defect <= o->defect;
    if (out->solved || f->sweeps >= o->max_sweeps)
      return;
    if (!progress)
      influence_sweep_safely(f, o->safe_sweeps << (out->retreats < 10 ? out->retreats : 10), o);
    out->retreats += !progress;
  }
}

/* ---- what follows from the distribution ---- */

/* Distribution of theta_p in a tensor: sums over all other axes. */
static void marginal(const struct decision_process *process, int p, const double *tensor, double *out)
{
  size_t inner = 1, n = (size_t)process->parameters[p].n, grid = decision_grid(process);
  for (int k = p + 1; k < process->n_parameters; k++)
    inner *= (size_t)process->parameters[k].n;
  for (size_t row = 0; row < grid / inner; row++)
    for (size_t i = 0; i < inner; i++)
      out[row % n] += tensor[row * inner + i];
}

static void summarise_segment(const struct flow *f, int e, struct influence *out)
{
  const struct decision_process *process = f->process;
  int P = process->n_parameters;
  const struct decision_segment *s = &process->segments[e];
  int some = influence_take_part(f, e, out->state + (size_t)s->from * f->grid, f->part);
  for (size_t i = 0; i < f->grid; i++)
    out->mass[e] += f->part[i];
  out->frames += out->mass[e] * s->length;
  out->cost += out->mass[e] * s->constant;
  for (int p = 0; p < P && some; p++) {
    double *theta = out->theta[e * P + p];
    marginal(process, p, f->part, theta);
    for (int i = 0; i < process->parameters[p].n; i++) {
      out->cost += theta[i] * s->cost[p][i];
      theta[i] /= out->mass[e];
    }
  }
}

static void summarise(const struct flow *f, struct arena *arena, struct influence *out)
{
  const struct decision_process *process = f->process;
  int P = process->n_parameters;
  double sum = 0;
  out->n_nodes = process->n_nodes;
  out->grid = f->grid;
  out->state = ARENA_NEW(arena, f->n, double);
  out->mass = ARENA_NEW(arena, (size_t)process->n_segments, double);
  out->theta = ARENA_NEW(arena, (size_t)(process->n_segments * P), double *);
  for (size_t i = 0; i < f->n; i++)
    sum += f->state[i];
  for (size_t i = 0; i < f->n; i++)
    out->state[i] = f->state[i] / sum;
  for (int e = 0; e < process->n_segments; e++) {
    for (int p = 0; p < P; p++)
      out->theta[e * P + p] = ARENA_NEW(arena, (size_t)process->parameters[p].n, double);
    summarise_segment(f, e, out);
  }
  out->cost /= out->frames;
}

static void flow_init(struct flow *f, struct arena *arena)
{
  size_t n_nodes = (size_t)f->process->n_nodes;
  f->operators = decision_operators(arena, f->process, 1);
  f->grid = f->operators->grid;
  f->n = f->grid * n_nodes;
  f->order = ARENA_NEW(arena, n_nodes, int);
  f->place = ARENA_NEW(arena, n_nodes, int);
  decision_order(f->process, f->order, f->place);
  f->waiting = ARENA_NEW(arena, f->n, double);
  f->later = ARENA_NEW(arena, f->n, double);
  f->change = ARENA_NEW(arena, f->n, double);
  f->state = ARENA_NEW(arena, f->n, double);
  f->part = ARENA_NEW(arena, f->grid, double);
}

struct influence *influence_solve(struct arena *arena, const struct decision_process *process,
                                  const struct values *values, const struct influence_options *o)
{
  struct influence *out = ARENA_NEW(arena, 1, struct influence);
  struct arena *scratch = arena_new();
  struct flow f = {.process = process, .choice = values->choice};
  struct accelerator accelerator;
  flow_init(&f, scratch);
  int depth = o->depth < 0 ? 0 : o->depth > DECISION_HISTORY ? DECISION_HISTORY : o->depth;
  accelerator_init(&accelerator, scratch, f.n, f.n, depth);
  influence_start(&f, o);
  influence_iterate(&f, &accelerator, o, out);
  out->defect = f.defect;
  out->sweeps = f.sweeps;
  summarise(&f, arena, out);
  arena_free(scratch);
  return out;
}

void influence_at(const struct decision_process *process, const struct influence *influence, int segment, int t, int p,
                  double *out)
{
  const double *K = process->parameters[p].chain;
  size_t n = (size_t)process->parameters[p].n;
  double before[n];
  memcpy(out, influence->theta[segment * process->n_parameters + p], n * sizeof *out);
  for (; t > 0; t--) {
    memcpy(before, out, sizeof before);
    memset(out, 0, sizeof before);
    for (size_t i = 0; i < n; i++)
      matrix_add_scaled(n, before[i], K + i * n, out);
  }
}

double influence_of_frame(const struct influence *influence, int segment)
{
  return influence->mass[segment] / influence->frames;
}
