/* The speed over the ground. A file may give it in m/s, in units of the creature's natural speed sqrt(g L), or as a
 * share of the range of its gaits, so that one file fits several creatures. `stop`, in place of the slowest, is 0 m/s:
 * a creature that can stand does. */
#include <math.h>
#include <string.h>

#include "motion/features.h"
#include "task/room.h"

extern const struct task_kind task_kind_speed;

#define MAX_LISTED 100
#define STOP "stop"
#define STOP_NUMBER -1.0 /* in place of a share: less than all of them */

enum unit { SHARE, NATURAL, METRES_PER_SECOND };

static const char *const own_keys[] = {"range", "values", "unit", "gait", NULL};
static const char *const unit_words[] = {"share", "natural", "m/s", NULL};
static const char *const unit_names[] = {"(shares; else write unit = m/s)", "sqrt(g L)", "m/s"}; /* in messages */

struct speeds {            /* own keys, as written */
  enum unit unit;
  const char *of;          /* gait whose range the shares are of, "first" or "all" */
  const struct text_entry *of_entry;
  int n;                   /* numbers: two ends, or the list */
  int stops;               /* the first is 0 m/s, whatever the unit */
  double numbers[MAX_LISTED];
  const struct text_entry *entry; /* that gave them, NULL: none did */
};

/* ---- reading ---- */

static struct text_range numbers_allowed(enum unit unit)
{
  static const double most[] = {1.0, 10.0, 1000.0};
  return (struct text_range){0.0, most[unit], 0, unit_names[unit]};
}

static void read_unit(struct speeds *s, const struct text_section *section, struct diag *d)
{
  const struct text_entry *e = text_find(section, "unit");
  int word = e ? text_word(e, unit_words, d) : 0;
  s->unit = word > 0 ? (enum unit)word : SHARE;
  s->of_entry = text_find(section, "gait");
  const char *of = s->of_entry ? text_string(s->of_entry, d) : NULL;
  s->of = of ? of : "first";
  if (of && s->unit != SHARE)
    TASK_ERROR(d, s->of_entry, "%s: only shares are of a gait; the unit is %s at %s",
               text_describe_entry(s->of_entry).words, unit_words[s->unit],
               text_place(e->file, e->line, s->of_entry->file).words);
}

/* Numbers in ascending order; the first may be the word "stop". */
static void read_numbers(struct speeds *s, struct arena *arena, const struct text_entry *e, int least, int most,
                         struct diag *d)
{
  struct text_range allowed = numbers_allowed(s->unit);
  struct text_entry numbers = *e;
  const char **values = ARENA_NEW(arena, (size_t)e->n_values + 1, const char *);
  for (int i = 0; i < e->n_values; i++)
    values[i] = e->values[i];
  s->entry = e;
  s->stops = e->n_values > 0 && !strcmp(values[0], STOP);
  if (s->stops)
    values[0] = "0";
  numbers.values = values;
  s->n = text_numbers(&numbers, least, most, &allowed, s->numbers, d);
  if (s->n && s->stops && s->unit == SHARE)
    s->numbers[0] = STOP_NUMBER;
}

static void read_range(struct speeds *s, struct arena *arena, const struct text_entry *e, struct diag *d)
{
  read_numbers(s, arena, e, 2, 2, d);
  if (s->n && !(s->numbers[0] < s->numbers[1]))
    TASK_ERROR(d, e, "%s: the slowest, %g, must be less than the fastest, %g", text_describe_entry(e).words,
               s->numbers[0], s->numbers[1]);
}

static void read_list(struct speeds *s, struct task_asked *a, struct arena *arena, const struct text_entry *e,
                      struct diag *d)
{
  static const char *const without[] = {"range", "grid", "drift_every", "drift"};
  a->listed = 1;
  read_numbers(s, arena, e, 1, MAX_LISTED, d);
  for (int i = 1; i < s->n; i++)
    if (!(s->numbers[i - 1] < s->numbers[i])) {
      TASK_ERROR(d, e, "%s: each must be more than the one before it, but %g comes after %g",
                 text_describe_entry(e).words, s->numbers[i], s->numbers[i - 1]);
      break;
    }
  for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
    const struct text_entry *other = text_find(a->section, without[i]);
    if (other)
      TASK_ERROR(d, other, "%s: not together with the list of values at %s", text_describe_entry(other).words,
                 text_place(e->file, e->line, other->file).words);
  }
}

static void read(struct task_asked *a, struct arena *arena, struct diag *d)
{
  struct speeds *s = ARENA_NEW(arena, 1, struct speeds);
  const struct text_entry *range = text_find(a->section, "range"), *list = text_find(a->section, "values");
  read_unit(s, a->section, d);
  if (list)
    read_list(s, a, arena, list, d);
  else if (range)
    read_range(s, arena, range, d);
  else if (s->unit != SHARE)
    TASK_ERROR(d, a->section, "%s in %s needs a range = {slowest, fastest} or a list of values",
               text_describe(a->section).words, unit_names[s->unit]);
  if (!s->entry) {
    s->n = 2;
    s->numbers[1] = 1.0;
  }
  a->unit = unit_names[s->unit];
  a->drift_most = numbers_allowed(s->unit).most;
  a->own = s;
}

/* ---- binding ---- */

