/* Compact policies from full ones: what the full policies do on random walks over the graph, with noise on their
 * actions and kicks now and then, is explained by the compact features, by ridge regression (Liu 2016, equations 14 to
 * 19). Fragments that are mirror images of each other learn from each other's samples. */
#ifndef MUYBRIDGE_CONTROL_DISTILL_H
#define MUYBRIDGE_CONTROL_DISTILL_H

#include <stdint.h>

#include "control/controls.h"

/* State and action at the start of a fragment: (n x n_features), (n x n_actions). */
struct fragment_samples { int n, room; double *s, *a; };

struct training_set {
  int n_fragments, n_features, n_actions;
  struct fragment_samples *of;            /* (n_fragments) */
};
struct training_set *training_set_new(struct arena *arena, const struct controls *c);
void training_set_free(struct training_set *l);
void training_set_add(struct training_set *l, int fragment, const double *s, const double *a);

/* Rows of numbers as workers send them: fragment, s, a. 0: these bytes are no such rows. */
int training_set_read(struct training_set *l, const void *bytes, size_t n);

/* Fits the compact policies of all fragments with more samples than features; mirror: learn from mirror images too.
 * Returns the mean variance of actions that is not explained, relative to that of the actions. */
double training_set_fit(struct training_set *l, struct controls *c, double ridge, int mirror);

/* Open-loop controls: the mean of a fragment's actions, no feedback, and variance as given. */
void training_set_average(struct training_set *l, struct controls *c, double variance, int mirror);

struct distill_options {
  int samples;                  /* of a fragment, at least                              */
  double noise;                 /* on actions [rad]                                     */
  double kick;                  /* on velocities of the root, now and then [sqrt(g L)]  */
  double ridge;
  uint64_t seed;
  int kick_every;               /* a kick comes about once in so many fragments         */
};
void distill_defaults(struct distill_options *o);

/* Adds compact policies to controls that have full ones. The share of variance that they do not explain; NaN after an
 * error. */
double distill(struct arena *arena, struct controls *c, const struct distill_options *o, struct diag *d);

#endif
