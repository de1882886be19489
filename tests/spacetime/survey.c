/* How reliable is the optimizer? Every gait of the zoo at several speeds, transitions of every kind, mutants: all
 * solved, verified, counted.
 *
 *   survey --gaits | --transitions | --mutants N [--first K]  [--seed S] [--creature NAME] [--seconds S] [--quiet]
 *
 * Each line ends with how deep a limb is in another and in the ground (doc/solid.md); the last lines have the deepest.
 * Exit status 0 when the bar of the kind is met: 100 % of gaits, 99 % of transitions, 99 % of mutants solved, or
 * refused for a good reason. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "motion/verify.h"
#include "spacetime/mutant.h"
#include "spacetime/spacetime.h"
#include "zoo.h"

static const double degree = 3.14159265358979323846 / 180;

struct survey {
  const char *only;
  unsigned long seed;
  int quiet;
  double limit;                 /* of one solve, of processor time */
  int tried, solved, refused, invalid;
  double seconds, slowest;
  struct depth { int n, kept; double worst; char what[128], where[128]; } overlap, ground; /* of clips found */
};

static void keep_depth(struct depth *d, const struct verify_line *l, const char *what)
{
  d->n++;
  d->kept += l->passed;
  if (d->n > 1 && l->value <= d->worst) /* a NaN stays */
    return;
  d->worst = l->value;
  snprintf(d->what, sizeof d->what, "%s", what);
  snprintf(d->where, sizeof d->where, "%s", l->where ? l->where : "nowhere");
}

static void print_depth(const struct depth *d, const char *which)
{
  if (d->n)
    printf("%s: %d of %d clips keep the bar, worst %.3g: %s, %s\n", which, d->kept, d->n, d->worst, d->what, d->where);
}

static void print_line_depth(const struct verify_line *l, const char *which)
{
  printf("  %s %.2g", which, l->value);
  if (l->where)
    printf(" %s", l->where);
}

/* Counts an attempt; a clip that does not verify is worse than none. */
static void count(struct survey *s, struct arena *arena, const struct creature *c, const struct clip *clip,
                  const struct spacetime_report *report, const char *what)
{
  struct verify_report verification = {.passed = 1};
  if (clip)
    verify_clip(arena, c, clip, &verification);
  s->tried++;
  s->solved += clip && verification.passed;
  s->refused += report->status == SPACETIME_REFUSED;
  s->invalid += clip && !verification.passed;
  s->seconds += report->seconds;
  s->slowest = fmax(s->slowest, report->seconds);
  if (clip) {
    keep_depth(&s->overlap, &verification.lines[VERIFY_OVERLAP], what);
    keep_depth(&s->ground, &verification.lines[VERIFY_LIMB_GROUND], what);
  }
  if (s->quiet && clip && verification.passed)
    return;
  printf("%-44s %s %2d solves %3d iterations %6.2f s  cost %8.4g  %s", what,
         clip                                  ? verification.passed ? "solved " : "INVALID"
         : report->status == SPACETIME_REFUSED ? "refused"
                                               : "FAILED ",
         report->solves, report->nlp.iterations, report->seconds, report->cost, report->reason);
  if (clip) {
    print_line_depth(&verification.lines[VERIFY_OVERLAP], "overlap");
    print_line_depth(&verification.lines[VERIFY_LIMB_GROUND], "ground");
  }
  for (int i = 0; i < N_VERIFY_MEASURES && !verification.passed; i++)
    if (!verification.lines[i].passed)
      printf(" [%s: %.2g > %.2g]", verification.lines[i].what, verification.lines[i].value, verification.lines[i].bar);
  putchar('\n');
  fflush(stdout);
}

static struct clip *solve_gait(struct survey *s, struct arena *arena, const struct gait_request *r)
{
  static struct spacetime_report report;
  struct spacetime_options o;
  char what[128];
  spacetime_defaults(&o);
  o.max_seconds = s->limit;
  struct clip *clip = spacetime_gait(arena, r, &o, &report);
  snprintf(what, sizeof what, "%s %s at %.3g m/s, %.0f deg", r->c->name, r->c->gaits[r->gait].name, r->speed,
           r->strafe / degree);
  count(s, arena, r->c, clip, &report, what);
  return clip;
}

static void survey_gaits(struct survey *s, const struct creature *c)
{
  for (int g = 0; g < c->n_gaits; g++)
    for (int k = 0; k < 3; k++) {
      struct arena *arena = arena_new();
      double speed = c->gaits[g].speed_min + 0.5 * k * (c->gaits[g].speed_max - c->gaits[g].speed_min);
      solve_gait(s, arena, &(struct gait_request){.c = c, .gait = g, .speed = speed});
      arena_free(arena);
    }
}

static void solve_transition(struct survey *s, const struct transition_request *r)
{
  static struct spacetime_report report;
  struct arena *arena = arena_new();
  struct spacetime_options o;
  char what[128];
  spacetime_defaults(&o);
  o.max_seconds = s->limit;
  struct clip *clip = spacetime_transition(arena, r, &o, &report);
  snprintf(what, sizeof what, "%s %s:%d to %s:%d, turn %.0f", r->c->name, r->from->gait, r->from_frame, r->to->gait,
           r->to_frame, r->turn / degree);
  count(s, arena, r->c, clip, &report, what);
  if (clip && !(verify_junction(r->c, clip, 0, r->from, r->from_frame) < 1e-6 &&
                verify_junction(r->c, clip, 1, r->to, r->to_frame) < 1e-6)) {
    printf("%s: does not fit its clips\n", what);
    s->invalid++;
  }
  arena_free(arena);
}

