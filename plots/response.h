/* Responses of a controller: what happens from every decision node when something else is asked all of a sudden. */
#ifndef MUYBRIDGE_PLOTS_RESPONSE_H
#define MUYBRIDGE_PLOTS_RESPONSE_H

#include "plots/kit.h"
#include "policy/response.h"

/* A panel for each step: the error over time from every node, thin, and their median, bold; how long until it stays
 * within the tolerance, and how far it goes beyond. Steps to the left and to the right share a panel. */
int plot_response(const struct response_table *r, const char *path, struct diag *d);

/* The same, drawn but not yet written: the caller finishes or discards the canvas. NULL after an error. */
struct canvas *response_draw(const struct response_table *r, const char *path, struct diag *d);

#endif
