/* muybridge track --table: all clips of a controller by several methods, with many seeds. Runs are shared out; whoever
 * does one has the clips and the options as bytes, here as at ranks of MPI. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/angle.h"
#include "cli/cli.h"
#include "cli/tracking.h"
#include "motion/motion_bytes.h"
#include "follow/subject.h"

#define MOST_METHODS 8
#define USUAL_METHODS "pd,feed-forward,samcon-plain,lqr,samcon"
struct table_method { const char *name; enum track_method method; int guided; };

struct table {
  const struct graph_input *in;
  const struct tracking_options *o;
  int n_methods;
  struct table_method methods[MOST_METHODS];
};

struct table_job { enum track_method method; int guided, run; };
struct table_answer { double success, per_second, models, seconds, until, cost, height, angle, foot, course;
                     char fault[16]; };

static int read_methods(struct table *t, const char *list)
{
  char copy[256];
  snprintf(copy, sizeof copy, "%s", list);
  for (char *word = strtok(copy, ","); word; word = strtok(NULL, ",")) {
    struct table_method m = {.guided = 1};
    int plain = !strcmp(word, "samcon-plain"), found = plain;
    m.method = TRACK_SAMCON;
    for (int k = 0; k < N_TRACK_METHODS && !plain; k++)
      if (!strcmp(word, track_method_name((enum track_method)k))) {
        m.method = (enum track_method)k;
        found = 1;
      }
    if (plain)
      m.guided = 0;
    if (!found || t->n_methods == MOST_METHODS) {
      cli_usage_error("track", "--methods: pd, feed-forward, lqr, samcon, samcon-plain or improved, found '%s'", word);
      return 0;
    }
    m.name = plain ? "samcon-plain" : track_method_name(m.method);
    t->methods[t->n_methods++] = m;
  }
  return t->n_methods > 0;
}

/* ---- in a worker ---- */

struct table_worker {
  struct arena *arena;          /* of what prepare() made */
  struct graph_input in;
  struct tracking_options o;
};

static void put_shared(struct bytes_writer *w, const void *what)
{
  const struct table *t = what;
  graph_input_put(w, t->in);
  tracking_put_options(w, t->o);
}

static void finish(void *user)
{
  struct table_worker *w = user;
  arena_free(w->arena);
  *w = (struct table_worker){0};
}

static int prepare(void *user, const void *shared, size_t n_shared, struct diag *d)
{
  struct table_worker *w = user;
  finish(w);
  w->arena = arena_new();
  struct bytes_reader r = {.at = shared, .left = n_shared, .arena = w->arena};
  graph_input_get(&r, &w->in);
  tracking_get_options(&r, &w->o);
  if (r.bad || r.left)
    diag_error(d, "table", 0, "the clips cannot be read");
  return !r.bad && !r.left;
}

/* One clip by one method. */
static struct table_answer follow_clip(const struct table_worker *w, int clip, const struct track_options *options,
                                      struct diag *d)
{
  struct arena *arena = arena_new();
  struct reference *r = subject_clip(arena, &w->in, clip, w->o.cycles, NULL, d);
  if (r && w->o.terrain.kind == TERRAIN_SLOPE)
    reference_lay(r, w->o.terrain.size);
  const struct recording *result = r ? track(arena, r, options, d) : NULL;
  struct table_answer a = {.per_second = NAN, .cost = NAN, .fault = "error"};
  if (result) {
    const struct judgement *j = &result->judgement;
    double seconds = reference_seconds(r);
    a = (struct table_answer){j->success, result->seconds_control / seconds, result->seconds_models, seconds,
                              j->seconds,
                              result->cost.total, j->height, j->angle, j->foot, j->course, ""};
    snprintf(a.fault, sizeof a.fault, "%s", j->fault ? j->fault : "");
  }
  arena_free(arena);
  return a;
}

/* One run of all clips by one method: sampling seed, seed of the models and starting state are the run's own. */
static void run_job(void *user, const void *in, size_t n_in, struct farm_reply *out)
{
  const struct table_worker *w = user;
  const struct table_job *job = in;
  (void)n_in;
  struct tracking_options o = w->o;
  struct diag d;
  struct arena *arena = arena_new();
  struct identify_cache cache = {.arena = arena};
  diag_init(&d);
  o.method = job->method;
  o.guided = job->guided;
  o.seed += (uint64_t)job->run;
  o.identify_seed += (uint64_t)job->run;
  struct track_options options;
  tracking_fill(w->in.creature, &o, &options);
  options.identify.cache = &cache;
  for (int i = 0; i < w->in.n_clips; i++) {
    struct table_answer a = follow_clip(w, i, &options, &d);
    farm_reply_write(out, &a, sizeof a);
  }
  diag_clear(&d);
  arena_free(arena);
}

