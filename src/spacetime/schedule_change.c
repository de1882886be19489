/* The steps between two gaits: every foot keeps stepping while its rhythm goes over from the one to the other. */
#include <math.h>
#include <string.h>

#include "spacetime/body.h"
#include "spacetime/schedule.h"

/* When a contact point touches, in cycles after its foot's touch-down. */
struct contact_span { double from, length; };

/* How a foot steps in a cycle. */
struct foot_steps {
  int regular;                  /* touches down exactly once, all points in one piece        */
  int touch_down;               /* frame of the cycle                                        */
  struct contact_span *spans;   /* (n_points of the foot)                                    */
};

struct change {
  const struct creature *c;
  const struct stride *before, *after;
  int n_frames;
  struct foot_steps *from, *to; /* (n_feet)                                                  */
  double *cycles;               /* gone through until a frame (n_frames)                     */
  double *haste;                /* cycles that a foot must catch up, or lose when negative (n_feet) */
  int *switch_frame;            /* of feet that do not step regularly (n_feet)               */
};

static int schedule_cycle_on(const struct schedule *s, int k, int i)
{
  int n = s->n_frames, at = (k % n + n) % n;
  return s->on[at * s->n_points + i];
}

static int schedule_cycle_foot_on(const struct creature *c, const struct schedule *s, int k, int foot)
{
  for (int i = c->feet[foot].first_point; i < c->feet[foot].first_point + c->feet[foot].n_points; i++)
    if (schedule_cycle_on(s, k, i))
      return 1;
  return 0;
}

static struct foot_steps foot_steps_of(struct arena *arena, const struct creature *c, const struct schedule *s,
                                       int foot)
{
  const struct foot *f = &c->feet[foot];
  struct foot_steps steps = {.spans = ARENA_NEW(arena, (size_t)f->n_points, struct contact_span)};
  int touch_downs = 0, pieces = 0, n = s->n_frames;
  for (int k = 0; k < n; k++)
    if (schedule_cycle_foot_on(c, s, k, foot) && !schedule_cycle_foot_on(c, s, k - 1, foot))
      steps.touch_down = k, touch_downs++;
  for (int i = 0; i < f->n_points; i++) {
    int starts = 0, length = 0;
    for (int k = 0; k < n; k++) {
      int on = schedule_cycle_on(s, steps.touch_down + k, f->first_point + i);
      if (on && !schedule_cycle_on(s, steps.touch_down + k - 1, f->first_point + i))
        steps.spans[i].from = (double)k / n, starts++;
      length += on;
    }
    steps.spans[i].length = (double)length / n;
    pieces = starts > pieces ? starts : pieces;
  }
  steps.regular = touch_downs == 1 && pieces == 1;
  return steps;
}

static double stride_phase(const struct stride *s, const struct foot_steps *steps, int foot)
{
  return s->phase && s->phase[foot] >= 0 ? s->phase[foot] : (s->frame - steps->touch_down + 0.5) / s->cycle.n_frames;
}

/* How far the change has come at a frame: 0 in the first two, 1 in the last two. */
static double change_progress(const struct change *x, int k)
{
  double s = fmin(1, fmax(0, (k - 1.0) / (x->n_frames - 3)));
  return s * s * (3 - 2 * s);
}

/* Cycles that the feet go through from frame 0 to frame k, which may lie beyond the ends, if nothing hurries them. */
static double change_cycles_until(const struct change *x, int k)
{
  int last = x->n_frames - 2;
  return k < 0      ? (double)k / x->before->cycle.n_frames
         : k > last ? x->cycles[last] + (double)(k - last) / x->after->cycle.n_frames
                    : x->cycles[k];
}

static void change_count_cycles(struct change *x)
{
  double a = 1.0 / x->before->cycle.n_frames, b = 1.0 / x->after->cycle.n_frames;
  for (int k = 0; k + 2 < x->n_frames; k++)
    x->cycles[k + 1] = x->cycles[k] + a + 0.5 * (change_progress(x, k) + change_progress(x, k + 1)) * (b - a);
}

/* Is point i (number j of its foot) on the ground at frame k, which may lie beyond the ends? */
static int change_stepping_on(const struct change *x, int foot, int j, int k)
{
  double s = change_progress(x, k);
  double phase = stride_phase(x->before, &x->from[foot], foot) + change_cycles_until(x, k) + s * x->haste[foot];
  struct contact_span a = x->from[foot].spans[j], b = x->to[foot].spans[j];
  if (!(a.length > 0) || !(b.length > 0)) /* a point that one gait does not use: as in the nearer gait */
    a = b = s < 0.5 ? a : b;
  double since = phase - (a.from + s * (b.from - a.from));
  return since - floor(since) < a.length + s * (b.length - a.length);
}

static int change_switching_on(const struct change *x, int foot, int j, int k)
{
  int i = x->c->feet[foot].first_point + j;
  return k < x->switch_frame[foot] ? schedule_cycle_on(&x->before->cycle, x->before->frame + k, i)
                                   : schedule_cycle_on(&x->after->cycle, x->after->frame + k - (x->n_frames - 2), i);
}

