/* From graph and task to costs of segments, to values and influence. The player's side is in controller_player.c. */
#include "policy/controller.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void controller_defaults(struct controller_options *o)
{
  values_defaults(&o->values);
  influence_defaults(&o->influence);
}

double controller_body_cost(const struct task *t, double counted_effort, double unit)
{
  return t->alpha * log(counted_effort / unit);
}

struct text_phrase controller_grid_text(const struct task *t)
{
  struct text_phrase text = {{0}};
  size_t used = 0;
  for (int p = 0; p < t->n_parameters && used < sizeof text.words; p++)
    used += (size_t)snprintf(text.words + used, sizeof text.words - used, "%s%d", p ? " x " : "", t->parameters[p].n);
  return text;
}

/* Where play begins: the first cyclic clip. It has an effort, for it moves, and that of a cycle counts as it is. */
static double unit_of_effort(const struct motion_graph *g)
{
  int i = 0;
  while (!g->clips[i].clip->cyclic)
    i++;
  return g->clips[i].features[0].counted_effort;
}

/* ---- the decision process ---- */

static const struct decision_parameter *make_parameters(struct arena *arena, const struct task *t)
{
  struct decision_parameter *parameters = ARENA_NEW(arena, (size_t)t->n_parameters, struct decision_parameter);
  for (int p = 0; p < t->n_parameters; p++)
    parameters[p] = (struct decision_parameter){t->parameters[p].n, t->parameters[p].kind->relative,
                                                task_chain(arena, t, p)};
  return parameters;
}

/* What a segment costs for each value of a parameter at its start. rows: room for the costs of its frames. */
static const double *expected_cost(struct arena *arena, const struct graph_segment *s, const struct task_parameter *p,
                                   const struct decision_parameter *parameter, double *rows)
{
  size_t n = (size_t)p->n;
  double *out = ARENA_NEW(arena, n, double);
  for (int k = 0; k < s->length; k++)
    task_costs(p, &s->features[k], rows + (size_t)k * n);
  decision_expect(parameter, s->length, rows, out);
  return out;
}

static double body_cost_of(const struct graph_segment *s, const struct task *t, double unit)
{
  double sum = 0;
  for (int k = 0; k < s->length; k++)
    sum += controller_body_cost(t, s->features[k].counted_effort, unit);
  return sum;
}

/* Room for the costs of the longest segment on the finest grid. */
static double *new_rows(struct arena *arena, const struct motion_graph *g, const struct task *t)
{
  int longest = 0, finest = 0;
  for (int e = 0; e < g->n_segments; e++)
    longest = g->segments[e].length > longest ? g->segments[e].length : longest;
  for (int p = 0; p < t->n_parameters; p++)
    finest = t->parameters[p].n > finest ? t->parameters[p].n : finest;
  return ARENA_NEW(arena, (size_t)longest * (size_t)finest, double);
}

const struct decision_process *controller_process(struct arena *arena, const struct motion_graph *g,
                                                  const struct task *t)
{
  struct arena *scratch = arena_new();
  struct decision_process *process = ARENA_NEW(arena, 1, struct decision_process);
  struct decision_segment *segments = ARENA_NEW(arena, (size_t)g->n_segments, struct decision_segment);
  const struct decision_parameter *parameters = make_parameters(arena, t);
  double *rows = new_rows(scratch, g, t), unit = unit_of_effort(g);
  for (int e = 0; e < g->n_segments; e++) {
    const struct graph_segment *s = &g->segments[e];
    const double **cost = ARENA_NEW(arena, (size_t)t->n_parameters, const double *);
    for (int p = 0; p < t->n_parameters; p++)
      cost[p] = expected_cost(arena, s, &t->parameters[p], &parameters[p], rows);
    segments[e] = (struct decision_segment){s->from, s->to, s->length, s->turn, body_cost_of(s, t, unit), cost};
  }
  arena_free(scratch);
  *process = (struct decision_process){t->n_parameters, g->n_nodes, g->n_segments, parameters, segments,
                                       g->first_segment};
  return process;
}

