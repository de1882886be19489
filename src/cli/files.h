/* Files that are written, and who writes to a run file. */
#ifndef MUYBRIDGE_CLI_FILES_H
#define MUYBRIDGE_CLI_FILES_H

#include <stdio.h>

#include "cli/cli.h"
#include "store/store.h"

/* Who writes to a run file, and when. */
struct store_session cli_session_now(struct arena *arena, int argc, char **argv);

/* Says so in the file. 0 after an error. */
int cli_session(struct arena *arena, struct store *s, int argc, char **argv, struct diag *d);

/* "horse.muy:gallop": the file, and which clip of it; NULL if it does not say. A file that has such a name is meant. */
const char *cli_split_run(struct arena *arena, const char *name, const char **clip);

/* Writes a file, whole or not at all (base/file.h). 0, and a message, when it cannot be. */
int cli_write(const char *command, const char *path, int (*write)(const void *what, FILE *out), const void *what);

#endif
