/* A decision process: the mathematics of a controller without its clips and tasks. doc/values.md has the equations.
 *
 * At a node one of the segments that leave it is chosen; it lasts some frames, costs something, and ends at a node.
 * What is asked of the controller, theta, lives on a grid: each parameter moves by a Markov chain of its own, frame by
 * frame, whatever is chosen. Parameters that are angles against the heading also shift when a segment turns. */
#ifndef MUYBRIDGE_DECISION_H
#define MUYBRIDGE_DECISION_H

#include <stddef.h>

#include "base/arena.h"
#include "base/matrix.h"

#define DECISION_MAX_PARAMETERS 8
#define DECISION_MEMORY ((size_t)1 << 30) /* bytes, unless the caller says otherwise                 */
#define DECISION_HISTORY 8                /* steps that the accelerated iterations look back, at most */
#define DECISION_SAMPLES 4096             /* of a residual that they look at, at most                 */

struct decision_parameter {
  int n;                      /* points of the grid; of a circle, evenly around it                            */
  int relative;               /* a circle whose values shift by -turn at a segment's end                      */
  const double *chain;        /* K: from row to column in a frame, row-stochastic                     (n x n) */
};

struct decision_segment {
  int from, to;               /* nodes                                                                        */
  int length;                 /* frames, at least one                                                         */
  double turn;                /* of the heading, from start to end [rad]                                      */
  double constant;            /* cost whatever theta is, summed over the segment                              */
  const double *const *cost;  /* r_p: expected sum over the segment for theta_p at its start, weighted        (n_p) */
};

struct decision_process {
  int n_parameters, n_nodes, n_segments;
  const struct decision_parameter *parameters; /* theta_1 is the slowest index of the grid, the last the fastest */
  const struct decision_segment *segments;     /* sorted by from                                                 */
  const int *first_segment;                    /* of each node, and n_segments at the end          (n_nodes + 1) */
};

/* Points of the whole grid. */
size_t decision_grid(const struct decision_process *process);

/* r from the costs of single frames (length x n, one row a frame): equation 2. out may not overlap them. */
void decision_expect(const struct decision_parameter *parameter, int length, const double *frame_cost, double *out);

/* Fills first_segment (n_nodes + 1) from the segments. */
void decision_index(const struct decision_segment *segments, int n_segments, int n_nodes, int *first_segment);

/* Nodes with successors before their predecessors, as far as cycles allow; place is where each node is in order
 * (n_nodes each). */
void decision_order(const struct decision_process *process, int *order, int *place);

/* Bytes that values and influence need at most, all together, before anything is taken. */
size_t decision_memory(const struct decision_process *process);

/* 1 if the process is sound and fits into memory bytes. 0, and words why not: which segment, or which grid would do. */
struct decision_complaint { char words[320]; };
int decision_check(const struct decision_process *process, size_t memory, struct decision_complaint *complaint);

/* ---- the operators T_e = (K^L Shift) of each parameter, equation 3 ---- */

struct decision_operators {
  const struct decision_process *process;
  size_t grid;
  struct matrix_columns *along; /* of segment e and parameter p at e * n_parameters + p                        */
  double *scratch[2];           /* a tensor each                                                        (grid) */
};

/* transposed: those that carry distributions forward instead of values back. */
struct decision_operators *decision_operators(struct arena *arena, const struct decision_process *process,
                                              int transposed);

/* T_e times a tensor; the result lies in the operators' scratch until the next call. */
double *decision_apply(const struct decision_operators *operators, int segment, const double *tensor);

/* Adds the separable cost R_e(theta) = constant + sum_p r_p(theta_p), plus offset, to a tensor; or the least of that
 * and best goes to best. */
void decision_add_cost(const struct decision_process *process, int segment, double offset, double *tensor);
void decision_least(const struct decision_process *process, int segment, double offset, const double *tensor,
                    double *best);

#endif
