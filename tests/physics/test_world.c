/* A creature on the ground: it stands, and the ground carries its weight; friction holds it or lets it slide;
 * slopes, ice, steps; torque limits and ranges hold; what falls lies on the ground. */
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "check.h"
#include "physics/reference.h"
#include "zoo.h"

/* Steps with the rest pose as the target; forces in s->force, state in s->q, s->v. */
static void stand(struct scene *s, double seconds)
{
  int steps = (int)ceil(seconds / world_step_seconds(s->w));
  for (int k = 0; k < steps; k++)
    CHECK_INT(world_step(s->w, &(struct world_target){.q = s->rest}), 1);
  world_get(s->w, s->q, s->v);
  world_contacts(s->w, s->force, NULL);
}

static void add_forces(const struct scene *s, double *sum)
{
  memset(sum, 0, 3 * sizeof *sum);
  for (int p = 0; p < s->c->n_points; p++)
    vec3_add_scaled(sum, s->force + 3 * p, 1);
}

/* Two seconds on its feet, as bodies with tendons sway longer, and the forces of the last step. */
static void check_standing(const char *name)
{
  struct scene s = scene_of(name, NULL);
  double sum[3], weight = s.c->mass * CREATURE_GRAVITY;
  unsigned char on[100];
  scene_open(&s);
  world_set(s.w, s.rest, s.zero);
  stand(&s, 2);
  add_forces(&s, sum);
  world_contacts(s.w, NULL, on);
  printf("%-16s %llu steps of %.2f ms: height %.4f of %.4f, tilt %.4f %.4f, weight %.6f\n", name,
         (unsigned long long)world_steps(s.w), 1e3 * world_step_seconds(s.w), s.q[2], s.rest[2], s.q[4], s.q[5],
         sum[2] / weight);
  CHECK_NEAR(s.q[2], s.rest[2], 0.05 * s.rest[2]);
  CHECK_NEAR(s.q[4], 0, 0.1);
  CHECK_NEAR(s.q[5], 0, 1e-6);
  CHECK_NEAR(sum[2] / weight, 1, 1e-3);
  CHECK_NEAR(sum[0] / weight, 0, 5e-3);
  for (int p = 0; p < s.c->n_points; p++)
    CHECK(on[p] ? s.force[3 * p + 2] >= 0 : s.force[3 * p + 2] == 0);
  scene_close(&s);
}

/* The rate of change of momentum is gravity and the contacts' forces, in every step: nothing else acts, and none is
 * forgotten. */
static void check_newton(const char *name, int shapes)
{
  struct scene s = scene_of(name, NULL);
  double *limb = ARENA_NEW(s.arena, 3 * (size_t)s.c->n_limbs, double);
  double weight = s.c->mass * CREATURE_GRAVITY, before[3], after[3], sum[3];
  int most = 0;
  s.options.shapes = shapes;
  scene_open(&s);
  memcpy(s.q, s.rest, s.n * sizeof *s.q);
  s.q[5] = 0.5; /* leaning, since legs whose joints have come to their ends can carry even a limp creature */
  world_set(s.w, s.q, s.zero);
  for (int k = 0; k < 400; k++) {
    unsigned char on[100];
    int touching = 0;
    world_momentum(s.w, NULL, before, NULL);
    CHECK_INT(world_step(s.w, NULL), 1); /* limp: it falls, in a heap */
    world_momentum(s.w, NULL, after, NULL);
    world_contacts(s.w, s.force, NULL);
    add_forces(&s, sum);
    world_limb_contacts(s.w, limb, on);
    for (int i = 0; i < s.c->n_limbs; i++) {
      vec3_add_scaled(sum, limb + 3 * i, 1);
      touching += on[i];
    }
    most = touching > most ? touching : most;
    for (int i = 0; i < 3; i++)
      CHECK_NEAR((after[i] - before[i]) / world_step_seconds(s.w) / weight, sum[i] / weight - (i == 2), 1e-6);
  }
  CHECK(shapes ? most > 0 : most == 0);
  scene_close(&s);
}

