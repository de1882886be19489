/* Is a transition one that an animal would choose? Physics allows much more: a turn by half a circle within a step, its
 * head at its knees and then reared up, at ten times the cost of walking. What is measured is how far a transition goes
 * beyond the cycles that it joins. */
#ifndef MUYBRIDGE_NATURAL_H
#define MUYBRIDGE_NATURAL_H

#include <stddef.h>

#include "motion/verify.h"

enum natural_measure {
  NATURAL_COST,          /* cost of transport, over that of the costlier cycle                                    */
  NATURAL_SINKING,       /* how far the root goes below the lower of the lowest of both [share of that height]    */
  NATURAL_TILT,          /* pitch or roll of the root beyond the largest of both [rad]                            */
  NATURAL_BOW,           /* trunk, neck or head leaning, to any side, beyond what they do in both: the worst [rad] */
  NATURAL_FLING,         /* a joint of trunk or arms beyond what it, or its mirror image, does: the worst [rad]     */
  N_NATURAL_MEASURES
};

struct natural_report {
  struct verify_line lines[N_NATURAL_MEASURES];
  int passed;            /* all of them                                                                           */
  double excess;         /* value over bar of the worst line                                                      */
};

/* `from` and `to`: the clips that it joins. Names in the report are the creature's. */
void natural_judge(struct arena *arena, const struct creature *c, const struct clip *clip, const struct clip *from,
                   const struct clip *to, struct natural_report *out);

/* Why not, in words: the first of its lines that did not pass, of up to n bytes; "" if all did. */
void natural_explain(const struct natural_report *report, char *out, size_t n);

#endif
