/* The list of engines: to add one, write its file engine_NAME.c, and name it here and in world.h. */
#include <string.h>

#include "config.h"
#include "physics/room.h"

extern const struct engine engine_tree;
#if defined HAVE_ODE && !defined WITHOUT_FOREIGN_ENGINES
extern const struct engine engine_ode;
#define ODE &engine_ode
#else
#define ODE NULL
#endif
#if defined HAVE_MUJOCO && !defined WITHOUT_FOREIGN_ENGINES
extern const struct engine engine_mujoco;
#define MUJOCO &engine_mujoco
#else
#define MUJOCO NULL
#endif

static const struct { const char *name; const struct engine *engine; } engines[] = {
  [WORLD_ODE] = {"ode", ODE},
  [WORLD_TREE] = {"tree", &engine_tree},
  [WORLD_MUJOCO] = {"mujoco", MUJOCO},
};

static int exists(int engine)
{
  return engine >= 0 && engine < (int)(sizeof engines / sizeof *engines);
}

const struct engine *engine_get(int engine)
{
  return exists(engine) ? engines[engine].engine : NULL;
}

const char *world_engine_name(int engine)
{
  return exists(engine) ? engines[engine].name : NULL;
}

int world_engine_find(const char *name)
{
  if (!strcmp(name, "own")) /* its name before version 0.2 */
    return WORLD_TREE;
  for (int i = 0; exists(i); i++)
    if (!strcmp(name, engines[i].name))
      return i;
  return -1;
}

int world_has_engine(int engine)
{
  return engine_get(engine) != NULL;
}
