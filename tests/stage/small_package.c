/* See small_package.h. */
#include "stage/small_package.h"

#include <stdio.h>
#include <stdlib.h>

#include "control/lqr_teacher.h"
#include "control/record.h"

/* Policies of all clips, by the LQR teacher. */
static const struct controls *learn(struct arena *arena, const struct motion_graph *m, struct diag *d)
{
  struct lqr_teacher_options o;
  const struct control_graph *g = control_graph_new(arena, m, 0, d);
  if (!g)
    return NULL;
  lqr_teacher_defaults(m->creature, &o);
  const struct lqr_teacher *t = lqr_teacher_learn(arena, g, &o, d);
  struct controls *c = controls_new(arena, g);
  c->gains = t ? t->gains : NULL;
  return t ? c : NULL;
}

struct small_package small_package_new(void)
{
  struct small_package p = {.small = small_controller_new()};
  struct arena *arena = p.small.arena;
  struct stage_package *out = &p.package;
  struct diag d;
  diag_init(&d);
  out->clips = (struct graph_input){.creature = p.small.creature, .file = "small", .n_clips = p.small.n_clips,
                                    .clips = p.small.controller->graph->clips};
  out->player = controller_bytes(arena, p.small.controller, &out->n_player, &d);
  out->task = stage_task_of(arena, p.small.task);
  p.controls = learn(arena, p.small.controller->graph, &d);
  if (!out->player || !p.controls) {
    fprintf(stderr, "small_package: %s\n", diag_text(&d));
    exit(1);
  }
  out->controls = controls_write(arena, p.controls, &out->n_controls);
  out->step = p.controls->graph->step;
  out->note = "{\"run\": \"small\"}";
  p.bytes = stage_package_bytes(arena, out, &p.n);
  diag_clear(&d);
  return p;
}

void small_package_free(struct small_package *p)
{
  small_controller_free(&p->small);
}
