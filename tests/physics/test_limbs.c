/* Limbs against limbs, in every engine: they do not pass each other, slow or fast, driven or thrown; what acts between
 * them keeps momentum and adds no energy; a state in contact restores to the bit, whatever was remembered of pairs; and
 * where no limb touches another, nothing changes. */
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "check.h"
#include "creature/gap.h"
#include "physics/reference.h"

#define LEVELS 3                /* steps h, h/2, h/4 */

/* Two arms that reach forward and clap, with light hands on wrists; no ground near. */
static const char clapper[] =
    "name = clapper\n"
    "limb trunk { from = {-0.2, 0, 0} to = {0.2, 0, 0} radius = 0.1 mass = 8 }\n"
    "limb arm   { parent = trunk mirror = true at = {0.2, 0.15, 0} to = {0.4, 0, 0} radius = 0.03 mass = 0.7\n"
    "             axis swing { about = z } axis lift { about = -y } }\n"
    "limb hand  { parent = arm to = {0.1, 0, 0} radius = 0.02 mass = 0.03\n"
    "             axis turn { about = -y stiffness = 0.5 damping = 0.05 } }\n"
    "limb leg   { parent = trunk mirror = true at = {-0.2, 0.12, 0} to = {0, 0, -0.4} radius = 0.03 mass = 0.7\n"
    "             axis swing { about = -y } }\n"
    "foot paw   { limb = leg }\n"
    "gait stand { period = 1 speed = {0, 1} contact paw { on = {0, 0.9} } }\n";

struct clap {                   /* what a run came to */
  double deepest;               /* of any pair that keeps apart, of the thinner one's radius */
  double strongest;             /* force between two limbs, of the weight */
  int steps;                    /* in which limbs touched */
  int met;                      /* arms touched */
  double q[100];
};

static void set(struct scene *s, const char *dof, double angle, double speed)
{
  int i = creature_find_dof(s->c, dof);
  CHECK(i >= 0);
  if (i < 0)
    return;
  s->q[i] = angle;
  s->v[i] = speed;
}

/* Solid of a limb at the pose of the last dynamics_kinematics() [m]. */
static void place_limb(const struct scene *s, int limb, struct solid *out)
{
  const struct limb *l = &s->c->limbs[limb];
  const double zero[3] = {0, 0, 0};
  struct solid at_rest;
  double x[3], R[9];
  solid_of_limb(l, 1, &at_rest);
  dynamics_point(s->d, l->body, zero, x);
  dynamics_rotation(s->d, l->body, R);
  solid_move(&at_rest, x, R, 3, out);
}

static double gap_of(const struct scene *s, const struct limb_pair *p, struct gap *g, double *radius)
{
  struct solid a, b;
  place_limb(s, p->a, &a);
  place_limb(s, p->b, &b);
  gap_between(&a, &b, g);
  *radius = fmin(a.radius, b.radius);
  return g->gap;
}

/* Depth of the deepest pair at q, of the smaller radius, by other code than the engines'. */
static double deepest(const struct scene *s, const double *q)
{
  double most = -INFINITY, radius;
  struct gap g;
  dynamics_kinematics(s->d, q);
  for (int i = 0; i < s->c->n_pairs; i++) {
    double depth = -gap_of(s, &s->c->pairs[i], &g, &radius);
    most = fmax(most, depth / radius);
  }
  return most;
}

/* Steps from s->q, s->v; target NULL: limp. */
static struct clap run(struct scene *s, double seconds, const double *target)
{
  struct clap k = {.deepest = -INFINITY};
  struct world_touch touches[WORLD_TOUCHES];
  world_set(s->w, s->q, s->v);
  int steps = (int)(seconds / world_step_seconds(s->w) + 0.5);
  for (int i = 0; i < steps; i++) {
    CHECK_INT(world_step(s->w, target ? &(struct world_target){.q = target} : NULL), 1);
    world_get(s->w, k.q, NULL);
    k.deepest = fmax(k.deepest, deepest(s, k.q));
    int n = world_touches(s->w, touches, WORLD_TOUCHES);
    k.steps += n > 0;
    for (int t = 0; t < n; t++)
      k.strongest = fmax(k.strongest, vec3_norm(touches[t].force) / (s->c->mass * CREATURE_GRAVITY));
  }
  return k;
}

