/* Contact schedules of gaits. */
#include "spacetime/schedule.h"

#include <math.h>

#include "base/angle.h"
#include "creature/style.h"
#include "spacetime/body.h"

struct schedule schedule_new(struct arena *arena, const struct creature *c, int n_frames)
{
  size_t count = (size_t)(n_frames * c->n_points);
  return (struct schedule){n_frames, c->n_points, ARENA_NEW(arena, count, unsigned char),
                           ARENA_NEW(arena, count, double), ARENA_NEW(arena, count, double)};
}

int schedule_foot_touches(const struct creature *c, const struct schedule *s, int k, int i)
{
  const struct foot *foot = &c->feet[c->points[i].foot];
  for (int p = foot->first_point; p < foot->first_point + foot->n_points; p++)
    if (s->on[k * s->n_points + p])
      return 1;
  return 0;
}

/* It leaves and comes back to the ground without speed: a foot that must arrive with some makes torques jump there. */
void schedule_set_swing(const struct creature *c, struct schedule *s, int k, int i, int before, int after,
                        const struct spacetime_options *o)
{
  const struct foot *f = &c->feet[c->points[i].foot];
  double most = (f->clearance > 0 ? f->clearance : o->swing_height * f->leg_length) / c->height;
  double lift = before > 0 ? sin(PI * before / (before + after)) : 0;
  s->swing[k * s->n_points + i] = lift * lift;
  s->clearance[k * s->n_points + i] = most * lift * lift;
}

/* Frames to the nearest one, backwards or forwards, in which the foot stands. */
static int schedule_frames_to_ground(const struct schedule *s, const struct creature *c, int k, int i, int step)
{
  int away = 0;
  while (k + step * away >= 0 && k + step * away < s->n_frames && !schedule_foot_touches(c, s, k + step * away, i))
    away++;
  return away;
}

void schedule_set_swings(const struct creature *c, struct schedule *s, const struct spacetime_options *o)
{
  for (int i = 0; i < s->n_points; i++)
    for (int k = 0; k < s->n_frames; k++)
      if (!schedule_foot_touches(c, s, k, i)) {
        int before = schedule_frames_to_ground(s, c, k, i, -1), after = schedule_frames_to_ground(s, c, k, i, 1);
        schedule_set_swing(c, s, k, i, k - before >= 0 && k + after < s->n_frames ? before : 0, after, o);
      }
}

void schedule_set_free_ends(const struct creature *c, struct schedule *s, const struct spacetime_options *o)
{
  for (int i = 0; i < s->n_points; i++)
    for (int k = 0; k < s->n_frames && body_is_free_end(c, i); k++)
      s->clearance[k * s->n_points + i] = -o->free_end_depth;
}

void schedule_scale_clearance(const struct creature *c, struct schedule *s, const struct style *style)
{
  for (int i = 0; style && i < s->n_points; i++)
    for (int k = 0; k < s->n_frames && !body_is_free_end(c, i); k++)
      s->clearance[k * s->n_points + i] *= style->clearance[i];
}

struct schedule schedule_of_gait(struct arena *arena, const struct creature *c, const struct gait *g, int n_frames,
                                 const struct spacetime_options *o)
{
  struct schedule s = schedule_new(arena, c, n_frames);
  int n = n_frames;
  for (int k = 0; k < n_frames; k++)
    for (int i = 0; i < c->n_points; i++)
      s.on[k * c->n_points + i] = (unsigned char)(!body_is_free_end(c, i) && gait_contact(g, i, (k + 0.5) / n_frames));
  for (int i = 0; i < c->n_points; i++)
    for (int k = 0; k < n && !body_is_free_end(c, i); k++) {
      int before = 0, after = 0; /* frames to the nearest ones on which the foot stands */
      while (before < n && !schedule_foot_touches(c, &s, (k - before + n) % n, i))
        before++;
      while (after < n && !schedule_foot_touches(c, &s, (k + after) % n, i))
        after++;
      schedule_set_swing(c, &s, k, i, before < n ? before : 0, after, o);
    }
  schedule_set_free_ends(c, &s, o);
  schedule_scale_clearance(c, &s, g->style);
  return s;
}

int schedule_is_mirrored(const struct creature *c, const struct schedule *s)
{
  int half = s->n_frames / 2;
  if (s->n_frames % 2)
    return 0;
  for (int k = 0; k < half; k++)
    for (int i = 0; i < s->n_points; i++)
      if (s->on[(k + half) * s->n_points + i] != s->on[k * s->n_points + c->points[i].mirror])
        return 0;
  return 1;
}

int schedule_is_together(const struct creature *c, const struct schedule *s)
{
  for (int k = 0; k < s->n_frames; k++)
    for (int i = 0; i < s->n_points; i++)
      if (s->on[k * s->n_points + i] != s->on[k * s->n_points + c->points[i].mirror])
        return 0;
  return 1;
}
