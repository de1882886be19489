/* The policy of a controller: which way is taken, over what may be asked. */
#ifndef MUYBRIDGE_PLOTS_POLICY_FIGURE_H
#define MUYBRIDGE_PLOTS_POLICY_FIGURE_H

#include "plots/kit.h"
#include "policy/controller.h"

/* Laid out as plot_values() does; with one parameter a band for each node, around a circle if it is one. */
int plot_policy(const struct controller *c, const char *path, struct diag *d);

/* The same, drawn but not yet written: the caller finishes or discards the canvas. NULL after an error. */
struct canvas *policy_figure_draw(const struct controller *c, const char *path, struct diag *d);

#endif
