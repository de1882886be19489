/* See tracking.h. */
#include "cli/tracking.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "farm/farm.h"
#include "plots/samples_figure.h"
#include "track/subject.h"

static const double degrees = 180 / 3.14159265358979323846;

void tracking_defaults(struct tracking_options *o)
{
  *o = (struct tracking_options){.method = TRACK_SAMCON, .guided = 1, .spread = NAN, .seed = 1, .identify_seed = 1,
                                 .friction = NAN,
                                 .cycles = 10, .path_seed = 1, .runs = 20, .methods = "pd,feed-forward,samcon-plain,lqr,samcon",
                                 .jobs = 1};
}

int tracking_terrain(const char *text, struct terrain *out)
{
  static const struct { const char *name; enum terrain_kind kind; double scale; } kinds[] = {
    {"slope", TERRAIN_SLOPE, 3.14159265358979323846 / 180}, {"steps", TERRAIN_STEPS, 1}, {"beams", TERRAIN_BEAMS, 1},
    {"pebbles", TERRAIN_PEBBLES, 1}};
  *out = (struct terrain){.kind = TERRAIN_FLAT, .seed = 1};
  if (!strcmp(text, "flat"))
    return 1;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    size_t n = strlen(kinds[i].name);
    char *end;
    if (strncmp(text, kinds[i].name, n) || text[n] != ':')
      continue;
    out->kind = kinds[i].kind;
    out->size = kinds[i].scale * strtod(text + n + 1, &end);
    if (end > text + n + 1 && *end == 0 && isfinite(out->size))
      return 1;
  }
  cli_usage_error("track", "--terrain: flat, slope:DEGREES, steps:M, beams:M or pebbles:M, found '%s'", text);
  return 0;
}

void tracking_fill(const struct creature *c, const struct tracking_options *o, struct track_options *out)
{
  track_defaults(c, o->method, o->guided, out);
  if (o->samples)
    out->samples = o->samples;
  if (o->saved)
    out->saved = o->saved;
  if (!isnan(o->spread))
    out->spread = o->spread;
  out->seed = o->seed;
  if (o->torques == TORQUES_NONE)
    out->rollout.drive = DRIVE_POSES;
  out->scout = out->identify.scout = !o->ode;
  out->variances = o->variances;
  out->identify.samples = o->models;
  out->identify.seed = o->identify_seed;
  out->start_place = o->start;
  out->start_velocity = 3 * o->start;
  out->workers = o->jobs;
  out->rollout.world.terrain = o->terrain;
  out->rollout.world.terrain.spacing = o->terrain.kind == TERRAIN_PEBBLES ? 0.3 * c->height : c->height;
  if (!isnan(o->friction))
    out->rollout.world.friction = o->friction;
}

static const char *method_words(const struct track_options *o)
{
  if (o->method == TRACK_SAMCON)
    return o->guided ? "samcon, guided by window feedback" : "samcon";
  return track_method_name(o->method);
}

void tracking_print(const char *title, const struct track_result *r, const struct track_options *o)
{
  const struct judgement *j = &r->judgement;
  double seconds = reference_seconds(r->reference);
  printf("%s, %s: %s by %s\n", r->reference->creature->name, title, j->success ? "tracked" : "not tracked",
         method_words(o));
  if (j->fault)
    printf("  first fault: %s, after %.2f s of %.2f s\n", j->fault, j->seconds, seconds);
  printf("  %.2f s of motion, %d windows; at worst height off by %.3f L, orientation %.1f degrees, foothold %.3f L, course %.3f L\n", seconds,
         r->reference->n_windows, j->height, j->angle * degrees, j->foot, j->course);
  printf("  rms: height %.4f L, orientation %.2f degrees, joints %.2f degrees, course %.3f L\n", j->mean_height,
         j->mean_angle * degrees,
         j->mean_joint * degrees, j->mean_course);
  printf("  %d stances, %d missed; %d swings, %d dragged\n", j->stances, j->stances_missed, j->swings,
         j->swings_dragged);
  printf("  feet that touch slide at %.4f m/s on average, at most %.3f L in one contact\n",
         j->slip * sqrt(CREATURE_GRAVITY * r->reference->creature->height), j->slide);
  printf("  cost %.3f: pose %.4f, root %.4f, ends %.4f, balance %.4f\n", r->cost.total, r->cost.pose, r->cost.root,
         r->cost.ends,
         r->cost.balance);
  printf("  core-seconds: %.2f for window models (%d), %.3f per second of motion; %ld windows simulated\n",
         r->seconds_identify,
         r->reference->n_models, r->seconds_track / seconds, r->samples);
}

