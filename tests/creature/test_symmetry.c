/* Which creatures are their own mirror images: all of the zoo; and none in which any one number of one side is another,
 * however it came about. What is said is compared with where the masses are in a mirrored pose. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "creature/creature.h"
#include "creature/pose.h"
#include "zoo.h"

static struct arena *arena;

/* ---- the zoo ---- */

struct mass_places { double first[3], second[6]; }; /* of the whole body, about the world's origin */

/* Moments of all bodies in the world, by the formulas of this file. */
static struct mass_places places_of(const struct creature *c, const double *q)
{
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  struct pose_frame *f = ARENA_NEW(arena, (size_t)c->n_dofs, struct pose_frame);
  struct mass_places out = {{0}, {0}};
  pose_frames(c, q, f);
  for (int b = 0; b < c->n_dofs; b++) {
    const struct dof *d = &c->dofs[b];
    const double *R = f[b].R, *p = f[b].p, *s = d->moment2;
    const double own[9] = {s[0], s[3], s[4], s[3], s[1], s[5], s[4], s[5], s[2]};
    double turned[3];
    for (int i = 0; i < 3; i++)
      turned[i] = R[3 * i] * d->moment1[0] + R[3 * i + 1] * d->moment1[1] + R[3 * i + 2] * d->moment1[2];
    for (int i = 0; i < 3; i++)
      out.first[i] += d->mass * p[i] + turned[i];
    for (int n = 0; n < 6; n++) {
      int i = row[n], j = column[n];
      double sum = d->mass * p[i] * p[j] + turned[i] * p[j] + p[i] * turned[j];
      for (int k = 0; k < 9; k++)
        sum += R[3 * i + k / 3] * own[k] * R[3 * j + k % 3];
      out.second[n] += sum;
    }
  }
  return out;
}

/* How far the masses of a mirrored pose are from the mirrored masses of the pose, in total mass and L. */
static double mirror_error(const struct creature *c)
{
  static const double sign[6] = {1, 1, 1, -1, 1, -1};
  double *q = ARENA_NEW(arena, (size_t)c->n_dofs, double), *m = ARENA_NEW(arena, (size_t)c->n_dofs, double), worst = 0;
  for (int i = 0; i < c->n_dofs; i++)
    q[i] = sin(1.0 + 2.3 * i) * (i < 3 ? c->height : 1);
  creature_mirror_pose(c, q, m);
  struct mass_places a = places_of(c, q), b = places_of(c, m);
  for (int i = 0; i < 3; i++)
    worst = fmax(worst, fabs(a.first[i] - (i == 1 ? -1 : 1) * b.first[i]) / (c->mass * c->height));
  for (int n = 0; n < 6; n++)
    worst = fmax(worst, fabs(a.second[n] - sign[n] * b.second[n]) / (c->mass * c->height * c->height));
  return worst;
}

static void test_zoo(void)
{
  struct creature_asymmetry why;
  CHECK_INT(zoo_size(), 12);
  for (int i = 0; i < zoo_size(); i++) {
    const struct creature *c = zoo_load(arena, i);
    CHECK(c != NULL);
    if (!c)
      continue;
    int symmetric = creature_is_symmetric(c, &why);
    if (!symmetric)
      fprintf(stderr, "%s: %s '%s': %s\n", zoo_name(i), why.kind, why.part, why.what);
    CHECK(symmetric && creature_is_symmetric(c, NULL));
    CHECK_NEAR(mirror_error(c), 0, 1e-12);
  }
}

/* ---- files ---- */

/* A hopper with places where a file may make it uneven. */
static const char *const pieces[] = {
    "limb body  { from = {-0.2, 0, 0}  to = {0.2, 0, 0}  radius = 0.1  mass = 8 ", /* BODY */
    "}\n"
    "limb tail  { parent = body  at = {-0.2, 0, 0}  to = {-0.3, 0, 0}  radius = 0.02\n"
    "             axis pitch { about = y  range = {-20, 50}  rest = 10 }\n"
    "             axis yaw   { ", /* YAW */
    "} }\n"
    "limb thigh { parent = body  mirror = true  at = {0, 0.1, 0}  to = {0, 0, -0.3}  radius = 0.04  mass = 1\n"
    "             axis flexion   { about = -y  range = {-40, 90}  rest = 25 }\n"
    "             axis abduction { about = x   range = {-15, 40} } }\n"
    "limb shank { parent = thigh  to = {0, 0, -0.3}  radius = 0.03  mass = 0.5\n"
    "             axis flexion { about = y  range = {0, 130}  rest = 50 } }\n"
    "foot paw   { limb = shank  point outer { at = {0, 0, -0.3} }  point inner { at = {0, -0.02, -0.3} } }\n"};
