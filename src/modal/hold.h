/* A limb of the reference that somebody has taken hold of, and leads to a place in the world while the motion plays
 * (doc/modal.md, 8).
 *
 * What is led is an offset: how far the held point is from where the motion would have it. It moves softly, like a mass
 * on a critically damped spring, to where the hand wants it, and back to nothing when it is let go. How the body
 * follows depends on what is held: a trunk that is pressed down bends the legs, and one that is pulled aside makes the
 * reference walk there; a leg moves its foot while that is in the air; arms, neck and tail bend at their joints, within
 * their ranges. Units of the modal room. */
#ifndef MUYBRIDGE_MODAL_HOLD_H
#define MUYBRIDGE_MODAL_HOLD_H

#include "base/arena.h"
#include "creature/creature.h"
#include "dynamics/dynamics.h"

#define EDITABLE_HOLDS 4        /* at most one is led at a time; the others are on their way back */

enum hold_way { HOLD_NONE, HOLD_ROOT, HOLD_LEG, HOLD_CHAIN };

struct hold {
  int way;                      /* enum hold_way                                                          */
  int limb, leg;                /* leg: of the footholds, if it is one; else -1                           */
  int on;                       /* somebody holds it                                                      */
  double most;                  /* farthest that it is led                                                */
  double at[3];                 /* the point, in the limb's frame                                         */
  double target[3];             /* where it shall be, in the world                                        */
  double off[3], rate[3];       /* how far it is from where the motion has it, now                        */
  double goal[3];               /* and where that goes                                                    */
};

/* What leads a limb: trunk, leg or its own joints. */
enum hold_way hold_way_of(const struct creature *c, int limb);

/* Takes hold of a limb: no offset yet. leg: of the footholds, if it is part of one. */
void hold_begin(const struct creature *c, struct hold *h, int limb, int leg);

/* The held point, in the frame of the limb's body. */
void hold_point(const struct creature *c, const struct hold *h, double local[3]);

/* Where the offset goes, when the motion without it has the point at x: what is beyond reach is cut short. */
void hold_aim(struct hold *h, const double x[3]);

/* One step on; and the offset k steps on (below 0: back), with the same goal. */
void hold_move(struct hold *h, double step);
void hold_ahead(const struct hold *h, int k, double step, double off[3]);

/* Joints that bend for a limb, and room for their equations. */
struct hold_chain {
  const struct creature *c;
  struct dynamics *d;
  int n_dofs, *dofs;            /* from the limb to the trunk                              (n_dofs)       */
  double *J, *N, *b;            /* scratch                                                                */
};
struct hold_chain *hold_chains_new(struct arena *arena, const struct creature *c, struct dynamics *d, int n);
void hold_chain_set(struct hold_chain *k, int limb);

/* Bends the joints of the chain so that the point is off by what it will be k steps on, as far as ranges allow. */
void hold_bend(struct hold_chain *chain, const struct hold *h, int k, double step, double *q);

#endif
