/* The verifier on clips that were solved for: they pass, and no longer do when their time runs a thousandth slower. */
#include <math.h>
#include <string.h>

#include "motion/check_report.h"
#include "spacetime/spacetime.h"
#include "zoo.h"

static const double PI = 3.14159265358979323846;

static struct clip *solve(struct arena *arena, const struct gait_request *r)
{
  struct spacetime_options o;
  struct spacetime_report report;
  spacetime_defaults(&o);
  struct clip *clip = spacetime_gait(arena, r, &o, &report);
  if (!test_count(clip != NULL))
    fprintf(stderr, "%s %s: %s\n", r->c->name, r->c->gaits[r->gait].name, report.reason);
  return clip;
}

/* Passes; no longer passes when its time runs a thousandth slower. */
static void check_solved(const struct creature *c, struct clip *clip)
{
  struct verify_report r = verify(c, clip);
  for (int i = 0; i < N_VERIFY_MEASURES; i++) {
    const struct verify_line *l = &r.lines[i];
    if (!test_count(l->passed))
      fprintf(stderr, "%s %s: %s: %g, frame %d, %s\n", c->name, clip->name, l->what, l->value, l->frame,
              l->where ? l->where : "nowhere in particular");
  }
  clip->dt *= 1.001;
  r = verify(c, clip);
  CHECK(!r.lines[VERIFY_FORCE].passed);
  clip->dt /= 1.001;
}

/* Between frames, the same motion at twice the rate is nearer to the truth. */
static void check_refined(struct arena *arena, struct gait_request r, int n_frames)
{
  struct verify_report found[2];
  for (int i = 0; i < 2; i++) {
    r.frames = n_frames * (i + 1);
    struct clip *clip = solve(arena, &r);
    if (!clip)
      return;
    found[i] = verify(r.c, clip);
    check_solved(r.c, clip);
  }
  for (int m = VERIFY_FORCE_BETWEEN; m <= VERIFY_MOMENT_BETWEEN; m++)
    CHECK(found[1].lines[m].value < 0.8 * found[0].lines[m].value);
}

static const struct creature *load_by_name(struct arena *arena, const char *name)
{
  int n = 0;
  while (strcmp(zoo_name(n), name) != 0)
    n++;
  return zoo_load(arena, n);
}

static struct gait_request request(const struct creature *c, const char *gait)
{
  int g = creature_find_gait(c, gait);
  return (struct gait_request){.c = c, .gait = g, .speed = (c->gaits[g].speed_min + c->gaits[g].speed_max) / 2};
}

static void test_solved(void)
{
  static const struct { const char *creature, *gait; } cases[] = {
    {"biped", "walk"}, {"biped", "run"}, {"horse", "trot"}, {"hyq", "walk"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct arena *arena = arena_new();
    struct gait_request r = request(load_by_name(arena, cases[i].creature), cases[i].gait);
    struct clip *clip = solve(arena, &r);
    if (clip) {
      check_solved(r.c, clip);
      check_refined(arena, r, clip->n_frames);
    }
    arena_free(arena);
  }
}

/* A walk that turns by a right angle: valid, and joined to the walk at both ends, nowhere else. */
static void test_solved_transition(void)
{
  struct arena *arena = arena_new();
  struct gait_request r = request(load_by_name(arena, "biped"), "walk");
  struct clip *walk = solve(arena, &r);
  struct transition_request t = {.c = r.c, .from = walk, .to = walk, .from_frame = 3, .to_frame = 7, .turn = PI / 2};
  struct spacetime_options o;
  struct spacetime_report report;
  spacetime_defaults(&o);
  struct clip *turn = walk ? spacetime_transition(arena, &t, &o, &report) : NULL;
  if (test_count(turn != NULL)) {
    check_solved(r.c, turn);
    CHECK_NEAR(verify_junction(r.c, turn, 0, walk, 3), 0, 1e-9);
    CHECK_NEAR(verify_junction(r.c, turn, 1, walk, 7), 0, 1e-9);
    CHECK(verify_junction(r.c, turn, 0, walk, 4) > 1e-3);
    CHECK(verify_junction(r.c, turn, 1, walk, 6) > 1e-3);
  }
  arena_free(arena);
}

int main(void)
{
  test_solved();
  test_solved_transition();
  return test_finish();
}
