/* The ground that a clip is on, in the clip's own frame: level, or a plane that rises.
 *
 * A clip that is zero all over is on level ground at height 0. Gravity is along -z on all of them. */
#ifndef MUYBRIDGE_SURFACE_H
#define MUYBRIDGE_SURFACE_H

struct surface {
  double rise[2];               /* of a plane through the origin, per metre along x and along y */
};

static inline int surface_is_level(const struct surface *s) { return s->rise[0] == 0 && s->rise[1] == 0; }

/* Height of the ground at x, y [m]. */
double surface_height(const struct surface *s, double x, double y);

/* How much higher the ground is after so much of way along x and y [m]. */
double surface_climb(const struct surface *s, double x, double y);

/* Unit vectors: normal, and two within the surface, of which the first has no y and the second completes them to a
 * right-handed frame (along, across, normal). On level ground these are the axes z, x, y, exactly. */
struct surface_axes { double normal[3], along[3], across[3]; };
void surface_axes(const struct surface *s, struct surface_axes *out);

/* How far a place is above the ground, along the normal [m]. */
double surface_distance(const struct surface *s, const double *x);

/* A plane that rises by so many radians in a direction, to the left of the x axis. */
struct surface surface_slope(double angle, double direction);

/* The angle between it and the horizontal plane [rad], and the direction in which it rises, 0 if it is level. */
double surface_steepness(const struct surface *s, double *direction);

/* Left and right exchanged. */
struct surface surface_mirrored(const struct surface *s);

#endif