/* Arms of s->q at these angles and speeds, high above the ground; legs apart. */
static void raise_arms(struct scene *s, double angle, double speed, double lift)
{
  memcpy(s->q, s->rest, s->n * sizeof *s->q);
  memset(s->v, 0, s->n * sizeof *s->v);
  s->q[2] += 20;
  set(s, "left_arm.swing", angle, -speed);
  set(s, "right_arm.swing", angle, -speed); /* mirrored */
  set(s, "left_arm.lift", lift, 0);
}

/* ---- limbs do not pass ---- */

/* Servos press the arms together, past each other if they could; the same without contact shows that they could. */
static void check_driven(void)
{
  struct scene s = scene_of("clapper", clapper);
  struct clap k[2];
  for (int limbs = 0; limbs < 2; limbs++) {
    s.options.limbs = limbs;
    scene_open(&s);
    raise_arms(&s, 0.2, 0, 0.02);
    memcpy(s.target, s.q, s.n * sizeof *s.target);
    s.target[creature_find_dof(s.c, "left_arm.swing")] = -0.6;
    s.target[creature_find_dof(s.c, "right_arm.swing")] = -0.6;
    k[limbs] = run(&s, 1, s.target);
  }
  printf("driven: %.3f of a radius deep, %d steps in touch, force up to %.3f of the weight; without contact %.3f "
         "deep\n", k[1].deepest, k[1].steps, k[1].strongest, k[0].deepest);
  CHECK(k[0].deepest > 0.9 && k[0].steps == 0);
  CHECK(k[1].deepest < 0.1 && k[1].steps > 20);
  scene_close(&s);
}

/* Thin limbs that meet fast: in one step they move by more than they are thick. */
static void check_fast(double speed)
{
  struct scene s = scene_of("clapper", clapper);
  double unit = sqrt(CREATURE_GRAVITY / s.c->height);
  scene_open(&s);
  raise_arms(&s, 0, speed * unit, 0.03);
  int left = creature_find_dof(s.c, "left_arm.swing"), right = creature_find_dof(s.c, "right_arm.swing");
  double step = 2 * speed * unit * 0.4 * world_step_seconds(s.w) / 0.03;
  struct clap k = run(&s, 0.5 / unit, NULL);
  printf("fast: ends of arms near by %.2f radii in a step; %.3f of a radius deep; they end at %.2f rad\n", step,
         k.deepest, k.q[left] + k.q[right]);
  CHECK(k.q[left] + k.q[right] > -0.7 && k.steps > 0);
  CHECK(k.deepest < 0.15);
  scene_close(&s);
}

/* Limbs that start deep in each other part slowly: a hand of 0.3 % of the mass is not thrown. */
static void check_overlap(void)
{
  struct scene s = scene_of("clapper", clapper);
  double fastest = 0, v[100];
  scene_open(&s);
  raise_arms(&s, -0.3, 0, 0.0);
  world_set(s.w, s.q, s.v);
  double before = deepest(&s, s.q);
  for (int i = 0; i < 60; i++) {
    CHECK_INT(world_step(s.w, NULL), 1);
    world_get(s.w, s.q, v);
    for (size_t k = CREATURE_ROOT_DOFS; k < s.n; k++)
      fastest = fmax(fastest, fabs(v[k]) * sqrt(s.c->height / CREATURE_GRAVITY));
  }
  printf("overlap: from %.2f of a radius to %.2f; joints turn at up to %.2f sqrt(g / L)\n", before,
         deepest(&s, s.q), fastest);
  CHECK(before > 0.5 && deepest(&s, s.q) < 0.5 * before && fastest < 3);
  scene_close(&s);
}

/* ---- what acts between them ---- */

static double energy(struct scene *s, const double *q, const double *v)
{
  double *M = ARENA_NEW(s->arena, s->n * s->n, double), sum = 0;
  struct dynamics_whole whole;
  dynamics_mass_matrix(s->d, q, M);
  dynamics_whole(s->d, q, v, s->zero, &whole);
  for (size_t i = 0; i < s->n; i++)
    for (size_t j = 0; j < s->n; j++)
      sum += 0.5 * v[i] * M[i * s->n + j] * v[j];
  return sum + s->c->mass * CREATURE_GRAVITY * whole.com[2];
}

/* Arms that clap in the air: momentum stays but for gravity, that of turning too, to the order of the engine; energy
 * does not grow. */
