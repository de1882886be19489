/* How far two limbs are apart, where they meet, and how low a limb reaches. Shapes are those of the creature file, as
 * they are drawn (doc/solid.md).
 *
 * For whoever judges or simulates bodies that are solid: loading (which pairs touch at rest), verify, the engines. The
 * optimizer has smooth functions of its own (spacetime/rows_limbs_apart.c), so that verify does not share them.
 *
 * Gaps are exact while one of the two is a capsule. Of two that are not, the thinner one counts as a capsule inside of
 * it. */
#ifndef MUYBRIDGE_GAP_H
#define MUYBRIDGE_GAP_H

#include "creature/creature.h"

/* A limb's shape, in the frame of its body or in the world. */
struct solid {
  enum shape_kind kind;
  double from[3], to[3];  /* of a capsule: the ends of its axis                                */
  double centre[3];
  double axes[9];         /* of a box or an ellipsoid: columns are its own axes                */
  double half[3];         /* half lengths along these; of a capsule: its radius                */
  double radius;          /* half of how thick it is at its thinnest                           */
  double bound;           /* radius of a ball around the centre that holds all of it           */
};

/* The solid of a limb in the frame of its body, lengths divided by unit [m]. */
void solid_of_limb(const struct limb *l, double unit, struct solid *out);

/* A solid of a body's frame in the world: the body's origin is at x, R its rotation, row by row, `stride` numbers from
 * one row to the next. */
void solid_move(const struct solid *s, const double *x, const double *R, int stride, struct solid *out);

/* Height of its lowest point; the same along a unit vector that is up. */
double solid_lowest(const struct solid *s);
double solid_lowest_along(const struct solid *s, const double *up);

struct gap {
  double gap;             /* between the surfaces; below 0: how deep one is in the other        */
  double normal[3];       /* unit vector from b to a: the shortest way out                      */
  double at[3];           /* halfway between the two surfaces                                   */
};

/* Are they farther apart than `reach`, as the balls around them tell? A quick no for most pairs. */
static inline int gap_exceeds(const struct solid *a, const struct solid *b, double reach)
{
  double x = a->centre[0] - b->centre[0], y = a->centre[1] - b->centre[1], z = a->centre[2] - b->centre[2];
  double near = a->bound + b->bound + reach;
  return x * x + y * y + z * z > near * near;
}

/* A capsule inside of a box or an ellipsoid, along its longest axis; out may be s. */
void solid_capsule_inside(const struct solid *s, struct solid *out);

void gap_between(const struct solid *a, const struct solid *b, struct gap *out);

#endif
