/* Private to src/creature. Solids of uniform density: volume, inertia, lowest point.
 *
 * Symmetric 3 x 3 matrices have six numbers: xx yy zz xy xz yz. Off the diagonal an inertia has the elements of the
 * tensor itself, as in URDF: Ixy = -integral of x y dm. */
#ifndef MUYBRIDGE_SOLID_H
#define MUYBRIDGE_SOLID_H

#include "creature/creature.h"

/* Fill centre, frame and size of a shape whose from and to are set. */
void solid_none(struct shape *s);
void solid_capsule(struct shape *s, double radius);
void solid_shorten(struct shape *s); /* of a capsule: so that the cap ends at `to`, where the limb touches the ground */
void solid_upright(struct shape *s, enum shape_kind kind, const double size[3]);     /* along x, y, z    */
void solid_along(struct shape *s, enum shape_kind kind, double width, double depth); /* along from .. to */

double solid_volume(const struct shape *s);

/* Of the solid with this mass about its centre, in the limb's frame; zero for SHAPE_NONE. */
void solid_inertia(const struct shape *s, double mass, double inertia[6]);

/* The shape seen in a mirror: y becomes -y. */
void solid_mirror(struct shape *s);
void solid_mirror_inertia(double inertia[6]);

/* Integral of r r^T dm about the same point, from the inertia. */
void solid_second_moment(const double inertia[6], double moment2[6]);

/* Eigenvalues of a symmetric matrix, smallest first. */
void solid_principal(const double m[6], double values[3]);

/* How far the solid reaches along -u from its limb's origin: the greatest -u . r (u in the limb's frame, unit). */
double solid_reach(const struct shape *s, const double u[3]);

#endif