/* ---- what follows ---- */

static void share_time(struct arena *arena, struct controller *c)
{
  const struct motion_graph *g = c->graph;
  c->segment_share = ARENA_NEW(arena, (size_t)g->n_segments, double);
  c->clip_share = ARENA_NEW(arena, (size_t)g->n_clips, double);
  for (int e = 0; e < g->n_segments; e++) {
    const struct graph_segment *s = &g->segments[e];
    double frame = influence_of_frame(c->influence, e);
    c->segment_share[e] = frame * s->length;
    for (int i = 0; i < s->n_pieces; i++)
      c->clip_share[s->pieces[i].clip] += frame * s->pieces[i].count;
  }
}

/* What the average cost of a frame is made of. */
static void share_cost(struct arena *arena, struct controller *c)
{
  int P = c->process->n_parameters;
  c->task_cost = ARENA_NEW(arena, (size_t)P, double);
  for (int e = 0; e < c->process->n_segments; e++) {
    double often = influence_of_frame(c->influence, e);
    c->body_cost += often * c->process->segments[e].constant;
    for (int p = 0; p < P; p++)
      c->task_cost[p] += often * matrix_dot((size_t)c->process->parameters[p].n, c->influence->theta[e * P + p],
                                            c->process->segments[e].cost[p]);
  }
}

/* Seconds become chances per frame with the creature's frame rate, so clips must have it, too. */
static int check_rate(const struct motion_graph *g, const struct task *t, struct diag *d)
{
  double dt = g->clips[0].clip->dt;
  if (fabs(dt - t->dt) <= 1e-6 * t->dt)
    return 1;
  diag_error(d, g->file, 0, "its clips have %.6g frames a second, but creature '%s' has %.6g, and so has its task",
             1 / dt, text_clip(g->creature->name).word, 1 / t->dt);
  return 0;
}

/* 0 after an error. */
static int solve_values(struct arena *arena, struct controller *c, const struct values_options *o, struct diag *d)
{
  const struct values *v = values_solve(arena, c->process, o);
  c->values = v;
  if (v->status == VALUES_REFUSED)
    diag_error(d, c->task->file, 0, "%s", v->complaint.words);
  else if (v->status == VALUES_SWEEPS)
    diag_warning(d, c->task->file, 0, "after %d sweeps the cost of a frame is only known to be from %.4g to %.4g",
                 v->sweeps, v->lower, v->upper);
  return v->status != VALUES_REFUSED;
}

struct controller *controller_solve(struct arena *arena, const struct motion_graph *g, const struct task *t,
                                    const struct controller_options *options, struct diag *d)
{
  struct controller_options defaults;
  struct controller *c = ARENA_NEW(arena, 1, struct controller);
  if (!check_rate(g, t, d))
    return NULL;
  if (!options) {
    controller_defaults(&defaults);
    options = &defaults;
  }
  *c = (struct controller){.graph = g, .task = t, .effort = unit_of_effort(g), .grid = task_points(t)};
  c->process = controller_process(arena, g, t);
  c->memory = decision_memory(c->process);
  if (!solve_values(arena, c, &options->values, d))
    return NULL;
  c->influence = influence_solve(arena, c->process, c->values, &options->influence);
  if (!c->influence->solved)
    diag_warning(d, t->file, 0, "where the time is spent is only roughly known: %.2g of it still moves",
                 c->influence->defect);
  float *q = ARENA_NEW(arena, (size_t)g->n_segments * c->grid, float);
  values_q(c->process, c->values, q);
  c->q = q;
  c->cost = c->values->g;
  c->lower = c->values->lower;
  c->upper = c->values->upper;
  share_time(arena, c);
  share_cost(arena, c);
  return c;
}

struct controller *controller_new(struct arena *arena, const struct graph_input *in, const struct task *t,
                                  const struct controller_options *options, struct diag *d)
{
  struct graph_input measured = *in;
  measured.measures = &t->measures;
  const struct motion_graph *g = graph_new(arena, &measured, d);
  return g ? controller_solve(arena, g, t, options, d) : NULL;
}
