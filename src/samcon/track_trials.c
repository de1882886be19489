/* See track_trials.h. */
#include "samcon/track_trials.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "follow/captured.h"
#include "follow/subject.h"
#include "motion/motion_bytes.h"

#define MOST_MOTIONS 100000     /* that may be believed                                                         */

/* ---- requests ---- */

void track_request_defaults(struct track_request *r)
{
  *r = (struct track_request){.method = TRACK_SAMCON, .guided = 1, .spread = NAN, .seed = 1, .identify_seed = 1,
                              .friction = NAN, .cycles = 10, .workers = 1};
}

void track_request_fill(const struct creature *c, const struct track_request *r, struct track_options *out)
{
  track_defaults(c, r->method, r->guided, out);
  if (r->samples)
    out->samples = r->samples;
  if (r->saved)
    out->saved = r->saved;
  if (!isnan(r->spread))
    out->spread = r->spread;
  out->seed = r->seed;
  if (r->no_torques)
    out->rollout.drive = DRIVE_POSES;
  out->rollout.world.engine = (enum world_engine)r->engine;
  out->rollout.world.limbs = !r->no_limb_contact;
  out->surrogate = out->identify.surrogate = !r->no_surrogate;
  out->variances = r->variances;
  out->identify.samples = r->models;
  out->identify.seed = r->identify_seed;
  out->start_place = r->start;
  out->start_velocity = 3 * r->start;
  out->workers = r->workers;
  out->rollout.world.terrain = r->terrain;
  out->rollout.world.terrain.spacing = r->terrain.kind == TERRAIN_PEBBLES ? 0.3 * c->height : c->height;
  if (!isnan(r->friction))
    out->rollout.world.friction = r->friction;
}

/* ---- in a worker ---- */

struct track_trial_job { int motion, variant, run; };

struct track_trial_worker {           /* what track_trials_prepare() made */
  struct arena *arena;
  struct track_request request;
  int n_motions, n_variants;
  struct track_trial_motion *motions;
  struct track_trial_variant *variants;
};

/* Equation 19 of 2021 for a clip that has its torques: their variances, the largest being 1. */
static double *torque_variances(struct arena *arena, const struct reference *r, double least)
{
  double *out = ARENA_NEW(arena, (size_t)r->n_dofs, double), most = 0;
  for (int i = CREATURE_ROOT_DOFS; i < r->n_dofs; i++) {
    double sum = 0, squares = 0;
    for (int k = 0; k < r->n_frames; k++) {
      double t = r->torque[k * r->n_dofs + i];
      sum += t / r->n_frames;
      squares += t * t / r->n_frames;
    }
    most = fmax(most, out[i - CREATURE_ROOT_DOFS] = squares - sum * sum);
  }
  for (int i = 0; i < r->n_dofs - CREATURE_ROOT_DOFS; i++)
    out[i] = fmax(least, out[i] / most);
  return out;
}

/* What is followed, and variances of its torques. NULL after an error. */
static struct reference *make_reference(struct arena *arena, const struct track_trial_worker *w,
                                        const struct track_trial_motion *m, int clip,
                                        const struct track_trial_variant *v, const double **variances, struct diag *d)
{
  struct reference *r = NULL;
  struct captured_options options;
  captured_defaults(m->in.creature, &options);
  *variances = NULL;
  if (m->captured) {
    if (v->unfiltered)
      options.inverse.cutoff = INFINITY;
    struct captured *k = captured_reference(arena, m->in.creature, m->in.clips[clip].clip, &options, d);
    if (k) {
      *variances = k->variances;
      r = k->reference;
    }
  } else {
    r = subject_clip(arena, &m->in, clip, w->request.cycles, NULL, d);
    if (r && v->covariance)
      *variances = torque_variances(arena, r, options.least_variance);
  }
  return r;
}

