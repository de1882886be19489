/* Private to src/spacetime. Which pairs of limbs need rows, at which frames: looked up in a motion that has none, or
 * too few. For rows_limbs_apart.c. */
#ifndef MUYBRIDGE_SPACETIME_LIMBS_APART_H
#define MUYBRIDGE_SPACETIME_LIMBS_APART_H

#include "spacetime/limb_pair.h"

/* One row: a pair at a frame. */
struct apart_row {
  int pair, frame;
  int has_side;                 /* a plane: limbs that have passed through each other must find a side first     */
  struct limb_pair_side side;
  double margin;                /* least gap: more than none where the gap is less between frames                */
};

/* What the family has chosen so far. */
struct apart_choice {
  struct limb_pair_model *models;  /*                                                              (n_pairs)     */
  int n_rows, room;
  struct apart_row *rows;
  int *row_of;                  /* of a pair at a frame, -1: none                       (n_pairs x n_frames)     */
  char *given_up;               /* pairs that get no more rows                                     (n_pairs)     */
};

struct apart_choice *apart_choice_new(struct arena *arena, const struct problem *p);

/* Looks at the motion x, at frames and between them, and adds or changes rows. How many; 0: the limbs are apart. */
int apart_choice_look(struct arena *arena, struct apart_choice *a, struct problem *p, const double *x, int first);

/* No more rows for a pair, nor those that it has. */
void apart_choice_give_up(struct apart_choice *a, const struct problem *p, int pair);

#endif
