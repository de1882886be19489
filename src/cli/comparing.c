/* muybridge track --compare: what torques by inverse dynamics are worth to improved sampling (tables 1 and 4 and figure
 * 7 of Xie and Kry 2021), for captured motion and for clips of our own, and what window feedback adds. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/capturing.h"
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/tracking.h"
#include "motion/motion_bytes.h"
#include "plots/torque_squares.h"
#include "follow/captured.h"
#include "follow/subject.h"

#define TRIALS_LEAST 3          /* T_min of table 4 */

enum variant { SERVOS, UNFILTERED, INVERSE, COVARIANCE, GUIDED, N_VARIANTS };
static const char *const names[N_VARIANTS] = {"servos alone", "inverse, unfiltered", "inverse", "inverse, covariance",
                                              "that, guided"};
static const char *const words[N_VARIANTS] = {"servos", "unfiltered", "inverse", "covariance", "guided"};

struct motion {
  const char *name;
  struct graph_input in;
  int captured;
};

struct comparison {             /* at a worker: what prepare() made, in the arena */
  struct arena *arena;
  struct tracking_options o;
  int n;
  struct motion *motions;
  int wanted[N_VARIANTS];
};

struct job { int motion, variant, run; };
struct answer {
  double success, trials, trials_good, error, per_second, models, seconds, squares, until;
  char fault[16];
};

/* ---- motions ---- */

/* The first clip of a run file. 0 after an error. */
static int load_run(struct arena *arena, const char *path, struct motion *m, struct diag *d)
{
  struct store *s = store_open(arena, path, STORE_READ, d);
  int id = s ? store_find_clip(s, NULL, d) : 0;
  struct graph_clip *clip = ARENA_NEW(arena, 1, struct graph_clip);
  const struct creature *c = id ? store_get_creature(arena, s, d) : NULL;
  *clip = (struct graph_clip){id, c ? store_get_clip(arena, s, id, d) : NULL, NULL};
  store_close(s);
  if (!clip->clip)
    return 0;
  *m = (struct motion){arena_printf(arena, "%s %s", c->name, clip->clip->name),
                       {.creature = c, .file = path, .n_clips = 1, .clips = clip}, !clip->clip->cyclic};
  return 1;
}

static int load_file(struct arena *arena, const char *path, const char *creature, struct motion *m, struct diag *d)
{
  struct graph_clip *clip = ARENA_NEW(arena, 1, struct graph_clip);
  struct capturing c;
  if (!capturing_load(arena, path, creature, &c, d))
    return 0;
  *clip = (struct graph_clip){1, c.clip, NULL};
  *m = (struct motion){c.clip->name, {.creature = c.creature, .file = path, .n_clips = 1, .clips = clip}, 1};
  return 1;
}

/* ---- one run ---- */

/* Equation 19 of 2021 for a clip of our own: variances of its torques, the largest being 1. */
static double *own_variances(struct arena *arena, const struct reference *r)
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
    out[i] = fmax(1e-3, out[i] / most);
  return out;
}

static struct reference *make_reference(struct arena *arena, const struct motion *m, const struct tracking_options *o,
                                        enum variant v, const double **variances, struct diag *d)
{
  if (!m->captured) {
    struct reference *r = subject_clip(arena, &m->in, 0, o->cycles, NULL, d);
    *variances = r ? own_variances(arena, r) : NULL;
    return r;
  }
  struct captured_options options;
  captured_defaults(m->in.creature, &options);
  if (v == UNFILTERED)
    options.inverse.cutoff = INFINITY;
  struct captured *k = captured_reference(arena, m->in.creature, m->in.clips[0].clip, &options, d);
  *variances = k ? k->variances : NULL;
  return k ? k->reference : NULL;
}

static void put_shared(struct bytes_writer *w, const void *what)
{
  const struct comparison *k = what;
  tracking_put_options(w, &k->o);
  bytes_put_int(w, k->n);
  for (int i = 0; i < k->n; i++) {
    bytes_put_text(w, k->motions[i].name);
    bytes_put_int(w, k->motions[i].captured);
    graph_input_put(w, &k->motions[i].in);
  }
}

