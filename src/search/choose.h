/* Private to src/search. Which candidates to solve next: the strategies. */
#ifndef MUYBRIDGE_CHOOSE_H
#define MUYBRIDGE_CHOOSE_H

#include "search/solved.h"
#include "search/scene.h"

enum choose_strategy {
  CHOOSE_GUIDED,                 /* ours: many candidates weighed by the whole policy, efforts learned, a few solved  */
  CHOOSE_PAPER,                  /* that of Wampler 2013, mended: guided samples, initial motions, interpolated costs */
  CHOOSE_UNIFORM                 /* spread as evenly as can be over what could be asked, whatever it costs            */
};
extern const char *const choose_names[]; /* "guided", "paper", "uniform", NULL */

/* What was tried so far, solved or not. */
struct trial {
  struct candidate candidate;
  int solved;
  double log_effort;             /* over the first clip's, if solved                                                  */
};

struct choose_input {
  const struct scene *s;
  enum choose_strategy strategy;
  int proposals;                 /* to look at                                                                        */
  int solves;                    /* to choose                                                                         */
  struct rng rng;                /* of this iteration                                                                 */
  int n_trials;
  const struct trial *trials;
};

struct choice {
  struct candidate candidate;
  double gain;                   /* what it is thought to lower the cost of a frame by                                */
  double chance;                 /* and the chance that it can be solved                                              */
  int small_step;                /* it was chosen for the coverage set, whatever it gains: coverage.h                 */
};

/* At most in->solves of them; returns how many. As long as a stand, or a turn on the spot, is missing that the task
 * needs, those alone (stand.h). Else those for small steps come first, then the best first. *looked: how many were
 * weighed. */
int choose_candidates(struct arena *scratch, const struct choose_input *in, struct choice *out, int *looked);

#endif
