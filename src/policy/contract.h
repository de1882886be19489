/* Contraction: nodes at which there is nothing to choose are left out, and the segments through them become one. What
 * the process costs stays the same: operators of segments multiply, their costs add (doc/values.md, "Contraction"). */
#ifndef MUYBRIDGE_CONTRACT_H
#define MUYBRIDGE_CONTRACT_H

#include "policy/decision.h"

struct contraction {
  const struct decision_operators *operators;
  const int *node;              /* that each of its nodes was                              (its n_nodes)    */
  const int *segment;           /* that each of its segments begins with                   (its n_segments) */
};

/* The operators must carry values (not be transposed). Nodes that are on a way round without any choice stay. */
struct contraction contract(struct arena *arena, const struct decision_operators *operators);

#endif
