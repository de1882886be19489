/* Features of frames: means over a stride, continuous from clip to clip. */
#include "motion/features.h"

#include <math.h>
#include <stdlib.h>

#include "dynamics/dynamics.h"
#include "dynamics/tissue.h"
#include "motion/ground.h"

#define STANDING 1e-9 /* slower than this share of sqrt(g L) it goes nowhere */
#define SWAYING  0.1  /* beside a stand: slower than this share it goes less and less where the velocity points */

struct frame_features features_turned(struct frame_features f, double turn)
{
  f.direction = ground_wrap(f.direction + turn);
  f.torso = ground_wrap(f.torso + turn);
  return f;
}

struct frame_features features_between(const struct frame_features *from, const struct frame_features *to, double turn,
                                       double share, int later)
{
  double torso = turn + ground_wrap(to->torso - from->torso),
         direction = ground_wrap(turn + to->direction - from->direction); /* the short way round */
  struct frame_features f = {.direction = ground_wrap(from->direction + share * direction),
                             .torso = ground_wrap(from->torso + share * torso),
                             .speed = from->speed + share * (to->speed - from->speed),
                             .gait = later ? to->gait : from->gait};
  for (int m = 0; m < FEATURES_MEASURES; m++)
    f.measured[m] = from->measured[m] + share * (to->measured[m] - from->measured[m]);
  return f;
}

/* ---- effort ---- */

static double features_squared_torques(const struct creature *c, const double *tau)
{
  double unit = c->mass * CREATURE_GRAVITY * c->height, sum = 0;
  for (int i = CREATURE_ROOT_DOFS; i < c->n_dofs; i++)
    sum += tau[i] / unit * (tau[i] / unit);
  return sum;
}

double features_effort(const struct creature *c, const struct clip *clip)
{
  struct arena *arena = arena_new();
  size_t n = (size_t)c->n_dofs;
  struct dynamics *d = dynamics_new(arena, c);
  double *q = ARENA_NEW(arena, 4 * n, double), *v = q + n, *a = v + n, *tau = a + n, sum = 0;
  int *point = ARENA_NEW(arena, (size_t)c->n_points, int), count = 0;
  for (int i = 0; i < c->n_points; i++)
    point[i] = i;
  for (int k = 0; k < clip->n_frames; k++) {
    if (!clip_state(clip, k, q, v, a))
      continue;
    const double *force = clip->force + 3 * (size_t)k * (size_t)c->n_points;
    struct dynamics_contacts contacts = {c->n_points, point, force, NULL};
    dynamics_residual(d, q, v, a, &contacts, tau, NULL);
    tissue_subtract(c, q, v, tau);
    sum += features_squared_torques(c, tau);
    count++;
  }
  arena_free(arena);
  return count ? sum / count : 0;
}

#define MOST_HASTE 100 /* beyond, more is the same: exp() has its limits */
double features_counted_effort(double effort, double usual)
{
  return effort > usual && usual > 0 ? usual * exp(fmin(effort / usual, MOST_HASTE) - 1) : effort;
}

double features_usual_effort(const struct clip *cycle, double effort)
{
  return clip_is_still(cycle) ? 0 : effort;
}

/* ---- velocities ---- */

struct planar { double x, y; };

static struct planar features_turn_vector(struct planar v, double angle)
{
  double s = sin(angle), c = cos(angle);
  return (struct planar){c * v.x - s * v.y, s * v.x + c * v.y};
}

static struct planar features_velocity_in(struct frame_features f)
{
  return (struct planar){f.speed * cos(f.direction), f.speed * sin(f.direction)};
}

static double features_yaw_of(const struct clip *clip, int k)
{
  double pose[4];
  ground_pose(clip, k, pose);
  return pose[3];
}

/* How far the root goes from frame k to frame `to`. */
static struct planar features_displacement(const struct clip *clip, int k, int to)
{
  double here[4], there[4];
  ground_pose(clip, k, here);
  ground_pose(clip, to, there);
  return (struct planar){there[0] - here[0], there[1] - here[1]};
}

static double features_smooth(double x)
{
  return x * x * (3 - 2 * x);
}

/* Direction and speed of a velocity; who stands is taken to go where the torso looks. */
static void features_set_velocity(const struct creature *c, struct planar v, struct frame_features *f)
{
  f->speed = hypot(v.x, v.y);
  f->direction = f->speed > STANDING * sqrt(CREATURE_GRAVITY * c->height) ? ground_wrap(atan2(v.y, v.x)) : f->torso;
}

