/* Bursts: how hurried the legs of a gait must push. Without dimension; a price on it is part of the effort (effort.h).
 * Force that must rise and fall soon costs more than force that lasts, whatever work it does: runners of all sizes pay
 * for one over the time of contact (Kram and Taylor 1990), and muscles that push and pull in cycles pay for how fast
 * force rises, cycle by cycle (Doke and Kuo 2007): a leg that carries a share s of the weight in stances that last t
 * has a force of s T / t, which rises within t, every T: s / t^2. doc/gaits.md, "Bursts". */
#ifndef MUYBRIDGE_GAITS_BURST_H
#define MUYBRIDGE_GAITS_BURST_H

#include "base/arena.h"
#include "motion/clip.h"

/* Of a cyclic clip: the sum over all stances of legs of s / t^2, with t in sqrt(length / g), and s the vertical impulse
 * over that of the weight in a cycle: 1 in all. A leg that never leaves the ground has one stance as long as the
 * cycle. */
double burst_of_clip(struct arena *arena, const struct creature *c, const struct clip *clip, double length);

#endif
