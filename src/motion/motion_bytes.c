/* See motion_bytes.h. */
#include "motion/motion_bytes.h"

#include "creature/creature_bytes.h"

#define MOST 1000000             /* frames, dofs, points or clips that are accepted */

/* ---- clips ---- */

/* after these q, forces and contacts, frame by frame */
#define INTS(field)  BYTES_INTS(struct clip, field)
#define REALS(field) BYTES_REALS(struct clip, field)
static const struct bytes_field clip_fields[] = {
    BYTES_NAME(struct clip, name), BYTES_NAME(struct clip, gait), BYTES_NAME(struct clip, gait_after), INTS(n_frames),
    INTS(n_dofs), INTS(n_points), INTS(cyclic), REALS(dt), REALS(speed), REALS(strafe), REALS(turn), REALS(advance.x),
    REALS(advance.y), REALS(advance.yaw), INTS(from.clip), INTS(from.frame), INTS(to.clip), INTS(to.frame), BYTES_END};

/* Of a clip that is not on level ground, behind all else: `cyclic` counts ON_SURFACE more. So clips on level ground
 * have the bytes that they always had, and packages of older programs are read. */
#define ON_SURFACE 2
static const struct bytes_field ground_fields[] = {REALS(ground.rise[0]), REALS(ground.rise[1]), BYTES_END};


void clip_put(struct bytes_writer *w, const struct clip *c)
{
  bytes_put_int(w, c != NULL);
  if (!c)
    return;
  size_t n_q = (size_t)c->n_frames * (size_t)c->n_dofs, n_contact = (size_t)c->n_frames * (size_t)c->n_points;
  struct clip marked = *c;
  int level = surface_is_level(&c->ground);
  marked.cyclic += level ? 0 : ON_SURFACE;
  bytes_put_fields(w, clip_fields, &marked);
  bytes_put_reals(w, c->q, n_q);
  bytes_put_reals(w, c->force, 3 * n_contact);
  bytes_put(w, c->contact, n_contact);
  if (!level)
    bytes_put_fields(w, ground_fields, c);
}

struct clip *clip_get(struct bytes_reader *r)
{
  if (!bytes_get_within(r, 0, 1))
    return NULL;
  struct clip *c = ARENA_NEW(r->arena, 1, struct clip);
  bytes_get_fields(r, clip_fields, c);
  int raised = c->cyclic >= ON_SURFACE;
  c->cyclic -= raised ? ON_SURFACE : 0;
  r->bad |= c->n_frames < 1 || c->n_frames > MOST || c->n_dofs < 1 || c->n_dofs > MOST || c->n_points < 0 ||
            c->n_points > MOST || c->cyclic < 0 || c->cyclic > 1 || !(c->dt > 0);
  if (!r->bad)
    bytes_need(r, (uint64_t)c->n_frames * (8 * (uint64_t)c->n_dofs + 25 * (uint64_t)c->n_points));
  if (r->bad)
    return NULL;
  size_t n_q = (size_t)c->n_frames * (size_t)c->n_dofs, n_contact = (size_t)c->n_frames * (size_t)c->n_points;
  c->q = bytes_get_reals(r, n_q);
  c->force = bytes_get_reals(r, 3 * n_contact);
  c->contact = bytes_get_array(r, n_contact, 1);
  for (size_t i = 0; i < n_contact; i++)
    r->bad |= c->contact[i] > 1;
  if (raised)
    bytes_get_fields(r, ground_fields, c);
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
