/* How good are the surrogates? Solves transitions of a creature one after the other, and before each one asks what it
 * will cost.
 *
 *   compare_surrogates [CREATURE] [CLIPS] [SEED]      prints one line a clip, then rank correlations and times
 *
 * Compared with the effort of the solved clip: the paper's interpolation over the frames of the initial motion, the
 * regression fitted to the clips before, and the same of the effort against that of the gaits at the ends. Also: the
 * quality of initial motions, linear and registered, and the time that they take to make. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/rng.h"
#include "motion/features.h"
#include "motion/verify.h"
#include "search/initial.h"
#include "search/surrogate.h"
#include "spacetime/spacetime.h"
#include "zoo.h"

enum { MOST = 400 };

struct study {
  struct arena *arena;
  const struct creature *c;
  struct initial_library *lib;
  struct clip *gaits[8];
  int gait_of[8], n_gaits;
  double effort[MOST];          /* of the clips of the library                             */
  int n, n_solved, n_failed;    /* n: guesses that have their answer                       */
  double features[MOST * SURROGATE_FEATURES], answer[MOST], interpolated[MOST], fitted[MOST];
  double above[MOST];           /* log of the effort over that of the gaits at the ends    */
  double relative[MOST];        /* of the effort, from the regression of that              */
  double seconds_initial, seconds_solve;
};

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void add_clip(struct study *s, const struct clip *clip)
{
  int index = initial_library_add(s->lib, initial_library_size(s->lib) + 1, clip);
  s->effort[index] = features_effort(s->c, clip);
}

static void add_gait(struct study *s, int gait, double speed)
{
  struct spacetime_options o;
  struct spacetime_report report;
  struct gait_request r = {.c = s->c, .gait = gait, .speed = speed};
  spacetime_defaults(&o);
  struct clip *clip = spacetime_gait(s->arena, &r, &o, &report);
  if (!clip) {
    fprintf(stderr, "%s: %s\n", s->c->gaits[gait].name, report.reason);
    return;
  }
  s->gait_of[s->n_gaits] = gait;
  s->gaits[s->n_gaits++] = clip;
  add_clip(s, clip);
}

/* The paper's cost of a clip: the mean over its frames of what the frames of the library cost, by distance. The effort
 * of a clip is that of all its frames here. */
static double interpolate(struct study *s, const struct clip *clip)
{
  struct arena *scratch = arena_new();
  struct distance_matrix *m = distance_new(scratch, s->c);
  int n_clips = initial_library_size(s->lib), total = 0;
  for (int i = 0; i < n_clips; i++)
    total += initial_library_clip(s->lib, i)->n_frames;
  double *cost = ARENA_NEW(scratch, (size_t)total, double), *distance = ARENA_NEW(scratch, (size_t)total, double);
  double sum = 0;
  for (int i = 0; i < n_clips; i++)
    distance_add(m, i + 1, initial_library_clip(s->lib, i));
  int own = distance_add(m, n_clips + 1, clip);
  for (int k = 0; k < clip->n_frames; k++) {
    int n = 0;
    for (int i = 0; i < n_clips; i++)
      for (int j = 0; j < initial_library_clip(s->lib, i)->n_frames; j++, n++)
        cost[n] = s->effort[i], distance[n] = distance_between(m, own, k, i, j);
    sum += surrogate_interpolate(n, cost, distance) / clip->n_frames;
  }
  arena_free(scratch);
  return sum;
}

static struct surrogate_request describe(const struct study *s, const struct initial_transition *r, int a, int b)
{
  double unit = sqrt(CREATURE_GRAVITY * s->c->height), cycle = 0.5 * (s->gaits[a]->n_frames + s->gaits[b]->n_frames);
  return (struct surrogate_request){.turn = r->turn, .cycles = r->frames / cycle, .speed = s->gaits[b]->speed / unit,
                                    .speed_change = (s->gaits[b]->speed - s->gaits[a]->speed) / unit,
                                    .gait = s->gait_of[b], .gait_change = s->gait_of[a] != s->gait_of[b]};
}

/* A request at random, between branch frames, of a length that suits the feet. */
static struct initial_transition draw(const struct study *s, struct rng *rng, int *a, int *b)
{
  static const double lengths[] = {0.5, 0.75, 1, 1.25, 1.5, 2};
  *a = rng_below(rng, s->n_gaits);
  *b = rng_below(rng, 3) ? *a : rng_below(rng, s->n_gaits);
  int na = s->gaits[*a]->n_frames, nb = s->gaits[*b]->n_frames, from = rng_below(rng, 4) * na / 4;
  double cycles = lengths[rng_below(rng, 6)] + (*a != *b ? 0.5 : 0);
  int frames = (int)lround(cycles * 0.5 * (na + nb)) + 2, to = (int)lround((from + 0.0) / na * nb + cycles * nb) % nb;
  return (struct initial_transition){*a + 1, from, *b + 1, to, rng_uniform(rng, -1.6, 1.6), frames < 8 ? 8 : frames};
}

/* What the surrogates say of the logarithm of the effort. */
struct guesses { double features[SURROGATE_FEATURES], interpolated, fitted, error, level, relative; };

