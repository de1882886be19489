/* Passive tissue in all engines, where it is hard: tendons that are far too stiff for the step, on light limbs. Nothing
 * is gained from them: energy does not grow. Stiff tendons with damping end where a fine integration does. A tendon
 * that goes slack lets go. Tissue is no muscle: it has no limit, and is not reported as torque. A spring of an axis and
 * a tendon to both sides are the same, to the bit. Flight with softer tissue is in test_flight, replay in test_replay.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "dynamics/tissue.h"
#include "physics/reference.h"

#define MOST_TEXT 8000

/* The elastic creature with its tendons so many times as stiff, and with damping that would take so long [sqrt(L/g)] to
 * bring it to rest. */
static struct scene stiff_scene(double stiffness, double relaxation)
{
  struct scene s = scene_of("elastic", elastic_creature);
  struct tissue *tissues = ARENA_NEW(s.arena, (size_t)s.c->n_tissues, struct tissue);
  struct creature *c = ARENA_NEW(s.arena, 1, struct creature);
  *c = *s.c;
  for (int i = 0; i < c->n_tissues; i++) {
    tissues[i] = s.c->tissues[i];
    tissues[i].stiffness *= stiffness;
    tissues[i].damping = tissues[i].stiffness * relaxation * sqrt(c->height / CREATURE_GRAVITY);
  }
  c->tissues = tissues;
  s.c = c;
  s.options.limbs = 0;
  s.options.no_limits = 1;
  return s;
}

static double unit_time(const struct scene *s)
{
  return sqrt(s->c->height / CREATURE_GRAVITY);
}

/* High in the air, joints where tendons leave them alone, with random speeds. */
static void settle_and_throw(struct scene *s, uint64_t seed)
{
  struct scene calm = stiff_scene(100, 0.05);
  scene_throw(&calm, seed, 0.1);
  scene_throw(s, seed, 0);
  memcpy(s->q, calm.q, s->n * sizeof *s->q);
  memset(calm.v, 0, s->n * sizeof *calm.v);
  scene_fly(&calm, unit_time(s), 3000, NULL, s->q, calm.v);
  scene_close(&calm);
}

/* Kinetic, of gravity, and in tissue, of m g L. */
static double energy(struct scene *s, const double *q, const double *v)
{
  size_t n = s->n;
  double *M = ARENA_NEW(s->arena, n * n, double), sum = 0;
  struct dynamics_whole whole;
  dynamics_mass_matrix(s->d, q, M);
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < n; k++)
      sum += 0.5 * v[i] * M[i * n + k] * v[k];
  dynamics_whole(s->d, q, v, s->zero, &whole);
  sum += s->c->mass * CREATURE_GRAVITY * whole.com[2];
  for (int i = 0; i < s->c->n_tissues; i++)
    sum += tissue_energy(&s->c->tissues[i], tissue_stretch(&s->c->tissues[i], q));
  return sum / (s->c->mass * CREATURE_GRAVITY * s->c->height);
}

/* The most energy gained since the start, limp in the air for two units of time, in steps so many times as long as
 * usual; the fastest joint [sqrt(g/L)]. */
static double gain(double stiffness, double relaxation, uint64_t seed, int longer, double *fastest)
{
  struct scene s = stiff_scene(stiffness, relaxation);
  double most = 0;
  s.options.step = longer / 64.0 * unit_time(&s);
  scene_open(&s);
  settle_and_throw(&s, seed);
  world_set(s.w, s.q, s.v);
  double start = energy(&s, s.q, s.v);
  for (int i = 0; i < 128 / longer; i++) {
    CHECK_INT(world_step(s.w, NULL), 1);
    world_get(s.w, s.q, s.v);
    double now = energy(&s, s.q, s.v) - start;
    if (!(now <= most))
      most = now;
    for (size_t m = CREATURE_ROOT_DOFS; m < s.n; m++)
      *fastest = fmax(*fastest, fabs(s.v[m]) * unit_time(&s));
  }
  scene_close(&s);
  return most;
}

