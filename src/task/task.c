/* Loading a task, binding it to a creature, and asking it. */
#include "task/task.h"

#include <string.h>

#include "task/room.h"

/* ---- loading ---- */

/* The task of a text that has been read; NULL if the text could not be, or after an error. */
static const struct task_file *finish(struct arena *arena, const struct text_section *file, int errors_before,
                                      struct diag *d)
{
  if (!file)
    return NULL;
  struct task_file *t = ARENA_NEW(arena, 1, struct task_file);
  task_read(t, arena, file, d);
  return d->n_errors > errors_before ? NULL : t;
}

const struct task_file *task_load(struct arena *arena, const char *path, struct diag *d)
{
  int errors_before = d->n_errors;
  return finish(arena, text_read_file(arena, path, task_schema(arena), d), errors_before, d);
}

const struct task_file *task_parse(struct arena *arena, const char *name, const char *text, size_t length,
                                   struct diag *d)
{
  int errors_before = d->n_errors;
  return finish(arena, text_read_memory(arena, name, text, length, task_schema(arena), d), errors_before, d);
}

int task_lacks(const struct task_file *t, const struct creature *c, struct task_speeds *v)
{
  int lacks = 0;
  *v = (struct task_speeds){-1.0, -1.0};
  for (int i = 0; i < t->n_parameters; i++)
    if (t->parameters[i].kind->lacks) {
      t->parameters[i].kind->lacks(&t->parameters[i], c, v);
      lacks = 1;
    }
  return lacks;
}

/* ---- binding ---- */

/* The mean number of frames from one event of chance p to the next is 1 / p. */
static int bind_chances(const struct task_asked *a, const struct task_binding *b, struct task_parameter *p)
{
  double dt = 1.0 / b->creature->frame_rate;
  p->jump = p->n > 1 ? dt / a->jump_every : 0.0;
  p->drift = p->n > 1 ? dt / a->drift_every : 0.0;
  if (p->jump + p->drift <= 1.0)
    return 1;
  TASK_ERROR(b->d, a->section, "%s would change %.3g times a frame: frames of creature '%s' last %.3g s",
             text_describe(a->section).words, p->jump + p->drift, text_clip(b->creature->name).word, dt);
  return 0;
}

/* The law of jumps. 0 after an error. */
static int bind_weights(const struct task_asked *a, const struct task_binding *b, struct task_parameter *p)
{
  int n = a->n_weights, by_value = p->listed || p->kind->space == TASK_CATEGORY;
  if (n == 0 || (p->n == 1 && !by_value))
    return 1;
  const struct text_entry *e = text_find(a->section, "jump_weights");
  if (by_value && n != p->n) {
    TASK_ERROR(b->d, e, "%s: one for each value is needed, %d for creature '%s', found %d",
               text_describe_entry(e).words, p->n, text_clip(b->creature->name).word, n);
    return 0;
  }
  double *weights = ARENA_NEW(b->arena, (size_t)n, double), sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += a->weights[i];
  for (int i = 0; i < n; i++)
    weights[i] = a->weights[i] / sum;
  p->n_weights = n;
  p->weights = weights;
  return 1;
}

static int bind_parameter(const struct task_asked *a, const struct task_binding *b, struct task_parameter *p)
{
  p->kind = a->kind;
  p->weight = a->weight;
  p->power = a->power;
  p->measure = -1;
  return a->kind->bind(a, b, p) && bind_chances(a, b, p) && bind_weights(a, b, p);
}

/* 0 after an error. */
static int check_points(const struct task *t, struct arena *arena, struct diag *d)
{
  double points = 1.0;
  const char *sizes = "";
  for (int i = 0; i < t->n_parameters; i++) {
    points *= t->parameters[i].n;
    sizes = arena_printf(arena, "%s%s%d", sizes, i ? " x " : "", t->parameters[i].n);
  }
  if (points > TASK_MAX_POINTS)
    diag_error(d, t->file, 0, "the grids of all parameters have %s = %.0f values together, at most %d are allowed",
               sizes, points, TASK_MAX_POINTS);
  return points <= TASK_MAX_POINTS;
}

/* Gives each kind with a measure its place among the features. 0 after an error. */
static int number_measures(struct task *t, struct task_parameter *parameters, struct diag *d)
{
  for (int i = 0; i < t->n_parameters; i++)
    if (parameters[i].kind->measure) {
      if (t->measures.n == FEATURES_MEASURES) {
        diag_error(d, t->file, 0, "more than %d parameters are measured on poses", FEATURES_MEASURES);
        return 0;
      }
      parameters[i].measure = t->measures.n;
      t->measures.list[t->measures.n++] = (struct features_measure){parameters[i].kind->measure};
    }
  return 1;
}

const struct task *task_bind(struct arena *arena, const struct task_file *from, const struct creature *c,
                             struct diag *d)
{
  struct task *t = ARENA_NEW(arena, 1, struct task);
  struct task_parameter *parameters = ARENA_NEW(arena, (size_t)from->n_parameters, struct task_parameter);
  struct task_binding b = {arena, c, from->n_parameters, d};
  int good = 1;
  for (int i = 0; i < from->n_parameters; i++)
    good &= bind_parameter(&from->parameters[i], &b, &parameters[i]);
  *t = (struct task){.name = from->name,
                     .summary = from->summary,
                     .file = from->file,
                     .alpha = from->alpha,
                     .dt = 1.0 / c->frame_rate,
                     .creature = c,
                     .n_parameters = from->n_parameters,
                     .parameters = parameters};
  good = good && number_measures(t, parameters, d);
  return good && check_points(t, arena, d) ? t : NULL;
}

/* ---- asking ---- */

int task_find(const struct task *t, const char *kind)
{
  for (int i = 0; i < t->n_parameters; i++)
    if (!strcmp(t->parameters[i].kind->name, kind))
      return i;
  return -1;
}

int task_find_heading(const struct task *t, enum task_heading heading)
{
  for (int i = 0; i < t->n_parameters; i++)
    if (t->parameters[i].kind->heading == heading)
      return i;
  return -1;
}

int task_find_arrow(const struct task *t)
{
  for (int i = 0; i < t->n_parameters; i++)
    if (t->parameters[i].kind->is_arrow)
      return i;
  return -1;
}

size_t task_points(const struct task *t)
{
  size_t points = 1;
  for (int i = 0; i < t->n_parameters; i++)
    points *= (size_t)t->parameters[i].n;
  return points;
}

static double initial_value(const struct task_parameter *p)
{
  if (p->kind->space == TASK_CIRCLE)
    return 0.0;
  if (p->kind->space == TASK_CATEGORY)
    return p->values[0];
  return p->listed ? p->values[p->n / 2] : (p->least + p->most) / 2.0;
}

void task_initial(const struct task *t, double *theta)
{
  for (int i = 0; i < t->n_parameters; i++)
    theta[i] = initial_value(&t->parameters[i]);
}
