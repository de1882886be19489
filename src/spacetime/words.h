/* Private to src/spacetime. Words for what could not be met, by a look at the motion: is the leg straight, is a joint
 * at its stop, where is the centre of mass? All look at p->x, which is evaluated (level 1). */
#ifndef MUYBRIDGE_SPACETIME_WORDS_H
#define MUYBRIDGE_SPACETIME_WORDS_H

#include "spacetime/formulation.h"

/* Advice about what carries contact point i at frame k: a leg that is straight cannot put its foot farther away, a
 * joint is at the end of its range; else `usual`. */
void words_advise_leg(const struct problem *p, int k, int i, const char *usual, struct row_words *out);

/* Advice about the moments on the body at frame k: its centre of mass is not above the feet that stand there; else
 * `usual`. */
void words_advise_balance(const struct problem *p, int k, const char *usual, struct row_words *out);

/* Advice about the torque of joint axis i at frame k: its limit does not even hold the body in its rest pose, on the
 * feet that stand there; else `usual`. */
void words_advise_torque(const struct problem *p, int k, int i, const char *usual, struct row_words *out);

/* What a solve came to that found nothing: how it ended, which constraint was in the way, by how much and where, and
 * what to try. Sets report->reason; report->nlp is of that solve, x its last point. */
void words_explain(struct arena *arena, struct problem *p, const double *x, const struct spacetime_options *o,
                   struct spacetime_report *report);

#endif
