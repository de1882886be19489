/* The tree engine at any attitude of the root: it flies through gimbal lock of yaw, pitch and roll as if there were
 * none, falls, lies and rolls; states near lock go in and out; saving is exact where charts change. */
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "check.h"
#include "physics/reference.h"

static const char brick[] =
    "name = brick\n"
    "limb trunk { from = {-0.2, 0, 0} to = {0.2, 0, 0} shape = box size = {0.5, 0.3, 0.1} mass = 8 }\n"
    "limb load  { parent = trunk joint = fixed at = {0.1, 0, 0.1} shape = box size = {0.1, 0.2, 0.1} mass = 1 }\n"
    "limb leg   { parent = trunk mirror = true joint = fixed at = {0, 0.1, 0} to = {0, 0, -0.3} radius = 0.02\n"
    "             mass = 0.2 }\n"
    "foot paw   { limb = leg }\n"
    "gait stand { period = 1 speed = {0, 1} contact paw { on = {0, 0.9} } }\n";

static double kinetic_energy(struct scene *s)
{
  struct dynamics_whole whole;
  world_get(s->w, s->q, s->v);
  dynamics_whole(s->d, s->q, s->v, s->zero, &whole);
  double fall = 0; /* that of the centre of mass is left out */
  for (int i = 0; i < 3; i++)
    fall += 0.5 * whole.mass * whole.com_velocity[i] * whole.com_velocity[i];
  return whole.kinetic - fall;
}

/* A brick that turns head over heels without torque: how far angular momentum and energy drift, of their size. */
static void tumble(struct scene *s, int steps, double drift[2], double *steepest)
{
  double seconds = 2.5, L0[3], L[3], turned = 0, rate = 6;
  s->options.step = seconds / steps;
  scene_open(s);
  memcpy(s->q, s->rest, s->n * sizeof *s->q);
  s->q[2] += 100, s->q[3] = 0.7;
  memcpy(s->v, s->zero, s->n * sizeof *s->v);
  s->v[4] = rate, s->v[5] = 0.01 * rate;
  world_set(s->w, s->q, s->v);
  world_momentum(s->w, NULL, NULL, L0);
  double energy = kinetic_energy(s), before[3];
  memcpy(before, s->q + 3, sizeof before);
  *steepest = 1;
  drift[0] = drift[1] = 0;
  for (int k = 0; k < steps; k++) {
    CHECK_INT(world_step(s->w, NULL), 1);
    drift[1] = fmax(drift[1], fabs(kinetic_energy(s) / energy - 1));
    world_momentum(s->w, NULL, NULL, L);
    vec3_add_scaled(L, L0, -1);
    drift[0] = fmax(drift[0], vec3_norm(L) / vec3_norm(L0));
    *steepest = fmin(*steepest, fabs(cos(s->q[4])));
    for (int i = 0; i < 3; i++) /* what is shown is continuous, as far as lock lets it */
      turned = fmax(turned, fabs(s->q[3 + i] - before[i]) * fabs(cos(s->q[4])));
    memcpy(before, s->q + 3, sizeof before);
  }
  CHECK(turned < 2 * rate * s->options.step);
}

static void check_tumbling(void)
{
  struct scene s = scene_of("brick", brick);
  double drift[3][2], steepest;
  for (int k = 0; k < 3; k++)
    tumble(&s, 1000 << k, drift[k], &steepest);
  printf("tumbling through %.2f degrees of pitch: momentum off by %.1e %.1e %.1e, energy by %.1e %.1e %.1e\n",
         acos(steepest) * 57.29578, drift[0][0], drift[1][0], drift[2][0], drift[0][1], drift[1][1], drift[2][1]);
  CHECK(steepest < 0.05); /* where yaw, pitch and roll alone were lost */
  for (int k = 0; k < 2; k++) {
    CHECK(drift[0][k] < 0.05);
    for (int i = 0; i < 2; i++)
      CHECK(drift[i + 1][k] < 0.6 * drift[i][k]);
  }
  scene_close(&s);
}

/* ---- falling ---- */

/* A rotation drawn evenly from all, as yaw, pitch and roll. */
static void random_attitude(struct rng *r, double *angles)
{
  angles[0] = rng_uniform(r, -3.14159, 3.14159);
  angles[1] = asin(rng_uniform(r, -1, 1));
  angles[2] = rng_uniform(r, -3.14159, 3.14159);
}

/* In the air at a random attitude, turning, joints as at rest. */
static void drop(struct scene *s, uint64_t seed, double height)
{
  struct rng r = rng_stream(seed, 5);
  double rate = sqrt(CREATURE_GRAVITY / s->c->height);
  memcpy(s->q, s->rest, s->n * sizeof *s->q);
  random_attitude(&r, s->q + 3);
  s->q[2] = height * s->c->height;
  for (size_t i = 0; i < s->n; i++)
    s->v[i] = i >= 3 && i < CREATURE_ROOT_DOFS ? rng_uniform(&r, -1, 1) * rate : 0;
  world_set(s->w, s->q, s->v);
}

