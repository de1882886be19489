/* Which gait. */
#include <string.h>

#include "motion/features.h"
#include "task/room.h"

extern const struct task_kind task_kind_gait;

static const char *const own_keys[] = {"gaits", NULL};

static int is_all(const struct text_entry *e) { return e->n_values == 1 && !strcmp(e->values[0], "all"); }

static void read(struct task_asked *a, struct arena *arena, struct diag *d)
{
  (void)arena;
  const struct text_entry *e = text_find(a->section, "gaits");
  for (int i = 0; e && i < e->n_values; i++) {
    if (!strcmp(e->values[i], "all") && !is_all(e))
      TASK_ERROR(d, e, "%s: 'all' stands alone", text_describe_entry(e).words);
    for (int j = 0; j < i; j++)
      if (!strcmp(e->values[i], e->values[j])) {
        TASK_ERROR(d, e, "%s: '%s' is given twice", text_describe_entry(e).words, text_clip(e->values[i]).word);
        break;
      }
  }
  a->own = e && !is_all(e) ? e : NULL;
}

const char *const *task_gait_names(struct arena *arena, const struct creature *c)
{
  const char **names = ARENA_NEW(arena, (size_t)c->n_gaits + 1, const char *);
  for (int i = 0; i < c->n_gaits; i++)
    names[i] = c->gaits[i].name;
  return names;
}

/* Gait i of those that the file names, as an index of the creature's. -1 after an error. */
static int find(const struct text_entry *e, int i, const struct task_binding *b)
{
  int g = creature_find_gait(b->creature, e->values[i]);
  if (g < 0)
    TASK_ERROR(b->d, e, "%s: creature '%s' has no gait '%s'%s", text_describe_entry(e).words,
               text_clip(b->creature->name).word, text_clip(e->values[i]).word,
               text_suggest(e->values[i], task_gait_names(b->arena, b->creature)).words);
  return g;
}

static int bind(const struct task_asked *a, const struct task_binding *b, struct task_parameter *p)
{
  const struct text_entry *e = a->own;
  int n = e ? e->n_values : b->creature->n_gaits, good = n > 0;
  if (n == 0)
    TASK_ERROR(b->d, a->section, "%s: creature '%s' has no gait", text_describe(a->section).words,
               text_clip(b->creature->name).word);
  double *values = ARENA_NEW(b->arena, (size_t)n, double);
  const char **names = ARENA_NEW(b->arena, (size_t)n + 1, const char *);
  for (int i = 0; i < n; i++) {
    int g = e ? find(e, i, b) : i;
    good &= g >= 0;
    values[i] = g;
    names[i] = g < 0 ? NULL : b->creature->gaits[g].name;
  }
  p->n = n;
  p->values = values;
  p->names = names;
  p->unit = 1.0;
  return good;
}

/* Whatever they are called. */
static void lacks(const struct task_asked *a, const struct creature *c, struct task_speeds *v)
{
  (void)a, (void)c, (void)v;
}

static double cost(const struct task_parameter *p, const struct frame_features *f, double theta)
{
  (void)p;
  return f->gait == (int)theta ? 0.0 : 1.0;
}

static double done(const struct task_parameter *p, const struct frame_features *f) { return (void)p, f->gait; }

static void set(const struct task_parameter *p, double x, struct frame_features *f)
{
  (void)p;
  f->gait = (int)x;
}

/* ---- for the search ---- */

static void draw(const struct task *t, const struct task_parameter *p, struct rng *r, struct frame_features *f)
{
  (void)t;
  f->gait = (int)p->values[rng_below(r, p->n)];
}

/* Every other gait, at a speed in the middle of its own. */
static int steps(const struct task_parameter *p, const struct task_place *place, struct task_step *out)
{
  const struct creature *c = place->task->creature;
  int n = 0;
  for (int i = 0; i < p->n; i++) {
    struct task_step x = {.to = place->here, .cycle = TASK_CYCLE_NEAREST};
    x.to.gait = (int)p->values[i];
    x.to.speed = 0.5 * (c->gaits[x.to.gait].speed_min + c->gaits[x.to.gait].speed_max);
    if (x.to.gait != place->here.gait)
      out[n++] = x;
  }
  return n;
}

static int usual_clips(const struct task *t, const struct task_parameter *p, int clips)
{
  (void)t;
  return clips * (p->n > 3 ? p->n : 3);
}

const struct task_kind task_kind_gait = {.name = "gait",
                                         .space = TASK_CATEGORY,
                                         .unit = "",
                                         .si_unit = "",
                                         .scale = 1.0,
                                         .weight = 10.0,
                                         .jump_every = 8.0,
                                         .keys = own_keys,
                                         .read = read,
                                         .bind = bind,
                                         .lacks = lacks,
                                         .done = done,
                                         .set = set,
                                         .cost = cost,
                                         .draw = draw,
                                         .steps = steps,
                                         .usual_clips = usual_clips};
