/* See tracking.h. */
#include "cli/tracking.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/angle.h"
#include "base/json.h"
#include "cli/cli.h"
#include "farm/farm.h"
#include "plots/samples_figure.h"

void tracking_defaults(struct tracking_options *o)
{
  *o = (struct tracking_options){.path_seed = 1, .runs = 20, .jobs = 1, .ranks = farm_ranks() > 1};
  track_request_defaults(&o->request);
}

int tracking_terrain(const char *text, struct terrain *out)
{
  static const struct { const char *name; enum terrain_kind kind; double scale; } kinds[] = {
    {"slope", TERRAIN_SLOPE, TO_RADIANS}, {"steps", TERRAIN_STEPS, 1}, {"beams", TERRAIN_BEAMS, 1},
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
  struct track_request request = o->request;
  request.no_torques = o->torques == TORQUES_NONE;
  request.workers = o->ranks ? BATCHES_RANKS : o->jobs;
  track_request_fill(c, &request, out);
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
         method_words(o), engine == WORLD_ODE ? "" : ", in the engine ",
         engine == WORLD_ODE ? "" : world_engine_name(engine));
  if (j->fault)
    printf("  first fault: %s, after %.2f s of %.2f s\n", j->fault, j->seconds, seconds);
  printf("  %.2f s of motion, %d windows; at worst height off by %.3f L, orientation %.1f degrees, foothold %.3f L, "
         "course %.3f L\n", seconds,
         r->reference->n_windows, j->height, j->angle * TO_DEGREES, j->foot, j->course);
  printf("  rms: height %.4f L, orientation %.2f degrees, joints %.2f degrees, course %.3f L\n", j->mean_height,
         j->mean_angle * TO_DEGREES,
         j->mean_joint * TO_DEGREES, j->mean_course);
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
  const struct judgement *k = &r->judgement;
  double seconds = reference_seconds(r->reference);
  struct json j = json_to(stdout);
  json_object(&j, NULL);
  json_text(&j, "creature", r->reference->creature->name);
  json_text(&j, "what", title);
  json_text(&j, "method", track_method_name(o->method));
  json_text(&j, "engine", world_engine_name(o->rollout.world.engine));
  json_truth(&j, "guided", o->guided);
  json_unsigned(&j, "seed", o->seed);
  json_truth(&j, "success", k->success);
  json_text(&j, "fault", k->fault);
  json_number(&j, "fault_after", k->seconds, 6);
  json_number(&j, "seconds", seconds, 6);
  json_integer(&j, "windows", r->reference->n_windows);

  json_break(&j);
  json_object(&j, "worst");
  json_number(&j, "height", k->height, 6);
  json_number(&j, "angle", k->angle, 6);
  json_number(&j, "foot", k->foot, 6);
  json_number(&j, "course", k->course, 6);
  json_end(&j);

  json_break(&j);
  json_object(&j, "rms");
  json_number(&j, "height", k->mean_height, 6);
  json_number(&j, "angle", k->mean_angle, 6);
  json_number(&j, "joint", k->mean_joint, 6);
  json_number(&j, "course", k->mean_course, 6);
  json_end(&j);

  json_break(&j);
  json_object(&j, "feet");
  json_integer(&j, "stances", k->stances);
  json_integer(&j, "missed", k->stances_missed);
  json_integer(&j, "swings", k->swings);
  json_integer(&j, "dragged", k->swings_dragged);
  json_number(&j, "slip", k->slip, 6);
  json_number(&j, "slide", k->slide, 6);
  json_end(&j);

  json_break(&j);
  json_object(&j, "cost");
  json_number(&j, "total", r->cost.total, 6);
  json_number(&j, "pose", r->cost.pose, 6);
  json_number(&j, "root", r->cost.root, 6);
  json_number(&j, "ends", r->cost.ends, 6);
  json_number(&j, "balance", r->cost.balance, 6);
  json_end(&j);

  json_break(&j);
  json_object(&j, "core_seconds");
  json_number(&j, "models", r->seconds_models, 4);
  json_number(&j, "tracking", r->seconds_control, 4);
  json_number(&j, "per_second", r->seconds_control / seconds, 4);
  json_end(&j);
  json_integer(&j, "samples", r->samples);
  json_end(&j);
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
