/* Private to src/search. The coverage set: small steps that a controller should answer wherever it is.
 *
 * Clips are chosen by how much they lower the cost of a frame, one at a time. A clip that answers a small step of what
 * is asked, from a cycle that is seldom used, lowers it by almost nothing and would never be chosen. But a creature
 * that is asked to go 30 degrees further to the left should do so from anywhere. So a part of all attempts goes to such
 * steps, beginning with the cycles where most time is spent. The kinds of parameters say which steps these are
 * (task_steps()):
 *   the direction by 30 degrees while the torso stays, and the other way round; where only one of the two is asked for,
 *   a turn by 30 degrees;  another gait;  the next cycle that is faster or slower, lower or taller, and the ends of
 *   what may be asked.
 * If the cycle that a step ends at does not exist, it is proposed first. */
#ifndef MUYBRIDGE_COVERAGE_H
#define MUYBRIDGE_COVERAGE_H

#include "search/choose.h"

/* Whether a candidate answers a small step that nothing in the scene's graph answers yet. Cycles do not. */
int coverage_lacks(struct arena *scratch, const struct scene *s, const struct candidate *x);

/* Candidates for missing steps, at most `most`, from the most used cycles first; returns how many. A step that has
 * failed settings.coverage_tries times, a cycle twice as often, is not tried again. */
int coverage_propose(struct arena *scratch, const struct choose_input *in, struct rng *r, struct candidate *out,
                     int most);

#endif
