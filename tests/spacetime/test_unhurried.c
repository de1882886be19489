/* A transition in haste becomes longer by whole cycles until it is none, and the best of all attempts is kept. What is
 * solved is real; how natural it is, the test decides: its check of each attempt lowers the root as far as it wants. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "spacetime/unhurried.h"
#include "zoo.h"

static const double degree = 3.14159265358979323846 / 180;

struct world {
  struct arena *arena;
  const struct creature *c;
  struct clip *walk;            /* with few frames, which are soon solved */
  struct spacetime_options o;
};

static struct clip *insist(struct clip *clip, const struct spacetime_report *report)
{
  if (!clip)
    fprintf(stderr, "not solved: %s\n", report->reason), exit(99);
  return clip;
}

static struct clip *solve_walk(struct world *w, int frames)
{
  struct spacetime_report report;
  struct gait_request r = {.c = w->c, .speed = 0.6, .frames = frames};
  return insist(spacetime_gait(w->arena, &r, &w->o, &report), &report);
}

/* ---- attempts ---- */

#define REFUSED (-1.0)          /* an excess that none has                     */
#define MOST 3                  /* attempts                                    */

/* What is made of the attempts, and what was seen of them. */
struct attempts {
  struct world *w;
  double excess[MOST];          /* as which the first, second ... is to be judged; below 1: as it is */
  double seconds;               /* that each is said to have taken             */
  int n;                        /* seen                                        */
  struct clip *clips[MOST];
  struct spacetime_report reports[MOST];
};

static double lowest_root(const struct clip *clip)
{
  double lowest = INFINITY;
  for (int k = 0; k < clip->n_frames; k++)
    lowest = fmin(lowest, clip->q[k * clip->n_dofs + 2]);
  return lowest;
}

/* Lowers the root until NATURAL_SINKING is so many times its bar, 0.06. */
static int spoil(void *user, struct clip *clip, struct spacetime_report *report)
{
  struct attempts *a = user;
  if (a->n == MOST) {
    CHECK(!"more attempts than there may be");
    return 0;
  }
  double excess = a->excess[a->n];
  report->seconds = a->seconds;
  a->clips[a->n] = clip;
  a->reports[a->n++] = *report;
  if (clip && excess >= 1)
    clip->q[5 * clip->n_dofs + 2] = (1 - 0.06 * excess) * lowest_root(a->w->walk);
  return excess != REFUSED;
}

/* Straight ahead, from the beginning of a cycle to a quarter of it. */
static struct transition_request ahead(const struct world *w)
{
  return (struct transition_request){.c = w->c, .from = w->walk, .to = w->walk, .to_frame = w->walk->n_frames / 4};
}

/* Solves it, and checks that n attempts were made, each longer by `cycle` frames than the one before. */
static struct clip *attempt(struct attempts *a, const struct transition_request *r, int cycles, int n, int cycle,
                            struct spacetime_report *report, struct natural_report *judged)
{
  struct unhurried_check check = {spoil, a};
  struct clip *clip = unhurried_transition(a->w->arena, r, cycles, &a->w->o, &check, report, judged);
  CHECK_INT(a->n, n);
  for (int i = 0; i < a->n && a->clips[i]; i++) {
    CHECK_INT(a->clips[i]->n_frames, (r->frames ? r->frames : a->clips[0]->n_frames) + i * cycle);
    CHECK_NEAR(a->clips[i]->turn, r->turn, 0);
  }
  return clip;
}

/* ---- which one is kept ---- */

/* Attempts judged as `excess` says: n of them are made, and `kept` of them is kept. */
static void check_kept(struct world *w, int frames, int cycles, const double *excess, int n, int kept)
{
  struct attempts a = {.w = w, .seconds = 0.25};
  struct transition_request r = ahead(w);
  struct spacetime_report report;
  struct natural_report judged;
  r.frames = frames;
  memcpy(a.excess, excess, sizeof a.excess);
  struct clip *clip = attempt(&a, &r, cycles, n, w->walk->n_frames, &report, &judged);
  CHECK(clip && clip == a.clips[kept]);
  CHECK_INT(judged.passed, excess[kept] < 1);
  CHECK(excess[kept] < 1 ? judged.excess < 1 : fabs(judged.excess - excess[kept]) < 1e-9);
  /* the report is of the clip that is kept, but counts what all took that were accepted */
  int solves = 0, accepted = 0;
  for (int i = 0; i < a.n && excess[i] != REFUSED; i++)
    solves += a.reports[i].solves, accepted++;
  CHECK_NEAR(report.cost, a.reports[kept].cost, 0);
  CHECK_INT(report.n_vars, a.reports[kept].n_vars);
  CHECK_INT(report.solves, solves);
  CHECK_NEAR(report.seconds, 0.25 * accepted, 1e-12);
}

