/* What a track came to: costs of samples over time (Liu 2010, figure 5), the simulated motion against its reference,
 * and the ground's forces of both. */
#ifndef MUYBRIDGE_PLOTS_SAMPLES_FIGURE_H
#define MUYBRIDGE_PLOTS_SAMPLES_FIGURE_H

#include "plots/kit.h"
#include "samcon/track.h"

/* title as in "biped: clip 1, walk". Without samples (pd, lqr) that part is left out. 1 when the file is there, 0
 * after an error. */
int plot_samples(const char *title, const struct recording *t, const char *path, struct diag *d);
struct canvas *samples_draw(const char *title, const struct recording *t, const char *path, struct diag *d);

/* Only some parts of it. */
enum {
  SAMPLES_COSTS = 1,            /* of samples, saved ones and the path over time: figure 5 of Liu 2010 */
  SAMPLES_TREE = 2,             /* which saved one came from which: figure 4                           */
  SAMPLES_STRIPS = 4,           /* simulated and reference, pose by pose                               */
  SAMPLES_FORCES = 8            /* of the ground                                                       */
};
struct canvas *samples_draw_parts(const char *title, const struct recording *t, unsigned which, const char *path,
                                  struct diag *d);

#endif
