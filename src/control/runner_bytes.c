/* See runner_bytes.h. What is scratch, or made anew at the next decision, is left out. */
#include "control/runner_bytes.h"

#include <math.h>
#include <string.h>

static size_t plan_numbers(const struct runner *r)
{
  size_t held = r->options.held > 0 ? (size_t)r->options.held : 0;
  return held * ((size_t)r->controls->graph->creature->n_dofs - CREATURE_ROOT_DOFS);
}

static void put_place(struct bytes_writer *w, struct clip_advance a)
{
  const double numbers[3] = {a.x, a.y, a.yaw};
  bytes_put_reals(w, numbers, 3);
}

void runner_put(struct bytes_writer *w, const struct runner *r)
{
  const struct control_path *p = &r->path;
  const int path[] = {p->fragment, p->segment, p->ref_strip, p->ref_frame, (int)r->state, r->frame, r->until,
                      r->under_way};
  const long counts[] = {r->fragments, r->looks, r->leaves, r->put_off, r->planned};
  const double reals[] = {r->time, r->value, r->promised};
  size_t n = world_state_size(r->body->world);
  bytes_put_ints(w, path, sizeof path / sizeof *path);
  put_place(w, p->place);
  put_place(w, p->ref_place);
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    bytes_put_bits(w, (uint64_t)(int64_t)counts[i], 8);
  bytes_put_reals(w, reals, sizeof reals / sizeof *reals);
  bytes_put_bits(w, r->rng.state, 8);
  bytes_put_reals(w, r->plan, plan_numbers(r));
  bytes_put_reals(w, r->u, (size_t)r->controls->graph->creature->n_dofs - CREATURE_ROOT_DOFS);
  bytes_put_bits(w, n, 4);
  if (w->bytes)
    world_save(r->body->world, w->bytes + w->n);
  w->n += n;
}

static struct clip_advance get_place(struct bytes_reader *b)
{
  struct clip_advance a = {bytes_get_real(b), 0, 0};
  a.y = bytes_get_real(b);
  a.yaw = bytes_get_real(b);
  b->bad |= !isfinite(a.x) || !isfinite(a.y) || !isfinite(a.yaw);
  return a;
}

static long get_long(struct bytes_reader *b)
{
  int64_t x = (int64_t)bytes_get_bits(b, 8);
  b->bad |= x < -1 || x > INT32_MAX;
  return (long)x;
}

/* Where on the graph it is: 0 if there is no such place. */
static int get_path(struct bytes_reader *b, const struct control_graph *g, struct runner *r)
{
  struct control_path *p = &r->path;
  p->fragment = bytes_get_within(b, 0, g->n_fragments - 1);
  p->segment = bytes_get_within(b, -1, g->motion->n_segments - 1);
  p->ref_strip = bytes_get_within(b, 0, g->n_strips - 1);
  b->bad |= g->strips[p->ref_strip].n == 0;
  p->ref_frame = bytes_get_within(b, 0, g->strips[p->ref_strip].n_frames);
  r->state = (enum runner_state)bytes_get_within(b, RUNNER_UP, RUNNER_FALLEN);
  const struct control_fragment *f = &g->fragments[p->fragment];
  r->frame = bytes_get_within(b, 0, g->strips[f->strip].n_frames);
  r->until = bytes_get_within(b, 0, g->strips[f->strip].n_frames);
  r->under_way = bytes_get_within(b, 0, 1);
  b->bad |= r->under_way && r->frame >= r->until;
  p->place = get_place(b);
  p->ref_place = get_place(b);
  return !b->bad;
}

int runner_get(struct bytes_reader *b, struct runner *r)
{
  const struct control_graph *g = r->controls->graph;
  size_t n_plan = plan_numbers(r), n_u = (size_t)g->creature->n_dofs - CREATURE_ROOT_DOFS;
  struct runner next = *r;
  if (!get_path(b, g, &next))
    return 0;
  long *counts[] = {&next.fragments, &next.looks, &next.leaves, &next.put_off, &next.planned};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    *counts[i] = get_long(b);
  next.time = bytes_get_real(b);
  next.value = bytes_get_real(b);
  next.promised = bytes_get_real(b);
  next.rng.state = bytes_get_bits(b, 8);
  const double *plan = bytes_get_reals(b, n_plan), *u = bytes_get_reals(b, n_u);
  uint64_t n = bytes_get_bits(b, 4);
  b->bad |= n != world_state_size(r->body->world);
  const void *state = b->bad ? NULL : bytes_get_array(b, (size_t)n, 1); /* where numbers may lie */
  b->bad |= !state || !world_state_is_sound(r->body->world, state);
  if (b->bad)
    return 0;
  memcpy(r->plan, plan, n_plan * sizeof *plan);
  memcpy(r->u, u, n_u * sizeof *u);
  world_restore(r->body->world, state);
  *r = next;
  return 1;
}
