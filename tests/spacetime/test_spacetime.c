/* The optimizer: gaits of small and large creatures from nothing, transitions, what it refuses and how it fails. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "dynamics/dynamics.h"
#include "motion/mirror.h"
#include "motion/verify.h"
#include "spacetime/mutant.h"
#include "spacetime/spacetime.h"
#include "spacetime/transition_join.h"
#include "zoo.h"

static const double degree = 3.14159265358979323846 / 180;

/* ---- gaits ---- */

static struct clip *solve(struct arena *arena, const struct creature *c, const char *gait, double speed, int frames,
                          struct spacetime_report *report)
{
  struct spacetime_options o;
  struct gait_request r = {.c = c, .gait = creature_find_gait(c, gait), .speed = speed, .frames = frames};
  spacetime_defaults(&o);
  return spacetime_gait(arena, &r, &o, report);
}

/* Solves a gait, which must be found and valid; NULL if it is not found. */
static struct clip *check_gait(struct arena *arena, const struct creature *c, const char *gait, double speed,
                               struct spacetime_report *report)
{
  struct clip *clip = solve(arena, c, gait, speed, 0, report);
  struct verify_report v;
  struct clip_summary m;
  CHECK_INT(report->status, SPACETIME_SOLVED);
  CHECK(clip != NULL);
  if (!clip)
    return NULL;
  verify_clip(arena, c, clip, &v);
  spacetime_summarize(arena, c, clip, &m);
  for (int i = 0; i < N_VERIFY_MEASURES; i++) {
    if (!v.lines[i].passed)
      fprintf(stderr, "%s %s: %s is %g, bar %g\n", c->name, gait, v.lines[i].what, v.lines[i].value, v.lines[i].bar);
    CHECK(v.lines[i].passed);
  }
  CHECK_NEAR(m.speed, speed, 1e-9);
  CHECK(m.lowest_root > 0.75 && m.peak_force < 4); /* neither crouches nor pounds */
  CHECK(clip->n_frames >= 0.8 * gait_period(&c->gaits[creature_find_gait(c, gait)], speed) * c->frame_rate - 2);
  return clip;
}

static void test_gait(const char *name, const char *gait, double speed)
{
  struct arena *arena = arena_new();
  static struct spacetime_report report;
  check_gait(arena, zoo_find(arena, name), gait, speed, &report);
  arena_free(arena);
}

/* A creature of the zoo with one more limb. */
static const struct creature *with_limb(struct arena *arena, const char *name, const char *limb)
{
  const char *folder = getenv("MUYBRIDGE_CREATURES");
  const char *text = arena_printf(arena, "include(\"%s.creature\")\n%s\n", name, limb);
  struct diag d;
  diag_init(&d);
  const struct creature *c = creature_parse(
      arena, arena_printf(arena, "%s/uneven.creature", folder ? folder : "creatures"), text, strlen(text), &d);
  CHECK(c != NULL);
  diag_clear(&d);
  return c;
}

static double peak_of_point(const struct clip *clip, int point)
{
  double most = 0;
  for (int k = 0; k < clip->n_frames; k++)
    most = fmax(most, clip->force[3 * (k * clip->n_points + point) + 2]);
  return most;
}

/* Bodies that are not their own mirror images are solved over whole cycles, without being asked to; their motion in the
 * mirror is none of theirs. */
static void test_uneven(const char *name, const char *limb, const char *gait, double speed)
{
  struct arena *arena = arena_new();
  static struct spacetime_report report;
  const struct creature *c = with_limb(arena, name, limb);
  CHECK(c && !creature_is_symmetric(c, NULL));
  struct clip *clip = c ? check_gait(arena, c, gait, speed, &report) : NULL;
  CHECK(!report.half_cycle);
  if (clip) {
    struct verify_report v;
    verify_clip(arena, c, clip_mirror(arena, c, clip), &v);
    CHECK(!v.lines[VERIFY_MOMENT].passed);
    if (!strcmp(gait, "hop")) /* both feet do the work */
      CHECK(peak_of_point(clip, 0) < 1.1 * peak_of_point(clip, 1) &&
            peak_of_point(clip, 1) < 1.1 * peak_of_point(clip, 0));
  }
  arena_free(arena);
}

