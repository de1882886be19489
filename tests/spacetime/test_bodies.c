/* Bodies as users draw them, of kinds that the zoo does not have: each is solved, and verified. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "motion/verify.h"
#include "spacetime/spacetime.h"
#include "zoo.h"

/* The root is between these heights, over that at rest. */
static void test_body(const char *name, double speed, double low, double high)
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
    for (int i = 0; i < N_VERIFY_MEASURES; i++)
      if (!v.lines[i].passed)
        fprintf(stderr, "%s: %s is %g, bar %g\n", name, v.lines[i].what, v.lines[i].value, v.lines[i].bar);
    CHECK(v.passed);
    double least = INFINITY, most = -INFINITY;
    for (int k = 0; k < clip->n_frames; k++) {
      least = fmin(least, clip->q[k * c->n_dofs + 2] / c->height);
      most = fmax(most, clip->q[k * c->n_dofs + 2] / c->height);
    }
    if (!(least > low && most < high))
      fprintf(stderr, "%s: its root is at %g to %g of its standing height\n", name, least, most);
    CHECK(least > low && most < high);
  }
  arena_free(arena);
}

int main(void)
{
  test_body("boards", 1.15, 0.85, 1.1); /* feet of four points that roll from heel to toe */
  test_body("spider", 0.05, 0.85, 1.4); /* hangs at 8 % of the length of its legs */
  test_body("crab", 0.065, 0.95, 1.2); /* likewise at 23 %: 1.4 when torques were priced by its height alone */
  test_body("salamander", 0.04, 0.9, 1.4); /* slow for its size: its cycle takes 25 sqrt(L / g) */
  return test_finish();
}
