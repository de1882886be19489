#include "physics/reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dynamics/tissue.h"
#include "zoo.h"

enum world_engine scene_engine = WORLD_ODE;

int scene_next_engine(int *i)
{
  for (; world_engine_name(*i); ++*i) {
    scene_engine = (enum world_engine)*i;
    printf("-- engine %s%s\n", world_engine_name(*i), world_has_engine(*i) ? "" : ": skipped, this build has none");
    if (world_has_engine(*i))
      return ++*i;
  }
  scene_engine = WORLD_ODE;
  return 0;
}

const char oblique_creature[] =
    "name = oblique\n"
    "limb trunk { from = {-0.2, 0, 0} to = {0.2, 0, 0} radius = 0.1 mass = 8 }\n"
    "limb load  { parent = trunk joint = fixed at = {0, 0, 0.15} shape = box size = {0.1, 0.2, 0.1} mass = 2 }\n"
    "limb neck  { parent = trunk at = {0.2, 0, 0.1} to = {0.1, 0, 0.2} radius = 0.04 mass = 1\n"
    "             axis a { about = {0, 1, 0.3} stiffness = 5 damping = 0.3 rest = 10 }\n"
    "             axis b { about = {1, 0.4, 0} stiffness = 3 } }\n"
    "limb thigh { parent = trunk mirror = true at = {-0.1, 0.1, 0} to = {0, 0, -0.3} radius = 0.04 mass = 1\n"
    "             axis flexion { about = {0.2, -1, 0} rest = 15 } axis abduction { about = {1, 0, 0.2} }\n"
    "             axis turn { about = {0, 0.1, 1} } }\n"
    "limb shank { parent = thigh to = {0, 0, -0.3} radius = 0.03 mass = 0.5\n"
    "             axis flexion { about = {0.1, 1, 0.05} range = {0, 130} rest = 30 damping = 0.2 } }\n"
    "limb arm   { parent = trunk mirror = true at = {0.15, 0.1, 0} to = {0, 0, -0.3} radius = 0.03 mass = 0.7\n"
    "             axis swing { about = -y damping = 0.1 } axis lift { about = x stiffness = 2 } }\n"
    "foot paw   { limb = shank }\n"
    "foot hand  { limb = arm }\n"
    "gait stand { period = 1 speed = {0, 1} contact paw { on = {0, 0.9} } contact hand { on = {0, 0.9} } }\n";

const char elastic_creature[] =
    "name = elastic\n"
    "limb trunk  { from = {-0.3, 0, 0} to = {0.3, 0, 0} radius = 0.1 mass = 20 }\n"
    "limb thigh  { parent = trunk mirror = true at = {-0.2, 0.1, 0} to = {0.05, 0, -0.3} radius = 0.05 mass = 2\n"
    "              axis flexion { about = -y rest = 20 torque = 200 } axis abduction { about = x torque = 100 }\n"
    "              axis turn { about = z torque = 50 stiffness = 5 } }\n"
    "limb shank  { parent = thigh to = {0, 0, -0.3} radius = 0.03 mass = 0.8\n"
    "              axis flexion { about = y range = {0, 130} rest = 50 torque = 150 damping = 0.1 } }\n"
    "limb cannon { parent = shank to = {0, 0, -0.2} radius = 0.02 mass = 0.3\n"
    "              axis flexion { about = -y rest = 40 torque = 80 } }\n"
    "limb hoof   { parent = cannon to = {0.06, 0, -0.08} radius = 0.015 mass = 0.1\n"
    "              axis extension { about = -y rest = 10 torque = 5 } }\n"
    "limb arm    { parent = trunk mirror = true at = {0.25, 0.1, 0} to = {0, 0, -0.3} radius = 0.03 mass = 1\n"
    "              axis swing { about = -y stiffness = 5 } axis lift { about = x } }\n"
    "foot hoof   { limb = hoof }\n"
    "foot hand   { limb = arm }\n"
    "tendon suspensory { over = hoof.extension stiffness = 1.5 slack = 5 }\n"
    "tendon extensor   { over = hoof.extension stiffness = 1 slack = 15 taut = below damping = 0.005 toe = 10 }\n"
    "tendon peroneus   { over = {shank.flexion, cannon.flexion} arms = {1, -1} taut = both stiffness = 6 slack = 16 }\n"
    "tendon flexor     { over = {cannon.flexion, hoof.extension} arms = {-0.4, 1} stiffness = 1 slack = -20\n"
    "                    damping = 0.01 }\n"
    "tendon hamstring  { over = {shank.flexion, thigh.flexion} arms = {-0.8, 1.2} stiffness = 40 damping = 1 }\n"
    "tendon capsule    { over = {thigh.abduction, thigh.turn} arms = {1, 0.5} stiffness = 10 taut = both\n"
    "                    damping = 0.1 }\n"
    "tendon shoulder   { over = {arm.swing, arm.lift} stiffness = 3 taut = both damping = 0.05 }\n"
    "gait stand { period = 1 speed = {0, 1} contact hoof { on = {0, 0.9} } contact hand { on = {0, 0.9} } }\n";