/* Half a cycle and its mirror image cost what the whole cycle costs; the same request gives the same bytes; a neighbour
 * is a shorter way. */
static void test_symmetry_and_repetition(void)
{
  struct arena *arena = arena_new();
  static struct spacetime_report half, whole, again;
  struct spacetime_options o;
  const struct creature *c = zoo_find(arena, "hyq");
  struct gait_request r = {.c = c, .gait = creature_find_gait(c, "trot"), .speed = 1, .frames = 28};
  spacetime_defaults(&o);
  struct clip *a = spacetime_gait(arena, &r, &o, &half), *b = spacetime_gait(arena, &r, &o, &again);
  o.whole_cycle = 1;
  struct clip *w = spacetime_gait(arena, &r, &o, &whole);
  CHECK(a && b && w && half.half_cycle && !whole.half_cycle);
  if (a && b && w) {
    CHECK(memcmp(a->q, b->q, sizeof(double) * 28 * (size_t)c->n_dofs) == 0);
    CHECK(memcmp(a->force, b->force, sizeof(double) * 28 * 3 * (size_t)c->n_points) == 0);
    CHECK_NEAR(whole.cost, half.cost, 1e-4 * half.cost);
    o.whole_cycle = 0;
    r.near = a;
    r.speed = 1.1;
    CHECK(spacetime_gait(arena, &r, &o, &again) != NULL);
    CHECK(again.nlp.iterations < half.nlp.iterations);
  }
  arena_free(arena);
}

static void test_refusals(void)
{
  struct arena *arena = arena_new();
  static struct spacetime_report report;
  const struct creature *c = zoo_find(arena, "horse");
  CHECK(!solve(arena, c, "walk", 9, 0, &report));
  CHECK_INT(report.status, SPACETIME_REFUSED);
  CHECK(strstr(report.reason, "left_fore") && strstr(report.reason, "spans") && report.solves == 0);
  CHECK(!solve(arena, c, "walk", NAN, 0, &report));
  CHECK_INT(report.status, SPACETIME_REFUSED);
  struct spacetime_options o;
  struct gait_request r = {.c = c, .gait = 0, .speed = 1.4, .frames = 20};
  spacetime_defaults(&o);
  o.max_iterations = 3;
  CHECK(!spacetime_gait(arena, &r, &o, &report));
  CHECK_INT(report.status, SPACETIME_FAILED);
  CHECK(strstr(report.reason, "too many iterations") && strstr(report.reason, "frame"));
  arena_free(arena);
}

/* A weaker animal moves within its limits, or says that it cannot. */
static void test_torque_limits(void)
{
  struct arena *arena = arena_new();
  static struct spacetime_report report;
  const struct creature *c = zoo_find(arena, "hyq");
  struct creature weak = *c;
  struct dof *dofs = memcpy(ARENA_NEW(arena, (size_t)c->n_dofs, struct dof), c->dofs, (size_t)c->n_dofs * sizeof *dofs);
  struct clip_summary free_peak, weak_peak;
  struct clip *strong = solve(arena, c, "trot", 0.8, 28, &report);
  CHECK(strong != NULL);
  if (strong) {
    spacetime_summarize(arena, c, strong, &free_peak);
    double limit = 0.92 * free_peak.peak_torque * c->mass * CREATURE_GRAVITY * c->height;
    for (int i = CREATURE_ROOT_DOFS; i < c->n_dofs; i++)
      dofs[i].torque_max = limit;
    weak.dofs = dofs;
    struct clip *clip = solve(arena, &weak, "trot", 0.8, 28, &report);
    CHECK(clip != NULL && report.solves > 1);
    if (clip) {
      spacetime_summarize(arena, &weak, clip, &weak_peak);
      CHECK(weak_peak.peak_torque <= 0.92 * free_peak.peak_torque * (1 + 1e-6));
    }
  }
  arena_free(arena);
}

