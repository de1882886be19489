/* The cost of a growing graph: over the steps of its synthesis, over its clips, over the time that they took. */
#ifndef MUYBRIDGE_PLOTS_COST_STEPS_H
#define MUYBRIDGE_PLOTS_COST_STEPS_H

#include "plots/kit.h"
#include "store/store.h"

struct cost_steps {
  const char *label;             /* "guided, seed 1"                            */
  int n;
  const struct store_step *steps; /* in their order                  (n)        */
};

/* A run, and another one to compare it with unless baseline is NULL. 1 when the file is there, 0 after an error: the
 * run has no steps. */
int plot_cost_steps(const char *title, const struct cost_steps *run, const struct cost_steps *baseline,
                    const char *path, struct diag *d);

/* The same, drawn but not yet written: the caller finishes or discards the canvas. NULL after an error. */
struct canvas *cost_steps_draw(const char *title, const struct cost_steps *run, const struct cost_steps *baseline,
                               const char *path, struct diag *d);

/* Of all parts of a step together [s]. */
double cost_steps_seconds(const struct store_step *step);

#endif
