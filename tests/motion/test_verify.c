/* The verifier, measure by measure: a table that stands passes, and every measure can fail, by the known amount, at the
 * known frame and place. Solid limbs, what is between frames, junctions and solved clips: test_verify_*.c. */
#include <math.h>
#include <string.h>

#include "motion/check_report.h"
#include "motion/stand.h"

static const double G = CREATURE_GRAVITY, PI = 3.14159265358979323846, LEG = STAND_LEG;
enum { FRAMES = STAND_FRAMES };

static void test_stand(void)
{
  for (int cyclic = 0; cyclic < 2; cyclic++) {
    struct stand s = stand_new(cyclic);
    struct verify_report r = verify(s.c, s.clip);
    CHECK_NEAR(s.c->height, LEG, 1e-15);
    CHECK_NEAR(s.c->mass, 12, 1e-14);
    CHECK_STR(s.c->points[REAR_LEFT].name, "left_rear");
    CHECK_FAILING(&r, 0);
    for (int i = 0; i < N_VERIFY_MEASURES; i++)
      CHECK_NEAR(r.lines[i].value, 0, 1e-12);
    arena_free(s.arena);
  }
}

/* One force a tenth too large, at one frame: 0.025 body weights too many there, falling to 0 towards its neighbours. */
static void test_scaled_force(void)
{
  struct stand s = stand_new(1);
  stand_force(s.clip, 3, REAR_LEFT)[2] *= 1.1;
  struct verify_report r = verify(s.c, s.clip);
  double arm = hypot(0.4, 0.25) / LEG, rms = 0.025 * sqrt(2 * (1 + 9 + 25 + 49) / 64.0 / (4 * FRAMES));
  CHECK_FAILING(&r, BIT(VERIFY_FORCE) | BIT(VERIFY_MOMENT));
  CHECK_LINE(&r, VERIFY_FORCE, 0.025, 1e-12, 3, "z");
  CHECK_LINE(&r, VERIFY_MOMENT, 0.025 * arm, 1e-12, 3, "y");
  CHECK_NEAR(r.lines[VERIFY_FORCE_BETWEEN].value, rms, 1e-12);
  CHECK_NEAR(r.lines[VERIFY_MOMENT_BETWEEN].value, rms * arm, 1e-12);
  CHECK(r.lines[VERIFY_FORCE_BETWEEN].frame == 2 || r.lines[VERIFY_FORCE_BETWEEN].frame == 3);
  CHECK_LINE(&r, VERIFY_FORCE_PEAK, 0.025, 1e-12, 2, "z"); /* at its end, which counts as well */
  CHECK_LINE(&r, VERIFY_MOMENT_PEAK, 0.025 * arm, 1e-12, 2, "y");
  arena_free(s.arena);
}

/* A force too large for the whole clip, by a tenth of the weight: also between frames. */
static void test_wrong_forces(void)
{
  for (int cyclic = 0; cyclic < 2; cyclic++) {
    struct stand s = stand_new(cyclic);
    for (int k = 0; k < FRAMES; k++)
      for (int i = 0; i < 4; i++)
        stand_force(s.clip, k, i)[0] = 0.025 * s.weight;
    struct verify_report r = verify(s.c, s.clip);
    CHECK_FAILING(&r, BIT(VERIFY_FORCE) | BIT(VERIFY_MOMENT) | BIT(VERIFY_FORCE_BETWEEN) | BIT(VERIFY_MOMENT_BETWEEN));
    CHECK_NEAR(r.lines[VERIFY_FORCE].value, 0.1, 1e-12);
    CHECK_NEAR(r.lines[VERIFY_FORCE_BETWEEN].value, 0.1, 1e-12);
    CHECK_STR(r.lines[VERIFY_FORCE_BETWEEN].where, "x");
    CHECK_STR(r.lines[VERIFY_MOMENT_BETWEEN].where, "y");
    arena_free(s.arena);
  }
}

/* Turned by a thousandth about its left fore foot in the last frame: the opposite foot goes farthest. */
static void test_slip(void)
{
  struct stand s = stand_new(0);
  double *q = stand_angle(&s, FRAMES - 1, "root_x"), turn = 1e-3;
  clip_move_pose((struct clip_advance){-0.4, -0.25, 0}, q); /* the foot to the origin, turn, and back */
  clip_move_pose((struct clip_advance){0.4, 0.25, turn}, q);
  struct verify_report r = verify(s.c, s.clip);
  CHECK_LINE(&r, VERIFY_SLIP, 2 * sin(turn / 2) * hypot(0.8, 0.5) / LEG, 1e-14, FRAMES - 2, "right_rear");
  CHECK(!r.lines[VERIFY_SLIP].passed);
  CHECK(r.lines[VERIFY_PENETRATION].passed);
  arena_free(s.arena);

  s = stand_new(1); /* a cycle that goes on a centimetre ahead */
  s.clip->advance.x = 0.01;
  r = verify(s.c, s.clip);
  CHECK_LINE(&r, VERIFY_SLIP, 0.01 / LEG, 1e-14, FRAMES - 1, NULL);
  for (int k = 0; k < FRAMES; k++) /* feet in the air in the last frame may move */
    s.clip->contact[k * 4 + FORE_LEFT] = s.clip->contact[k * 4 + REAR_RIGHT] = k % 2;
  memset(s.clip->contact + 4 * (FRAMES - 1), 0, 4);
  r = verify(s.c, s.clip);
  CHECK(r.lines[VERIFY_SLIP].passed);
  for (int k = 0; k < FRAMES; k++) /* and so in the first */
    memset(s.clip->contact + 4 * k, k > 0, 4);
  r = verify(s.c, s.clip);
  CHECK(r.lines[VERIFY_SLIP].passed);
  arena_free(s.arena);
}