/* A heap lies on the ground: limbs no deeper in it than a foot would be, weight carried, nearly at rest. Without
 * shapes it falls through. */
static void check_heap(const char *name)
{
  struct scene s = scene_of(name, NULL);
  double *limb = ARENA_NEW(s.arena, 3 * (size_t)s.c->n_limbs, double);
  double weight = s.c->mass * CREATURE_GRAVITY, com[3], p[3], sum[3] = {0, 0, 0};
  for (int shapes = 0; shapes < 2; shapes++) {
    s.options.shapes = shapes;
    s.options.step = 0;
    scene_open(&s);
    world_set(s.w, s.rest, s.zero);
    int steps = (int)(3 / world_step_seconds(s.w)), last = steps / 4, done = 0;
    double limb_sum = 0;
    for (int k = 0; k < steps; k++) {
      done += world_step(s.w, NULL);
      world_contacts(s.w, s.force, NULL);
      add_forces(&s, sum);
      world_limb_contacts(s.w, limb, NULL);
      for (int i = 0; k >= steps - last && i < s.c->n_limbs; i++)
        limb_sum += limb[3 * i + 2] / last;
      limb_sum += k >= steps - last ? sum[2] / last : 0;
    }
    CHECK_INT(done, steps);
    world_momentum(s.w, com, p, NULL);
    printf("%-16s limp for 3 s%s: centre of mass at %.3f of its height, speed %.3f, ground carries %.3f\n", name,
           shapes ? ", limbs touch" : "", com[2] / s.c->height, vec3_norm(p) / s.c->mass, limb_sum / weight);
    if (shapes) {
      CHECK(com[2] > 0 && com[2] < 0.7 * s.c->height && vec3_norm(p) / s.c->mass < 0.2);
      CHECK_NEAR(limb_sum / weight, 1, 0.1);
    } else if (strcmp(name, "hyq")) { /* whose legs end at their ranges before its body is down */
      CHECK(com[2] < 0);
    }
  }
  scene_close(&s);
}

/* Ice takes no force along it. */
static void check_ice(void)
{
  struct scene s = scene_of("hyq", NULL);
  s.options.friction = 0;
  scene_open(&s);
  world_set(s.w, s.rest, s.zero);
  for (int k = 0; k < 100; k++) {
    const double push[3] = {50, 20, 0};
    world_push(s.w, 0, push, world_step_seconds(s.w));
    stand(&s, world_step_seconds(s.w));
    for (int p = 0; p < s.c->n_points; p++)
      CHECK(s.force[3 * p] == 0 && s.force[3 * p + 1] == 0);
  }
  CHECK(s.v[0] > 0.1);
  scene_close(&s);
}

/* On a slope in the direction it faces (yaw): it holds when friction can, and else slides as a block does. */
static void check_slope(double angle, double friction)
{
  struct scene s = scene_of("hyq", NULL);
  double seconds = 0.4, com[3], p[3], expected = CREATURE_GRAVITY * (sin(angle) - friction * cos(angle)) * seconds;
  s.options.terrain = (struct terrain){.kind = TERRAIN_SLOPE, .size = angle};
  s.options.friction = friction;
  scene_open(&s);
  memcpy(s.q, s.rest, s.n * sizeof *s.q);
  s.q[4] = -angle; /* nose up */
  s.q[0] = -s.rest[2] * sin(angle), s.q[2] = s.rest[2] * cos(angle);
  world_set(s.w, s.q, s.zero);
  stand(&s, seconds);
  world_momentum(s.w, com, p, NULL);
  double speed = -(p[0] * cos(angle) + p[2] * sin(angle)) / s.c->mass;
  printf("slope of %.0f degrees, friction %.2f: slides down at %.3f m/s, a block at %.3f\n", angle * 57.29578,
         friction, speed, fmax(expected, 0));
  CHECK_NEAR(speed, fmax(expected, 0), expected > 0 ? 0.1 * expected : 0.02);
  scene_close(&s);
}

