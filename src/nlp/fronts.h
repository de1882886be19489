/* Private to src/nlp. The plan of a multifrontal factorisation: which unknowns are eliminated together, in which order,
 * and what each elimination touches.
 *
 * A *front* is a small dense matrix over the unknowns it eliminates (its own) and their neighbours by then (its
 * border). What is left of it after the elimination, a matrix over the border, is added to its parent, where at least
 * one of the border is eliminated. Fronts are listed children first. */
#ifndef MUYBRIDGE_NLP_FRONTS_H
#define MUYBRIDGE_NLP_FRONTS_H

#include "base/arena.h"
#include "nlp/ordering.h"

struct front_plan {
  int own, size;        /* unknowns it eliminates; with the border                        */
  int *member;          /* own first, then the border, in the order of elimination (size) */
  int parent;           /* -1: none                                                       */
  int n_children;
  int n_entries;        /* of the matrix that enter here                                  */
  int *entry;           /* their numbers in the triplets                      (n_entries) */
};

struct fronts {
  int n, count;
  struct front_plan *front;
  double operations;    /* that they cost, if no pivot has to wait                        */
};

/* The fronts of a matrix of order n in zero-based triplets. */
struct fronts fronts_plan(struct arena *arena, int n, int count, const int *row, const int *col);

/* What a front that eliminates `own` of its `size` unknowns costs, in operations. */
double fronts_cost(double own, double size);

#endif
