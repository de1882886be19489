/* The verifier on solid limbs: how deep they are in each other and in the ground, at frames and between them, against
 * lengths that are known, and against a search that skips nothing. */
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "base/spline.h"
#include "creature/gap.h"
#include "dynamics/dynamics.h"
#include "motion/check_report.h"
#include "motion/stand.h"
#include "zoo.h"

static const double PI = 3.14159265358979323846, LEG = STAND_LEG;
enum { FRAMES = STAND_FRAMES };

/* The left legs swing towards each other: 0.8 m apart at the hips, with axes of 0.48 m that end in caps of 0.02 m. */
static void test_overlap(void)
{
  static const double apart[] = {0.03, 0.041}; /* the axes' ends [m] */
  for (int i = 0; i < 2; i++) {
    struct stand s = stand_new(i);
    double swing = asin((0.8 - apart[i]) / 2 / 0.48);
    *stand_angle(&s, 4, "left_front.swing") = -swing;
    *stand_angle(&s, 4, "left_hind.swing") = swing;
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
  const struct creature *c = stand_parse(arena, arena_printf(arena,
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
  struct stand s = stand_new(0);
  for (int k = 0; k < FRAMES; k++) {
    stand_angle(&s, k, "root_z")[0] += 0.001 * (k - 6.5) * (k - 6.5);
    stand_angle(&s, k, "root_roll")[0] = -0.02;
    stand_angle(&s, k, "left_hind.swing")[0] = 0.1; /* one less */
  }
  struct verify_report r = verify(s.c, s.clip);
  double depth = 0.25 * sin(0.02) + 0.48 * cos(0.02) + 0.02 - 0.5 - 0.001 * 0.1 * 0.1;
  CHECK_LINE(&r, VERIFY_LIMB_GROUND, depth / LEG, 1e-14, 6, "left_front");
  CHECK_INT(r.lines[VERIFY_LIMB_GROUND].passed, depth / LEG <= 0.01);
  for (int k = 0; k < FRAMES; k++)
    stand_angle(&s, k, "root_z")[0] -= 0.01;
  r = verify(s.c, s.clip);
  CHECK_LINE(&r, VERIFY_LIMB_GROUND, (depth + 0.01) / LEG, 1e-14, 6, "left_front");
  CHECK(!r.lines[VERIFY_LIMB_GROUND].passed);
  arena_free(s.arena);
}

/* At rest the toes point down. When heel and toe stand, the ankle is 2 cm high and the shank 5 cm thick. */
static void test_flat_feet(void)
{
  struct arena *arena = arena_new();
  const struct creature *c = stand_parse(arena,
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
    const struct creature *c = stand_parse(arena, arena_printf(arena,
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

int main(void)
{
  test_overlap();
  test_overlap_between();
  test_limb_in_ground();
  test_flat_feet();
  test_sunk();
  test_overlap_of_all();
  return test_finish();
}
