/* Figures of control graphs: a push and what came of it; robustness over iterations of learning; the graph coloured by
 * gain and variance; the phase portrait of a cycle. doc/control.md. */
#ifndef MUYBRIDGE_PLOTS_CONTROL_FIGURES_H
#define MUYBRIDGE_PLOTS_CONTROL_FIGURES_H

#include "control/controls.h"
#include "control/scene.h"
#include "plots/kit.h"
#include "store/controls.h"

struct control_figures {        /* what a figure is not made from may be NULL or 0 */
  const struct control_graph *graph;
  const struct controls *controls;
  const struct scene *scene;    /* with a push                                     */
  int n_pushes, n_balls;
  const struct disturb_push *pushes;
  int n_kept;
  const struct store_control *kept; /* all of the run file, in their order          */
};

/* The newest control graph of the run file (of a skill, if that is what was learned), all rows of what was learned, and
 * 20 s of its first cycle with four pushes. NULL after an error. */
const struct control_figures *control_figures_load(struct arena *arena, const char *run, struct diag *d);

/* Poses from before the largest push until it walks again, and values and tilt over time. NULL after an error. */
struct canvas *push_strip_draw(const struct control_figures *f, const char *path, struct diag *d);
int plot_push_strip(const struct control_figures *f, const char *path, struct diag *d);

/* Mean time to the fall, success and residual variance over iterations, teacher by teacher (figure 6 of Liu 2016). */
struct canvas *control_iterations_draw(const struct control_figures *f, const char *path, struct diag *d);

/* Every fragment of every clip, coloured by the size of its gain and the variance that its policy leaves (figure
 * 10). */
struct canvas *control_map_draw(const struct control_figures *f, const char *path, struct diag *d);

/* Pitch and roll over their rates, and height over its rate: the scene's path around the cycle's. */
struct canvas *phase_portrait_draw(const struct control_figures *f, const char *path, struct diag *d);

#endif