/* Friction of every foot in each of its two directions is at most mu times what presses it: in ODE to a few
 * hundredths, since its bound is found by doing a step again. On the whole it is right: forces along
 * the ground of all feet that slide against mu times their pressure. */
static void check_friction(void)
{
  struct scene s = scene_of("hyq", NULL);
  struct rng r = rng_stream(4, 4);
  double worst = 0, friction = 0, pressure = 0;
  int over = 0, sliding = 0, all = 0;
  s.options.friction = 0.3;
  scene_open(&s);
  world_set(s.w, s.rest, s.zero);
  for (int k = 0; k < 600; k++) {
    if (k % 50 == 0) {
      const double push[3] = {rng_uniform(&r, -400, 400), rng_uniform(&r, -400, 400), 0};
      world_push(s.w, 0, push, 0.1);
    }
    double yaw = s.q[3], c = cos(yaw), d = sin(yaw);
    stand(&s, world_step_seconds(s.w));
    for (int p = 0; p < s.c->n_points; p++) {
      const double *f = s.force + 3 * p;
      double along = fmax(fabs(c * f[0] + d * f[1]), fabs(c * f[1] - d * f[0]));
      if (s.options.engine == WORLD_MUJOCO) /* a cone, not a pyramid */
        along = hypot(f[0], f[1]);
      if (f[2] < 0.05 * s.c->mass * CREATURE_GRAVITY)
        continue;
      worst = fmax(worst, along / (0.3 * f[2]));
      over += along > 1.1 * 0.3 * f[2];
      if (along > 0.25 * f[2])
        sliding++, friction += along, pressure += f[2];
      all++;
    }
  }
  printf("friction at most %.3f mu N, over 1.1 in %d of %d contacts; sliding in %d, with %.3f mu N\n", worst, over,
         all, sliding, friction / pressure / 0.3);
  CHECK(sliding > 50 && worst < 1.1 && over == 0);
  CHECK(s.options.engine == WORLD_ODE || worst < 1 + 1e-8);
  CHECK_NEAR(friction / pressure / 0.3, 1, 0.06);
  scene_close(&s);
}

/* Turning the creature turns all that happens: pushed to its left it does the same whichever way it faces. */
static void check_heading(void)
{
  struct scene s = scene_of("hyq", NULL);
  double end[2][8], yaw[2] = {0, 2.1};
  s.options.friction = 0.3;
  for (int k = 0; k < 2; k++) {
    double c = cos(yaw[k]), d = sin(yaw[k]);
    const double push[3] = {100 * c - 300 * d, 100 * d + 300 * c, 0};
    scene_open(&s);
    memcpy(s.q, s.rest, s.n * sizeof *s.q);
    s.q[3] = yaw[k];
    world_set(s.w, s.q, s.zero);
    world_push(s.w, 0, push, 0.1);
    stand(&s, 0.5);
    end[k][0] = c * s.q[0] + d * s.q[1], end[k][1] = c * s.q[1] - d * s.q[0], end[k][2] = s.q[2];
    end[k][3] = s.q[3] - yaw[k];
    memcpy(end[k] + 4, s.q + 4, 4 * sizeof *s.q);
  }
  CHECK(fabs(end[0][1]) > 0.02);
  for (int i = 0; i < 8; i++)
    CHECK_NEAR(end[0][i], end[1][i], 1e-6);
  scene_close(&s);
}

