/* A controller of the clips of a run file for a task: made, and kept there. */
#ifndef MUYBRIDGE_STORE_RUN_CONTROLLER_H
#define MUYBRIDGE_STORE_RUN_CONTROLLER_H

#include "policy/controller.h"
#include "store/store.h"

struct run_controller_options {
  int mirror;                   /* 1: mirror images of transitions are added first (store/mirror_images.h)    */
  double memory;                /* that values may take [MB]; 0: as usual                                     */
  struct store_session session; /* who writes                                                                 */
};

/* Lives in the arena, and in no open file. *mirrored: how many images were added. NULL after an error: a task that does
 * not fit, clips that make no graph or that do not join. */
const struct controller *run_controller_make(struct arena *arena, struct store *s, const char *run,
                                             const char *task_path,
                                             const struct run_controller_options *o, int *mirrored, struct diag *d);

/* Puts the controller and its task into the run file. 0 after an error. */
int run_controller_keep(struct arena *arena, struct store *s, const struct controller *c, const char *task_path,
                        const struct store_session *session, struct store_controller *out, struct diag *d);

#endif
