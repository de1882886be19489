/* The creatures of the zoo, for tests that want to see all of them. */
#ifndef MUYBRIDGE_TESTS_ZOO_H
#define MUYBRIDGE_TESTS_ZOO_H

#include "base/arena.h"
#include "creature/creature.h"

int zoo_size(void);
const char *zoo_name(int i);                              /* "horse" */
const struct creature *zoo_load(struct arena *arena, int i); /* NULL, and the messages on standard error, when it
                                                                fails */
const struct creature *zoo_find(struct arena *arena, const char *name); /* the same by name */

#endif
