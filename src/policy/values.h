/* Values: what it costs to be at a node while theta is asked for, and the least average cost that any policy can reach.
 *
 * The average is per frame and over ever longer times, without discount; doc/values.md says how it is found and why
 * the bounds hold. They assume that all of the graph can be reached from all of it and that theta forgets where it
 * was; where that is not so the bounds stay apart, and the status says so. */
#ifndef MUYBRIDGE_VALUES_H
#define MUYBRIDGE_VALUES_H

#include <stddef.h>

#include "base/arena.h"
#include "policy/decision.h"

enum values_status {
  VALUES_SOLVED,  /* the bounds are as near as asked                             */
  VALUES_SWEEPS,  /* they are not after as many sweeps as allowed; still bounds  */
  VALUES_REFUSED  /* the process is not sound, or too large: see complaint       */
};

struct values {
  enum values_status status;
  struct decision_complaint complaint;
  int n_nodes;
  size_t grid;
  double *V;              /* cost to come, against the average; its mean is zero        (n_nodes x grid) */
  int *choice;            /* the best segment, the first of equals                      (n_nodes x grid) */
  double g;               /* average cost of a frame, between lower and upper                            */
  double lower;           /* no policy costs less                                                        */
  double upper;           /* the policy of choice costs no more                                          */
  int sweeps, retreats;   /* evaluations of all segments; times the acceleration was given up            */
  int coarse_sweeps;      /* on a coarser grid, before                                                   */
};

struct values_options {   /* by values_defaults()                                                        */
  double relative;        /* upper - lower must not exceed this times |g| ...                            */
  double absolute;        /* ... or this                                                                 */
  int max_sweeps;
  int depth;              /* of the acceleration, 0: none, at most DECISION_HISTORY                      */
  int coarse;             /* without a start, begin on a coarser grid ...                                */
  double coarse_relative; /* ... solved to this relative, 0.01: the grid itself is off by about as much  */
  double damping;         /* of the shortest segment, 0.95: below 1 the safe iteration has no cycles     */
  int safe_sweeps;        /* after fast ones that did not help, 4, doubled each time                     */
  double near;            /* times the tolerance, 1.5: bounds of sweeps in place are wider than those of
                             the point itself                                                            */
  size_t memory;          /* bytes allowed                                                               */
  const struct values *start; /* values of an earlier process on the same grid, or NULL                  */
  const int *start_node;  /* for each node the one it was in start, -1: it is new; NULL: the same   (n_nodes) */
};
void values_defaults(struct values_options *o);

/* Never NULL; whatever it holds lives in the arena. */
struct values *values_solve(struct arena *arena, const struct decision_process *process,
                            const struct values_options *o);

/* The same for operators that are there already and of a process that is known to be sound, such as a thinned-out one
 * (coarse.h), whose chains nobody needs any more. */
struct values *values_solve_operators(struct arena *arena, const struct decision_operators *operators,
                                      const struct values_options *o);

/* Q_e(theta) = R_e - g L_e + T_e V: what choosing segment e costs, against the average; the policy takes the least. For
 * a runtime, hence float. out: n_segments x grid. */
void values_q(const struct decision_process *process, const struct values *values, float *out);

#endif
