/* Private to src/nlp. In which order to eliminate the unknowns of a sparse symmetric matrix whose unknowns lie along a
 * line or a ring, as those of a motion do in time.
 *
 * A line is eliminated from one end to the other, in slabs. A ring is dissected: a few unknowns (a *separator*) hold it
 * together, and are eliminated last; so are a few in the middle, which part what comes before from what comes after;
 * then each half in turn. Slabs and short pieces are ordered by minimum degree. Nothing but the pattern is looked at.
 * What is expected of it, and what only speed depends on, is the layout of an interior-point method: variables in the
 * order of time, then slacks, then the multipliers. */
#ifndef MUYBRIDGE_NLP_ORDERING_H
#define MUYBRIDGE_NLP_ORDERING_H

#include "base/arena.h"

struct graph {                  /* of a symmetric matrix, without the diagonal           */
  int n;
  int *first;                   /* neighbours of i: other[first[i] .. first[i + 1])      */
  int *other;                   /* ascending, each once                                  */
};

/* The graph of a matrix of order n in zero-based triplets; entries may come twice, from either triangle. */
struct graph graph_of_triplets(struct arena *arena, int n, int count, const int *row, const int *col);

/* order[k]: the unknown to eliminate as number k. */
void ordering_along_line(struct arena *arena, const struct graph *g, int *order);

#endif
