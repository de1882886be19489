/* A performance: where it went and what was asked of it there, and over time what was asked and done, at what cost,
 * with which clips. For `muybridge play`. */
#ifndef MUYBRIDGE_PLOTS_PERFORMANCE_H
#define MUYBRIDGE_PLOTS_PERFORMANCE_H

#include "plots/kit.h"
#include "policy/performance.h"

int plot_performance(const struct performance *p, const char *path, struct diag *d);

/* The same, drawn but not yet written: the caller finishes or discards the canvas. NULL after an error. */
struct canvas *performance_draw(const struct performance *p, const char *path, struct diag *d);

/* Angles asked and done over time as curves without jumps: done is continuous, and asked is given the whole turns that
 * bring it nearest to where done has come to when something else is asked. In radians (n_frames each). */
void performance_angles(const struct performance *p, int parameter, double *asked, double *done);

#endif