static void check_momentum(void)
{
  struct scene s = scene_of("clapper", clapper);
  double time = sqrt(s.c->height / CREATURE_GRAVITY), unit = s.c->mass * s.c->height / time, drift[LEVELS], off[LEVELS];
  double kinetic = 0, lost = 0;
  for (int level = 0; level < LEVELS; level++) {
    double before[3], after[3], turn[2][3], q[100], v[100];
    s.options.step = time / (64 << level);
    scene_open(&s);
    raise_arms(&s, -0.1, 1 / time, 0.03);
    s.v[creature_find_dof(s.c, "right_arm.swing")] = -0.4 / time; /* so that all of it turns in the end */
    world_set(s.w, s.q, s.v);
    world_momentum(s.w, NULL, before, turn[0]);
    double start = energy(&s, s.q, s.v);
    struct clap k = run(&s, time, NULL);
    world_momentum(s.w, NULL, after, turn[1]);
    after[2] += s.c->mass * CREATURE_GRAVITY * time;
    vec3_add_scaled(after, before, -1);
    vec3_add_scaled(turn[1], turn[0], -1);
    off[level] = vec3_norm(after) / unit;
    drift[level] = vec3_norm(turn[1]) / unit / s.c->height;
    world_get(s.w, q, v);
    lost = start - energy(&s, q, v);
    kinetic = start - energy(&s, s.q, s.zero);
    CHECK(k.steps > 0);
  }
  printf("momentum off by %.1e, %.1e, %.1e; that of turning by %.1e, %.1e, %.1e; of the kinetic energy %.2f is lost\n",
         off[0], off[1], off[2], drift[0], drift[1], drift[2], lost / kinetic);
  CHECK(off[0] < (s.options.engine == WORLD_ODE ? 1e-12 : 5e-3) && drift[0] < 1e-2);
  CHECK(s.options.engine == WORLD_ODE || off[2] < 0.4 * off[0]);
  CHECK(drift[2] < 0.4 * drift[0] || drift[0] < 1e-9);
  CHECK(lost > -0.01 * kinetic && lost < kinetic);
  scene_close(&s);
}

/* ---- saved and restored ---- */

struct trace { unsigned char state[1 << 14]; size_t size; double sum[100]; };

static void follow(struct scene *s, struct world *w, struct trace *t)
{
  double q[100];
  memset(t, 0, sizeof *t);
  for (int i = 0; i < 40; i++) {
    struct world_touch touches[WORLD_TOUCHES];
    CHECK_INT(world_step(w, &(struct world_target){.q = s->target}), 1);
    world_get(w, q, NULL);
    for (size_t k = 0; k < s->n; k++)
      t->sum[k] += q[k];
    for (int n = world_touches(w, touches, WORLD_TOUCHES), k = 0; k < n; k++)
      t->sum[k] += vec3_norm(touches[k].force) + touches[k].depth;
  }
  t->size = world_state_size(w);
  world_save(w, t->state);
}

static void check_restore(void)
{
  struct scene s = scene_of("clapper", clapper);
  struct trace *first = ARENA_NEW(s.arena, 1, struct trace), *again = ARENA_NEW(s.arena, 1, struct trace);
  struct world_touch touches[WORLD_TOUCHES];
  scene_open(&s);
  struct world *other = world_new(s.c, &s.options);
  CHECK(world_state_size(s.w) <= sizeof first->state);
  raise_arms(&s, 0.2, 0, 0.02);
  memcpy(s.target, s.q, s.n * sizeof *s.target);
  s.target[creature_find_dof(s.c, "left_arm.swing")] = -0.6;
  s.target[creature_find_dof(s.c, "right_arm.swing")] = -0.6;
  run(&s, 0.5, s.target);
  CHECK(world_touches(s.w, touches, WORLD_TOUCHES) > 0);
  CHECK(world_touches(s.w, NULL, 0) > 0);
  void *state = arena_alloc(s.arena, 1, world_state_size(s.w));
  world_save(s.w, state);
  follow(&s, s.w, first);
  for (int k = 0; k < 3; k++) { /* the same world; one that comes from elsewhere; a new one */
    struct world *w = k == 0 ? s.w : other;
    if (k == 1)
      for (int i = 0; i < 30; i++)
        CHECK_INT(world_step(w, NULL), 1);
    if (k == 2) {
      world_free(other);
      w = other = world_new(s.c, &s.options);
    }
    world_restore(w, state);
    CHECK_INT(world_touches(w, touches, WORLD_TOUCHES), 0);
    follow(&s, w, again);
    CHECK(!memcmp(first, again, sizeof *first));
  }
  world_restore(s.w, state); /* a bit that differs is seen */
  s.target[s.n - 1] = s.target[s.n - 1] + 1e-9;
  follow(&s, s.w, again);
  CHECK(memcmp(first, again, sizeof *first));
  world_free(other);
  scene_close(&s);
}

