/* One cycle of a person's walk, measured: a file of comma-separated columns with a line of their names. It is read from
 * wherever the user has it; it is not part of Muybridge. */
#ifndef MUYBRIDGE_TESTS_NATURE_REFERENCE_H
#define MUYBRIDGE_TESTS_NATURE_REFERENCE_H

#include "base/arena.h"

struct reference_walk {
  int n, n_columns;             /* places of the cycle, the last one a cycle after the first; columns */
  char **names;                 /*                                     (n_columns)                    */
  double *x;                    /* column by column                    (n_columns x n)                */
};

/* NULL if there is no such file; one that cannot be understood ends the program. */
const struct reference_walk *reference_read(struct arena *arena, const char *path);

/* A column (n). One that is not there ends the program. */
const double *reference_column(const struct reference_walk *r, const char *name);

#endif
