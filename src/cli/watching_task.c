/* See watching_task.h. A controller is shown as soon as it can be played, and once more when a control graph is
 * learned, so that it can be pushed. */
#include "cli/watching_task.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/seconds.h"
#include "cli/files.h"
#include "control/lqr_teacher.h"
#include "control/record.h"
#include "creature/creature_bytes.h"
#include "policy/controller.h"
#include "search/again.h"
#include "search/synth.h"
#include "store/run_inputs.h"

struct task_work {
  const struct watching *w;
  int out;
  struct arena *arena;
  const struct creature *c;
  const struct task *task;
  struct diag *d;
};

/* ---- a controller of clips ---- */

static const char *words_of(const struct task_work *t, const struct stage_package *p, const char *what)
{
  return arena_printf(t->arena, "%s, %s: %d clips, %s; %.2f s of processor time", t->c->name, t->task->name,
                      p->clips.n_clips, what, processor_seconds());
}

static int learn_models(void *user, int done, int n)
{
  const struct task_work *t = user;
  watching_say(t->out, WATCHING_BUSY, "learning to keep balance: clip %d of %d", done + 1, n);
  return 1;
}

/* Policies of the linear-quadratic teacher, which takes seconds. */
static void show_physics(struct task_work *t, struct stage_package *p)
{
  struct lqr_teacher_options o;
  struct diag d;
  diag_init(&d);
  const struct motion_graph *motion = graph_new(t->arena, &p->clips, &d);
  const struct control_graph *graph = motion ? control_graph_new(t->arena, motion, 0, &d) : NULL;
  lqr_teacher_defaults(t->c, &o);
  o.identify.seed = 1;
  o.workers = t->w->workers;
  o.progress = learn_models;
  o.user = t;
  const struct lqr_teacher *teacher = graph ? lqr_teacher_learn(t->arena, graph, &o, &d) : NULL;
  if (teacher) {
    struct controls *controls = controls_new(t->arena, graph);
    controls->gains = teacher->gains;
    p->controls = controls_write_short(t->arena, controls, &p->n_controls);
    p->step = graph->step;
    watching_tell_package(t->arena, t->out, t->w, p, words_of(t, p, "with physics"));
  }
  diag_clear(&d);               /* without physics it is a controller all the same */
}

static void show_controller(struct task_work *t, const struct graph_input *clips, const char *what)
{
  struct stage_package p = {.clips = *clips};
  watching_say(t->out, WATCHING_BUSY, "making a controller of %d clips", clips->n_clips);
  const struct controller *c = controller_new(t->arena, clips, t->task, NULL, t->d);
  p.player = c ? controller_bytes(t->arena, c, &p.n_player, t->d) : NULL;
  if (!p.player)
    return;
  p.task = stage_task_of(t->arena, t->task);
  watching_tell_package(t->arena, t->out, t->w, &p, words_of(t, &p, what));
  show_physics(t, &p);
}

/* ---- the same clips once more ---- */

static void put_creature(struct bytes_writer *w, const void *what)
{
  creature_put(w, what);
}

/* Is it the same creature to the last bit, whatever its file? */
static int is_unchanged(const struct task_work *t, const struct creature *was)
{
  struct stage_package now = {.clips = {.creature = t->c, .file = ""}}, before = {.clips = {.creature = was,
                                                                                             .file = ""}};
  size_t n_now, n_before;
  run_package_hide_folders(t->arena, &now);
  run_package_hide_folders(t->arena, &before);
  const void *a = bytes_pack(t->arena, put_creature, now.clips.creature, &n_now);
  const void *b = bytes_pack(t->arena, put_creature, before.clips.creature, &n_before);
  return n_now == n_before && !memcmp(a, b, n_now);
}

static int again_progress(void *user, int done, int n)
{
  const struct task_work *t = user;
  watching_say(t->out, WATCHING_BUSY, "solving clip %d of %d", done < n ? done + 1 : n, n);
  return 1;
}

static void solve_again(struct task_work *t, const struct graph_input *was)
{
  struct again_options o;
  struct again again;
  struct graph_input same = *was;
  same.creature = t->c;
  if (is_unchanged(t, was->creature)) { /* the task was edited */
    show_controller(t, &same, "as before");
    return;
  }
  again_defaults(&o);
  o.progress = again_progress;
  o.user = t;
  if (!again_solve(t->arena, was, t->c, t->task, &o, &again, t->d))
    return;
  if (again.n_lost)
    watching_say(t->out, WATCHING_TEXT, "%s: warning: %d clip%s of the controller cannot be solved any more: %s\n",
                 t->c->file, again.n_lost, again.n_lost == 1 ? "" : "s", again.reason);
  show_controller(t, &again.clips, arena_printf(t->arena, "%d solved anew", again.n_solved + again.n_mirrored));
}

/* ---- the first time ---- */

static int synth_progress(void *user, const struct synth_progress *p)
{
  const struct task_work *t = user;
  if (p->words)
    watching_say(t->out, WATCHING_BUSY, "building the controller: %d of %d clips", p->n_clips, t->w->clips);
  return 1;
}

static void synthesize(struct task_work *t)
{
  struct synth_options o;
  struct graph_input clips;
  const char *run = t->w->run;
  char *line[] = {(char *)"watch"};
  synth_defaults(&o);
  o.clips = t->w->clips;
  o.workers = t->w->workers;
  o.clock = wall_seconds;
  o.progress = synth_progress;
  o.user = t;
  unlink(run);                  /* one that a newer change has ended */
  struct store *s = store_open(t->arena, run, STORE_WRITE, t->d);
  int good = s && store_put_creature_files(s, t->c, t->d) && cli_session(t->arena, s, 1, line, t->d) &&
             synth_begin(t->arena, s, run, t->task, t->w->task, &o, t->d);
  good = good && synth_run(s, &o, t->d) != SYNTH_FAILED && run_inputs_clips(t->arena, s, run, &clips, t->d);
  store_close(s);
  if (!good)
    return;
  clips.creature = t->c;
  show_controller(t, &clips, "built from nothing");
}

void watching_solve_task(const struct watching *w, int out, struct arena *arena, const struct creature *c,
                         struct diag *d)
{
  const struct task_file *file = task_load(arena, w->task, d);
  struct task_work t = {.w = w, .out = out, .arena = arena, .c = c, .d = d};
  struct stage_package last = {0};
  t.task = file && !d->n_errors ? task_bind(arena, file, c, d) : NULL;
  if (!t.task)
    return;
  if (w->last && !stage_package_get(arena, w->last, w->n_last, "last", &last, d))
    return;
  if (last.player && watching_is_same_body(last.clips.creature, c)) {
    solve_again(&t, &last.clips);
    return;
  }
  watching_solve_gait(w, out, arena, c, d); /* something to look at meanwhile */
  if (!d->n_errors)
    synthesize(&t);
}
