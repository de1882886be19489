/* The values of a controller: what is still to come, above the best moment there is, over what may be asked. */
#ifndef MUYBRIDGE_PLOTS_VALUES_FIGURE_H
#define MUYBRIDGE_PLOTS_VALUES_FIGURE_H

#include "plots/kit.h"
#include "policy/controller.h"

/* One parameter: a curve for each node, around a circle if it is one. Two: heat maps of the most visited nodes. More:
 * of the two along which values differ most, the others where they begin. */
int plot_values(const struct controller *c, const char *path, struct diag *d);

/* The same, drawn but not yet written: the caller finishes or discards the canvas. NULL after an error. */
struct canvas *values_figure_draw(const struct controller *c, const char *path, struct diag *d);

#endif
