/* What no animal would choose is seen, by how much, and where; what it would choose is not. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "dynamics/dynamics.h"
#include "spacetime/natural.h"
#include "spacetime/spacetime.h"
#include "zoo.h"

static const double degree = 3.14159265358979323846 / 180;

struct world {
  struct arena *arena;
  const struct creature *c;
  struct clip *walk;
};

static struct clip *insist(struct clip *clip, const struct spacetime_report *report)
{
  if (!clip)
    fprintf(stderr, "not solved: %s\n", report->reason), exit(99);
  return clip;
}

static struct world new_world(const char *creature, double speed)
{
  struct world w = {.arena = arena_new()};
  struct spacetime_options o;
  struct spacetime_report report;
  w.c = zoo_find(w.arena, creature);
  if (!w.c)
    exit(99);
  spacetime_defaults(&o);
  w.walk = insist(spacetime_gait(w.arena, &(struct gait_request){.c = w.c, .speed = speed}, &o, &report), &report);
  return w;
}

/* The walk itself as a transition from it and back, a cycle long. */
static struct clip *cut(const struct world *w)
{
  struct clip *t = clip_new(w->arena, w->c, w->walk->n_frames + 2, w->walk->dt);
  size_t points = (size_t)w->c->n_points;
  for (int k = 0; k < t->n_frames; k++) {
    size_t from = (size_t)(k % w->walk->n_frames), to = (size_t)k;
    clip_frame(w->walk, k, t->q + k * w->c->n_dofs);
    memcpy(t->contact + to * points, w->walk->contact + from * points, points);
    memcpy(t->force + 3 * to * points, w->walk->force + 3 * from * points, 3 * points * sizeof *t->force);
  }
  return t;
}

static struct natural_report judge(const struct world *w, const struct clip *t)
{
  struct natural_report r;
  natural_judge(w->arena, w->c, t, w->walk, w->walk, &r);
  return r;
}

static double *coordinate(const struct world *w, struct clip *t, int k, const char *dof)
{
  return t->q + k * w->c->n_dofs + creature_find_dof(w->c, dof);
}

/* At frame 9 the torso flexes so much more than it ever does in the walk that it leans forward by `by` more. */
static void check_bow(const struct world *w, double by, int passes)
{
  struct clip *t = cut(w);
  double most = -INFINITY, *pitch = coordinate(w, t, 9, "root_pitch"), *flexion = coordinate(w, t, 9, "torso.flexion");
  for (int k = 0; k < w->walk->n_frames; k++)
    most = fmax(most, *coordinate(w, w->walk, k, "root_pitch") + *coordinate(w, w->walk, k, "torso.flexion"));
  *coordinate(w, t, 9, "root_roll") = 0; /* so that angles add up */
  *flexion = most + by - *pitch;
  struct natural_report r = judge(w, t);
  CHECK_NEAR(r.lines[NATURAL_BOW].value, by, 0.3 * degree);
  CHECK_INT(r.lines[NATURAL_BOW].frame, 9);
  CHECK_STR(r.lines[NATURAL_BOW].where, "torso");
  CHECK_INT(r.lines[NATURAL_BOW].passed, passes);
}

static void test_measures(const struct world *w)
{
  struct natural_report r = judge(w, cut(w));
  CHECK(r.passed && r.excess < 1);
  CHECK_NEAR(r.lines[NATURAL_COST].value, 1, 0.05);
  for (int m = NATURAL_SINKING; m < N_NATURAL_MEASURES; m++)
    CHECK_NEAR(r.lines[m].value, 0, 1e-12);
  for (int passes = 0; passes < 2; passes++) {
    check_bow(w, (passes ? 19 : 21) * degree, passes);
    struct clip *low = cut(w), *tilted = cut(w);
    double lowest = INFINITY, lean = 0, by = passes ? 0.05 : 0.07;
    for (int k = 0; k < w->walk->n_frames; k++) {
      lowest = fmin(lowest, *coordinate(w, w->walk, k, "root_z"));
      lean = fmax(lean, fabs(*coordinate(w, w->walk, k, "root_roll")));
    }
    *coordinate(w, low, 5, "root_z") = (1 - by) * lowest;
    r = judge(w, low);
    CHECK_NEAR(r.lines[NATURAL_SINKING].value, by, 1e-12);
    CHECK(r.lines[NATURAL_SINKING].frame == 5 && r.lines[NATURAL_SINKING].passed == passes);
    by = (passes ? 11 : 13) * degree;
    *coordinate(w, tilted, 7, "root_roll") = -lean - by;
    r = judge(w, tilted);
    CHECK_NEAR(r.lines[NATURAL_TILT].value, by, 1e-12);
    CHECK(r.lines[NATURAL_TILT].frame == 7 && r.lines[NATURAL_TILT].passed == passes);
    CHECK(passes || (!r.passed && r.excess > 1));
  }
}

/* At frame 4 an arm is lifted so much farther than either arm is in the walk, and at frame 6 the trunk twisted to the
 * right by more than it is to either side. */
