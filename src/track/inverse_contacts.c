/* Which points are on the ground: those that are low and slow. */
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "dynamics/dynamics.h"
#include "track/inverse_feedforward.h"
#include "track/inverse_floor.h"

#define FLICKER 0.025 /* contacts, and gaps between them, that are shorter than this are noise [s] */

void inverse_point_tracks(struct arena *arena, const struct creature *c, const struct clip *clip,
                          struct inverse_tracks *out)
{
  struct arena *scratch = arena_new();
  struct dynamics *d = dynamics_new(scratch, c);
  double *q = ARENA_NEW(scratch, (size_t)c->n_dofs, double);
  size_t width = (size_t)c->n_points * 3, n = (size_t)clip->n_frames;
  out->place = ARENA_NEW(arena, n * width, double);
  out->speed = ARENA_NEW(arena, n * (size_t)c->n_points, double);
  double *all = ARENA_NEW(scratch, (n + 2) * width, double); /* and one frame on either side, if there is one */
  for (int k = -1; k <= clip->n_frames; k++) {
    clip_frame(clip, clip->cyclic || (k >= 0 && k < clip->n_frames) ? k : k < 0 ? 0 : clip->n_frames - 1, q);
    dynamics_kinematics(d, q);
    for (int p = 0; p < c->n_points; p++)
      dynamics_point(d, c->points[p].body, c->points[p].at, all + (size_t)(k + 1) * width + 3 * p);
  }
  memcpy(out->place, all + width, n * width * sizeof *all);
  for (int k = 0; k < clip->n_frames; k++)
    for (int p = 0; p < c->n_points; p++) {
      const double *before = all + (size_t)k * width + 3 * p, *after = before + 2 * width;
      double way[3] = {after[0] - before[0], after[1] - before[1], after[2] - before[2]};
      int steps = clip->cyclic || (k > 0 && k < clip->n_frames - 1) ? 2 : 1;
      out->speed[k * c->n_points + p] = vec3_norm(way) / (steps * clip->dt);
    }
  arena_free(scratch);
}

/* Runs of `value` that are shorter than so many frames become the other value; those at the ends of the clip stay. */
static void drop_short(unsigned char *contact, int n, int stride, int value, int least)
{
  for (int k = 0; k < n;) {
    int end = k;
    while (end < n && contact[end * stride] == contact[k * stride])
      end++;
    if (contact[k * stride] == value && k > 0 && end < n && end - k < least)
      for (int i = k; i < end; i++)
        contact[i * stride] = (unsigned char)!value;
    k = end;
  }
}

void inverse_find_contacts(struct arena *arena, const struct creature *c, const struct clip *clip,
                           const struct inverse_options *o, unsigned char *contact)
{
  struct inverse_tracks t;
  int least = (int)ceil(FLICKER / clip->dt);
  inverse_point_tracks(arena, c, clip, &t);
  for (int i = 0; i < clip->n_frames * c->n_points; i++)
    contact[i] = t.place[3 * i + 2] < o->contact_height && t.speed[i] < o->contact_speed;
  for (int p = 0; p < c->n_points; p++) {
    drop_short(contact + p, clip->n_frames, c->n_points, 0, least);
    drop_short(contact + p, clip->n_frames, c->n_points, 1, least);
  }
}
