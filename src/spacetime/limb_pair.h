/* Private to src/spacetime. Two limbs, how far they are apart, and how that changes with the pose: smooth functions
 * with exact derivatives, for the optimizer (doc/solid.md, "In the optimizer"). The verifier has its own
 * (creature/gap.h).
 *
 * Limb a is a capsule: a segment, its axis, with a radius. In the frame of limb b, each place X of that axis has a
 * value g(X) that grows with the distance from b:
 *   b a capsule            g = |X - nearest place on b's axis|^2 / 2 c
 *   b an ellipsoid or box  g = c phi^2 / 2,  phi = (sum |X_i / D_i|^p)^(1/p),  p = 2, 16
 * with c both radii together, D half lengths plus a's radius.
 * The value of the pair is the least of them along the axis, found anew at every pose; the slope there is that of a
 * fixed place (envelope theorem), the second derivatives have the place's own motion in them. Only dofs between the two
 * limbs enter: in the frame of b, these are a chain of turns that begins at b and ends at a. */
#ifndef MUYBRIDGE_SPACETIME_LIMB_PAIR_H
#define MUYBRIDGE_SPACETIME_LIMB_PAIR_H

#include "creature/gap.h"
#include "spacetime/limb_frames.h"

struct limb_pair_model {
  int limb_a, limb_b, body_a, body_b;
  struct solid a, b;            /* in the frames of their bodies; a is a capsule                          */
  double thin;                  /* the smaller radius of the two: overlaps are measured in it             */
  double room;                  /* most of the gap at rest: wider margins could not be met by thighs, at the hip    */
  double c;                     /* radii together                                                         */
  double D[3];                  /* of a b that is no capsule                                              */
  double rest[3];               /* direction from b to a at rest, in b's frame                            */
  int n;                        /* dofs between them                                                      */
  int *dof;                     /* from b to a                                                   (n)      */
  double *sign;                 /* +1 turns a, -1 turns b                                        (n)      */
  double *motion, *across;      /* scratch of limb_pair_value()                           (n x 3), (n)      */
};

/* Models of all pairs of the creature that keep apart, in units of the problem. */
struct limb_pair_model *limb_pair_models(struct arena *arena, const struct creature *c, struct dynamics *d,
                                         const double *rest);

/* How two limbs stand to each other at a pose. */
struct limb_pair_place {
  double gap;                   /* between surfaces: exact of capsules, to first order near the surface of others */
  double s, t;                  /* where along the axes, 0 to 1; t of a capsule b                          */
  double d[3];                  /* from b's axis (a capsule's), or centre, to a's, in b's frame            */
};
void limb_pair_look(const struct limb_pair_model *m, const struct limb_frame *frames, struct limb_pair_place *out);

/* The value of the pair, or, with a normal (3, in b's frame), how far place s of a's axis is from place t of b's along
 * it. Its slopes by the dofs of the model (n), and its second derivatives (n x n, lower triangle), unless NULL. */
struct limb_pair_side { double s, t, normal[3]; };
double limb_pair_value(const struct limb_pair_model *m, const struct limb_frame *frames,
                       const struct limb_pair_side *side, double *slope, double *hessian);

/* The value at which surfaces are this far apart. */
double limb_pair_least(const struct limb_pair_model *m, double gap);

#endif
