/* Imagined segments and what they would be worth. */
#include "search/outlook.h"

#include <math.h>
#include <string.h>

#include "motion/ground.h"

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

/* From features to features, turning on the way; effort is that of the whole. */
static struct frame_features *imagine_frames(struct arena *arena, struct frame_features from, struct frame_features to,
                                             double turn, int length, double effort)
{
  struct frame_features *f = ARENA_NEW(arena, (size_t)length, struct frame_features);
  double direction = turn + ground_wrap(to.direction - from.direction),
         torso = turn + ground_wrap(to.torso - from.torso);
  for (int k = 0; k < length; k++) {
    double x = smooth((k + 0.5) / length);
    f[k] =
        (struct frame_features){ground_wrap(from.direction + x * direction), ground_wrap(from.torso + x * torso),
                                from.speed + x * (to.speed - from.speed), 2 * k < length ? from.gait : to.gait, effort};
  }
  return f;
}

static double effort_of(const struct scene *s, const struct candidate *x)
{
  return s->controller->effort * exp(s->log_effort ? s->log_effort(s->user, s, x) : 0);
}

static int add_transition(struct arena *arena, const struct scene *s, const struct candidate *x, struct outlook *out)
{
  int a = scene_find(s, x->from_clip), b = scene_find(s, x->to_clip);
  int from = a < 0 ? -1 : scene_node(s, a, x->from_frame), to = b < 0 ? -1 : scene_node(s, b, x->to_frame);
  if (from < 0 || to < 0 || x->frames < 4)
    return 0;
  out->ways[out->n_ways++] = (struct outlook_way){from, to, x->frames - 2, x->turn,
      imagine_frames(arena, features_at(s, a), features_at(s, b), x->turn, x->frames - 2, effort_of(s, x))};
  return 1;
}

/* A cycle: into it, around, and out of it again. Each way takes about a cycle and a half. */
static int add_cycle(struct arena *arena, const struct scene *s, const struct candidate *x, struct outlook *out)
{
  int a = scene_find(s, x->from_clip), b = scene_find(s, x->to_clip);
  int from = a < 0 ? -1 : scene_node(s, a, x->from_frame), to = b < 0 ? -1 : scene_node(s, b, x->to_frame);
  if (from < 0 || to < 0)
    return 0;
  int node = s->controller->graph->n_nodes + out->n_new_nodes++,
      n = (int)fmax(4, gait_period(&s->c->gaits[x->gait], x->speed) * s->c->frame_rate);
  double effort = effort_of(s, x);
  struct frame_features here = {x->strafe, 0, x->speed, x->gait, effort}, before = features_at(s, a),
                        after = features_at(s, b);
  int in = (int)(0.75 * (n + s->clips[a].clip->n_frames)), back = (int)(0.75 * (n + s->clips[b].clip->n_frames));
  out->ways[out->n_ways++] =
      (struct outlook_way){from, node, in, 0, imagine_frames(arena, before, here, 0, in, effort)};
  out->ways[out->n_ways++] = (struct outlook_way){node, node, n, 0, imagine_frames(arena, here, here, 0, n, effort)};
  out->ways[out->n_ways++] =
      (struct outlook_way){node, to, back, 0, imagine_frames(arena, here, after, 0, back, effort)};
  return 1;
}

int outlook_of(struct arena *arena, const struct scene *s, const struct candidate *x, struct outlook *out)
{
  struct candidate mirrored;
  *out = (struct outlook){0};
  if (!(x->kind == CANDIDATE_CYCLE ? add_cycle : add_transition)(arena, s, x, out))
    return 0;
  if (scene_mirror(s, x, &mirrored))
    (x->kind == CANDIDATE_CYCLE ? add_cycle : add_transition)(arena, s, &mirrored, out);
  return 1;
}

/* ---- worth ---- */

static struct decision_segment segment_of(struct arena *arena, const struct scene *s, const struct outlook_way *w)
{
  const struct task *t = s->task;
  const double **cost = ARENA_NEW(arena, (size_t)t->n_parameters, const double *);
  struct decision_segment e = {w->from, w->to, w->length, w->turn, 0, cost};
  for (int k = 0; k < w->length; k++)
    e.constant += controller_body_cost(t, w->features[k].effort, s->controller->effort);
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

double outlook_gain(struct arena *scratch, const struct scene *s, const struct outlook *o)
{
  const struct controller *c = s->controller;
  double gain = 0;
  for (int i = 0; i < o->n_ways; i++) {
    const struct outlook_way *w = &o->ways[i];
    if (w->from >= c->graph->n_nodes || w->to >= c->graph->n_nodes)
      continue;
    struct decision_segment e = segment_of(scratch, s, w);
    struct decision_process alone = *c->process;
    alone.n_segments = 1;
    alone.segments = &e;
    const struct decision_operators *operators = decision_operators(scratch, &alone, 0);
    double *q = decision_apply(operators, 0, c->values->V + (size_t)w->to * c->grid);
    decision_add_cost(&alone, 0, -c->cost * w->length, q);
    const double *v = c->values->V + (size_t)w->from * c->grid,
                 *often = c->influence->state + (size_t)w->from * c->grid;
    for (size_t k = 0; k < c->grid; k++)
      gain += often[k] * fmax(0, v[k] - q[k]);
  }
  return gain / c->influence->frames;
}

double outlook_cost(struct arena *scratch, const struct scene *s, const struct outlook *o)
{
  const struct controller *c = s->controller;
  const struct decision_process *old = c->process;
  int nodes = old->n_nodes + o->n_new_nodes, n = 0;
  struct decision_segment *segments =
      ARENA_NEW(scratch, (size_t)(old->n_segments + o->n_ways), struct decision_segment);
  int *first = ARENA_NEW(scratch, (size_t)nodes + 1, int), *same = ARENA_NEW(scratch, (size_t)nodes, int);
  for (int node = 0; node < nodes; node++) {
    for (int e = 0; e < old->n_segments; e++)
      if (old->segments[e].from == node)
        segments[n++] = old->segments[e];
    for (int i = 0; i < o->n_ways; i++)
      if (o->ways[i].from == node)
        segments[n++] = segment_of(scratch, s, &o->ways[i]);
    same[node] = node < old->n_nodes ? node : -1;
  }
  decision_index(segments, n, nodes, first);
  struct decision_process process = {old->n_parameters, nodes, n, old->parameters, segments, first};
  struct values_options options;
  values_defaults(&options);
  options.relative = 1e-3;
  options.start = c->values;
  options.start_node = same;
  const struct values *values = values_solve(scratch, &process, &options);
  return values->status == VALUES_REFUSED ? (double)INFINITY : values->g;
}
