/* The creature in the air: as the steps shrink, what the simulated world does becomes what our dynamics says, limp,
 * under torques and under servos that are fed forward; momentum is kept, and pushes change it by force times time. */
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "check.h"
#include "physics/reference.h"
#include "zoo.h"

#define LEVELS 3                /* steps h, h/2, h/4 */

static double rate_of(const struct scene *s)
{
  return sqrt(CREATURE_GRAVITY / s->c->height);
}

/* Torques of a tenth of m g L on the large bodies; small ones get what turns them at the same rate. */
static void random_torques(struct scene *s, uint64_t seed)
{
  struct rng r = rng_stream(seed, 3);
  double *a = s->work, rate = rate_of(s);
  for (size_t i = 0; i < s->n; i++)
    a[i] = i < CREATURE_ROOT_DOFS ? 0 : rng_uniform(&r, -1, 1) * rate * rate;
  dynamics_inverse(s->d, s->rest, s->zero, a, s->torque);
}

/* From the state in q, v: where the world is after `seconds`; target NULL: limp. */
static void simulate(struct scene *s, double seconds, int steps, const struct world_target *target, double *q,
                     double *v)
{
  s->options.step = seconds / steps;
  scene_open(s);
  world_set(s->w, s->q, s->v);
  for (int k = 0; k < steps; k++)
    CHECK_INT(world_step(s->w, target), 1);
  world_get(s->w, q, v);
}

/* Servos without gains that give torques, or (torque NULL) nothing at all: errors must halve with the step. */
static void check_convergence(struct scene *s, const double *torque, const char *what)
{
  double *q = ARENA_NEW(s->arena, s->n, double), *v = ARENA_NEW(s->arena, s->n, double);
  double *p = ARENA_NEW(s->arena, s->n, double), *u = ARENA_NEW(s->arena, s->n, double);
  double error[LEVELS], seconds = 0.2 / rate_of(s);
  struct world_target target = {.q = s->rest, .torque = torque};
  memcpy(q, s->q, s->n * sizeof *q);
  memcpy(v, s->v, s->n * sizeof *v);
  scene_fly(s, seconds, 100, torque, q, v);
  s->options.no_limits = 1;
  s->options.servo_scale = 0;
  for (int k = 0; k < LEVELS; k++) {
    simulate(s, seconds, 50 << k, torque ? &target : NULL, p, u);
    error[k] = scene_distance(s, p, q);
  }
  printf("%-16s %-8s %.1e %.1e %.1e\n", s->c->name, what, error[0], error[1], error[2]);
  /* Stiff tendons on light limbs, in any pose, swing within few of the coarse steps; test_tissue is strict there. */
  int stiff = s->c->n_tissues > 0;
  CHECK(error[1] <= (stiff ? 0.8 : 0.62) * error[0] && error[2] <= (stiff ? 0.65 : 0.55) * error[1]);
  CHECK(stiff || error[2] < 5e-3);
}

/* Momentum by the bodies, and as our dynamics sees it in q and v. */
static void check_momentum(struct scene *s)
{
  struct dynamics_whole before, after;
  double *q = ARENA_NEW(s->arena, s->n, double), *v = ARENA_NEW(s->arena, s->n, double);
  double seconds = 0.3 / rate_of(s), drift[2];
  double unit = s->c->mass * s->c->height * rate_of(s), com[3], momentum[3], angular[3];
  dynamics_whole(s->d, s->q, s->v, s->zero, &before);
  world_set(s->w, s->q, s->v);
  world_momentum(s->w, com, momentum, angular);
  for (int i = 0; i < 3; i++) {
    CHECK_NEAR((com[i] - before.com[i]) / s->c->height, 0, 1e-13);
    CHECK_NEAR((momentum[i] - before.momentum[i]) / unit, 0, 1e-13);
    CHECK_NEAR((angular[i] - before.angular[i]) / unit / s->c->height, 0, 1e-13);
  }
  for (int k = 0; k < 2; k++) {
    simulate(s, seconds, 100 << k, NULL, q, v);
    world_momentum(s->w, NULL, momentum, angular);
    dynamics_whole(s->d, q, v, s->zero, &after);
    double turned[3], own = s->options.engine != WORLD_ODE; /* whose momentum is what q and v say: of first order */
    for (int i = 0; i < 3; i++) {
      double fall = i == 2 ? s->c->mass * CREATURE_GRAVITY * seconds : 0;
      CHECK_NEAR((momentum[i] - before.momentum[i] + fall) / unit, 0, own ? 4e-3 / (1 + k) : 1e-12);
      CHECK_NEAR((after.momentum[i] - before.momentum[i] + fall) / unit, 0, 4e-3 / (1 + k));
      turned[i] = (angular[i] - before.angular[i]) / unit / s->c->height;
    }
    drift[k] = vec3_norm(turned);
  }
  printf("%-16s angular momentum off by %.1e, %.1e\n", s->c->name, drift[0], drift[1]);
  CHECK(drift[0] < (s->options.engine != WORLD_ODE ? 2e-2 : 2e-3) && drift[1] <= 0.66 * drift[0]);
}

/* Servos on a reference that needs torques: with them fed forward and speeds told, the creature follows closely, and
 * closer with shorter steps; without, not. */