static void test_transitions(void)
{
  struct arena *arena = arena_new();
  static struct spacetime_report report;
  const struct creature *c = zoo_find(arena, "biped");
  struct spacetime_options o;
  struct clip *walk = solve(arena, c, "walk", 0.6, 0, &report), *run = solve(arena, c, "run", 1.3, 0, &report);
  spacetime_defaults(&o);
  CHECK(walk && run);
  const struct transition_request requests[] = {
    {.c = c, .from = walk, .to = walk, .from_frame = 3, .to_frame = 11, .turn = 45 * degree},
    {.c = c, .from = walk, .to = walk, .from_frame = 20, .to_frame = 2, .turn = -90 * degree},
    {.c = c, .from = walk, .to = run, .from_frame = 5, .to_frame = 0, .turn = 0},
  };
  for (size_t i = 0; walk && run && i < sizeof requests / sizeof *requests; i++) {
    const struct transition_request *r = &requests[i];
    struct clip *clip = spacetime_transition(arena, r, &o, &report);
    struct verify_report v;
    CHECK(clip != NULL);
    if (!clip)
      continue;
    verify_clip(arena, c, clip, &v);
    for (int k = 0; k < N_VERIFY_MEASURES; k++)
      CHECK(v.lines[k].passed);
    CHECK_NEAR(verify_junction(c, clip, 0, r->from, r->from_frame), 0, 1e-9);
    CHECK_NEAR(verify_junction(c, clip, 1, r->to, r->to_frame), 0, 1e-9);
  }
  struct transition_request wrong = requests[0];
  wrong.turn = NAN;
  CHECK(!spacetime_transition(arena, &wrong, &o, &report) && report.status == SPACETIME_REFUSED);
  arena_free(arena);
}

/* A fast turn is found in parts: half the turn back into the cycle, then the rest. The parts joined are as good as one,
 * and the whole that is solved from them as well. */
static void test_transition_in_parts(void)
{
  struct arena *arena = arena_new();
  static struct spacetime_report report;
  const struct creature *c = zoo_find(arena, "biped");
  struct spacetime_options o;
  spacetime_defaults(&o);
  struct clip *run = solve(arena, c, "run", 1.3, 0, &report);
  struct transition_request r = {.c = c, .from = run, .to = run, .from_frame = 4, .to_frame = 4, .turn = 40 * degree};
  struct clip *turn = run ? spacetime_transition(arena, &r, &o, &report) : NULL;
  struct clip *joined = turn ? transition_join(arena, c, turn, turn) : NULL;
  struct verify_report v = {.passed = 0};
  CHECK(joined != NULL);
  if (joined) {
    verify_clip(arena, c, joined, &v);
    CHECK(v.passed && joined->n_frames == 2 * turn->n_frames - 2);
    CHECK_NEAR(joined->turn, 80 * degree, 1e-12);
    CHECK(verify_junction(c, joined, 0, run, 4) < 1e-9 && verify_junction(c, joined, 1, run, 4) < 1e-9);
    joined->force[3 * (size_t)((turn->n_frames - 1) * c->n_points)] += 0.1 * c->mass;
    joined->force[3 * (size_t)(turn->n_frames * c->n_points) + 2] *= 1.1;
    verify_clip(arena, c, joined, &v);
    CHECK(!v.passed); /* a seam that does not fit is seen */
  }
  r.turn = 180 * degree;
  struct clip *whole = run ? spacetime_transition(arena, &r, &o, &report) : NULL;
  if (whole)
    verify_clip(arena, c, whole, &v);
  CHECK(whole && v.passed && report.solves >= 2); /* the halves are one part, found once; then the whole */
  CHECK(whole && verify_junction(c, whole, 0, run, 4) < 1e-9 && verify_junction(c, whole, 1, run, 4) < 1e-9);
  arena_free(arena);
}

/* From a walk into a sprint one runs in between, which is cheaper than the straight change. */
static void test_through_a_gait_between(void)
{
  struct arena *arena = arena_new();
  static struct spacetime_report report;
  const struct creature *c = zoo_find(arena, "ostrich");
  struct spacetime_options o;
  spacetime_defaults(&o);
  struct clip *walk = solve(arena, c, "walk", 1, 0, &report), *sprint = solve(arena, c, "sprint", 7, 0, &report);
  struct transition_request r = {.c = c, .from = walk, .to = sprint, .from_frame = 3, .to_frame = 5};
  struct clip *way = walk && sprint ? spacetime_transition(arena, &r, &o, &report) : NULL;
  struct verify_report v = {.passed = 0};
  if (way)
    verify_clip(arena, c, way, &v);
  CHECK(v.passed);
  CHECK_INT(report.joined, 2);
  CHECK(way && verify_junction(c, way, 0, walk, 3) < 1e-9 && verify_junction(c, way, 1, sprint, 5) < 1e-9);
  CHECK(way && strcmp(way->gait, "walk") == 0 && strcmp(way->gait_after, "sprint") == 0);
  double through = report.cost;
  r.frames = spacetime_transition_frames(arena, &r);
  struct clip *straight = way ? spacetime_transition(arena, &r, &o, &report) : NULL;
  CHECK(!straight || report.cost > through);
  CHECK_INT(report.joined, 0);
  arena_free(arena);
}

