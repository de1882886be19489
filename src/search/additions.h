/* Private to src/search. Additions: which solved candidates become part of the graph at the end of a step. Room:
 * search, see synth.h. */
#ifndef MUYBRIDGE_ADDITIONS_H
#define MUYBRIDGE_ADDITIONS_H

#include "search/choose.h"

#define ADDITIONS_MOST 8         /* solved candidates in a step                                                    */

struct additions_input {
  struct scene *s;               /* with its base                                                                  */
  int n_solved_candidates;
  struct solved_candidate *solved_candidates; /* all of the run, in the graph or not; gets mirror images           */
  int first;                     /* the first one of this step                                                     */
  enum choose_strategy strategy;
  double cost;                   /* of the graph as it is                                                          */
  int clips;                     /* nothing more is added once there are this many more clips                      */
};

struct addition {
  int n;
  struct solved_candidate *solved_candidates[ADDITIONS_MOST];
  double cost;                   /* of the graph with all of them                                                  */
};

/* Uniform sampling adds all that this step solved. The other strategies add cycles as soon as they are solved, then the
 * transition that lowers the cost most, and those that lower it further by a large part of that. Mirror images live in
 * the arena. */
struct addition additions_choose(struct arena *arena, const struct additions_input *in);

#endif
