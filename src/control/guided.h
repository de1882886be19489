/* Guided learning (Liu 2016, section 5), the policies' own samples as examples.
 *
 * An iteration does random walks over the graph by sampling (guided SAMCON): at every fragment actions are drawn around
 * what the present policy says and simulated with noise that is not recorded; the best of them are continued, and where
 * all fall, it is rolled back. Walks choose what was chosen least, so that all is met about equally often. States and
 * actions on the best path are then explained by ridge regression: that is the policy of the next iteration. Walks are
 * jobs of the farm, in the tree engine; an iteration depends on the policies before it, the seed and its number alone,
 * so that learning can stop after any of them and be continued. */
#ifndef MUYBRIDGE_CONTROL_GUIDED_H
#define MUYBRIDGE_CONTROL_GUIDED_H

#include "control/controls.h"
#include "control/jobs.h"
#include "physics/world.h"

struct guided_options {
  struct world_options world;
  int samples_first, samples;   /* N_s: at a fragment, in the first iteration and later                            */
  int saved;                    /* n_s: continued from                                                             */
  int visits;                   /* of each fragment in an iteration, mirror images together                        */
  int walks;                    /* jobs that share them                                                            */
  double spread;                /* sigma_0: of actions before anything is known [rad]                              */
  double noise;                 /* sigma_epsilon: that is not recorded [rad]                                       */
  double ridge;
  double memory;                /* share of the policies of the iteration before that is kept, after the first     */
  double value_weight;          /* of the other teacher's value in the cost; 0: as in the paper                    */
  int refine;                   /* 1: the first iteration only finds the open-loop controls, means of what SAMCON did */
  int cycles_first;             /* progressive: so many iterations stay on cycles; later ones only run these, and learn
                                   transitions                                                                     */
  uint64_t seed;
  int workers;                  /* control/jobs.h                                                                  */
  int (*progress)(void *user, int walk, int n); /* walks done; 0: stop; may be NULL */
  void *user;
  int roll_back;                /* fragments that are done again after all samples fell; the first three times fewer;
                                   so many before a fall are not learned from                                      */
  int most_rolls;               /* times that a walk is rolled back; then it ends there                            */
  double path_memory;           /* share of the cost of a sample's path that is added to its own                   */
  double effort;                /* w_a: weight of squared actions [1 / rad^2]                                      */
  double least_spread;          /* share of sigma_0 that deviations of actions never fall below, so that search goes
                                   on                                                                              */
};
void guided_defaults(const struct creature *c, struct guided_options *o);

struct guided_report {
  double residual;              /* share of the actions' variance that is not explained                            */
  double success;               /* share of fragments that were done at the first go                               */
  double cost;                  /* mean, of the best path                                                          */
  double seconds;               /* of processors                                                                   */
  long samples;                 /* fragments simulated                                                             */
  int least;                    /* samples of the fragment that has least                                          */
};

extern const struct control_jobs_kind guided_jobs; /* for ranks that serve */

/* One iteration, the first being 0: changes the compact policies of c, which it adds in the arena if there are none.
 * 0 after an error. */
int guided_iterate(struct arena *arena, struct controls *c, int iteration, const struct guided_options *o,
                   struct guided_report *out, struct diag *d);

#endif
