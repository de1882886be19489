/* The tree engine alone: this program is made of the room's own sources without foreign engines, and linked without
 * their libraries, so that it cannot even be built if one of their symbols is needed. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "physics/reference.h"

int main(void)
{
  struct scene s = scene_of("horse", NULL);
  struct diag d;
  double sum = 0;
  world_defaults(s.c, &s.options);
  CHECK_INT(s.options.engine, WORLD_TREE); /* the default, being all there is */
  CHECK_INT(world_has_engine(WORLD_TREE), 1);
  CHECK_INT(world_has_engine(WORLD_ODE), 0);
  CHECK_INT(world_has_engine(WORLD_MUJOCO), 0);
  CHECK_INT(world_engine_find("own"), WORLD_TREE);
  CHECK_INT(world_engine_find("bullet"), -1);
  CHECK(!world_engine_name(-1) && !world_engine_name(99) && !strcmp(world_engine_name(WORLD_ODE), "ode"));

  s.options.engine = WORLD_ODE;
  diag_init(&d);
  CHECK_INT(world_check(s.c, &s.options, &d), 0);
  CHECK(world_new(s.c, &s.options) == NULL);
  char *text = diag_text(&d);
  CHECK(strstr(text, "this build has no such engine: ode") != NULL);
  free(text);
  diag_clear(&d);

  s.options.engine = WORLD_TREE;
  scene_open(&s);
  for (double t = 0; t < 1; t += world_step_seconds(s.w))
    CHECK_INT(world_step(s.w, &(struct world_target){.q = s.rest}), 1);
  world_contacts(s.w, s.force, NULL);
  for (int p = 0; p < s.c->n_points; p++)
    sum += s.force[3 * p + 2];
  CHECK_NEAR(sum / (s.c->mass * CREATURE_GRAVITY), 1, 1e-3);
  scene_close(&s);
  return test_finish();
}
