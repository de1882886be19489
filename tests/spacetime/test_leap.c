/* Jumps and leaps of the biped, from a stand to a stand. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "dynamics/dynamics.h"
#include "motion/verify.h"
#include "spacetime/spacetime.h"
#include "zoo.h"

static const double gravity = 9.81;

static struct clip *gait(struct arena *arena, const struct creature *c, const char *name)
{
  struct spacetime_options o;
  struct spacetime_report report;
  spacetime_defaults(&o);
  struct gait_request r = {.c = c, .gait = creature_find_gait(c, name)};
  r.speed = 0.5 * (c->gaits[r.gait].speed_min + c->gaits[r.gait].speed_max);
  struct clip *clip = spacetime_gait(arena, &r, &o, &report);
  CHECK(clip != NULL);
  return clip;
}

static double height_of_mass(struct arena *arena, struct dynamics *d, const struct creature *c,
                             const struct clip *clip, int k)
{
  struct dynamics_whole whole;
  double *zero = ARENA_NEW(arena, (size_t)c->n_dofs, double);
  dynamics_whole(d, clip->q + (size_t)k * (size_t)c->n_dofs, zero, zero, &whole);
  return whole.com[2];
}

/* On the ground, once in the air with all feet, on the ground; it flies as high as was asked for. */
static void check_flight(struct arena *arena, const struct creature *c, const struct clip *clip, double rise)
{
  struct dynamics *d = dynamics_new(arena, c);
  int first = -1, last = -1, flights = 0;
  double top = 0;
  for (int k = 0; k < clip->n_frames; k++) {
    int touching = 0;
    for (int p = 0; p < c->n_points; p++)
      touching += clip->contact[k * c->n_points + p];
    CHECK(touching == 0 || touching == c->n_points);
    if (touching == 0 && (k == 0 || last != k - 1))
      flights++, first = k;
    if (touching == 0)
      last = k;
    top = fmax(top, height_of_mass(arena, d, c, clip, k));
  }
  CHECK_INT(flights, 1);
  /* between its ends, half a frame before and after, as a ball that is thrown */
  double leg = c->feet[0].leg_length, time = (last - first + 1) * clip->dt;
  CHECK_NEAR(time, sqrt(8 * rise * leg / gravity), clip->dt);
  double ends = 0.5 * (height_of_mass(arena, d, c, clip, first) + height_of_mass(arena, d, c, clip, last));
  CHECK_NEAR(top - ends, rise * leg, 0.12 * rise * leg);
}

static void check_solved(struct arena *arena, const struct creature *c, const struct clip *stand, struct leap leap,
                         double rise, const char *name)
{
  struct spacetime_options o;
  struct spacetime_report report;
  struct verify_report verified;
  struct verify_neighbours beside = {stand, stand, 0, 0};
  spacetime_defaults(&o);
  struct transition_request r = {.c = c, .from = stand, .to = stand, .leap = leap};
  struct clip *clip = spacetime_transition(arena, &r, &o, &report);
  CHECK(clip != NULL);
  if (!clip) {
    fprintf(stderr, "%s\n", report.reason);
    return;
  }
  const double *last = clip->q + (size_t)(clip->n_frames - 1) * (size_t)c->n_dofs;
  verify_transition(arena, c, clip, &beside, &verified);
  CHECK(verified.passed);
  CHECK_STR(clip->name, name);
  CHECK_NEAR(last[0], leap.forward * c->feet[0].leg_length, 1e-9); /* as far as was asked for */
  CHECK_NEAR(clip->advance.x, last[0], 1e-12);
  CHECK_NEAR(last[1], 0, 1e-9);
  check_flight(arena, c, clip, rise);
}

static void check_refused(struct arena *arena, const struct creature *c, const struct clip *from,
                          const struct clip *to, struct leap leap, const char *reason)
{
  struct spacetime_options o;
  struct spacetime_report report;
  spacetime_defaults(&o);
  struct transition_request r = {.c = c, .from = from, .to = to, .leap = leap};
  CHECK(!spacetime_transition(arena, &r, &o, &report) && report.status == SPACETIME_REFUSED);
  CHECK_STR(report.reason, reason);
}

int main(void)
{
  struct arena *arena = arena_new();
  const struct creature *c = zoo_find(arena, "biped");
  if (!c)
    return 99;
  struct clip *stand = gait(arena, c, "stand"), *walk = gait(arena, c, "walk");
  if (!stand || !walk)
    return test_finish();
  check_solved(arena, c, stand, (struct leap){.rise = 0.15}, 0.15, "stand-jump");
  check_solved(arena, c, stand, (struct leap){.rise = 0.3}, 0.3, "stand-jump");
  check_solved(arena, c, stand, (struct leap){.forward = 1}, 0.15, "stand-leap");
  check_refused(arena, c, stand, walk, (struct leap){.rise = 0.3}, "a leap goes from a stand to a stand");
  check_refused(arena, c, stand, stand, (struct leap){.forward = -1}, "a leap goes up and forwards");
  arena_free(arena);
  return test_finish();
}
