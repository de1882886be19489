/* Compact policies from full ones: what the full policies do on random walks over the graph, with noise on their
 * actions and kicks now and then, is explained by the compact features, by ridge regression (Liu 2016, equations 14 to
 * 19). Fragments that are mirror images of each other learn from each other's samples. */
#ifndef MUYBRIDGE_CONTROL_DISTILL_H
#define MUYBRIDGE_CONTROL_DISTILL_H

#include <stdint.h>

#include "control/controls.h"

/* State and action at the begin of a fragment: (n x n_features), (n x n_actions). */
struct lesson { int n, room; double *s, *a; };

struct lessons {
  int n_fragments, n_features, n_actions;
  struct lesson *of;            /* (n_fragments) */
};
struct lessons *lessons_new(struct arena *arena, const struct controls *c);
void lessons_free(struct lessons *l);
void lessons_add(struct lessons *l, int fragment, const double *s, const double *a);

/* Rows of numbers as workers send them: fragment, s, a. 0: these bytes are no such rows. */
int lessons_read(struct lessons *l, const void *bytes, size_t n);

/* Fits the compact policies of all fragments with more samples than features; mirror: learn from mirror images too.
 * Returns the mean variance of actions that is not explained, relative to that of the actions. */
double lessons_fit(struct lessons *l, struct controls *c, double ridge, int mirror);

/* Open-loop controls: the mean of a fragment's actions, no feedback, and variance as given. */
void lessons_average(struct lessons *l, struct controls *c, double variance, int mirror);

struct distill_options {
  int samples;                  /* of a fragment, at least                              */
  double noise;                 /* on actions [rad]                                     */
  double kick;                  /* on velocities of the root, now and then [sqrt(g L)]  */
  double ridge;
  uint64_t seed;
};
void distill_defaults(struct distill_options *o);

/* Adds compact policies to controls that have full ones. The share of variance that they do not explain; NaN after an
 * error. */
double distill(struct arena *arena, struct controls *c, const struct distill_options *o, struct diag *d);

#endif
