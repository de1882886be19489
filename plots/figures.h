/* All kinds of figures by name: what `muybridge plot --list` shows and `muybridge plot KIND` draws. */
#ifndef MUYBRIDGE_PLOTS_FIGURES_H
#define MUYBRIDGE_PLOTS_FIGURES_H

#include "creature/creature.h"
#include "motion/clip.h"
#include "plots/control_figures.h"
#include "plots/cost_steps.h"
#include "plots/kit.h"
#include "plots/transport.h"
#include "policy/controller.h"
#include "policy/performance.h"
#include "policy/response.h"
#include "plots/torque_squares.h"
#include "spacetime/spacetime.h"
#include "samcon/track.h"

/* What a figure is made from; others may be NULL or 0. */
enum figures_need {
  FIGURES_CREATURE = 1,
  FIGURES_CLIP = 2,             /* and its creature                                      */
  FIGURES_REPORT = 4,           /* of a solve                                            */
  FIGURES_POINTS = 8,           /* costs of clips at several speeds                      */
  FIGURES_CONTROLLER = 16,
  FIGURES_RESPONSES = 32,       /* of a controller                                       */
  FIGURES_STEPS = 64,           /* of a synthesis                                        */
  FIGURES_PLAY = 128,           /* a performance of a controller                         */
  FIGURES_CLIPS = 256,          /* all of a run, or one, and their creature              */
  FIGURES_TRACK = 1 << 12,      /* what a creature did in a simulated world              */
  FIGURES_SAMPLES = 1 << 13,    /* such a track, found by sampling                       */
  FIGURES_TRACKS = 1 << 14,     /* all tracks of a run                                   */
  FIGURES_CONTROL = 1 << 15,    /* a control graph, what was learned, and a scene        */
  FIGURES_ITERATIONS = 1 << 16, /* of learning: by a teacher that has some               */
  FIGURES_MODAL = 1 << 17       /* a motion under modal control                          */
};

struct figures_input {
  const struct creature *creature;
  const struct clip *clip;
  const struct spacetime_report *report;
  int n_points;
  const struct transport_point *points;
  const struct controller *controller;
  const struct response_table *responses;
  int n_clips;
  const struct clip *const *clips;
  const struct cost_steps *steps, *baseline; /* of a synthesis, and of one to compare with */
  const struct performance *play;
  const struct recording *track;
  const char *track_title;      /* "biped: clip 1, walk"                                 */
  const struct torque_squares *squares; /* of all tracks                                 */
  const struct control_figures *control;
  const struct modal_run *modal; /* and how it came about                                */
  const struct modal_run_options *modal_options;
  const char *modal_title;      /* "clip 1, walk"                                        */
};

struct figures_kind {
  const char *name;             /* "filmstrip"                                           */
  const char *what;             /* in one line                                           */
  unsigned needs;               /* of enum figures_need                                  */
};

int figures_count(void);
const struct figures_kind *figures_kind(int i);

/* NULL if there is none of that name. */
const struct figures_kind *figures_find(const char *name);

/* "a clip and its creature". */
const char *figures_needs_text(unsigned needs);

/* Draws a kind of figure. 1 when the file is there, 0 after an error: no such kind, or something that it needs is
 * missing, or path is no picture's. */
int figures_draw(const char *kind, const struct figures_input *in, const char *path, struct diag *d);

/* The same, drawn but not yet written: the caller finishes or discards the canvas. NULL after an error. */
struct canvas *figures_canvas(const char *kind, const struct figures_input *in, const char *path, struct diag *d);

#endif