/* ---- cyclic clips ---- */

/* Over one cycle around each frame: of an odd cycle, the mean of the two that are nearest. */
static void features_cyclic(const struct creature *c, const struct clip *clip, struct frame_features *out)
{
  int n = clip->n_frames, half = n / 2;
  double aside = 0, time = n * clip->dt;
  for (int k = 0; k < n; k++)
    aside += (features_yaw_of(clip, k) - ground_heading(clip, k)) / n;
  for (int k = 0; k < n; k++) {
    struct planar a = features_displacement(clip, k + half - n, k + half),
                  b = features_displacement(clip, k - half, k - half + n);
    out[k].torso = ground_wrap(ground_heading(clip, k) + aside);
    features_set_velocity(c, (struct planar){(a.x + b.x) / (2 * time), (a.y + b.y) / (2 * time)}, &out[k]);
  }
}

/* ---- transitions ---- */

/* An end of a transition while its features are made: what the other clip does at the same time. */
struct beside {
  const struct features_end *end; /* NULL: unknown                                                          */
  int first;                    /* frame of the other clip beside frame 0                                 */
  int held;                     /* frame of the transition that is one of the other clip                  */
  int reach;                    /* frames from `held` into the transition over which the other clip lasts */
  double turn;                  /* from the other clip's own frame to the transition's                    */
};

static struct beside features_new_beside(const struct clip *clip, const struct features_end *end, int at_end)
{
  struct beside b = {.end = end, .held = at_end ? clip->n_frames - 2 : 0, .reach = clip->n_frames - 2};
  if (!end)
    return b;
  b.first = end->frame - b.held;
  int lasts = at_end ? end->frame : end->clip->n_frames - 2 - end->frame;
  if (!end->clip->cyclic && lasts < b.reach)
    b.reach = lasts;
  b.turn = ground_match(clip, b.held, end->clip, end->frame).yaw;
  return b;
}

/* How much of the other clip's sway is in frame k, and in the interval from there to the next: all of it where they
 * meet. */
static double features_share_of(const struct beside *b, int k)
{
  int away = abs(k - b->held);
  if (!b->end || away >= b->reach)
    return 0;
  double s = 1 - (double)away / b->reach;
  return s * s * (3 - 2 * s);
}

/* The angle by which the other clip's frame beside frame k is turned to head where the transition does. */
static double features_turn_at(const struct beside *b, const struct clip *clip, int k)
{
  const struct clip *other = b->end->clip;
  return b->turn + ground_heading(clip, k) - ground_heading(clip, b->held) -
         (ground_heading(other, b->first + k) - ground_heading(other, b->end->frame));
}

/* Features of the other clip beside frame k of the transition, in the other's own frame. */
static struct frame_features features_other(const struct beside *b, int k)
{
  const struct clip *other = b->end->clip;
  int n = other->n_frames, frame = b->first + k, row = other->cyclic ? (frame % n + n) % n : frame;
  return features_turned(b->end->features[row], other->cyclic ? other->advance.yaw * ((frame - row) / n) : 0);
}

/* Sway of the other clip from frame k of the transition to the next: its velocity without the mean one. */
static struct planar features_sway_beside(const struct beside *b, const struct clip *clip, int k)
{
  const struct clip *other = b->end->clip;
  struct planar v = features_displacement(other, b->first + k, b->first + k + 1);
  v.x /= other->dt, v.y /= other->dt;
  for (int i = 0; i < 2; i++) {
    struct planar mean = features_velocity_in(features_other(b, k + i));
    v.x -= 0.5 * mean.x;
    v.y -= 0.5 * mean.y;
  }
  return features_turn_vector(v, features_turn_at(b, clip, k));
}

/* Velocity from frame k to the next without the sway, against the reference heading on the way. */
static struct planar features_steady_velocity(const struct clip *clip, const struct beside ends[2], int k)
{
  struct planar v = features_displacement(clip, k, k + 1);
  v.x /= clip->dt, v.y /= clip->dt;
  for (int i = 0; i < 2; i++) {
    double share = features_share_of(&ends[i], k);
    if (share > 0) {
      struct planar sway = features_sway_beside(&ends[i], clip, k);
      v.x -= share * sway.x;
      v.y -= share * sway.y;
    }
  }
  return features_turn_vector(v, -0.5 * (ground_heading(clip, k) + ground_heading(clip, k + 1)));
}