/* Servos asked for too much give what the creature has, and in the air the joints stop at the ends of their ranges. */
static void check_limits(const char *name)
{
  struct scene s = scene_of(name, NULL);
  int at_limit = 0, limited = 0, at_end = 0;
  double beyond = 0, over = 0;
  scene_open(&s);
  for (int way = -1; way <= 1; way += 2) {
    scene_throw(&s, 1, 0);
    world_set(s.w, s.q, s.zero);
    for (size_t i = 0; i < s.n; i++)
      s.target[i] = i < CREATURE_ROOT_DOFS ? 0 : way < 0 ? s.c->dofs[i].lower - 1.5 : s.c->dofs[i].upper + 1.5;
    int steps = (int)(1 / world_step_seconds(s.w));
    for (int k = 0; k < steps; k++) {
      if (!world_step(s.w, &(struct world_target){.q = s.target})) { /* the model's angles, when it is pitched over */
        CHECK(s.options.engine == WORLD_MUJOCO && fabs(cos(s.q[4])) < 0.3);
        break;
      }
      world_torques(s.w, s.torque);
      world_get(s.w, s.q, NULL);
      for (size_t i = CREATURE_ROOT_DOFS; i < s.n; i++) {
        const struct dof *d = &s.c->dofs[i];
        limited += isfinite(d->torque_max) && k == 0;
        over = fmax(over, fabs(s.torque[i]) / d->torque_max - 1);
        at_limit += fabs(s.torque[i]) > d->torque_max * (1 - 1e-9);
        beyond = fmax(beyond, fmax(s.q[i] - d->upper, d->lower - s.q[i]));
        at_end += k == steps / 5 && fmin(fabs(s.q[i] - d->upper), fabs(s.q[i] - d->lower)) < 0.02;
      }
    }
  }
  printf("%-16s joints go %.4f rad beyond their ranges, %d of %zu dofs at an end; torque at its limit %d times (%d "
         "dofs have one), over it by %.1e\n", name, beyond, at_end, 2 * (s.n - 6), at_limit, limited / 2, over);
  CHECK(beyond < (s.options.engine == WORLD_MUJOCO ? 0.15 : 0.05) && at_end > (int)s.n - 6 && over < 1e-9);
  CHECK(!limited || at_limit > 0);
  scene_close(&s);
}

/* The torque that world_torques() reports is the servo's law at the end of the step: kp (q* - q - h v') + kd (v* -
 * v'), v' the new speed. */
static void check_law(const char *name, const char *text)
{
  struct scene s = scene_of(name, text);
  double *q = ARENA_NEW(s.arena, s.n, double), *v = ARENA_NEW(s.arena, s.n, double), worst = 0;
  s.options.no_limits = 1;
  s.options.step = 1e-5 * sqrt(s.c->height / CREATURE_GRAVITY); /* so short that axes stand still */
  scene_open(&s);
  scene_throw(&s, 3, 0.2);
  world_set(s.w, s.q, s.v);
  world_get(s.w, q, NULL);
  struct rng r = rng_stream(1, 1);
  for (size_t i = 0; i < s.n; i++)
    s.target[i] = s.q[i] + rng_uniform(&r, -0.05, 0.05), s.v[i] = rng_uniform(&r, -1, 1);
  double h = world_step_seconds(s.w), unit = s.c->mass * CREATURE_GRAVITY * s.c->height;
  double *given = ARENA_NEW(s.arena, s.n, double);
  for (size_t i = 0; i < s.n; i++)
    given[i] = rng_uniform(&r, -0.1, 0.1) * unit;
  world_step(s.w, &(struct world_target){s.target, s.v, given});
  world_torques(s.w, s.torque);
  world_get(s.w, s.q, v);
  for (size_t i = CREATURE_ROOT_DOFS; i < s.n; i++) {
    const struct dof *d = &s.c->dofs[i];
    double law = d->servo_kp * (s.target[i] - q[i] - h * v[i]) + d->servo_kd * (s.v[i] - v[i]) + given[i];
    law = fmin(fmax(law, -d->torque_max), d->torque_max);
    if (!(fabs(law - s.torque[i]) / unit <= worst))
      worst = fabs(law - s.torque[i]) / unit;
  }
  printf("%-16s servo torques are off the law by %.1e m g L\n", s.c->name, worst);
  CHECK_NEAR(worst, 0, s.options.engine == WORLD_ODE ? 2e-4 : 1e-12);
  scene_close(&s);
}

