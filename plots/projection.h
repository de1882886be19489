/* Solids seen from afar: cameras without perspective, and the outlines that solids have in them.
 *
 * Knows no canvas: lengths in metres, u to the right, v up, depth growing towards the viewer. */
#ifndef MUYBRIDGE_PLOTS_PROJECTION_H
#define MUYBRIDGE_PLOTS_PROJECTION_H

#include "creature/creature.h"
#include "plots/kit.h"

struct camera { double right[3], up[3], back[3]; }; /* orthonormal, right-handed; back points at the viewer */

struct camera camera_side(void);  /* looks along +y: a creature faces to the right */
struct camera camera_front(void); /* looks along -x: it comes towards the viewer   */

/* The same for a creature that heads elsewhere, to the left of +x [rad]; from its right, and from above. */
struct camera camera_beside(double heading);
struct camera camera_above(double heading);

/* From its right and a little from its front, so that both of its sides show; heights are still to scale. */
struct camera camera_three_quarter(void);

/* Looks at a creature from azimuth (0: its front, 90 degrees: its left) and elevation above the ground [rad]. */
struct camera camera_from(double azimuth, double elevation);

struct xy camera_project(const struct camera *cam, const double *world);
double camera_depth(const struct camera *cam, const double *world);

/* What a solid looks like. */
enum outline_kind { OUTLINE_STADIUM, OUTLINE_ELLIPSE, OUTLINE_POLYGON };
struct outline {
  enum outline_kind kind;
  double depth;                   /* of its centre                                                       */
  struct xy a, b;                 /* stadium: centres of the ends                                        */
  double radius_a, radius_b;      /* of the ends; both 0 for a limb without a shape                      */
  struct ellipse ellipse;         /* half-axes a >= b, angle counter-clockwise from u                    */
  int n;                          /* corners of the polygon, counter-clockwise                           */
  struct xy corners[8];
};

/* The outline of a solid given in the world. */
void outline_of(const struct shape *s, const struct camera *cam, struct outline *out);
struct rect outline_extent(const struct outline *o);

struct rect rect_union(struct rect a, struct rect b);

#endif
