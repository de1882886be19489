/* A stroboscopic plate in the manner of Muybridge's own: a pale body before a black wall of threads, at twelve even
 * times from the side, and the same twelve from in front. The emblem of the project. */
#ifndef MUYBRIDGE_PLOTS_PLATE_H
#define MUYBRIDGE_PLOTS_PLATE_H

#include "creature/creature.h"
#include "motion/clip.h"
#include "plots/kit.h"

/* Drawn but not yet written: the caller finishes or discards the canvas. NULL after an error. */
struct canvas *plate_draw(const struct creature *c, const struct clip *clip, const char *path, struct diag *d);

#endif
