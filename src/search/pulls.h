/* Private to src/search. Pulls: what the user will ask of a clip while it is played, for the task term of its objective
 * (equation 6).
 *
 * A clip that is not there yet is imagined in the graph. Where it would be chosen, and how often one is there, says
 * what is asked at its start; the user's chain says what will be asked further on. doc/search.md, "Equation 6". */
#ifndef MUYBRIDGE_PULLS_H
#define MUYBRIDGE_PULLS_H

#include "search/outlook.h"
#include "spacetime/spacetime.h"

#define PULLS 9                 /* along a clip                                                                       */

/* For a transition; out has room for PULLS. Returns how many there are: PULLS, or 0 if it would never be chosen or the
 * task asks for nothing that pulls. The scene must have a base and say what clips take. */
int pulls_of(struct arena *scratch, const struct scene *s, const struct candidate *x, struct task_pull *out);

/* The same for a clip that is there: asked[p] is what is asked of parameter p at its start, a distribution, which is
 * lost; f is what its frames do (length), against the heading at its start. */
void pulls_along(struct arena *scratch, const struct scene *s, double *const *asked, const struct frame_features *f,
                 int length, double turn, struct task_pull *out);

#endif
