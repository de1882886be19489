/* Where on the control graph a creature is, and what comes next, fragment by fragment. A plain struct: copy it to look
 * ahead. */
#ifndef MUYBRIDGE_CONTROL_PATH_H
#define MUYBRIDGE_CONTROL_PATH_H

#include "base/rng.h"
#include "control/graph.h"

struct control_path {
  int fragment;
  int segment;                  /* of the motion graph that was chosen last                     */
  struct clip_advance place;    /* of the fragment's clip's own frame in the world              */
  /* Against what errors at the fragment's start are: the end of the fragment before it. Where a transition arrives that
   * is the same pose as the start, but not quite the same speeds: these depend on the frame before. */
  int ref_strip, ref_frame;
  struct clip_advance ref_place;
};

/* Which segment to choose at a node; heading: of the path there, in the world. */
typedef int path_choice(void *user, int node, double heading);

/* The segment whose strip was chosen least, a random one among equals, and counts it: all clips are to be seen about
 * equally often. chosen: times that each strip was. */
int path_choose_least(const struct control_graph *g, int node, int *chosen, struct rng *r);

/* At the start of a fragment whose root stands above x, y, the path heading so. A choice that is made there is not
 * asked for. */
void path_start(const struct control_graph *g, int fragment, double x, double y, double heading,
                struct control_path *p);

/* The next fragment. At a node choose() says which segment follows; NULL: the clip goes on. */
void path_next(const struct control_graph *g, struct control_path *p, path_choice *choose, void *user);

/* The path, which is at a node, takes one of the segments that leave it. */
void path_take(const struct control_graph *g, struct control_path *p, int segment);

/* Errors of a state at the start of the path's fragment (follow/errors.h). */
void path_errors(const struct control_graph *g, const struct control_path *p, const double *q, const double *v,
                 double *x);

/* Heading of the path at the start of its fragment. */
double path_heading(const struct control_graph *g, const struct control_path *p);

/* Moves the path over the ground: the root's place at the start of its fragment by dx, dy, and all of it turned about
 * that by turn. */
void path_shift(const struct control_graph *g, struct control_path *p, double dx, double dy, double turn);

#endif
