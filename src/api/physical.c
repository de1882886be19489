/* The simulated world of muybridge.h: tracking, control graphs, trials, scenes, modal control. */
#include <math.h>
#include <string.h>

#include "api/api.h"
#include "control/learning.h"
#include "control/scene.h"
#include "control/task_choice.h"
#include "follow/recording.h"
#include "follow/subject.h"
#include "modal/run.h"
#include "samcon/track.h"
#include "store/run_inputs.h"

#define RANDOM_PATH 0x50415448 /* stream of choices at nodes, as muybridge play has it */

/* The engine of that name; NULL: the usual one, which *out has. 0 after an error: none such, or not in this build. */
static int set_engine(const char *name, enum world_engine *out, const char *file, struct diag *d)
{
  int engine = name ? world_engine_find(name) : (int)*out;
  if (engine < 0)
    api_fail(d, MUY_WRONG_INPUT, file, "there is no engine '%s'", name);
  else if (!world_has_engine(engine))
    api_fail(d, MUY_WRONG_INPUT, file, "this build has no engine '%s'", name);
  else
    *out = (enum world_engine)engine;
  return engine >= 0 && world_has_engine(engine);
}

/* ---- tracking ---- */

void muy_track_defaults(muy_track_options *o, size_t size)
{
  api_set_defaults(o, size, &(muy_track_options){.size = size, .cycles = 4, .seed = 1, .workers = 1}, sizeof *o);
}

/* -1: no such method. */
static int method_of(const char *name)
{
  for (int i = 0; name && i < N_TRACK_METHODS; i++)
    if (!strcmp(track_method_name((enum track_method)i), name))
      return i;
  return name ? -1 : TRACK_SAMCON;
}

/* A clip of the run file as a reference; NULL after an error. */
static struct reference *load_reference(struct arena *arena, const muy_run *r, const char *clip, int cycles,
                                        const char **title, struct diag *d)
{
  struct graph_input in = {.creature = r->creature->c, .file = r->path};
  struct store *s = store_open(arena, r->path, STORE_READ, d);
  const struct store_line *lines = s ? store_list_clips(arena, s, &in.n_clips, d) : NULL;
  struct graph_clip *clips = ARENA_NEW(arena, (size_t)in.n_clips + 1, struct graph_clip);
  int id = lines ? store_find_clip(s, clip, d) : 0, which = -1, good = id > 0;
  for (int i = 0; good && i < in.n_clips; i++) {
    clips[i] = (struct graph_clip){lines[i].id, store_get_clip(arena, s, lines[i].id, d), NULL};
    good = clips[i].clip != NULL;
    if (lines[i].id == id)
      which = i;
  }
  store_close(s);
  in.clips = clips;
  if (!good || which < 0)
    return NULL;
  *title = arena_printf(arena, "clip %d, %s", id, clips[which].clip->name);
  return subject_clip(arena, &in, which, cycles, NULL, d);
}

static int keep_track(struct arena *arena, const muy_run *r, const char *title, const struct recording *result,
                      struct diag *d)
{
  struct store_performance kept;
  struct recording titled = *result;
  struct store_session session = api_session(arena);
  struct store *s = store_open(arena, r->path, STORE_WRITE, d);
  titled.what = title;
  recording_pack(arena, &titled, &kept);
  int id = s && store_add_session(s, &session, d) ? store_put_performance(s, &kept, d) : 0;
  store_close(s);
  return id > 0;
}

