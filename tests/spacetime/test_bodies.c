/* Bodies as users draw them, of kinds that the zoo does not have. Each is solved and verified, and a turn of some. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "motion/verify.h"
#include "spacetime/spacetime.h"
#include "zoo.h"

/* Prints what misses its bar. */
static int is_valid(const char *name, const struct verify_report *v)
{
  for (int i = 0; i < N_VERIFY_MEASURES; i++)
    if (!v->lines[i].passed)
      fprintf(stderr, "%s: %s is %g, bar %g\n", name, v->lines[i].what, v->lines[i].value, v->lines[i].bar);
  return v->passed;
}

static void test_turn(struct arena *arena, const struct creature *c, const struct clip *gait, double turn)
{
  static struct spacetime_report report;
  struct spacetime_options o;
  struct verify_report v;
  struct transition_request r = {.c = c, .from = gait, .to = gait, .from_frame = 20, .to_frame = 33, .turn = turn};
  spacetime_defaults(&o);
  struct clip *clip = spacetime_transition(arena, &r, &o, &report);
  if (!clip)
    fprintf(stderr, "%s, turn: %s\n", c->name, report.reason);
  CHECK(clip != NULL);
  if (!clip)
    return;
  verify_transition(arena, c, clip, &(struct verify_neighbours){gait, gait, 20, 33}, &v);
  CHECK(is_valid(c->name, &v));
  CHECK_NEAR(clip->advance.yaw, turn, 1e-9);
}

/* The root is between these heights, over that at rest. turn: 0, or an angle that it turns by as it goes [rad]. */
static void test_body(const char *name, double speed, double low, double high, double turn)
{
  struct arena *arena = arena_new();
  static struct spacetime_report report;
  const char *creatures = getenv("MUYBRIDGE_CREATURES");
  const char *path = arena_printf(arena, "%s/../tests/spacetime/bodies/%s.creature",
                                  creatures ? creatures : "creatures", name);
  struct spacetime_options o;
  struct verify_report v;
  struct diag d;
  diag_init(&d);
  const struct creature *c = creature_load(arena, path, &d);
  CHECK(c != NULL && d.n_errors == 0);
  diag_clear(&d);
  spacetime_defaults(&o);
  struct clip *clip = c ? spacetime_gait(arena, &(struct gait_request){.c = c, .speed = speed}, &o, &report) : NULL;
  if (!clip)
    fprintf(stderr, "%s: %s\n", name, c ? report.reason : "no such file");
  CHECK(clip != NULL);
  if (clip) {
    verify_clip(arena, c, clip, &v);
    CHECK(is_valid(name, &v));
    double least = INFINITY, most = -INFINITY;
    for (int k = 0; k < clip->n_frames; k++) {
      least = fmin(least, clip->q[k * c->n_dofs + 2] / c->height);
      most = fmax(most, clip->q[k * c->n_dofs + 2] / c->height);
    }
    if (!(least > low && most < high))
      fprintf(stderr, "%s: its root is at %g to %g of its standing height\n", name, least, most);
    CHECK(least > low && most < high);
    if (turn != 0)
      test_turn(arena, c, clip, turn);
  }
  arena_free(arena);
}

int main(void)
{
  test_body("boards", 1.15, 0.85, 1.1, 0); /* feet of four points that roll from heel to toe */
  test_body("spider", 0.05, 0.85, 1.4, 0); /* hangs at 8 % of the length of its legs */
  test_body("crab", 0.065, 0.95, 1.2, 0); /* likewise at 23 %: 1.4 when torques were priced by its height alone */
  test_body("salamander", 0.04, 0.9, 1.4, -0.8); /* slow for its size: its cycle takes 25 sqrt(L / g) */
  return test_finish();
}