static void check_following(struct scene *s)
{
  double seconds = 0.5 / rate_of(s), *q = ARENA_NEW(s->arena, s->n, double), *v = ARENA_NEW(s->arena, s->n, double),
         *p = ARENA_NEW(s->arena, s->n, double), error[3];
  s->options.servo_scale = 1;
  s->options.no_limits = 1;
  for (int mode = 0; mode < 3; mode++) { /* fed forward; with half the step; without */
    int steps = mode == 1 ? 200 : 100;
    s->options.step = seconds / steps;
    scene_open(s);
    world_set(s->w, s->q, s->v);
    memcpy(q, s->q, s->n * sizeof *q);
    memcpy(v, s->v, s->n * sizeof *v);
    error[mode] = 0;
    for (int k = 0; k < steps; k++) {
      scene_fly(s, s->options.step, 1, s->torque, q, v);
      CHECK_INT(world_step(s->w, &(struct world_target){q, mode < 2 ? v : NULL, mode < 2 ? s->torque : NULL}), 1);
      world_get(s->w, p, NULL);
      error[mode] = fmax(error[mode], scene_distance(s, p, q));
    }
  }
  printf("%-16s follows to %.1e, with half the step %.1e, without feed-forward %.1e\n", s->c->name, error[0],
         error[1], error[2]);
  CHECK(error[1] < 0.62 * error[0] && error[2] > 10 * error[0]);
}

/* Forces of any length in time, also parts of steps, and several at a time. */
static void check_push(struct scene *s)
{
  double h, impulse[3] = {0, 0, 0}, before[3], after[3];
  double unit = s->c->mass * s->c->height * rate_of(s), weight = s->c->mass * CREATURE_GRAVITY;
  s->options.step = 0;
  s->options.servo_scale = 1;
  scene_open(s);
  h = world_step_seconds(s->w);
  world_set(s->w, s->q, s->v);
  world_momentum(s->w, NULL, before, NULL);
  for (int i = 0; i < 3; i++) {
    const double force[3] = {0.3 * weight, -0.1 * weight * i, 0.2 * weight}, length = h * (3.3 + 2.25 * i);
    vec3_add_scaled(impulse, force, length);
    CHECK_INT(world_push(s->w, i % s->c->n_limbs, force, length), 1);
  }
  for (int k = 0; k < 20; k++)
    CHECK_INT(world_step(s->w, &(struct world_target){.q = s->rest}), 1);
  world_momentum(s->w, NULL, after, NULL);
  impulse[2] -= weight * 20 * h;
  for (int i = 0; i < 3; i++)
    CHECK_NEAR((after[i] - before[i]) / unit, impulse[i] / unit, s->options.engine != WORLD_ODE ? 0.02 : 1e-12);
  int given = 0;
  const double nothing[3] = {0, 0, 0};
  while (world_push(s->w, 0, nothing, 1))
    given++;
  CHECK_INT(given, WORLD_PUSHES);
}

/* An arm lifted sideways passes gimbal lock at a right angle: the servo brings it there, through, and beyond. */
static void check_lock(void)
{
  struct scene s = scene_of("human", NULL);
  int lift = creature_find_dof(s.c, "left_upper_arm.abduction");
  double worst = 0, *q = s.target;
  scene_open(&s);
  scene_throw(&s, 1, 0);
  world_set(s.w, s.q, s.zero);
  memcpy(s.target, s.rest, s.n * sizeof *s.target);
  double h = world_step_seconds(s.w), from = s.rest[lift];
  int steps = (int)(1.5 / h);
  for (int k = 0; k < steps; k++) {
    s.v[lift] = 1.4;
    for (size_t i = 0; i < s.n; i++)
      s.v[i] = i == (size_t)lift ? 1.4 : 0;
    q[lift] = from + 1.4 * h * (k + 1);
    CHECK_INT(world_step(s.w, &(struct world_target){q, s.v, NULL}), 1);
    world_get(s.w, s.q, NULL);
    worst = fmax(worst, fabs(s.q[lift] - q[lift]));
  }
  printf("an arm lifted by %.0f degrees past gimbal lock follows to %.3f rad\n",
         (q[lift] - from) * 180 / 3.14159265, worst);
  CHECK(q[lift] > 2.2 && worst < 0.06);
  scene_close(&s);
}

static void check_creature(const char *name, const char *text)
{
  struct scene s = scene_of(name, text);
  s.options.limbs = 0; /* our dynamics knows no contacts */
  scene_throw(&s, 5, 0.3);
  random_torques(&s, 9);
  check_convergence(&s, NULL, "limp");
  check_convergence(&s, s.torque, "torques");
  check_momentum(&s);
  check_following(&s);
  check_push(&s);
  scene_close(&s);
}

int main(void)
{
  for (int e = 0; scene_next_engine(&e);) {
    for (int i = 0; i < zoo_size(); i++)
      if (scene_engine != WORLD_ODE || strcmp(zoo_name(i), "centipede")) /* 75 dofs: nothing new, and slow in ODE */
        check_creature(zoo_name(i), NULL);
    check_creature("oblique", oblique_creature);
    check_creature("elastic", elastic_creature);
  }
  check_lock();
  return test_finish();
}
