/* Control graphs of run files: opening, learning iteration by iteration, keeping, going on. See learning.h. */
#include "control/learning.h"

#include <math.h>
#include <string.h>

#include "control/distill.h"
#include "control/lqr_teacher.h"
#include "control/record.h"
#include "store/run_inputs.h"

/* ---- the teachers ---- */

/* Passes progress on, and knows whether the caller said stop. */
struct reporter { const struct learning_options *o; int stopped; };

/* A teacher without iterations has no functions. */
struct learning_teacher {
  const char *name;
  int iterations;               /* default                                   */
  int measure;                  /* default: trials after an iteration        */
  int (*needs_values)(const struct learning_options *o); /* of the lqr teacher: to weigh samples by, to look ahead */
  void (*settings)(const struct learning_options *o, struct store_control *out); /* that decide what is learned    */
  int (*iterate)(struct arena *arena, struct controls *c, int iteration, struct reporter *r,
                 struct guided_report *out, struct diag *d); /* 0 after an error, or stopped */
};

static int guided_needs_values(const struct learning_options *o)
{
  return o->guided.value_weight > 0;
}

static void guided_settings(const struct learning_options *o, struct store_control *out)
{
  out->samples_first = o->guided.samples_first;
  out->samples = o->guided.samples;
  out->saved = o->guided.saved;
  out->visits = o->guided.visits;
  out->value_weight = o->guided.value_weight;
  out->refine = o->guided.refine;
  out->cycles_first = o->guided.cycles_first;
}

static int lookahead_needs_values(const struct learning_options *o)
{
  (void)o;
  return 1;
}

static void lookahead_settings(const struct learning_options *o, struct store_control *out)
{
  out->visits = o->lookahead.visits;
}

/* 0: stop. */
static int report_progress(struct reporter *r, const struct learning_progress *p)
{
  if (r->o->progress && !r->o->progress(r->o->user, p))
    r->stopped = 1;
  return !r->stopped;
}

static int report_walk(void *user, int done, int n)
{
  return report_progress(user, &(struct learning_progress){.stage = LEARNING_WALKS, .done = done, .n = n});
}

static int report_models(void *user, int strip, int n)
{
  return report_progress(user, &(struct learning_progress){.stage = LEARNING_MODELS, .done = strip + 1, .n = n});
}

static int run_guided(struct arena *arena, struct controls *c, int iteration, struct reporter *r,
                      struct guided_report *out,
                      struct diag *d)
{
  const struct learning_options *o = r->o;
  struct guided_options g = o->guided;
  g.seed = o->seed;
  g.workers = o->workers;
  g.progress = report_walk;
  g.user = r;
  return guided_iterate(arena, c, iteration, &g, out, d);
}

static int run_lookahead(struct arena *arena, struct controls *c, int iteration, struct reporter *r,
                         struct guided_report *out,
                         struct diag *d)
{
  const struct learning_options *o = r->o;
  struct lookahead_options m = o->lookahead;
  struct lookahead_report report;
  m.seed = o->seed;
  m.workers = o->workers;
  m.progress = report_walk;
  m.user = r;
  int good = lookahead_iterate(arena, c, iteration, &m, &report, d);
  *out = (struct guided_report){.residual = report.residual, .success = report.success, .seconds = report.seconds};
  return good;
}

static const struct learning_teacher teachers[] = {
  {.name = "lqr"},
  {"guided", 10, 8, guided_needs_values, guided_settings, run_guided},
  {"ahead", 4, 8, lookahead_needs_values, lookahead_settings, run_lookahead},
};

static const struct learning_teacher *learning_find_teacher(const char *name)
{
  for (size_t i = 0; i < sizeof teachers / sizeof *teachers; i++)
    if (!strcmp(teachers[i].name, name))
      return &teachers[i];
  return NULL;
}

int learning_is_teacher(const char *name)
{
  return learning_find_teacher(name) != NULL;
}

