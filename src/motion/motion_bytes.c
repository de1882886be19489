/* See motion_bytes.h. */
#include "motion/motion_bytes.h"

#include "creature/creature_bytes.h"

#define MOST 1000000             /* frames, dofs, points or clips that may be believed */

/* ---- clips ---- */

void clip_put(struct bytes_writer *w, const struct clip *c)
{
  bytes_put_int(w, c != NULL);
  if (!c)
    return;
  const double numbers[] = {c->dt, c->speed, c->strafe, c->turn, c->advance.x, c->advance.y, c->advance.yaw};
  const int ends[] = {c->from.clip, c->from.frame, c->to.clip, c->to.frame};
  size_t n_q = (size_t)c->n_frames * (size_t)c->n_dofs, n_contact = (size_t)c->n_frames * (size_t)c->n_points;
  bytes_put_text(w, c->name);
  bytes_put_text(w, c->gait);
  bytes_put_text(w, c->gait_after);
  bytes_put_int(w, c->n_frames);
  bytes_put_int(w, c->n_dofs);
  bytes_put_int(w, c->n_points);
  bytes_put_int(w, c->cyclic);
  bytes_put_reals(w, numbers, sizeof numbers / sizeof *numbers);
  for (int i = 0; i < 4; i++)
    bytes_put_int(w, ends[i]);
  bytes_put_reals(w, c->q, n_q);
  bytes_put_reals(w, c->force, 3 * n_contact);
  bytes_put(w, c->contact, n_contact);
}

static void get_frames(struct bytes_reader *r, struct clip *c)
{
  size_t n_contact = (size_t)c->n_frames * (size_t)c->n_points;
  c->q = bytes_get_reals(r, (size_t)c->n_frames * (size_t)c->n_dofs);
  c->force = bytes_get_reals(r, 3 * n_contact);
  c->contact = bytes_get_array(r, n_contact, 1);
  for (size_t i = 0; c->contact && i < n_contact; i++)
    r->bad |= c->contact[i] > 1;
}

struct clip *clip_get(struct bytes_reader *r)
{
  if (!bytes_get_within(r, 0, 1))
    return NULL;
  struct clip *c = ARENA_NEW(r->arena, 1, struct clip);
  double *numbers[] = {&c->dt, &c->speed, &c->strafe, &c->turn, &c->advance.x, &c->advance.y, &c->advance.yaw};
  int *ends[] = {&c->from.clip, &c->from.frame, &c->to.clip, &c->to.frame};
  c->name = bytes_get_name(r);
  c->gait = bytes_get_name(r);
  c->gait_after = bytes_get_name(r);
  c->n_frames = bytes_get_within(r, 1, MOST);
  c->n_dofs = bytes_get_within(r, 1, MOST);
  c->n_points = bytes_get_within(r, 0, MOST);
  c->cyclic = bytes_get_within(r, 0, 1);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    *numbers[i] = bytes_get_real(r);
  for (int i = 0; i < 4; i++)
    *ends[i] = bytes_get_int(r);
  r->bad |= !(c->dt > 0);
  get_frames(r, c);
  return r->bad ? NULL : c;
}

/* ---- a creature and its clips ---- */

void graph_input_put(struct bytes_writer *w, const struct graph_input *in)
{
  creature_put(w, in->creature);
  bytes_put_text(w, in->file);
  bytes_put_int(w, in->branches);
  bytes_put_int(w, in->n_clips);
  for (int i = 0; i < in->n_clips; i++) {
    bytes_put_int(w, in->clips[i].id);
    clip_put(w, in->clips[i].clip);
  }
}

int graph_input_get(struct bytes_reader *r, struct graph_input *out)
{
  const struct creature *c = creature_get(r);
  *out = (struct graph_input){.creature = c, .file = bytes_get_text(r)};
  out->branches = bytes_get_within(r, 0, MOST);
  out->n_clips = bytes_get_within(r, 0, MOST);
  r->bad |= (size_t)out->n_clips > r->left;
  struct graph_clip *clips = ARENA_NEW(r->arena, r->bad ? 0 : (size_t)out->n_clips, struct graph_clip);
  for (int i = 0; i < out->n_clips && !r->bad; i++) {
    clips[i].id = bytes_get_int(r);
    clips[i].clip = clip_get(r);
    r->bad |= !clips[i].clip || clips[i].clip->n_dofs != c->n_dofs || clips[i].clip->n_points != c->n_points;
  }
  out->clips = clips;
  return !r->bad;
}
