/* What figures of control graphs are made from, out of a run file. */
#include <math.h>

#include "control/learning.h"
#include "control/record.h"
#include "plots/control_figures.h"

#define SCENE_SECONDS 20.0
#define SCENE_PUSHES 4
#define PUSH_SIZE 0.35          /* of the first [body weights] */
#define QUARTER 1.5707963

const struct control_figures *control_figures_load(struct arena *arena, const char *run, struct diag *d)
{
  struct control_figures *f = ARENA_NEW(arena, 1, struct control_figures);
  struct store *store = store_open(arena, run, STORE_READ, d);
  struct store_control newest;
  int there = store ? store_get_control(arena, store, NULL, &newest, d) : -1;
  f->kept = there == 1 ? store_list_controls(arena, store, &f->n_kept, d) : NULL;
  store_close(store);
  if (there == 0)
    diag_error(d, run, 0, "this run has no control graph; muybridge control makes one");
  struct learning l;
  if (there != 1 || !learning_open(arena, run, newest.skill, &l, d))
    return NULL;
  f->graph = l.graph;
  f->controls = controls_read(arena, l.graph, newest.bytes, newest.n_bytes, d);

  /* pushes from four sides */
  struct disturb_push *pushes = ARENA_NEW(arena, SCENE_PUSHES, struct disturb_push);
  for (int i = 0; i < SCENE_PUSHES; i++)
    pushes[i] = disturb_push_of(l.creature, 4 + 4 * i + 0.13 * i, PUSH_SIZE * (i ? 0.7 : 1), QUARTER * (1 + i));
  f->pushes = pushes;
  f->n_pushes = SCENE_PUSHES;
  struct scene_options scene = {.seconds = SCENE_SECONDS, .limp = 2, .n_pushes = SCENE_PUSHES, .pushes = pushes};
  runner_defaults(l.creature, &scene.runner);
  f->scene = f->controls ? scene_play(arena, f->controls, &scene, d) : NULL;
  return f->scene ? f : NULL;
}
