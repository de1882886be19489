/* Private to src/capture. Angles of a joint from its rotation: for up to three axes, in any directions. */
#ifndef MUYBRIDGE_CAPTURE_ANGLES_H
#define MUYBRIDGE_CAPTURE_ANGLES_H

#include "creature/creature.h"
#include "capture/levenberg.h"

/* Rotation (3 x 3, row-major) of the last of a joint's n dofs in the frame that carries the first, at angles x (n). */
void capture_joint_rotation(const struct dof *dofs, int n, const double *x, double *R);

/* Angles x (n <= 3) that give R, or come nearest to it; of several answers one near x on entry, no turn further.
 * Returns how far R is missed: the norm of the difference of the matrices. l: for 3 unknowns and 9 residuals. */
double capture_find_angles(struct levenberg *l, const struct dof *dofs, int n, const double *R, double *x);

#endif
