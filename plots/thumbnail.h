/* A clip as one small row of poses: to tell it from others in a long list. plots/filmstrip.h shows more of one. */
#ifndef MUYBRIDGE_PLOTS_THUMBNAIL_H
#define MUYBRIDGE_PLOTS_THUMBNAIL_H

#include "creature/creature.h"
#include "motion/clip.h"
#include "plots/kit.h"

/* Poses at even times from the side, without words; if it turns, fewer of them, and at the right its way from above.
 * The caller finishes or discards the canvas. NULL after an error. */
struct canvas *thumbnail_draw(const struct creature *c, const struct clip *clip, const char *path, struct diag *d);

#endif
