/* Private to src/search. A candidate: one thing that could be solved next, to make the controller better.
 *
 * Clips are left and entered at their branch frames only, a few to a cycle, so that many transitions share a choice. A
 * transition's length is what its feet need from the one to the other: whole steps, neither hurried nor held up. */
#ifndef MUYBRIDGE_CANDIDATE_H
#define MUYBRIDGE_CANDIDATE_H

#include "base/arena.h"
#include "creature/creature.h"
#include "motion/features.h"

enum candidate_kind {
  CANDIDATE_FIRST,              /* the first gait, from nothing                                                  */
  CANDIDATE_TRANSITION,         /* from a frame of a clip to a frame of a clip                                   */
  CANDIDATE_CYCLE               /* a new cyclic clip, a transition into it and one out of it                     */
};

struct candidate {
  enum candidate_kind kind;
  int from_clip, from_frame;    /* is left there; ids of the run file                                            */
  int to_clip, to_frame;        /* is entered there; of a cycle: where the way out of it leads                   */
  double turn;                  /* of a transition; of the way into a cycle, and back on the way out [rad]        */
  int frames;                   /* of a transition, with the four shared ones                                    */
  int gait; /* of a first gait or a cycle: index, speed [m/s], direction of travel against the nose [rad] */
  double speed, strafe;
  double measured[FEATURES_MEASURES]; /* of a cycle: what it should measure of what the task measures             */
};

/* What the frames of a first gait or a cycle should do, against its nose. */
struct frame_features candidate_features(const struct candidate *x);

/* "turn by 45 degrees from walk:12 to walk:43 in 33 frames", "trot at 3.5 m/s"; clip_name tells the name of a clip by
 * its id. */
const char *candidate_text(struct arena *arena, const struct creature *c, const struct candidate *x,
                           const char *(*clip_name)(void *user, int id), void *user);

#endif
