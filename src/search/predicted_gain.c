/* Imagined segments and their predicted gain. See predicted_gain.h. */
#include "search/predicted_gain.h"

#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "motion/ground.h"
#include "policy/coarse.h"
#include "policy/contract.h"

/* ---- imagining ---- */

/* Features of a cyclic clip are the same all along, against its own heading. */
static struct frame_features features_at(const struct scene *s, int clip)
{
  return s->controller->graph->clips[clip].features[0];
}

static double smooth(double x)
{
  return x * x * (3 - 2 * x);
}

/* From features to features, turning on the way; the effort is that of the whole. */
static struct frame_features *imagine_frames(struct arena *arena, struct frame_features from, struct frame_features to,
                                             double turn, int length, double counted_effort)
{
  struct frame_features *f = ARENA_NEW(arena, (size_t)length, struct frame_features);
  for (int k = 0; k < length; k++) {
    f[k] = features_between(&from, &to, turn, smooth((k + 0.5) / length), 2 * k >= length);
    f[k].counted_effort = counted_effort;
  }
  return f;
}

static double counted_effort_of(const struct scene *s, const struct candidate *x)
{
  return s->controller->effort * exp(s->log_effort ? s->log_effort(s->user, s, x) : 0);
}

static int add_transition(struct arena *arena, const struct scene *s, const struct candidate *x, struct imagined *out)
{
  int a = scene_find(s, x->from_clip), b = scene_find(s, x->to_clip);
  int from = a < 0 ? -1 : scene_node(s, a, x->from_frame), to = b < 0 ? -1 : scene_node(s, b, x->to_frame);
  if (from < 0 || to < 0 || x->frames < 4)
    return 0;
  out->ways[out->n_ways++] = (struct imagined_segment){from, to, x->frames - 2, x->turn,
      imagine_frames(arena, features_at(s, a), features_at(s, b), x->turn, x->frames - 2,
                     counted_effort_of(s, x))};
  return 1;
}

/* A cycle that is yet to be solved. */
struct new_cycle {
  int node, frames;
  struct frame_features features;
};

/* About as long as feet and turn need: a cycle and a bit, more for more than a quarter turn of heading or direction. */
static int length_between(int frames_a, int frames_b, double turn)
{
  double cycles = fmax(1.2, 0.72 * (1 + floor(fabs(turn) / (0.5 * PI) + 0.4)));
  return (int)fmax(4, cycles * 0.5 * (frames_a + frames_b));
}

/* Into the cycle and back to a clip; the way back turns back. */
static void add_ways(struct arena *arena, const struct scene *s, const struct new_cycle *n, const int ends[2],
                     double turn, struct imagined *out)
{
  for (int back = 0; back < 2; back++) {
    int clip = s->controller->graph->nodes[ends[back]].clip;
    struct frame_features there = features_at(s, clip);
    double veer = ground_wrap(turn + n->features.direction - there.direction + there.torso);
    int length = length_between(n->frames, s->clips[clip].clip->n_frames, fmax(fabs(turn), fabs(veer)));
    double effort = sqrt(there.counted_effort * n->features.counted_effort);
    out->ways[out->n_ways++] =
        back ? (struct imagined_segment){n->node, ends[1], length, -turn,
                                    imagine_frames(arena, n->features, there, -turn, length, effort)}
             : (struct imagined_segment){ends[0], n->node, length, turn,
                                    imagine_frames(arena, there, n->features, turn, length, effort)};
  }
}

/* The turn on a way into the cycle that keeps the direction of travel. */
static double turn_in_passing(const struct scene *s, const struct new_cycle *n, int clip)
{
  struct frame_features there = features_at(s, clip);
  return ground_wrap(there.direction - there.torso - n->features.direction);
}

/* Ways to its hub that a cycle will have one day: one that keeps the heading, and one that keeps the direction. Ways to
 * all other cycles would make it look good as a crossing, and there is one already. */
static void settle(struct arena *arena, const struct scene *s, const struct new_cycle *n, const int hub[2],
                   struct imagined *out)
{
  double turn = turn_in_passing(s, n, s->controller->graph->nodes[hub[0]].clip);
  add_ways(arena, s, n, hub, 0, out);
  if (fabs(turn) > 0.1)
    add_ways(arena, s, n, hub, turn, out);
}

