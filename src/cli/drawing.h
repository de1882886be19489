/* What the commands that draw have in common. */
#ifndef MUYBRIDGE_CLI_DRAWING_H
#define MUYBRIDGE_CLI_DRAWING_H

#include "cli/cli.h"

/* The value of --size, "640", "640x360" or "x360": what is not said is 0. Each number must be from least to most.
 * The exit status, after a message if it is not CLI_DONE. */
int drawing_size(const char *command, const char *text, int most, int *width, int *height);
#define DRAWING_LEAST 32

#endif
