/* Where the parts of a motion graph lie on a page: cyclic clips are rings, frames follow each other clockwise around
 * them, and transitions are curves from the frame that they leave to the frame where they arrive.
 *
 * Knows no canvas; lengths in points, y down. */
#ifndef MUYBRIDGE_PLOTS_GRAPH_LAYOUT_H
#define MUYBRIDGE_PLOTS_GRAPH_LAYOUT_H

#include "motion/graph.h"
#include "plots/kit.h"

struct graph_curve { struct xy p[4]; };   /* a cubic: its ends and what pulls it                      */

struct graph_layout {
  const struct motion_graph *graph;
  int n_rings;
  double radius;                /* of every ring                                                       */
  struct xy *centre;            /* of cyclic clips                                          (n_clips)  */
  double *rotation;             /* where their frame 0 is, clockwise from the top [rad]     (n_clips)  */
  int *drawn;                   /* 1: it is in use, and has a ring or a curve               (n_clips)  */
  struct graph_curve *curve;    /* of transitions                                           (n_clips)  */
};

/* Fits all that the graph uses into area, names above the rings included. Lives in the arena. */
struct graph_layout *graph_layout(struct arena *arena, const struct motion_graph *g, struct rect area);

/* A frame of a clip that is drawn. */
struct xy graph_layout_frame(const struct graph_layout *l, int clip, double frame);

/* Which way is out of the ring there; of a transition: to the left of the way it goes. */
struct xy graph_layout_out(const struct graph_layout *l, int clip, double frame);

struct xy graph_curve_at(const struct graph_curve *c, double t);      /* t from 0 to 1      */
struct xy graph_curve_tangent(const struct graph_curve *c, double t); /* of length 1        */

/* Index of a clip by its id, -1 if there is none. */
int graph_layout_find(const struct motion_graph *g, int id);

#endif
