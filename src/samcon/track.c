/* Tracking: the run from a reference to offsets and a judged motion, and the methods that do not sample. */
#include "samcon/track.h"

#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "base/rng.h"
#include "base/seconds.h"

#define START_STREAM 0x5741525453ULL

static const char *const names[N_TRACK_METHODS] = {"pd", "feed-forward", "lqr", "samcon", "improved"};

const char *track_method_name(enum track_method m)
{
  return names[m];
}

void track_defaults(const struct creature *c, enum track_method method, int guided, struct track_options *o)
{
  *o = (struct track_options){.method = method, .guided = guided, .samples = 240, .saved = 20, .spread = 0.03,
                              .value_weight = 10, .calm = 0.05,
                              .seed = 1, .workers = 1, .surrogate = 1, .trials_least = 5, .trials_most = 20,
                              .sliding = 5, .threshold = 20, .widest = 6, .left_out = 0.4, .harder = 4, .hopeless = 3};
  if (method == TRACK_SAMCON && !guided) {
    o->samples = 400;
    o->saved = 60;
    o->spread = 0.1;
  } else if (method == TRACK_IMPROVED) {
    o->samples = guided ? 20 : 100;
    o->saved = guided ? 5 : 25;
    o->spread = guided ? 0.02 : 0.05;
  }
  identify_defaults(&o->identify);
  feedback_weights_defaults(&o->feedback);
  rollout_defaults(c, &o->rollout);
  cost_weights_defaults(&o->cost);
  if (method == TRACK_PD)
    o->rollout.drive = DRIVE_POSES;
}

/* Processor time of this process and of the workers, if those are others. */
static double track_seconds(const struct batches *batches)
{
  return processor_seconds() + (batches && batches_is_elsewhere(batches) ? batches_seconds(batches) : 0);
}

static int uses_feedback(const struct track_options *o)
{
  return o->method == TRACK_LQR || ((o->method == TRACK_SAMCON || o->method == TRACK_IMPROVED) && o->guided);
}

/* Ground with bumps is another one for every window: models are those of the ground without them. */
static int is_bumpy(const struct terrain *t)
{
  return t->kind != TERRAIN_FLAT && t->kind != TERRAIN_SLOPE;
}

int track_choose_ground(struct reference *r, const struct terrain *asked, struct terrain *out, struct diag *d)
{
  *out = *asked;
  if (r->slope == 0 && asked->kind == TERRAIN_SLOPE)
    reference_lay(r, asked->size);
  else if (r->slope != 0 && asked->kind == TERRAIN_FLAT)
    out->kind = TERRAIN_SLOPE, out->size = r->slope;
  else if (r->slope != 0) {
    diag_error(d, r->creature->file, 0,
               "the motion has a slope of its own, %.3g degrees: it cannot be tracked on other ground",
               r->slope * TO_DEGREES);
    return 0;
  }
  return 1;
}

/* Models of all windows, by sample batches; NULL after an error. */
static const struct window_model *const *make_models(struct tracking *t, struct batches *batches)
{
  double before = track_seconds(batches);
  const struct window_model *const *models =
      identify_windows(t->arena, batches, t->reference, &t->options->identify, t->diag);
  t->result->seconds_models = track_seconds(batches) - before;
  return models;
}

/* By batches of their own, closed before those that track are opened: ranks of MPI serve one at a time. */
static const struct window_model *const *make_even_models(struct tracking *t)
{
  struct rollout_options even = t->options->rollout;
  even.world.terrain = (struct terrain){.kind = TERRAIN_FLAT};
  struct batches *batches = batches_open(t->arena, t->reference, &even, t->options->workers, t->diag);
  const struct window_model *const *models = batches ? make_models(t, batches) : NULL;
  batches_close(batches);
  return models;
}

/* Gains of all windows. 0 after an error. */
static int make_feedback(struct tracking *t, const struct window_model *const *models)
{
  const struct reference *r = t->reference;
  for (int m = 0; m < r->n_models; m++)
    if (!(models[m]->residual <= t->result->model_residual))
      t->result->model_residual = models[m]->residual;
  struct window_gain *gains = ARENA_NEW(t->arena, (size_t)r->n_ahead + 1, struct window_gain);
  struct feedback_problem f = {.n = r->n_ahead, .cycle = r->n_windows, .which = r->model, .models = models,
                               .weights = &t->options->feedback, .creature = r->creature};
  t->gains = gains;
  if (feedback_solve(t->arena, &f, gains))
    return 1;
  diag_error(t->diag, r->creature->file, 0,
             "no feedback can be made of the window models: the motion may not be one that this creature can do");
  return 0;
}

/* The starting state, off the reference by random errors. */
static void track_choose_start(struct tracking *t)
{
  const struct track_options *o = t->options;
  struct rng rng = rng_stream(o->seed, START_STREAM);
  for (int i = 0; i < t->n_errors; i++)
    t->start[i] = (i < t->n_errors / 2 ? o->start_place : o->start_velocity) * rng_normal(&rng);
}

/* Window by window, with or without feedback; 0 after an error, which there is none. */
static int track_plainly(struct tracking *t)
{
  const struct reference *r = t->reference;
  struct rollout *ro = batches_rollout(t->batches);
  double *x = ARENA_NEW(t->arena, (size_t)t->n_errors, double);
  rollout_start(ro, 0, t->start);
  for (int w = 0; w < r->n_windows; w++) {
    double *u = t->result->offsets + (size_t)w * (size_t)t->n_controls;
    if (t->gains && rollout_errors(ro, r->first[w], x))
      feedback_control(r->creature, &t->gains[w], x, u);
    if (!rollout_window(ro, w, u, NULL))
      break;
    t->result->n_windows = w + 1;
    t->result->samples++;
  }
  return 1;
}