static const char even_yaw[] = "about = z  range = {-30, 30}";

static const struct creature *hopper(const char *body, const char *yaw, const char *more)
{
  struct diag d;
  diag_init(&d);
  const char *text = arena_printf(arena, "%s%s%s%s%s%s", pieces[0], body, pieces[1], yaw, pieces[2], more);
  const struct creature *c = creature_parse(arena, "hopper", text, strlen(text), &d);
  CHECK(c != NULL);
  if (!c) {
    fputs(diag_text(&d), stderr);
    exit(test_finish());
  }
  diag_clear(&d);
  return c;
}

static void expect_uneven(const struct creature *c, const char *kind, const char *part, const char *what)
{
  struct creature_asymmetry why;
  CHECK_INT(creature_is_symmetric(c, &why), 0);
  CHECK_INT(creature_is_symmetric(c, NULL), 0);
  CHECK_STR(why.kind, kind);
  CHECK_STR(why.part, part);
  CHECK_STR(why.what, what);
}

static void test_files(void)
{
  CHECK(creature_is_symmetric(hopper("", even_yaw, ""), NULL));
  const struct creature *c = hopper("com = {0, 0.002, 0}", even_yaw, "");
  expect_uneven(c, "limb", "body", "y of its centre of mass is 0.002 m, but -0.002 m in the mirror");
  CHECK(mirror_error(c) > 1e-4);
  expect_uneven(hopper("inertia = {0.04, 0.2, 0.2, 0.001, 0, 0}", even_yaw, ""), "limb", "body",
                "xy of its inertia is 0.001 kg m2, but -0.001 kg m2 in the mirror");
  c = hopper("", even_yaw, "limb weight { parent = left_thigh  shape = none  mass = 0.2 }");
  expect_uneven(c, "limb", "weight", "it is on one side only");
  CHECK(mirror_error(c) > 1e-4);
  c = hopper("", even_yaw, "limb arm { parent = body  at = {0.1, 0.1, 0}  to = {0.1, 0, 0}  radius = 0.02\n"
                           "           axis lift { about = y } }");
  expect_uneven(c, "limb", "arm", "y of its joint is 0.1 m, but -0.1 m in the mirror");
  CHECK(mirror_error(c) > 1e-4);
  expect_uneven(hopper("", even_yaw, "limb beak { parent = body  at = {0.2, 0, 0}  to = {0.1, 0.01, 0}  radius = 0.01\n"
                                     "            com = {0.05, 0, 0}  inertia = {1e-6, 2e-6, 2e-6} }"),
                "limb", "beak", "y of its end 'to' is 0.01 m, but -0.01 m in the mirror");
  expect_uneven(hopper("", "about = z  range = {-30, 25}", ""), "joint axis", "tail.yaw",
                "the start of its range is -30 degrees, but -25 degrees in the mirror");
  expect_uneven(hopper("", "about = z  range = {-30, 30}  rest = 3", ""), "joint axis", "tail.yaw",
                "its rest angle is 3 degrees, but -3 degrees in the mirror");
  c = hopper("", "about = {0, 0.6, 0.8}  range = {-30, 30}", "");
  CHECK(!creature_is_symmetric(c, NULL) && mirror_error(c) > 1e-4);
  expect_uneven(hopper("", even_yaw, "foot nose { limb = body  point tip { at = {0.2, 0.03, 0} } }"), "contact point",
                "nose.tip", "y of the point is 0.03 m, but -0.03 m in the mirror");
}

/* ---- every number counts ---- */

/* A copy whose parts may be changed. */
struct copy { struct creature c; struct dof *dofs; struct limb *limbs; struct contact_point *points; };

