/* Processes so small that all their policies can be tried: another way to the same numbers. It shares no arithmetic
 * with src/policy: chains are followed frame by frame, and distributions come from a linear system. */
#ifndef MUYBRIDGE_SMALL_PROCESS_H
#define MUYBRIDGE_SMALL_PROCESS_H

#include <stdint.h>

#include "policy/decision.h"

/* Three nodes, two ways each, of which every policy comes back to node 0; a circle of three points that turns; for odd
 * seeds one of two points, and a category of two. */
struct decision_process *small_process(struct arena *arena, uint64_t seed);

/* Average cost of a frame under a policy: one segment for each node and point of the grid. */
double small_cost(const struct decision_process *process, const int *choice);

/* Of the best of all policies. */
double small_best(const struct decision_process *process);

#endif
