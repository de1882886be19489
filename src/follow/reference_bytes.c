/* See reference_bytes.h. */
#include "follow/reference_bytes.h"

#define MOST 10000000            /* frames or windows that are accepted */

/* after these q, v, torques, forces and contacts, frame by frame, then windows and models */
static const struct bytes_field reference_fields[] = {
    BYTES_INTS(struct reference, n_frames),  BYTES_INTS(struct reference, n_windows),
    BYTES_INTS(struct reference, n_ahead),   BYTES_INTS(struct reference, n_models),
    BYTES_INTS(struct reference, torques_given), BYTES_REALS(struct reference, dt),
    BYTES_REALS(struct reference, slope),    BYTES_END};

#define KEY(field) BYTES_INTS(struct reference_key, field)
static const struct bytes_field key_fields[] = {KEY(clip), KEY(frame), KEY(n_frames), KEY(end_clip), KEY(end_frame),
                                                KEY(heading), BYTES_END};

void reference_put(struct bytes_writer *w, const struct reference *r)
{
  size_t frames = (size_t)r->n_frames, dofs = frames * (size_t)r->n_dofs, points = frames * (size_t)r->n_points;
  bytes_put_fields(w, reference_fields, r);
  bytes_put_reals(w, r->q, dofs);
  bytes_put_reals(w, r->v, dofs);
  bytes_put_reals(w, r->torque, dofs);
  bytes_put_reals(w, r->force, 3 * points);
  bytes_put(w, r->contact, points);
  bytes_put_ints(w, r->first, (size_t)r->n_ahead + 1);
  bytes_put_ints(w, r->model, (size_t)r->n_ahead);
  for (int i = 0; i < r->n_models; i++)
    bytes_put_fields(w, key_fields, &r->keys[i]);
  bytes_put_ints(w, r->typical, (size_t)r->n_models);
}

/* Are the counts usable, and are there as many bytes as they need? */
static int counts_fit(struct bytes_reader *b, const struct reference *r)
{
  const int counts[] = {r->n_frames, r->n_windows, r->n_ahead, r->n_models};
  for (int i = 0; i < 4; i++)
    b->bad |= counts[i] < (i == 0) || counts[i] > MOST;
  b->bad |= r->torques_given < 0 || r->torques_given > 1 || !(r->dt > 0);
  if (!b->bad)
    bytes_need(b, (uint64_t)r->n_frames * (24 * (uint64_t)r->n_dofs + 25 * (uint64_t)r->n_points) +
                      8 * (uint64_t)r->n_ahead + 4 + (bytes_least(key_fields) + 4) * (uint64_t)r->n_models);
  return !b->bad;
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
  bytes_get_fields(b, reference_fields, r);
  if (!counts_fit(b, r))
    return NULL;
  size_t frames = (size_t)r->n_frames, dofs = frames * (size_t)r->n_dofs, points = frames * (size_t)r->n_points;
  r->q = bytes_get_reals(b, dofs);
  r->v = bytes_get_reals(b, dofs);
  r->torque = bytes_get_reals(b, dofs);
  r->force = bytes_get_reals(b, 3 * points);
  r->contact = bytes_get_array(b, points, 1);
  r->first = bytes_get_ints(b, (size_t)r->n_ahead + 1);
  r->model = bytes_get_ints(b, (size_t)r->n_ahead);
  r->keys = ARENA_NEW(b->arena, (size_t)r->n_models, struct reference_key);
  for (int i = 0; i < r->n_models; i++)
    bytes_get_fields(b, key_fields, &r->keys[i]);
  r->typical = bytes_get_ints(b, (size_t)r->n_models);
  b->bad |= b->bad || !windows_fit(r);
  return b->bad ? NULL : r;
}
