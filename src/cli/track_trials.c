/* muybridge track --table and --compare: trials of tracking (samcon/track_trials.h) as tables for people. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/angle.h"
#include "cli/capturing.h"
#include "cli/cli.h"
#include "cli/tracking.h"
#include "plots/torque_squares.h"
#include "samcon/track_trials.h"
#include "store/store.h"

#define MOST_VARIANTS 8

struct printing {               /* a table while it is filled */
  const struct track_trials *trials;
  const struct tracking_options *o;
  int missed;                   /* clips of the last variant with fewer than 19 good runs in 20 */
  struct torque_squares figure; /* of a comparison              */
};

static struct track_trials make_trials(const struct tracking_options *o, int n,
                                       const struct track_trial_motion *motions, int n_variants,
                                       const struct track_trial_variant *variants, struct printing *p)
{
  return (struct track_trials){.request = o->request, .n_motions = n, .motions = motions, .n_variants = n_variants,
                         .variants = variants, .runs = o->runs, .workers = o->jobs, .ranks = o->ranks, .user = p};
}

/* ---- all clips of a controller by several methods ---- */

/* How many variants a list names; 0 after an error. */
static int read_methods(const char *list, struct track_trial_variant *out)
{
  char copy[256];
  int n = 0;
  snprintf(copy, sizeof copy, "%s", list ? list : "pd,feed-forward,samcon-plain,lqr,samcon");
  for (char *word = strtok(copy, ","); word; word = strtok(NULL, ",")) {
    int plain = !strcmp(word, "samcon-plain"), found = plain ? (int)TRACK_SAMCON : -1;
    for (int k = 0; k < N_TRACK_METHODS && found < 0; k++)
      if (!strcmp(word, track_method_name((enum track_method)k)))
        found = k;
    if (found < 0 || n == MOST_VARIANTS) {
      cli_usage_error("track", "--methods: pd, feed-forward, lqr, samcon, samcon-plain or improved, found '%s'", word);
      return 0;
    }
    const char *name = plain ? "samcon-plain" : track_method_name((enum track_method)found);
    out[n++] = (struct track_trial_variant){.name = name, .method = (enum track_method)found, .guided = !plain};
  }
  return n;
}

static void print_run(void *user, int motion, int variant, int run, int good)
{
  const struct printing *p = user;
  if (!p->o->quiet)
    fprintf(stderr, "  %s, run %d: %d of %d clips tracked\n", p->trials->variants[variant].name, run + 1, good,
            p->trials->motions[motion].in.n_clips);
}

/* Rows of a method: one for each clip. */
static void print_method(void *user, int motion, int variant, const struct track_trial_answer *answers)
{
  struct printing *p = user;
  const struct graph_input *in = &p->trials->motions[motion].in;
  const char *name = p->trials->variants[variant].name;
  int runs = p->trials->runs, good = 0;
  p->missed = 0;
  for (int i = 0; i < in->n_clips; i++) {
    struct track_trial_summary s;
    const struct graph_clip *c = &in->clips[i];
    track_trials_summarize(runs, answers + i * runs, &s);
    printf("%4d  %-12s %6.1f  %-13s %3d/%-3d  %6.2f %6.2f  %8.3f  %8.3f  %8.3f  %8.3f  %s\n", c->id, c->clip->name,
           c->clip->turn * TO_DEGREES, name, s.good, runs, s.median.until, answers[i * runs].seconds,
           s.median.cost, s.median.course, s.median.models, s.median.per_second, s.fault);
    fflush(stdout);
    good += s.good;
    p->missed += 20 * s.good < 19 * runs;
  }
  printf("      %-19s  %-13s %d of %d runs good; %d of %d clips in at least 19 of 20\n", "all", name, good,
         in->n_clips * runs, in->n_clips - p->missed, in->n_clips);
}

int tracking_table(struct arena *arena, const struct graph_input *in, const struct tracking_options *o, struct diag *d)
{
  struct track_trial_variant variants[MOST_VARIANTS];
  struct track_trial_motion motion = {.name = "", .in = *in};
  struct printing p = {.o = o};
  int n = read_methods(o->methods, variants);
  if (!n)
    return CLI_WRONG_INPUT;
  struct track_trials t = make_trials(o, 1, &motion, n, variants, &p);
  t.done = print_method;
  t.progress = print_run;
  p.trials = &t;
  printf("clip  name           turn  method         good     median s of s  cost      course L  models s  per s     "
         "most frequent fault\n");
  return track_trials_run(arena, &t, d) && !p.missed ? CLI_DONE : CLI_FAILED; /* by the last method */
}

/* ---- what torques by inverse dynamics are worth (tables 1 and 4 and figure 7 of Xie and Kry 2021) ---- */

#define TRIALS_LEAST 3          /* T_min of table 4 */

