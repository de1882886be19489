/* Private to src/spacetime. How much torques jump; rows_torque_change.c has the rows against it. */
#ifndef MUYBRIDGE_SPACETIME_TORQUE_CHANGE_H
#define MUYBRIDGE_SPACETIME_TORQUE_CHANGE_H

#include "spacetime/problem.h"

/* The largest change of a muscles' torque from a frame to the next, over the largest torque of that joint axis; of the
 * worst axis of those that count. */
double torque_change_worst(struct problem *p, const double *x);

#endif
