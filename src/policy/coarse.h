/* A coarser process to start from: every second or third point of the finer parameters. For values.c; doc/values.md.
 *
 * The operators of whole segments are thinned out, not the chains: interpolating once a segment blurs less than once a
 * frame. What comes of it is only a start, so that it need not be right for parameters whose neighbours have nothing
 * to do with each other. */
#ifndef MUYBRIDGE_COARSE_H
#define MUYBRIDGE_COARSE_H

#include "policy/decision.h"

/* NULL when all grids are coarse already. The process that belongs to them has no chains. */
struct decision_operators *coarse_operators(struct arena *arena, const struct decision_operators *fine);

/* Values of one node from the coarse grid to the fine one, linear between points. scratch: two fine tensors. */
void coarse_refine(const struct decision_process *coarse, const struct decision_process *fine, const double *from,
                   double *to, double *const scratch[2]);

#endif