/* The range of the gaits that shares are of: 0 after an error. */
static int range_of(const struct speeds *s, const struct task_asked *a, const struct task_binding *b, double *range)
{
  const struct creature *c = b->creature;
  int all = !strcmp(s->of, "all"), first = !strcmp(s->of, "first"), g = all || first ? 0 : creature_find_gait(c, s->of);
  if (c->n_gaits == 0)
    TASK_ERROR(b->d, a->section, "%s: creature '%s' has no gait", text_describe(a->section).words,
               text_clip(c->name).word);
  else if (g < 0)
    TASK_ERROR(b->d, s->of_entry, "%s: creature '%s' has no gait '%s'%s", text_describe_entry(s->of_entry).words,
               text_clip(c->name).word, text_clip(s->of).word, text_suggest(s->of, task_gait_names(b->arena, c)).words);
  if (c->n_gaits == 0 || g < 0)
    return 0;
  range[0] = c->gaits[g].speed_min;
  range[1] = c->gaits[g].speed_max;
  for (int i = 0; all && i < c->n_gaits; i++) {
    range[0] = fmin(range[0], c->gaits[i].speed_min);
    range[1] = fmax(range[1], c->gaits[i].speed_max);
  }
  return 1;
}

/* Shares are of what gaits there will be; for standing none is needed. */
static void lacks(const struct task_asked *a, const struct creature *c, struct task_speeds *v)
{
  const struct speeds *s = a->own;
  double unit = s->unit == NATURAL ? sqrt(CREATURE_GRAVITY * c->height) : 1.0;
  if (s->unit != SHARE)
    *v = (struct task_speeds){s->numbers[0] > 0 ? unit * s->numbers[0] : -1, unit * s->numbers[s->n - 1]};
}

/* Asking for what no gait can do is allowed, but seldom meant. Between standing and the slowest gait there is nothing,
 * and no harm in that. */
static void warn_beyond(const struct speeds *s, const struct task_binding *b, const struct task_parameter *p)
{
  const struct creature *c = b->creature;
  double slowest = INFINITY, fastest = 0.0;
  for (int i = 0; i < c->n_gaits; i++) {
    slowest = fmin(slowest, c->gaits[i].speed_min);
    fastest = fmax(fastest, c->gaits[i].speed_max);
  }
  int stands = p->least <= 0 && creature_find_gait(c, CREATURE_STAND) >= 0;
  if (s->entry && c->n_gaits > 0 && ((p->least < slowest - 1e-9 && !stands) || p->most > fastest + 1e-9))
    diag_warning(b->d, s->entry->file, s->entry->line, "%s: %g to %g m/s, but creature '%s' does %g to %g m/s",
                 text_describe_entry(s->entry).words, p->least, p->most, text_clip(c->name).word, slowest, fastest);
}

static int bind(const struct task_asked *a, const struct task_binding *b, struct task_parameter *p)
{
  const struct speeds *s = a->own;
  double natural = sqrt(CREATURE_GRAVITY * b->creature->height), range[2] = {0.0, s->unit == NATURAL ? natural : 1.0};
  if (s->unit == SHARE && !range_of(s, a, b, range))
    return 0;
  double *values = ARENA_NEW(b->arena, (size_t)s->n, double), scale = range[1] - range[0];
  for (int i = 0; i < s->n; i++)
    values[i] = s->stops && i == 0 ? 0.0 : range[0] + scale * s->numbers[i];
  p->unit = natural;
  p->least = values[0];
  p->most = values[s->n - 1];
  p->drift_unit = scale;
  p->width = a->drift > 0.0 ? scale * a->drift : 0.05 * (p->most - p->least);
  if (s->unit != SHARE || s->stops)
    warn_beyond(s, b, p);
  if (a->listed) {
    p->listed = 1;
    p->n = s->n;
    p->values = values;
    return 1;
  }
  return task_bind_interval(a, b, p);
}

static double cost(const struct task_parameter *p, const struct frame_features *f, double theta)
{
  return task_difference_cost((f->speed - theta) / p->unit, p->power);
}

static double done(const struct task_parameter *p, const struct frame_features *f) { return (void)p, f->speed; }

static void set(const struct task_parameter *p, double x, struct frame_features *f)
{
  (void)p;
  f->speed = x;
}

/* ---- for the search ---- */

#define DRAWN      9    /* speeds to draw from, from the slowest to the fastest: users ask for both ends */
#define SAME_SPEED 0.05 /* speeds that are the same, as a share of them                                */

static void draw(const struct task *t, const struct task_parameter *p, struct rng *r, struct frame_features *f)
{
  (void)p;
  struct task_speeds v = task_speeds(t, f->gait);
  f->speed = v.least < v.most ? v.least + (v.most - v.least) * rng_below(r, DRAWN) / (DRAWN - 1) : v.least;
}

static void narrow(const struct task_parameter *p, struct task_speeds *v)
{
  v->least = fmax(v->least, p->least);
  v->most = fmin(v->most, p->most);
}

static int steps(const struct task_parameter *p, const struct task_place *place, struct task_step *out)
{
  return task_interval_steps(p, place, place->speeds.least, place->speeds.most, SAME_SPEED, out);
}

static void wish(const struct task_parameter *p, struct task_wish w, struct task_wishes *out)
{
  (void)p;
  out->speed = w;
}

const struct task_kind task_kind_speed = {.name = "speed",
                                          .space = TASK_INTERVAL,
                                          .unit = "m/s",
                                          .si_unit = "m/s",
                                          .zero = STOP,
                                          .scale = 1.0,
                                          .weight = 1.0,
                                          .jump_every = 4.0,
                                          .drift_every = 1.0,
                                          .keys = own_keys,
                                          .read = read,
                                          .bind = bind,
                                          .lacks = lacks,
                                          .there_share = 0.05,
                                          .there_units = 0.01,
                                          .decimals = 3,
                                          .axis_from_zero = 1,
                                          .done = done,
                                          .set = set,
                                          .cost = cost,
                                          .draw = draw,
                                          .narrow = narrow,
                                          .steps = steps,
                                          .wish = wish,
                                          .usual_clips = task_interval_clips};