static void finish(void *user)
{
  struct comparison *k = user;
  arena_free(k->arena);
  *k = (struct comparison){0};
}

static int prepare(void *user, const void *shared, size_t n_shared, struct diag *d)
{
  struct comparison *k = user;
  finish(k);
  k->arena = arena_new();
  struct bytes_reader r = {.at = shared, .left = n_shared, .arena = k->arena};
  tracking_get_options(&r, &k->o);
  k->n = bytes_get_within(&r, 0, 100000);
  k->motions = ARENA_NEW(k->arena, (size_t)k->n, struct motion);
  for (int i = 0; i < k->n && !r.bad; i++) {
    k->motions[i].name = bytes_get_name(&r);
    k->motions[i].captured = bytes_get_within(&r, 0, 1);
    graph_input_get(&r, &k->motions[i].in);
  }
  if (r.bad || r.left)
    diag_error(d, "comparison", 0, "the motions cannot be read");
  return !r.bad && !r.left;
}

static void fill_options(const struct comparison *k, const struct motion *m, const struct job *job,
                         const double *variances, struct track_options *out)
{
  struct tracking_options o = k->o;
  o.method = TRACK_IMPROVED;
  o.guided = job->variant == GUIDED;
  o.torques = job->variant == SERVOS ? TORQUES_NONE : TORQUES_OWN;
  o.seed += (uint64_t)job->run;
  o.identify_seed += (uint64_t)job->run;
  o.variances = job->variant >= COVARIANCE ? variances : NULL;
  if (o.guided)
    o.samples = o.saved = 0;
  tracking_fill(m->in.creature, &o, out);
  out->trials_least = TRIALS_LEAST;
}

static void run_job(void *user, const void *in, size_t n_in, struct farm_reply *out)
{
  const struct comparison *k = user;
  const struct job *job = in;
  const struct motion *m = &k->motions[job->motion];
  struct arena *arena = arena_new();
  struct diag d;
  struct track_options options;
  const double *variances;
  struct answer a = {.error = NAN, .fault = "error"};
  (void)n_in;
  diag_init(&d);
  struct reference *r = make_reference(arena, m, &k->o, (enum variant)job->variant, &variances, &d);
  if (r)
    fill_options(k, m, job, variances, &options);
  const struct recording *t = r ? track(arena, r, &options, &d) : NULL;
  if (t) {
    const struct judgement *j = &t->judgement;
    a = (struct answer){j->success, (double)t->trials, (double)t->trials_good, t->cost.total,
                        t->seconds_control / reference_seconds(r), t->seconds_models, reference_seconds(r),
                        torque_squares_mean(m->in.creature, t->motion), j->seconds, ""};
    snprintf(a.fault, sizeof a.fault, "%s", j->fault ? j->fault : "");
  }
  farm_reply_write(out, &a, sizeof a);
  diag_clear(&d);
  arena_free(arena);
}

struct farm_options tracking_compare_service(struct arena *arena)
{
  return (struct farm_options){.service = "compare", .user = ARENA_NEW(arena, 1, struct comparison), .run = run_job,
                               .prepare = prepare, .finish = finish};
}

/* ---- the table ---- */

/* Means over the runs of one method. */
static void print_row(const struct motion *m, int variant, int runs, const struct answer *a)
{
  double trials = 0, good = 0, error = 0, seconds = 0, models = 0, squares = 0, until = 0;
  int tracked = 0;
  for (int i = 0; i < runs; i++) {
    tracked += a[i].success != 0;
    trials += a[i].trials, good += a[i].trials_good;
    error += a[i].error / runs, seconds += a[i].per_second / runs, models += a[i].models / runs;
    squares += a[i].squares / runs, until += a[i].until / runs;
  }
  printf("%-16s %-20s %3d/%-3d  %6.2f of %5.2f  %7.1f  %7.3f  %9.2f  %7.2f  %9.4f  %s\n", m->name, names[variant],
         tracked, runs, until, a[0].seconds, 100 * good / trials, error, seconds, models, squares,
         tracked < runs ? a[0].fault : "");
  fflush(stdout);
}

