/* A creature on one page, and all creatures on one: what `muybridge check -o` draws, and the picture in the README. */
#ifndef MUYBRIDGE_PLOTS_CREATURE_SHEET_H
#define MUYBRIDGE_PLOTS_CREATURE_SHEET_H

#include "creature/creature.h"
#include "plots/kit.h"

/* Side and front view to one scale, numbers, gait diagrams. The ending of path tells the format (see canvas_open).
 * 1 when the file is there, 0 after an error, which leaves no file behind. */
int plot_creature_sheet(const struct creature *c, const char *path, struct diag *d);

/* A plate of n creatures, n >= 1, each seen from its right before a grid of threads. If the largest is no more than
 * ZOO_COMMON times the smallest they are drawn to one scale, else each to its own. */
#define ZOO_COMMON 2.0
int plot_zoo_sheet(int n, const struct creature *const *c, const char *path, struct diag *d);

/* The same, drawn but not yet written: the caller finishes or discards the canvas. NULL after an error. */
struct canvas *creature_sheet_draw(const struct creature *c, const char *path, struct diag *d);
struct canvas *zoo_sheet_draw(int n, const struct creature *const *c, const char *path, struct diag *d);

#endif