void learning_defaults(struct learning_options *o)
{
  *o = (struct learning_options){.teacher = "lqr", .compact = -1, .measure = -1, .keep = 1, .seed = 1, .workers = 1};
}

void learning_settle(const struct creature *c, struct learning_options *o)
{
  const struct learning_teacher *t = learning_find_teacher(o->teacher);
  guided_defaults(c, &o->guided);
  lookahead_defaults(c, &o->lookahead);
  if (o->iterations < 1 && t)
    o->iterations = t->iterations;
  if (o->measure < 0)
    o->measure = t ? t->measure : 0;
}

/* What decides what is learned: it goes on only with the same. */
static struct store_control learning_settings_of(const struct learning_options *o)
{
  struct store_control s = {.teacher = o->teacher, .seed = o->seed, .skill = o->skill};
  const struct learning_teacher *t = learning_find_teacher(o->teacher);
  if (t && t->settings)
    t->settings(o, &s);
  return s;
}

static int same_text(const char *a, const char *b)
{
  return a && b ? !strcmp(a, b) : !a && !b;
}

static int same_settings(const struct store_control *a, const struct store_control *b)
{
  return !strcmp(a->teacher, b->teacher) && a->seed == b->seed && same_text(a->skill, b->skill) &&
         a->samples_first == b->samples_first && a->samples == b->samples && a->saved == b->saved &&
         a->visits == b->visits && a->value_weight == b->value_weight && a->refine == b->refine &&
         a->cycles_first == b->cycles_first;
}

const char *learning_words(struct arena *arena, const struct store_control *k)
{
  const char *words = arena_printf(arena, "seed %llu", (unsigned long long)k->seed);
  if (k->samples)
    words = arena_printf(arena, "%s, %d then %d samples, %d saved", words, k->samples_first, k->samples, k->saved);
  if (k->visits)
    words = arena_printf(arena, "%s, %d visits", words, k->visits);
  if (k->samples)
    words = arena_printf(arena, "%s, value %g", words, k->value_weight);
  if (k->refine)
    words = arena_printf(arena, "%s, refined", words);
  if (k->cycles_first)
    words = arena_printf(arena, "%s, %d of cycles first", words, k->cycles_first);
  return k->skill ? arena_printf(arena, "%s, skill %s", words, k->skill) : words;
}

/* ---- the graph ---- */

/* Only the clip that is named, which must be cyclic. 0 after an error. */
static int only_skill(struct arena *arena, struct store *s, const char *skill, struct graph_input *in, struct diag *d)
{
  int id = store_find_clip(s, skill, d);
  for (int i = 0; id && i < in->n_clips; i++)
    if (in->clips[i].id == id && in->clips[i].clip->cyclic) {
      struct graph_clip *one = ARENA_NEW(arena, 1, struct graph_clip);
      *one = in->clips[i];
      in->clips = one;
      in->n_clips = 1;
      in->branches = 0;
      return 1;
    }
  if (id)
    diag_error(d, in->file, 0, "clip '%s' is no cycle of the controller: a skill must be one", skill);
  return 0;
}

int learning_open(struct arena *arena, const char *run, const char *skill, struct learning *l, struct diag *d)
{
  struct graph_input in;
  struct store *store = store_open(arena, run, STORE_READ, d);
  *l = (struct learning){.run = run};
  int good = store && run_inputs_clips(arena, store, run, &in, d) &&
             (!skill || only_skill(arena, store, skill, &in, d));
  store_close(store); /* before workers are made */
  if (!good)
    return 0;
  l->creature = in.creature;
  l->motion = graph_new(arena, &in, d);
  l->graph = l->motion ? control_graph_new(arena, l->motion, 0, d) : NULL;
  return l->graph != NULL;
}

/* ---- learning ---- */

