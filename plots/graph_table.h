/* The clips of a controller as a table: what each does, where it leaves and arrives, how often it is played. */
#ifndef MUYBRIDGE_PLOTS_GRAPH_TABLE_H
#define MUYBRIDGE_PLOTS_GRAPH_TABLE_H

#include "plots/kit.h"
#include "policy/controller.h"

#define GRAPH_TABLE_WIDTH 266.0 /* [points] */

/* Mirror images stand below each other, joined by a bracket. Returns its height; draw 0: only measures. */
double graph_table_draw(struct canvas *cv, const struct controller *c, struct xy at, const struct theme *theme,
                        int draw);

#endif
