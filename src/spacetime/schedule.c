/* Contact schedules of gaits and of the ways between them. */
#include "spacetime/schedule.h"

#include <math.h>

#include "spacetime/body.h"

/* How high a foot is lifted, in leg lengths, at the middle of its swing. */
#define SWING_HEIGHT 0.08

/* How deep the end of a limb's centre line may go, in standing heights: limbs are round, and end a little before it. */
#define FREE_END_DEPTH 0.02

static struct schedule schedule_new(struct arena *arena, const struct creature *c, int n_frames)
{
  size_t count = (size_t)(n_frames * c->n_points);
  return (struct schedule){n_frames, c->n_points, ARENA_NEW(arena, count, unsigned char), ARENA_NEW(arena, count, double)};
}

/* Is any point of the foot of point i on the ground at a frame? */
static int foot_touches(const struct creature *c, const struct schedule *s, int k, int i)
{
  const struct foot *foot = &c->feet[c->points[i].foot];
  for (int p = foot->first_point; p < foot->first_point + foot->n_points; p++)
    if (s->on[k * s->n_points + p])
      return 1;
  return 0;
}

/* Height of a swing: half a sine from lift-off to touch-down of the whole foot. before and after count the frames to the nearest ones on the ground. */
static double swing_height(const struct creature *c, int i, int before, int after)
{
  double most = SWING_HEIGHT * c->feet[c->points[i].foot].leg_length / c->height;
  return most * sin(3.14159265358979323846 * before / (before + after));
}

static void set_free_ends(const struct creature *c, struct schedule *s)
{
  for (int i = 0; i < s->n_points; i++)
    for (int k = 0; k < s->n_frames && body_is_free_end(c, i); k++)
      s->clearance[k * s->n_points + i] = -FREE_END_DEPTH;
}

static void set_cyclic_clearance(const struct creature *c, struct schedule *s)
{
  int n = s->n_frames;
  for (int i = 0; i < s->n_points; i++)
    for (int k = 0; k < n && !body_is_free_end(c, i); k++) {
      int before = 0, after = 0;
      while (before < n && !foot_touches(c, s, (k - before + n) % n, i))
        before++;
      while (after < n && !foot_touches(c, s, (k + after) % n, i))
        after++;
      s->clearance[k * s->n_points + i] = before == n ? 0 : before ? swing_height(c, i, before, after) : 0;
    }
  set_free_ends(c, s);
}

struct schedule schedule_of_gait(struct arena *arena, const struct creature *c, const struct gait *g, int n_frames)
{
  struct schedule s = schedule_new(arena, c, n_frames);
  for (int k = 0; k < n_frames; k++)
    for (int i = 0; i < c->n_points; i++)
      s.on[k * c->n_points + i] = (unsigned char)(!body_is_free_end(c, i) && gait_contact(g, i, (k + 0.5) / n_frames));
  set_cyclic_clearance(c, &s);
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

/* ---- between two cycles ---- */

/* Does point i of a cycle touch at frame k, counted from `first`? */
static int cycle_on(const struct schedule *s, int first, int k, int i)
{
  int n = s->n_frames, at = ((first + k) % n + n) % n;
  return s->on[at * s->n_points + i];
}

struct change {
  const struct schedule *before, *after;
  int first_before, first_after; /* frame 0 of the way between them, in each */
  int n_frames;
};

/* How well a foot can go over at frame k: 2 when it is in the air in both cycles, 1 when both have the same points on the ground, else 0. */
static int change_quality(const struct creature *c, const struct change *x, int foot, int k)
{
  const struct foot *f = &c->feet[foot];
  int same = 1, air = 1;
  for (int i = f->first_point; i < f->first_point + f->n_points; i++) {
    int a = cycle_on(x->before, x->first_before, k, i), b = cycle_on(x->after, x->first_after, k, i);
    same &= a == b;
    air &= !a && !b;
  }
  return air ? 2 : same;
}

/* The frame at which a foot goes over: the best one, nearest to the middle, away from the frames that are given. */
static int change_frame(const struct creature *c, const struct change *x, int foot)
{
  int middle = x->n_frames / 2, best = middle, quality = -1;
  for (int away = 0; away < middle - 2; away++)
    for (int side = -1; side <= 1; side += 2) {
      int k = middle + side * away, q = change_quality(c, x, foot, k);
      if (q > quality)
        best = k, quality = q;
    }
  return best;
}

/* Frames to the nearest one, backwards or forwards, on which the foot of point i stands; looks beyond the ends into the cycles. */
static int frames_to_ground(const struct creature *c, const struct change *x, const struct schedule *s, int k, int i, int step)
{
  const struct foot *f = &c->feet[c->points[i].foot];
  int most = x->before->n_frames + x->after->n_frames + x->n_frames;
  for (int away = 1; away < most; away++) {
    int at = k + step * away;
    for (int p = f->first_point; p < f->first_point + f->n_points; p++)
      if (at < 0                ? cycle_on(x->before, x->first_before, at, p)
          : at >= x->n_frames ? cycle_on(x->after, x->first_after, at, p)
                                : s->on[at * s->n_points + p])
        return away;
  }
  return most;
}

struct schedule schedule_between(struct arena *arena, const struct creature *c, const struct schedule *before,
                                 int first_before, const struct schedule *after, int first_after, int n_frames)
{
  struct schedule s = schedule_new(arena, c, n_frames);
  struct change x = {before, after, first_before, first_after - n_frames, n_frames};
  for (int i = 0; i < s.n_points && !body_is_free_end(c, i); i++) {
    int change = change_frame(c, &x, c->points[i].foot);
    for (int k = 0; k < n_frames; k++)
      s.on[k * s.n_points + i] =
          (unsigned char)(k < change ? cycle_on(before, x.first_before, k, i) : cycle_on(after, x.first_after, k, i));
  }
  for (int i = 0; i < s.n_points && !body_is_free_end(c, i); i++)
    for (int k = 0; k < n_frames; k++) {
      int back = frames_to_ground(c, &x, &s, k, i, -1), ahead = frames_to_ground(c, &x, &s, k, i, 1);
      if (!foot_touches(c, &s, k, i))
        s.clearance[k * s.n_points + i] = back + ahead > n_frames ? 0 : swing_height(c, i, back, ahead);
    }
  set_free_ends(c, &s);
  return s;
}
