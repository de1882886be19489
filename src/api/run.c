/* Run files of muybridge.h: clips, controllers, playing. The file is open only while a function works, so that workers
 * can be made and other programs can look on. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include <math.h>
#include <string.h>
#include <time.h>

#include "api/api.h"
#include "motion/verify.h"
#include "policy/performance.h"
#include "search/synth.h"
#include "store/mirror_images.h"
#include "store/run_controller.h"
#include "store/run_inputs.h"

/* The creature as the run file has it: what is read from it fits to the bit. */
static muy_status open_run(struct arena *arena, const char *path, struct store *s, struct diag *d, muy_run **out)
{
  struct arena *body = arena_new();
  const struct creature *c = s ? store_get_creature(body, s, d) : NULL;
  store_close(s);
  if (!c) {
    arena_free(body);
    arena_free(arena);
    return MUY_WRONG_INPUT;
  }
  muy_run *r = ARENA_NEW(arena, 1, muy_run);
  *r = (muy_run){.arena = arena, .path = arena_strdup(arena, path)};
  r->creature = api_creature_new(body, c, NULL, 0);
  *out = r;
  return MUY_OK;
}

muy_status muy_run_create(const char *path, const muy_creature *c, muy_messages *m, muy_run **out)
{
  struct api_diag messages;
  struct diag *d = api_diag_open(&messages, m);
  struct arena *arena = arena_new();
  struct store *s = store_open(arena, path, STORE_WRITE, d);
  struct store_session session = api_session(arena);
  *out = NULL;
  int good = s && store_add_session(s, &session, d) &&
             (c->text ? store_put_creature_text(s, c->c->file, c->text, c->length, d)
                      : store_put_creature_files(s, c->c, d));
  if (!good) {
    store_close(s);
    s = NULL;
  }
  muy_status status = open_run(arena, path, s, d, out);
  api_diag_close(&messages);
  return status;
}

muy_status muy_run_open(const char *path, muy_messages *m, muy_run **out)
{
  struct api_diag messages;
  struct diag *d = api_diag_open(&messages, m);
  struct arena *arena = arena_new();
  *out = NULL;
  muy_status status = open_run(arena, path, store_open(arena, path, STORE_READ, d), d, out);
  api_diag_close(&messages);
  return status;
}

void muy_run_free(muy_run *r)
{
  if (!r)
    return;
  muy_creature_free(r->creature);
  arena_free(r->arena);
}

const muy_creature *muy_run_creature(const muy_run *r)
{
  return r->creature;
}

/* ---- one call: an arena, messages, and the file while it is needed ---- */

struct call { struct api_diag messages; struct diag *d; struct arena *arena; struct store *store; };

static void open_call(struct call *k, const muy_run *r, enum store_mode mode, muy_messages *m)
{
  k->d = api_diag_open(&k->messages, m);
  k->arena = arena_new();
  k->store = store_open(k->arena, r->path, mode, k->d);
  if (k->store && mode == STORE_WRITE) {
    struct store_session session = api_session(k->arena);
    if (!store_add_session(k->store, &session, k->d)) {
      store_close(k->store);
      k->store = NULL;
    }
  }
}

static muy_status close_call(struct call *k, muy_status status)
{
  store_close(k->store);
  arena_free(k->arena);
  api_diag_close(&k->messages);
  return status;
}

/* ---- clips ---- */

muy_status muy_run_add_clip(muy_run *r, const muy_clip *clip, muy_messages *m, int *id)
{
  struct call k;
  struct clip_summary summary;
  struct verify_neighbours beside;
  struct verify_report verification;
  open_call(&k, r, STORE_WRITE, m);
  if (id)
    *id = 0;
  if (!k.store)
    return close_call(&k, MUY_FAILED);
  spacetime_summarize(k.arena, r->creature->c, clip->clip, &summary);
  if (!store_get_neighbours(k.arena, k.store, clip->clip, &beside, k.d))
    return close_call(&k, MUY_FAILED);
  verify_transition(k.arena, r->creature->c, clip->clip, &beside, &verification);
  if (!verification.passed && !clip->captured)
    return close_call(&k, api_fail(k.d, MUY_FAILED, r->path,
                                   "the clip misses a bar of the verification and is not kept"));
  struct store_record about = {&summary, clip->report, clip->captured ? NULL : &verification};
  int kept = store_add_clip(k.store, clip->clip, &about, k.d);
  if (id)
    *id = kept;
  return close_call(&k, kept ? MUY_OK : MUY_FAILED);
}

