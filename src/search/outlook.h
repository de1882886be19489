/* Private to src/search. The outlook of a candidate: what the controller would cost with it, before anything is solved.
 *
 * Its frames are imagined: direction, torso and speed go over smoothly, the gait changes in the middle, and its effort
 * is a guess. Then it is a segment like any other. */
#ifndef MUYBRIDGE_OUTLOOK_H
#define MUYBRIDGE_OUTLOOK_H

#include "search/scene.h"

struct outlook_way {            /* a segment that is not there yet                                                */
  int from, to;                 /* nodes; the graph's number of nodes stands for that of a new cycle, and one more for its mirror's */
  int length;
  double turn;
  struct frame_features *features; /* against the heading at its start                             (length)      */
};

#define OUTLOOK_MOST_WAYS 10     /* around a cycle, two ways into it and two out of it; and the mirror image        */

struct outlook {
  int n_ways, n_new_nodes;
  struct outlook_way *ways;     /* in the arena                                                     (n_ways)      */
};

/* What a candidate would add, with its mirror image where it has one. 0 if it does not fit the scene.
 *
 * A cycle with one way to it and one back is hardly ever worth its while: what it is good for shows when there are
 * more. With `settled` it has two each, one that keeps the heading and one that keeps the direction of travel. */
int outlook_of(struct arena *arena, const struct scene *s, const struct candidate *x, int settled,
               struct outlook *out);

/* What all outlooks of a scene have in common: operators of the segments that are there, on the task's grid and on one
 * of every second or third point (coarse.h), and values there. For scene->base. */
struct outlook_base;
const struct outlook_base *outlook_prepare(struct arena *arena, const struct scene *s);

enum outlook_grid { OUTLOOK_FINE, OUTLOOK_COARSE };

/* What it would lower the cost of a frame by: the whole policy is found anew, from the values that there are. On the
 * coarse grid the cost is off, but so is that of the graph as it is, and what counts is the difference. */
double outlook_gain(struct arena *scratch, const struct scene *s, const struct outlook *o, enum outlook_grid grid);

/* Where way i would be chosen, as often as one is there now: the distribution of what is asked then, of sum 1, to
 * mass (the task's grid). Returns the share of all choices that it is; 0: it would never be chosen, and mass is all
 * 0. */
double outlook_demand(struct arena *scratch, const struct scene *s, const struct outlook *o, int i, double *mass);

#endif
