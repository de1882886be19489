/* Balance: how fast a gait falls over between its steps. Without dimension; a price on it is part of the effort
 * (effort.h), since errors must be caught again, by muscles and by attention. doc/gaits.md, "Balance". */
#ifndef MUYBRIDGE_GAITS_BALANCE_H
#define MUYBRIDGE_GAITS_BALANCE_H

#include "base/arena.h"
#include "motion/clip.h"

/* Of a cyclic clip. While the centre of mass is above the support polygon, errors do not grow. Else the body falls like
 * an inverted pendulum of length l on the force F that the ground gives: an error grows by exp(integral of r dt),
 * r^2 = F / (m l), which is 0 in flight. Where a leg comes down, a foot is placed that can catch it. With e_i that
 * integral from one touch-down to the next, and T the period in sqrt(l/g):
 *   fall = 1/T sum over i of (exp(2 e_i) - 1) / 2
 * which is how much the variance of errors grows per time. */
double balance_fall(struct arena *arena, const struct creature *c, const struct clip *clip, double length);

#endif
