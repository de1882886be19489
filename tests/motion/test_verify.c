/* The verifier: motions whose residuals are known in closed form pass, and every measure can fail, by the known amount,
 * at the known frame and place. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/spline.h"
#include "check.h"
#include "creature/gap.h"
#include "dynamics/dynamics.h"
#include "motion/verify.h"
#include "spacetime/spacetime.h"
#include "zoo.h"

#define BIT(measure) (1u << (measure))
#define FRAMES 12
static const double G = CREATURE_GRAVITY, PI = 3.14159265358979323846;

/* ---- helpers ---- */

static const struct creature *parse(struct arena *arena, const char *text)
{
  struct diag d;
  diag_init(&d);
  const struct creature *c = creature_parse(arena, "test.creature", text, strlen(text), &d);
  char *messages = diag_text(&d);
  fputs(messages, stderr);
  free(messages);
  diag_clear(&d);
  if (!c)
    exit(99); /* a test that is wrong itself */
  return c;
}

static struct verify_report verify(const struct creature *c, const struct clip *clip)
{
  struct arena *arena = arena_new();
  struct verify_report r;
  verify_clip(arena, c, clip, &r);
  arena_free(arena);
  return r;
}

static void check_failing_at(const char *file, int line, const struct verify_report *r, unsigned expected)
{
  unsigned failing = 0;
  for (int i = 0; i < N_VERIFY_MEASURES; i++)
    failing |= r->lines[i].passed ? 0 : BIT(i);
  test_int(file, line, "set of measures that fail", failing, expected);
  test_int(file, line, "passed", r->passed, expected == 0);
}
#define CHECK_FAILING(report, expected) check_failing_at(__FILE__, __LINE__, (report), (expected))

struct expected_line { double value, tolerance; int frame; const char *where; };

static void check_line_at(const char *file, int line, const struct verify_line *l, struct expected_line e)
{
  test_near(file, line, l->what, l->value, e.value, e.tolerance);
  test_int(file, line, l->what, l->frame, e.frame);
  if (e.where)
    test_same(file, line, l->what, l->where, e.where);
}
#define CHECK_LINE(report, measure, ...)                                                                              \
  check_line_at(__FILE__, __LINE__, &(report)->lines[measure], (struct expected_line){__VA_ARGS__})

/* ---- a table that stands ---- */

/* Four legs of 0.5 m straight under their hips, 12 kg, centre of mass in the middle: each leg carries a quarter, and
 * no hip needs a torque. */
static const char table_text[] =
  "name = table  friction = 0.5\n"
  "limb top   { from = {-0.5, 0, 0}  to = {0.5, 0, 0}  shape = box  size = {0.6, 0.1}  mass = 10 }\n"
  "limb front { parent = top  mirror = true  at = {0.4, 0.25, 0}  to = {0, 0, -0.5}  radius = 0.02  mass = 0.5\n"
  "             axis swing { about = -y  range = {-30, 30}  torque = 5 } }\n"
  "limb hind  { parent = top  like = front  at = {-0.4, 0.25, 0} }\n"
  "foot fore  { limb = front }\n"
  "foot rear  { limb = hind }\n";
enum { FORE_LEFT, FORE_RIGHT, REAR_LEFT, REAR_RIGHT };
#define LEG 0.5

struct stand {
  struct arena *arena;
  const struct creature *c;
  struct clip *clip;
  double weight;
};

static double *force_of(const struct clip *clip, int k, int point)
{
  return clip->force + 3 * (k * clip->n_points + point);
}

/* Anything with a table's four feet first: it stands on them. */
static struct stand new_stand_of(const char *text, int n_frames, int cyclic)
{
  struct arena *arena = arena_new();
  const struct creature *c = parse(arena, text);
  struct stand s = {arena, c, clip_new(arena, c, n_frames, 0.03), c->mass * G};
  s.clip->cyclic = cyclic;
  for (int k = 0; k < n_frames; k++) {
    creature_rest_pose(s.c, s.clip->q + k * s.c->n_dofs);
    for (int i = 0; i < 4; i++) {
      s.clip->contact[k * c->n_points + i] = 1;
      force_of(s.clip, k, i)[2] = s.weight / 4;
    }
  }
  return s;
}

static struct stand new_stand(int cyclic)
{
  return new_stand_of(table_text, FRAMES, cyclic);
}

static double *angle_of(const struct stand *s, int k, const char *dof)
{
  return s->clip->q + k * s->c->n_dofs + creature_find_dof(s->c, dof);
}

