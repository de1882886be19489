/* Private to src/search. The stand, and what a creature does on the spot: for tasks that ask it to stop.
 *
 * Without a stand nothing else of such a task can be weighed, and one without turns on the spot faces one way for ever.
 * So both are solved before anything is weighed: a stand with a way into it and out of it, as a cycle is, then turns by
 * 45, 90, 135 and 180 degrees to where one stands. More ways to halt and to set off, other turns and all else come by
 * what they gain. */
#ifndef MUYBRIDGE_SEARCH_STAND_H
#define MUYBRIDGE_SEARCH_STAND_H

#include "search/choose.h"

/* What of it is missing and was not tried; returns how many, at most `most`. */
int stand_propose(struct arena *scratch, const struct choose_input *in, struct choice *out, int most);

/* Is it a turn of a creature that stands, by as much as this list has? Such turns are added as soon as they are
 * solved. */
int stand_asked(const struct scene *s, const struct candidate *x);

#endif
