/* A squat made by hand: the root goes down and up again over feet that stay where they are at rest, legs bent to fit.
 * It knows nothing of physics; modal-space control is to make it physical. */
#ifndef MUYBRIDGE_MODAL_SQUAT_H
#define MUYBRIDGE_MODAL_SQUAT_H

#include "motion/clip.h"

struct squat {
  double depth;                 /* [standing heights]                                                     */
  double down, below, up;       /* [s]: how long each takes                                               */
  double after;                 /* [s]: standing still at the end                                         */
  double lean;                  /* of the root, forwards, when it is lowest [rad]                         */
  double arms;                  /* upper arms raised forwards from the lowest point on [rad]; where there are none:
                                   not */
  double rate;                  /* frames per second                                                      */
  double before;                /* [s]: standing still at first                                           */
  double missed;                /* legs may miss the ground by this much [standing heights]               */
};
void squat_defaults(struct squat *s);

/* NULL, and a message, when legs cannot reach that far down. */
struct clip *squat_clip(struct arena *arena, const struct creature *c, const struct squat *s, struct diag *d);

#endif