muy_status muy_run_track(muy_run *r, const char *clip, const muy_track_options *given, muy_messages *m, muy_clip **out)
{
  struct api_diag messages;
  struct diag *d = api_diag_open(&messages, m);
  struct arena *arena = arena_new();
  struct track_options t;
  muy_track_options o;
  const char *title = "";
  muy_status status = MUY_WRONG_INPUT;
  muy_track_defaults(&o, sizeof o);
  api_read_options(&o, sizeof o, given);
  if (out)
    *out = NULL;
  int method = method_of(o.method);
  if (method < 0)
    api_fail(d, status, r->path, "there is no method '%s'", o.method);
  struct reference *reference = method >= 0 ? load_reference(arena, r, clip, o.cycles, &title, d) : NULL;
  const struct recording *result = NULL;
  if (reference) {
    track_defaults(r->creature->c, (enum track_method)method, !o.method, &t);
    t.samples = o.samples > 0 ? o.samples : t.samples;
    t.seed = o.seed;
    t.workers = o.workers;
    t.rollout.world.limbs = !o.no_limb_contact;
    if (set_engine(o.engine, &t.rollout.world.engine, r->path, d))
      result = track_choose_ground(reference, &t.rollout.world.terrain, &t.rollout.world.terrain, d)
                   ? track(arena, reference, &t, d) : NULL;
  }
  if (result) {
    int kept = result->motion->n_frames < 1 || keep_track(arena, r, title, result, d);
    status = kept && result->judgement.success ? MUY_OK : MUY_FAILED;
    if (kept && !result->judgement.success)
      diag_warning(d, r->path, 0, "%s was lost", title);
  }
  if (result && out && result->motion->n_frames > 0)
    *out = api_clip_new(arena, r->creature, recording_clip(arena, result, title));
  else
    arena_free(arena);
  api_diag_close(&messages);
  return status;
}

/* ---- control graphs ---- */

void muy_learn_defaults(muy_learn_options *o, size_t size)
{
  api_set_defaults(o, size, &(muy_learn_options){.size = size, .teacher = "lqr", .seed = 1, .workers = 1}, sizeof *o);
}

static int report_learning(void *user, const struct learning_progress *p)
{
  static const char *const what[] = {[LEARNING_MODELS] = "models of clips", [LEARNING_WALKS] = "walks",
                                     [LEARNING_ITERATION] = "iterations"};
  const muy_learn_options *o = user;
  double value = p->stage == LEARNING_ITERATION ? p->kept->robustness : (double)NAN;
  return api_progress(o->progress, o->user, what[p->stage], p->done, p->n, value);
}

/* The control graph of a run file, learned if need be. */
static muy_status learn(struct arena *arena, const muy_run *r, const muy_learn_options *o, int as_kept,
                        struct learning *l, struct diag *d)
{
  struct learning_options options;
  learning_defaults(&options);
  if (!o->teacher || !learning_is_teacher(o->teacher))
    return api_fail(d, MUY_WRONG_INPUT, r->path, "there is no teacher '%s': lqr, guided or ahead",
                    o->teacher ? o->teacher : "");
  options.teacher = o->teacher;
  options.skill = o->skill;
  options.iterations = o->iterations;
  options.again = o->again;
  options.as_kept = as_kept;
  options.seed = o->seed;
  options.workers = o->workers;
  options.session = api_session(arena);
  options.progress = report_learning;
  options.user = (void *)o; /* only read */
  if (!learning_open(arena, r->path, o->skill, l, d))
    return MUY_WRONG_INPUT;
  learning_settle(l->creature, &options);
  switch (learning_run(arena, l, &options, d)) {
  case LEARNING_DONE: return MUY_OK;
  case LEARNING_STOPPED: return MUY_STOPPED;
  case LEARNING_WRONG_INPUT: return MUY_WRONG_INPUT;
  default: return MUY_FAILED;
  }
}

muy_status muy_run_learn(muy_run *r, const muy_learn_options *given, muy_messages *m)
{
  struct api_diag messages;
  struct diag *d = api_diag_open(&messages, m);
  struct arena *arena = arena_new();
  struct learning l;
  muy_learn_options o;
  muy_learn_defaults(&o, sizeof o);
  api_read_options(&o, sizeof o, given);
  muy_status status = learn(arena, r, &o, 0, &l, d);
  arena_free(arena);
  api_diag_close(&messages);
  return status;
}

void muy_trial_defaults(muy_trial_options *o, size_t size)
{
  api_set_defaults(o, size, &(muy_trial_options){.size = size, .kind = MUY_TRIAL_PUSH, .trials = 20, .push = 0.26,
                                                 .growth = 0.002, .look = 16, .teacher = "lqr", .seed = 1,
                                                 .workers = 1}, sizeof *o);
}