/* Yaw of frame k without the sway, against the reference heading. */
static double features_steady_yaw(const struct clip *clip, const struct beside ends[2], int k)
{
  double yaw = features_yaw_of(clip, k) - ground_heading(clip, k);
  for (int i = 0; i < 2; i++) {
    double share = features_share_of(&ends[i], k);
    if (share > 0)
      yaw -= share *
             ground_wrap(features_yaw_of(ends[i].end->clip, ends[i].first + k) - features_other(&ends[i], k).torso);
  }
  return yaw;
}

/* A transition without its sway. It counts up to frame `last`, where the other clip takes over. */
struct steady {
  int last;
  struct planar *velocity, ends[2]; /* from frame to frame; in frames 0 and last         (last)     */
  double *yaw;                  /*                                                       (last + 1) */
};

static struct steady features_new_steady(struct arena *arena, const struct clip *clip, const struct beside ends[2])
{
  struct steady s = {.last = clip->n_frames - 2};
  s.velocity = ARENA_NEW(arena, (size_t)s.last, struct planar);
  s.yaw = ARENA_NEW(arena, (size_t)s.last + 1, double);
  for (int k = 0; k < s.last; k++)
    s.velocity[k] = features_steady_velocity(clip, ends, k);
  for (int k = 0; k <= s.last; k++)
    s.yaw[k] = features_steady_yaw(clip, ends, k);
  for (int e = 0; e < 2; e++) {
    s.ends[e] = s.velocity[e ? s.last - 1 : 0];
    if (ends[e].end)
      s.ends[e] = features_turn_vector(features_velocity_in(features_other(&ends[e], ends[e].held)),
                                      ends[e].turn - ground_heading(clip, ends[e].held));
  }
  return s;
}

/* Beyond an end everything goes on as it came, seen from that end: the mean around the end is then its own value, and
 * an even change stays what it is up to there. */
static struct planar features_velocity_beyond(const struct steady *s, int k)
{
  if (k >= 0 && k < s->last)
    return s->velocity[k];
  struct planar end = s->ends[k >= 0], v = s->velocity[k < 0 ? -1 - k : 2 * s->last - 1 - k];
  return (struct planar){2 * end.x - v.x, 2 * end.y - v.y};
}

static double features_yaw_beyond(const struct steady *s, int k)
{
  if (k >= 0 && k <= s->last)
    return s->yaw[k];
  return k < 0 ? 2 * s->yaw[0] - s->yaw[-k] : 2 * s->yaw[s->last] - s->yaw[2 * s->last - k];
}

/* ---- measures of a task ---- */

/* What a pose measures; frames of a cyclic clip are any. */
static double features_measure_frame(const struct creature *c, const struct features_measure *m,
                                     const struct clip *clip, int k, double *q)
{
  clip_frame(clip, k, q);
  return m->of_pose(c, q);
}

/* The mean over the cycle, the same in all frames. */
static void features_measure_cycle(const struct creature *c, const struct features_measures *measures,
                                   const struct clip *clip, double *q, struct frame_features *out)
{
  for (int m = 0; m < measures->n; m++) {
    double mean = 0;
    for (int k = 0; k < clip->n_frames; k++)
      mean += features_measure_frame(c, &measures->list[m], clip, k, q) / clip->n_frames;
    for (int k = 0; k < clip->n_frames; k++)
      out[k].measured[m] = mean;
  }
}

/* As the yaw: the sway of the clips at the ends is taken off, then comes the mean over `half` frames on either side,
 * beyond the ends turned about them. */
static void features_measure_transition(struct arena *scratch, const struct creature *c,
                                        const struct features_measures *measures, const struct clip *clip,
                                        const struct beside ends[2], int half, double *q, struct frame_features *out)
{
  int last = clip->n_frames - 2;
  double *steady = ARENA_NEW(scratch, (size_t)last + 1, double);
  for (int m = 0; m < measures->n; m++) {
    const struct features_measure *measure = &measures->list[m];
    for (int k = 0; k <= last; k++) {
      steady[k] = features_measure_frame(c, measure, clip, k, q);
      for (int e = 0; e < 2; e++) {
        double share = features_share_of(&ends[e], k);
        if (share > 0)
          steady[k] -= share * (features_measure_frame(c, measure, ends[e].end->clip, ends[e].first + k, q) -
                                features_other(&ends[e], k).measured[m]);
      }
    }
    for (int k = 0; k <= last; k++) {
      double mean = 0;
      for (int i = k - half; i <= k + half; i++)
        mean += (i < 0 ? 2 * steady[0] - steady[-i] : i > last ? 2 * steady[last] - steady[2 * last - i] : steady[i]) /
                (2 * half + 1);
      out[k].measured[m] = mean;
    }
  }
}

