/* The engine MuJoCo from inside: its errors lose the world, and neither end the program nor reach anybody else's
 * handler; errors of others' calls do. What it does as an engine is checked with all engines, in test_flight,
 * test_replay and test_world. Skipped where MuJoCo is not built in. */
#include <stdio.h>

#include "config.h"

#ifndef HAVE_MUJOCO

int main(void)
{
  puts("skipped: built without MuJoCo (Debian: libmujoco-dev)");
  return 77;
}

#else

#include "physics/engine_mujoco.c" /* for what is inside of it */

#include "check.h"
#include "physics/reference.h"

static int errors, warnings;

static void count_error(const char *text)
{
  (void)text;
  errors++;
}

static void count_warning(const char *text)
{
  (void)text;
  warnings++;
}

static void walk(struct scene *s, int steps, void *state)
{
  world_set(s->w, s->rest, s->zero);
  for (int k = 0; k < steps; k++)
    CHECK_INT(world_step(s->w, &(struct world_target){.q = s->rest}), 1);
  world_save(s->w, state);
}

int main(void)
{
  mju_user_error = count_error;
  mju_user_warning = count_warning;
  scene_engine = WORLD_MUJOCO;
  struct scene s = scene_of("human", NULL);
  scene_open(&s);
  size_t size = world_state_size(s.w);
  void *before = arena_alloc(s.arena, 1, size), *after = arena_alloc(s.arena, 1, size);
  walk(&s, 20, before);

  struct mujoco *x = s.w->engine_data;
  int stack = x->d->nstack;
  x->d->nstack = 10; /* MuJoCo now finds no room in the middle of a step, and calls its handler */
  CHECK_INT(world_step(s.w, &(struct world_target){.q = s.rest}), 0);
  CHECK_INT(world_lost(s.w), 1);
  world_get(s.w, s.q, NULL);
  CHECK(isnan(s.q[0]));
  CHECK_INT(errors, 0);
  x->d->nstack = stack;
  walk(&s, 20, after);
  CHECK(!memcmp(before, after, size));

  mju_warning("somebody else's");
  mju_error("somebody else's");
  CHECK_INT(warnings, 1);
  CHECK_INT(errors, 1);
  scene_close(&s);
  return test_finish();
}

#endif