static const struct { const char *word; struct track_trial_variant variant; } compared[] = {
  {"servos", {.name = "servos alone", .method = TRACK_IMPROVED, .no_torques = 1, .trials_least = TRIALS_LEAST}},
  {"unfiltered", {.name = "inverse, unfiltered", .method = TRACK_IMPROVED, .unfiltered = 1,
                  .trials_least = TRIALS_LEAST}},
  {"inverse", {.name = "inverse", .method = TRACK_IMPROVED, .trials_least = TRIALS_LEAST}},
  {"covariance", {.name = "inverse, covariance", .method = TRACK_IMPROVED, .covariance = 1,
                  .trials_least = TRIALS_LEAST}},
  {"guided", {.name = "that, guided", .method = TRACK_IMPROVED, .guided = 1, .covariance = 1, .own_samples = 1,
              .trials_least = TRIALS_LEAST}}};
enum { N_COMPARED = sizeof compared / sizeof *compared };

/* How many variants a list names, in the order of the table above; 0 after an error. */
static int read_variants(const char *list, struct track_trial_variant *out)
{
  char copy[256];
  int wanted[N_COMPARED] = {0}, n = 0;
  snprintf(copy, sizeof copy, "%s", list ? list : "servos,unfiltered,inverse,covariance,guided");
  for (char *word = strtok(copy, ","); word; word = strtok(NULL, ",")) {
    int found = 0;
    for (int v = 0; v < N_COMPARED; v++)
      if (!strcmp(word, compared[v].word))
        found = wanted[v] = 1;
    if (!found) {
      cli_usage_error("track", "--methods of --compare: servos, unfiltered, inverse, covariance or guided, found '%s'",
                      word);
      return 0;
    }
  }
  for (int v = 0; v < N_COMPARED; v++)
    if (wanted[v])
      out[n++] = compared[v].variant;
  return n;
}

/* The first clip of a run file. 0 after an error. */
static int load_run(struct arena *arena, const char *path, struct track_trial_motion *m, struct diag *d)
{
  struct store *s = store_open(arena, path, STORE_READ, d);
  int id = s ? store_find_clip(s, NULL, d) : 0;
  struct graph_clip *clip = ARENA_NEW(arena, 1, struct graph_clip);
  const struct creature *c = id ? store_get_creature(arena, s, d) : NULL;
  *clip = (struct graph_clip){id, c ? store_get_clip(arena, s, id, d) : NULL, NULL};
  store_close(s);
  if (!clip->clip)
    return 0;
  *m = (struct track_trial_motion){arena_printf(arena, "%s %s", c->name, clip->clip->name),
                             {.creature = c, .file = path, .n_clips = 1, .clips = clip}, !clip->clip->cyclic};
  return 1;
}

static int load_file(struct arena *arena, const char *path, const char *creature, struct track_trial_motion *m,
                     struct diag *d)
{
  struct graph_clip *clip = ARENA_NEW(arena, 1, struct graph_clip);
  struct capturing c;
  if (!capturing_load(arena, path, creature, &c, d))
    return 0;
  *clip = (struct graph_clip){1, c.clip, NULL};
  *m = (struct track_trial_motion){c.clip->name,
                                   {.creature = c.creature, .file = path, .n_clips = 1, .clips = clip}, 1};
  return 1;
}

/* A row: means over the runs of one variant. */
static void print_variant(void *user, int motion, int variant, const struct track_trial_answer *a)
{
  struct printing *p = user;
  const char *name = p->trials->motions[motion].name, *way = p->trials->variants[variant].name;
  int runs = p->trials->runs;
  struct track_trial_summary s;
  track_trials_summarize(runs, a, &s);
  printf("%-16s %-20s %3d/%-3d  %6.2f of %5.2f  %7.1f  %7.3f  %9.2f  %7.2f  %9.4f  %s\n", name, way, s.good, runs,
         s.mean.until, a[0].seconds, 100 * s.mean.trials_good / s.mean.trials, s.mean.cost, s.mean.per_second,
         s.mean.models, s.mean.squares, s.good < runs ? a[0].fault : "");
  fflush(stdout);
  p->figure.bars[p->figure.n++] = (struct torque_bar){name, way, s.mean.squares, a[0].success != 0};
}

int tracking_compare(struct arena *arena, int n, char **paths, const struct tracking_options *o, struct diag *d)
{
  struct track_trial_variant variants[N_COMPARED];
  struct track_trial_motion *motions = ARENA_NEW(arena, (size_t)n, struct track_trial_motion);
  struct printing p = {.o = o, .figure.bars = ARENA_NEW(arena, (size_t)n * N_COMPARED, struct torque_bar)};
  int n_variants = read_variants(o->methods, variants);
  if (!n_variants)
    return CLI_WRONG_INPUT;
  for (int i = 0; i < n; i++)
    if (!(capturing_is_motion(paths[i]) ? load_file(arena, paths[i], o->creature, &motions[i], d)
                                        : load_run(arena, paths[i], &motions[i], d)))
      return CLI_WRONG_INPUT;
  struct track_trials t = make_trials(o, n, motions, n_variants, variants, &p);
  t.done = print_variant;
  p.trials = &t;
  printf("motion           method               good     until a fault    trials %%  error    core-s/s   models s  "
         "torque^2   fault\n");
  fflush(stdout);
  if (!track_trials_run(arena, &t, d))
    return CLI_FAILED;
  return !o->picture || plot_torque_squares(&p.figure, o->picture, d) ? CLI_DONE : CLI_FAILED;
}