static int change_is_regular(const struct change *x, int foot)
{
  return x->from[foot].regular && x->to[foot].regular;
}

static int change_point_on(const struct change *x, int foot, int j, int k)
{
  return change_is_regular(x, foot) ? change_stepping_on(x, foot, j, k) : change_switching_on(x, foot, j, k);
}

/* How well a foot can switch at frame k: 2 when it is in the air in both cycles, 1 when both have the same points on
 * the ground, else 0. */
static int change_switch_quality(const struct change *x, int foot, int k)
{
  const struct foot *f = &x->c->feet[foot];
  int same = 1, air = 1;
  for (int i = f->first_point; i < f->first_point + f->n_points; i++) {
    int a = schedule_cycle_on(&x->before->cycle, x->before->frame + k, i);
    int b = schedule_cycle_on(&x->after->cycle, x->after->frame + k - (x->n_frames - 2), i);
    same &= a == b;
    air &= !a && !b;
  }
  return air ? 2 : same;
}

/* The frame at which such a foot switches: the best one, nearest to the middle, away from the frames that are given. */
static int change_best_switch(const struct change *x, int foot)
{
  int middle = x->n_frames / 2, best = middle, quality = -1;
  for (int away = 0; away < middle - 2; away++)
    for (int side = -1; side <= 1; side += 2) {
      int k = middle + side * away, q = change_switch_quality(x, foot, k);
      if (q > quality)
        best = k, quality = q;
    }
  return best;
}

static struct change change_new(struct arena *arena, const struct creature *c, const struct stride *before,
                                const struct stride *after, int n_frames)
{
  size_t feet = (size_t)c->n_feet;
  struct change x = {c, before, after, n_frames, ARENA_NEW(arena, feet, struct foot_steps),
                     ARENA_NEW(arena, feet, struct foot_steps), ARENA_NEW(arena, (size_t)n_frames, double),
                     ARENA_NEW(arena, feet, double), ARENA_NEW(arena, feet, int)};
  change_count_cycles(&x);
  double whole = change_cycles_until(&x, n_frames - 2);
  for (int f = 0; f < c->n_feet; f++) {
    x.from[f] = foot_steps_of(arena, c, &before->cycle, f);
    x.to[f] = foot_steps_of(arena, c, &after->cycle, f);
    double lacking = stride_phase(after, &x.to[f], f) - stride_phase(before, &x.from[f], f) - whole;
    x.haste[f] = change_is_regular(&x, f) ? lacking - round(lacking) : 0;
    x.switch_frame[f] = change_best_switch(&x, f);
  }
  return x;
}

double schedule_haste(struct arena *arena, const struct creature *c, const struct stride *before,
                      const struct stride *after, int n_frames)
{
  struct change x = change_new(arena, c, before, after, n_frames);
  double sum = 0;
  for (int f = 0; f < c->n_feet; f++)
    sum += x.haste[f] * x.haste[f];
  return sqrt(sum / (c->n_feet > 0 ? c->n_feet : 1));
}

/* Frames to the nearest one, backwards or forwards, on which the foot stands; looks beyond the ends. */
static int change_frames_to_ground(const struct change *x, int foot, int k, int step)
{
  int most = x->before->cycle.n_frames + x->after->cycle.n_frames + x->n_frames;
  for (int away = 1; away < most; away++)
    for (int j = 0; j < x->c->feet[foot].n_points; j++)
      if (change_point_on(x, foot, j, k + step * away))
        return away;
  return most;
}

static void change_set_clearance(const struct change *x, struct schedule *s, int foot,
                                 const struct spacetime_options *o)
{
  const struct foot *f = &x->c->feet[foot];
  for (int k = 0; k < s->n_frames; k++) {
    if (schedule_foot_touches(x->c, s, k, f->first_point))
      continue;
    int back = change_frames_to_ground(x, foot, k, -1), ahead = change_frames_to_ground(x, foot, k, 1);
    int swings = back + ahead <= s->n_frames;
    for (int i = f->first_point; i < f->first_point + f->n_points; i++)
      schedule_set_swing(x->c, s, k, i, swings ? back : 0, ahead, o);
  }
}

struct schedule schedule_between(struct arena *arena, const struct creature *c, const struct stride *before,
                                 const struct stride *after, int n_frames, const struct spacetime_options *o)
{
  struct schedule s = schedule_new(arena, c, n_frames);
  struct change x = change_new(arena, c, before, after, n_frames);
  for (int foot = 0; foot < c->n_feet; foot++) {
    for (int j = 0; j < c->feet[foot].n_points; j++)
      for (int k = 0; k < n_frames; k++)
        s.on[k * s.n_points + c->feet[foot].first_point + j] = (unsigned char)change_point_on(&x, foot, j, k);
    change_set_clearance(&x, &s, foot, o);
  }
  schedule_set_free_ends(c, &s, o);
  return s;
}
