/* Mode clip: the frames of a clip, as they are. A cycle goes on over the ground for ever; a clip that is none begins
 * again where it began. */
#include <math.h>
#include <string.h>

#include "control/level.h"
#include "motion/ground.h"
#include "stage/room.h"

struct mode_clip {
  int clip, frame;              /* frame of a cycle: any                                                           */
  struct clip_advance place;    /* from the clip's own frame to the world                                          */
};

static const struct clip *clip_of(const struct stage *s, int clip)
{
  return s->cast->package.clips.clips[clip].clip;
}

static int clip_can(const struct stage_cast *c)
{
  return c->package.clips.n_clips > 0;
}

static void *clip_enter(struct stage *s, struct arena *arena, int clip, struct clip_advance at, struct diag *d)
{
  struct mode_clip *m = ARENA_NEW(arena, 1, struct mode_clip);
  (void)d;
  m->clip = clip < 0 ? 0 : clip;
  m->place = ground_after(at, ground_inverse(ground_frame(clip_of(s, m->clip), 0)));
  return m;
}

static enum stage_state clip_frame_on(struct stage *s)
{
  struct mode_clip *m = s->mode_data;
  const struct clip *k = clip_of(s, m->clip);
  m->frame++;
  if (k->cyclic && m->frame >= k->n_frames) {
    m->frame -= k->n_frames;
    m->place = ground_after(m->place, k->advance);
  } else if (!k->cyclic && m->frame >= k->n_frames)
    m->frame = 0;
  return STAGE_UP;
}

/* A pose of the clip where it stands in the world; 0 if there is no such frame. */
static int clip_pose(const struct stage *s, int frame, double *q)
{
  const struct mode_clip *m = s->mode_data;
  const struct clip *k = clip_of(s, m->clip);
  if (!k->cyclic && (frame < 0 || frame >= k->n_frames))
    return 0;
  clip_frame(k, frame, q);
  clip_place_pose(k, m->place, q);
  if (surface_is_level(&k->ground)) /* else it has a height of its own */
    q[2] += level_height(&s->scene.terrain, s->cast->creature, q[0], q[1]);
  return 1;
}

static void clip_look(struct stage *s)
{
  const struct mode_clip *m = s->mode_data;
  const struct clip *k = clip_of(s, m->clip);
  int n = k->n_dofs, row = m->frame * k->n_points;
  double before[n], after[n], sine = sin(m->place.yaw), cosine = cos(m->place.yaw);
  int has_before = clip_pose(s, m->frame - 1, before), has_after = clip_pose(s, m->frame + 1, after);
  clip_pose(s, m->frame, s->now.q);
  for (int i = 0; i < k->n_points; i++) {
    const double *f = k->force + 3 * (row + i);
    double *to = s->now.force + 3 * i;
    s->now.on[i] = k->contact[row + i];
    to[0] = cosine * f[0] - sine * f[1];
    to[1] = sine * f[0] + cosine * f[1];
    to[2] = f[2];
  }
  stage_derive(s, has_before ? before : NULL, s->now.q, has_after ? after : NULL);
  s->now.clip = m->clip;
  s->now.frame = m->frame;
  s->now.heading = m->place.yaw + ground_heading(k, m->frame);
}

static int clip_seek(struct stage *s, int frame, struct diag *d)
{
  struct mode_clip *m = s->mode_data;
  const struct clip *k = clip_of(s, m->clip);
  if (frame < 0 || frame >= k->n_frames) {
    diag_error(d, "stage", 0, "clip '%s' has no frame %d; frames are 0 to %d", k->name, frame, k->n_frames - 1);
    return 0;
  }
  m->frame = frame;
  return 1;
}

static void clip_put_mode(const struct stage *s, struct bytes_writer *w)
{
  const struct mode_clip *m = s->mode_data;
  const double place[3] = {m->place.x, m->place.y, m->place.yaw};
  bytes_put_int(w, m->clip);
  bytes_put_int(w, m->frame);
  bytes_put_reals(w, place, 3);
}

static int clip_get_mode(struct stage *s, struct bytes_reader *r)
{
  struct mode_clip *m = s->mode_data;
  m->clip = bytes_get_within(r, 0, s->cast->package.clips.n_clips - 1);
  m->frame = bytes_get_within(r, 0, clip_of(s, m->clip)->n_frames - 1);
  m->place.x = bytes_get_real(r);
  m->place.y = bytes_get_real(r);
  m->place.yaw = bytes_get_real(r);
  return !r->bad && isfinite(m->place.x) && isfinite(m->place.y) && isfinite(m->place.yaw);
}

const struct stage_mode_kind stage_mode_clip = {
  .name = "clip", .can = clip_can, .enter = clip_enter, .frame = clip_frame_on, .look = clip_look, .seek = clip_seek,
  .put = clip_put_mode, .get = clip_get_mode,
};
