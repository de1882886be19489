/* What the commands that learn or need control graphs have in common: options, progress on the terminal. */
#ifndef MUYBRIDGE_CLI_LEARN_H
#define MUYBRIDGE_CLI_LEARN_H

#include "cli/cli.h"
#include "control/learning.h"

struct learn_options {
  struct learning_options learning; /* its workers, keep, session and progress are set by learn_run()   */
  int jobs, quiet, no_store;
  int argc;                     /* the whole command line, for the record                               */
  char **argv;
};
void learn_defaults(struct learn_options *o, int argc, char **argv);

/* Who does the work: the other ranks of MPI if there are any, else as many workers as were asked for. */
int learn_workers(const struct learn_options *o);

/* Policies from the run file if they are there, else learned and kept; tells how it goes. The exit status. */
int learn_run(struct arena *arena, struct learning *l, const struct learn_options *o, struct diag *d);

/* Option values that the commands share; the exit status. */
int learn_read_teacher(const char *command, const char *text, struct learn_options *o);
int learn_read_policy(const char *command, const char *text, struct learn_options *o);

#endif
