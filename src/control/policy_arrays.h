/* A control graph with its policies as plain arrays, for programs that are not ours: all that driving a creature in
 * another simulator takes, with the creature's model in MuJoCo's format. doc/policy-arrays.md describes each array;
 * doc/examples/run_policy.py runs them. */
#ifndef MUYBRIDGE_CONTROL_POLICY_ARRAYS_H
#define MUYBRIDGE_CONTROL_POLICY_ARRAYS_H

#include "control/controls.h"
#include "exchange/arrays.h"

/* Adds them to a file. For full policies (CONTROL_FULL with gains). */
void policy_arrays_add(struct arrays *a, struct arena *arena, const struct controls *c);

#endif