static struct track_trial_answer track_trials_clip(const struct track_trial_worker *w,
                                                   const struct track_trial_job *job, int clip,
                                                   struct identify_cache *cache)
{
  const struct track_trial_motion *m = &w->motions[job->motion];
  const struct track_trial_variant *v = &w->variants[job->variant];
  struct track_request request = w->request; /* seeds of samples, start and models are the run's own */
  struct arena *arena = arena_new();
  struct diag d;
  struct track_trial_answer a = {.cost = NAN, .per_second = NAN, .fault = "error"};
  const double *variances;
  diag_init(&d);
  struct reference *r = make_reference(arena, w, m, clip, v, &variances, &d);
  request.method = v->method;
  request.guided = v->guided;
  request.no_torques |= v->no_torques;
  request.seed += (uint64_t)job->run;
  request.identify_seed += (uint64_t)job->run;
  request.variances = v->covariance ? variances : NULL;
  if (v->own_samples)
    request.samples = request.saved = 0;
  struct track_options options;
  if (r && !track_choose_ground(r, &w->request.terrain, &request.terrain, &d))
    r = NULL;
  track_request_fill(m->in.creature, &request, &options);
  options.identify.cache = cache;
  if (v->trials_least)
    options.trials_least = v->trials_least;
  const struct recording *k = r ? track(arena, r, &options, &d) : NULL;
  if (k) {
    const struct judgement *j = &k->judgement;
    double seconds = reference_seconds(r);
    a = (struct track_trial_answer){
      .success = j->success, .seconds = seconds, .until = j->seconds, .cost = k->cost.total, .height = j->height,
      .angle = j->angle, .foot = j->foot, .course = j->course, .models = k->seconds_models,
      .per_second = k->seconds_control / seconds, .trials = (double)k->trials, .trials_good = (double)k->trials_good,
      .squares = recording_torque_squares(k)};
    snprintf(a.fault, sizeof a.fault, "%s", j->fault ? j->fault : "");
  }
  diag_clear(&d);
  arena_free(arena);
  return a;
}

/* All clips of a motion by a variant, once. */
static void track_trials_run_job(void *user, const void *in, size_t n_in, struct farm_reply *out)
{
  const struct track_trial_worker *w = user;
  struct track_trial_job job;
  if (n_in != sizeof job) {
    farm_reply_fail(out, "a trial has the wrong size");
    return;
  }
  memcpy(&job, in, sizeof job);
  struct arena *models = arena_new();
  struct identify_cache cache = {.arena = models};
  for (int i = 0; i < w->motions[job.motion].in.n_clips; i++) {
    struct track_trial_answer a = track_trials_clip(w, &job, i, &cache);
    farm_reply_write(out, &a, sizeof a);
  }
  arena_free(models);
}

static void track_trials_put_shared(struct bytes_writer *w, const void *what)
{
  const struct track_trials *t = what;
  struct track_request request = t->request;
  request.variances = NULL;
  request.workers = 1; /* a run that is shared out is one process */
  bytes_put(w, &request, sizeof request);
  bytes_put_int(w, t->n_variants);
  for (int i = 0; i < t->n_variants; i++) {
    struct track_trial_variant v = t->variants[i];
    v.name = NULL;
    bytes_put(w, &v, sizeof v);
  }
  bytes_put_int(w, t->n_motions);
  for (int i = 0; i < t->n_motions; i++) {
    bytes_put_int(w, t->motions[i].captured);
    graph_input_put(w, &t->motions[i].in);
  }
}

static void track_trials_finish(void *user)
{
  struct track_trial_worker *w = user;
  arena_free(w->arena);
  *w = (struct track_trial_worker){0};
}

static int track_trials_prepare(void *user, const void *shared, size_t n_shared, struct diag *d)
{
  struct track_trial_worker *w = user;
  track_trials_finish(w);
  w->arena = arena_new();
  struct bytes_reader r = {.at = shared, .left = n_shared, .arena = w->arena};
  bytes_get(&r, &w->request, sizeof w->request);
  w->n_variants = bytes_get_within(&r, 0, MOST_MOTIONS);
  w->variants = ARENA_NEW(w->arena, (size_t)w->n_variants + 1, struct track_trial_variant);
  for (int i = 0; i < w->n_variants && !r.bad; i++)
    bytes_get(&r, &w->variants[i], sizeof w->variants[i]);
  w->n_motions = bytes_get_within(&r, 0, MOST_MOTIONS);
  w->motions = ARENA_NEW(w->arena, (size_t)w->n_motions + 1, struct track_trial_motion);
  for (int i = 0; i < w->n_motions && !r.bad; i++) {
    w->motions[i].captured = bytes_get_within(&r, 0, 1);
    graph_input_get(&r, &w->motions[i].in);
  }
  if (r.bad || r.left)
    diag_error(d, "trials", 0, "the motions cannot be read");
  return !r.bad && !r.left;
}