muy_status muy_run_add_mirror_images(muy_run *r, muy_messages *m, int *added)
{
  struct call k;
  struct graph_input clips;
  open_call(&k, r, STORE_WRITE, m);
  int n = k.store && run_inputs_clips(k.arena, k.store, r->path, &clips, k.d)
              ? store_add_mirror_images(k.arena, k.store, &clips, k.d) : -1;
  if (added)
    *added = n > 0 ? n : 0;
  return close_call(&k, n >= 0 ? MUY_OK : MUY_FAILED);
}

muy_status muy_run_list_clips(muy_run *r, int *ids, int room, int *n, muy_messages *m)
{
  struct call k;
  open_call(&k, r, STORE_READ, m);
  *n = 0;
  const struct store_line *lines = k.store ? store_list_clips(k.arena, k.store, n, k.d) : NULL;
  for (int i = 0; lines && ids && i < *n && i < room; i++)
    ids[i] = lines[i].id;
  return close_call(&k, lines ? MUY_OK : MUY_WRONG_INPUT);
}

muy_status muy_run_get_clip(muy_run *r, const char *which, muy_messages *m, muy_clip **out)
{
  struct call k;
  struct arena *arena = arena_new();
  open_call(&k, r, STORE_READ, m);
  int id = k.store ? store_find_clip(k.store, which, k.d) : 0;
  const struct clip *clip = id ? store_get_clip(arena, k.store, id, k.d) : NULL;
  *out = clip ? api_clip_new(arena, r->creature, clip) : NULL;
  if (clip)
    (*out)->id = id;
  else
    arena_free(arena);
  return close_call(&k, clip ? MUY_OK : MUY_WRONG_INPUT);
}

/* ---- controllers ---- */

void muy_synthesis_defaults(muy_synthesis_options *o, size_t size)
{
  api_set_defaults(o, size, &(muy_synthesis_options){.size = size, .target = -INFINITY, .seconds = INFINITY, .seed = 1,
                                                     .workers = 1}, sizeof *o);
}

