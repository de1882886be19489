/* Did the simulated creature do what the reference shows? Judged from what was recorded alone: it knows neither
 * costs nor windows.
 *
 * All of these, at every frame unless said (doc/tracking.md says why):
 *   height      the root is within JUDGE_HEIGHT of its height in the reference, above the ground
 *   tilt        its orientation is within JUDGE_ANGLE of the reference's, heading included
 *   feet down   every stance of a foot in the reference is one in the world: it touches, or is within JUDGE_HAIR
 *               of its height there, in at least half of the frames in which the reference loads it with JUDGE_LOAD
 *   feet up     every swing of a foot in the reference that lasts is one in the world: no point of it touches at the middle
 *   footholds   in the middle of each stance the foot is within JUDGE_FOOT of where the reference has it, seen from the root
 *   course      the root is within JUDGE_COURSE of its place in the reference, over the ground
 *   end         the motion was followed to its end */
#ifndef MUYBRIDGE_FOLLOW_JUDGE_H
#define MUYBRIDGE_FOLLOW_JUDGE_H

#include "follow/rollout.h"

#define JUDGE_HEIGHT 0.15       /* [L]   */
#define JUDGE_ANGLE 0.5236      /* 30 degrees */
#define JUDGE_FOOT 0.25         /* [L]   */
#define JUDGE_COURSE 0.5        /* [L]   */
#define JUDGE_HAIR 0.01         /* [L]   */
#define JUDGE_LOAD 0.05         /* [body weights] */

struct judgement {
  int success;
  const char *fault;            /* "height", "tilt" and so on: the first; NULL if none          */
  double seconds;               /* until the first fault, or all                                */
  double height, angle, foot, course; /* worst                                                  */
  double mean_height, mean_angle, mean_joint, mean_course; /* rms: [L], [rad], [rad], [L]       */
  int stances, stances_missed, swings, swings_dragged;
  double slip, slide; /* of points that touch, not part of success: mean speed [sqrt(gL)]; furthest in one contact [L] */
};

void judge(struct arena *arena, const struct reference *r, const struct follow_motion *m, struct judgement *out);

#endif