static int report_trial(void *user, int done, int n)
{
  const muy_trial_options *o = user;
  return api_progress(o->progress, o->user, "trials", done, n, NAN);
}

muy_status muy_run_try(muy_run *r, const muy_trial_options *given, muy_messages *m, muy_trials *out, size_t size)
{
  static const enum trial_kind kinds[] = {[MUY_TRIAL_WALK] = TRIAL_WALK, [MUY_TRIAL_PUSH] = TRIAL_PUSH,
                                          [MUY_TRIAL_GROWING] = TRIAL_GROWING};
  struct api_diag messages;
  struct diag *d = api_diag_open(&messages, m);
  struct arena *arena = arena_new();
  struct learning l;
  struct trial_options t;
  muy_trial_options o;
  muy_trial_defaults(&o, sizeof o);
  api_read_options(&o, sizeof o, given);
  memset(out, 0, size);
  muy_learn_options learning = {.teacher = o.teacher, .skill = o.skill, .seed = 1, .workers = o.workers};
  muy_status status = o.kind > MUY_TRIAL_GROWING || o.trials < 1
                          ? api_fail(d, MUY_WRONG_INPUT, r->path, "there is no such kind of trial, or less than one")
                          : learn(arena, r, &learning, 1, &l, d);
  if (status == MUY_OK) {
    enum trial_kind kind = kinds[o.kind];
    trial_defaults(l.creature, kind, &t);
    t.runner.world.limbs = !o.no_limb_contact;
    t.runner.candidates = l.controls->gains ? o.look : 0;
    t.seconds = o.seconds > 0 ? o.seconds : t.seconds;
    t.size = o.push;
    t.growth = o.growth;
    t.seed = o.seed;
    t.workers = o.workers;
    t.progress = report_trial;
    t.user = &o;
    int errors = d->n_errors;
    const struct trial_result *results = NULL;
    if (set_engine(o.engine, &t.runner.world.engine, r->path, d))
      results = trials_run(arena, l.controls, o.trials, &t, d);
    else
      status = MUY_WRONG_INPUT;
    struct trial_summary sum = results ? trials_summary(results, o.trials) : (struct trial_summary){.up = -1};
    muy_trials told = {sum.n, sum.up, sum.mean_seconds, sum.deviation, sum.speed};
    if (results)
      memcpy(out, &told, size < sizeof told ? size : sizeof told);
    status = status != MUY_OK                        ? status
             : trials_passed(kind, sum.up, o.trials) ? MUY_OK
             : results || d->n_errors > errors       ? MUY_FAILED
                                                     : MUY_STOPPED;
  }
  arena_free(arena);
  api_diag_close(&messages);
  return status;
}

/* ---- scenes ---- */

void muy_scene_defaults(muy_scene_options *o, size_t size)
{
  api_set_defaults(o, size, &(muy_scene_options){.size = size, .seconds = 20, .look = 16, .teacher = "lqr", .seed = 1},
                   sizeof *o);
}

struct random_path { struct rng rng; const struct motion_graph *graph; };

static int choose_at_random(void *user, int node, double heading)
{
  struct random_path *p = user;
  int first = p->graph->first_segment[node];
  (void)heading;
  return first + rng_below(&p->rng, p->graph->first_segment[node + 1] - first);
}

/* 0 after an error: no such limb. */
static int push_of(const struct creature *c, const muy_push *p, const char *file, struct disturb_push *out,
                   struct diag *d)
{
  *out = disturb_push_of(c, p->time, p->size, p->direction);
  if (p->seconds > 0)
    out->seconds = p->seconds;
  if (p->limb)
    out->limb = creature_find_limb(c, p->limb);
  if (out->limb < 0)
    api_fail(d, MUY_WRONG_INPUT, file, "%s has no limb '%s'", c->name, p->limb);
  return out->limb >= 0;
}