/* ---- means ---- */

/* Frames of a cycle of the clip at an end, or of the gait there. */
static double features_cycle_at(const struct creature *c, const struct clip *clip, const struct features_end *end,
                                const char *gait)
{
  int g = creature_find_gait(c, gait);
  if (end && end->clip->cyclic)
    return end->clip->n_frames;
  return g < 0 ? clip->n_frames : gait_period(&c->gaits[g], clip->speed) / clip->dt;
}

/* The mean over `half` frames on either side of frame k, turned to the heading there. */
static struct frame_features features_window_mean(const struct creature *c, const struct steady *s, int k, int half,
                                                  double heading)
{
  struct frame_features f = {0};
  struct planar v = {0, 0};
  double yaw = 0;
  for (int i = k - half; i <= k + half; i++)
    yaw += features_yaw_beyond(s, i) / (2 * half + 1);
  for (int i = k - half; i < k + half; i++) {
    struct planar u = features_velocity_beyond(s, i);
    v.x += u.x / (2 * half);
    v.y += u.y / (2 * half);
  }
  f.torso = ground_wrap(yaw + heading);
  features_set_velocity(c, features_turn_vector(v, heading), &f);
  return f;
}

/* The last of a halt is a sway, back or to the side, and so is all that the root does in a turn on the spot: nobody
 * would say that it goes there. */
static void features_calm_sway(const struct creature *c, struct frame_features *f)
{
  double share = fmin(1, f->speed / (SWAYING * sqrt(CREATURE_GRAVITY * c->height)));
  f->direction = ground_wrap(f->torso + features_smooth(share) * ground_wrap(f->direction - f->torso));
}

/* The last frame is the other clip's alone, as the last but one is. */
static void features_transition(const struct creature *c, const struct clip *clip, const struct features_end *from,
                                const struct features_end *to, const struct features_measures *measures, double *q,
                                struct frame_features *out)
{
  struct arena *scratch = arena_new();
  const struct beside ends[2] = {features_new_beside(clip, from, 0), features_new_beside(clip, to, 1)};
  struct steady s = features_new_steady(scratch, clip, ends);
  int half = (int)lround(
      (features_cycle_at(c, clip, from, clip->gait) + features_cycle_at(c, clip, to, clip->gait_after)) / 4);
  half = half < 1 ? 1 : half > s.last ? s.last : half;
  for (int k = 0; k <= s.last; k++)
    out[k] = features_window_mean(c, &s, k, half, ground_heading(clip, k));
  for (int k = 0; k <= s.last && ((from && clip_is_still(from->clip)) || (to && clip_is_still(to->clip))); k++)
    features_calm_sway(c, &out[k]);
  if (measures)
    features_measure_transition(scratch, c, measures, clip, ends, half, q, out);
  out[s.last + 1] = to ? features_turned(features_other(&ends[1], s.last + 1), ends[1].turn) : out[s.last];
  arena_free(scratch);
}

struct frame_features *features_of_clip(struct arena *arena, const struct creature *c, const struct clip *clip,
                                        const struct features_end *from, const struct features_end *to,
                                        const struct features_measures *measures)
{
  struct frame_features *out = ARENA_NEW(arena, (size_t)clip->n_frames, struct frame_features);
  int before = creature_find_gait(c, clip->gait), after = creature_find_gait(c, clip->gait_after);
  double effort = features_effort(c, clip), usual = features_usual_effort(clip, effort);
  double *q = ARENA_NEW(arena, (size_t)c->n_dofs, double);
  if (!clip->cyclic && (from || to))
    usual = fmax(from ? from->features[0].usual_effort : 0, to ? to->features[0].usual_effort : 0);
  if (clip->cyclic)
    features_cyclic(c, clip, out);
  else
    features_transition(c, clip, from, to, measures, q, out);
  if (clip->cyclic && measures)
    features_measure_cycle(c, measures, clip, q, out);
  for (int k = 0; k < clip->n_frames; k++) {
    out[k].gait = clip->cyclic || 2 * k < clip->n_frames - 2 ? before : after;
    out[k].counted_effort = features_counted_effort(effort, usual);
    out[k].usual_effort = usual;
  }
  return out;
}