/* Is a variant compared for a motion? Our own clips are not filtered. */
static int is_compared(const struct comparison *k, int motion, int variant)
{
  return k->wanted[variant] && (variant != UNFILTERED || k->motions[motion].captured);
}

static int read_variants(const char *list, int wanted[N_VARIANTS])
{
  char copy[256];
  snprintf(copy, sizeof copy, "%s", list ? list : "servos,unfiltered,inverse,covariance,guided");
  for (char *word = strtok(copy, ","); word; word = strtok(NULL, ",")) {
    int found = 0;
    for (int v = 0; v < N_VARIANTS; v++)
      if (!strcmp(word, words[v]))
        found = wanted[v] = 1;
    if (!found) {
      cli_usage_error("track", "--methods of --compare: servos, unfiltered, inverse, covariance or guided, found '%s'",
                      word);
      return 0;
    }
  }
  return 1;
}

static int collect(struct arena *arena, const struct comparison *k, struct farm *farm, struct torque_squares *figure)
{
  int runs = k->o.runs;
  struct answer *a = ARENA_NEW(arena, (size_t)runs, struct answer);
  for (int m = 0; m < k->n; m++)
    for (int v = 0; v < N_VARIANTS; v++) {
      if (!is_compared(k, m, v))
        continue;
      double squares = 0;
      for (int i = 0; i < runs; i++) {
        struct farm_result result;
        if (farm_collect(farm, &result) != 1)
          return 0;
        a[i] = (struct answer){.error = NAN, .fault = "crash"};
        if (result.outcome == FARM_DONE)
          memcpy(&a[i], result.bytes, sizeof a[i]);
        squares += a[i].squares / runs;
      }
      print_row(&k->motions[m], v, runs, a);
      figure->bars[figure->n++] = (struct torque_bar){k->motions[m].name, names[v], squares, a[0].success != 0};
    }
  return 1;
}

static int compare(struct arena *arena, struct comparison *k, struct diag *d)
{
  struct farm_options options = tracking_compare_service(arena);
  options.kind = k->o.ranks ? FARM_MPI : FARM_FORK;
  options.workers = k->o.jobs;
  options.shared = bytes_pack(arena, put_shared, k, &options.n_shared);
  struct farm *farm = farm_open(arena, &options, d);
  struct torque_squares figure = {.bars = ARENA_NEW(arena, (size_t)k->n * N_VARIANTS, struct torque_bar)};
  if (!farm) {
    finish(options.user);
    return CLI_FAILED;
  }
  for (int i = 0; i < k->n * N_VARIANTS * k->o.runs; i++) {
    struct job job = {i / k->o.runs / N_VARIANTS, i / k->o.runs % N_VARIANTS, i % k->o.runs};
    if (is_compared(k, job.motion, job.variant))
      farm_submit(farm, (uint64_t)i, &job, sizeof job);
  }
  printf("motion           method               good     until a fault    trials %%  error    core-s/s   models s  "
         "torque^2   fault\n");
  fflush(stdout);
  int good = collect(arena, k, farm, &figure);
  farm_close(farm);
  finish(options.user);
  if (good && k->o.picture && !plot_torque_squares(&figure, k->o.picture, d))
    return CLI_FAILED;
  return good ? CLI_DONE : CLI_FAILED;
}

int tracking_compare(struct arena *arena, int n, char **paths, const struct tracking_options *o, struct diag *d)
{
  struct comparison k = {.o = *o, .n = n, .motions = ARENA_NEW(arena, (size_t)n, struct motion)};
  if (!read_variants(o->methods, k.wanted))
    return CLI_WRONG_INPUT;
  for (int i = 0; i < n; i++)
    if (!(capturing_is_motion(paths[i]) ? load_file(arena, paths[i], o->creature, &k.motions[i], d)
                                        : load_run(arena, paths[i], &k.motions[i], d)))
      return CLI_WRONG_INPUT;
  return compare(arena, &k, d);
}
