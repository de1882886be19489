/* How reliable is the optimizer? Every gait of the zoo at several speeds, transitions of every kind, what every
 * creature can do unasked, mutants: all solved, verified, counted.
 *
 *   survey --gaits | --transitions | --repertoire | --mutants N [--first K]  [--seed S] [--creature NAME] [--seconds S]
 *          [--quiet] [--measures]
 *
 * At the end: how each measure of the verifier is distributed over all clips found, valid or not. With --measures each
 * clip's line is followed by its measures, and where they are worst.
 *
 * Each line ends with how deep a limb is in another and in the ground (doc/solid.md); the last lines have the deepest.
 * Exit status 0 when the bar of the kind is met: 100 % of gaits, 99 % of transitions, 95 % of each creature's
 * repertoire, 99 % of mutants solved, or refused for a good reason. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "motion/verify.h"
#include "spacetime/mutant.h"
#include "spacetime/repertoire.h"
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
  int measures;                 /* of every clip, printed */
  int n_clips, room;            /* found */
  struct found { double value[N_VERIFY_MEASURES]; char what[96]; } *clips; /* (n_clips) */
  const char *names[N_VERIFY_MEASURES];
};

static void print_line_depth(const struct verify_line *l, const char *which)
{
  printf("  %s %.2g", which, l->value);
  if (l->where)
    printf(" %s", l->where);
}

/* ---- how measures are distributed ---- */

static void keep_measures(struct survey *s, const struct verify_report *v, const char *what)
{
  if (s->n_clips == s->room) {
    s->room = s->room ? 2 * s->room : 256;
    s->clips = realloc(s->clips, (size_t)s->room * sizeof *s->clips);
    if (!s->clips)
      exit(99);
  }
  struct found *f = &s->clips[s->n_clips++];
  snprintf(f->what, sizeof f->what, "%s", what);
  for (int i = 0; i < N_VERIFY_MEASURES; i++)
    f->value[i] = v->lines[i].value, s->names[i] = v->lines[i].what;
}

static void print_measures(const struct verify_report *v)
{
  for (int i = 0; i < N_VERIFY_MEASURES; i++)
    printf("    %-66s %10.4g  frame %4d %s\n", v->lines[i].what, v->lines[i].value, v->lines[i].frame,
           v->lines[i].where ? v->lines[i].where : "");
}

static int sorted_by; /* measure */

static int compare_found(const void *a, const void *b)
{
  double x = ((const struct found *)a)->value[sorted_by], y = ((const struct found *)b)->value[sorted_by];
  return (x > y) - (x < y);
}

static void print_distribution(const struct survey *s)
{
  if (s->n_clips)
    printf("%-66s %9s %9s %9s %9s  worst of\n", "measure", "median", "90 %", "99 %", "worst");
  for (int i = 0; i < N_VERIFY_MEASURES && s->n_clips; i++) {
    int n = s->n_clips;
    sorted_by = i;
    qsort(s->clips, (size_t)n, sizeof *s->clips, compare_found);
    printf("%-66s %9.3g %9.3g %9.3g %9.3g  %s\n", s->names[i], s->clips[n / 2].value[i], s->clips[n * 9 / 10].value[i],
           s->clips[n * 99 / 100].value[i], s->clips[n - 1].value[i], s->clips[n - 1].what);
  }
}

/* Counts an attempt; a clip that does not verify is worse than none. */
static void count(struct survey *s, struct arena *arena, const struct creature *c, const struct clip *clip,
                  const struct verify_neighbours *beside, const struct spacetime_report *report, const char *what)
{
  struct verify_report verification = {.passed = 1};
  if (clip)
    verify_transition(arena, c, clip, beside, &verification);
  s->tried++;
  s->solved += clip && verification.passed;
  s->refused += report->status == SPACETIME_REFUSED;
  s->invalid += clip && !verification.passed;
  s->seconds += report->seconds;
  s->slowest = fmax(s->slowest, report->seconds);
  if (clip)
    keep_measures(s, &verification, what);
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
  if (s->measures && clip)
    print_measures(&verification);
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
  count(s, arena, r->c, clip, &(struct verify_neighbours){0}, &report, what);
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
  struct verify_neighbours beside = {r->from, r->to, r->from_frame, r->to_frame};
  count(s, arena, r->c, clip, &beside, &report, what);
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
  free(silent.clips);
  arena_free(arena);
}