/* Nothing is gained from stiff tendons but the first-order errors that are there without them, too; of those that no
 * body has, 20 000 times as stiff as a horse's, a little, but nothing blows up. */
static void check_energy(double stiffness, double relaxation)
{
  double worst[2] = {0}, alone[2] = {0}, fastest[2] = {0};
  for (int k = 0; k < 8; k++) {
    worst[k % 2] = fmax(worst[k % 2], gain(stiffness, relaxation, (uint64_t)k / 2, k % 2 ? 4 : 1, &fastest[0]));
    alone[k % 2] = fmax(alone[k % 2], gain(0, 0, (uint64_t)k / 2, k % 2 ? 4 : 1, &fastest[1]));
  }
  printf("stiffness times %g, relaxation %g: energy gained %.1e, in steps four times as long %.1e m g L,"
         " without tissue %.1e, %.1e; fastest %.0f, %.0f\n",
         stiffness, relaxation, worst[0], worst[1], alone[0], alone[1], fastest[0], fastest[1]);
  for (int k = 0; k < 2 && stiffness <= 1000; k++)
    CHECK(worst[k] <= fmax(2 * alone[k], 2e-3));
  CHECK(worst[0] < 0.1 && worst[1] < 5);
  CHECK(fastest[0] < 20);
}

/* Stiff, with damping, so that what the reference does is smooth too: half a unit of time at the usual step, under
 * torques, and nearer with half the step. */
static void check_stiff(double stiffness, double relaxation)
{
  double error[2];
  for (int k = 0; k < 2; k++) {
    struct scene s = stiff_scene(stiffness, relaxation);
    double *q = ARENA_NEW(s.arena, s.n, double), *v = ARENA_NEW(s.arena, s.n, double), seconds = 0.5 * unit_time(&s);
    int steps = 32 << k;
    s.options.step = seconds / steps;
    s.options.servo_scale = 0;
    scene_open(&s);
    settle_and_throw(&s, 4);
    for (size_t i = CREATURE_ROOT_DOFS; i < s.n; i++) {
      s.torque[i] = (i % 2 ? 0.002 : -0.002) * s.c->mass * CREATURE_GRAVITY * s.c->height;
      s.v[i] *= 0.1;
    }
    memcpy(q, s.q, s.n * sizeof *q);
    memcpy(v, s.v, s.n * sizeof *v);
    scene_fly(&s, seconds, 20000, s.torque, q, v);
    world_set(s.w, s.q, s.v);
    for (int i = 0; i < steps; i++)
      CHECK_INT(world_step(s.w, &(struct world_target){.q = s.rest, .torque = s.torque}), 1);
    world_get(s.w, s.q, s.v);
    error[k] = scene_distance(&s, s.q, q);
    scene_close(&s);
  }
  printf("stiffness times %g, relaxation %g: off by %.1e, with half the step %.1e\n", stiffness, relaxation, error[0],
         error[1]);
  CHECK(error[0] < 0.01 && error[1] < 0.62 * error[0]);
}

/* A light limb that leaves a stiff tendon keeps its speed, and one that runs into it is turned back: speeds after that,
 * of the one at the start. */
