/* Recorded performances: doing them again, and showing them. See recording.h. */
#include "follow/recording.h"

#include <float.h>
#include <math.h>
#include <string.h>

struct follow_motion *recording_replay_by(struct arena *arena, struct rollout *ro, const struct recording *k)
{
  const struct reference *r = k->reference;
  size_t n = (size_t)r->n_dofs, controls = n - CREATURE_ROOT_DOFS;
  struct follow_motion *m = follow_motion_new(arena, r);
  rollout_set(ro, k->start, k->start + n);
  for (int w = 0; w < k->n_windows; w++)
    if (!rollout_window(ro, w, k->offsets ? k->offsets + (size_t)w * controls : NULL, m))
      break;
  return m;
}

struct follow_motion *recording_replay(struct arena *arena, const struct recording *k, struct diag *d)
{
  if (k->linear) {
    diag_error(d, k->reference->creature->file, 0, "a motion in linearised dynamics is planned again, not replayed");
    return NULL;
  }
  struct rollout *ro = rollout_new(arena, k->reference, &k->rollout, d);
  struct follow_motion *m = ro ? recording_replay_by(arena, ro, k) : NULL;
  rollout_free(ro);
  return m;
}

double recording_difference(const struct creature *c, const struct follow_motion *a, const struct follow_motion *b)
{
  size_t n = (size_t)a->n_frames * (size_t)a->n_dofs;
  double most = 0;
  if (a->n_frames != b->n_frames || a->n_dofs != b->n_dofs)
    return INFINITY;
  if (!memcmp(a->q, b->q, n * sizeof *a->q))
    return 0;
  for (size_t i = 0; i < n; i++) {
    double off = fabs(a->q[i] - b->q[i]) / (i % (size_t)a->n_dofs < 3 ? c->height : 1);
    if (!(off <= most))
      most = off;
  }
  return isfinite(most) ? fmax(most, DBL_MIN) : INFINITY; /* other bits are another motion: -0 and 0 */
}

static struct clip *make_clip(struct arena *arena, const struct reference *r, int n, const char *name, const double *q,
                              const double *force, const unsigned char *contact)
{
  struct clip *clip = clip_new(arena, r->creature, n, r->dt);
  size_t frames = (size_t)n, p = (size_t)r->n_points;
  clip->name = clip->gait = clip->gait_after = name;
  memcpy(clip->q, q, frames * (size_t)r->n_dofs * sizeof *q);
  memcpy(clip->force, force, frames * p * 3 * sizeof *force);
  memcpy(clip->contact, contact, frames * p);
  const double *last = q + (frames - 1) * (size_t)r->n_dofs;
  clip->turn = last[3] - q[3];
  clip->speed = hypot(last[0] - q[0], last[1] - q[1]) / (n * r->dt);
  clip->advance = (struct clip_advance){last[0] - q[0], last[1] - q[1], last[3] - q[3]};
  return clip;
}

/* Of torques that are held for a frame, forces of frame k are those that led to frame k + 1, and are shown with it. */
static struct clip *held_clip(struct arena *arena, const struct recording *k, const char *name)
{
  const struct follow_motion *m = k->motion;
  struct clip *clip = clip_new(arena, k->reference->creature, m->n_frames - 1, k->reference->dt);
  size_t n = (size_t)clip->n_frames, p = (size_t)m->n_points;
  clip->name = clip->gait = clip->gait_after = arena_strdup(arena, name);
  memcpy(clip->q, m->q + m->n_dofs, n * (size_t)m->n_dofs * sizeof *m->q);
  memcpy(clip->force, m->force, 3 * n * p * sizeof *m->force);
  for (size_t i = 0; i < n * p; i++)
    clip->contact[i] = clip->force[3 * i + 2] > 0;
  return clip;
}

struct clip *recording_clip(struct arena *arena, const struct recording *k, const char *name)
{
  const struct follow_motion *m = k->motion;
  return k->rollout.drive == DRIVE_HELD ? held_clip(arena, k, name)
                                        : make_clip(arena, k->reference, m->n_frames, name, m->q, m->force, m->contact);
}

struct clip *recording_reference_clip(struct arena *arena, const struct recording *k, const char *name)
{
  const struct reference *r = k->reference;
  return make_clip(arena, r, k->motion->n_frames, name, r->q, r->force, r->contact);
}

const char *recording_place(const struct recording *k)
{
  return k->linear ? "linear" : world_engine_name((int)k->rollout.world.engine);
}

double recording_torque_squares(const struct recording *k)
{
  const struct creature *c = k->reference->creature;
  const struct follow_motion *m = k->motion;
  double unit = c->mass * CREATURE_GRAVITY * c->height, sum = 0;
  int frames = m->n_frames - 1; /* torques of a frame are those until the next */
  for (int f = 0; f < frames; f++)
    for (int i = CREATURE_ROOT_DOFS; i < m->n_dofs; i++) {
      double t = m->torque[f * m->n_dofs + i] / unit;
      sum += t * t;
    }
  return frames > 0 ? sum / frames : NAN;
}