static void test_ground(void)
{
  struct stand s = stand_new(0);
  *stand_angle(&s, 2, "left_front.swing") = 0.1; /* said to stand, but lifted */
  struct verify_report r = verify(s.c, s.clip);
  CHECK_LINE(&r, VERIFY_PENETRATION, 1 - cos(0.1), 1e-14, 2, "left_fore");
  s.clip->contact[2 * 4 + FORE_LEFT] = 0; /* in the air it may be there */
  r = verify(s.c, s.clip);
  CHECK(r.lines[VERIFY_PENETRATION].passed);
  CHECK(r.lines[VERIFY_SLIP].passed);
  *stand_angle(&s, 2, "left_front.swing") = 0;
  stand_angle(&s, 2, "root_roll")[0] = -0.02; /* left side down, the foot in the air most: below the ground */
  r = verify(s.c, s.clip);
  double depth = 0.25 * sin(0.02) - LEG * (1 - cos(0.02));
  CHECK_NEAR(r.lines[VERIFY_PENETRATION].value, (0.25 * sin(0.02) + LEG * (1 - cos(0.02))) / LEG, 1e-14);
  memset(s.clip->contact + 2 * 4, 0, 4);
  r = verify(s.c, s.clip);
  CHECK_NEAR(r.lines[VERIFY_PENETRATION].value, depth / LEG, 1e-14);
  CHECK_INT(r.lines[VERIFY_PENETRATION].frame, 2);
  arena_free(s.arena);
}

static void test_joint_limit(void)
{
  struct stand s = stand_new(0);
  *stand_angle(&s, 5, "right_hind.swing") = -0.6;
  *stand_angle(&s, 6, "right_hind.swing") = PI / 6 + 0.01;
  struct verify_report r = verify(s.c, s.clip);
  CHECK_LINE(&r, VERIFY_JOINT_LIMITS, 0.6 - PI / 6, 1e-14, 5, "right_hind.swing");
  CHECK(!r.lines[VERIFY_JOINT_LIMITS].passed);
  *stand_angle(&s, 5, "right_hind.swing") = 0;
  r = verify(s.c, s.clip);
  CHECK_LINE(&r, VERIFY_JOINT_LIMITS, 0.01, 1e-14, 6, "right_hind.swing");
  *stand_angle(&s, 6, "right_hind.swing") = PI / 6;
  r = verify(s.c, s.clip);
  CHECK(r.lines[VERIFY_JOINT_LIMITS].passed);
  arena_free(s.arena);
}

/* Two feet press against each other: nothing for the whole body, but a torque of 0.5 m times the force at the hips. */
static void test_torque_limit(void)
{
  struct stand s = stand_new(1);
  stand_force(s.clip, 4, FORE_LEFT)[0] = 12;
  stand_force(s.clip, 4, REAR_LEFT)[0] = -12;
  stand_force(s.clip, 4, REAR_LEFT)[1] = 1; /* across the hip's axis: no torque */
  stand_force(s.clip, 4, REAR_RIGHT)[1] = -1;
  struct verify_report r = verify(s.c, s.clip);
  CHECK_FAILING(&r, BIT(VERIFY_TORQUE_LIMITS));
  CHECK_NEAR(r.lines[VERIFY_TORQUE_LIMITS].value, 12 * LEG / 5 - 1, 1e-12);
  CHECK_INT(r.lines[VERIFY_TORQUE_LIMITS].frame, 4);
  CHECK(strstr(r.lines[VERIFY_TORQUE_LIMITS].where, "left_") && strstr(r.lines[VERIFY_TORQUE_LIMITS].where, ".swing"));
  stand_force(s.clip, 4, FORE_LEFT)[0] = 10;
  stand_force(s.clip, 4, REAR_LEFT)[0] = -10;
  r = verify(s.c, s.clip);
  CHECK_FAILING(&r, 0);
  arena_free(s.arena);

  s = stand_new(0); /* a leg that slants all the time: its own weight helps against the ground's push */
  for (int k = 0; k < FRAMES; k++)
    *stand_angle(&s, k, "left_front.swing") = 0.45;
  r = verify(s.c, s.clip);
  double torque = (s.weight / 4 * LEG - 0.5 * G * 0.24) * sin(0.45); /* its axis ends 0.02 m above its foot */
  CHECK_NEAR(r.lines[VERIFY_TORQUE_LIMITS].value, torque / 5 - 1, 1e-12);
  CHECK_STR(r.lines[VERIFY_TORQUE_LIMITS].where, "left_front.swing");
  arena_free(s.arena);
}