/* Where no limb meets another, contact between limbs changes no bit. */
static void check_bystander(const char *name)
{
  struct scene s = scene_of(name, NULL);
  struct trace *with = ARENA_NEW(s.arena, 2, struct trace), *without = with + 1;
  int most = 0;
  for (int limbs = 0; limbs < 2; limbs++) {
    s.options.limbs = limbs;
    scene_open(&s);
    struct trace *t = limbs ? with : without;
    memcpy(s.target, s.rest, s.n * sizeof *s.target);
    for (int i = 0; i < 60; i++) {
      s.target[s.n - 1] = s.rest[s.n - 1] + 0.1 * sin(0.2 * i);
      CHECK_INT(world_step(s.w, &(struct world_target){.q = s.target}), 1);
      most += world_touches(s.w, NULL, 0);
    }
    t->size = world_state_size(s.w);
    CHECK(t->size <= sizeof t->state);
    world_save(s.w, t->state);
  }
  CHECK_INT(most, 0);
  CHECK(with->size == without->size && !memcmp(with->state, without->state, with->size));
  scene_close(&s);
}

/* ---- which limbs touch ---- */

/* From pose to pose, near and far: those that a world finds are those that are in each other, by going over all. How
 * often were they more than a world keeps? */
static int check_found(const char *name)
{
  struct scene s = scene_of(name, NULL);
  struct rng r = rng_stream(11, 12);
  struct world_touch touches[WORLD_TOUCHES];
  double h, radius;
  int found = 0, full = 0, before = test_failures;
  struct gap g;
  s.options.step = 1e-6; /* a step only to look */
  s.options.no_limits = 1;
  scene_open(&s);
  h = world_step_seconds(s.w);
  memcpy(s.q, s.rest, s.n * sizeof *s.q);
  for (int k = 0; k < 400 && test_failures == before; k++) {
    double spread = k % 80 == 0 ? 3 : k % 40 == 0 ? 0.5 : k % 5 == 0 ? 0.1 : 0.01;
    for (size_t i = CREATURE_ROOT_DOFS; i < s.n; i++)
      s.q[i] = (k % 40 ? s.q[i] : s.rest[i]) + rng_uniform(&r, -spread, spread);
    s.q[2] = 20 * s.c->height + k;
    world_set(s.w, s.q, s.zero);
    CHECK_INT(world_step(s.w, NULL), 1);
    int all = world_touches(s.w, touches, WORLD_TOUCHES), n = 0, expected = 0;
    double left_out = 0;
    for (int t = 0; t < all; t++) /* others near by at once */
      if (touches[t].depth > 0)
        touches[n++] = touches[t];
    dynamics_kinematics(s.d, s.q);
    for (int i = 0; i < s.c->n_pairs; i++) {
      const struct limb_pair *p = &s.c->pairs[i];
      int seen = 0;
      if (gap_of(&s, p, &g, &radius) >= 0)
        continue;
      expected++;
      for (int t = 0; t < n; t++)
        if (touches[t].a == p->a && touches[t].b == p->b) {
          seen = 1;
          CHECK_NEAR(touches[t].depth, -g.gap, 1e-8 * s.c->height);
        }
      found += seen;
      left_out = fmax(left_out, seen ? 0 : -g.gap);
    }
    for (int t = 0; t < n; t++) /* of too many, the deepest */
      CHECK(touches[t].depth > left_out - 1e-8 * s.c->height);
    CHECK(n == expected || (n == WORLD_TOUCHES && expected > n));
    full += expected > WORLD_TOUCHES;
  }
  printf("%-16s %d touches in 400 poses, %d times more than fit; steps of %.0e s\n", name, found, full, h);
  CHECK(found > 100);
  scene_close(&s);
  return full;
}

