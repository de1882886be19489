/* Decision processes at random, of the kind that graphs of clips give: cycles of nodes, and transitions that turn. For
 * tests and for the benchmark. */
#ifndef MUYBRIDGE_RANDOM_PROCESS_H
#define MUYBRIDGE_RANDOM_PROCESS_H

#include <stdint.h>

#include "policy/decision.h"

enum random_kind { RANDOM_DIRECTION, RANDOM_TORSO, RANDOM_SPEED, RANDOM_GAIT }; /* two circles, an interval, a
                                                                                   category */

struct random_request {
  int n_nodes, ways;                /* ways out of each node: the first goes on around its cycle, the others anywhere */
  int extra;                        /* clips more: each a node behind those, a way to it and two on from it */
  int shortest, longest;            /* frames */
  int n_parameters;
  enum random_kind kinds[DECISION_MAX_PARAMETERS];
  int grid[DECISION_MAX_PARAMETERS];
  double keep;                      /* probability that a parameter stays where it is in a frame; the rest jumps, half
                                       of it drifts */
  uint64_t seed;
};

/* The same seed gives the same nodes and segments whatever the grid and whatever is added. */
struct decision_process *random_process(struct arena *arena, const struct random_request *r);

#endif
