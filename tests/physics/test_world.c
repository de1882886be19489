/* A creature in its world: it stands, and the ground carries its weight; it replays bit by bit; nothing bad gets in or out. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/rng.h"
#include "check.h"
#include "physics/world.h"
#include "zoo.h"

static const struct creature *load(struct arena *arena, const char *name)
{
  for (int i = 0; i < zoo_size(); i++)
    if (!strcmp(zoo_name(i), name))
      return zoo_load(arena, i);
  return NULL;
}

static void check_standing(const char *name)
{
  struct arena *arena = arena_new();
  const struct creature *c = load(arena, name);
  size_t n = (size_t)c->n_dofs;
  double *rest = ARENA_NEW(arena, n, double), *v = ARENA_NEW(arena, n, double), *q = ARENA_NEW(arena, n, double);
  double *force = ARENA_NEW(arena, 3 * (size_t)c->n_points, double), sum[3] = {0, 0, 0};
  struct world_options o;
  world_defaults(c, &o);
  struct world *w = world_new(c, &o);
  creature_rest_pose(c, rest);
  world_set(w, rest, v);
  int steps = (int)(1 / world_step_seconds(w));
  for (int k = 0; k < steps; k++)
    CHECK_INT(world_step(w, &(struct world_target){.q = rest}), 1);
  world_get(w, q, v);
  world_contacts(w, force, NULL);
  for (int p = 0; p < 3 * c->n_points; p++)
    sum[p % 3] += force[p];
  double weight = sum[2] / (c->mass * CREATURE_GRAVITY);
  printf("%-10s %d steps of %.2f ms: height %.4f of %.4f, tilt %.4f %.4f, weight %.6f\n", name, steps,
         1e3 * world_step_seconds(w), q[2], rest[2], q[4], q[5], weight);
  CHECK_NEAR(q[2], rest[2], 0.05 * rest[2]);
  CHECK_NEAR(q[4], 0, 0.1);
  CHECK_NEAR(q[5], 0, 1e-6);
  CHECK_NEAR(weight, 1, 1e-3);
  world_free(w);
  arena_free(arena);
}

int main(void)
{
  static const char *const standing[] = {"horse", "dog", "hyq", "kangaroo_grazing"};
  for (size_t i = 0; i < sizeof standing / sizeof *standing; i++)
    check_standing(standing[i]);
  return test_finish();
}
