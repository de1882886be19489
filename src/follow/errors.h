/* How far a state is off a reference, as numbers that feedback can be made of.
 *
 * 2 n_dofs numbers without a unit (lengths in standing heights L, times in sqrt(L/g)): position on the ground in the
 * reference's heading frame, height, yaw, pitch, roll, joints; then their velocities, those over the ground each in
 * its own heading. Heading is the root's own yaw, of the state and of the reference. */
#ifndef MUYBRIDGE_FOLLOW_ERRORS_H
#define MUYBRIDGE_FOLLOW_ERRORS_H

#include "creature/creature.h"

#define ERRORS_X 0
#define ERRORS_Y 1
#define ERRORS_Z 2
#define ERRORS_YAW 3

struct errors_units { double length, speed, rate; }; /* [m], [m/s], [1/s] */
struct errors_units errors_units(const struct creature *c);

/* x = state less reference */
void errors_of(const struct creature *c, const double *q, const double *v, const double *q_ref, const double *v_ref,
               double *x);

/* The state that is off by x. */
void errors_apply(const struct creature *c, const double *x, const double *q_ref, const double *v_ref, double *q,
                  double *v);

#endif
