/* Has it fallen? One answer for all ways to follow; limits say what counts.
 *
 * A way that follows a reference step by step (tracking, modal control) has failed when the root is no longer where the
 * reference has it. A control graph may stray after a push, step aside and come back: there only a body that goes to
 * the ground has fallen. */
#ifndef MUYBRIDGE_FOLLOW_FALL_H
#define MUYBRIDGE_FOLLOW_FALL_H

#include "creature/creature.h"

struct fall_limits {            /* 0: no limit                                                                    */
  double height;                /* the root's height may be off the reference's by so much, up or down [L]        */
  double angle;                 /* its orientation may, heading included [rad]                                    */
  double share;                 /* it may not be below this share of its height in the reference                  */
  double tilt;                  /* it may not be tilted further from the vertical [rad]                           */
};

/* Of tracking and modal control: 0.15 L and 30 degrees (doc/tracking.md, "success"). */
extern const struct fall_limits fall_limits_following;

/* Of control graphs: 0.7 of the height and 50 degrees (doc/control.md, "A fall"). */
extern const struct fall_limits fall_limits_upright;

struct fall {
  const char *fault;            /* "height", "tilt"; NULL: it has not fallen. A NaN is a fall                     */
  double height, angle;         /* how far it is off [L], [rad]; 0 where there is no limit on it                  */
};

/* q: the state; q_ref: the pose that it should have; ground: by how much the ground is higher than the reference takes
 * it to be [m]. */
struct fall fall_of(const struct fall_limits *l, const struct creature *c, const double *q, const double *q_ref,
                    double ground);

#endif
