/* The creatures of the zoo, by name, from the folder that the build names. */
#include "zoo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"biped",  "strider",  "triped",  "horse",     "human", "dog",
                                    "ostrich", "kangaroo", "kangaroo_grazing", "hexapod", "centipede", "hyq"};

int zoo_size(void)
{
  return (int)(sizeof names / sizeof *names);
}

const char *zoo_name(int i)
{
  return names[i];
}

const struct creature *zoo_load(struct arena *arena, int i)
{
  const char *folder = getenv("MUYBRIDGE_CREATURES");
  struct diag d;
  diag_init(&d);
  const struct creature *c =
      creature_load(arena, arena_printf(arena, "%s/%s.creature", folder ? folder : "creatures", names[i]), &d);
  char *text = diag_text(&d);
  fputs(text, stderr);
  free(text);
  diag_clear(&d);
  return c;
}

const struct creature *zoo_find(struct arena *arena, const char *name)
{
  for (int i = 0; i < zoo_size(); i++)
    if (!strcmp(names[i], name))
      return zoo_load(arena, i);
  return NULL;
}