static void test_fling(void)
{
  struct world w = new_world("human", 1.2);
  double arm = -INFINITY, twist = 0;
  for (int k = 0; k < w.walk->n_frames; k++) {
    arm = fmax(arm, *coordinate(&w, w.walk, k, "right_upper_arm.flexion"));
    twist = fmax(twist, *coordinate(&w, w.walk, k, "chest.twist"));
  }
  for (int passes = 0; passes < 2; passes++) {
    struct clip *raised = cut(&w), *wound = cut(&w);
    double by = (passes ? 29 : 31) * degree;
    *coordinate(&w, raised, 4, "left_upper_arm.flexion") = arm + by;
    *coordinate(&w, wound, 6, "chest.twist") = -twist - by;
    struct natural_report r = judge(&w, raised);
    CHECK_NEAR(r.lines[NATURAL_FLING].value, by, 1e-3);
    CHECK(r.lines[NATURAL_FLING].frame == 4 && r.lines[NATURAL_FLING].passed == passes);
    CHECK_STR(r.lines[NATURAL_FLING].where, "left_upper_arm.flexion");
    r = judge(&w, wound);
    CHECK_NEAR(r.lines[NATURAL_FLING].value, by, 1e-3);
    CHECK_STR(r.lines[NATURAL_FLING].where, "chest.twist");
  }
  arena_free(w.arena);
}

/* In words: the first line that is missed, and nothing of what is not. */
static void test_words(const struct world *w)
{
  char words[200] = "something";
  struct natural_report r = judge(w, cut(w));
  natural_explain(&r, words, sizeof words);
  CHECK_STR(words, "");
  r.lines[NATURAL_SINKING].value = 0.075;
  r.lines[NATURAL_SINKING].passed = r.lines[NATURAL_BOW].passed = r.passed = 0;
  natural_explain(&r, words, sizeof words);
  CHECK_STR(words, "no animal would choose it: root below its lowest height in the cycle [share of that] is 0.075, "
                   "allowed is 0.06");
  natural_explain(&r, words, 10);
  CHECK_STR(words, "no animal");
}

/* A sharp turn in a hurry is not natural, the same one with two cycles more time is. */
static void test_haste(const struct world *w)
{
  struct spacetime_options o;
  struct spacetime_report report;
  int n = w->walk->n_frames;
  double excess[2];
  spacetime_defaults(&o);
  for (int longer = 0; longer < 2; longer++) {
    struct transition_request r = {.c = w->c, .from = w->walk, .to = w->walk, .from_frame = 0, .to_frame = n / 4,
                                   .turn = 135 * degree, .frames = n + n / 4 + 2 + 2 * longer * n};
    struct natural_report j = judge(w, insist(spacetime_transition(w->arena, &r, &o, &report), &report));
    excess[longer] = j.excess;
    CHECK_INT(j.passed, longer);
  }
  CHECK(excess[1] < 0.8 * excess[0]);
}

/* ---- where it looks, and how fast it goes ---- */

/* Yaw of a limb in the world at a frame: of the direction that is ahead at rest. */
static double limb_yaw(struct dynamics *d, const struct creature *c, const struct clip *clip, int k, int limb)
{
  double R[9], ahead[2] = {0, 0}, *q = clip->q + k * c->n_dofs;
  struct arena *arena = arena_new();
  double *rest = ARENA_NEW(arena, (size_t)c->n_dofs, double), R0[9];
  creature_rest_pose(c, rest);
  dynamics_kinematics(d, rest);
  dynamics_rotation(d, c->limbs[limb].body, R0);
  dynamics_kinematics(d, q);
  dynamics_rotation(d, c->limbs[limb].body, R);
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 3; j++)
      ahead[i] += R[3 * i + j] * R0[j]; /* row 0 of R0: "ahead" in the limb's frame */
  arena_free(arena);
  return atan2(ahead[1], ahead[0]);
}

/* In the middle of a turn the head looks farther round than the trunk, to the side of the turn, and the body goes
 * slower than before. */
static void check_turn(const char *creature, double turn)
{
  struct arena *arena = arena_new();
  const struct creature *c = zoo_find(arena, creature);
  struct spacetime_options o;
  struct spacetime_report report;
  spacetime_defaults(&o);
  struct gait_request walk = {.c = c, .speed = 0.5 * (c->gaits[0].speed_min + c->gaits[0].speed_max)};
  struct clip *cycle = insist(spacetime_gait(arena, &walk, &o, &report), &report);
  struct transition_request r = {.c = c, .from = cycle, .to = cycle, .turn = turn};
  struct clip *t = insist(spacetime_transition(arena, &r, &o, &report), &report);
  struct dynamics *d = dynamics_new(arena, c);
  int head = creature_find_limb(c, "head"), n = t->n_frames;
  double lead = 0, way = 0;
  for (int k = n / 3; k < 2 * n / 3; k++) {
    const double *q = t->q + k * c->n_dofs;
    lead += (limb_yaw(d, c, t, k, head) - q[3]) / (2 * n / 3 - n / 3);
    way += hypot(q[c->n_dofs] - q[0], q[c->n_dofs + 1] - q[1]);
  }
  double speed = way / ((2 * n / 3 - n / 3) * t->dt);
  fprintf(stderr, "%s, turn by %.0f degrees: head leads by %.1f degrees, speed %.2f of the walk's\n", creature,
          turn / degree, lead / degree, speed / walk.speed);
  CHECK(lead * turn > 0 && fabs(lead) > 4 * degree && fabs(lead) < 40 * degree);
  CHECK(speed < 0.95 * walk.speed && speed > 0.4 * walk.speed);
  arena_free(arena);
}

int main(void)
{
  struct world w = new_world("biped", 0.6);
  check_turn("triped", 90 * degree);
  check_turn("triped", -60 * degree);
  check_turn("ostrich", 90 * degree);
  test_measures(&w);
  test_fling();
  test_words(&w);
  test_haste(&w);
  arena_free(w.arena);
  return test_finish();
}
