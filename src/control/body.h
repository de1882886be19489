/* A simulated creature that runs fragments: a world, and the targets of a control graph.
 *
 * States are the world's; errors are against a frame of a clip that stands somewhere on the ground. */
#ifndef MUYBRIDGE_CONTROL_BODY_H
#define MUYBRIDGE_CONTROL_BODY_H

#include "control/graph.h"
#include "physics/world.h"

struct control_body {
  const struct control_graph *graph;
  struct world *world;
  double *target;               /* scratch                                              (n_dofs)     */
  double *q, *v;                /* scratch                                              (2 n_dofs)   */
};

/* NULL after an error. options->step is the graph's, whatever it says. The world is freed by body_free(), before the
 * arena. */
struct control_body *body_new(struct arena *arena, const struct control_graph *g, const struct world_options *options,
                              struct diag *d);
void body_free(struct control_body *b); /* NULL is fine */

/* Another world for a body of the same joints (c), in the state of the one before, higher by `lift` [m]. 0 after an
 * error: then it is as before. */
int body_change_world(struct control_body *b, const struct creature *c, const struct world_options *options,
                      double lift, struct diag *d);

/* Runs a frame of a strip with servo offsets u (n_dofs - 6; NULL: none). 0: lost. */
int body_frame(struct control_body *b, int strip, int frame, const double *u);

/* One step of that frame, 0 .. graph->steps - 1. */
int body_step(struct control_body *b, int strip, int frame, int step, const double *u);

/* Frames from .. until - 1. 0: lost. */
int body_frames(struct control_body *b, int strip, int from, int until, const double *u);

/* x: how far the state q, v is off a frame of a strip that stands at `place` (2 n_dofs). */
void body_errors(const struct control_graph *g, int strip, int frame, struct clip_advance place, const double *q,
                 const double *v, double *x);

/* The same of the world's state; 0 if it is lost. */
int body_get_errors(struct control_body *b, int strip, int frame, struct clip_advance place, double *x);

/* Puts the creature into the state that is off that frame by x (NULL: exactly there). */
void body_set(struct control_body *b, int strip, int frame, struct clip_advance place, const double *x);

#endif
