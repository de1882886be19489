/* Fragments run step by step in a simulated world. */
#include "control/body.h"

#include <math.h>
#include <string.h>

#include "motion/ground.h"
#include "follow/errors.h"

struct control_body *body_new(struct arena *arena, const struct control_graph *g, const struct world_options *options,
                              struct diag *d)
{
  struct control_body *b = ARENA_NEW(arena, 1, struct control_body);
  struct world_options o = *options;
  size_t n = (size_t)g->creature->n_dofs;
  o.step = g->step;
  b->graph = g;
  b->target = ARENA_NEW(arena, 3 * n, double);
  b->q = b->target + n;
  b->v = b->q + n;
  b->world = world_new(g->creature, &o);
  if (b->world)
    return b;
  world_check(g->creature, &o, d);
  return NULL;
}

int body_change_world(struct control_body *b, const struct creature *c, const struct world_options *options,
                      double lift, struct diag *d)
{
  struct world_options o = *options;
  o.step = b->graph->step;
  struct world *w = world_new(c, &o);
  if (!w) {
    world_check(c, &o, d);
    return 0;
  }
  world_get(b->world, b->q, b->v);
  b->q[2] += lift;
  world_set(w, b->q, b->v); /* NaN of a lost world makes a lost world */
  world_free(b->world);
  b->world = w;
  return 1;
}

void body_free(struct control_body *b)
{
  if (b)
    world_free(b->world);
}

int body_step(struct control_body *b, int strip, int frame, int step, const double *u)
{
  const struct control_graph *g = b->graph;
  size_t n = (size_t)g->creature->n_dofs;
  const double *t = g->strips[strip].target + (size_t)(frame * g->steps + step) * 3 * n;
  struct world_target target = {.q = t, .v = t + n, .torque = t + 2 * n};
  if (u) {
    memcpy(b->target, t, CREATURE_ROOT_DOFS * sizeof *t);
    for (size_t i = CREATURE_ROOT_DOFS; i < n; i++)
      b->target[i] = t[i] + u[i - CREATURE_ROOT_DOFS];
    target.q = b->target;
  }
  return world_step(b->world, &target);
}

int body_frame(struct control_body *b, int strip, int frame, const double *u)
{
  for (int i = 0; i < b->graph->steps; i++)
    if (!body_step(b, strip, frame, i, u))
      return 0;
  return 1;
}

int body_frames(struct control_body *b, int strip, int from, int until, const double *u)
{
  for (int k = from; k < until; k++)
    if (!body_frame(b, strip, k, u))
      return 0;
  return 1;
}

/* Poses and speeds moved over the ground. */
static void move_state(struct clip_advance by, double *q, double *v)
{
  double s = sin(by.yaw), c = cos(by.yaw), x = v[0], y = v[1];
  clip_move_pose(by, q);
  v[0] = c * x - s * y;
  v[1] = s * x + c * y;
}

void body_errors(const struct control_graph *g, int strip, int frame, struct clip_advance place, const double *q,
                 const double *v, double *x)
{
  size_t n = (size_t)g->creature->n_dofs;
  double near_q[n], near_v[n];
  memcpy(near_q, q, n * sizeof *q);
  memcpy(near_v, v, n * sizeof *v);
  move_state(ground_inverse(place), near_q, near_v);
  errors_of(g->creature, near_q, near_v, control_graph_q(g, strip, frame), control_graph_v(g, strip, frame), x);
}

int body_get_errors(struct control_body *b, int strip, int frame, struct clip_advance place, double *x)
{
  if (world_lost(b->world))
    return 0;
  world_get(b->world, b->q, b->v);
  body_errors(b->graph, strip, frame, place, b->q, b->v, x);
  return 1;
}

void body_set(struct control_body *b, int strip, int frame, struct clip_advance place, const double *x)
{
  size_t n = (size_t)b->graph->creature->n_dofs;
  const double *q = control_graph_q(b->graph, strip, frame), *v = control_graph_v(b->graph, strip, frame);
  if (x)
    errors_apply(b->graph->creature, x, q, v, b->q, b->v);
  else {
    memcpy(b->q, q, n * sizeof *q);
    memcpy(b->v, v, n * sizeof *v);
  }
  move_state(place, b->q, b->v);
  world_set(b->world, b->q, b->v);
}
