/* Task-driven choice: the policy of a task chooses at every node of the control graph, for what a script asks or the
 * task's own user (random). Choices are by the heading of the path, which feedback keeps the creature on. */
#ifndef MUYBRIDGE_CONTROL_TASK_CHOICE_H
#define MUYBRIDGE_CONTROL_TASK_CHOICE_H

#include "base/rng.h"
#include "motion/graph.h"
#include "player/muybridge-player.h"
#include "task/script.h"
#include "task/task.h"

struct task_choice {
  const struct muy_player_controller *player;
  const struct task *task;
  const struct script *script;  /* NULL: the task's own random user                                */
  double *theta;                /* what is asked now; angles as headings in the world (n_parameters) */
  struct rng *rng;              /* of each parameter                                  (n_parameters) */
  int started;
};

/* NULL after an error: a player of another graph. */
struct task_choice *task_choice_new(struct arena *arena, const struct motion_graph *g,
                                    const struct muy_player_controller *player,
                      const struct task *task, const struct script *script, uint64_t seed, struct diag *d);

void task_choice_tick(void *choice, double time);                     /* once a frame */
int task_choice_segment(void *choice, int node, double heading);       /* a path_choice */

#endif
