/* What a creature has to walk on: its legs, which of them are pairs, and in what order they stand
 * from the hind end to the front. */
#ifndef MUYBRIDGE_GAITS_LEGS_H
#define MUYBRIDGE_GAITS_LEGS_H

#include "base/arena.h"
#include "creature/creature.h"

#define LEGS_MOST 100            /* as many feet as a creature can have */

enum leg_side { LEG_RIGHT = -1, LEG_MIDDLE = 0, LEG_LEFT = 1 };

/* All contact points of the feet that one chain of limbs ends in: a person's heel and ball are one leg's. */
struct leg {
  const char *name;              /* of its first foot                                                          */
  enum leg_side side;
  int row;                       /* of the body, from the hind end: the two legs of a pair share one           */
  int other;                     /* the leg of its pair, or -1                                                 */
  double at[2];                  /* where it joins the body, at rest [m]                                       */
  double length;                 /* of the longest of its feet [m]                                             */
  double height;                 /* of where it joins the body, at rest [m]                                    */
  int rolls;                     /* its points lie one behind the other: it may roll from heel to toe          */
};

struct legs {
  int n, n_rows;
  struct leg *leg;               /* by row, left before right                       (n)                        */
  int *of_point;                 /* leg of each contact point                       (n_points)                 */
  double *along;                 /* where it is on its foot: 0 heel, 1 toe          (n_points)                 */
  double length;                 /* of the shortest leg that stands [m]                                        */
  int symmetric;                 /* the body is its own mirror image, and so are all its pairs of legs         */
};

/* NULL if the creature has no foot. */
const struct legs *legs_of(struct arena *arena, const struct creature *c);

#endif
