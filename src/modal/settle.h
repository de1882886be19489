/* Feet of a clip on the ground: captured feet that stand hover or sink by a finger's breadth, which is more than a
 * contact forgives (doc/modal.md, 8). */
#ifndef MUYBRIDGE_MODAL_SETTLE_H
#define MUYBRIDGE_MODAL_SETTLE_H

#include "dynamics/dynamics.h"
#include "motion/clip.h"

/* How far each point is to be lifted in each frame so that it is on the ground while it stands, and goes in a straight
 * line from one stance to the next [L] (n_frames x n_points); NULL if all of them are on the ground as it is, to
 * `settled` [L]. d is of dynamics_new_dimensionless(). */
double *settle_clip(struct arena *arena, const struct creature *c, struct dynamics *d, const struct clip *clip,
                    double settled);

/* The same between frames. */
double settle_at(const double *lift, const struct clip *clip, double frame, int point);

#endif