static int add_cycle(struct arena *arena, const struct scene *s, const struct candidate *x, int settled,
                     struct imagined *out)
{
  int a = scene_find(s, x->from_clip), b = scene_find(s, x->to_clip);
  int hub[2] = {a < 0 ? -1 : scene_node(s, a, x->from_frame), b < 0 ? -1 : scene_node(s, b, x->to_frame)};
  if (hub[0] < 0 || hub[1] < 0)
    return 0;
  int node = s->controller->graph->n_nodes + out->n_new_nodes++,
      n = (int)fmax(4, gait_period(&s->c->gaits[x->gait], x->speed) * s->c->frame_rate);
  double effort = counted_effort_of(s, x);
  struct new_cycle cycle = {node, n, candidate_features(x)};
  cycle.features.counted_effort = effort;
  out->ways[out->n_ways++] = (struct imagined_segment){node, node, n, 0,
      imagine_frames(arena, cycle.features, cycle.features, 0, n, effort)};
  if (settled)
    settle(arena, s, &cycle, hub, out);
  else
    add_ways(arena, s, &cycle, hub, x->turn, out);
  return 1;
}

static int add_candidate(struct arena *arena, const struct scene *s, const struct candidate *x, int settled,
                         struct imagined *out)
{
  return x->kind == CANDIDATE_CYCLE ? add_cycle(arena, s, x, settled, out) : add_transition(arena, s, x, out);
}

int predicted_gain_imagine(struct arena *arena, const struct scene *s, const struct candidate *x, int settled,
               struct imagined *out)
{
  struct candidate mirrored;
  *out = (struct imagined){.ways = ARENA_NEW(arena, IMAGINED_SEGMENTS_MOST, struct imagined_segment)};
  if (!add_candidate(arena, s, x, settled, out))
    return 0;
  if (scene_mirror(s, x, &mirrored))
    add_candidate(arena, s, &mirrored, settled, out);
  return 1;
}

/* ---- worth ---- */

struct predicted_gain_base {
  const struct decision_operators *fine, *coarse; /* the same where all grids are coarse                          */
  const struct values *rough;   /* on the coarse grid                                                              */
};

/* A candidate's gain is a small share of the cost, and candidates compare by it. */
#define NEAR_FINE   5e-4
#define NEAR_COARSE 1e-3

static struct values_options options_near(double relative)
{
  struct values_options o;
  values_defaults(&o);
  o.relative = relative;
  return o;
}

/* Thinned out; the same where there is nothing to thin out. */
static const struct decision_operators *thin(struct arena *arena, const struct decision_operators *fine)
{
  const struct decision_operators *coarse = coarse_operators(arena, fine);
  return coarse ? coarse : fine;
}

const struct predicted_gain_base *predicted_gain_prepare(struct arena *arena, const struct scene *s)
{
  struct predicted_gain_base *base = ARENA_NEW(arena, 1, struct predicted_gain_base);
  struct values_options o = options_near(1e-4);
  base->fine = decision_operators(arena, s->controller->process, 0);
  base->coarse = thin(arena, base->fine);
  base->rough =
      base->coarse == base->fine ? s->controller->values : values_solve_operators(arena, base->coarse, &o);
  return base;
}

static struct decision_segment segment_of(struct arena *arena, const struct scene *s, const struct imagined_segment *w)
{
  const struct task *t = s->task;
  const double **cost = ARENA_NEW(arena, (size_t)t->n_parameters, const double *);
  struct decision_segment e = {w->from, w->to, w->length, w->turn, 0, cost};
  for (int k = 0; k < w->length; k++)
    e.constant += controller_body_cost(t, w->features[k].counted_effort, s->controller->effort);
  for (int p = 0; p < t->n_parameters; p++) {
    size_t n = (size_t)t->parameters[p].n;
    double *rows = ARENA_NEW(arena, (size_t)w->length * n, double), *sum = ARENA_NEW(arena, n, double);
    for (int k = 0; k < w->length; k++)
      task_costs(&t->parameters[p], &w->features[k], rows + (size_t)k * n);
    decision_expect(&s->controller->process->parameters[p], w->length, rows, sum);
    cost[p] = sum;
  }
  return e;
}

static const struct decision_operators *operators_of_ways(struct arena *arena, const struct scene *s,
                                                          const struct imagined *o)
{
  struct decision_segment *segments = ARENA_NEW(arena, (size_t)o->n_ways, struct decision_segment);
  struct decision_process *process = ARENA_NEW(arena, 1, struct decision_process);
  for (int i = 0; i < o->n_ways; i++)
    segments[i] = segment_of(arena, s, &o->ways[i]);
  *process = *s->controller->process;
  process->n_segments = o->n_ways;
  process->segments = segments;
  return decision_operators(arena, process, 0);
}

/* Both sets of segments in one process, sorted by node; of a node, those that are there first. */
struct joint {
  struct decision_process process;
  struct decision_operators operators;
  struct decision_segment *segments;
  int n;
};

