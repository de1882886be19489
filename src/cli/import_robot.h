/* muybridge import of a robot's description. */
#ifndef MUYBRIDGE_CLI_IMPORT_ROBOT_H
#define MUYBRIDGE_CLI_IMPORT_ROBOT_H

#include "base/arena.h"

struct import_robot_options { int symmetric, quiet; };

/* To the creature file `output`, or to standard output (NULL). The exit status. */
int import_robot(struct arena *arena, const char *path, const char *output, const struct import_robot_options *o);

#endif
