/* Control graphs of run files: loading, learning, keeping. */
#include "cli/steering.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/controlling.h"
#include "control/distill.h"
#include "control/imitate.h"
#include "control/record.h"
#include "control/scene.h"
#include "control/teacher.h"
#include "plots/control_figures.h"
#include "follow/batches.h"

void steering_defaults(struct steering_options *o)
{
  *o = (struct steering_options){.teacher = "lqr", .compact = -1, .seed = 1, .jobs = 1};
}

int steering_teacher(const char *command, const char *text, struct steering_options *o)
{
  if (strcmp(text, "lqr") && strcmp(text, "guided") && strcmp(text, "ahead"))
    return cli_usage_error(command, "--teacher: lqr, guided or ahead, found '%s'", text);
  o->teacher = text;
  return CLI_DONE;
}

void steering_settle(const struct creature *c, struct steering_options *o)
{
  guided_defaults(c, &o->guided);
  imitate_defaults(c, &o->imitate);
  if (o->iterations < 1)
    o->iterations = strcmp(o->teacher, "ahead") ? 10 : 4;
}

int steering_policy(const char *command, const char *text, struct steering_options *o)
{
  if (strcmp(text, "full") && strcmp(text, "compact"))
    return cli_usage_error(command, "--policy: full or compact, found '%s'", text);
  o->compact = !strcmp(text, "compact");
  return CLI_DONE;
}