static struct copy copy_of(const struct creature *c)
{
  struct copy k = {*c, ARENA_NEW(arena, (size_t)c->n_dofs, struct dof),
                   ARENA_NEW(arena, (size_t)c->n_limbs, struct limb),
                   ARENA_NEW(arena, (size_t)c->n_points, struct contact_point)};
  memcpy(k.dofs, c->dofs, (size_t)c->n_dofs * sizeof *k.dofs);
  memcpy(k.limbs, c->limbs, (size_t)c->n_limbs * sizeof *k.limbs);
  memcpy(k.points, c->points, (size_t)c->n_points * sizeof *k.points);
  k.c.dofs = k.dofs;
  k.c.limbs = k.limbs;
  k.c.points = k.points;
  return k;
}

/* Changes a number by little (rounding) and by more, and back. */
static void expect_counts(const struct copy *k, double *number, const char *part)
{
  struct creature_asymmetry why;
  double was = *number;
  *number = was * (1 + 1e-14);
  CHECK(creature_is_symmetric(&k->c, NULL));
  *number = was + 1e-6 * (1 + fabs(was));
  CHECK(!creature_is_symmetric(&k->c, &why) && why.part && strstr(why.part, part));
  *number = (double)NAN;
  CHECK(!creature_is_symmetric(&k->c, NULL));
  *number = was;
}

static void test_numbers(void)
{
  struct copy k = copy_of(zoo_find(arena, "human"));
  int thigh = creature_find_dof(&k.c, "right_thigh.flexion"), l = creature_find_limb(&k.c, "right_forearm");
  struct dof *d = &k.dofs[thigh], *carrier = &k.dofs[k.limbs[l].body];
  struct limb *limb = &k.limbs[l];
  double *of_dof[] = {&d->axis[0],    &d->axis[1],    &d->axis[2], &d->offset[0], &d->offset[1], &d->offset[2],
                      &d->lower,      &d->upper,      &d->rest,    &d->servo_kp, &d->servo_kd};
  double *of_body[] = {&carrier->mass,       &carrier->moment1[0], &carrier->moment1[1], &carrier->moment1[2],
                       &carrier->moment2[0], &carrier->moment2[1], &carrier->moment2[2], &carrier->moment2[3],
                       &carrier->moment2[4], &carrier->moment2[5]};
  double *of_limb[] = {&limb->mass,          &limb->com[0],        &limb->com[1],        &limb->com[2],
                       &limb->inertia[0],    &limb->inertia[1],    &limb->inertia[2],    &limb->inertia[3],
                       &limb->inertia[4],    &limb->inertia[5],    &limb->at[0],         &limb->at[1],
                       &limb->at[2],         &limb->origin[0],     &limb->origin[1],     &limb->origin[2],
                       &limb->shape.from[0], &limb->shape.from[1], &limb->shape.from[2], &limb->shape.to[0],
                       &limb->shape.to[1],   &limb->shape.to[2],   &limb->shape.size[0], &limb->shape.size[1],
                       &limb->shape.size[2]};
  CHECK(thigh >= 0 && l >= 0 && creature_is_symmetric(&k.c, NULL));
  for (size_t i = 0; i < sizeof of_dof / sizeof *of_dof; i++)
    expect_counts(&k, of_dof[i], "_thigh.flexion"); /* left or right: whichever is compared first */
  for (size_t i = 0; i < sizeof of_body / sizeof *of_body; i++)
    expect_counts(&k, of_body[i], "_forearm");
  for (size_t i = 0; i < sizeof of_limb / sizeof *of_limb; i++)
    expect_counts(&k, of_limb[i], "_forearm");
  for (int i = 0; i < 3; i++)
    expect_counts(&k, &k.points[k.c.n_points - 1].at[i], "");
  d->torque_max = 100;
  k.dofs[d->mirror].torque_max = INFINITY;
  expect_uneven(&k.c, "joint axis", "left_thigh.flexion",
                "its torque is inf N m, but 100 N m in the mirror image of 'right_thigh.flexion'");
  k.dofs[d->mirror].torque_max = 100;
  CHECK(creature_is_symmetric(&k.c, NULL));
}

int main(void)
{
  arena = arena_new();
  test_zoo();
  test_files();
  test_numbers();
  arena_free(arena);
  return test_finish();
}
