/* How long a step of the simulated world takes, and how much of it is ODE's own dWorldStep() in the same scene, with
 * the same joints and contacts: the rest is ours (servos, contacts, angles). The bar is 10 % of that. Then the same by
 * the tree engine.
 *
 * A creature stands in its rest pose with its feet on the ground, and is put back after every 10 steps, so that feet
 * stay on the ground also of those that fall. The linker puts a clock around dWorldStep(). The quickest of many
 * rounds counts: the machine may be busy. */
#include <ode/ode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "physics/world.h"
#include "zoo.h"

#define STEPS   10
#define SECONDS 2.0             /* of rounds, for each line */

static double inside;           /* seconds spent in dWorldStep() */
static int with_clock;

int __real_dWorldStep(dWorldID world, dReal step);
int __wrap_dWorldStep(dWorldID world, dReal step);

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int __wrap_dWorldStep(dWorldID world, dReal step)
{
  if (!with_clock)
    return __real_dWorldStep(world, step);
  double start = now();
  int result = __real_dWorldStep(world, step);
  inside += now() - start;
  return result; /* a reading of the clock, some 30 ns, counts as ODE's */
}

static double round_of(struct world *w, const void *start, const double *rest, int only_ode)
{
  world_restore(w, start);
  with_clock = only_ode;
  inside = 0;
  double from = now();
  for (int k = 0; k < STEPS; k++)
    world_step(w, &(struct world_target){.q = rest});
  return (only_ode ? inside : now() - from) / STEPS;
}

/* Quickest rounds [s per step]: all of world_step(), and what is inside dWorldStep(); in turns, so that both see the
 * same machine. */
static void measure(struct world *w, const void *start, const double *rest, double best[2])
{
  best[0] = best[1] = 1e9;
  double end = now() + SECONDS;
  for (int r = 0; r < 10 || now() < end; r++) {
    double spent = round_of(w, start, rest, r % 2);
    best[r % 2] = spent < best[r % 2] ? spent : best[r % 2];
  }
}

static double contacts_per_step(struct world *w, const struct creature *c, const void *start, const double *rest)
{
  unsigned char on[1000];
  int sum = 0;
  world_restore(w, start);
  for (int k = 0; k < STEPS; k++) {
    world_step(w, &(struct world_target){.q = rest});
    world_contacts(w, NULL, on);
    for (int p = 0; p < c->n_points; p++)
      sum += on[p];
  }
  return (double)sum / STEPS;
}

/* by_ode: seconds of a step by ODE, for comparison. */
static void bench(int i, int own, double *by_ode)
{
  struct arena *arena = arena_new();
  const struct creature *c = zoo_load(arena, i);
  size_t n = (size_t)c->n_dofs;
  double *rest = ARENA_NEW(arena, n, double), *v = ARENA_NEW(arena, n, double);
  struct world_options o;
  world_defaults(c, &o);
  o.engine = own ? WORLD_TREE : WORLD_ODE;
  struct world *w = world_new(c, &o);
  void *start = arena_alloc(arena, 1, world_state_size(w));
  creature_rest_pose(c, rest);
  world_set(w, rest, v);
  for (int k = 0; k < 5; k++) /* until the feet are on the ground */
    world_step(w, &(struct world_target){.q = rest});
  world_save(w, start);
  double touching = contacts_per_step(w, c, start, rest);
  double best[2], h = world_step_seconds(w);
  measure(w, start, rest, best);
  double all = best[0], ode = best[1];
  double from = now();
  for (int k = 0; k < 10000; k++)
    world_restore(w, start);
  double restoring = (now() - from) / 10000;
  from = now();
  for (int k = 0; k < 10000; k++)
    world_save(w, start);
  double saving = (now() - from) / 10000;
  printf("%-17s%4zu dofs %5.1f contacts %8.1f us a step (%8.0f steps/s, %5.0f x real time), ", c->name, n, touching,
         1e6 * all, 1 / all, h / all);
  if (own)
    printf("the tree engine: %5.1f times as fast", *by_ode / all);
  else
    printf("ODE %8.1f us, ours %5.1f %%", 1e6 * ode, 100 * (all / ode - 1));
  printf("; save %.2f us, restore %.2f us\n", 1e6 * saving, 1e6 * restoring);
  *by_ode = own ? *by_ode : all;
  world_free(w);
  arena_free(arena);
}

int main(int argc, char **argv)
{
  setvbuf(stdout, NULL, _IOLBF, 0);
  for (int i = 0; i < zoo_size(); i++) {
    int wanted = argc < 2;
    for (int k = 1; k < argc; k++)
      wanted |= !strcmp(argv[k], zoo_name(i));
    double by_ode = 0;
    for (int own = 0; wanted && own < 2; own++)
      bench(i, own, &by_ode);
  }
  return 0;
}