void tracking_print_json(const char *title, const struct track_result *r, const struct track_options *o)
{
  const struct judgement *j = &r->judgement;
  double seconds = reference_seconds(r->reference);
  printf("{\"creature\": \"%s\", \"what\": \"%s\", \"method\": \"%s\", \"guided\": %s, \"seed\": %llu, \"success\": %s, \"fault\": %s%s%s, "
         "\"fault_after\": %.6g, \"seconds\": %.6g, \"windows\": %d,\n",
         r->reference->creature->name, title, track_method_name(o->method), o->guided ? "true" : "false", (unsigned long long)o->seed,
         j->success ? "true" : "false", j->fault ? "\"" : "", j->fault ? j->fault : "null", j->fault ? "\"" : "", j->seconds, seconds,
         r->reference->n_windows);
  printf(" \"worst\": {\"height\": %.6g, \"angle\": %.6g, \"foot\": %.6g, \"course\": %.6g},\n", j->height, j->angle,
         j->foot, j->course);
  printf(" \"rms\": {\"height\": %.6g, \"angle\": %.6g, \"joint\": %.6g, \"course\": %.6g},\n", j->mean_height,
         j->mean_angle, j->mean_joint,
         j->mean_course);
  printf(" \"feet\": {\"stances\": %d, \"missed\": %d, \"swings\": %d, \"dragged\": %d, \"slip\": %.6g, \"slide\": %.6g},\n",
         j->stances, j->stances_missed, j->swings, j->swings_dragged, j->slip, j->slide);
  printf(" \"cost\": {\"total\": %.6g, \"pose\": %.6g, \"root\": %.6g, \"ends\": %.6g, \"balance\": %.6g},\n",
         r->cost.total, r->cost.pose,
         r->cost.root, r->cost.ends, r->cost.balance);
  printf(" \"core_seconds\": {\"models\": %.4g, \"tracking\": %.4g, \"per_second\": %.4g}, \"samples\": %ld}\n",
         r->seconds_identify,
         r->seconds_track, r->seconds_track / seconds, r->samples);
}

int tracking_draw(struct arena *arena, const char *title, const struct track_result *r,
                  const struct tracking_options *o, struct diag *d)
{
  const char *head = arena_printf(arena, "%s: %s", r->reference->creature->name, title);
  int good = plot_samples(head, r, o->picture, d);
  if (good && !o->quiet && !o->json)
    printf("drew %s\n", o->picture);
  return good;
}

/* ---- the table ---- */

#define MOST_METHODS 8
struct table_method { const char *name; enum track_method method; int guided; };

struct table {
  const struct graph_input *in;
  const struct tracking_options *o;
  int n_methods;
  struct table_method methods[MOST_METHODS];
};

struct table_job { int method, run; };
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

/* One clip by one method. */
static struct table_answer table_clip(const struct table *t, int clip, const struct track_options *options,
                                      struct diag *d)
{
  struct arena *arena = arena_new();
  struct reference *r = subject_clip(arena, t->in, clip, t->o->cycles, NULL, d);
  if (r && t->o->terrain.kind == TERRAIN_SLOPE)
    reference_lay(r, t->o->terrain.size);
  const struct track_result *result = r ? track(arena, r, options, d) : NULL;
  struct table_answer a = {.per_second = NAN, .cost = NAN, .fault = "error"};
  if (result) {
    const struct judgement *j = &result->judgement;
    double seconds = reference_seconds(r);
    a = (struct table_answer){j->success, result->seconds_track / seconds, result->seconds_identify, seconds,
                              j->seconds,
                              result->cost.total, j->height, j->angle, j->foot, j->course, ""};
    snprintf(a.fault, sizeof a.fault, "%s", j->fault ? j->fault : "");
  }
  arena_free(arena);
  return a;
}

/* One run of all clips by one method: sampling seed, seed of the models and starting state are the run's own. */
static void table_run(void *user, const void *in, size_t n_in, struct farm_reply *out)
{
  const struct table *t = user;
  const struct table_job *job = in;
  (void)n_in;
  struct tracking_options o = *t->o;
  struct diag d;
  struct arena *arena = arena_new();
  struct identify_cache cache = {.arena = arena};
  diag_init(&d);
  o.method = t->methods[job->method].method;
  o.guided = t->methods[job->method].guided;
  o.seed = t->o->seed + (uint64_t)job->run;
  o.identify_seed = t->o->identify_seed + (uint64_t)job->run;
  o.jobs = 1;
  struct track_options options;
  tracking_fill(t->in->creature, &o, &options);
  options.identify.cache = &cache;
  for (int i = 0; i < t->in->n_clips; i++) {
    struct table_answer a = table_clip(t, i, &options, &d);
    farm_reply_write(out, &a, sizeof a);
  }
  diag_clear(&d);
  arena_free(arena);
}

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
         c->clip->turn * degrees,
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
  if (!read_methods(&t, o->methods))
    return CLI_WRONG_INPUT;
  struct farm_options options = {.kind = FARM_FORK, .workers = o->jobs, .user = &t, .run = table_run};
  struct farm *farm = farm_open(arena, &options, d);
  if (!farm)
    return CLI_FAILED;
  for (int i = 0; i < t.n_methods * o->runs; i++) {
    struct table_job job = {i / o->runs, i % o->runs};
    farm_submit(farm, (uint64_t)i, &job, sizeof job);
  }
  printf("clip  name           turn  method         good     median s of s  cost      course L  models s  per s     most frequent fault\n");
  for (int m = 0; m < t.n_methods && done; m++)
    done = table_method(arena, &t, farm, m, &missed); /* the last method decides */
  farm_close(farm);
  return missed || !done ? CLI_FAILED : CLI_DONE;
}