/* A shape that is not solid touches neither a limb nor the ground. */
static void check_ghost(void)
{
  static const char *const solid[] = {"true", "false"};
  int ground[2] = {0, 0}, limbs[2] = {0, 0};
  for (int ghost = 0; ghost < 2; ghost++) {
    char text[1000];
    unsigned char on[10];
    snprintf(text, sizeof text,
             "name = ghost\n"
             "limb trunk { from = {-0.2, 0, 0} to = {0.2, 0, 0} radius = 0.1 mass = 8 }\n"
             "limb tail  { parent = trunk at = {-0.3, 0, 0} to = {-0.4, 0, 0} radius = 0.05 mass = 1 solid = %s\n"
             "             axis lift { about = y } }\n"
             "limb leg   { parent = trunk mirror = true at = {-0.2, 0.06, 0} to = {0, 0, -0.5} radius = 0.02 mass = 1\n"
             "             axis swing { about = y } }\n"
             "foot paw   { limb = leg }\n"
             "gait stand { period = 1 speed = {0, 1} contact paw { on = {0, 0.9} } }\n", solid[ghost]);
    struct scene s = scene_of("ghost", text);
    s.options.shapes = 1;
    s.options.no_limits = 1;
    scene_open(&s);
    memcpy(s.q, s.rest, s.n * sizeof *s.q);
    s.q[2] = 0.2; /* the tail hangs into the ground */
    set(&s, "tail.lift", -1.5, 0);
    world_set(s.w, s.q, s.zero);
    CHECK_INT(world_step(s.w, NULL), 1);
    world_limb_contacts(s.w, NULL, on);
    ground[ghost] = on[creature_find_limb(s.c, "tail")];
    s.q[2] = 10; /* a leg is lifted into the tail */
    set(&s, "tail.lift", 0, 0);
    set(&s, "left_leg.swing", 1.3, 0);
    world_set(s.w, s.q, s.zero);
    CHECK_INT(world_step(s.w, NULL), 1);
    limbs[ghost] = world_touches(s.w, NULL, 0);
    scene_close(&s);
  }
  CHECK(ground[0] > 0 && limbs[0] > 0);
  CHECK(ground[1] == 0 && limbs[1] == 0);
}

/* Limp and falling, a body lies on the ground in a heap of limbs that are not in each other. */
static void check_heap(void)
{
  struct scene s = scene_of("human", NULL);
  double time = sqrt(s.c->height / CREATURE_GRAVITY), end[2];
  for (int limbs = 0; limbs < 2; limbs++) {
    struct rng r = rng_stream(5, 1);
    s.options.limbs = limbs;
    s.options.shapes = 1;
    scene_open(&s);
    for (size_t i = 0; i < s.n; i++)
      s.v[i] = rng_uniform(&r, -1, 1) / time * (i < 3 ? s.c->height : i < 6 ? 1 : 0.5);
    world_set(s.w, s.rest, s.v);
    for (int k = 0; k < (int)(12 * time / world_step_seconds(s.w)); k++)
      CHECK_INT(world_step(s.w, NULL), 1);
    world_get(s.w, s.q, s.v);
    end[limbs] = deepest(&s, s.q);
  }
  printf("a heap: %.3f of a radius deep, without contact %.2f\n", end[1], end[0]);
  CHECK(end[0] > 0.5 && end[1] < 0.1);
  scene_close(&s);
}

/* ---- engines ---- */

/* The same clap in two engines. Without friction only the softness of joints and steps are between ODE and the tree
 * engine; with it, ODE's own guess of the normal force, too. */
static void check_agreement(enum world_engine other, double friction, double tolerance)
{
  double end[2][100], apart = 0;
  for (int second = 0; second < 2; second++) {
    scene_engine = second ? other : WORLD_ODE;
    struct scene s = scene_of("clapper", clapper);
    double time = sqrt(s.c->height / CREATURE_GRAVITY);
    s.options.step = time / 256;
    s.options.limb_friction = friction;
    scene_open(&s);
    raise_arms(&s, -0.1, 1 / time, 0.03);
    struct clap k = run(&s, time, NULL);
    CHECK(k.steps > 0);
    memcpy(end[second], k.q, sizeof k.q);
    if (second)
      apart = scene_distance(&s, end[0], end[1]);
    scene_close(&s);
  }
  printf("after a clap with friction %.1f ode and %s differ by %.1e\n", friction, world_engine_name(other), apart);
  CHECK_NEAR(apart, 0, tolerance);
}

int main(void)
{
  for (int e = 0; scene_next_engine(&e);) {
    check_driven();
    check_fast(1);
    check_fast(4);
    check_overlap();
    check_momentum();
    check_restore();
    check_bystander("horse");
    check_bystander("dog");
    CHECK(check_found("human") + check_found("horse") > 3);
    check_ghost();
  }
  check_heap(); /* in ODE: a heap may pitch over */
  check_agreement(WORLD_TREE, 0, 1e-3);
  check_agreement(WORLD_TREE, 0.3, 0.06);
  if (world_has_engine(WORLD_MUJOCO))
    check_agreement(WORLD_MUJOCO, 0.3, 0.1);
  return test_finish();
}
