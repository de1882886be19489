/* What a style asks of a motion is what the motion does: higher feet, a lower root, a key pose. Each wish alone, on a
 * walk of the biped, against the walk without it; all motions are valid. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/angle.h"
#include "check.h"
#include "creature/style.h"
#include "dynamics/dynamics.h"
#include "motion/verify.h"
#include "spacetime/spacetime.h"

static struct arena *arena;
static struct spacetime_report report;

/* A creature of the zoo with more text. */
static const struct creature *creature_with(const char *name, const char *more)
{
  const char *folder = getenv("MUYBRIDGE_CREATURES");
  const char *text = arena_printf(arena, "include(\"%s.creature\")\n%s\n", name, more);
  struct diag d;
  diag_init(&d);
  const struct creature *c = creature_parse(
      arena, arena_printf(arena, "%s/styled.creature", folder ? folder : "creatures"), text, strlen(text), &d);
  if (!c)
    fputs(diag_text(&d), stderr);
  CHECK(c != NULL);
  if (!c)
    exit(test_finish());
  diag_clear(&d);
  return c;
}

static void check_valid(const struct creature *c, const struct clip *clip)
{
  struct verify_report v;
  CHECK_INT(report.status, SPACETIME_SOLVED);
  CHECK(clip != NULL);
  if (!clip)
    exit(test_finish());
  verify_clip(arena, c, clip, &v);
  CHECK(v.passed);
}

struct walk { const struct creature *c; const struct clip *clip; };

/* The walk in a style, with as many frames and as fast as all others. */
static struct walk walk(const char *creature, const char *style)
{
  struct spacetime_options o;
  struct walk w = {creature_with(creature, *style ? arena_printf(arena, "style s { %s }", style) : ""), NULL};
  int n = strcmp(creature, "biped") == 0 ? 56 : 80;
  struct gait_request r = {.c = w.c, .gait = creature_find_gait(w.c, "walk"), .speed = 0.6, .frames = n};
  spacetime_defaults(&o);
  w.clip = spacetime_gait(arena, &r, &o, &report);
  check_valid(w.c, w.clip);
  return w;
}

static double angle_at(struct walk w, const char *dof, int k)
{
  return w.clip->q[k * w.c->n_dofs + creature_find_dof(w.c, dof)];
}

static double mean(struct walk w, const char *dof)
{
  double sum = 0;
  for (int k = 0; k < w.clip->n_frames; k++)
    sum += angle_at(w, dof, k) / w.clip->n_frames;
  return sum;
}

/* Of a contact point, over the cycle. */
static double highest(struct walk w, int point)
{
  struct dynamics *d = dynamics_new(arena, w.c);
  double most = 0, x[3];
  for (int k = 0; k < w.clip->n_frames; k++) {
    dynamics_kinematics(d, w.clip->q + (size_t)k * (size_t)w.c->n_dofs);
    dynamics_point(d, w.c->points[point].body, w.c->points[point].at, x);
    most = fmax(most, x[2]);
  }
  return most;
}

static int frames_on_ground(struct walk w, int point)
{
  int n = 0;
  for (int k = 0; k < w.clip->n_frames; k++)
    n += w.clip->contact[k * w.clip->n_points + point];
  return n;
}

static double impulse(struct walk w, int point)
{
  double sum = 0;
  for (int k = 0; k < w.clip->n_frames; k++)
    sum += w.clip->force[3 * (k * w.clip->n_points + point) + 2];
  return sum;
}

static void test_wishes(struct walk plain)
{
  CHECK(report.half_cycle);
  struct walk w = walk("biped", "clearance = 2");
  CHECK(report.half_cycle); /* it is symmetric */
  CHECK(highest(w, 0) > 1.5 * highest(plain, 0));
  w = walk("biped", "crouch = 0.85");
  CHECK_NEAR(mean(w, "root_z"), 0.85 * w.c->height, 0.05 * w.c->height);
  CHECK(mean(plain, "root_z") > 0.93 * w.c->height);
  w = walk("biped", "lean = 20");
  CHECK_NEAR((mean(w, "root_pitch") - mean(plain, "root_pitch")) * TO_DEGREES, 20, 4);
  w = walk("biped", "joints s { of = thigh.abduction  rest = 12  posture = 30 }");
  CHECK(mean(w, "left_thigh.abduction") > mean(plain, "left_thigh.abduction") + 5 * TO_RADIANS);
  CHECK(mean(w, "right_thigh.abduction") > mean(plain, "right_thigh.abduction") + 5 * TO_RADIANS);
  w = walk("biped", "weight height { factor = 30 }");
  CHECK(fabs(mean(w, "root_z") - w.c->height) < 0.7 * fabs(mean(plain, "root_z") - w.c->height));
}

