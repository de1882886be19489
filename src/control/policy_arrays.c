/* See policy_arrays.h; doc/policy-arrays.md is the description for readers. */
#include "control/policy_arrays.h"

#include <stdlib.h>
#include <string.h>

#include "control/runner.h"
#include "exchange/exchange.h"
#include "follow/errors.h"
#include "motion/ground.h"

#define FORMAT "muybridge policy 1"

/* One number a row, or a row of them. */
static struct arrays_shape rows(size_t n)
{
  return (struct arrays_shape){1, {n}};
}

static struct arrays_shape table(size_t n, size_t width)
{
  return (struct arrays_shape){2, {n, width}};
}

static void put_motion(struct clip_advance m, double *out)
{
  out[0] = m.x, out[1] = m.y, out[2] = m.yaw;
}

static void add_model(struct arrays *a, const struct creature *c)
{
  char *text = NULL;
  size_t n = 0;
  FILE *out = open_memstream(&text, &n);
  if (out) {
    exchange_write_mjcf(c, out);
    fclose(out);
    arrays_add_text(a, "model", text);
  }
  free(text);
}

static void add_body(struct arrays *a, struct arena *arena, const struct controls *c)
{
  const struct creature *k = c->graph->creature;
  struct errors_units unit = errors_units(k);
  struct runner_options run;
  size_t n = (size_t)k->n_dofs, joints = n - CREATURE_ROOT_DOFS;
  const char **names = ARENA_NEW(arena, n, const char *);
  double *kp = ARENA_NEW(arena, 3 * joints, double), *kd = kp + joints, *most = kd + joints;
  for (size_t i = 0; i < n; i++)
    names[i] = k->dofs[i].name;
  for (size_t i = 0; i < joints; i++) {
    const struct dof *d = &k->dofs[CREATURE_ROOT_DOFS + i];
    kp[i] = d->servo_kp, kd[i] = d->servo_kd, most[i] = d->torque_max;
  }
  int *balance = ARENA_NEW(arena, n, int), m = features_actions(c->features);
  for (int i = 0; i < m; i++)
    balance[i] = features_action_dofs(c->features)[i] - CREATURE_ROOT_DOFS;
  runner_defaults(k, &run);
  arrays_add_text(a, "format", FORMAT);
  arrays_add_text(a, "creature", k->name);
  add_model(a, k);
  arrays_add_texts(a, "dof_names", n, names);
  arrays_add_reals(a, "kp", rows(joints), kp);
  arrays_add_reals(a, "kd", rows(joints), kd);
  arrays_add_reals(a, "torque_max", rows(joints), most);
  arrays_add_ints(a, "balance", rows((size_t)m), balance);
  arrays_add_reals(a, "units", rows(3), (const double[3]){unit.length, unit.speed, unit.rate});
  arrays_add_reals(a, "trust", rows(2), (const double[2]){feedback_trust.place, feedback_trust.yaw});
  arrays_add_reals(a, "leash", rows(2), (const double[2]){run.leash_along, run.leash_aside});
  arrays_add_reals(a, "fall", rows(2), (const double[2]){run.fall.share, run.fall.tilt});
  arrays_add_real(a, "patience", run.patience);
  arrays_add_real(a, "step", c->graph->step);
  arrays_add_int(a, "steps", c->graph->steps);
}

/* Frames of all strips, one after the other: each has n_frames + 1, the last being where the next clip begins. */
static void add_frames(struct arrays *a, struct arena *arena, const struct control_graph *g)
{
  size_t n = (size_t)g->creature->n_dofs, strips = (size_t)g->n_strips, frames = 0, steps = 0, f = 0, s = 0;
  int *first_frame = ARENA_NEW(arena, strips, int), *first_step = ARENA_NEW(arena, strips, int);
  const char **names = ARENA_NEW(arena, strips, const char *);
  for (size_t i = 0; i < strips; i++) {
    names[i] = g->strips[i].clip->name ? g->strips[i].clip->name : "";
    first_frame[i] = (int)frames, first_step[i] = (int)steps;
    frames += g->strips[i].n ? (size_t)g->strips[i].n_frames + 1 : 0;
    steps += g->strips[i].n ? (size_t)(g->strips[i].n_frames * g->steps) : 0;
  }
  double *q = ARENA_NEW(arena, frames * n, double), *v = ARENA_NEW(arena, frames * n, double);
  double *target = ARENA_NEW(arena, steps * 3 * n, double);
  for (int i = 0; i < g->n_strips; i++) {
    const struct control_strip *strip = &g->strips[i];
    size_t rows_here = strip->n ? (size_t)(strip->n_frames * g->steps) : 0;
    for (int k = 0; strip->n && k <= strip->n_frames; k++, f++) {
      memcpy(q + f * n, control_graph_q(g, i, k), n * sizeof *q);
      memcpy(v + f * n, control_graph_v(g, i, k), n * sizeof *v);
    }
    if (rows_here)
      memcpy(target + s * 3 * n, strip->target, rows_here * 3 * n * sizeof *target);
    s += rows_here;
  }
  arrays_add_texts(a, "clip_names", strips, names);
  arrays_add_ints(a, "clip_frame", rows(strips), first_frame);
  arrays_add_ints(a, "clip_step", rows(strips), first_step);
  arrays_add_reals(a, "frame_q", table(frames, n), q);
  arrays_add_reals(a, "frame_v", table(frames, n), v);
  arrays_add_reals(a, "target", (struct arrays_shape){3, {steps, 3, n}}, target);
}

