/* See run_controller.h. */
#include "store/run_controller.h"

#include "store/mirror_images.h"
#include "store/run_inputs.h"

const struct controller *run_controller_make(struct arena *arena, struct store *s, const char *run,
                                             const char *task_path,
                                             const struct run_controller_options *o, int *mirrored, struct diag *d)
{
  struct controller_options options;
  struct graph_input clips;
  const struct task_file *file = task_load(arena, task_path, d);
  *mirrored = 0;
  if (!file || !run_inputs_clips(arena, s, run, &clips, d))
    return NULL;
  const struct task *task = task_bind(arena, file, clips.creature, d);
  if (!task)
    return NULL;
  if (o->mirror) {
    *mirrored = store_add_session(s, &o->session, d) ? store_add_mirror_images(arena, s, &clips, d) : -1;
    if (*mirrored < 0 || (*mirrored > 0 && !run_inputs_clips(arena, s, run, &clips, d)))
      return NULL;
  }
  controller_defaults(&options);
  if (o->memory > 0)
    options.values.memory = (size_t)(o->memory * 1e6);
  const struct motion_graph *g = graph_new(arena, &clips, d);
  if (!g || graph_check(g, d) > 0) /* a controller is as good as its clips */
    return NULL;
  return controller_solve(arena, g, task, &options, d);
}

int run_controller_keep(struct arena *arena, struct store *s, const struct controller *c, const char *task_path,
                        const struct store_session *session, struct store_controller *out, struct diag *d)
{
  const struct motion_graph *g = c->graph;
  *out = (struct store_controller){.cost = c->cost, .cost_lower = c->lower, .cost_upper = c->upper,
                                   .n_clips = g->n_clips - g->n_left_out, .n_nodes = g->n_nodes,
                                   .n_segments = g->n_segments};
  out->bytes = controller_bytes(arena, c, &out->n_bytes, d);
  if (!out->bytes || !store_add_session(s, session, d))
    return 0;
  out->task = store_put_task(s, task_path, d);
  out->id = out->task ? store_put_controller(s, out, d) : 0;
  return out->id > 0;
}
