/* Did the simulated creature do what the reference shows? Judged from what was recorded alone: it knows neither
 * costs nor windows.
 *
 * All of these, at every frame unless said (doc/tracking.md says why):
 *   height      the root is near its height in the reference, above the ground (follow/fall.h)
 *   tilt        its orientation is near the reference's, heading included
 *   feet down   every stance of a foot in the reference is one in the world: it touches, or is within a
 *               hair of its height there, in at least half of the frames in which the reference loads it
 *   feet up     every swing of a foot in the reference that lasts is one in the world: no point of it touches at
 *               the middle
 *   footholds   in the middle of each stance the foot is near where the reference has it, seen from
 *               the root
 *   course      the root is near its place in the reference, over the ground
 *   end         the motion was followed to its end */
#ifndef MUYBRIDGE_FOLLOW_JUDGE_H
#define MUYBRIDGE_FOLLOW_JUDGE_H

#include "follow/fall.h"
#include "follow/rollout.h"

struct judge_options {
  struct fall_limits fall;      /* height and tilt, at every frame; fall_limits_following                       */
  double foot;                  /* a foothold may be off by so much, seen from the root [L]; 0.25               */
  double course;                /* the root may be so far from its place over the ground [L]; 0.5               */
  double hair;                  /* a foot no higher than this counts as one that touches [L]; 0.01              */
  double load;                  /* the reference loads a foot when it carries this much [body weights]; 0.05    */
};
void judge_defaults(struct judge_options *o);

struct judgement {
  int success;
  const char *fault;            /* "height", "tilt" and so on: the first; NULL if none          */
  double seconds;               /* until the first fault, or all                                */
  double height, angle, foot, course; /* worst                                                  */
  double mean_height, mean_angle, mean_joint, mean_course; /* rms: [L], [rad], [rad], [L]       */
  int stances, stances_missed, swings, swings_dragged;
  double slip, slide; /* of points that touch, not part of success: mean speed [sqrt(gL)]; furthest in one contact
                         [L] */
};

/* o may be NULL: the defaults. */
void judge(struct arena *arena, const struct reference *r, const struct follow_motion *m, const struct judge_options *o,
           struct judgement *out);

#endif