static void test_stand(void)
{
  for (int cyclic = 0; cyclic < 2; cyclic++) {
    struct stand s = new_stand(cyclic);
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
  struct stand s = new_stand(1);
  force_of(s.clip, 3, REAR_LEFT)[2] *= 1.1;
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
    struct stand s = new_stand(cyclic);
    for (int k = 0; k < FRAMES; k++)
      for (int i = 0; i < 4; i++)
        force_of(s.clip, k, i)[0] = 0.025 * s.weight;
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
  struct stand s = new_stand(0);
  double *q = angle_of(&s, FRAMES - 1, "root_x"), turn = 1e-3;
  clip_move_pose((struct clip_advance){-0.4, -0.25, 0}, q); /* the foot to the origin, turn, and back */
  clip_move_pose((struct clip_advance){0.4, 0.25, turn}, q);
  struct verify_report r = verify(s.c, s.clip);
  CHECK_LINE(&r, VERIFY_SLIP, 2 * sin(turn / 2) * hypot(0.8, 0.5) / LEG, 1e-14, FRAMES - 2, "right_rear");
  CHECK(!r.lines[VERIFY_SLIP].passed);
  CHECK(r.lines[VERIFY_PENETRATION].passed);
  arena_free(s.arena);

  s = new_stand(1); /* a cycle that goes on a centimetre ahead */
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
  struct stand s = new_stand(0);
  *angle_of(&s, 2, "left_front.swing") = 0.1; /* said to stand, but lifted */
  struct verify_report r = verify(s.c, s.clip);
  CHECK_LINE(&r, VERIFY_PENETRATION, 1 - cos(0.1), 1e-14, 2, "left_fore");
  s.clip->contact[2 * 4 + FORE_LEFT] = 0; /* in the air it may be there */
  r = verify(s.c, s.clip);
  CHECK(r.lines[VERIFY_PENETRATION].passed);
  CHECK(r.lines[VERIFY_SLIP].passed);
  *angle_of(&s, 2, "left_front.swing") = 0;
  angle_of(&s, 2, "root_roll")[0] = -0.02; /* left side down, the foot in the air most: below the ground */
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
  struct stand s = new_stand(0);
  *angle_of(&s, 5, "right_hind.swing") = -0.6;
  *angle_of(&s, 6, "right_hind.swing") = PI / 6 + 0.01;
  struct verify_report r = verify(s.c, s.clip);
  CHECK_LINE(&r, VERIFY_JOINT_LIMITS, 0.6 - PI / 6, 1e-14, 5, "right_hind.swing");
  CHECK(!r.lines[VERIFY_JOINT_LIMITS].passed);
  *angle_of(&s, 5, "right_hind.swing") = 0;
  r = verify(s.c, s.clip);
  CHECK_LINE(&r, VERIFY_JOINT_LIMITS, 0.01, 1e-14, 6, "right_hind.swing");
  *angle_of(&s, 6, "right_hind.swing") = PI / 6;
  r = verify(s.c, s.clip);
  CHECK(r.lines[VERIFY_JOINT_LIMITS].passed);
  arena_free(s.arena);
}

/* Two feet press against each other: nothing for the whole body, but a torque of 0.5 m times the force at the hips. */
static void test_torque_limit(void)
{
  struct stand s = new_stand(1);
  force_of(s.clip, 4, FORE_LEFT)[0] = 12;
  force_of(s.clip, 4, REAR_LEFT)[0] = -12;
  force_of(s.clip, 4, REAR_LEFT)[1] = 1; /* across the hip's axis: no torque */
  force_of(s.clip, 4, REAR_RIGHT)[1] = -1;
  struct verify_report r = verify(s.c, s.clip);
  CHECK_FAILING(&r, BIT(VERIFY_TORQUE_LIMITS));
  CHECK_NEAR(r.lines[VERIFY_TORQUE_LIMITS].value, 12 * LEG / 5 - 1, 1e-12);
  CHECK_INT(r.lines[VERIFY_TORQUE_LIMITS].frame, 4);
  CHECK(strstr(r.lines[VERIFY_TORQUE_LIMITS].where, "left_") && strstr(r.lines[VERIFY_TORQUE_LIMITS].where, ".swing"));
  force_of(s.clip, 4, FORE_LEFT)[0] = 10;
  force_of(s.clip, 4, REAR_LEFT)[0] = -10;
  r = verify(s.c, s.clip);
  CHECK_FAILING(&r, 0);
  arena_free(s.arena);

  s = new_stand(0); /* a leg that slants all the time: its own weight helps against the ground's push */
  for (int k = 0; k < FRAMES; k++)
    *angle_of(&s, k, "left_front.swing") = 0.45;
  r = verify(s.c, s.clip);
  double torque = (s.weight / 4 * LEG - 0.5 * G * 0.24) * sin(0.45); /* its axis ends 0.02 m above its foot */
  CHECK_NEAR(r.lines[VERIFY_TORQUE_LIMITS].value, torque / 5 - 1, 1e-12);
  CHECK_STR(r.lines[VERIFY_TORQUE_LIMITS].where, "left_front.swing");
  arena_free(s.arena);
}

/* Sideways against each other beyond friction; and crosswise so that two feet would have to pull. */
static void test_cone(void)
{
  struct stand s = new_stand(1);
  force_of(s.clip, 4, FORE_LEFT)[1] = -0.2 * s.weight;
  force_of(s.clip, 4, FORE_RIGHT)[1] = 0.2 * s.weight;
  force_of(s.clip, 7, FORE_LEFT)[1] = -0.21 * s.weight;
  force_of(s.clip, 7, FORE_RIGHT)[1] = 0.21 * s.weight;
  struct verify_report r = verify(s.c, s.clip);
  CHECK_FAILING(&r, BIT(VERIFY_CONE));
  CHECK_LINE(&r, VERIFY_CONE, 0.21 - 0.5 * 0.25, 1e-14, 7, NULL);
  arena_free(s.arena);

  s = new_stand(1);
  for (int i = 0; i < 4; i++)
    force_of(s.clip, 9, i)[2] += (i == FORE_LEFT || i == REAR_RIGHT ? 0.3 : -0.3) * s.weight;
  r = verify(s.c, s.clip);
  CHECK_FAILING(&r, BIT(VERIFY_CONE));
  CHECK_LINE(&r, VERIFY_CONE, 0.05, 1e-14, 9, NULL);
  CHECK(!strcmp(r.lines[VERIFY_CONE].where, "right_fore") || !strcmp(r.lines[VERIFY_CONE].where, "left_rear"));
  arena_free(s.arena);
}

static void test_air_force(void)
{
  struct stand s = new_stand(1);
  s.clip->contact[5 * 4 + FORE_RIGHT] = 0;
  struct verify_report r = verify(s.c, s.clip);
  CHECK_FAILING(&r, BIT(VERIFY_AIR_FORCE));
  CHECK_LINE(&r, VERIFY_AIR_FORCE, 0.25, 1e-14, 5, "right_fore");
  arena_free(s.arena);
}

/* ---- solid limbs ---- */

/* The left legs swing towards each other: 0.8 m apart at the hips, with axes of 0.48 m that end in caps of 0.02 m. */
static void test_overlap(void)
{
  static const double apart[] = {0.03, 0.041}; /* the axes' ends [m] */
  for (int i = 0; i < 2; i++) {
    struct stand s = new_stand(i);
    double swing = asin((0.8 - apart[i]) / 2 / 0.48);
    *angle_of(&s, 4, "left_front.swing") = -swing;
    *angle_of(&s, 4, "left_hind.swing") = swing;
    struct verify_report r = verify(s.c, s.clip);
    if (i == 0)
      CHECK_LINE(&r, VERIFY_OVERLAP, 0.01 / 0.02, 1e-12, 4, "left_front x left_hind");
    else
      CHECK_LINE(&r, VERIFY_OVERLAP, 0, 0, -1, NULL);
    CHECK_INT(r.lines[VERIFY_OVERLAP].passed, i);
    CHECK(r.lines[VERIFY_LIMB_GROUND].passed);
    arena_free(s.arena);
  }
}

/* An arm sweeps over a post, evenly, so that the spline is exact, and is 0.005 m in its top as it passes. It passes at
 * `when`, in frames; a tenth of a frame before and after, it is clear of it. A beam turns about its middle. */
#define ARM "to = {1, 0, 0}  radius = 0.05"
#define BEAM "from = {-1, 0, 0}  to = {1, 0, 0}  shape = box  size = {0.1, 0.1}"
static struct verify_report sweep(struct arena *arena, const char *arm, double when)
{
  const struct creature *c = parse(arena, arena_printf(arena,
    "limb body { shape = box  size = {0.2, 0.2, 0.2}  mass = 5 }\n"
    "limb arm  { parent = body  at = {0, 0, 0.295}  mass = 1  axis yaw { about = z  rest = 90 }  %s }\n"
    "limb post { parent = body  at = {0.8, 0, 0}  to = {0, 0, 0.2}  radius = 0.05  mass = 1  axis yaw { about = z } }\n"
    "foot base { limb = body  point tip { at = {0, 0, -0.1} } }\n", arm));
  struct clip *clip = clip_new(arena, c, FRAMES, 0.02);
  for (int k = 0; k < FRAMES; k++) {
    double *q = clip->q + k * c->n_dofs;
    creature_rest_pose(c, q);
    q[2] += 1;
    q[creature_find_dof(c, "arm.yaw")] = 0.4 * (k - when);
  }
  return verify(c, clip);
}

static void test_overlap_between(void)
{
  struct arena *arena = arena_new();
  const double when[] = {4.5, 4.47, 6.55, 1.1, FRAMES - 2.1};
  for (int i = 0; i < 7; i++) {
    struct verify_report r = sweep(arena, i < 5 ? ARM : BEAM, when[i % 5]);
    CHECK_LINE(&r, VERIFY_OVERLAP, 0.1, 0.01, (int)when[i % 5], "arm x post");
    CHECK(r.lines[VERIFY_OVERLAP].value <= 0.1 + 1e-12);
    CHECK(!r.lines[VERIFY_OVERLAP].passed);
  }
  struct verify_report first = sweep(arena, ARM, 0.5), last = sweep(arena, ARM, FRAMES - 1.5); /* are other clips' */
  CHECK_LINE(&first, VERIFY_OVERLAP, 0, 0, -1, NULL);
  CHECK_LINE(&last, VERIFY_OVERLAP, 0, 0, -1, NULL);
  first = sweep(arena, ARM, 0), last = sweep(arena, ARM, FRAMES - 1); /* but frames do not */
  CHECK_LINE(&first, VERIFY_OVERLAP, 0.1, 1e-12, 0, "arm x post");
  CHECK_LINE(&last, VERIFY_OVERLAP, 0.1, 1e-12, FRAMES - 1, "arm x post");
  arena_free(arena);
}

/* The table, left side down, sinks and rises as a parabola whose lowest point is halfway between two frames; samples
 * are a tenth of a frame off. */
static void test_limb_in_ground(void)
{
  struct stand s = new_stand(0);
  for (int k = 0; k < FRAMES; k++) {
    angle_of(&s, k, "root_z")[0] += 0.001 * (k - 6.5) * (k - 6.5);
    angle_of(&s, k, "root_roll")[0] = -0.02;
    angle_of(&s, k, "left_hind.swing")[0] = 0.1; /* one less */
  }
  struct verify_report r = verify(s.c, s.clip);
  double depth = 0.25 * sin(0.02) + 0.48 * cos(0.02) + 0.02 - 0.5 - 0.001 * 0.1 * 0.1;
  CHECK_LINE(&r, VERIFY_LIMB_GROUND, depth / LEG, 1e-14, 6, "left_front");
  CHECK_INT(r.lines[VERIFY_LIMB_GROUND].passed, depth / LEG <= 0.01);
  for (int k = 0; k < FRAMES; k++)
    angle_of(&s, k, "root_z")[0] -= 0.01;
  r = verify(s.c, s.clip);
  CHECK_LINE(&r, VERIFY_LIMB_GROUND, (depth + 0.01) / LEG, 1e-14, 6, "left_front");
  CHECK(!r.lines[VERIFY_LIMB_GROUND].passed);
  arena_free(s.arena);
}

/* At rest the toes point down. When heel and toe stand, the ankle is 2 cm high and the shank 5 cm thick. */
static void test_flat_feet(void)
{
  struct arena *arena = arena_new();
  const struct creature *c = parse(arena,
    "limb body  { from = {-0.2, 0, 0}  to = {0.2, 0, 0}  radius = 0.1  mass = 8 }\n"
    "limb shank { parent = body  mirror = true  at = {0, 0.2, 0}  to = {0, 0, -0.5}  radius = 0.05  mass = 1\n"
    "             axis flexion { about = y } }\n"
    "limb foot  { parent = shank  at = {0, 0, -0.5}  to = {0.2, 0, 0}  radius = 0.01  mass = 0.2\n"
    "             axis flexion { about = y  rest = 20 } }\n"
    "foot foot  { limb = foot  point heel { at = {0, 0, -0.02} }  point toe { at = {0.2, 0, -0.02} } }\n");
  for (int i = 0; i < c->n_limbs; i++)
    CHECK_NEAR(c->limbs[i].sunk, strstr(c->limbs[i].name, "shank") ? 0.03 : 0, 1e-12);
  arena_free(arena);
}

/* What is in the ground at rest is measured from there; a shape for the picture is not measured. */
static void test_sunk(void)
{
  for (int solid = 0; solid < 2; solid++) {
    struct arena *arena = arena_new();
    const struct creature *c = parse(arena, arena_printf(arena,
      "limb ball { shape = ellipsoid  size = {0.2, 0.2, 0.8}  mass = 2  solid = %s }\n"
      "foot base { limb = ball  point tip { at = {0, 0, -0.35} } }\n", solid ? "true" : "false"));
    struct clip *clip = clip_new(arena, c, FRAMES, 0.03);
    for (int k = 0; k < FRAMES; k++) {
      creature_rest_pose(c, clip->q + k * c->n_dofs);
      clip->q[k * c->n_dofs + 2] -= k == 5 ? 0.007 : 0;
    }
    struct verify_report r = verify(c, clip);
    CHECK_NEAR(c->limbs[0].sunk, solid ? 0.05 : 0, 1e-14);
    CHECK_LINE(&r, VERIFY_LIMB_GROUND, solid ? 0.007 / 0.35 : 0, 1e-12, solid ? 5 : -1, solid ? "ball" : NULL);
    arena_free(arena);
  }
}

/* Limbs of the zoo swing as sines of several rates. What is skipped and what is searched must not show: all pairs are
 * looked at, at many places between frames. */
static struct clip *swing_clip(struct arena *arena, const struct creature *c, struct rng *r, double rate)
{
  struct clip *clip = clip_new(arena, c, FRAMES, 0.02);
  clip->cyclic = 1;
  for (int i = 0; i < c->n_dofs; i++) {
    int turns = 1 + rng_below(r, 2);
    double phase = rng_uniform(r, 0, 2 * PI), size = i < 3 ? 0.1 * c->height : rng_uniform(r, 0, rate);
    for (int k = 0; k < FRAMES; k++)
      clip->q[k * c->n_dofs + i] = c->dofs[i].rest + size * sin(2 * PI * turns * k / FRAMES + phase);
  }
  for (int k = 0; k < FRAMES; k++)
    clip->q[k * c->n_dofs + 2] += c->height;
  return clip;
}

enum { AROUND = 24, FINE = 200 };

static double deepest_of_all(struct arena *arena, const struct creature *c, const struct clip *clip, double *ground)
{
  int count = FRAMES + 2 * AROUND;
  double *q = ARENA_NEW(arena, (size_t)(count * c->n_dofs), double), deepest = *ground = 0;
  double *pose = ARENA_NEW(arena, (size_t)c->n_dofs, double);
  struct solid *solids = ARENA_NEW(arena, (size_t)c->n_limbs, struct solid);
  struct dynamics *d = dynamics_new(arena, c);
  for (int k = 0; k < count; k++)
    clip_frame(clip, k - AROUND, q + k * c->n_dofs);
  struct spline p = spline_fit(arena, count, (size_t)c->n_dofs, q, clip->dt, SPLINE_JOINED);
  for (int i = 0; i < FRAMES * FINE; i++) {
    spline_at(&p, AROUND + i / FINE, (double)(i % FINE) / FINE, pose, NULL, NULL);
    dynamics_kinematics(d, pose);
    for (int l = 0; l < c->n_limbs; l++) {
      const double zero[3] = {0, 0, 0};
      double at[3], R[9];
      struct solid local;
      solid_of_limb(&c->limbs[l], 1, &local);
      dynamics_point(d, c->limbs[l].body, zero, at);
      dynamics_rotation(d, c->limbs[l].body, R);
      solid_move(&local, at, R, 3, &solids[l]);
      if (c->limbs[l].solid)
        *ground = fmax(*ground, (-solid_lowest(&solids[l]) - c->limbs[l].sunk) / c->height);
    }
    for (int k = 0; k < c->n_pairs; k++) {
      const struct solid *a = &solids[c->pairs[k].a], *b = &solids[c->pairs[k].b];
      struct gap g;
      gap_between(a, b, &g);
      deepest = fmax(deepest, -g.gap / fmin(a->radius, b->radius));
    }
  }
  return deepest;
}

static void test_overlap_of_all(void)
{
  static const char *const names[] = {"biped", "horse", "human", "ostrich", "hexapod"};
  static const double sizes[] = {0.1, 0.2, 0.4, 0.8};
  int none = 0, some = 0;
  for (size_t i = 0; i < 5; i++)
    for (size_t k = 0; k < 4; k++) {
      struct arena *arena = arena_new();
      struct rng r = rng_stream(5, 10 * i + k);
      const struct creature *c = zoo_find(arena, names[i]);
      if (!test_count(c != NULL))
        return;
      struct clip *clip = swing_clip(arena, c, &r, sizes[k]);
      struct verify_report found = verify(c, clip);
      double ground, deepest = deepest_of_all(arena, c, clip, &ground);
      CHECK(found.lines[VERIFY_OVERLAP].value >= deepest - 0.01);
      CHECK(found.lines[VERIFY_OVERLAP].value <= deepest + (deepest < 1 ? 1e-4 : 0.02)); /* as axes cross, FINE places
                                                                                            do not see all either */
      CHECK_NEAR(found.lines[VERIFY_LIMB_GROUND].value, ground, 1e-3);
      none += deepest == 0;
      some += deepest > 0.02 && deepest < 1.5;
      arena_free(arena);
    }
  CHECK(none >= 3 && some >= 5);
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
  struct stand s = new_stand(0);
  struct clip good = *s.clip;
  double *const wrong[] = {angle_of(&s, 3, "left_hind.swing"), force_of(s.clip, 8, REAR_LEFT) + 1};
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
  *angle_of(&s, 5, "root_x") = 1e300; /* a number, but its square is not */
  struct verify_report r = verify(s.c, s.clip);
  CHECK(!r.passed && !r.lines[VERIFY_FORCE].passed && !r.lines[VERIFY_FORCE_BETWEEN].passed);
  arena_free(s.arena);
}

/* ---- flight ---- */

/* Thrown upwards, its pose kept: a parabola, whose differences and whose spline are exact. */
static struct clip *throw_clip(struct arena *arena, const struct creature *c, double gravity)
{
  struct clip *clip = clip_new(arena, c, FRAMES, 0.3 * sqrt(c->height / G) / FRAMES);
  for (int k = 0; k < FRAMES; k++) {
    double t = k * clip->dt, *q = clip->q + k * c->n_dofs, v = sqrt(G * c->height);
    creature_rest_pose(c, q);
    q[0] += 0.7 * v * t;
    q[1] -= 0.2 * v * t;
    q[2] += c->height + 0.5 * v * t - gravity * t * t / 2;
  }
  return clip;
}

static void test_flight(void)
{
  for (int i = 0; i < zoo_size(); i++) {
    struct arena *arena = arena_new();
    const struct creature *c = zoo_load(arena, i);
    if (test_count(c != NULL)) {
      struct verify_report r = verify(c, throw_clip(arena, c, G));
      CHECK_FAILING(&r, 0);
      for (int m = 0; m < N_VERIFY_MEASURES; m++)
        CHECK_NEAR(r.lines[m].value, 0, 1e-9);
      r = verify(c, throw_clip(arena, c, 0.9 * G));
      CHECK_NEAR(r.lines[VERIFY_FORCE].value, 0.1, 1e-9);
      CHECK_STR(r.lines[VERIFY_FORCE].where, "z");
      CHECK_NEAR(r.lines[VERIFY_FORCE_BETWEEN].value, 0.1, 1e-9);
      CHECK(r.lines[VERIFY_MOMENT].passed && r.lines[VERIFY_MOMENT_BETWEEN].passed);
    }
    arena_free(arena);
  }
}

/* The table spins in the air about its upright axis, evenly: nothing acts. Faster and faster: a moment about z. */
static void test_spin(void)
{
  struct stand s = new_stand(0);
  struct clip *clip = throw_clip(s.arena, s.c, G);
  for (int k = 0; k < FRAMES; k++)
    clip->q[k * s.c->n_dofs + 3] = 2 * k * clip->dt;
  struct verify_report r = verify(s.c, clip);
  CHECK_FAILING(&r, 0);
  CHECK_NEAR(r.lines[VERIFY_MOMENT_BETWEEN].value, 0, 1e-9);
  for (int k = 0; k < FRAMES; k++)
    clip->q[k * s.c->n_dofs + 3] += k * clip->dt * k * clip->dt / 2;
  r = verify(s.c, clip);
  CHECK_FAILING(&r, BIT(VERIFY_MOMENT));
  CHECK_STR(r.lines[VERIFY_MOMENT].where, "z");
  double inertia = r.lines[VERIFY_MOMENT].value * s.weight * LEG; /* box 1 x 0.6 x 0.1; legs, thin, 0.47 m away */
  CHECK_NEAR(inertia, 10 * (1 + 0.36) / 12 + 2 * (0.4 * 0.4 + 0.25 * 0.25), 5e-4);
  CHECK_NEAR(r.lines[VERIFY_MOMENT_BETWEEN].value, r.lines[VERIFY_MOMENT].value, 1e-9);
  arena_free(s.arena);
}

/* ---- between frames ---- */

/* The table bounces, z = L + A sin, under forces that are right at frames. There the spline's curvature is that of the
 * frames times 6 / (4 + 2 cos(phase per frame)); both it and the force are linear between frames. */
static void test_bounce(void)
{
  struct stand s = new_stand(1);
  double step = 2 * PI / FRAMES, h = s.clip->dt, amplitude = 0.1 * LEG, square = 0;
  double more = 6 / (4 + 2 * cos(step)) - 1, bend = amplitude * (2 * cos(step) - 2) / (h * h);
  for (int k = 0; k < FRAMES; k++) {
    angle_of(&s, k, "root_z")[0] += amplitude * sin(step * k);
    for (int i = 0; i < 4; i++)
      force_of(s.clip, k, i)[2] = 3 * (G + bend * sin(step * k));
    for (int i = 0; i < 4; i++) {
      double u = (i + 0.5) / 4, a = bend * ((1 - u) * sin(step * k) + u * sin(step * (k + 1)));
      square += more * a / G * more * a / G;
    }
  }
  struct verify_report r = verify(s.c, s.clip);
  CHECK_NEAR(r.lines[VERIFY_FORCE].value, 0, 1e-12);
  CHECK_NEAR(r.lines[VERIFY_MOMENT_BETWEEN].value, 0, 1e-12);
  CHECK_NEAR(r.lines[VERIFY_FORCE_BETWEEN].value, sqrt(square / (4 * FRAMES)), 1e-11);
  arena_free(s.arena);
}

/* A brick, pitched by 0.3, turns and goes ahead as cubics of time, which the spline gives back exactly, under a force
 * that does not belong: Euler's equations in a frame that turns with it tell what must be missing. Its first and last
 * interval are not judged. */
static void test_cubic(void)
{
  struct arena *arena = arena_new();
  const struct creature *c = parse(arena, "limb brick { mass = 2  com = {0, 0, 0}  inertia = {0.2, 0.25, 0.4} }\n"
                                          "foot base { limb = brick  point tip { at = {0.2, 0, -0.3} } }\n");
  struct clip *clip = clip_new(arena, c, FRAMES, 0.05);
  double sine = sin(0.3), cosine = cos(0.3), push = 5, force = 0, moment = 0, count = (FRAMES - 3) * 4.0;
  double Ixz = sine * cosine * (0.4 - 0.2), Izz = sine * sine * 0.2 + cosine * cosine * 0.4;
  double arm_x = 0.2 * cosine - 0.3 * sine, arm_z = -0.2 * sine - 0.3 * cosine;
  for (int k = 0; k < FRAMES; k++) {
    double t = k * clip->dt, *q = clip->q + k * c->n_dofs;
    q[0] = 0.3 * t * t - t * t * t, q[3] = 0.4 * t - 3 * t * t * t, q[4] = 0.3;
    force_of(clip, k, 0)[0] = push;
  }
  for (int i = 4; i < 4 * (FRAMES - 2); i++) { /* yaw: its rate w and the rate of that, b */
    double t = (i + 0.5) / 4 * clip->dt, yaw = 0.4 * t - 3 * t * t * t, w = 0.4 - 9 * t * t, b = -18 * t;
    double missing = 2 * (0.6 - 6 * t) - push, fx = push * cos(yaw), fy = -push * sin(yaw);
    double mx = Ixz * b + arm_z * fy, my = Ixz * w * w - arm_z * fx, mz = Izz * b - arm_x * fy;
    force += missing * missing + 4 * G * G;
    moment += mx * mx + my * my + mz * mz;
  }
  struct verify_report r = verify(c, clip);
  CHECK_NEAR(r.lines[VERIFY_FORCE_BETWEEN].value, sqrt(force / count) / (2 * G), 1e-11);
  CHECK_NEAR(r.lines[VERIFY_MOMENT_BETWEEN].value, sqrt(moment / count) / (2 * G * c->height), 1e-11);
  arena_free(arena);
}

/* A ball with the same inertia about all axes slides on a point along a circle of 1 m around the origin, its nose
 * ahead. The force goes through its centre. One cycle is a part of the circle: the clip goes on by turning. */
struct orbit { struct arena *arena; const struct creature *c; struct clip *clip; double slip, slide; };

static struct orbit new_orbit(int n_frames, double turn, double dt)
{
  struct orbit o = {.arena = arena_new()};
  double pull = (2 - 2 * cos(turn)) / (dt * dt), out = 0.3 * pull / G, quarter = acos(0);
  o.c = parse(o.arena, arena_printf(o.arena,
                                    "limb ball { shape = ellipsoid  size = {0.2, 0.2, 0.2}  mass = 2 }\n"
                                    "foot base { limb = ball  point tip { at = {0, %.17g, -0.3} } }\n", -out));
  o.clip = clip_new(o.arena, o.c, n_frames, dt);
  o.clip->cyclic = 1;
  o.clip->advance.yaw = n_frames * turn;
  for (int k = 0; k < n_frames; k++) {
    double *q = o.clip->q + k * o.c->n_dofs, *f = force_of(o.clip, k, 0), s = sin(k * turn), c = cos(k * turn);
    o.clip->contact[k] = 1;
    q[0] = c, q[1] = s, q[2] = 0.3, q[3] = k * turn + quarter;
    f[0] = -2 * pull * c, f[1] = -2 * pull * s, f[2] = 2 * G;
  }
  o.slip = 2 * sin(turn / 2) * (1 + out) / hypot(out, 0.3);
  o.slide = turn / dt * (1 + out) / sqrt(G * hypot(out, 0.3));
  return o;
}

static void test_orbit(void)
{
  double rms[3];
  for (int i = 0; i < 3; i++) { /* a part of the circle, all of it, a part at twice the rate */
    double finer = i == 2 ? 0.5 : 1;
    struct orbit o = new_orbit(i == 1 ? 40 : 10, 2 * PI / 40 * finer, 0.1 * finer);
    struct verify_report r = verify(o.c, o.clip);
    CHECK_FAILING(&r, BIT(VERIFY_SLIP) | BIT(VERIFY_SLIDE));
    CHECK_NEAR(r.lines[VERIFY_SLIP].value, o.slip, 1e-12);
    CHECK_NEAR(r.lines[VERIFY_SLIDE].value, o.slide, 1e-3 * o.slide); /* of the spline: the fourth power of the step */
    CHECK_NEAR(r.lines[VERIFY_FORCE].value, 0, 1e-12);
    CHECK_NEAR(r.lines[VERIFY_MOMENT].value, 0, 1e-12);
    rms[i] = r.lines[VERIFY_FORCE_BETWEEN].value;
    arena_free(o.arena);
  }
  CHECK(rms[0] > 1e-5);
  CHECK_NEAR(rms[0], rms[1], 1e-11);
  CHECK_NEAR(rms[0] / rms[2], 4, 0.1);
}

/* ---- peaks, and points that stand ---- */

/* The table carries two wings that reach out to the sides, and a wheel about its upright axis; beside its feet it has
 * two probes of next to no mass: a leg that swings, and a paddle on the ground that flaps. The wings' hinges and the
 * wheel's are in its middle: what one of them does, the feet can answer by lifting alone, or by turning alone. */
static const char machine_text[] =
  "name = machine\n"
  "limb top    { from = {-0.5, 0, 0}  to = {0.5, 0, 0}  shape = box  size = {0.6, 0.1}  mass = 5 }\n"
  "limb front  { parent = top  mirror = true  at = {0.4, 0.25, 0}  to = {0, 0, -0.5}  radius = 0.02  mass = 0.5\n"
  "              axis swing { about = -y } }\n"
  "limb hind   { parent = top  like = front  at = {-0.4, 0.25, 0} }\n"
  "limb wing   { parent = top  mirror = true  at = {0, 0, 0}  to = {0, 1, 0}  mass = 1  com = {0, 0.5, 0}\n"
  "              inertia = {0.02, 0.01, 0.02}  axis flap { about = x } }\n"
  "limb wheel  { parent = top  at = {0, 0, 0}  mass = 1  com = {0, 0, 0}  inertia = {0.5, 0.5, 0.9}\n"
  "              axis spin { about = z } }\n"
  "limb probe  { parent = top  at = {0.2, 0, 0}  to = {0, 0, -0.5}  radius = 0.02  mass = 1e-6 solid = false\n"
  "              axis swing { about = -y } }\n"
  "limb paddle { parent = top  at = {0, 0, -0.5}  to = {0.3, 0, 0}  radius = 0.02  mass = 1e-6 solid = false\n"
  "              axis flap { about = -y } }\n"
  "foot fore   { limb = front }\n"
  "foot rear   { limb = hind }\n"
  "foot probe  { limb = probe }\n"
  "foot paddle { limb = paddle }\n";
enum { PROBE = 4, PADDLE = 5, LONG = 200, KICK = 90 };

/* Forces of the feet that answer, at all frames, to what the machine does there: a push upwards by all alike, and a
 * couple about the upright axis. */
static void answer(const struct stand *s)
{
  struct arena *arena = arena_new();
  struct dynamics *d = dynamics_new(arena, s->c);
  size_t n = (size_t)s->c->n_dofs;
  double *q = ARENA_NEW(arena, n, double), *v = ARENA_NEW(arena, n, double), *a = ARENA_NEW(arena, n, double);
  for (int k = 0; k < s->clip->n_frames; k++) {
    struct dynamics_whole w;
    clip_state(s->clip, k, q, v, a);
    dynamics_whole(d, q, v, a, &w);
    for (int i = 0; i < 4; i++) {
      double side = i % 2 ? -1 : 1, *f = force_of(s->clip, k, i);
      f[0] = -side * w.angular_rate[2] / 4 / 0.25;
      f[2] = (w.weight + w.momentum_rate[2]) / 4;
    }
  }
  arena_free(arena);
}

/* A joint that is elsewhere in one frame. The second differences there are e/h^2 (1, -2, 1); the spline's second
 * derivative at that frame is 6 (1 - sqrt(3)) e/h^2. What is missing between frames is largest there. */
static struct verify_report kick(const struct stand *s, const char *left, const char *right, double e)
{
  for (int k = 0; k < LONG; k++) {
    *angle_of(s, k, left) = k == KICK ? e : 0;
    if (right)
      *angle_of(s, k, right) = k == KICK ? e : 0;
  }
  answer(s);
  return verify(s->c, s->clip);
}

static void test_peaks(void)
{
  struct stand s = new_stand_of(machine_text, LONG, 1);
  double missing = (6 * (sqrt(3) - 1) - 2) / (s.clip->dt * s.clip->dt);
  for (int fails = 0; fails < 2; fails++) {
    double peak = fails ? 0.27 : 0.23, mass = 2, out = 0.5; /* of both wings; of their middles */
    struct verify_report r = kick(&s, "left_wing.flap", "right_wing.flap", peak * s.weight / (mass * out * missing));
    CHECK_FAILING(&r, fails ? BIT(VERIFY_FORCE_PEAK) : 0);
    CHECK_LINE(&r, VERIFY_FORCE_PEAK, peak, 2e-3, KICK - 1, "z");
    CHECK(r.lines[VERIFY_FORCE_BETWEEN].value < 0.04);
    kick(&s, "left_wing.flap", "right_wing.flap", 0);
    peak = fails ? 0.22 : 0.18;
    r = kick(&s, "wheel.spin", NULL, peak * s.weight * LEG / (0.9 * missing));
    CHECK_FAILING(&r, fails ? BIT(VERIFY_MOMENT_PEAK) : 0);
    CHECK_LINE(&r, VERIFY_MOMENT_PEAK, peak, 2e-3, KICK - 1, "z");
    CHECK(r.lines[VERIFY_MOMENT_BETWEEN].value < 0.04);
    kick(&s, "wheel.spin", NULL, 0);
  }
  arena_free(s.arena);
}

/* The tip of a limb comes at an even speed and stands from frame KICK on. The spline cannot stop within a frame: at
 * KICK it still has half that speed, then -0.268 times as much at each frame. */
static void arrive(const struct stand *s, int point, const char *dof, double turn)
{
  for (int k = 0; k < LONG; k++) {
    s->clip->contact[k * s->c->n_points + point] = k >= KICK;
    *angle_of(s, k, dof) = k < KICK && k > KICK - 20 ? turn * (KICK - k) : 0;
  }
}

static void test_standing(void)
{
  for (int fails = 0; fails < 2; fails++) {
    struct stand s = new_stand_of(machine_text, LONG, 0);
    double slide = fails ? 0.11 : 0.09, unit = sqrt(G * LEG);
    CHECK_STR(s.c->points[PROBE].name, "probe");
    CHECK_STR(s.c->points[PADDLE].name, "paddle");
    arrive(&s, PROBE, "probe.swing", 2 * slide * unit / LEG * s.clip->dt);
    struct verify_report r = verify(s.c, s.clip);
    CHECK_FAILING(&r, fails ? BIT(VERIFY_SLIDE) : 0);
    CHECK_LINE(&r, VERIFY_SLIDE, slide, 1e-3 * slide, KICK, "probe");

    /* half the speed at one end, -0.268 times that at the other: height h v (u - 1.732 u^2 + 0.732 u^3) */
    struct stand t = new_stand_of(machine_text, LONG, 0);
    double leg = 0.3, lift = fails ? 0.0033 : 0.0027, z = sqrt(3) - 2, shape = 0;
    for (int i = 0; i < 4; i++) {
      double u = (i + 0.5) / 4;
      shape = fmax(shape, u - (2 + z) * u * u + (1 + z) * u * u * u);
    }
    arrive(&t, PADDLE, "paddle.flap", 2 * lift / shape);
    r = verify(t.c, t.clip);
    CHECK_FAILING(&r, fails ? BIT(VERIFY_LIFT) : 0);
    CHECK_LINE(&r, VERIFY_LIFT, lift, 2e-3 * lift, KICK, "paddle");
    CHECK_NEAR(t.c->feet[t.c->points[PADDLE].foot].leg_length, leg, 1e-12);
    arena_free(s.arena);
    arena_free(t.arena);
  }
}

/* ---- between neighbours ---- */

/* Frames first .. first + n - 1 of a cycle as a transition that leaves it and comes back, moved over the ground. */
static struct clip *cut(struct arena *arena, const struct creature *c, const struct clip *cycle, int first, int n)
{
  const struct clip_advance away = {2, -1, 0.7};
  struct clip *t = clip_new(arena, c, n, cycle->dt);
  for (int k = 0; k < n; k++) {
    int from = (first + k) % cycle->n_frames;
    clip_frame(cycle, first + k, t->q + k * c->n_dofs);
    clip_move_pose(away, t->q + k * c->n_dofs);
    memcpy(t->contact + k * c->n_points, cycle->contact + from * c->n_points, (size_t)c->n_points);
    for (int i = 0; i < c->n_points; i++) {
      const double *f = force_of(cycle, from, i);
      double *g = force_of(t, k, i);
      g[0] = cos(away.yaw) * f[0] - sin(away.yaw) * f[1];
      g[1] = sin(away.yaw) * f[0] + cos(away.yaw) * f[1];
      g[2] = f[2];
    }
  }
  return t;
}

static struct verify_report verify_beside(const struct stand *s, const struct clip *t, const struct clip *from,
                                          int first, const struct clip *to)
{
  struct arena *arena = arena_new();
  struct verify_neighbours beside = {from, to, first, first + t->n_frames - 2};
  struct verify_report r;
  verify_transition(arena, s->c, t, &beside, &r);
  arena_free(arena);
  return r;
}

/* A piece of a cycle is as good as the cycle when it is seen between the cycle's frames. The machine's wings are
 * elsewhere in one frame: from there on, what is missing falls by 0.268 with every frame. Where the neighbours are not
 * known, the first and the last interval are not judged. */
static void test_neighbours(void)
{
  struct stand s = new_stand_of(machine_text, LONG, 1);
  struct verify_report whole = kick(&s, "left_wing.flap", "right_wing.flap", 0.01);
  double peak = whole.lines[VERIFY_FORCE_PEAK].value;
  for (int first = KICK - 2; first <= KICK; first++) {
    struct clip *t = cut(s.arena, s.c, s.clip, first, LONG + 1);
    struct verify_report r = verify_beside(&s, t, s.clip, first, s.clip);
    for (int m = 0; m < N_VERIFY_MEASURES; m++)
      if (m != VERIFY_FORCE && m != VERIFY_MOMENT) /* at frames its ends have no acceleration */
        CHECK_NEAR(r.lines[m].value, whole.lines[m].value, 1e-9);
    struct verify_report alone = verify(s.c, t), half = verify_beside(&s, t, s.clip, first, NULL);
    CHECK(first < KICK || fabs(alone.lines[VERIFY_FORCE_PEAK].value - peak) > 0.1 * peak);
    CHECK_NEAR(half.lines[VERIFY_FORCE_PEAK].value, peak, 1e-9);
    CHECK_INT(r.lines[VERIFY_FORCE_PEAK].frame, first == KICK ? 0 : KICK - 1 - first);
  }
  struct clip *t = cut(s.arena, s.c, s.clip, KICK, LONG + 1);
  struct clip other = *s.clip; /* one that has not got this creature's dofs is not looked at */
  other.n_dofs--;
  CHECK_NEAR(verify_beside(&s, t, &other, KICK, NULL).lines[VERIFY_FORCE_PEAK].value,
             verify(s.c, t).lines[VERIFY_FORCE_PEAK].value, 1e-12);
  arena_free(s.arena);
}

/* ---- junctions ---- */

enum { JOINED = 7, CYCLE = 9 };

/* A transition that leaves a cycle at `frame` and comes back to it there, moved differently at either end. */
static struct clip *join(struct arena *arena, const struct creature *c, const struct clip *cycle, int frame)
{
  struct clip *t = clip_new(arena, c, JOINED, cycle->dt);
  const struct clip_advance by[2] = {{3, -1, 2.5}, {-0.5, 4, -0.8}};
  for (int end = 0; end < 2; end++)
    for (int k = 0; k < 2; k++) {
      double *q = t->q + (end * (JOINED - 2) + k) * c->n_dofs;
      clip_frame(cycle, frame + k, q);
      clip_move_pose(by[end], q);
    }
  return t;
}

static void check_corrupted(const struct creature *c, struct clip *t, const struct clip *cycle, int frame)
{
  const double amount[] = {0.01, 0.01, -0.01, 0.001, 0.002, 0.003, -0.004};
  for (int i = 0; i < 7; i++)
    for (int k = 0; k < 2; k++) {
      double *q = t->q + (JOINED - 2 + k) * c->n_dofs + i, before = *q, unit = i < 3 ? c->height : 1;
      *q += amount[i];
      double found = verify_junction(c, t, 1, cycle, frame);
      if (!(i == 3 && k == 0)) /* the first frame's yaw also swings the second about it */
        CHECK_NEAR(found, fabs(amount[i]) / unit, 1e-13);
      CHECK(found >= (1 - 1e-9) * fabs(amount[i]) / unit);
      CHECK_NEAR(verify_junction(c, t, 0, cycle, frame), 0, 1e-13);
      *q = NAN;
      CHECK(isnan(verify_junction(c, t, 1, cycle, frame)));
      *q = before;
    }
}

static void test_junctions(void)
{
  struct stand s = new_stand(0);
  const struct creature *c = s.c;
  struct rng r = rng_stream(2, 2);
  struct clip *cycle = clip_new(s.arena, c, CYCLE, 0.02);
  cycle->cyclic = 1;
  cycle->advance = (struct clip_advance){0.6, 0.1, 0.3};
  for (int i = 0; i < CYCLE * c->n_dofs; i++)
    cycle->q[i] = rng_uniform(&r, -1, 1);
  for (int frame = -CYCLE - 1; frame < 2 * CYCLE; frame++) {
    struct clip *t = join(s.arena, c, cycle, frame);
    CHECK_NEAR(verify_junction(c, t, 0, cycle, frame), 0, 1e-13);
    CHECK_NEAR(verify_junction(c, t, 1, cycle, frame + CYCLE), 0, 1e-13);
    CHECK(verify_junction(c, t, 0, cycle, frame + 1) > 0.01);
    check_corrupted(c, t, cycle, frame);
  }
  struct clip *t = join(s.arena, c, cycle, 0);
  cycle->cyclic = 0;
  CHECK_NEAR(verify_junction(c, t, 1, cycle, 0), 0, 1e-13);
  CHECK(isinf(verify_junction(c, t, 1, cycle, CYCLE - 1)));
  CHECK(isinf(verify_junction(c, t, 1, cycle, -1)));
  cycle->n_dofs--;
  CHECK(isinf(verify_junction(c, t, 1, cycle, 0)));
  arena_free(s.arena);
}

/* ---- clips that were solved for ---- */

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
  test_stand();
  test_scaled_force();
  test_wrong_forces();
  test_slip();
  test_ground();
  test_joint_limit();
  test_torque_limit();
  test_cone();
  test_air_force();
  test_overlap();
  test_overlap_between();
  test_limb_in_ground();
  test_flat_feet();
  test_sunk();
  test_overlap_of_all();
  test_numbers();
  test_flight();
  test_spin();
  test_bounce();
  test_cubic();
  test_orbit();
  test_peaks();
  test_standing();
  test_neighbours();
  test_junctions();
  test_solved();
  test_solved_transition();
  return test_finish();
}
