/* Gaits on slopes: found, verified on their own ground and on no other, and paid for by the joints. */
#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "check.h"
#include "dynamics/dynamics.h"
#include "motion/mirror.h"
#include "motion/verify.h"
#include "spacetime/spacetime.h"
#include "zoo.h"

static struct clip *walk_on(struct arena *arena, const struct creature *c, double slope, double strafe,
                            struct spacetime_report *report)
{
  struct gait_request r = {.c = c, .gait = creature_find_gait(c, "walk"), .speed = 0.5, .strafe = strafe,
                           .slope = slope * PI / 180, .frames = 60};
  struct spacetime_options o;
  spacetime_defaults(&o);
  return spacetime_gait(arena, &r, &o, report);
}

static int passes(struct arena *arena, const struct creature *c, const struct clip *clip, enum verify_measure but)
{
  struct verify_report v;
  verify_clip(arena, c, clip, &v);
  if (but != N_VERIFY_MEASURES)
    CHECK(!v.lines[but].passed);
  return v.passed;
}

/* What joints give over a cycle: it is all that lifts the weight, as feet neither slip nor sink. */
static double joint_work(struct arena *arena, const struct creature *c, const struct clip *clip)
{
  size_t n = (size_t)c->n_dofs;
  struct dynamics *d = dynamics_new(arena, c);
  double *q = ARENA_NEW(arena, 4 * n, double), *v = q + n, *a = q + 2 * n, *tau = q + 3 * n, work = 0;
  int *point = ARENA_NEW(arena, (size_t)c->n_points, int);
  for (int i = 0; i < c->n_points; i++)
    point[i] = i;
  for (int k = 0; k < clip->n_frames; k++) {
    struct dynamics_contacts contacts = {c->n_points, point, clip->force + 3 * (size_t)(k * c->n_points), NULL};
    clip_state(clip, k, q, v, a);
    dynamics_residual(d, q, v, a, &contacts, tau, NULL);
    for (int i = CREATURE_ROOT_DOFS; i < c->n_dofs; i++)
      work += tau[i] * v[i] * clip->dt;
  }
  return work;
}

static void check_slope(struct arena *arena, const struct creature *c, double slope)
{
  struct spacetime_report report;
  struct clip *clip = walk_on(arena, c, slope, 0, &report);
  CHECK(clip != NULL);
  if (!clip)
    return;
  double weight = c->mass * CREATURE_GRAVITY, stride = 0.5 * clip->n_frames * clip->dt, q[64], first[64];
  CHECK(report.half_cycle && c->n_dofs < 64);
  CHECK_NEAR(surface_steepness(&clip->ground, NULL), fabs(slope) * PI / 180, 1e-12);
  CHECK_NEAR(clip_climb(clip), stride * sin(slope * PI / 180), 1e-12);
  CHECK_NEAR(clip->advance.x, stride * cos(slope * PI / 180), 1e-12); /* the speed is that along the ground */
  CHECK(passes(arena, c, clip, N_VERIFY_MEASURES));
  CHECK(passes(arena, c, clip_mirror(arena, c, clip), N_VERIFY_MEASURES));
  CHECK_NEAR(joint_work(arena, c, clip), weight * clip_climb(clip), 0.03 * weight * stride);
  clip_frame(clip, 0, first);
  clip_frame(clip, 2 * clip->n_frames, q);
  CHECK_NEAR(q[2] - first[2], 2 * clip_climb(clip), 1e-12);

  struct clip other = *clip; /* on other ground feet are in it or above it */
  other.ground = (struct surface){{0, 0}};
  CHECK(!passes(arena, c, &other, VERIFY_PENETRATION));
  other.ground = surface_slope((slope + 0.1) * PI / 180, 0);
  CHECK(!passes(arena, c, &other, VERIFY_PENETRATION));
}

/* A foot that slips up the slope stays on it, and is seen; so is a force outside of the cone about its normal, which is
 * inside of one about the vertical. */
static void test_harm(struct arena *arena, const struct creature *c)
{
  struct spacetime_report report;
  struct clip *clip = walk_on(arena, c, 12, 0, &report);
  CHECK(clip != NULL);
  if (!clip)
    return;
  for (int k = 0; k < clip->n_frames; k++) {
    clip->q[k * c->n_dofs] += 1e-3 * k;
    clip->q[k * c->n_dofs + 2] += 1e-3 * k * clip->ground.rise[0];
  }
  CHECK(!passes(arena, c, clip, VERIFY_SLIP));
  int at = 0;
  while (!clip->contact[at])
    at++;
  double grip = atan(c->friction) - 0.5 * atan(clip->ground.rise[0]), weight = c->mass * CREATURE_GRAVITY;
  clip->force[3 * at] = weight * sin(grip); /* down the slope its angle to the normal would be less */
  clip->force[3 * at + 1] = 0;
  clip->force[3 * at + 2] = weight * cos(grip);
  CHECK(!passes(arena, c, clip, VERIFY_CONE));
}

/* A slope falls the other way for who walks backwards on it. */
static void test_backwards(struct arena *arena, const struct creature *c)
{
  struct spacetime_report report;
  struct clip *clip = walk_on(arena, c, 6, PI, &report);
  CHECK(clip && clip->ground.rise[0] < 0 && clip->ground.rise[1] == 0 && clip_climb(clip) > 0);
  CHECK(clip && passes(arena, c, clip, N_VERIFY_MEASURES));
}

static void test_refusals(struct arena *arena, const struct creature *c)
{
  struct spacetime_report report;
  struct spacetime_options o;
  spacetime_defaults(&o);
  CHECK(!walk_on(arena, c, 31, 0, &report) && report.status == SPACETIME_REFUSED);
  CHECK_STR(report.reason, "a slope must be a number from -30 to 30 degrees");
  CHECK(!walk_on(arena, c, NAN, 0, &report) && report.status == SPACETIME_REFUSED);
  struct clip *clip = walk_on(arena, c, 5, 0, &report);
  struct transition_request t = {.c = c, .from = clip, .to = clip, .to_frame = 20, .from_id = 1, .to_id = 1};
  CHECK(clip && !spacetime_transition(arena, &t, &o, &report) && report.status == SPACETIME_REFUSED);
  CHECK_STR(report.reason, "transitions are for clips on level ground");
}

int main(void)
{
  struct arena *arena = arena_new();
  const struct creature *c = zoo_find(arena, "biped");
  check_slope(arena, c, 10);
  check_slope(arena, c, -10);
  test_harm(arena, c);
  test_backwards(arena, c);
  test_refusals(arena, c);
  arena_free(arena);
  return test_finish();
}