static void check_ground(void)
{
  struct terrain all[] = {{TERRAIN_FLAT, 0, 0, 0, 0},        {TERRAIN_SLOPE, 0.3, 0, 0, 0},
                          {TERRAIN_STEPS, 0.1, 0.5, 0, 0},   {TERRAIN_STEPS, -0.1, 0.5, 0, 0},
                          {TERRAIN_BEAMS, 0.05, 0.6, 0, 0},  {TERRAIN_PEBBLES, 0.04, 0.2, 11, 0}};
  struct rng r = rng_stream(2, 2);
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    const struct terrain *t = &all[k];
    double low = 0, high = 0;
    for (int trial = 0; trial < 3000; trial++) {
      double x = rng_uniform(&r, -3, 3), y = rng_uniform(&r, -3, 3), e = 1e-7, n[3], z = terrain_height(t, x, y, n);
      double zx = (terrain_height(t, x + e, y, NULL) - terrain_height(t, x - e, y, NULL)) / (2 * e);
      double zy = (terrain_height(t, x, y + e, NULL) - terrain_height(t, x, y - e, NULL)) / (2 * e);
      CHECK_NEAR(vec3_norm(n), 1, 1e-15);
      CHECK_NEAR(-n[0] / n[2], zx, 2e-5);
      CHECK_NEAR(-n[1] / n[2], zy, 2e-5);
      low = fmin(low, z), high = fmax(high, z);
    }
    CHECK(t->kind == TERRAIN_FLAT ? high == 0 && low == 0 : high > 0.02 || low < -0.02);
    CHECK(t->kind < TERRAIN_BEAMS || (low == 0 && high <= t->size));
  }
  CHECK_NEAR(terrain_height(&all[1], 2, 7, NULL), 2 * tan(0.3), 1e-15);
  for (int k = 0; k < 5; k++) { /* the tread of step k begins where its riser ends */
    CHECK_NEAR(terrain_height(&all[2], 0.5 * k + 0.001, 1, NULL), 0.1 * k, 1e-15);
    CHECK_NEAR(terrain_height(&all[3], 0.5 * k + 0.2, 1, NULL), -0.1 * k, 1e-15);
    CHECK_NEAR(terrain_height(&all[4], 0.6 * (k + 1) + 0.02, 1, NULL), 0.05, 1e-15);
  }
  CHECK(terrain_height(&all[2], -3, 0, NULL) == 0 && terrain_height(&all[4], 0, 0, NULL) == 0);
  struct terrain other = all[5];
  other.seed = 12;
  CHECK(terrain_height(&other, 0.31, 0.27, NULL) != terrain_height(&all[5], 0.31, 0.27, NULL));
}

/* A quadruped whose feet are on a step, a beam and pebbles is carried there. */
static void check_terrain(struct terrain t, double x)
{
  struct scene s = scene_of("hyq", NULL);
  double sum[3], weight = s.c->mass * CREATURE_GRAVITY, lift = fabs(t.size);
  s.options.terrain = t;
  scene_open(&s);
  memcpy(s.q, s.rest, s.n * sizeof *s.q);
  s.q[0] = x, s.q[2] += world_ground(s.w, x, 0) + lift;
  world_set(s.w, s.q, s.zero);
  stand(&s, 1);
  add_forces(&s, sum);
  CHECK_NEAR(sum[2] / weight, 1, 0.05);
  CHECK_NEAR(s.q[4], 0, 0.5);
  scene_close(&s);
}

static void check_refusals(void)
{
  struct scene s = scene_of("hyq", NULL);
  struct world_options bad[] = {s.options, s.options, s.options, s.options, s.options, s.options};
  bad[0].step = -1, bad[1].friction = NAN, bad[2].servo_scale = -1, bad[3].contact_erp = 0;
  bad[4].terrain.kind = TERRAIN_STEPS, bad[5].terrain = (struct terrain){.kind = TERRAIN_SLOPE, .size = 2};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct diag d;
    diag_init(&d);
    CHECK_INT(world_check(s.c, &bad[i], &d), 0);
    CHECK_INT(d.n_errors, 1);
    CHECK(world_new(s.c, &bad[i]) == NULL);
    diag_clear(&d);
  }
  CHECK_INT(world_check(s.c, &s.options, NULL), 1);
  scene_close(&s);
}