/* Out of a transition and back into one: their steps have no cycle to look at, so phases come from the contacts
 * themselves. */
static void test_transitions_of_transitions(void)
{
  struct arena *arena = arena_new();
  static struct spacetime_report report;
  const struct creature *c = zoo_find(arena, "biped");
  struct spacetime_options o;
  spacetime_defaults(&o);
  struct clip *walk = solve(arena, c, "walk", 0.6, 0, &report);
  struct transition_request r = {.c = c, .from = walk, .to = walk, .from_frame = 4, .to_frame = 4, .turn = 40 * degree};
  struct clip *turn = walk ? spacetime_transition(arena, &r, &o, &report) : NULL;
  CHECK(turn != NULL);
  for (int i = 0; turn && i < 2; i++) {
    struct transition_request again = {.c = c, .from = i ? walk : turn, .to = i ? turn : walk, .from_frame = 10,
                                       .to_frame = 12, .turn = -20 * degree};
    struct clip *clip = spacetime_transition(arena, &again, &o, &report);
    struct verify_report v = {.passed = 0};
    if (clip)
      verify_clip(arena, c, clip, &v);
    CHECK(v.passed);
    CHECK(clip && verify_junction(c, clip, 0, again.from, 10) < 1e-9 &&
          verify_junction(c, clip, 1, again.to, 12) < 1e-9);
  }
  arena_free(arena);
}

/* ---- limits ---- */

/* A solve that would take longer than it may ends with the reason, however many attempts it had left. */
static void test_time_limit(void)
{
  struct arena *arena = arena_new();
  static struct spacetime_report report;
  struct spacetime_options o;
  const struct creature *c = zoo_find(arena, "horse");
  spacetime_defaults(&o);
  o.max_seconds = 0.02;
  CHECK(!spacetime_gait(arena, &(struct gait_request){.c = c, .gait = 0, .speed = 1.4}, &o, &report));
  CHECK(report.status == SPACETIME_FAILED && strstr(report.reason, "time") && report.solves == 1);
  arena_free(arena);
}

/* ---- options ---- */

/* Highest of a contact point that a clip lifts, over the standing height. */
static double highest_foot(struct arena *arena, const struct creature *c, const struct clip *clip)
{
  struct dynamics *d = dynamics_new(arena, c);
  double most = 0;
  for (int k = 0; k < clip->n_frames; k++) {
    dynamics_kinematics(d, clip->q + (size_t)(k * c->n_dofs));
    for (int i = 0; i < c->n_points; i++) {
      double x[3];
      dynamics_point(d, c->points[i].body, c->points[i].at, x);
      most = fmax(most, x[2] / c->height);
    }
  }
  return most;
}

/* What a motion must keep, and what is rejected, is the caller's to say. */
static void test_options(void)
{
  struct arena *arena = arena_new();
  static struct spacetime_report report;
  struct spacetime_options o;
  const struct creature *c = zoo_find(arena, "hyq");
  const struct gait_request r = {.c = c, .gait = creature_find_gait(c, "trot"), .speed = 0.6, .frames = 24};
  spacetime_defaults(&o);
  struct clip *low = spacetime_gait(arena, &r, &o, &report);
  o.swing_height = 0.2;
  struct clip *high = spacetime_gait(arena, &r, &o, &report);
  CHECK(low && high && highest_foot(arena, c, high) > highest_foot(arena, c, low) + 0.05);
  o.lowest_mean_root = 1.1;
  CHECK(!spacetime_gait(arena, &r, &o, &report));
  CHECK_INT(report.status, SPACETIME_REJECTED);
  CHECK(strstr(report.reason, "crouches"));
  spacetime_defaults(&o);
  o.leg_reach = 0.1;
  CHECK(!spacetime_gait(arena, &r, &o, &report));
  CHECK_INT(report.status, SPACETIME_REFUSED);
  arena_free(arena);
}

