/* What the frames of a clip do, as a task sees it: where they go, where they look, how fast, in which gait, at what
 * effort.
 *
 * A root sways with every step; a user who asks for a direction does not mean the sway. In a cyclic clip the
 * features are means over one cycle around the frame. In a transition the sway that the clips at its ends show at
 * the same time is taken off, less and less of one and more and more of the other, and what is left is the mean over
 * one cycle around the frame, against the reference heading (a mean over a turn would be too slow). Beyond the ends
 * that window sees what lies within, turned about the end: so a transition begins with the very features of the
 * frame that it leaves and ends with those of the frame where it arrives. (A window that looks on into the other
 * clips would jump there: half of it lies in a turn, the other half in a clip that knows nothing of turning.) */
#ifndef MUYBRIDGE_FEATURES_H
#define MUYBRIDGE_FEATURES_H

#include "motion/clip.h"

/* Beyond what is measured on every clip, a task may have measures of its own (task/task.h): a number that a pose gives,
 * such as the height of the root. Its feature is the mean over a stride, as that of the torso's yaw is. */
#define FEATURES_MEASURES 4     /* at most                                                                            */
struct features_measure {
  double (*of_pose)(const struct creature *c, const double *q); /* must not depend on where the pose is, or heads     */
};
struct features_measures {
  int n;
  struct features_measure list[FEATURES_MEASURES];
};

struct frame_features {         /* what a frame does, against a reference heading; angles to its left, (-pi, pi]      */
  double direction;             /* of travel, mean over a stride [rad]; that of the torso when it stands, and from or
                                   to a stand more and more of it the slower it goes                                  */
  double torso;                 /* yaw of the torso (the root), mean over a stride [rad]                              */
  double speed;                 /* over the ground, mean over a stride [m/s]                                          */
  int gait;                     /* index into creature->gaits; of a transition: the old one for its first half */
  double counted_effort;        /* what a task counts for the effort of the clip: features_counted_effort()           */
  double usual_effort;          /* of the cycles that it is, or leads from and to; the larger; 0: of stands alone     */
  double measured[FEATURES_MEASURES]; /* by the measures that were given, mean over a stride; else 0                  */
};

/* A clip at an end of a transition, with its own features. */
struct features_end {
  const struct clip *clip;
  const struct frame_features *features; /* by features_of_clip()          (n_frames) */
  int frame;                             /* left or entered; of a cyclic clip any, of a transition 1 .. n_frames - 3:
                                            the others belong to other clips, name those */
};

/* Features of all frames (n_frames) against the x axis of the clip's own frame: the reference heading of a cyclic
 * clip, that of its start for a transition. from and to are the ends of a transition; a NULL is an end that nobody
 * knows, and a cyclic clip has none. A gait that the creature does not have is -1. measures may be NULL. */
struct frame_features *features_of_clip(struct arena *arena, const struct creature *c, const struct clip *clip,
                                        const struct features_end *from, const struct features_end *to,
                                        const struct features_measures *measures);

/* The same features against a heading that lies `turn` to the right of the one that they are given against. */
struct frame_features features_turned(struct frame_features f, double turn);

/* Features on the way between two cycles, a turn apart: share 0 is the first, 1 the second. Angles go the short way
 * round, numbers in proportion, the gait changes when `later` says so. Efforts are those of neither: 0. */
struct frame_features features_between(const struct frame_features *from, const struct frame_features *to, double turn,
                                       double share, int later);

/* Mean over the frames that have a velocity of the sum of squared joint torques over (m g L)^2. */
double features_effort(const struct creature *c, const struct clip *clip);

/* What a task counts for an effort, by its logarithm (controller_body_cost()): of a transition that takes h > 1 times
 * what is usual, usual exp(h - 1). Gaits differ in effort by factors, which logarithms compare; haste is no gait, and
 * ten times the effort of a walk for a turn should not count as little as a trot does. */
double features_counted_effort(double effort, double usual);

/* What is usual in a cycle of this effort: of one that stands still, nothing (0). Holding a pose takes a small part of
 * the effort of any step, so that each turn on the spot would count as haste. */
double features_usual_effort(const struct clip *cycle, double effort);

#endif