/* Keeps what was learned; 0 after an error. */
static int keep_iteration(struct arena *arena, struct learning *l, const struct learning_options *o, struct diag *d)
{
  if (!o->keep)
    return 1;
  struct store *store = store_open(arena, l->run, STORE_WRITE, d);
  l->kept.bytes = controls_write(arena, l->controls, &l->kept.n_bytes);
  l->kept.id = store && store_add_session(store, &o->session, d) ? store_put_control(store, &l->kept, d) : 0;
  store_close(store);
  return l->kept.id > 0;
}

/* How long it stands growing pushes, by its policy alone. */
static double measure_robustness(struct arena *arena, const struct learning *l, const struct learning_options *o,
                                 struct diag *d)
{
  struct trial_options t;
  if (o->measure < 1)
    return NAN;
  trial_defaults(l->creature, TRIAL_GROWING, &t);
  t.runner.candidates = 0;
  t.workers = o->workers;
  const struct trial_result *r = trials_run(arena, l->controls, o->measure, &t, d);
  return r ? trials_summary(r, o->measure).mean_seconds : NAN;
}

/* Gains and values of the lqr teacher. 0 after an error, or stopped. */
static int learn_gains(struct arena *arena, struct learning *l, struct reporter *r, double *seconds, struct diag *d)
{
  const struct learning_options *o = r->o;
  struct lqr_teacher_options t;
  lqr_teacher_defaults(l->creature, &t);
  t.identify.seed = o->seed;
  t.workers = o->workers;
  t.progress = report_models;
  t.user = r;
  const struct lqr_teacher *teacher = lqr_teacher_learn(arena, l->graph, &t, d);
  if (!teacher)
    return 0;
  l->controls->gains = teacher->gains;
  *seconds += teacher->seconds;
  return 1;
}

/* 0: stop. */
static int report_iteration(struct reporter *r, const struct learning *l, double seconds)
{
  return report_progress(r, &(struct learning_progress){.stage = LEARNING_ITERATION, .done = l->kept.iteration,
                                                        .n = l->kept.n_iterations, .seconds = seconds,
                                                        .kept = &l->kept});
}

static int learn_at_once(struct arena *arena, struct learning *l, struct reporter *r, struct diag *d)
{
  const struct learning_options *o = r->o;
  struct distill_options distilling;
  double seconds = 0;
  distill_defaults(&distilling);
  distilling.seed = o->seed;
  l->controls = controls_new(arena, l->graph);
  if (!learn_gains(arena, l, r, &seconds, d))
    return 0;
  double left = distill(arena, l->controls, &distilling, d);
  l->kept = learning_settings_of(o);
  l->kept.iteration = l->kept.n_iterations = 1;
  l->kept.seconds = seconds;
  l->kept.residual = left;
  l->kept.success = 1;
  l->kept.robustness = measure_robustness(arena, l, o, d);
  if (!isfinite(left) || !keep_iteration(arena, l, o, d))
    return 0;
  report_iteration(r, l, seconds);
  r->stopped = 0; /* there was nothing left to stop */
  return 1;
}

/* The best policies so far, as bytes: where an iteration made it worse, learning goes on from these. */
struct best { double robustness; const void *bytes; size_t n; };

/* 0 after an error. */
static int learning_roll_back(struct arena *arena, struct learning *l, struct best *best, struct diag *d)
{
  if (!isfinite(l->kept.robustness))
    return 1;
  if (l->kept.robustness >= best->robustness) {
    best->robustness = l->kept.robustness;
    best->bytes = controls_write(arena, l->controls, &best->n);
    return 1;
  }
  l->controls = controls_read(arena, l->graph, best->bytes, best->n, d);
  return l->controls != NULL;
}

/* Learning that goes on: what was kept last is the best so far, and the best of its iterations says how good that
 * is. */
