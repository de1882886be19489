/* Transitions that take the time an animal would take: solved as asked for and, where that is haste (natural.h), again,
 * a cycle longer, then two. For `muybridge transition` and for the jobs of a search. */
#ifndef MUYBRIDGE_UNHURRIED_H
#define MUYBRIDGE_UNHURRIED_H

#include "spacetime/natural.h"
#include "spacetime/spacetime.h"

#define UNHURRIED_CYCLES 2       /* longer at most                                                    */

/* What a caller asks of a solved transition beyond what the solver does, its verification for one: 0 refuses it. It is
 * called after each attempt, also for one that found nothing: clip is NULL then, and the report says why. Clip and
 * report live in the arena of the transition. */
struct unhurried_check {
  int (*accepts)(void *user, struct clip *clip, struct spacetime_report *report);
  void *user;
};

/* As spacetime_transition(), but where the result is haste it is solved again, by up to `cycles` cycles longer than
 * asked for (than the first one, if the request gave no number of frames), until an animal would choose it. Ends with
 * the first attempt that finds nothing or is refused. All attempts share the time of the options.
 *
 * The clip with the least excess, the first of equals; NULL if the first attempt failed. *judged is about that clip,
 * and is not touched if there is none. *report is about that clip too, or about the attempt that failed; its solves
 * and seconds are those of all attempts that were accepted. `check` may be NULL. */
struct clip *unhurried_transition(struct arena *arena, const struct transition_request *r, int cycles,
                                  const struct spacetime_options *o, const struct unhurried_check *check,
                                  struct spacetime_report *report, struct natural_report *judged);

#endif
