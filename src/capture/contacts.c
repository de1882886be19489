/* Which points are on the ground: those that are low and slow; and when none is, though the body does not fall, the
 * lowest that is slow. */
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "dynamics/dynamics.h"
#include "capture/feedforward.h"
#include "capture/floor.h"

void capture_point_tracks(struct arena *arena, const struct creature *c, const struct clip *clip,
                          struct capture_tracks *out)
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

/* ---- nobody floats ---- */

/* Heights of the centre of mass (n_frames). */
static double *centre_heights(struct arena *arena, const struct creature *c, const struct clip *clip)
{
  double *z = ARENA_NEW(arena, (size_t)clip->n_frames, double), *zero = ARENA_NEW(arena, (size_t)c->n_dofs, double);
  struct dynamics *d = dynamics_new(arena, c);
  for (int k = 0; k < clip->n_frames; k++) {
    struct dynamics_whole whole;
    dynamics_whole(d, clip->q + (size_t)k * (size_t)c->n_dofs, zero, zero, &whole);
    z[k] = whole.com[2];
  }
  return z;
}

/* What carries the body through n frames, on average, in weights: 0 in flight, when it falls as gravity says. By the
 * parabola nearest to the heights, for accelerations of captured motion are noise; nothing beyond the frames counts. */
static double carried(const double *z, int n, double dt)
{
  double middle = 0.5 * (n - 1), mean = (n * (double)n - 1) / 12, sum = 0, squares = 0;
  for (int i = 0; i < n; i++) {
    double bend = (i - middle) * (i - middle) - mean; /* perpendicular to what is straight */
    sum += z[i] * bend;
    squares += bend * bend;
  }
  return 1 + 2 * sum / squares / (dt * dt * CREATURE_GRAVITY);
}

/* The lowest of the points that are slow; -1 if all are fast. */
static int lowest_slow(const struct capture_tracks *t, int n_points, int k, double speed)
{
  int best = -1;
  for (int p = 0; p < n_points; p++) {
    int i = k * n_points + p;
    if (t->speed[i] < speed && (best < 0 || t->place[3 * i + 2] < t->place[3 * (k * n_points + best) + 2]))
      best = p;
  }
  return best;
}

static int anything_on(const unsigned char *contact, int n_points, int k)
{
  return n_points > 0 && memchr(contact + (size_t)k * (size_t)n_points, 1, (size_t)n_points) != NULL;
}

/* Where nothing touches for a while and yet the body is carried, something must touch: hands in a cartwheel, whose
 * palms no skeleton knows well. */
static void fill_gaps(struct arena *arena, const struct creature *c, const struct clip *clip,
                      const struct capture_feedforward_options *o, const struct capture_tracks *t,
                      unsigned char *contact)
{
  int n = clip->n_frames, points = c->n_points;
  const double *z = centre_heights(arena, c, clip);
  for (int k = 0, end; k < n; k = end + 1) {
    for (end = k; end < n && !anything_on(contact, points, end); end++) {}
    if (k == 0 || end == n || end - k < 4 || (end - k) * clip->dt < o->flight ||
        carried(z + k, end - k, clip->dt) < o->carried)
      continue; /* at the ends of a clip nobody knows what was before, or came after */
    for (int i = k; i < end; i++) {
      int p = lowest_slow(t, points, i, o->contact_speed);
      if (p >= 0)
        contact[i * points + p] = 1;
    }
  }
}

void capture_find_contacts(struct arena *arena, const struct creature *c, const struct clip *clip,
                           const struct capture_feedforward_options *o, unsigned char *contact)
{
  struct capture_tracks t;
  int least = (int)ceil(o->flicker / clip->dt);
  capture_point_tracks(arena, c, clip, &t);
  for (int i = 0; i < clip->n_frames * c->n_points; i++)
    contact[i] = t.place[3 * i + 2] < o->contact_height && t.speed[i] < o->contact_speed;
  for (int p = 0; p < c->n_points; p++) {
    drop_short(contact + p, clip->n_frames, c->n_points, 0, least);
    drop_short(contact + p, clip->n_frames, c->n_points, 1, least);
  }
  if (!clip->cyclic)
    fill_gaps(arena, c, clip, o, &t, contact);
}