static void check_release(void)
{
  static const char text[] =
      "limb trunk { from = {-0.2, 0, 0} to = {0.2, 0, 0} radius = 0.1 mass = 100 }\n"
      "limb hoof  { parent = trunk to = {0, 0, -0.1} radius = 0.02 mass = 0.2 axis extension { about = -y } }\n"
      "tendon suspensory { over = hoof.extension stiffness = 1000 }\n"
      "foot hoof { limb = hoof }\n";
  double speed[2][2];
  for (int k = 0; k < 2; k++) {
    struct scene s = scene_of("hoof", text);
    int hoof = creature_find_dof(s.c, "hoof.extension"), steps = 12;
    double *q = ARENA_NEW(s.arena, s.n, double), *v = ARENA_NEW(s.arena, s.n, double);
    s.options.step = unit_time(&s) / 64;
    scene_open(&s);
    scene_throw(&s, 1, 0);
    memset(s.v, 0, s.n * sizeof *s.v);
    s.q[hoof] = k ? -0.2 : -0.05; /* the toe region ends at -0.105 */
    s.v[hoof] = (k ? 3 : -3) / unit_time(&s);
    memcpy(q, s.q, s.n * sizeof *q);
    memcpy(v, s.v, s.n * sizeof *v);
    scene_fly(&s, steps * s.options.step, 5000, NULL, q, v);
    world_set(s.w, s.q, s.v);
    for (int i = 0; i < steps; i++)
      CHECK_INT(world_step(s.w, NULL), 1);
    world_get(s.w, s.q, s.v);
    speed[k][0] = fabs(v[hoof]) * unit_time(&s) / 3;
    speed[k][1] = s.v[hoof] * (v[hoof] < 0 ? -1 : 1) * unit_time(&s) / 3;
    scene_close(&s);
  }
  printf("a hoof that leaves its tendon: %.3f, finely %.3f; that runs into it: %.3f, finely %.3f\n", speed[0][1],
         speed[0][0], speed[1][1], speed[1][0]);
  CHECK_NEAR(speed[0][1], speed[0][0], 0.1);
  CHECK(speed[1][1] > 0.2 && speed[1][1] <= 1.05); /* as long a step as a swing of the hoof on its tendon takes */
}

/* A tendon carries what its joint's muscle, which gives 5 N m at most, cannot; only the muscle's part is reported. */
static void check_limits(void)
{
  struct scene s = stiff_scene(1000, 0.02);
  int hoof = creature_find_dof(s.c, "left_hoof.extension");
  double force[3] = {0, 0, 300};
  scene_open(&s);
  scene_throw(&s, 1, 0);
  memset(s.v, 0, s.n * sizeof *s.v);
  s.q[hoof] = 0.3;
  world_set(s.w, s.q, s.v);
  world_push(s.w, s.c->dofs[hoof].limb, force, 1);
  for (int i = 0; i < 200; i++) {
    CHECK_INT(world_step(s.w, &(struct world_target){.q = s.rest}), 1);
    world_torques(s.w, s.torque);
    CHECK(fabs(s.torque[hoof]) <= s.c->dofs[hoof].torque_max * (1 + 1e-9));
  }
  world_get(s.w, s.q, s.v);
  printf("a hoof pushed by 300 N on a tendon: %.3f rad\n", s.q[hoof]);
  CHECK(s.q[hoof] < 0.15);
  scene_close(&s);
}

/* The horse with stiff tendons in its legs, over one joint and two. */
static struct scene horse_scene(void)
{
  static const struct { const char *dof[2]; struct tissue law; } all[] = {
      {{"pastern.extension"}, {.arm = {1}, .slack = 0.66, .toe = 0.1, .one_sided = 1, .stiffness = 4000}},
      {{"hind_pastern.extension"}, {.arm = {1}, .slack = 0.66, .toe = 0.1, .one_sided = 1, .stiffness = 4000}},
      {{"cannon.flexion"}, {.arm = {-1}, .toe = 0.1, .one_sided = 1, .stiffness = 4000}},
      {{"gaskin.flexion", "hind_cannon.flexion"}, {.arm = {1, -1}, .slack = 0.28, .stiffness = 3000}},
      {{"cannon.flexion", "pastern.extension"},
       {.arm = {-0.3, 1}, .slack = 0.6, .toe = 0.1, .one_sided = 1, .stiffness = 1500, .damping = 5}},
  };
  struct scene s = scene_of("horse", NULL);
  struct creature *c = ARENA_NEW(s.arena, 1, struct creature);
  struct tissue *t = ARENA_NEW(s.arena, 2 * sizeof all / sizeof *all, struct tissue);
  *c = *s.c;
  for (size_t i = 0; i < 2 * sizeof all / sizeof *all; i++) {
    t[i] = all[i / 2].law;
    for (int m = 0; m < 2 && all[i / 2].dof[m]; m++) {
      char name[100];
      snprintf(name, sizeof name, "%s_%s", i % 2 ? "right" : "left", all[i / 2].dof[m]);
      t[i].dof[t[i].n_dofs++] = creature_find_dof(c, name);
      CHECK(t[i].dof[m] >= CREATURE_ROOT_DOFS);
    }
    t[i].name = "tendon";
  }
  c->n_tissues = 2 * sizeof all / sizeof *all;
  c->tissues = t;
  s.c = c;
  return s;
}

