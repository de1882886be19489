/* See tracking.h. */
#include "cli/tracking.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "farm/farm.h"
#include "plots/samples_figure.h"

static const double degrees = 180 / 3.14159265358979323846;

void tracking_defaults(struct tracking_options *o)
{
  *o = (struct tracking_options){.method = TRACK_SAMCON, .guided = 1, .spread = NAN, .seed = 1, .identify_seed = 1,
                                 .friction = NAN,
                                 .cycles = 10, .path_seed = 1, .runs = 20,
                                 .jobs = 1, .ranks = farm_ranks() > 1};
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
  out->rollout.world.engine = (enum world_engine)o->engine;
  out->surrogate = out->identify.surrogate = !o->no_surrogate;
  out->variances = o->variances;
  out->identify.samples = o->models;
  out->identify.seed = o->identify_seed;
  out->start_place = o->start;
  out->start_velocity = 3 * o->start;
  out->workers = o->ranks ? BATCHES_RANKS : o->jobs;
  out->rollout.world.terrain = o->terrain;
  out->rollout.world.terrain.spacing = o->terrain.kind == TERRAIN_PEBBLES ? 0.3 * c->height : c->height;
  if (!isnan(o->friction))
    out->rollout.world.friction = o->friction;
}

void tracking_put_options(struct bytes_writer *w, const struct tracking_options *o)
{
  struct tracking_options bare = *o;
  bare.variances = NULL;
  bare.methods = bare.picture = bare.creature = bare.output = NULL;
  bare.argc = 0;
  bare.argv = NULL;
  bare.ranks = 0; /* a run that is shared out is one process */
  bare.jobs = 1;
  bytes_put(w, &bare, sizeof bare);
}

void tracking_get_options(struct bytes_reader *r, struct tracking_options *out)
{
  bytes_get(r, out, sizeof *out);
}

static const char *method_words(const struct track_options *o)
{
  if (o->method == TRACK_SAMCON)
    return o->guided ? "samcon, guided by window feedback" : "samcon";
  return track_method_name(o->method);
}

void tracking_print(const char *title, const struct recording *r, const struct track_options *o)
{
  const struct judgement *j = &r->judgement;
  double seconds = reference_seconds(r->reference);
  int engine = o->rollout.world.engine;
  printf("%s, %s: %s by %s%s%s\n", r->reference->creature->name, title, j->success ? "tracked" : "not tracked",
         method_words(o), engine == WORLD_ODE ? "" : ", in the engine ", engine == WORLD_ODE ? "" : world_engine_name(engine));
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
         r->seconds_models,
         r->reference->n_models, r->seconds_control / seconds, r->samples);
  if (r->attempts > 1)
    printf("  what came of the first attempt did not pass; this is the %s of the two, the second with more samples\n",
           r->judgement.success ? "second" : "first");
}

void tracking_print_json(const char *title, const struct recording *r, const struct track_options *o)
{
  const struct judgement *j = &r->judgement;
  double seconds = reference_seconds(r->reference);
  printf("{\"creature\": \"%s\", \"what\": \"%s\", \"method\": \"%s\", \"engine\": \"%s\", \"guided\": %s, \"seed\": %llu, \"success\": %s, \"fault\": %s%s%s, "
         "\"fault_after\": %.6g, \"seconds\": %.6g, \"windows\": %d,\n",
         r->reference->creature->name, title, track_method_name(o->method), world_engine_name(o->rollout.world.engine), o->guided ? "true" : "false", (unsigned long long)o->seed,
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
         r->seconds_models,
         r->seconds_control, r->seconds_control / seconds, r->samples);
}

int tracking_draw(struct arena *arena, const char *title, const struct recording *r,
                  const struct tracking_options *o, struct diag *d)
{
  const char *head = arena_printf(arena, "%s: %s", r->reference->creature->name, title);
  int good = plot_samples(head, r, o->picture, d);
  if (good && !o->quiet && !o->json)
    printf("drew %s\n", o->picture);
  return good;
}