/* Sideways against each other beyond friction; and crosswise so that two feet would have to pull. */
static void test_cone(void)
{
  struct stand s = stand_new(1);
  stand_force(s.clip, 4, FORE_LEFT)[1] = -0.2 * s.weight;
  stand_force(s.clip, 4, FORE_RIGHT)[1] = 0.2 * s.weight;
  stand_force(s.clip, 7, FORE_LEFT)[1] = -0.21 * s.weight;
  stand_force(s.clip, 7, FORE_RIGHT)[1] = 0.21 * s.weight;
  struct verify_report r = verify(s.c, s.clip);
  CHECK_FAILING(&r, BIT(VERIFY_CONE));
  CHECK_LINE(&r, VERIFY_CONE, 0.21 - 0.5 * 0.25, 1e-14, 7, NULL);
  arena_free(s.arena);

  s = stand_new(1);
  for (int i = 0; i < 4; i++)
    stand_force(s.clip, 9, i)[2] += (i == FORE_LEFT || i == REAR_RIGHT ? 0.3 : -0.3) * s.weight;
  r = verify(s.c, s.clip);
  CHECK_FAILING(&r, BIT(VERIFY_CONE));
  CHECK_LINE(&r, VERIFY_CONE, 0.05, 1e-14, 9, NULL);
  CHECK(!strcmp(r.lines[VERIFY_CONE].where, "right_fore") || !strcmp(r.lines[VERIFY_CONE].where, "left_rear"));
  arena_free(s.arena);
}

static void test_air_force(void)
{
  struct stand s = stand_new(1);
  s.clip->contact[5 * 4 + FORE_RIGHT] = 0;
  struct verify_report r = verify(s.c, s.clip);
  CHECK_FAILING(&r, BIT(VERIFY_AIR_FORCE));
  CHECK_LINE(&r, VERIFY_AIR_FORCE, 0.25, 1e-14, 5, "right_fore");
  arena_free(s.arena);
}

/* ---- not numbers ---- */

static void check_refused(const struct stand *s, int frame, const char *where)
{
  struct verify_report r = verify(s->c, s->clip);
  CHECK_FAILING(&r, BIT(N_VERIFY_MEASURES) - 1);
  CHECK_LINE(&r, VERIFY_NUMBERS, 1, 0, frame, where);
  CHECK(where || !r.lines[VERIFY_NUMBERS].where);
  CHECK(isnan(r.lines[VERIFY_FORCE].value));
  CHECK(isnan(r.lines[VERIFY_OVERLAP].value) && isnan(r.lines[VERIFY_LIMB_GROUND].value));
}

static void test_numbers(void)
{
  struct stand s = stand_new(0);
  struct clip good = *s.clip;
  double *const wrong[] = {stand_angle(&s, 3, "left_hind.swing"), stand_force(s.clip, 8, REAR_LEFT) + 1};
  for (int i = 0; i < 4; i++) {
    double *x = wrong[i % 2], before = *x;
    *x = i < 2 ? NAN : -INFINITY;
    check_refused(&s, i % 2 ? 8 : 3, i % 2 ? "left_rear" : "left_hind.swing");
    *x = before;
  }
  s.clip->contact[11 * 4 + 3] = 2;
  check_refused(&s, 11, "right_rear");
  s.clip->contact[11 * 4 + 3] = 1;
  const double intervals[] = {0, -0.01, NAN, INFINITY};
  for (int i = 0; i < 4; i++) {
    s.clip->dt = intervals[i];
    check_refused(&s, -1, NULL);
  }
  *s.clip = good, s.clip->n_dofs--, check_refused(&s, -1, NULL);
  *s.clip = good, s.clip->n_points++, check_refused(&s, -1, NULL);
  *s.clip = good, s.clip->n_frames = 3, check_refused(&s, -1, NULL);
  *s.clip = good, s.clip->cyclic = 1, s.clip->n_frames = 0, check_refused(&s, -1, NULL);
  *s.clip = good, s.clip->advance.yaw = NAN, check_refused(&s, -1, NULL);
  *s.clip = good, s.clip->force = NULL, check_refused(&s, -1, NULL);
  *s.clip = good;
  *stand_angle(&s, 5, "root_x") = 1e300; /* a number, but its square is not */
  struct verify_report r = verify(s.c, s.clip);
  CHECK(!r.passed && !r.lines[VERIFY_FORCE].passed && !r.lines[VERIFY_FORCE_BETWEEN].passed);
  arena_free(s.arena);
}

int main(void)
{
  test_stand();
  test_scaled_force();
  test_wrong_forces();
  test_slip();
  test_ground();
  test_joint_limit();
  test_torque_limit();
  test_cone();
  test_air_force();
  test_numbers();
  return test_finish();
}