/* Forces of the ground on all of the creature, up, in weights. */
static double carried(struct scene *s)
{
  double sum = 0, *limb = ARENA_NEW(s->arena, 3 * (size_t)s->c->n_limbs, double);
  world_contacts(s->w, s->force, NULL);
  world_limb_contacts(s->w, limb, NULL);
  for (int i = 0; i < s->c->n_points; i++)
    sum += s->force[3 * i + 2];
  for (int i = 0; i < s->c->n_limbs; i++)
    sum += limb[3 * i + 2];
  return sum / (s->c->mass * CREATURE_GRAVITY);
}

/* Limp, from any attitude, turning: it comes to lie still on the ground, which carries it. */
static void check_ragdoll(const char *name, int trials)
{
  struct scene s = scene_of(name, NULL);
  double unit = sqrt(s.c->height / CREATURE_GRAVITY), size = s.c->mass * CREATURE_GRAVITY * s.c->height;
  double liveliest = 0, farthest = 0;
  int steep = 0, lost = 0;
  s.options.shapes = 1;
  scene_open(&s);
  int steps = (int)(30 * unit / world_step_seconds(s.w)), last = 9 * steps / 10;
  for (int k = 0; k < trials; k++) {
    double energy = 0, level = 1, place[3] = {0};
    drop(&s, (uint64_t)k, 1.6);
    for (int j = 0; j < steps && world_step(s.w, NULL); j++) {
      world_get(s.w, s.q, s.v);
      level = fmin(level, fabs(cos(s.q[4])));
      if (j == last)
        memcpy(place, s.q, sizeof place);
      energy += j > last ? kinetic_energy(&s) / (steps - last) : 0;
    }
    lost += world_lost(s.w);
    steep += level < 0.5;
    vec3_add_scaled(place, s.q, -1);
    liveliest = fmax(liveliest, energy / size);
    farthest = fmax(farthest, vec3_norm(place) / s.c->height);
    CHECK_NEAR(carried(&s), 1, 0.05); /* a leg may still swing */
    CHECK(s.q[2] > 0 && s.q[2] < 0.9 * s.c->height);
  }
  printf("%-8s %d limp falls, %d in both charts; at the end kinetic energy of %.1e m g L, the root moves by %.4f L\n",
         name, trials, steep, liveliest, farthest);
  CHECK_INT(lost, 0);
  CHECK(steep > 0 && liveliest < 1e-3 && farthest < 0.03);
  scene_close(&s);
}

/* Thrown wildly, joints beyond their ranges and turning, shoulders through lock: it stays a
 * creature that falls. */
static void check_wild(const char *name, int trials)
{
  struct scene s = scene_of(name, NULL);
  int lost = 0;
  s.options.shapes = 1;
  scene_open(&s);
  for (int k = 0; k < trials; k++) {
    struct rng r = rng_stream((uint64_t)k, 9);
    scene_throw(&s, (uint64_t)k, 1);
    random_attitude(&r, s.q + 3);
    s.q[2] = 1.8 * s.c->height;
    for (size_t i = 3; i < s.n; i++)
      s.v[i] *= 3;
    world_set(s.w, s.q, s.v);
    for (int j = 0; j < 300; j++)
      world_step(s.w, NULL);
    lost += world_lost(s.w);
  }
  CHECK_INT(lost, 0);
  scene_close(&s);
}

/* The same fall in ODE: how far the two engines' roots are apart until a limb has been on the ground for a quarter of a
 * unit of time. Contacts of limp bodies are chaotic, so that is as far as one may compare. */
static void check_against_ode(const char *name, uint64_t seed)
{
  struct scene s[2];
  double apart = 0, level = 1, turned = 0, R[2][12];
  scene_engine = WORLD_ODE;
  s[0] = scene_of(name, NULL);
  scene_engine = WORLD_TREE;
  s[1] = scene_of(name, NULL);
  double unit = sqrt(s[0].c->height / CREATURE_GRAVITY);
  for (int e = 0; e < 2; e++) {
    s[e].options.shapes = 1;
    s[e].options.step = unit / 1000;
    scene_open(&s[e]);
    drop(&s[e], seed, 1.3);
  }
  for (int left = 250, on = 0; left > 0; left -= on) {
    for (int e = 0; e < 2; e++) {
      CHECK_INT(world_step(s[e].w, NULL), 1);
      world_get(s[e].w, s[e].q, s[e].v);
      dynamics_kinematics(s[e].d, s[e].q);
      dynamics_rotation(s[e].d, CREATURE_ROOT_DOFS - 1, R[e]);
    }
    on |= carried(&s[1]) > 0;
    level = fmin(level, fabs(cos(s[1].q[4])));
    double off[3] = {s[0].q[0] - s[1].q[0], s[0].q[1] - s[1].q[1], s[0].q[2] - s[1].q[2]};
    apart = fmax(apart, vec3_norm(off) / s[0].c->height);
    for (int i = 0; i < 9; i++)
      turned = fmax(turned, fabs(R[0][i] - R[1][i]));
  }
  printf("%-8s fall %d in ODE and here, to %.0f degrees of pitch: root apart by %.4f L, turned by %.4f\n", name,
         (int)seed, acos(level) * 57.29578, apart, turned);
  CHECK(apart < 0.02 && turned < 0.1);
  scene_close(&s[0]);
  scene_close(&s[1]);
}

