/* A gait is started from several guesses, and the cheapest result is kept. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "spacetime/guess.h"
#include "spacetime/spacetime.h"
#include "zoo.h"

static const double degree = 3.14159265358979323846 / 180;

enum { FOLDED = 1 << GUESS_FOLDED, STANDING = 1 << GUESS_STANDING };

struct attempt {
  struct spacetime_report report;
  struct clip *clip;
};

/* A gait from some of the guesses; 0: from those that are the default. */
static struct attempt solve(struct arena *arena, const struct creature *c, const char *gait, double speed, int frames,
                            unsigned guesses)
{
  struct spacetime_options o;
  struct attempt a;
  struct gait_request r = {.c = c, .gait = creature_find_gait(c, gait), .speed = speed, .frames = frames};
  spacetime_defaults(&o);
  if (guesses)
    o.guesses = guesses;
  a.clip = spacetime_gait(arena, &r, &o, &a.report);
  if (!a.clip)
    fprintf(stderr, "%s %s not solved: %s\n", c->name, gait, a.report.reason), exit(99);
  return a;
}

static double carpus_flexes(const struct creature *c, const struct clip *clip)
{
  int carpus = creature_find_dof(c, "left_cannon.flexion");
  double most = -INFINITY;
  for (int k = 0; k < clip->n_frames; k++)
    most = fmax(most, clip->q[k * c->n_dofs + carpus]);
  return most;
}

static int same_motion(const struct creature *c, const struct attempt *a, const struct attempt *b)
{
  size_t bytes = (size_t)(a->clip->n_frames * c->n_dofs) * sizeof *a->clip->q;
  return a->clip->n_frames == b->clip->n_frames && !memcmp(a->clip->q, b->clip->q, bytes);
}

/* From the rest pose, a horse's forelegs pass straight in these gaits (if not, the test shows nothing: other ones are
 * needed), which is costlier. With few frames there is no coarse solve before; in the last one there is. */
static void test_cheapest_is_kept(struct arena *arena, const struct creature *c)
{
  static const struct { const char *gait; double speed; int frames; } cases[] = {
      {"tolt", 3.8, 26}, {"pace", 6.5, 26}, {"tolt", 3.8, 60}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct attempt standing = solve(arena, c, cases[i].gait, cases[i].speed, cases[i].frames, STANDING);
    struct attempt folded = solve(arena, c, cases[i].gait, cases[i].speed, cases[i].frames, FOLDED);
    struct attempt kept = solve(arena, c, cases[i].gait, cases[i].speed, cases[i].frames, 0);
    CHECK(carpus_flexes(c, standing.clip) < 15 * degree);
    CHECK(carpus_flexes(c, kept.clip) > 35 * degree);
    CHECK(kept.report.cost < 0.95 * standing.report.cost);
    CHECK(same_motion(c, &kept, &folded));
    CHECK(kept.report.solves > folded.report.solves); /* both were tried */
  }
}

/* Both guesses end in the same optimum: the first result is kept, bit by bit. */
static void test_first_of_equals_is_kept(struct arena *arena, const struct creature *c)
{
  struct attempt standing = solve(arena, c, "trot", 3, 26, STANDING), folded = solve(arena, c, "trot", 3, 26, FOLDED);
  struct attempt kept = solve(arena, c, "trot", 3, 26, 0);
  CHECK_NEAR(standing.report.cost, folded.report.cost, 1e-4 * folded.report.cost);
  CHECK(!same_motion(c, &standing, &folded));
  CHECK(same_motion(c, &kept, &folded));
}

/* Where no leg hangs in a tendon, no time is spent on a second guess. */
static void test_one_guess_suffices(struct arena *arena)
{
  const struct creature *c = zoo_find(arena, "biped");
  if (!c)
    exit(99);
  struct attempt folded = solve(arena, c, "walk", 0.6, 20, FOLDED), kept = solve(arena, c, "walk", 0.6, 20, 0);
  CHECK(same_motion(c, &kept, &folded));
  CHECK_INT(kept.report.solves, folded.report.solves);
}

int main(void)
{
  struct arena *arena = arena_new();
  const struct creature *horse = zoo_find(arena, "horse");
  if (!horse)
    return 99;
  test_cheapest_is_kept(arena, horse);
  test_first_of_equals_is_kept(arena, horse);
  test_one_guess_suffices(arena);
  arena_free(arena);
  return test_finish();
}