static struct guesses ask(struct study *s, const struct surrogate_request *asked, const struct clip *initial, int a,
                          int b)
{
  struct guesses g;
  struct surrogate_model model, above;
  surrogate_features(asked, g.features);
  surrogate_fit(s->n, s->features, s->answer, &model);
  surrogate_fit(s->n, s->features, s->above, &above);
  g.interpolated = initial ? log(interpolate(s, initial)) : 0;
  g.fitted = surrogate_predict(&model, g.features, &g.error);
  g.level = 0.5 * (log(s->effort[a]) + log(s->effort[b]));
  g.relative = g.level + surrogate_predict(&above, g.features, NULL);
  return g;
}

static void tell(struct study *s, const struct guesses *g, const struct clip *clip)
{
  int n = s->n++;
  memcpy(s->features + n * SURROGATE_FEATURES, g->features, sizeof g->features);
  s->interpolated[n] = g->interpolated, s->fitted[n] = g->fitted, s->relative[n] = g->relative;
  s->answer[n] = log(features_effort(s->c, clip));
  s->above[n] = s->answer[n] - g->level;
  printf("log effort %6.3f  interpolated %6.3f  fitted %6.3f +- %5.3f  relative %6.3f\n", s->answer[n], g->interpolated,
         g->fitted, g->error, g->relative);
  add_clip(s, clip);
}

static struct clip *solve(struct study *s, const struct initial_transition *r, struct spacetime_report *report)
{
  struct spacetime_options o;
  struct transition_request t = {.c = s->c, .from = s->gaits[r->from_clip - 1], .to = s->gaits[r->to_clip - 1],
                                 .from_frame = r->from_frame, .to_frame = r->to_frame, .from_id = r->from_clip,
                                 .to_id = r->to_clip, .turn = r->turn, .frames = r->frames};
  double start = now();
  spacetime_defaults(&o);
  struct clip *clip = spacetime_transition(s->arena, &t, &o, report);
  s->seconds_solve += now() - start;
  return clip;
}

static void try_one(struct study *s, struct rng *rng)
{
  int a, b;
  struct initial_transition r = draw(s, rng, &a, &b);
  struct surrogate_request asked = describe(s, &r, a, b);
  struct initial_options o;
  struct spacetime_report report;
  double start = now();
  initial_defaults(&o);
  struct initial_motion m = initial_transition(s->arena, s->lib, &r, &o);
  s->seconds_initial += now() - start;
  struct guesses g = ask(s, &asked, m.clip, a, b);
  struct clip *clip = solve(s, &r, &report);
  printf("%3d  %5.2f rad %5.2f cycles  q %6.3f (linear %6.3f%s)  ", s->n, r.turn, asked.cycles, m.quality,
         m.linear_quality, m.registered ? ", registered" : "");
  if (clip) {
    tell(s, &g, clip);
  } else {
    s->n_failed++;
    printf("not solved: %.60s\n", report.reason);
  }
}

static double root_mean_square(int n, const double *x, const double *y)
{
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += (x[i] - y[i]) * (x[i] - y[i]);
  return n ? sqrt(sum / n) : 0;
}

static void report_range(const struct study *s, int from, int until)
{
  int n = until - from;
  if (n < 4)
    return;
  const double *y = s->answer + from, *guess[3] = {s->interpolated + from, s->fitted + from, s->relative + from};
  static const char *const names[3] = {"interpolated", "fitted", "fitted against the gaits"};
  printf("clips %d to %d:\n", from, until - 1);
  for (int i = 0; i < 3; i++)
    printf("  %-26s rank correlation with the effort %5.2f, rms error of its logarithm %5.3f\n", names[i],
           surrogate_rank_correlation(n, y, guess[i]), root_mean_square(n, y, guess[i]));
}

int main(int argc, char **argv)
{
  static struct study s;
  int clips = argc > 2 ? atoi(argv[2]) : 40, which = 0;
  struct rng rng = rng_stream(argc > 3 ? strtoul(argv[3], NULL, 10) : 1, 0);
  while (argc > 1 && which < zoo_size() && strcmp(zoo_name(which), argv[1]) != 0)
    which++;
  s.arena = arena_new();
  s.c = which < zoo_size() ? zoo_load(s.arena, which) : NULL;
  if (!s.c || clips < 1 || clips > MOST - 8)
    return 2;
  s.lib = initial_library_new(s.arena, s.c);
  for (int g = 0; g < s.c->n_gaits && g < 2; g++) {
    const struct gait *gait = &s.c->gaits[g];
    add_gait(&s, g, gait->speed_min + 0.4 * (gait->speed_max - gait->speed_min));
    add_gait(&s, g, gait->speed_min + 0.7 * (gait->speed_max - gait->speed_min));
  }
  for (int i = 0; i < clips && s.n_gaits > 0; i++)
    try_one(&s, &rng);
  int half = s.n / 2;
  report_range(&s, 0, half);
  report_range(&s, half, s.n);
  report_range(&s, 5, s.n);
  printf("%d solved, %d not; initial motions %.1f ms each, solves %.1f ms each\n", s.n, s.n_failed,
         1e3 * s.seconds_initial / clips, 1e3 * s.seconds_solve / clips);
  arena_free(s.arena);
  return 0;
}
