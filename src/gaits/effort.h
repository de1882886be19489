/* Effort: what a motion costs the body that does it, the one judge of gaits. The optimizer's total cost is none: it
 * also has terms of posture, accelerations and forces that make motion pleasant, and they shift the ranking.
 *
 * Muscles pay, tendons do not: torques are those of the joints less what passive tissue gives (dynamics/tissue.h).
 * With time in sqrt(l/g), torques in m g l and power in m g sqrt(g l), all without dimension, l the mean length of the
 * legs (the standing height would count the torques of a cockroach six times):
 *   torque    = mean over time of the sum over joints of torque^2
 *   work      = mean over time of the sum over joints of max(0, torque x rate)
 *   fall      = how fast the variance of errors grows between steps (balance.h)
 *   burst     = how hurried the legs push (burst.h)
 *   rate      = torque + effort_prices.work x work + effort_prices.balance x fall + effort_prices.burst x burst
 *   transport = (rate + effort_prices.living) / speed, speed in sqrt(g l): the cost per distance
 * doc/gaits.md says what the prices were set on, and what they explain. */
#ifndef MUYBRIDGE_GAITS_EFFORT_H
#define MUYBRIDGE_GAITS_EFFORT_H

#include "base/arena.h"
#include "motion/clip.h"

/* The same for all creatures. */
struct effort_prices {
  double work;                   /* of positive work                                                          */
  double balance;                /* of falling between steps                                                  */
  double burst;                  /* of force that must rise and fall soon                                     */
  double living;                 /* what a body spends by just living                                         */
};
void effort_defaults(struct effort_prices *p);

struct effort {
  double torque, work, fall, burst;
  double rate;                   /* per time                                                                  */
  double transport;              /* per distance; INFINITY at speed 0                                         */
};

/* Of a cyclic clip. */
void effort_of_clip(struct arena *arena, const struct creature *c, const struct clip *clip,
                    const struct effort_prices *prices, struct effort *out);

#endif
