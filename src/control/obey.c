/* The task's policy in charge of a control graph. */
#include "control/obey.h"

#include "policy/controller.h"

struct obey *obey_new(struct arena *arena, const struct motion_graph *g, const struct muy_player_controller *player,
                      const struct task *task, const struct script *script, uint64_t seed, struct diag *d)
{
  struct obey *o = ARENA_NEW(arena, 1, struct obey);
  size_t n = (size_t)task->n_parameters;
  if (player->n_nodes != g->n_nodes || player->n_segments != g->n_segments) {
    diag_error(d, g->file, 0, "the controller has %d nodes and %d choices, the graph of the clips %d and %d: make the controller anew",
               player->n_nodes, player->n_segments, g->n_nodes, g->n_segments);
    return NULL;
  }
  *o = (struct obey){.player = player, .task = task, .script = script};
  o->theta = ARENA_NEW(arena, n, double);
  o->chance = ARENA_NEW(arena, n, struct rng);
  for (size_t i = 0; i < n; i++)
    o->chance[i] = rng_stream(seed, i);
  task_initial(task, o->theta);
  return o;
}

void obey_tick(void *obey, double time)
{
  struct obey *o = obey;
  if (o->script)
    script_theta(o->script, time, o->theta);
  else if (o->started)
    for (int i = 0; i < o->task->n_parameters; i++)
      o->theta[i] = task_sample(o->task, i, o->theta[i], &o->chance[i]);
  o->started = 1;
}

int obey_choose(void *obey, int node, double heading)
{
  struct obey *o = obey;
  double theta[MUY_PLAYER_PARAMETERS_MOST];
  for (int i = 0; i < o->task->n_parameters; i++)
    theta[i] = controller_asked(&o->task->parameters[i], o->theta[i]) - (o->player->parameters[i].relative ? heading : 0);
  return muy_player_choose(o->player, node, theta);
}
