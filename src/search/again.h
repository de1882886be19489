/* The clips of a graph once more, for a creature that was changed a little: each solved from what it was, so that a
 * whole controller follows an edit of its creature in seconds. Which clips there are, where they are left and entered,
 * by how much they turn: all that stays; nothing is searched for. */
#ifndef MUYBRIDGE_SEARCH_AGAIN_H
#define MUYBRIDGE_SEARCH_AGAIN_H

#include "motion/graph.h"
#include "spacetime/spacetime.h"
#include "task/task.h"

struct again_options {          /* by again_defaults()                                                                */
  struct spacetime_options spacetime; /* max_seconds: of processor time, for one clip                                 */
  int mirror;                   /* 1: of two clips that are mirror images only one is solved                          */
  int (*progress)(void *user, int done, int n); /* 0 stops; may be NULL                                               */
  void *user;
};
void again_defaults(struct again_options *o);

struct again {                  /* lives in the arena of again_solve()                                                */
  struct graph_input clips;     /* those that were solved and verified, with their ids, in their order                */
  int n_solved, n_mirrored;
  int n_lost;                   /* not found, or at an end of one that was not                                        */
  char reason[512];             /* why the first of these was not found; "": none was lost                            */
  int is_stopped;
};

/* was: clips of the creature as it was, with the same axes and contact points as `now`; task may be NULL. 0 after an
 * error: other axes, a gait that is gone, no cyclic clip left. */
int again_solve(struct arena *arena, const struct graph_input *was, const struct creature *now, const struct task *task,
                const struct again_options *o, struct again *out, struct diag *d);

#endif