const char *track_option_words(struct arena *arena, const struct track_options *o)
{
  const struct world_options *a = &o->rollout.world;
  return arena_printf(arena, "guided %d, samples %d, saved %d, spread %g, seed %llu, models %llu, start %g, terrain %d "
                      "%g, friction %g%s", o->guided, o->samples, o->saved, o->spread, (unsigned long long)o->seed,
                      (unsigned long long)o->identify.seed, o->start_place, (int)a->terrain.kind, a->terrain.size,
                      a->friction, a->limbs ? "" : ", limbs do not touch each other");
}

/* Mean cost over the ends of windows, from the recorded motion. */
static void track_mean_cost(struct tracking *t)
{
  const struct reference *r = t->reference;
  struct follow_motion *m = t->result->motion;
  struct costs *costs = costs_new(t->arena, r->creature, &t->options->cost);
  struct cost_terms sum = {0};
  int count = 0;
  for (int w = 0; w < t->result->n_windows; w++) {
    int k = r->first[w + 1];
    size_t at = (size_t)k * (size_t)r->n_dofs;
    if (k >= m->n_frames)
      break;
    struct cost_terms c = costs_of(costs, m->q + at, m->v + at, r->q + at, r->v + at, m->ground[k]);
    sum.pose += c.pose;
    sum.root += c.root;
    sum.ends += c.ends;
    sum.balance += c.balance;
    sum.total += c.total;
    count++;
  }
  double share = count ? 1.0 / count : NAN;
  t->result->cost = (struct cost_terms){sum.pose * share, sum.root * share, sum.ends * share, sum.balance * share,
                                        sum.total * share};
}

/* models: NULL unless they are there already. 0 after an error. */
static int track_follow(struct tracking *t, const struct window_model *const *models)
{
  if (uses_feedback(t->options) && !models && !(models = make_models(t, t->batches)))
    return 0;
  double between = track_seconds(t->batches);
  if (models && !make_feedback(t, models))
    return 0;
  t->result->seconds_models += track_seconds(t->batches) - between;
  between = track_seconds(t->batches);
  long identified = batches_samples(t->batches);
  int good = t->options->method == TRACK_SAMCON ? track_by_samples(t)
           : t->options->method == TRACK_IMPROVED ? track_improved(t) : track_plainly(t);
  t->result->seconds_control = track_seconds(t->batches) - between;
  t->result->samples += batches_samples(t->batches) - identified;
  return good;
}

/* Replays what was found, and judges it. */
static void track_conclude(struct tracking *t)
{
  t->result->motion = recording_replay_by(t->arena, batches_rollout(t->batches), t->result);
  judge(t->arena, t->reference, t->result->motion, NULL, &t->result->judgement);
  track_mean_cost(t);
}

/* Guided sampling that the judge does not take: once more, with more samples from the same start. Most often a foot
 * came down a moment late. If that is no better, the first stays. 0 after an error. */
static int track_try_harder(struct tracking *t)
{
  const struct track_options *usual = t->options;
  struct track_options harder = *usual;
  struct recording first = *t->result;
  size_t n = (size_t)t->reference->n_windows * (size_t)t->n_controls;
  double between = track_seconds(t->batches);
  long before = batches_samples(t->batches);
  harder.samples *= usual->harder;
  t->options = &harder;
  t->result->offsets = ARENA_NEW(t->arena, n, double);
  int good = track_by_samples(t);
  t->options = usual;
  double seconds = track_seconds(t->batches) - between;
  if (good)
    track_conclude(t);
  if (good && !t->result->judgement.success)
    *t->result = first;
  t->result->attempts = 2;
  t->result->seconds_control = first.seconds_control + seconds;
  t->result->samples = first.samples + batches_samples(t->batches) - before;
  return good;
}

struct recording *track(struct arena *arena, const struct reference *r, const struct track_options *o,
                           struct diag *d)
{
  struct tracking t = {.arena = arena, .reference = r, .options = o, .diag = d, .n_errors = 2 * r->n_dofs,
                       .n_controls = r->n_dofs - CREATURE_ROOT_DOFS};
  struct rollout_options rollout = o->rollout;
  const struct window_model *const *models = NULL;
  int apart = uses_feedback(o) && is_bumpy(&o->rollout.world.terrain);
  rollout.weights = &o->cost;
  t.result = ARENA_NEW(arena, 1, struct recording);
  if (apart && !(models = make_even_models(&t)))
    return NULL;
  t.batches = batches_open(arena, r, &rollout, o->workers, d);
  if (!t.batches)
    return NULL;
  t.result->series = SERIES_TRACK;
  t.result->way = track_method_name(o->method);
  t.result->options = track_option_words(arena, o);
  t.result->reference = r;
  t.result->rollout = o->rollout;
  t.result->rollout.weights = NULL;
  t.result->offsets = ARENA_NEW(arena, (size_t)r->n_windows * (size_t)t.n_controls, double);
  t.result->start = ARENA_NEW(arena, 2 * (size_t)r->n_dofs, double);
  t.start = ARENA_NEW(arena, (size_t)t.n_errors, double);
  track_choose_start(&t);
  rollout_state(r, &o->rollout.world.terrain, 0, t.start, t.result->start, t.result->start + r->n_dofs);
  int good = track_follow(&t, models);
  t.result->attempts = 1;
  if (good)
    track_conclude(&t);
  if (good && o->method == TRACK_SAMCON && o->guided && !t.result->judgement.success)
    good = track_try_harder(&t);
  batches_close(t.batches);
  return good ? t.result : NULL;
}