struct farm_options track_trials_service(struct arena *arena)
{
  return (struct farm_options){.service = "track trials", .user = ARENA_NEW(arena, 1, struct track_trial_worker),
                               .run = track_trials_run_job, .prepare = track_trials_prepare,
                               .finish = track_trials_finish};
}

/* ---- all of them ---- */

int track_trials_wanted(const struct track_trials *t, int motion, int variant)
{
  return !t->variants[variant].unfiltered || t->motions[motion].captured;
}

/* The runs of a motion by a variant; 0 after an error. */
static int collect_runs(struct farm *farm, const struct track_trials *t, int motion, int variant,
                        struct track_trial_answer *all)
{
  int n = t->motions[motion].in.n_clips;
  for (int run = 0; run < t->runs; run++) {
    struct farm_result result;
    int good = 0;
    if (farm_collect(farm, &result) != 1)
      return 0;
    int whole = result.outcome == FARM_DONE && result.n_bytes == (size_t)n * sizeof *all;
    for (int i = 0; i < n; i++) {
      struct track_trial_answer *a = &all[i * t->runs + run];
      *a = (struct track_trial_answer){.cost = NAN, .per_second = NAN, .fault = "crash"};
      if (whole)
        memcpy(a, (const char *)result.bytes + (size_t)i * sizeof *a, sizeof *a);
      good += a->success != 0;
    }
    if (t->progress)
      t->progress(t->user, motion, variant, run, good);
  }
  return 1;
}

int track_trials_run(struct arena *arena, const struct track_trials *t, struct diag *d)
{
  struct farm_options options = track_trials_service(arena);
  options.kind = t->ranks ? FARM_MPI : FARM_FORK;
  options.workers = t->workers;
  options.shared = bytes_pack(arena, track_trials_put_shared, t, &options.n_shared);
  struct farm *farm = farm_open(arena, &options, d);
  int good = farm != NULL, jobs = 0;
  for (int m = 0; m < t->n_motions && good; m++)
    for (int v = 0; v < t->n_variants; v++)
      for (int run = 0; run < t->runs && track_trials_wanted(t, m, v); run++) {
        struct track_trial_job job = {m, v, run};
        farm_submit(farm, (uint64_t)jobs++, &job, sizeof job);
      }
  for (int m = 0; m < t->n_motions && good; m++) {
    size_t room = (size_t)t->motions[m].in.n_clips * (size_t)t->runs;
    struct track_trial_answer *answers = ARENA_NEW(arena, room + 1, struct track_trial_answer);
    for (int v = 0; v < t->n_variants && good; v++)
      if (track_trials_wanted(t, m, v) && (good = collect_runs(farm, t, m, v, answers)))
        t->done(t->user, m, v, answers);
  }
  farm_close(farm);
  track_trials_finish(options.user);
  return good;
}

/* ---- what came of it ---- */

static int by_size(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static double median(double *x, int n)
{
  qsort(x, (size_t)n, sizeof *x, by_size);
  return n % 2 ? x[n / 2] : 0.5 * (x[n / 2 - 1] + x[n / 2]);
}

void track_trials_summarize(int runs, const struct track_trial_answer *a, struct track_trial_summary *out)
{
  enum { NUMBERS = offsetof(struct track_trial_answer, fault) / sizeof(double) }; /* which are all doubles */
  struct arena *scratch = arena_new();
  double *column = ARENA_NEW(scratch, (size_t)runs + 1, double);
  int most = 0;
  *out = (struct track_trial_summary){.fault = ""};
  for (size_t k = 0; k < NUMBERS; k++) {
    double mean = 0;
    for (int i = 0; i < runs; i++) {
      column[i] = ((const double *)&a[i])[k];
      mean += column[i] / runs;
    }
    ((double *)&out->mean)[k] = mean;
    ((double *)&out->median)[k] = median(column, runs);
  }
  out->mean.trials = out->mean.trials_good = 0;
  for (int i = 0; i < runs; i++) {
    int same = 0;
    out->good += a[i].success != 0;
    out->mean.trials += a[i].trials;
    out->mean.trials_good += a[i].trials_good;
    for (int k = 0; k < runs; k++)
      same += a[i].fault[0] && !strcmp(a[k].fault, a[i].fault);
    if (same > most) {
      most = same;
      out->fault = a[i].fault;
    }
  }
  arena_free(scratch);
}
