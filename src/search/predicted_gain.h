/* Private to src/search. The predicted gain of a candidate: by how much the cost of a frame would fall with it, before
 * anything is solved.
 *
 * Its frames are imagined: features change smoothly from one end to the other (features_between()), the gait changes in
 * the middle, and its effort is an estimate. Then it is a segment like any other, and the whole policy is solved
 * again. */
#ifndef MUYBRIDGE_PREDICTED_GAIN_H
#define MUYBRIDGE_PREDICTED_GAIN_H

#include "search/scene.h"

struct imagined_segment {        /* of a clip that is not solved yet                                               */
  int from, to; /* nodes; the graph's number of nodes stands for a new cycle's, one more for its mirror's */
  int length;
  double turn;
  struct frame_features *features; /* against the heading at its start                             (length)      */
};

#define IMAGINED_SEGMENTS_MOST 10 /* around a cycle, two ways into it and two out of it; and the mirror image      */

struct imagined {
  int n_ways, n_new_nodes;
  struct imagined_segment *ways; /* in the arena                                                    (n_ways)      */
};

/* What a candidate would add, with its mirror image if it has one. 0 if it does not fit the scene.
 *
 * A cycle with one way in and one way out is rarely worth its price: what it is good for shows when there are more.
 * With `settled` it has two each, one that keeps the heading and one that keeps the direction of travel. */
int predicted_gain_imagine(struct arena *arena, const struct scene *s, const struct candidate *x, int settled,
                           struct imagined *out);

/* What all predictions of a scene share: operators of the existing segments, on the task's grid and on one of every
 * second or third point (coarse.h), and values there. For scene->base. */
struct predicted_gain_base;
const struct predicted_gain_base *predicted_gain_prepare(struct arena *arena, const struct scene *s);

enum predicted_gain_grid { PREDICTED_GAIN_FINE, PREDICTED_GAIN_COARSE };

/* By how much the cost of a frame would fall: the whole policy is solved again, starting from the present values. On
 * the coarse grid both costs are off by about the same, and their difference counts. */
double predicted_gain(struct arena *scratch, const struct scene *s, const struct imagined *o,
                      enum predicted_gain_grid grid);

/* Where way i would be chosen, weighted by how often the controller is there now: the distribution of what is asked
 * then, of sum 1, to mass (the task's grid). Returns its share of all choices; 0: it would never be chosen, and mass is
 * all 0. */
double predicted_gain_demand(struct arena *scratch, const struct scene *s, const struct imagined *o, int i,
                             double *mass);

#endif
