/* See reference_bytes.h. */
#include "follow/reference_bytes.h"

#define MOST 10000000            /* frames or windows that may be believed */

void reference_put(struct bytes_writer *w, const struct reference *r)
{
  size_t frames = (size_t)r->n_frames, dofs = frames * (size_t)r->n_dofs, points = frames * (size_t)r->n_points;
  const int counts[] = {r->n_frames, r->n_windows, r->n_ahead, r->n_models, r->torques_given};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    bytes_put_int(w, counts[i]);
  bytes_put_real(w, r->dt);
  bytes_put_real(w, r->slope);
  bytes_put_reals(w, r->q, dofs);
  bytes_put_reals(w, r->v, dofs);
  bytes_put_reals(w, r->torque, dofs);
  bytes_put_reals(w, r->force, 3 * points);
  bytes_put(w, r->contact, points);
  bytes_put(w, r->first, ((size_t)r->n_ahead + 1) * sizeof *r->first);
  bytes_put(w, r->model, (size_t)r->n_ahead * sizeof *r->model);
  bytes_put(w, r->keys, (size_t)r->n_models * sizeof *r->keys);
  bytes_put(w, r->typical, (size_t)r->n_models * sizeof *r->typical);
}

/* Windows lie one after the other within the frames, and models and windows know each other. */
static int windows_fit(const struct reference *r)
{
  int good = r->first[0] >= 0 && r->first[r->n_ahead] < r->n_frames && r->n_windows <= r->n_ahead;
  for (int i = 0; i < r->n_ahead; i++)
    good &= r->first[i] < r->first[i + 1] && r->model[i] >= 0 && r->model[i] < r->n_models;
  for (int i = 0; i < r->n_models; i++)
    good &= r->typical[i] >= 0 && r->typical[i] < r->n_ahead;
  return good;
}

const struct reference *reference_get(struct bytes_reader *b, const struct creature *c)
{
  struct reference *r = ARENA_NEW(b->arena, 1, struct reference);
  r->creature = c;
  r->n_dofs = c->n_dofs;
  r->n_points = c->n_points;
  r->n_frames = bytes_get_within(b, 1, MOST);
  r->n_windows = bytes_get_within(b, 0, MOST);
  r->n_ahead = bytes_get_within(b, 0, MOST);
  r->n_models = bytes_get_within(b, 0, MOST);
  r->torques_given = bytes_get_within(b, 0, 1);
  r->dt = bytes_get_real(b);
  r->slope = bytes_get_real(b);
  size_t frames = (size_t)r->n_frames, dofs = frames * (size_t)r->n_dofs, points = frames * (size_t)r->n_points;
  r->q = bytes_get_reals(b, dofs);
  r->v = bytes_get_reals(b, dofs);
  r->torque = bytes_get_reals(b, dofs);
  r->force = bytes_get_reals(b, 3 * points);
  r->contact = bytes_get_array(b, points, 1);
  r->first = bytes_get_array(b, (size_t)r->n_ahead + 1, sizeof *r->first);
  r->model = bytes_get_array(b, (size_t)r->n_ahead, sizeof *r->model);
  r->keys = bytes_get_array(b, (size_t)r->n_models, sizeof *r->keys);
  r->typical = bytes_get_array(b, (size_t)r->n_models, sizeof *r->typical);
  b->bad |= !(r->dt > 0) || b->bad || !windows_fit(r);
  return b->bad ? NULL : r;
}
