/* Private to src/search. Task gradients: what the user will ask of a clip while it is played, for the task term of its
 * objective (equation 6).
 *
 * A clip that is not solved yet is imagined in the graph. Where it would be chosen, and how often the controller is
 * there, gives what is asked at its start; the user's Markov chain gives what will be asked further on. Around the
 * cheapest value the expected cost of each parameter is fitted by a parabola: its gradient is what the optimizer sees.
 * doc/search.md, "Equation 6". */
#ifndef MUYBRIDGE_TASK_GRADIENTS_H
#define MUYBRIDGE_TASK_GRADIENTS_H

#include "search/predicted_gain.h"
#include "spacetime/spacetime.h"

#define TASK_GRADIENTS 9        /* along a clip                                                                       */

/* For a transition; out has room for TASK_GRADIENTS. Returns how many there are: TASK_GRADIENTS, or 0 if it would never
 * be chosen or no parameter has a gradient. The scene must have a base and estimate efforts. */
int task_gradients_of(struct arena *scratch, const struct scene *s, const struct candidate *x,
                      struct task_gradient *out);

/* The same for an existing clip: asked[p] is the distribution of parameter p at its start, and is overwritten; f are
 * the features of its frames (length), against the heading at its start. */
void task_gradients_along(struct arena *scratch, const struct scene *s, double *const *asked,
                          const struct frame_features *f, int length, double turn, struct task_gradient *out);

#endif