/* The mean square torque of a joint. */
static double effort(struct walk w, const char *name)
{
  size_t n = (size_t)w.c->n_dofs, points = (size_t)w.c->n_points;
  struct dynamics *d = dynamics_new(arena, w.c);
  double *q = ARENA_NEW(arena, n, double), *v = ARENA_NEW(arena, n, double), *a = ARENA_NEW(arena, n, double);
  double *tau = ARENA_NEW(arena, n, double), sum = 0;
  int *point = ARENA_NEW(arena, points, int);
  for (int i = 0; i < w.c->n_points; i++)
    point[i] = i;
  for (int k = 0; k < w.clip->n_frames; k++) {
    struct dynamics_contacts contacts = {w.c->n_points, point, w.clip->force + 3 * (size_t)k * points, NULL};
    clip_state(w.clip, k, q, v, a);
    dynamics_residual(d, q, v, a, &contacts, tau, NULL);
    sum += pow(tau[creature_find_dof(w.c, name)], 2) / w.clip->n_frames;
  }
  return sum;
}

static void test_sides(struct walk plain)
{
  struct walk w = walk("biped", "stance s { of = left_legs  time = 0.8 }");
  CHECK(!report.half_cycle);
  CHECK(frames_on_ground(w, 0) < 0.85 * frames_on_ground(plain, 0));
  CHECK_INT(frames_on_ground(w, 1), frames_on_ground(plain, 1));
  CHECK(impulse(w, 0) < 0.9 * impulse(w, 1));
  CHECK_NEAR(impulse(plain, 0), impulse(plain, 1), 1e-6 * impulse(plain, 0));
  w = walk("biped", "joints s { of = left_shank  effort = 10 }");
  CHECK(!report.half_cycle);
  CHECK(effort(w, "left_shank.flexion") < 0.7 * effort(plain, "left_shank.flexion"));
  CHECK(effort(w, "left_shank.flexion") < 0.7 * effort(w, "right_shank.flexion"));
  w = walk("biped", "change left_shank { axis flexion { range = {0, 25}  rest = 20 } }"); /* a stiff knee */
  CHECK(!report.half_cycle);
  double most[2] = {0, 0};
  for (int k = 0; k < w.clip->n_frames; k++) {
    most[0] = fmax(most[0], angle_at(w, "left_shank.flexion", k));
    most[1] = fmax(most[1], angle_at(w, "right_shank.flexion", k));
  }
  CHECK(most[0] <= 25 * TO_RADIANS + 1e-6 && most[1] > 30 * TO_RADIANS);
}

/* Frames 11 and 39 of 56 are at phases 0.2 and 0.7. */
static void test_key_pose(struct walk plain)
{
  struct walk w = walk("biped", "pose p { phase = 0.2  joint torso.flexion { angle = 20 } }");
  CHECK(!report.half_cycle); /* once in a cycle */
  double there = fabs(angle_at(w, "torso.flexion", 11) - 20 * TO_RADIANS);
  CHECK(there < 0.4 * fabs(angle_at(plain, "torso.flexion", 11) - 20 * TO_RADIANS));
  CHECK(angle_at(w, "torso.flexion", 11) > angle_at(w, "torso.flexion", 39) + 5 * TO_RADIANS);
  w = walk("biped", "pose p { phase = 0.2  mirror = true  joint torso.flexion { angle = 20 } }");
  CHECK(report.half_cycle);
  CHECK_NEAR(angle_at(w, "torso.flexion", 11), angle_at(w, "torso.flexion", 39), 1e-6);
  CHECK(angle_at(w, "torso.flexion", 11) > angle_at(w, "torso.flexion", 25) + 5 * TO_RADIANS);
  w = walk("biped", "pose p { phase = 0.2  joint left_thigh.abduction { angle = 15 } }");
  CHECK(!report.half_cycle);
  CHECK(angle_at(w, "left_thigh.abduction", 11) > angle_at(plain, "left_thigh.abduction", 11) + 4 * TO_RADIANS);
}

/* A turn in the same style: it stays low and lifts its feet on the way, too, and nods. */
static void test_transition(void)
{
  struct walk w = walk("biped", "crouch = 0.88  clearance = 1.8\n"
                                "pose p { phase = 0.2  mirror = true  joint torso.flexion { angle = 25 } }");
  struct transition_request r = {.c = w.c, .from = w.clip, .to = w.clip, .from_frame = 20, .to_frame = 20,
                                 .turn = 0.4};
  struct spacetime_options o;
  spacetime_defaults(&o);
  struct walk turn = {w.c, spacetime_transition(arena, &r, &o, &report)};
  check_valid(turn.c, turn.clip);
  CHECK_NEAR(mean(turn, "root_z"), 0.88 * w.c->height, 0.04 * w.c->height);
  CHECK(highest(turn, 0) > 0.9 * highest(w, 0));
  double most = 0;
  for (int k = turn.clip->n_frames / 4; k < 3 * turn.clip->n_frames / 4; k++)
    most = fmax(most, angle_at(turn, "torso.flexion", k));
  CHECK(most > 12 * TO_RADIANS);
}

int main(void)
{
  arena = arena_new();
  struct walk plain = walk("biped", "");
  test_wishes(plain);
  test_sides(plain);
  test_key_pose(plain);
  test_transition();
  arena_free(arena);
  return test_finish();
}