muy_status muy_run_scene(muy_run *r, const muy_scene_options *given, muy_messages *m, muy_clip **out,
                         double *fell_after)
{
  struct api_diag messages;
  struct diag *d = api_diag_open(&messages, m);
  struct arena *arena = arena_new();
  struct learning l;
  struct muy_player_controller *player = NULL;
  muy_scene_options o;
  muy_scene_defaults(&o, sizeof o);
  api_read_options(&o, sizeof o, given);
  muy_learn_options learning = {.teacher = o.teacher, .seed = 1, .workers = 1};
  if (out)
    *out = NULL;
  if (fell_after)
    *fell_after = NAN;
  muy_status status = learn(arena, r, &learning, 1, &l, d);
  const struct scene *played = NULL;
  if (status == MUY_OK) {
    struct random_path path = {rng_stream(o.seed, RANDOM_PATH), l.motion};
    struct scene_options scene;
    scene_defaults(l.creature, &scene);
    scene.seconds = o.seconds;
    scene.choose = choose_at_random;
    scene.choose_user = &path;
    scene.n_pushes = o.n_pushes;
    scene.runner.world.limbs = !o.no_limb_contact;
    scene.runner.candidates = l.controls->gains ? o.look : 0;
    scene.runner.seed = o.seed;
    struct disturb_push *pushes = ARENA_NEW(arena, (size_t)o.n_pushes + 1, struct disturb_push);
    int good = set_engine(o.engine, &scene.runner.world.engine, r->path, d);
    for (int i = 0; good && i < o.n_pushes; i++)
      good = push_of(l.creature, &o.pushes[i], r->path, &pushes[i], d);
    scene.pushes = pushes;
    if (good && o.script) {
      struct store_controller kept;
      const struct task *task;
      const char *file = api_find(arena, o.script, FIND_SCRIPT, d);
      player = file ? run_inputs_player(arena, r->path, 0, &kept, &task, d) : NULL;
      const struct script *script = player ? script_load(arena, file, task, d) : NULL;
      struct task_choice *choice = script ? task_choice_new(arena, l.motion, player, task, script, o.seed, d) : NULL;
      good = choice != NULL;
      scene.choose = task_choice_segment;
      scene.tick = task_choice_tick;
      scene.choose_user = scene.tick_user = choice;
      scene.seconds = good ? script->end : 0;
    }
    played = good ? scene_play(arena, l.controls, &scene, d) : NULL;
    status = !played ? MUY_WRONG_INPUT : played->fallen < 0 ? MUY_OK : MUY_FAILED;
  }
  muy_player_unload(player);
  if (played && fell_after)
    *fell_after = played->fell_after;
  if (played && out)
    *out = api_clip_new(arena, r->creature, played->motion);
  else
    arena_free(arena);
  api_diag_close(&messages);
  return status;
}

muy_status muy_run_modal(muy_run *r, const char *clip, double seconds, int n_pushes, const muy_push *pushes,
                         muy_messages *m, muy_clip **out)
{
  struct api_diag messages;
  struct diag *d = api_diag_open(&messages, m);
  struct arena *arena = arena_new();
  const struct creature *c = r->creature->c;
  struct modal_run_options o;
  if (out)
    *out = NULL;
  struct store *s = store_open(arena, r->path, STORE_READ, d);
  int id = s ? store_find_clip(s, clip, d) : 0;
  const struct clip *guide = id ? store_get_clip(arena, s, id, d) : NULL;
  store_close(s);
  modal_run_defaults(c, &o);
  struct disturb_push *shoves = ARENA_NEW(arena, (size_t)n_pushes + 1, struct disturb_push);
  int good = guide != NULL;
  for (int i = 0; good && i < n_pushes; i++) {
    good = push_of(c, &pushes[i], r->path, &shoves[i], d);
    shoves[i].turned = 0;
  }
  o.seconds = seconds > 0 ? seconds : o.seconds;
  o.n_pushes = n_pushes;
  o.pushes = shoves;
  const struct modal_run *run = good ? modal_run(arena, c, guide, &o, d) : NULL;
  muy_status status = !run ? MUY_WRONG_INPUT : run->success ? MUY_OK : MUY_FAILED;
  if (run && out) {
    struct recording recorded = {.reference = run->followed, .motion = run->motion, .rollout = modal_rollout(&o)};
    *out = api_clip_new(arena, r->creature, recording_clip(arena, &recorded, guide->name));
  } else {
    arena_free(arena);
  }
  api_diag_close(&messages);
  return status;
}
