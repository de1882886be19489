/* Frames of a controller in use: what was asked of it, and what it did about it, after figure 4 of Wampler et al.
 * 2013. */
#ifndef MUYBRIDGE_PLOTS_FILM_FRAMES_H
#define MUYBRIDGE_PLOTS_FILM_FRAMES_H

#include "plots/kit.h"
#include "policy/performance.h"

/* Drawn but not yet written: the caller finishes or discards the canvas. NULL after an error. */
struct canvas *film_frames_draw(const struct performance *p, const char *path, struct diag *d);

/* What is asked in a frame of a performance: "direction 90°, speed 1.2 m/s". In the arena. */
char *film_asked_text(const struct performance *p, double frame, struct arena *arena);

#endif
