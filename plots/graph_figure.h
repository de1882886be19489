/* The motion graph of a controller: cyclic clips as rings, transitions as curves between their frames, both the wider
 * the oftener they are played, and a table of all clips. */
#ifndef MUYBRIDGE_PLOTS_GRAPH_FIGURE_H
#define MUYBRIDGE_PLOTS_GRAPH_FIGURE_H

#include "plots/kit.h"
#include "policy/controller.h"

int plot_graph(const struct controller *c, const char *path, struct diag *d);

/* The same, drawn but not yet written: the caller finishes or discards the canvas. NULL after an error. */
struct canvas *graph_figure_draw(const struct controller *c, const char *path, struct diag *d);

/* How often a frame of a clip is played, times a second: the same for all frames of most transitions, not of clips that
 * are left or entered on the way (n_frames). */
void graph_figure_use(const struct controller *c, int clip, double *out);

#endif