static double wall_clock(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int report_synthesis(void *user, const struct synth_progress *p)
{
  const muy_synthesis_options *o = user;
  return api_progress(o->progress, o->user, p->words ? p->words : "clips", p->n_clips, o->clips, p->cost);
}

/* Says in the run file what it is, or finds what was said. 0 after an error. */
static int prepare_synthesis(struct call *k, const muy_run *r, const char *task, muy_synthesis_options *o,
                             struct synth_options *s)
{
  int there = synth_recall(k->arena, k->store, r->path, s, k->d);
  if (there == 1 && o->clips > 0)
    s->clips = o->clips;
  if (there != 0)
    return there == 1;
  const char *path = api_find(k->arena, task, FIND_TASK, k->d);
  const struct task_file *file = path ? task_load(k->arena, path, k->d) : NULL;
  const struct task *t = file ? task_bind(k->arena, file, r->creature->c, k->d) : NULL;
  if (!t)
    return 0;
  s->clips = o->clips > 0 ? o->clips : task_usual_clips(t);
  s->target = o->target;
  s->seed = o->seed;
  return synth_begin(k->arena, k->store, r->path, t, path, s, k->d);
}

muy_status muy_run_synthesize(muy_run *r, const char *task, const muy_synthesis_options *given, muy_messages *m)
{
  struct call k;
  struct synth_options s;
  muy_synthesis_options o;
  muy_synthesis_defaults(&o, sizeof o);
  api_read_options(&o, sizeof o, given);
  synth_defaults(&s);
  open_call(&k, r, STORE_WRITE, m);
  if (!k.store || !prepare_synthesis(&k, r, task, &o, &s))
    return close_call(&k, MUY_WRONG_INPUT);
  s.workers = o.workers;
  s.budget = o.seconds;
  s.clock = wall_clock;
  s.progress = report_synthesis;
  s.user = &o;
  o.clips = s.clips;
  synth_keep_state(k.arena, k.store, &s, "running");
  enum synth_end end = synth_run(k.store, &s, k.d);
  synth_keep_state(k.arena, k.store, &s, synth_end_text(end));
  int stopped = end == SYNTH_STOPPED || end == SYNTH_BUDGET;
  return close_call(&k, end == SYNTH_FAILED ? MUY_FAILED : stopped ? MUY_STOPPED : MUY_OK);
}

muy_status muy_run_make_policy(muy_run *r, const char *task, muy_messages *m, double *cost)
{
  struct call k;
  struct store_controller kept;
  int mirrored;
  open_call(&k, r, STORE_WRITE, m);
  struct run_controller_options options = {.session = api_session(k.arena)};
  const char *path = k.store ? api_find(k.arena, task, FIND_TASK, k.d) : NULL;
  const struct controller *c = NULL;
  if (path)
    c = run_controller_make(k.arena, k.store, r->path, path, &options, &mirrored, k.d);
  if (cost)
    *cost = c ? c->cost : NAN;
  if (!c)
    return close_call(&k, MUY_WRONG_INPUT);
  int good = run_controller_keep(k.arena, k.store, c, path, &options.session, &kept, k.d);
  return close_call(&k, good ? MUY_OK : MUY_FAILED);
}

static int write_player(const void *what, FILE *out)
{
  const struct store_controller *c = what;
  return fwrite(c->bytes, 1, c->n_bytes, out) != c->n_bytes;
}

muy_status muy_run_write_player(muy_run *r, const char *path, muy_messages *m)
{
  struct call k;
  struct store_controller kept;
  open_call(&k, r, STORE_READ, m);
  if (!k.store || !store_get_controller(k.arena, k.store, 0, &kept, k.d))
    return close_call(&k, MUY_WRONG_INPUT);
  return close_call(&k, api_write(k.arena, path, write_player, &kept, k.d));
}

void muy_play_defaults(muy_play_options *o, size_t size)
{
  api_set_defaults(o, size, &(muy_play_options){.size = size, .seconds = 20, .seed = 1}, sizeof *o);
}

muy_status muy_run_play(muy_run *r, const muy_play_options *given, muy_messages *m, muy_clip **out, double *cost)
{
  struct api_diag messages;
  struct diag *d = api_diag_open(&messages, m);
  struct arena *arena = arena_new();
  struct store_controller kept;
  const struct task *task;
  muy_play_options o;
  muy_play_defaults(&o, sizeof o);
  api_read_options(&o, sizeof o, given);
  *out = NULL;
  struct muy_player_controller *player = run_inputs_player(arena, r->path, 0, &kept, &task, d);
  const char *path = player && o.script ? api_find(arena, o.script, FIND_SCRIPT, d) : NULL;
  const struct script *script = path ? script_load(arena, path, task, d) : NULL;
  const struct performance *p = NULL;
  if (player && (script || !o.script)) {
    struct performance_request request = {.task = task, .player = player, .script = script, .seconds = o.seconds,
                                          .seed = o.seed};
    p = performance_play(arena, &request, d);
  }
  if (p)
    *out = api_clip_new(arena, r->creature, p->motion);
  if (cost)
    *cost = p ? p->cost : NAN;
  muy_player_unload(player);
  if (!p)
    arena_free(arena);
  api_diag_close(&messages);
  return p ? MUY_OK : MUY_WRONG_INPUT;
}
