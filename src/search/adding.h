/* Private to src/search. Adding: which of the finds become part of the graph at the end of a step. */
#ifndef MUYBRIDGE_ADDING_H
#define MUYBRIDGE_ADDING_H

#include "search/choose.h"

#define ADDING_MOST 8            /* finds in a step                                                                */

struct adding_input {
  struct scene *s;               /* with its base                                                                  */
  int n_finds;
  struct find *finds;            /* all that was solved, in the graph or not; mirror images are made       (n_finds) */
  int first;                     /* the first of this step                                                         */
  enum choose_strategy strategy;
  double cost;                   /* of the graph as it is                                                          */
  int clips;                     /* no more finds once there are so many more clips                                */
};

struct addition {
  int n;
  struct find *finds[ADDING_MOST];
  double cost;                   /* of the graph with all of them                                                  */
};

/* Uniform sampling adds all that this step solved: to sample is to do without looking. The others add cycles as soon
 * as they are solved, then the transition that lowers the cost most, and those that lower it by a good part of that
 * on top of it. Mirror images live in the arena. */
struct addition adding_choose(struct arena *arena, const struct adding_input *in);

#endif