struct farm_options tracking_table_service(struct arena *arena)
{
  return (struct farm_options){.service = "table", .user = ARENA_NEW(arena, 1, struct table_worker), .run = run_job,
                               .prepare = prepare, .finish = finish};
}

/* ---- the table ---- */

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

/* A row: one clip by one method. How many runs were good. */
static int print_row(const struct table *t, int clip, int method, const struct table_answer *a)
{
  int runs = t->o->runs, good = 0, most = 0;
  struct arena *scratch = arena_new();
  double *column = ARENA_NEW(scratch, 5 * (size_t)runs, double);
  const char *fault = "";
  for (int i = 0; i < runs; i++) {
    int same = 0;
    good += a[i].success != 0;
    column[i] = a[i].until;
    column[runs + i] = a[i].cost;
    column[2 * runs + i] = a[i].models;
    column[3 * runs + i] = a[i].per_second;
    column[4 * runs + i] = a[i].course;
    for (int k = 0; k < runs; k++)
      same += a[i].fault[0] && !strcmp(a[k].fault, a[i].fault);
    if (same > most) {
      most = same;
      fault = a[i].fault;
    }
  }
  const struct graph_clip *c = &t->in->clips[clip];
  printf("%4d  %-12s %6.1f  %-13s %3d/%-3d  %6.2f %6.2f  %8.3f  %8.3f  %8.3f  %8.3f  %s\n", c->id, c->clip->name,
         c->clip->turn * TO_DEGREES,
         t->methods[method].name, good, runs, median(column, runs), a[0].seconds, median(column + runs, runs),
         median(column + 4 * runs, runs), median(column + 2 * runs, runs), median(column + 3 * runs, runs), fault);
  fflush(stdout);
  arena_free(scratch);
  return good;
}

/* Collects the runs of a method and prints its rows; 0 after an error. missed: clips with fewer than 19 good runs in
 * 20. */
static int table_method(struct arena *arena, const struct table *t, struct farm *farm, int method, int *missed)
{
  int runs = t->o->runs, n = t->in->n_clips, good = 0;
  struct table_answer *a = ARENA_NEW(arena, (size_t)runs * (size_t)n, struct table_answer);
  struct farm_result result;
  for (int run = 0; run < runs; run++) {
    if (farm_collect(farm, &result) != 1)
      return 0;
    const struct table_answer *in = result.bytes;
    int tracked = 0;
    for (int i = 0; i < n && result.outcome == FARM_DONE; i++)
      tracked += in[i].success != 0;
    if (!t->o->quiet)
      fprintf(stderr, "  %s, run %d: %d of %d clips tracked\n", t->methods[method].name, run + 1, tracked, n);
    for (int i = 0; i < n; i++) {
      a[i * runs + run] = (struct table_answer){.per_second = NAN, .cost = NAN, .fault = "crash"};
      if (result.outcome == FARM_DONE)
        a[i * runs + run] = in[i];
    }
  }
  *missed = 0;
  for (int i = 0; i < n; i++) {
    int row = print_row(t, i, method, a + i * runs);
    good += row;
    *missed += 20 * row < 19 * runs;
  }
  printf("      %-19s  %-13s %d of %d runs good; %d of %d clips in at least 19 of 20\n", "all",
         t->methods[method].name, good, n * runs,
         n - *missed, n);
  return 1;
}

int tracking_table(struct arena *arena, const struct graph_input *in, const struct tracking_options *o, struct diag *d)
{
  struct table t = {.in = in, .o = o};
  int missed = 0, done = 1;
  if (!read_methods(&t, o->methods ? o->methods : USUAL_METHODS))
    return CLI_WRONG_INPUT;
  struct farm_options options = tracking_table_service(arena);
  options.kind = o->ranks ? FARM_MPI : FARM_FORK;
  options.workers = o->jobs;
  options.shared = bytes_pack(arena, put_shared, &t, &options.n_shared);
  struct farm *farm = farm_open(arena, &options, d);
  if (!farm) {
    finish(options.user);
    return CLI_FAILED;
  }
  for (int i = 0; i < t.n_methods * o->runs; i++) {
    const struct table_method *m = &t.methods[i / o->runs];
    struct table_job job = {m->method, m->guided, i % o->runs};
    farm_submit(farm, (uint64_t)i, &job, sizeof job);
  }
  printf("clip  name           turn  method         good     median s of s  cost      course L  models s  per s     most frequent fault\n");
  for (int m = 0; m < t.n_methods && done; m++)
    done = table_method(arena, &t, farm, m, &missed); /* the last method decides */
  farm_close(farm);
  finish(options.user);
  return missed || !done ? CLI_FAILED : CLI_DONE;
}
