/* Private to src/spacetime. From a problem to a solution, or to an explanation. */
#ifndef MUYBRIDGE_SPACETIME_SOLVE_H
#define MUYBRIDGE_SPACETIME_SOLVE_H

#include "motion/verify.h"
#include "spacetime/problem.h"
#include "spacetime/spacetime.h"

/* How many times farther apart frames are than those of a creature that is as quick as its size lets it be; 1 unless
 * that does harm. Prices in sqrt(L / g) let forces change at will between such frames, where nothing balances then. */
double solve_stretch(const struct creature *c, double dt);

/* Prices changes of forces and of the motion as if time went so much faster. */
void solve_price_by_frames(const struct problem_input *in, double stretch);

/* What all problems have in common: formulation, rest pose, bounds of the options, friction. Contacts are the caller's
 * to fill in. c is a body (body.h), h dimensionless. */
struct problem_input solve_input(struct arena *arena, const struct creature *c, int n_frames, double h,
                                 const struct spacetime_options *o);

/* How the motion is to look (creature/style.h), once the rest of `in` is as solve_input() made it. s may be NULL. */
void solve_set_style(struct arena *arena, struct problem_input *in, const struct style *s);

/* The ground, level until then, and how the root lies on it: upright in gravity where all feet are below it, along the
 * ground where they are apart by a leg length or more, in between in proportion. Slopes along and across it each for
 * themselves. */
void solve_set_ground(struct arena *arena, struct problem_input *in, const struct surface *ground);

/* Postures that a request asks for, as part of the problem. */
void solve_set_targets(struct arena *arena, struct problem_input *in, const struct posture_target *targets, int n);

/* Solves, and solves again with the rows that the solution lacks (row_family.choose), until it lacks none. Fills in the
 * report; x is the start and the solution. Returns the problem that x belongs to (layouts of variables are the
 * same). near: x is near a solution. (rounds.c) */
struct problem *solve_with_rows_needed(struct arena *arena, struct problem *p, double *x, int near,
                                       const struct spacetime_options *o, struct spacetime_report *report);

/* The task term: solves again with the body's cost weighted by alpha over what it was on average, so that in the end
 * the logarithm of that average is what was minimised (equation 6 of the 2013 paper keeps its least-squares shape). The
 * paper takes the logarithm of each frame's cost; that weighs quiet frames so much that forces jump from frame to
 * frame, and no such clip passed the verifier. The controller, too, counts the logarithm of a clip's mean. p and x are
 * a solution without it. */
struct problem *solve_for_task(struct arena *arena, struct problem *p, double *x, const struct spacetime_task *task,
                               const struct spacetime_options *o, struct spacetime_report *report);

/* How far a clip is from the bars of the verifier, those between frames above all: 0 when it keeps them, else value
 * over bar of the worst. A hasty motion jerks. A transition is judged between its clips; else they are NULL. */
double solve_roughness(const struct creature *c, const struct clip *clip, const struct verify_neighbours *beside);

/* Reports a request that cannot be, before anything is solved. Always 0. */
int solve_refuse(struct spacetime_report *report, const char *reason);

#endif