static const struct creature *find(struct arena *arena, const char *name, const char *text)
{
  struct diag d;
  if (!text)
    return zoo_find(arena, name);
  diag_init(&d);
  const struct creature *c = creature_parse(arena, name, text, strlen(text), &d);
  char *told = diag_text(&d);
  fputs(told, stderr);
  free(told);
  diag_clear(&d);
  return c;
}

struct scene scene_of(const char *name, const char *text)
{
  struct scene s = {.arena = arena_new()};
  s.c = find(s.arena, name, text);
  if (!s.c) {
    fprintf(stderr, "no creature %s\n", name);
    exit(1);
  }
  s.n = (size_t)s.c->n_dofs;
  s.d = dynamics_new(s.arena, s.c);
  double **all[] = {&s.q, &s.v, &s.rest, &s.zero, &s.target, &s.torque};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    *all[i] = ARENA_NEW(s.arena, s.n, double);
  s.force = ARENA_NEW(s.arena, 3 * (size_t)s.c->n_points, double);
  s.work = ARENA_NEW(s.arena, 12 * s.n, double);
  creature_rest_pose(s.c, s.rest);
  world_defaults(s.c, &s.options);
  s.options.engine = scene_engine;
  return s;
}

void scene_open(struct scene *s)
{
  world_free(s->w);
  s->w = world_new(s->c, &s->options);
  if (!s->w) {
    fprintf(stderr, "no world for %s\n", s->c->name);
    exit(1);
  }
}

void scene_close(struct scene *s)
{
  world_free(s->w);
  arena_free(s->arena);
}

void scene_throw(struct scene *s, uint64_t seed, double spread)
{
  struct rng r = rng_stream(seed, 77);
  double rate = sqrt(CREATURE_GRAVITY / s->c->height);
  for (size_t i = 0; i < s->n; i++) {
    s->q[i] = s->rest[i] + rng_uniform(&r, -spread, spread) * (i < 3 ? s->c->height : 1);
    s->v[i] = rng_uniform(&r, -1, 1) * rate * (i < 3 ? s->c->height : 1);
  }
  s->q[2] += 20 * s->c->height;
}

static void accelerate(struct scene *s, const double *q, const double *v, const double *torque, double *a)
{
  double *tau = s->work + 10 * s->n;
  double *passive = s->work + 11 * s->n;
  memset(passive, 0, s->n * sizeof *passive);
  tissue_subtract(s->c, q, v, passive);
  for (size_t i = 0; i < s->n; i++)
    tau[i] = i < CREATURE_ROOT_DOFS ? 0 : (torque ? torque[i] : 0) - passive[i];
  dynamics_forward(s->d, q, v, tau, a);
}

static void step(struct scene *s, double h, const double *torque, double *q, double *v)
{
  static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
  size_t n = s->n;
  double *k[4], *u[4], *p = s->work + 8 * n, *r = s->work + 9 * n;
  for (size_t m = 0; m < 4; m++) {
    k[m] = s->work + m * n, u[m] = s->work + (4 + m) * n;
    for (size_t i = 0; i < n; i++) {
      p[i] = q[i] + (m ? at[m] * h * u[m - 1][i] : 0);
      r[i] = v[i] + (m ? at[m] * h * k[m - 1][i] : 0);
    }
    memcpy(u[m], r, n * sizeof *r);
    accelerate(s, p, r, torque, k[m]);
  }
  for (size_t i = 0; i < n; i++)
    for (size_t m = 0; m < 4; m++) {
      q[i] += h / 6 * weight[m] * u[m][i];
      v[i] += h / 6 * weight[m] * k[m][i];
    }
}

void scene_fly(struct scene *s, double seconds, int steps, const double *torque, double *q, double *v)
{
  for (int k = 0; k < steps; k++)
    step(s, seconds / steps, torque, q, v);
}

double scene_distance(const struct scene *s, const double *a, const double *b)
{
  double most = 0;
  for (size_t i = 0; i < s->n; i++) {
    double d = fabs(a[i] - b[i]) / (i < 3 ? s->c->height : 1);
    if (!(d <= most))
      most = d;
  }
  return most;
}