/* On its feet, its weight on tendons, and pushed, it does in other engines what it does in ODE, as the horse without
 * them does (test_world). */
static void check_agreement(enum world_engine other)
{
  double apart[3];
  for (int k = 0; k < 3; k++) {
    double end[2][100];
    for (int second = 0; second < 2; second++) {
      scene_engine = second ? other : WORLD_ODE;
      struct scene s = horse_scene();
      double weight = s.c->mass * CREATURE_GRAVITY, time = unit_time(&s);
      const double push[3] = {0.2 * weight, 0.05 * weight, 0};
      s.options.step = time / (64 << k);
      scene_open(&s);
      world_set(s.w, s.rest, s.zero);
      world_push(s.w, 0, push, 0.5 * time);
      for (int i = 0; i < 64 << k; i++)
        CHECK_INT(world_step(s.w, &(struct world_target){.q = s.rest}), 1);
      world_get(s.w, end[second], NULL);
      apart[k] = scene_distance(&s, end[0], end[second]);
      scene_close(&s);
    }
  }
  scene_engine = WORLD_ODE;
  printf("a horse on tendons: ode and %s differ by %.1e, with half the step %.1e, a quarter %.1e\n",
         world_engine_name(other), apart[0], apart[1], apart[2]);
  CHECK(apart[0] < 5e-3 && apart[2] < (other == WORLD_TREE ? 0.5 * apart[0] : 5e-3));
}

/* The same creature, written in two ways. */
static void check_same(void)
{
  static const char body[] =
      "limb trunk { from = {-0.2, 0, 0} to = {0.2, 0, 0} radius = 0.1 mass = 8 }\n"
      "limb leg   { parent = trunk mirror = true at = {0, 0.1, 0} to = {0, 0, -0.4} radius = 0.04 mass = 1\n"
      "             axis flexion { about = -y rest = 15 %s } axis abduction { about = x } }\n"
      "foot leg { limb = leg }\n%s";
  static const char *const ways[2][2] = {
      {"stiffness = 7 damping = 0.3", ""},
      {"", "tendon spring { over = leg.flexion taut = both slack = 15 stiffness = 7 damping = 0.3 }\n"}};
  double q[2][20], v[2][20];
  for (int k = 0; k < 2; k++) {
    char text[MOST_TEXT];
    snprintf(text, sizeof text, body, ways[k][0], ways[k][1]);
    struct scene s = scene_of("spring", text);
    scene_open(&s);
    scene_throw(&s, 3, 0.3);
    world_set(s.w, s.q, s.v);
    for (int i = 0; i < 50; i++)
      CHECK_INT(world_step(s.w, i % 2 ? &(struct world_target){.q = s.rest} : NULL), 1);
    world_get(s.w, q[k], v[k]);
    CHECK(!memcmp(q[0], q[k], s.n * sizeof **q) && !memcmp(v[0], v[k], s.n * sizeof **v));
    scene_close(&s);
  }
}

int main(void)
{
  for (int e = 0; scene_next_engine(&e);) {
    check_energy(1, 0);
    check_energy(30, 0.01);
    check_energy(1000, 0);
    check_energy(1e6, 0);
    check_energy(1e6, 0.1);
    check_stiff(100, 0.05);
    check_stiff(1000, 0.05);
    check_release();
    check_limits();
    check_same();
  }
  for (int e = WORLD_TREE; world_has_engine(WORLD_ODE) && world_engine_name(e); e++)
    if (world_has_engine(e))
      check_agreement((enum world_engine)e);
  return test_finish();
}
