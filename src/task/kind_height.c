/* The height of the torso (the root) over the ground: to walk low or tall. A file gives it in metres or as a share of
 * the creature's standing height, so that one file fits several creatures. */
#include <math.h>

#include "task/room.h"

extern const struct task_kind task_kind_height;

enum unit { SHARE, METRES };

static const char *const own_keys[] = {"range", "unit", NULL};
static const char *const unit_words[] = {"share", "m", NULL};
static const char *const unit_names[] = {"standing heights (else write unit = m)", "m"}; /* in messages */

#define LOWEST  0.7             /* of the standing height: below, no leg finds room for a step */
#define HIGHEST 1.2

struct heights {                /* own keys, as written */
  enum unit unit;
  double range[2];
  const struct text_entry *entry; /* that gave the range, NULL: none did */
};

/* ---- the file ---- */

static void read(struct task_asked *a, struct arena *arena, struct diag *d)
{
  struct heights *h = ARENA_NEW(arena, 1, struct heights);
  const struct text_entry *e = text_find(a->section, "unit");
  int word = e ? text_word(e, unit_words, d) : 0;
  *h = (struct heights){word > 0 ? METRES : SHARE, {0.85, 1.0}, text_find(a->section, "range")};
  const struct text_range allowed = {h->unit == SHARE ? LOWEST : 0, h->unit == SHARE ? HIGHEST : 100, 0,
                                     unit_names[h->unit]};
  if (h->unit == METRES && !h->entry)
    TASK_ERROR(d, a->section, "%s in m needs a range = {lowest, tallest}", text_describe(a->section).words);
  if (h->entry && text_numbers(h->entry, 2, 2, &allowed, h->range, d) && !(h->range[0] < h->range[1]))
    TASK_ERROR(d, h->entry, "%s: the lowest, %g, must be less than the tallest, %g",
               text_describe_entry(h->entry).words, h->range[0], h->range[1]);
  a->unit = unit_names[h->unit];
  a->drift_most = allowed.most;
  a->own = h;
}

static int bind(const struct task_asked *a, const struct task_binding *b, struct task_parameter *p)
{
  const struct heights *h = a->own;
  double L = b->creature->height, scale = h->unit == SHARE ? L : 1;
  p->unit = 0.1 * L;
  p->least = scale * h->range[0];
  p->most = scale * h->range[1];
  p->drift_unit = scale;
  p->width = a->drift > 0.0 ? scale * a->drift : 0.05 * (p->most - p->least);
  if (p->least >= LOWEST * L - 1e-9 && p->most <= HIGHEST * L + 1e-9)
    return task_bind_interval(a, b, p);
  TASK_ERROR(b->d, h->entry, "%s: creature '%s' stands %.3g m high and can be asked for %.3g to %.3g m",
             text_describe_entry(h->entry).words, text_clip(b->creature->name).word, L, LOWEST * L, HIGHEST * L);
  return 0;
}

/* ---- a frame ---- */

static double measure(const struct creature *c, const double *q) { return (void)c, q[2]; }

static double done(const struct task_parameter *p, const struct frame_features *f) { return f->measured[p->measure]; }

static void set(const struct task_parameter *p, double x, struct frame_features *f) { f->measured[p->measure] = x; }

static double cost(const struct task_parameter *p, const struct frame_features *f, double theta)
{
  return task_difference_cost((done(p, f) - theta) / p->unit, p->power);
}

/* ---- the search ---- */

#define DRAWN  5                /* heights to draw from, both ends among them                               */
#define SAME   0.02             /* heights that are the same, as a share of them                            */
#define WEIGHT 50.0             /* of a difference of L in a frame: a walk is then within 1 % of L of what was asked */

static void draw(const struct task *t, const struct task_parameter *p, struct rng *r, struct frame_features *f)
{
  (void)t;
  set(p, p->least + (p->most - p->least) * rng_below(r, DRAWN) / (DRAWN - 1), f);
}

static int steps(const struct task_parameter *p, const struct task_place *place, struct task_step *out)
{
  return task_interval_steps(p, place, p->least, p->most, SAME, out);
}

static void wish(const struct task_parameter *p, struct task_wish w, struct task_wishes *out)
{
  out->measured[p->measure] = w;
}

static struct posture_target target(const struct task_parameter *p, double x)
{
  double L = 10 * p->unit;
  return (struct posture_target){.dof = 2, .from = x, .to = x, .weight = WEIGHT / (L * L)};
}

const struct task_kind task_kind_height = {.name = "height",
                                           .space = TASK_INTERVAL,
                                           .unit = "m",
                                           .si_unit = "m",
                                           .scale = 1.0,
                                           .weight = 1.0,
                                           .jump_every = 8.0,
                                           .drift_every = 4.0,
                                           .keys = own_keys,
                                           .there_units = 0.2,
                                           .decimals = 3,
                                           .read = read,
                                           .bind = bind,
                                           .measure = measure,
                                           .done = done,
                                           .set = set,
                                           .cost = cost,
                                           .draw = draw,
                                           .steps = steps,
                                           .wish = wish,
                                           .target = target,
                                           .usual_clips = task_interval_clips};
