/* A clip that was exported as CSV, read back by code that knows nothing of clips: names of columns and numbers. */
#ifndef MUYBRIDGE_TESTS_TABLE_H
#define MUYBRIDGE_TESTS_TABLE_H

#include "motion/clip.h"

struct table {
  char *text;                    /* all of it, as it was written        */
  char *comments;                /* the lines that begin with #         */
  int n_rows, n_columns;
  const char **names;            /*                         (n_columns) */
  double *cells;                 /*                (n_rows x n_columns) */
};

/* Exports a clip and reads it. NULL, and the reason on standard error, when that fails. */
struct table *table_of_clip(struct arena *arena, const struct creature *c, const struct clip *clip);

/* Column by name: "force.left_hoof.x" is ("force", "left_hoof", "x"), "q.root_x" ("q", "root_x", NULL). -1 if there is
 * none. */
int table_find(const struct table *t, const char *prefix, const char *name, const char *suffix);

double table_cell(const struct table *t, int row, int column); /* NaN where there is none */

#endif