static void append(struct joint *j, const struct decision_operators *from, int e)
{
  size_t P = (size_t)j->process.n_parameters;
  j->segments[j->n] = from->process->segments[e];
  memcpy(j->operators.along + (size_t)j->n * P, from->along + (size_t)e * P, P * sizeof *from->along);
  j->n++;
}

static struct joint *join(struct arena *arena, const struct decision_operators *there,
                          const struct decision_operators *ways, int n_new_nodes)
{
  struct joint *j = ARENA_NEW(arena, 1, struct joint);
  const struct decision_process *p = there->process;
  size_t n = (size_t)(p->n_segments + ways->process->n_segments), nodes = (size_t)(p->n_nodes + n_new_nodes);
  int *first = ARENA_NEW(arena, nodes + 1, int);
  j->process = *p;
  j->operators = *there;
  j->segments = ARENA_NEW(arena, n, struct decision_segment);
  j->operators.along = ARENA_NEW(arena, n * (size_t)p->n_parameters, struct matrix_columns);
  for (int node = 0; node < (int)nodes; node++) {
    for (int e = node < p->n_nodes ? p->first_segment[node] : 0;
         node < p->n_nodes && e < p->first_segment[node + 1]; e++)
      append(j, there, e);
    for (int e = 0; e < ways->process->n_segments; e++)
      if (ways->process->segments[e].from == node)
        append(j, ways, e);
  }
  decision_index(j->segments, j->n, (int)nodes, first);
  j->process.n_nodes = (int)nodes;
  j->process.n_segments = j->n;
  j->process.segments = j->segments;
  j->process.first_segment = first;
  j->operators.process = &j->process;
  return j;
}

/* The values with the ways of a candidate, from those that there are; at nodes with a choice only. */
struct prospect {
  const struct values *values;
  struct contraction at;
};

static struct prospect values_with(struct arena *scratch, const struct scene *s, const struct imagined *o, int coarse)
{
  const struct predicted_gain_base *base = s->base;
  const struct decision_operators *ways = operators_of_ways(scratch, s, o);
  struct joint *j = join(scratch, coarse ? base->coarse : base->fine, coarse ? thin(scratch, ways) : ways,
                         o->n_new_nodes);
  struct contraction c = contract(scratch, &j->operators);
  int n = c.operators->process->n_nodes, *same = ARENA_NEW(scratch, (size_t)n, int);
  for (int i = 0; i < n; i++)
    same[i] = c.node[i] < base->fine->process->n_nodes ? c.node[i] : -1;
  struct values_options options = options_near(coarse ? NEAR_COARSE : NEAR_FINE);
  options.start = coarse ? base->rough : s->controller->values;
  options.start_node = same;
  return (struct prospect){values_solve_operators(scratch, c.operators, &options), c};
}

double predicted_gain(struct arena *scratch, const struct scene *s, const struct imagined *o,
                      enum predicted_gain_grid grid)
{
  int coarse = grid == PREDICTED_GAIN_COARSE;
  const struct values *before = coarse ? s->base->rough : s->controller->values;
  return before->g - values_with(scratch, s, o, coarse).values->g;
}

/* ---- demand ---- */

/* The place of way i among the segments of the joint process: all that are there of nodes up to its own, and the ways
 * before it in that order. */
static int place_of_way(const struct scene *s, const struct imagined *o, int i)
{
  const struct decision_process *p = s->controller->process;
  int from = o->ways[i].from, place = p->first_segment[from < p->n_nodes ? from + 1 : p->n_nodes];
  for (int k = 0; k < o->n_ways; k++)
    place += o->ways[k].from < from || (o->ways[k].from == from && k < i);
  return place;
}

double predicted_gain_demand(struct arena *scratch, const struct scene *s, const struct imagined *o, int i,
                             double *mass)
{
  const struct controller *c = s->controller;
  struct prospect p = values_with(scratch, s, o, 0);
  int from = o->ways[i].from, place = place_of_way(s, o, i), node = 0;
  double sum = 0;
  while (p.at.node[node] != from) /* it is there: it has a choice now */
    node++;
  for (size_t k = 0; k < c->grid; k++) {
    int chosen = p.at.segment[p.values->choice[(size_t)node * c->grid + k]] == place;
    mass[k] = from < c->graph->n_nodes && chosen ? c->influence->state[(size_t)from * c->grid + k] : 0;
    sum += mass[k];
  }
  for (size_t k = 0; k < c->grid && sum > 0; k++)
    mass[k] /= sum;
  return sum;
}
