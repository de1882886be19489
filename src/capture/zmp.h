/* The zero-moment point against the feet that stand: is a motion one that the ground can carry? (doc/capture.md) */
#ifndef MUYBRIDGE_CAPTURE_ZMP_H
#define MUYBRIDGE_CAPTURE_ZMP_H

#include "creature/creature.h"
#include "dynamics/dynamics.h"

#define ZMP_CORNERS 8           /* of the patch around a contact point */

/* Radius of what a contact point stands for [m]: half the least thickness of its limb; points have no size, feet do. */
double zmp_patch_radius(const struct creature *c, int point);

/* Support polygon of the points that are on the ground, at the pose of the last dynamics_kinematics(): the hull of a
 * patch around each. patch < 0: of zmp_patch_radius(). hull has room for n_points x ZMP_CORNERS points of 2. Returns
 * its corners, 0 in the air. */
int zmp_support(const struct creature *c, const struct dynamics *d, const unsigned char *contact, double patch,
                double *hull);

/* Distance of a point to the border of the polygon, negative inside [m]; NaN without a polygon. */
double zmp_distance(int n, const double *hull, const double *zmp);

/* Equation 17 of 2021: 1 inside, 0 beyond gamma, smooth between; 0 for NaN. */
double zmp_quality(double distance, double gamma);

#endif