/* What `muybridge repertoire` does, a line for each creature. Leaps are counted apart: not every body has to leap. */
static int survey_repertoire(struct survey *s, const struct creature *c)
{
  const double turns[] = {45 * degree, 90 * degree, 135 * degree, 180 * degree};
  struct arena *arena = arena_new();
  struct spacetime_options o;
  spacetime_defaults(&o);
  o.max_seconds = s->limit;
  struct repertoire r = repertoire_plan(arena, c, &(struct repertoire_options){.turns = turns, .n_turns = 4});
  int solved = s->solved, tried = s->tried, hasty = 0, slowest = 0, leaps = 0, leapt = 0;
  double seconds = s->seconds;
  for (int i = 0; i < r.n; i++) {
    struct repertoire_motion *m = &r.motions[i];
    repertoire_solve(arena, &r, i, &o);
    if (m->leap.rise > 0 || m->leap.forward > 0) {
      leaps++;
      leapt += m->passed;
      continue;
    }
    struct verify_neighbours beside = {0};
    if (!m->cyclic)
      beside = (struct verify_neighbours){r.motions[m->from].clip, r.motions[m->to].clip, m->from_frame, m->to_frame};
    count(s, arena, c, m->clip, &beside, m->report, arena_printf(arena, "%s %s", c->name, m->name));
    hasty += m->passed && !m->cyclic && !m->judged.passed;
    slowest = m->report->seconds > r.motions[slowest].report->seconds ? i : slowest;
  }
  solved = s->solved - solved, tried = s->tried - tried;
  printf("%-18s %2d of %2d, %d of them no animal would choose, %7.1f s, slowest %s %.1f s; leaps %d of %d\n", c->name,
         solved, tried, hasty, s->seconds - seconds, r.motions[slowest].name, r.motions[slowest].report->seconds, leapt,
         leaps);
  fflush(stdout);
  arena_free(arena);
  return solved >= 0.95 * tried;
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
  print_distribution(s);
  return share >= bar ? 0 : 1; /* a clip that does not verify counts as not solved */
}

int main(int argc, char **argv)
{
  static const struct option options[] = {{"gaits", no_argument, NULL, 'g'},
                                          {"transitions", no_argument, NULL, 't'},
                                          {"repertoire", no_argument, NULL, 'r'},
                                          {"mutants", required_argument, NULL, 'm'},
                                          {"seed", required_argument, NULL, 's'},
                                          {"only", required_argument, NULL, 'o'}, /* as creature */
                                          {"creature", required_argument, NULL, 'o'},
                                          {"quiet", no_argument, NULL, 'q'},
                                          {"first", required_argument, NULL, 'f'},
                                          {"measures", no_argument, NULL, 'M'},
                                          {"seconds", required_argument, NULL, 'l'},
                                          {NULL, 0, NULL, 0}};
  struct survey s = {.seed = 1, .limit = 300};
  int kind = 0, mutants = 0, first = 0, each_met = 1;
  for (int k; (k = getopt_long(argc, argv, "gtrm:f:s:o:l:qM", options, NULL)) != -1;)
    switch (k) {
    case 'g':
    case 'r':
    case 't': kind = k; break;
    case 'm': kind = k, mutants = atoi(optarg); break;
    case 's': s.seed = strtoul(optarg, NULL, 10); break;
    case 'f': first = atoi(optarg); break;
    case 'o': s.only = optarg; break;
    case 'l': s.limit = atof(optarg); break;
    case 'q': s.quiet = 1; break;
    case 'M': s.measures = 1; break;
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
    else if (c && kind == 'r')
      each_met &= survey_repertoire(&s, c);
    arena_free(arena);
  }
  int status = finish(&s, kind == 'g' ? 1 : kind == 'r' ? 0.95 : 0.99) | !each_met;
  free(s.clips);
  return status;
}