static int learning_resume_best(struct arena *arena, const struct learning *l, struct best *best, struct diag *d)
{
  int n = 0;
  struct store *store = store_open(arena, l->run, STORE_READ, d);
  const struct store_control *all = store ? store_list_controls(arena, store, &n, d) : NULL;
  store_close(store);
  for (int i = 0; all && i < n; i++)
    if (same_settings(&all[i], &l->kept)) {
      if (all[i].iteration == 1)
        best->robustness = 0;
      if (isfinite(all[i].robustness))
        best->robustness = fmax(best->robustness, all[i].robustness);
    }
  best->bytes = controls_write(arena, l->controls, &best->n);
  return all != NULL;
}

/* One iteration after the other, each kept as soon as it is there. 0 after an error, or stopped. */
static int learn_iterations(struct arena *arena, struct learning *l, const struct learning_teacher *teacher,
                            struct reporter *r, struct diag *d)
{
  const struct learning_options *o = r->o;
  struct best best = {0};
  if (!l->controls)
    l->controls = controls_new(arena, l->graph);
  l->controls->kind = CONTROL_COMPACT;
  if (teacher->needs_values(o) && !l->controls->gains && !learn_gains(arena, l, r, &l->kept.seconds, d))
    return 0;
  if (l->kept.iteration > 0 && !learning_resume_best(arena, l, &best, d))
    return 0;
  for (int i = l->kept.iteration; i < o->iterations; i++) {
    struct guided_report report;
    double before = l->kept.seconds;
    if (!teacher->iterate(arena, l->controls, i, r, &report, d))
      return 0;
    l->kept = learning_settings_of(o);
    l->kept.iteration = i + 1;
    l->kept.n_iterations = o->iterations;
    l->kept.seconds = before + report.seconds;
    l->kept.residual = report.residual;
    l->kept.success = report.success;
    l->kept.robustness = measure_robustness(arena, l, o, d);
    if (!learning_roll_back(arena, l, &best, d) || !keep_iteration(arena, l, o, d))
      return 0;
    if (!report_iteration(r, l, report.seconds) && i + 1 < o->iterations)
      return 0;
  }
  r->stopped = 0;
  return 1;
}

/* What the run file has of this teacher with these settings; 1: it is read. */
static int learning_find_kept(struct arena *arena, struct learning *l, const struct learning_options *o, struct diag *d)
{
  struct store_control kept, asked = learning_settings_of(o);
  struct store *store = store_open(arena, l->run, STORE_READ, d);
  int there = store ? store_get_control(arena, store, o->teacher, &kept, d) : -1;
  store_close(store);
  if (there != 1)
    return there;
  if (!(o->as_kept ? same_text(kept.skill, asked.skill) : same_settings(&kept, &asked)))
    return 0;
  l->kept = kept;
  l->controls = controls_read(arena, l->graph, kept.bytes, kept.n_bytes, d);
  return l->controls ? 1 : -1;
}

enum learning_status learning_run(struct arena *arena, struct learning *l, const struct learning_options *o,
                                  struct diag *d)
{
  const struct learning_teacher *t = learning_find_teacher(o->teacher);
  if (!t) {
    diag_error(d, l->run, 0, "there is no teacher '%s': lqr, guided or ahead", o->teacher);
    return LEARNING_WRONG_INPUT;
  }
  struct reporter r = {.o = o};
  int found = o->again ? 0 : learning_find_kept(arena, l, o, d), iterates = t->iterate != NULL, good = 1;
  if (found < 0)
    return LEARNING_WRONG_INPUT;
  if (iterates && (!found || (l->kept.iteration < o->iterations && !o->as_kept)))
    good = learn_iterations(arena, l, t, &r, d);
  else if (!iterates && !found)
    good = learn_at_once(arena, l, &r, d);
  if (l->controls)
    l->controls->kind = iterates || o->compact == 1 ? CONTROL_COMPACT : CONTROL_FULL;
  return good ? LEARNING_DONE : r.stopped ? LEARNING_STOPPED : LEARNING_FAILED;
}