int steering_workers(const struct steering_options *o)
{
  return farm_ranks() > 1 ? BATCHES_RANKS : o->jobs;
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

int steering_open(struct arena *arena, const char *run, const char *skill, struct steering *s, struct diag *d)
{
  struct graph_input in;
  struct store *store = store_open(arena, run, STORE_READ, d);
  *s = (struct steering){.run = run};
  int good = store && controlling_clips(arena, store, run, &in, d) && (!skill || only_skill(arena, store, skill, &in, d));
  store_close(store); /* before workers are made */
  if (!good)
    return 0;
  s->creature = in.creature;
  s->motion = graph_new(arena, &in, d);
  s->graph = s->motion ? control_graph_new(arena, s->motion, 0, d) : NULL;
  return s->graph != NULL;
}

/* ---- learning ---- */

/* Options that decide what is learned: it goes on only with the same. */
static const char *words(struct arena *arena, const struct steering_options *o)
{
  const char *skill = o->skill ? arena_printf(arena, ", skill %s", o->skill) : "";
  if (!strcmp(o->teacher, "ahead"))
    return arena_printf(arena, "seed %llu, %d visits%s", (unsigned long long)o->seed, o->imitate.visits, skill);
  if (strcmp(o->teacher, "guided"))
    return arena_printf(arena, "seed %llu%s", (unsigned long long)o->seed, skill);
  const char *refined = o->guided.refine ? ", refined" : "";
  const char *progress = o->guided.cycles_first ? arena_printf(arena, ", %d of cycles first", o->guided.cycles_first) : "";
  return arena_printf(arena, "seed %llu, %d then %d samples, %d saved, %d visits, value %g%s%s%s", (unsigned long long)o->seed,
                      o->guided.samples_first, o->guided.samples, o->guided.saved, o->guided.visits,
                      o->guided.value_weight, refined, progress, skill);
}

/* Keeps what was learned; 0 after an error. */
static int keep(struct arena *arena, struct steering *s, const struct steering_options *o, struct diag *d)
{
  if (o->no_store)
    return 1;
  struct store *store = store_open(arena, s->run, STORE_WRITE, d);
  s->kept.bytes = controls_write(arena, s->controls, &s->kept.n_bytes);
  s->kept.id = store && controlling_session(arena, store, o->argc, o->argv, d) ? store_put_control(store, &s->kept, d) : 0;
  store_close(store);
  return s->kept.id > 0;
}

/* How long it stands growing pushes, by its policy alone. */
static double measure(struct arena *arena, const struct steering *s, const struct steering_options *o, struct diag *d)
{
  struct trial_options t;
  if (o->measure < 1)
    return NAN;
  trial_defaults(s->creature, TRIAL_GROWING, &t);
  t.runner.candidates = 0;
  t.workers = steering_workers(o);
  const struct trial_result *r = trials_run(arena, s->controls, o->measure, &t, d);
  return r ? trials_summary(r, o->measure).mean_seconds : NAN;
}

static void tell_walk(void *user, int walk, int n)
{
  (void)user;
  fprintf(stderr, "\r  walk %d of %d   %s", walk, n, walk == n ? "\r              \r" : "");
}

static void tell_teacher(void *user, int strip, int n)
{
  (void)user;
  fprintf(stderr, "\r  models of clip %d of %d   %s", strip + 1, n, strip + 1 == n ? "\n" : "");
}

static int learn_lqr(struct arena *arena, struct steering *s, const struct steering_options *o, struct diag *d)
{
  struct teacher_options t;
  struct distill_options distilling;
  teacher_defaults(s->creature, &t);
  distill_defaults(&distilling);
  t.identify.seed = distilling.seed = o->seed;
  t.workers = steering_workers(o);
  t.progress = o->quiet || !isatty(STDERR_FILENO) ? NULL : tell_teacher;
  const struct teacher *teacher = teacher_learn(arena, s->graph, &t, d);
  if (!teacher)
    return CLI_FAILED;
  s->controls = controls_new(arena, s->graph);
  s->controls->gains = teacher->gains;
  double left = distill(arena, s->controls, &distilling, d);
  s->kept = (struct store_control){.teacher = "lqr", .options = words(arena, o), .iteration = 1, .n_iterations = 1,
                                   .seconds = teacher->seconds, .residual = left, .success = 1};
  s->kept.robustness = measure(arena, s, o, d);
  if (!isfinite(left) || !keep(arena, s, o, d))
    return CLI_FAILED;
  if (!o->quiet)
    printf("%s: %d clips, %d fragments, %d features, %d actions; learned by lqr in %.2f core-seconds\n", s->run,
           s->motion->n_clips, s->graph->n_fragments, features_count(s->controls->features),
           features_actions(s->controls->features), teacher->seconds);
  return CLI_DONE;
}

/* The lqr teacher's policies and values, where they are needed: to weigh samples by, to look ahead. 0 after an error. */
static int borrow_values(struct arena *arena, struct steering *s, const struct steering_options *o, double *seconds,
                         struct diag *d)
{
  struct teacher_options t;
  if ((!strcmp(o->teacher, "guided") && !(o->guided.value_weight > 0)) || s->controls->gains)
    return 1;
  teacher_defaults(s->creature, &t);
  t.identify.seed = o->seed;
  t.workers = steering_workers(o);
  const struct teacher *teacher = teacher_learn(arena, s->graph, &t, d);
  if (!teacher)
    return 0;
  s->controls->gains = teacher->gains;
  *seconds += teacher->seconds;
  return 1;
}

/* The best policies so far, as bytes: where an iteration made it worse, learning goes on from these. */
struct best { double robustness; const void *bytes; size_t n; };

/* 0 after an error. */
static int roll_back(struct arena *arena, struct steering *s, struct best *best, struct diag *d)
{
  if (!isfinite(s->kept.robustness))
    return 1;
  if (s->kept.robustness >= best->robustness) {
    best->robustness = s->kept.robustness;
    best->bytes = controls_write(arena, s->controls, &best->n);
    return 1;
  }
  s->controls = controls_read(arena, s->graph, best->bytes, best->n, d);
  return s->controls != NULL;
}

/* Learning that goes on: what was kept last is the best so far, and the best of its iterations says how good that is. */
static int resume_best(struct arena *arena, const struct steering *s, struct best *best, struct diag *d)
{
  int n = 0;
  struct store *store = store_open(arena, s->run, STORE_READ, d);
  const struct store_control *all = store ? store_list_controls(arena, store, &n, d) : NULL;
  store_close(store);
  for (int i = 0; all && i < n; i++)
    if (!strcmp(all[i].teacher, s->kept.teacher) && !strcmp(all[i].options, s->kept.options)) {
      if (all[i].iteration == 1)
        best->robustness = 0;
      if (isfinite(all[i].robustness))
        best->robustness = fmax(best->robustness, all[i].robustness);
    }
  best->bytes = controls_write(arena, s->controls, &best->n);
  return all != NULL;
}

/* One iteration by either of the teachers that have some. 0 after an error. */
static int iterate(struct arena *arena, struct steering *s, const struct steering_options *o, int i,
                   struct guided_report *report, struct diag *d)
{
  struct guided_options g = o->guided;
  struct imitate_options m = o->imitate;
  struct imitate_report imitated;
  g.seed = m.seed = o->seed;
  g.workers = m.workers = steering_workers(o);
  g.progress = m.progress = o->quiet || !isatty(STDERR_FILENO) ? NULL : tell_walk;
  if (!strcmp(o->teacher, "guided"))
    return guided_iterate(arena, s->controls, i, &g, report, d);
  int good = imitate_iterate(arena, s->controls, i, &m, &imitated, d);
  *report = (struct guided_report){.residual = imitated.residual, .success = imitated.success, .seconds = imitated.seconds};
  return good;
}

/* One iteration after the other, each kept as soon as it is there. */
static int learn_iterations(struct arena *arena, struct steering *s, const struct steering_options *o, struct diag *d)
{
  struct best best = {0};
  if (!s->controls)
    s->controls = controls_new(arena, s->graph);
  s->controls->kind = CONTROL_COMPACT;
  if (!borrow_values(arena, s, o, &s->kept.seconds, d))
    return CLI_FAILED;
  if (s->kept.iteration > 0 && !resume_best(arena, s, &best, d))
    return CLI_FAILED;
  for (int i = s->kept.iteration; i < o->iterations; i++) {
    struct guided_report report;
    if (!iterate(arena, s, o, i, &report, d))
      return CLI_FAILED;
    s->kept = (struct store_control){.teacher = o->teacher, .options = words(arena, o), .iteration = i + 1,
                                     .n_iterations = o->iterations, .seconds = s->kept.seconds + report.seconds,
                                     .residual = report.residual, .success = report.success};
    s->kept.robustness = measure(arena, s, o, d);
    if (!roll_back(arena, s, &best, d) || !keep(arena, s, o, d))
      return CLI_FAILED;
    if (!o->quiet)
      printf("iteration %d of %d: %.1f %% of the walk at the first go, %.1f %% of variance left, %.1f core-seconds, about %.0f s "
             "left%s\n", i + 1, o->iterations, 100 * report.success, 100 * report.residual, report.seconds,
             report.seconds * (o->iterations - i - 1) / (farm_ranks() > 1 ? farm_ranks() - 1 : o->jobs),
             isfinite(s->kept.robustness) ? arena_printf(arena, "; falls after %.1f s", s->kept.robustness) : "");
    fflush(stdout);
  }
  return CLI_DONE;
}

/* Of "seed 1, skill walk": the skill; NULL without. */
static const char *skill_of(struct arena *arena, const char *options)
{
  const char *at = strstr(options, "skill ");
  return at ? arena_strdup(arena, at + 6) : NULL;
}

/* Is what was kept what is asked for? */
static int will_do(struct arena *arena, const struct store_control *kept, const struct steering_options *o)
{
  const char *skill = skill_of(arena, kept->options);
  if (!o->as_kept)
    return !strcmp(kept->options, words(arena, o));
  return skill && o->skill ? !strcmp(skill, o->skill) : !skill && !o->skill;
}

/* What the run file has of this teacher with these options; 1: it is read. */
static int find_kept(struct arena *arena, struct steering *s, const struct steering_options *o, struct diag *d)
{
  struct store_control kept;
  struct store *store = store_open(arena, s->run, STORE_READ, d);
  int there = store ? store_get_control(arena, store, o->teacher, &kept, d) : -1;
  store_close(store);
  if (there != 1 || !will_do(arena, &kept, o))
    return there < 0 ? -1 : 0;
  s->kept = kept;
  s->controls = controls_read(arena, s->graph, kept.bytes, kept.n_bytes, d);
  return s->controls ? 1 : -1;
}

int steering_learn(struct arena *arena, struct steering *s, const struct steering_options *o, struct diag *d)
{
  int lqr = !strcmp(o->teacher, "lqr"), found = o->again ? 0 : find_kept(arena, s, o, d), status = CLI_DONE;
  if (found < 0)
    return CLI_WRONG_INPUT;
  if (!lqr && (!found || (s->kept.iteration < o->iterations && !o->as_kept)))
    status = learn_iterations(arena, s, o, d);
  else if (lqr && !found)
    status = learn_lqr(arena, s, o, d);
  if (status == CLI_DONE)
    s->controls->kind = !lqr || o->compact == 1 ? CONTROL_COMPACT : CONTROL_FULL;
  return status;
}

/* ---- for figures ---- */

#define FIGURE_SECONDS 20.0
#define FIGURE_PUSH 0.35        /* [body weights] */

/* Four pushes from four sides. */
static const struct disturb_push *figure_pushes(struct arena *arena, const struct creature *c, int n)
{
  struct disturb_push *p = ARENA_NEW(arena, (size_t)n, struct disturb_push);
  for (int i = 0; i < n; i++) {
    double size = FIGURE_PUSH * (i ? 0.7 : 1) * c->mass * CREATURE_GRAVITY, angle = 1.5707963 * (1 + i);
    p[i] = (struct disturb_push){.time = 4 + 4 * i + 0.13 * i, .seconds = 0.1, .limb = disturb_trunk(c), .turned = 1,
                                 .force = {size * cos(angle), size * sin(angle), 0}};
  }
  return p;
}

const struct control_figures *steering_figures(struct arena *arena, const char *run, struct diag *d)
{
  struct control_figures *f = ARENA_NEW(arena, 1, struct control_figures);
  struct store *store = store_open(arena, run, STORE_READ, d);
  struct store_control newest;
  int there = store ? store_get_control(arena, store, NULL, &newest, d) : -1;
  f->kept = there == 1 ? store_list_controls(arena, store, &f->n_kept, d) : NULL;
  store_close(store);
  if (there == 0)
    diag_error(d, run, 0, "this run has no control graph; muybridge control makes one");
  struct steering s;
  if (there != 1 || !steering_open(arena, run, skill_of(arena, newest.options), &s, d))
    return NULL;
  f->graph = s.graph;
  f->controls = controls_read(arena, s.graph, newest.bytes, newest.n_bytes, d);
  struct scene_options scene = {.seconds = FIGURE_SECONDS, .limp = 2, .n_pushes = 4};
  runner_defaults(s.creature, &scene.runner);
  scene.pushes = f->pushes = figure_pushes(arena, s.creature, scene.n_pushes);
  f->n_pushes = scene.n_pushes;
  f->scene = f->controls ? scene_play(arena, f->controls, &scene, d) : NULL;
  return f->scene ? f : NULL;
}
