/* Window models, from simulations of the windows themselves with small random errors and offsets. */
#ifndef MUYBRIDGE_FEEDBACK_IDENTIFY_H
#define MUYBRIDGE_FEEDBACK_IDENTIFY_H

#include "follow/batches.h"
#include "feedback/feedback.h"

struct identify_options {
  int samples;                  /* a window; 0: so many times as many as a row of the model has unknowns:     */
  int oversampling;
  double place, velocity, control; /* sizes of errors and offsets, without units (follow/errors.h), [rad]         */
  double ridge;
  uint64_t seed;
  struct identify_cache *cache; /* may be NULL                                                                    */
  int surrogate;                /* 1: in the surrogate simulator, in windows in which the root is upright */
  const unsigned char *left_out; /* 1: no model is made of this one, NULL is in its place; may be NULL (n_models)  */
  double wild;                  /* a sample with an error beyond this, without units, is a fall: it is left out   */
};

/* Models kept from one reference to the next, of the same creature, world and options: windows that both have are
 * identified once. */
struct identify_cache {
  struct arena *arena;          /* where they live                        */
  int n, room;
  struct reference_key *keys;
  const struct window_model **models;
};

void identify_defaults(struct identify_options *o);

/* The models of a reference, in the arena (n_models). NULL after an error. */
const struct window_model *const *identify_windows(struct arena *arena, struct batches *batches,
                                                   const struct reference *r,
                                                   const struct identify_options *o, struct diag *d);

#endif
