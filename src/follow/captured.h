/* Captured motion as something to be tracked (Xie and Kry 2021; doc/capture.md, doc/tracking.md).
 *
 * Poses are the captured ones, lightly smoothed so that they have velocities; torques are those of inverse dynamics
 * of the motion filtered harder, times their quality: an aid for the servos, not an answer. */
#ifndef MUYBRIDGE_FOLLOW_CAPTURED_H
#define MUYBRIDGE_FOLLOW_CAPTURED_H

#include "capture/feedforward.h"
#include "follow/reference.h"

struct captured_options {
  double smooth;                /* cutoff for the poses [Hz]: markers jitter above 8, limbs hardly move there; 0: the
                                   cutoff of the torques                                              */
  struct capture_feedforward_options inverse;
  double least_variance;        /* of an offset, the largest being 1: a joint that needs no torque may still move */
};
void captured_defaults(const struct creature *c, struct captured_options *o);

struct captured {
  struct reference *reference;
  const struct capture_feedforward *inverse;
  double *variances;            /* of offsets at first (equation 19 of 2021), the largest being 1 (n_dofs - 6) */
};

/* NULL after an error: a clip that is too short or of another creature. o may be NULL: the defaults. */
struct captured *captured_reference(struct arena *arena, const struct creature *c, const struct clip *clip,
                                    const struct captured_options *o, struct diag *d);

#endif
