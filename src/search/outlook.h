/* The outlook of a candidate: what the controller would cost with it, before anything is solved.
 *
 * Its frames are imagined: direction, torso and speed go over smoothly, the gait changes in the middle, and its effort is a guess. Then it is a segment like any other. */
#ifndef MUYBRIDGE_OUTLOOK_H
#define MUYBRIDGE_OUTLOOK_H

#include "search/scene.h"

struct outlook_way {            /* a segment that is not there yet                                                */
  int from, to;                 /* nodes; the graph's number of nodes stands for that of a new cycle, and one more for its mirror's */
  int length;
  double turn;
  struct frame_features *features; /* against the heading at its start                             (length)      */
};

struct outlook {
  int n_ways, n_new_nodes;
  struct outlook_way ways[8];
};

/* What a candidate would add, with its mirror image where it has one. 0 if it does not fit the scene. */
int outlook_of(struct arena *arena, const struct scene *s, const struct candidate *x, struct outlook *out);

/* What it would lower the cost of a frame by, at first sight: as often as a choice comes to its node now, what it costs
 * less than what is chosen now. Exact where the new way leads to where one would have been anyway; too much for turns,
 * up to as many times as one now comes by before something else is asked, since whoever has turned need not turn
 * again; 0 for ways to new nodes. Costs one product. */
double outlook_gain(struct arena *scratch, const struct scene *s, const struct outlook *o);

/* The cost of a frame with it: the whole policy is found anew, from the values that there are. */
double outlook_cost(struct arena *scratch, const struct scene *s, const struct outlook *o);

#endif