static void test_kept(struct world *w)
{
  int quick = 3 * w->walk->n_frames / 2, longest = UNHURRIED_CYCLES;
  CHECK_INT(longest, MOST - 1);
  for (int frames = 0; frames <= quick; frames += quick) { /* from the length that is chosen, and from one asked for */
    check_kept(w, frames, longest, (double[MOST]){0, 0, 0}, 1, 0);       /* at ease from the beginning */
    check_kept(w, frames, longest, (double[MOST]){3, 0, 0}, 2, 1);       /* a cycle longer             */
    check_kept(w, frames, longest, (double[MOST]){3, 5, 0}, 3, 2);       /* two                        */
  }
  check_kept(w, quick, longest, (double[MOST]){3, 2, 4}, 3, 1);          /* none: the best             */
  check_kept(w, quick, longest, (double[MOST]){2, 2, 2}, 3, 0);          /* the first of equals        */
  check_kept(w, quick, longest, (double[MOST]){3, REFUSED, 0}, 2, 0);    /* no more after a failure    */
  check_kept(w, quick, 1, (double[MOST]){3, 2, 0}, 2, 1);                /* no longer than it may be   */
  check_kept(w, quick, 0, (double[MOST]){3, 0, 0}, 1, 0);
}

/* A way out of a clip that does not go round becomes longer by cycles of the one that it enters. */
static void test_leaving_transition(struct world *w)
{
  struct spacetime_report report;
  struct natural_report judged;
  struct transition_request into = ahead(w), r = into;
  struct clip *first = insist(spacetime_transition(w->arena, &into, &w->o, &report), &report);
  CHECK(!first->cyclic && first->n_frames != w->walk->n_frames);
  r.from = first;
  r.from_frame = first->n_frames - 2;
  r.to_frame = 0;
  struct attempts a = {.w = w, .excess = {2, 0}};
  CHECK(attempt(&a, &r, UNHURRIED_CYCLES, 2, w->walk->n_frames, &report, &judged) == a.clips[1]);
}

/* ---- when nothing is found ---- */

static void test_failures_of_first(struct world *w)
{
  struct spacetime_report report;
  struct natural_report judged = {.excess = 77};
  struct transition_request r = ahead(w);
  struct attempts a = {.w = w, .excess = {REFUSED}}, b = {.w = w};
  CHECK(!attempt(&a, &r, UNHURRIED_CYCLES, 1, 0, &report, &judged));
  CHECK(a.clips[0] && report.status == SPACETIME_SOLVED && report.solves == a.reports[0].solves);
  r.turn = 100;
  CHECK(!attempt(&b, &r, UNHURRIED_CYCLES, 1, 0, &report, &judged));
  CHECK(!b.clips[0] && report.status == SPACETIME_REFUSED);
  CHECK_STR(report.reason, "a turn must lie between -360 and 360 degrees");
  CHECK(!unhurried_transition(w->arena, &r, UNHURRIED_CYCLES, &w->o, NULL, &report, &judged));
  CHECK(report.status == SPACETIME_REFUSED && judged.excess == 77);
}

/* Where the first attempt took all the time there is nothing left for another. */
static void test_time_is_shared(struct world *w)
{
  struct spacetime_report report;
  struct natural_report judged;
  struct transition_request r = ahead(w);
  struct attempts a = {.w = w, .excess = {2, 0}, .seconds = w->o.max_seconds + 1};
  CHECK(attempt(&a, &r, UNHURRIED_CYCLES, 2, 0, &report, &judged) == a.clips[0]);
  CHECK(!a.clips[1] && a.reports[1].solves == 0);
  CHECK(!judged.passed && report.solves == a.reports[0].solves);
}

/* ---- nothing made up ---- */

/* A sharp turn, once as it was asked for and once with all the time that it needs. */
static void test_sharp_turn(struct world *w)
{
  struct clip *walk = solve_walk(w, 0);
  int n = walk->n_frames;
  struct transition_request r = {.c = w->c, .from = walk, .to = walk, .to_frame = n / 4, .turn = 180 * degree,
                                 .frames = n + n / 4 + 2};
  for (int cycles = 0; cycles <= UNHURRIED_CYCLES; cycles += UNHURRIED_CYCLES) {
    struct spacetime_report report;
    struct natural_report judged;
    struct clip *t = insist(unhurried_transition(w->arena, &r, cycles, &w->o, NULL, &report, &judged), &report);
    CHECK_INT(judged.passed, cycles > 0);
    CHECK(cycles ? t->n_frames > r.frames && (t->n_frames - r.frames) % n == 0 : t->n_frames == r.frames);
  }
}

/* Without time nothing is tried, and that is said. */
static void test_no_time(struct world *w)
{
  struct transition_request r = ahead(w);
  struct spacetime_options o = w->o;
  struct spacetime_report report;
  o.max_seconds = -1;
  CHECK(!spacetime_transition(w->arena, &r, &o, &report));
  CHECK_INT(report.status, SPACETIME_FAILED);
  CHECK(strstr(report.reason, "no time") != NULL);
}

int main(void)
{
  struct world w = {.arena = arena_new()};
  w.c = zoo_find(w.arena, "biped");
  if (!w.c)
    exit(99);
  spacetime_defaults(&w.o);
  w.walk = solve_walk(&w, 24);
  test_kept(&w);
  test_leaving_transition(&w);
  test_failures_of_first(&w);
  test_time_is_shared(&w);
  test_no_time(&w);
  test_sharp_turn(&w);
  arena_free(w.arena);
  return test_finish();
}
