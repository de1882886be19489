/* What a search for gaits found, on one page: cost per distance over speed with the changes from gait to gait,
 * Hildebrand's diagrams with the cost on them, and footfall diagrams. */
#ifndef MUYBRIDGE_PLOTS_GAITS_SHEET_H
#define MUYBRIDGE_PLOTS_GAITS_SHEET_H

#include "gaits/gaits.h"
#include "plots/kit.h"

/* 1 when the file is there, 0 after an error: nothing was solved. */
int plot_gaits_sheet(const struct gaits_result *r, const char *path, struct diag *d);

/* Drawn but not yet written. NULL after an error. */
struct canvas *gaits_sheet_draw(const struct gaits_result *r, const char *path, struct diag *d);

#endif
