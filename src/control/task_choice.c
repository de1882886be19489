/* The task's policy in charge of a control graph. */
#include "control/task_choice.h"

#include "policy/controller.h"

struct task_choice *task_choice_new(struct arena *arena, const struct motion_graph *g,
                                    const struct muy_player_controller *player,
                      const struct task *task, const struct script *script, uint64_t seed, struct diag *d)
{
  struct task_choice *o = ARENA_NEW(arena, 1, struct task_choice);
  size_t n = (size_t)task->n_parameters;
  if (player->n_nodes != g->n_nodes || player->n_segments != g->n_segments) {
    diag_error(d, g->file, 0, "the controller has %d nodes and %d choices, the graph of the clips %d and %d: make the "
                              "controller anew",
               player->n_nodes, player->n_segments, g->n_nodes, g->n_segments);
    return NULL;
  }
  *o = (struct task_choice){.player = player, .task = task, .script = script};
  o->theta = ARENA_NEW(arena, n, double);
  o->rng = ARENA_NEW(arena, n, struct rng);
  for (size_t i = 0; i < n; i++)
    o->rng[i] = rng_stream(seed, i);
  task_initial(task, o->theta);
  return o;
}

void task_choice_tick(void *choice, double time)
{
  struct task_choice *o = choice;
  if (o->script)
    script_theta(o->script, time, o->theta);
  else if (o->started)
    for (int i = 0; i < o->task->n_parameters; i++)
      o->theta[i] = task_sample(o->task, i, o->theta[i], &o->rng[i]);
  o->started = 1;
}

int task_choice_segment(void *choice, int node, double heading)
{
  struct task_choice *o = choice;
  double theta[MUY_PLAYER_PARAMETERS_MOST];
  for (int i = 0; i < o->task->n_parameters; i++)
    theta[i] = controller_asked(&o->task->parameters[i], o->theta[i]) -
               (o->player->parameters[i].relative ? heading : 0);
  return muy_player_choose(o->player, node, theta);
}