/* Engines that share nothing but the equations: a creature on its feet that is pushed does the same in both, and more
 * so with shorter steps if only the joints' softness is between them (MuJoCo's contacts are softer by other rules). */
static void check_agreement(const char *name, enum world_engine other)
{
  double apart[3];
  for (int k = 0; k < 3; k++) {
    double end[2][100];
    for (int second = 0; second < 2; second++) {
      scene_engine = second ? other : WORLD_ODE;
      struct scene s = scene_of(name, NULL);
      double time = sqrt(s.c->height / CREATURE_GRAVITY), weight = s.c->mass * CREATURE_GRAVITY;
      const double push[3] = {0.2 * weight, 0.05 * weight, 0};
      s.options.step = time / (64 << k);
      scene_open(&s);
      world_push(s.w, 0, push, 0.5 * time);
      stand(&s, time);
      memcpy(end[second], s.q, s.n * sizeof *s.q);
      for (int i = 0; i < 3; i++)
        end[second][i] /= s.c->height;
      if (second) {
        apart[k] = scene_distance(&s, end[0], end[1]);
        CHECK(fabs(s.q[0] - s.rest[0]) > 1e-3 * s.c->height);
      }
      scene_close(&s);
    }
  }
  printf("%-16s ode and %s differ by %.1e, with half the step %.1e, a quarter %.1e\n", name, world_engine_name(other),
         apart[0], apart[1], apart[2]);
  if (other == WORLD_TREE)
    CHECK(apart[0] < 5e-3 && apart[2] < 0.5 * apart[0]);
  else
    CHECK(apart[0] < 5e-3 && apart[2] < 5e-3);
}

static void check_engine(void)
{
  static const char *const standing[] = {"horse", "dog", "hyq", "kangaroo_grazing"};
  static const char *const falling[] = {"biped", "human", "hyq"};
  for (size_t i = 0; i < sizeof standing / sizeof *standing; i++)
    check_standing(standing[i]);
  for (size_t i = 0; i < sizeof falling / sizeof *falling; i++) {
    if (scene_engine == WORLD_ODE) { /* others keep momentum to first order, and are lost where a heap tips over */
      check_newton(falling[i], 0);
      check_newton(falling[i], 1);
      check_heap(falling[i]);
    }
  }
  check_ice();
  check_slope(0.2, 0.8);
  check_slope(0.3, 0.1);
  check_slope(0.3, 0);
  check_friction();
  check_heading();
  for (int i = 0; i < zoo_size(); i++)
    if (strcmp(zoo_name(i), "centipede")) {
      check_limits(zoo_name(i));
      check_law(zoo_name(i), NULL);
    }
  check_law("oblique", oblique_creature);
  check_terrain((struct terrain){TERRAIN_STEPS, 0.1, 0.7, 0, 0}, 0.7);
  check_terrain((struct terrain){TERRAIN_BEAMS, 0.05, 0.37, 0, 0}, 0.37);
  check_terrain((struct terrain){TERRAIN_PEBBLES, 0.03, 0.2, 3, 0}, 0);
  check_refusals();
}

int main(void)
{
  static const char *const both[] = {"biped", "strider", "triped", "horse", "dog", "hyq"};
  check_ground();
  for (size_t i = 0; i < sizeof both / sizeof *both; i++)
    for (int e = WORLD_TREE; world_engine_name(e); e++)
      if (world_has_engine(e))
        check_agreement(both[i], (enum world_engine)e);
  for (int i = 0; scene_next_engine(&i);)
    check_engine();
  return test_finish();
}
