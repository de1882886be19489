/* Private to src/search. The net: small steps that a controller should answer wherever it is.
 *
 * Clips are chosen by what they lower the cost of a frame by, one at a time. What answers a small step of what is
 * asked, from a cycle where one seldom is, lowers it by next to nothing, and so is never chosen; but a creature that is
 * told to go 30 degrees more to the left and does not is not one that does what it is told. So a part of all attempts
 * goes to such steps, beginning with the cycles where most time is spent:
 *   the direction by 30 degrees while the torso stays, and the other way round; where only one of the two is asked for,
 *   a turn by 30 degrees;  another gait;  the next cycle that is faster or slower, and the ends of what may be asked.
 * If the cycle that a step ends at is not there, it comes first. */
#ifndef MUYBRIDGE_NET_H
#define MUYBRIDGE_NET_H

#include "search/choose.h"

/* Whether a candidate answers a small step that nothing in the scene's graph answers yet. Cycles do not. */
int net_lacks(struct arena *scratch, const struct scene *s, const struct candidate *x);

/* Candidates for what is missing, at most so many, those where most time is spent first; returns how many. What has
 * failed NET_TRIES times, cycles twice as often, is let be. */
int net_propose(struct arena *scratch, const struct choose_input *in, struct rng *r, struct candidate *out, int most);
#define NET_TRIES 3

#endif
