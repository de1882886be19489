/* What controllers and control graphs are made of, out of a run file: its clips, its tasks, a controller that is ready
 * to play. All of it lives in the arena, and in no open file. */
#ifndef MUYBRIDGE_STORE_RUN_INPUTS_H
#define MUYBRIDGE_STORE_RUN_INPUTS_H

#include "motion/graph.h"
#include "player/muybridge-player.h"
#include "store/store.h"
#include "task/task.h"

/* The clips that a controller is made of: those of the graph that a synthesis has built, or else all, in the order of
 * their ids. 0 after an error. */
int run_inputs_clips(struct arena *arena, struct store *s, const char *run, struct graph_input *out, struct diag *d);

/* A task of the run file, bound to its creature. NULL after an error. */
const struct task *run_inputs_task(struct arena *arena, struct store *s, int id, const struct creature *c,
                                   struct diag *d);

/* A controller of a run file (id 0: the newest), ready to play, and its task. The caller unloads it. NULL after an
 * error. */
struct muy_player_controller *run_inputs_player(struct arena *arena, const char *run, int id,
                                                struct store_controller *kept, const struct task **task,
                                                struct diag *d);

#endif