/* ---- the task term ---- */

struct wish { double weight, torso; };

static void wish_at(void *user, double along, struct task_gradient *out)
{
  const struct wish *w = user;
  (void)along;
  *out = (struct task_gradient){.torso_weight = w->weight, .torso = w->torso};
}

static double mean_yaw(const struct clip *clip)
{
  double sum = 0;
  for (int k = 0; k < clip->n_frames; k++)
    sum += clip->q[k * clip->n_dofs + 3] / clip->n_frames;
  return sum;
}

/* Asked to walk ahead with the torso turned, it turns the torso: the more the task weighs against the body's cost, the
 * farther. */
static void test_task(void)
{
  struct arena *arena = arena_new();
  static struct spacetime_report report;
  struct spacetime_options o;
  const struct creature *c = zoo_find(arena, "hyq");
  struct gait_request r = {.c = c, .gait = creature_find_gait(c, "trot"), .speed = 0.6, .frames = 24};
  struct wish wish = {2, 0.2};
  struct spacetime_task task = {.alpha = 1, .at = wish_at, .user = &wish};
  double yaw[3];
  spacetime_defaults(&o);
  o.whole_cycle = 1; /* a turned torso is not its own mirror image */
  for (int i = 0; i < 3; i++) {
    r.task = i ? &task : NULL;
    task.alpha = i == 1 ? 1 : 0.1;
    struct clip *clip = spacetime_gait(arena, &r, &o, &report);
    CHECK(clip != NULL);
    yaw[i] = clip ? mean_yaw(clip) : NAN;
    if (clip) {
      struct verify_report v;
      verify_clip(arena, c, clip, &v);
      CHECK(v.lines[VERIFY_FORCE].passed && v.lines[VERIFY_SLIP].passed && v.lines[VERIFY_CONE].passed);
    }
  }
  CHECK_NEAR(yaw[0], 0, 0.01);
  CHECK(yaw[1] > 0.02 && yaw[2] > yaw[1] + 0.05 && yaw[2] < 0.2);
  arena_free(arena);
}

/* A few of the mutants that make check-long sees by the hundred. */
static void test_mutants(void)
{
  static struct spacetime_report report;
  for (uint64_t i = 0; i < 4; i++) {
    struct arena *arena = arena_new();
    struct rng r = rng_stream(5, i);
    const struct creature *c = zoo_find(arena, i % 2 ? "triped" : "strider"), *m = mutant_of(arena, c, &r);
    struct clip *clip = solve(arena, m, "walk", 0.5 * (m->gaits[0].speed_min + m->gaits[0].speed_max), 0, &report);
    CHECK(clip || report.status == SPACETIME_REFUSED);
    arena_free(arena);
  }
}

int main(void)
{
  test_gait("biped", "walk", 0.6);
  test_gait("biped", "run", 1.5);
  test_gait("strider", "run", 2);
  test_gait("triped", "gallop", 1.5);
  test_gait("horse", "trot", 3.5);
  test_gait("human", "walk", 1.2);
  test_gait("hexapod", "tripod", 0.1);
  test_uneven("biped", "limb weight { parent = left_thigh  at = {0, 0, -0.1}  shape = none  mass = 0.3 }", "walk", 0.6);
  test_uneven("hyq", "limb weight { parent = trunk  at = {0, 0.2, 0}  shape = none  mass = 0.6 }", "trot", 1);
  test_uneven("kangaroo", "limb bag { parent = rump  at = {0, 0.1, 0}  shape = none  mass = 0.2 }", "hop", 3);
  test_uneven("biped",
              "limb arm { parent = torso  at = {0, 0.1, 0.18}  to = {0, 0, -0.2}  radius = 0.02  mass = 0.3\n"
              "           axis swing { about = -y  range = {-60, 60} } }",
              "run", 1.5);
  test_symmetry_and_repetition();
  test_refusals();
  test_torque_limits();
  test_transitions();
  test_transition_in_parts();
  test_through_a_gait_between();
  test_transitions_of_transitions();
  test_time_limit();
  test_options();
  test_task();
  test_mutants();
  return test_finish();
}
