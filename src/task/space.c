/* Circles, intervals and categories: grids, costs of differences, values as text. What kinds of parameters share. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "task/room.h"

double task_wrap(double angle)
{
  double wrapped = angle - 2.0 * PI * floor((angle + PI) / (2.0 * PI));
  return wrapped >= PI || wrapped < -PI ? -PI : wrapped; /* what rounding makes of an odd number of pi */
}

/* ---- grids ---- */

/* The value tensor is the product of all grids, so that more parameters mean coarser ones. */
static int default_grid(enum task_space space, int n_parameters)
{
  static const int circle[] = {72, 36, 24, 18}, interval[] = {17, 9, 7, 5};
  int i = n_parameters < 4 ? n_parameters - 1 : 3;
  return space == TASK_CIRCLE ? circle[i] : interval[i];
}

int task_bind_circle(const struct task_asked *a, const struct task_binding *b, struct task_parameter *p)
{
  p->n = a->grid ? a->grid : default_grid(TASK_CIRCLE, b->n_parameters);
  double *values = ARENA_NEW(b->arena, (size_t)p->n, double);
  for (int i = 0; i < p->n; i++)
    values[i] = 2.0 * PI * i / p->n;
  p->values = values;
  p->unit = 1.0;
  p->drift_unit = a->kind->scale;
  p->width = a->drift * a->kind->scale;
  return 1;
}

int task_bind_interval(const struct task_asked *a, const struct task_binding *b, struct task_parameter *p)
{
  double length = p->most - p->least;
  if (length > 0.0 && isfinite(a->drift_every) && p->width > length * (1.0 + 1e-9)) {
    const struct text_entry *e = text_find(a->section, "drift"); /* the default is never too wide */
    const double scale = a->kind->scale;
    TASK_ERROR(b->d, e, "%s: a step of %g %s is wider than the whole range, %g to %g %s for creature '%s'",
               text_describe_entry(e).words, p->width / scale, a->kind->unit, p->least / scale, p->most / scale,
               a->kind->unit, text_clip(b->creature->name).word);
    return 0;
  }
  p->n = length > 0.0 ? a->grid ? a->grid : default_grid(TASK_INTERVAL, b->n_parameters) : 1;
  double *values = ARENA_NEW(b->arena, (size_t)p->n, double);
  values[0] = p->least;
  for (int i = 1; i < p->n; i++)
    values[i] = i == p->n - 1 ? p->most : p->least + length * i / (p->n - 1);
  p->values = values;
  return 1;
}

/* ---- costs ---- */

/* The paper's costs are |difference|, whose derivative jumps at 0, where an optimizer wants to go. sqrt(x^2 + e^2) - e
 * is nearly the same, and smooth: differences far below e cost nothing worth mending, those far above cost e less. */
#define ROUNDING 0.02 /* of a unit: about a degree */

double task_difference_cost(double difference, double power)
{
  double rounded = difference * difference / (sqrt(difference * difference + ROUNDING * ROUNDING) + ROUNDING);
  return power == 1.0 ? rounded : pow(rounded, power);
}

double task_cost(const struct task_parameter *p, const struct frame_features *f, double theta)
{
  return p->weight * p->kind->cost(p, f, theta);
}

void task_costs(const struct task_parameter *p, const struct frame_features *f, double *out)
{
  for (int i = 0; i < p->n; i++)
    out[i] = task_cost(p, f, p->values[i]);
}

/* ---- values and their text ---- */

struct text_phrase task_value_text(const struct task_parameter *p, double theta)
{
  struct text_phrase text = {{0}};
  double value = theta;
  if (p->kind->zero && theta == 0.0)
    return snprintf(text.words, sizeof text.words, "%s", p->kind->zero), text;
  for (int i = 0; p->names && i < p->n; i++)
    if (p->values[i] == theta)
      return snprintf(text.words, sizeof text.words, "%s", p->names[i]), text;
  if (p->kind->space == TASK_CIRCLE) { /* -170 to 180, and no -0 */
    value = task_wrap(theta);
    value = fabs(value + PI) < 1e-9 ? PI : fabs(value) < 1e-9 ? 0.0 : value;
  }
  const char *unit = p->kind->unit;
  snprintf(text.words, sizeof text.words, "%.4g%s%s", value / p->kind->scale, unit[0] ? " " : "", unit);
  return text;
}

static int read_name(const struct task_parameter *p, const struct text_entry *e, double *theta, struct diag *d)
{
  int found = text_word(e, p->names, d);
  if (found >= 0)
    *theta = p->values[found];
  return found >= 0;
}

/* "70%": the number before the sign, as if the file had it alone. */
static int read_share(const struct text_entry *e, double *share, struct diag *d)
{
  static const struct text_range percent = {0, 100, 0, "%"};
  struct arena *scratch = arena_new();
  char *number = arena_strdup(scratch, e->values[0]);
  const char *values[] = {number};
  struct text_entry bare = *e;
  bare.values = values;
  number[strlen(number) - 1] = '\0';
  int good = text_numbers(&bare, 1, 1, &percent, share, d);
  arena_free(scratch);
  *share /= 100.0;
  return good;
}

static int read_interval(const struct task_parameter *p, const struct text_entry *e, double *theta, struct diag *d)
{
  const struct text_range any = {-1e6, 1e6, 0, p->kind->unit};
  const double scale = p->kind->scale;
  const char *word = e->n_values == 1 ? e->values[0] : "";
  double value;
  size_t length = strlen(word);
  if (length > 1 && word[length - 1] == '%') {
    if (!read_share(e, &value, d))
      return 0;
    *theta = p->least + value * (p->most - p->least);
    return 1;
  }
  if (p->kind->zero && !strcmp(word, p->kind->zero))
    value = 0.0;
  else if (!text_numbers(e, 1, 1, &any, &value, d))
    return 0;
  *theta = fmin(p->most, fmax(p->least, value * scale));
  if (fabs(*theta - value * scale) > 1e-9 * p->unit) /* rounding at the end of the range is no complaint */
    diag_warning(d, e->file, e->line, "%s: the task goes from %g to %s; %g is taken as %g",
                 text_describe_entry(e).words, p->least / scale, task_value_text(p, p->most).words, value,
                 *theta / scale);
  return 1;
}

int task_read_value(const struct task_parameter *p, const struct text_entry *e, double *theta, struct diag *d)
{
  const struct text_range any_turn = {-36000, 36000, 0, p->kind->unit};
  double value;
  if (p->kind->space == TASK_CATEGORY)
    return read_name(p, e, theta, d);
  if (p->kind->space == TASK_INTERVAL)
    return read_interval(p, e, theta, d);
  if (!text_numbers(e, 1, 1, &any_turn, &value, d))
    return 0;
  *theta = task_wrap(value * p->kind->scale);
  return 1;
}