/* ---- states ---- */

/* States at any pitch, lock itself too, go in and come out; where lock leaves yaw and roll open, the rotation does. */
static void check_states(const char *name)
{
  struct scene s = scene_of(name, NULL);
  double *q = ARENA_NEW(s.arena, s.n, double), *v = ARENA_NEW(s.arena, s.n, double), worst = 0, R[2][9];
  scene_open(&s);
  for (int k = 0; k <= 360; k++) {
    double pitch = (k - 180) / 57.295779513082321, cosine = fabs(cos(pitch));
    scene_throw(&s, (uint64_t)k, 0.3);
    s.q[4] = pitch;
    world_set(s.w, s.q, s.v);
    world_get(s.w, q, v);
    for (size_t i = 0; i < s.n; i++) { /* near lock, speeds are known to so many digits */
      worst = fmax(worst, fabs(q[i] - s.q[i]) * fmin(1, cosine + 1e-6));
      worst = fmax(worst, fabs(v[i] - s.v[i]) * fmin(1, cosine + 1e-9));
    }
    dynamics_kinematics(s.d, s.q), dynamics_rotation(s.d, CREATURE_ROOT_DOFS - 1, R[0]);
    dynamics_kinematics(s.d, q), dynamics_rotation(s.d, CREATURE_ROOT_DOFS - 1, R[1]);
    for (int i = 0; i < 9; i++)
      CHECK_NEAR(R[0][i], R[1][i], 1e-8);
    for (int i = 0; i < 20; i++)
      CHECK_INT(world_step(s.w, NULL), 1);
  }
  printf("%-8s states at any pitch come out to %.1e\n", name, worst);
  CHECK(worst < 1e-8);
  scene_close(&s);
}

/* Saved before, at and after each change of charts: the rest of the fall is the same to the bit, in another world. */
static void check_saving(const char *name, uint64_t seed)
{
  struct scene s = scene_of(name, NULL);
  int changes = 0, compared = 0;
  s.options.shapes = 1;
  scene_open(&s);
  struct world *other = world_new(s.c, &s.options);
  size_t size = world_state_size(s.w);
  unsigned char *state = arena_alloc(s.arena, 3, size), *first = state + size, *second = first + size;
  drop(&s, seed, 1.6);
  double before = fabs(cos(s.q[4]));
  for (int k = 0; k < 1500; k++) {
    world_save(s.w, state);
    CHECK_INT(world_step(s.w, NULL), 1);
    world_get(s.w, s.q, NULL);
    double now = fabs(cos(s.q[4]));
    int change = (before - 0.5) * (now - 0.5) <= 0 || (before - 0.64) * (now - 0.64) <= 0;
    before = now;
    if (!change && k % 100)
      continue;
    changes += change;
    world_save(s.w, first);
    world_restore(other, state);
    CHECK_INT(world_step(other, NULL), 1);
    world_save(other, second);
    CHECK(!memcmp(first, second, size));
    world_restore(s.w, state); /* and back in the first world */
    CHECK_INT(world_step(s.w, NULL), 1);
    world_save(s.w, second);
    CHECK(!memcmp(first, second, size));
    compared++;
  }
  printf("%-8s saved and restored %d times, %d of them about a change of charts\n", name, compared, changes);
  CHECK(changes >= 2);
  world_free(other);
  scene_close(&s);
}

int main(void)
{
  static const char *const names[] = {"biped", "human", "horse", "dog"};
  scene_engine = WORLD_TREE;
  check_tumbling();
  for (int i = 0; i < 4; i++) {
    check_ragdoll(names[i], 12);
    check_wild(names[i], 17); /* human: six of these were lost without drag */
    check_states(names[i]);
    check_saving(names[i], 1);
    for (uint64_t k = 1; world_has_engine(WORLD_ODE) && k < 4; k++)
      check_against_ode(names[i], k);
  }
  return test_finish();
}