/* Same gait: 15 to 180 degrees, left and right; every pair of gaits, straight and turning. From and to frames at
 * random. */
static void survey_transitions(struct survey *s, const struct creature *c)
{
  static const double turns[] = {15, -30, 45, -60, 90, -120, 135, 180};
  struct rng r = rng_stream(s->seed, 77);
  struct arena *arena = arena_new();
  struct survey silent = {.quiet = 1, .limit = s->limit};
  struct clip *clips[100];
  for (int g = 0; g < c->n_gaits; g++)
    clips[g] = solve_gait(
        &silent, arena,
        &(struct gait_request){.c = c, .gait = g, .speed = 0.5 * (c->gaits[g].speed_min + c->gaits[g].speed_max)});
  for (int g = 0; g < c->n_gaits; g++)
    for (int h = 0; h < c->n_gaits; h++)
      for (size_t t = 0; t < (g == h ? sizeof turns / sizeof *turns : 2) && clips[g] && clips[h]; t++)
        solve_transition(s, &(struct transition_request){.c = c, .from = clips[g], .to = clips[h],
                                                         .from_frame = rng_below(&r, clips[g]->n_frames),
                                                         .to_frame = rng_below(&r, clips[h]->n_frames),
                                                         .turn = (g == h ? turns[t] : t ? 30 : 0) * degree});
  arena_free(arena);
}

static void survey_mutant(struct survey *s, int number)
{
  struct rng r = rng_stream(s->seed, (uint64_t)number);
  struct arena *arena = arena_new();
  int which;
  do
    which = rng_below(&r, zoo_size());
  while (s->only ? strcmp(zoo_name(which), s->only) != 0
                 : strcmp(zoo_name(which), "centipede") == 0); /* its cost would drown all others */
  const struct creature *c = zoo_load(arena, which), *m = c ? mutant_of(arena, c, &r) : NULL;
  if (m) {
    int g = rng_below(&r, m->n_gaits);
    double share = rng_uniform(&r, 0, 1), strafe = rng_below(&r, 2) ? rng_uniform(&r, -180, 180) * degree : 0;
    double speed = m->gaits[g].speed_min + share * (m->gaits[g].speed_max - m->gaits[g].speed_min);
    struct creature numbered = *m;
    numbered.name = arena_printf(arena, "%s (mutant %d)", m->name, number);
    solve_gait(s, arena, &(struct gait_request){.c = &numbered, .gait = g, .speed = speed, .strafe = strafe});
  }
  arena_free(arena);
}

static int finish(const struct survey *s, double bar)
{
  double share = s->tried ? (double)(s->solved + s->refused) / s->tried : 0;
  printf("%d tried: %d solved, %d refused, %d not solved, %d of them not valid; %.2f s on average, %.2f s at most\n",
         s->tried, s->solved, s->refused, s->tried - s->solved - s->refused, s->invalid, s->seconds / fmax(1, s->tried),
         s->slowest);
  print_depth(&s->overlap, "limbs in each other [smaller radius]");
  print_depth(&s->ground, "limbs in the ground [standing heights]");
  return share >= bar ? 0 : 1; /* a clip that does not verify counts as not solved */
}

int main(int argc, char **argv)
{
  static const struct option options[] = {{"gaits", no_argument, NULL, 'g'},
                                          {"transitions", no_argument, NULL, 't'},
                                          {"mutants", required_argument, NULL, 'm'},
                                          {"seed", required_argument, NULL, 's'},
                                          {"only", required_argument, NULL, 'o'}, /* as creature */
                                          {"creature", required_argument, NULL, 'o'},
                                          {"quiet", no_argument, NULL, 'q'},
                                          {"first", required_argument, NULL, 'f'},
                                          {"seconds", required_argument, NULL, 'l'},
                                          {NULL, 0, NULL, 0}};
  struct survey s = {.seed = 1, .limit = 300};
  int kind = 0, mutants = 0, first = 0;
  for (int k; (k = getopt_long(argc, argv, "gtm:f:s:o:l:q", options, NULL)) != -1;)
    switch (k) {
    case 'g':
    case 't': kind = k; break;
    case 'm': kind = k, mutants = atoi(optarg); break;
    case 's': s.seed = strtoul(optarg, NULL, 10); break;
    case 'f': first = atoi(optarg); break;
    case 'o': s.only = optarg; break;
    case 'l': s.limit = atof(optarg); break;
    case 'q': s.quiet = 1; break;
    default: return 2;
    }
  int known = !s.only;
  for (int i = 0; i < zoo_size(); i++)
    known |= s.only && strcmp(s.only, zoo_name(i)) == 0;
  if (!known) {
    fprintf(stderr, "survey: the zoo has no '%s'\n", s.only);
    return 2;
  }
  for (int i = first; i < first + mutants; i++)
    survey_mutant(&s, i);
  for (int i = 0; i < zoo_size() && kind != 'm'; i++) {
    struct arena *arena = arena_new();
    const struct creature *c = !s.only || strcmp(s.only, zoo_name(i)) == 0 ? zoo_load(arena, i) : NULL;
    if (c && kind == 'g')
      survey_gaits(&s, c);
    else if (c && kind == 't')
      survey_transitions(&s, c);
    arena_free(arena);
  }
  return finish(&s, kind == 'g' ? 1 : 0.99);
}
