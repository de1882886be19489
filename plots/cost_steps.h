/* The cost of a growing graph: over the steps of its synthesis, over its clips, over the time that they took. */
#ifndef MUYBRIDGE_PLOTS_COST_STEPS_H
#define MUYBRIDGE_PLOTS_COST_STEPS_H

#include "plots/kit.h"
#include "store/store.h"

struct cost_steps {
  const char *label;             /* "guided, seed 1"                            */
  int n;
  const struct store_step *steps; /* in their order                  (n)        */
  int group;                     /* runs of one group look alike, and its first stands for it in the legend */
};

#define COST_STEPS_MOST 16       /* runs in a figure; groups: 0 to 3             */

/* A run, and another one to compare it with unless baseline is NULL. 1 when the file is there, 0 after an error: the
 * run has no steps. */
int plot_cost_steps(const char *title, const struct cost_steps *run, const struct cost_steps *baseline,
                    const char *path, struct diag *d);

/* The same, drawn but not yet written: the caller finishes or discards the canvas. NULL after an error. */
struct canvas *cost_steps_draw(const char *title, const struct cost_steps *run, const struct cost_steps *baseline,
                               const char *path, struct diag *d);

/* Several runs in one figure, the first drawn over the others. With a floor, a cost that no graph is known to be below,
 * what is above it is drawn, in powers of ten; NAN: none. 1 when the file is there, 0 after an error. */
int plot_cost_runs(const char *title, int n, const struct cost_steps *runs, double floor, const char *path,
                   struct diag *d);

/* Of all parts of a step together [s]. */
double cost_steps_seconds(const struct store_step *step);

#endif
