/* What the commands that make and play controllers have in common: clips and tasks of a run file, files of the tasks
 * folder by name, and files that are there only when all of them is. */
#ifndef MUYBRIDGE_CLI_CONTROLLING_H
#define MUYBRIDGE_CLI_CONTROLLING_H

#include <stdio.h>

#include "cli/cli.h"
#include "motion/graph.h"
#include "policy/controller.h"
#include "player/muybridge-player.h"
#include "store/store.h"
#include "task/task.h"

/* The clips of a run file that a controller is made of: all, in the order of their ids, or those of the graph that a synthesis has built. 0 after an error. */
int controlling_clips(struct arena *arena, struct store *s, const char *run, struct graph_input *out, struct diag *d);

/* A task of the run file, bound to its creature. NULL after an error. */
const struct task *controlling_task(struct arena *arena, struct store *s, int id, const struct creature *c,
                                    struct diag *d);

/* A controller of a run file (id 0: the newest), ready to play, and its task. The player is for the caller to unload;
 * NULL after an error. */
struct muy_player_controller *controlling_player(struct arena *arena, const char *run, int id,
                                             struct store_controller *kept, const struct task **task, struct diag *d);

/* The path of a file that may be a bare name ("direction"): itself, or NAME.KIND beside the sources or where make
 * install put it. */
const char *controlling_path(struct arena *arena, const char *name, const char *kind);

/* Says who adds what follows, and when. 0 after an error. */
int controlling_session(struct arena *arena, struct store *s, int argc, char **argv, struct diag *d);

/* Writes a file; a device or a pipe is written in place. 0, and a message, when it cannot be. */
int controlling_write(struct arena *arena, const char *command, const char *path,
                      int (*write)(const void *what, FILE *out), const void *what);

#endif