/* From the own frame of the clip that a fragment follows to that of the one before it (path.c, go_on()). */
static struct clip_advance hop_of(const struct control_graph *g, const struct control_fragment *f)
{
  const struct control_strip *s = &g->strips[f->strip];
  const struct control_fragment *to = &g->fragments[f->next];
  if (f->until < s->n_frames)
    return (struct clip_advance){0, 0, 0};
  return s->clip->cyclic ? s->clip->advance : ground_match(s->clip, f->until, g->strips[to->strip].clip, to->from);
}

static void add_fragments(struct arrays *a, struct arena *arena, const struct controls *c)
{
  const struct control_graph *g = c->graph;
  size_t n = (size_t)g->n_fragments, errors = 2 * (size_t)g->creature->n_dofs, joints = errors / 2 - CREATURE_ROOT_DOFS;
  int *number = ARENA_NEW(arena, 5 * n, int);
  double *hop = ARENA_NEW(arena, 3 * n, double), *K = ARENA_NEW(arena, n * joints * errors, double);
  double *k = ARENA_NEW(arena, n * joints, double), *P = ARENA_NEW(arena, n * errors * errors, double);
  double *p = ARENA_NEW(arena, n * errors, double);
  for (size_t i = 0; i < n; i++) {
    const struct control_fragment *f = &g->fragments[i];
    const struct window_gain *w = &c->gains[i];
    const int row[5] = {f->strip, f->from, f->until, f->next, f->node};
    memcpy(number + 5 * i, row, sizeof row);
    put_motion(hop_of(g, f), hop + 3 * i);
    memcpy(K + i * joints * errors, w->K, joints * errors * sizeof *K);
    memcpy(k + i * joints, w->k, joints * sizeof *k);
    memcpy(P + i * errors * errors, w->P, errors * errors * sizeof *P);
    memcpy(p + i * errors, w->p, errors * sizeof *p);
  }
  arrays_add_ints(a, "fragments", table(n, 5), number);
  arrays_add_reals(a, "hop", table(n, 3), hop);
  arrays_add_reals(a, "K", (struct arrays_shape){3, {n, joints, errors}}, K);
  arrays_add_reals(a, "k", table(n, joints), k);
  arrays_add_reals(a, "P", (struct arrays_shape){3, {n, errors, errors}}, P);
  arrays_add_reals(a, "p", table(n, errors), p);
}

/* What can be chosen at nodes: the fragment that begins it, and how the way goes until the next node. */
static void add_choices(struct arrays *a, struct arena *arena, const struct control_graph *g)
{
  const struct motion_graph *m = g->motion;
  size_t n = (size_t)m->n_segments;
  int *number = ARENA_NEW(arena, 2 * n, int);
  double *hop = ARENA_NEW(arena, 3 * n, double), *way = ARENA_NEW(arena, 3 * n, double);
  for (size_t i = 0; i < n; i++) {
    const struct graph_segment *s = &m->segments[i];
    const struct graph_node *node = &m->nodes[s->from];
    int leaves = s->choice != node->clip;
    number[2 * i] = s->from;
    number[2 * i + 1] = leaves ? g->strips[s->choice].first : control_graph_at(g, node->clip, node->frame);
    if (leaves)
      put_motion(ground_match(g->strips[node->clip].clip, node->frame, g->strips[s->choice].clip, 0), hop + 3 * i);
    put_motion((struct clip_advance){s->x, s->y, s->turn}, way + 3 * i);
  }
  arrays_add_ints(a, "choices", table(n, 2), number);
  arrays_add_reals(a, "choice_hop", table(n, 3), hop);
  arrays_add_reals(a, "choice_way", table(n, 3), way);
}

void policy_arrays_add(struct arrays *a, struct arena *arena, const struct controls *c)
{
  add_body(a, arena, c);
  add_frames(a, arena, c->graph);
  add_fragments(a, arena, c);
  add_choices(a, arena, c->graph);
}
