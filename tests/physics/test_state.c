/* State in, state out: q and v of every creature come back from ODE's bodies, and the bodies are where dynamics says. */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/rng.h"
#include "check.h"
#include "physics/world.h"
#include "zoo.h"

#define POSES 50

static const double half_turn = 3.14159265358979323846;

/* Inside the ranges, but no middle axis of three within 20 degrees of gimbal lock; the root anywhere, turned many times. */
static void random_pose(const struct creature *c, struct rng *r, double *q, double *v)
{
  for (int i = 0; i < c->n_dofs; i++) {
    const struct dof *d = &c->dofs[i];
    double low = fmax(d->lower, -1.2), high = fmin(d->upper, 1.2);
    q[i] = i < 3 ? rng_uniform(r, -5, 5) * c->height : i == 3 ? rng_uniform(r, -20, 20) : rng_uniform(r, low, high);
    v[i] = rng_uniform(r, -3, 3) * (i < 3 ? c->height : 1) * sqrt(CREATURE_GRAVITY / c->height);
  }
}

static void check_round_trip(struct arena *arena, const struct creature *c)
{
  size_t n = (size_t)c->n_dofs;
  double *q = ARENA_NEW(arena, n, double), *v = ARENA_NEW(arena, n, double), *p = ARENA_NEW(arena, n, double),
         *u = ARENA_NEW(arena, n, double), angle = 0, speed = 0;
  struct world_options o;
  struct rng r = rng_stream(7, 7);
  world_defaults(c, &o);
  struct world *w = world_new(c, &o);
  CHECK(w != NULL);
  for (int k = 0; w && k < POSES; k++) {
    random_pose(c, &r, q, v);
    world_set(w, q, v);
    world_get(w, p, u);
    for (size_t i = 0; i < n; i++) {
      double L = i < 3 ? c->height : 1, rate = L * sqrt(CREATURE_GRAVITY / c->height);
      if (!(fabs(p[i] - q[i]) / L <= angle))
        angle = fabs(p[i] - q[i]) / L;
      if (!(fabs(u[i] - v[i]) / rate <= speed))
        speed = fabs(u[i] - v[i]) / rate;
    }
  }
  printf("%-16s angles %.1e, speeds %.1e\n", c->name, angle, speed);
  CHECK_NEAR(angle, 0, 1e-12);
  CHECK_NEAR(speed, 0, 1e-12);
  world_free(w);
}

/* The root may lie at any attitude: a pitch past a quarter turn comes back as it was set. */
static void check_somersault(struct arena *arena, const struct creature *c)
{
  double *q = ARENA_NEW(arena, (size_t)c->n_dofs, double), *v = ARENA_NEW(arena, (size_t)c->n_dofs, double),
         *p = ARENA_NEW(arena, (size_t)c->n_dofs, double);
  struct world_options o;
  world_defaults(c, &o);
  struct world *w = world_new(c, &o);
  creature_rest_pose(c, q);
  q[2] += 10;
  for (int k = 0; k < 40; k++) {
    q[3] = 7.3, q[4] = k * half_turn / 13.7, q[5] = -0.4;
    world_set(w, q, v);
    world_get(w, p, NULL);
    for (int i = 3; i < 6; i++)
      CHECK_NEAR(p[i], q[i], 1e-12);
  }
  world_free(w);
}

/* Not a number, and numbers too large to be a state, lose the world; a good state finds it again. */
static void check_lost(struct arena *arena, const struct creature *c)
{
  size_t n = (size_t)c->n_dofs;
  double *q = ARENA_NEW(arena, n, double), *v = ARENA_NEW(arena, n, double), *p = ARENA_NEW(arena, n, double);
  struct world_options o;
  world_defaults(c, &o);
  struct world *w = world_new(c, &o);
  creature_rest_pose(c, q);
  static const double bad[] = {NAN, INFINITY, -INFINITY, 1e300, 1e100};
  for (size_t k = 0; k < 2 * sizeof bad / sizeof *bad; k++) {
    double *x = k % 2 ? &q[k / 2 % 3] : &v[n - 1], good = *x;
    *x = bad[k / 2];
    world_set(w, q, v);
    CHECK_INT(world_lost(w), 1);
    CHECK_INT(world_step(w, NULL), 0);
    world_get(w, p, NULL);
    CHECK(isnan(p[0]));
    *x = good;
    world_set(w, q, v);
    CHECK_INT(world_lost(w), 0);
    CHECK_INT(world_step(w, NULL), 1);
  }
  world_free(w);
}

int main(void)
{
  for (int i = 0; i < zoo_size(); i++) {
    struct arena *arena = arena_new();
    const struct creature *c = zoo_load(arena, i);
    CHECK(c != NULL);
    if (c) {
      check_round_trip(arena, c);
      check_somersault(arena, c);
      check_lost(arena, c);
    }
    arena_free(arena);
  }
  return test_finish();
}
