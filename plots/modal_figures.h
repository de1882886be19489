/* Figures of modal-space control (doc/modal.md): modes, choices of modes, pushes, planned and used forces. */
#ifndef MUYBRIDGE_PLOTS_MODAL_FIGURES_H
#define MUYBRIDGE_PLOTS_MODAL_FIGURES_H

#include "modal/run.h"
#include "plots/kit.h"

/* Shapes of the modes of lowest frequency at the clip's first frame, drawn on the creature. modes_figure.c */
struct canvas *modes_figure_draw(const struct creature *c, const struct clip *clip, const char *path, struct diag *d);

/* A page that says that a creature without joints has no modes; returns the canvas. modes_figure.c */
struct canvas *modal_without(struct canvas *cv, const char *title);

/* How far it is off when other modes are planned over the window: figure 5 of the paper. modal_choice.c */
struct canvas *modal_choice_draw(const struct creature *c, const struct clip *clip, const char *path, struct diag *d);

/* A run: how far it was off over time, and forces of the ground, planned and used. modal_run_figure.c */
struct canvas *modal_run_draw(const char *title, const struct modal_run *r, const struct modal_run_options *o,
                              const char *path,
                              struct diag *d);
int plot_modal_run(const char *title, const struct modal_run *r, const struct modal_run_options *o, const char *path,
                   struct diag *d);

/* The same of the clip, pushed sideways a second after the start by a sixth of its weight, and not at all. */
struct canvas *modal_push_draw(const struct creature *c, const struct clip *clip, const char *path, struct diag *d);
struct canvas *modal_forces_draw(const struct creature *c, const struct clip *clip, const char *path, struct diag *d);

#endif
