/* How a solve came to its end: infeasibility and objective over the iterations. */
#ifndef MUYBRIDGE_PLOTS_CONVERGENCE_H
#define MUYBRIDGE_PLOTS_CONVERGENCE_H

#include "plots/kit.h"
#include "spacetime/spacetime.h"

/* what is the title, as in "horse: walk". 1 when the file is there, 0 after an error: the report has no history. */
int plot_convergence(const char *what, const struct spacetime_report *report, const char *path, struct diag *d);
struct canvas *convergence_draw(const char *what, const struct spacetime_report *report, const char *path,
                                struct diag *d);

#endif
