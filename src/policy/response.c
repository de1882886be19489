/* Steps from every node. See response.h. */
#include "policy/response.h"

#include <math.h>
#include <stdio.h>

#include "base/angle.h"
#include "policy/controller.h"

static const double angles[] = {-90, -30, 30, 90, 180};

/* ---- which steps ---- */

static int add_steps(const struct task *t, int parameter, struct response_step *out)
{
  const struct task_parameter *p = &t->parameters[parameter];
  const double speeds[] = {p->least, 0.5 * (p->least + p->most), p->most};
  int n = 0;
  if (p->kind->space == TASK_CIRCLE)
    for (size_t i = 0; i < sizeof angles / sizeof *angles; i++)
      out[n++] = (struct response_step){parameter, angles[i] * TO_RADIANS, 0};
  else if (p->kind->space == TASK_INTERVAL && !p->listed)
    for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++)
      out[n++] = (struct response_step){parameter, 0, speeds[i]};
  else
    for (int i = 0; i < p->n; i++)
      out[n++] = (struct response_step){parameter, 0, p->values[i]};
  return n;
}

struct text_phrase response_step_text(const struct task *t, const struct response_step *s)
{
  const struct task_parameter *p = &t->parameters[s->parameter];
  int circle = p->kind->space == TASK_CIRCLE;
  struct text_phrase text, value = task_value_text(p, circle ? s->size : s->value);
  snprintf(text.words, sizeof text.words, "%s %s %.200s", p->kind->name, circle ? "by" : "to", value.words);
  return text;
}

/* ---- one response ---- */

/* The value that asks for what a frame does. */
static double response_value_of(const struct task_parameter *p, const struct frame_features *f)
{
  int best = 0;
  if (p->kind->space != TASK_CATEGORY)
    return performance_error(p, f, 0); /* done - 0 */
  for (int i = 1; i < p->n; i++)
    if (p->kind->cost(p, f, p->values[i]) < p->kind->cost(p, f, p->values[best]))
      best = i;
  return p->values[best];
}

static void response_measure(const struct response_table *table, const struct muy_player_controller *c,
                             const struct response_step *step, struct response *out)
{
  const struct task *t = table->task;
  const struct task_parameter *p = &t->parameters[step->parameter];
  struct frame_features f = controller_features(c->segments[c->first_segment[out->node]].features[0]);
  int circle = p->kind->space == TASK_CIRCLE;
  struct muy_player player;
  out->asked = circle ? task_wrap(response_value_of(p, &f) + step->size) : step->value;
  double tolerance = performance_tolerance(p, out->asked);
  out->applies = fabs(performance_error(p, &f, out->asked)) > tolerance;
  if (!out->applies)
    return;
  muy_player_init(&player, c);
  muy_player_start(&player, out->node, 0, 0, 0);
  for (int i = 0; i < t->n_parameters; i++) {
    const struct task_parameter *other = &t->parameters[i];
    muy_player_set(&player, i, controller_asked(other, other == p ? out->asked : response_value_of(other, &f)));
  }
  for (int k = 0; k < table->n_frames; k++) {
    f = controller_features(muy_player_features(&player));
    out->error[k] = performance_error(p, &f, out->asked);
    muy_player_step(&player);
  }
  if (circle)
    performance_unwrap(out->error, table->n_frames);
  out->rest = performance_rest(out->error, table->n_frames, table->dt, tolerance);
}

/* ---- all of them ---- */

struct response_table *response_of_nodes(struct arena *arena, const struct muy_player_controller *p,
                                         const struct task *t, double seconds, struct diag *d)
{
  struct response_table *table = ARENA_NEW(arena, 1, struct response_table);
  size_t room = 0;
  if (!controller_fits(p, t, t->file, d))
    return NULL;
  for (int i = 0; i < t->n_parameters; i++)
    room += (size_t)t->parameters[i].n + sizeof angles / sizeof *angles;
  *table = (struct response_table){.task = t, .n_nodes = p->n_nodes, .dt = p->dt,
                                   .n_frames = (int)fmax(1, ceil(seconds / p->dt)),
                                   .steps = ARENA_NEW(arena, room, struct response_step)};
  for (int i = 0; i < t->n_parameters; i++)
    table->n_steps += add_steps(t, i, table->steps + table->n_steps);
  table->responses = ARENA_NEW(arena, (size_t)(table->n_nodes * table->n_steps), struct response);
  for (int node = 0; node < table->n_nodes; node++)
    for (int k = 0; k < table->n_steps; k++) {
      struct response *out = &table->responses[node * table->n_steps + k];
      out->node = node;
      out->error = ARENA_NEW(arena, (size_t)table->n_frames, double);
      response_measure(table, p, &table->steps[k], out);
    }
  return table;
}
