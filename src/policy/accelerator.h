/* Private to src/policy. Anderson acceleration of a fixed-point iteration, with a way back. For values.c and
 * influence.c; doc/values.md.
 *
 * The caller evaluates a point: its image, the residual (zero at the fixed point) and a merit that should fall. The
 * accelerator proposes the next point from the last images so that a linear model of the residual is least. It keeps
 * the best image; when the best merit has not fallen for a while it says so, and the caller takes steps from there that
 * are known to converge, then starts again. */
#ifndef MUYBRIDGE_ACCELERATOR_H
#define MUYBRIDGE_ACCELERATOR_H

#include <stddef.h>

#include "base/arena.h"
#include "policy/decision.h"

struct accelerator {
  size_t n;                                 /* numbers of an image                                             */
  size_t n_samples, stride;                 /* of a residual, and how far apart they are                       */
  int depth, used, newest;                  /* steps to look back, images there are, where the last one is     */
  int since_best;
  double best;                              /* least merit so far ...                                          */
  double *best_image;                       /* ... and where: one of those below                           (n) */
  double *image[DECISION_HISTORY + 1], *spare;
  double *sample[DECISION_HISTORY + 1];     /* of the residual of each image                       (n_samples) */
  double *step[DECISION_HISTORY];           /* differences of samples                              (n_samples) */
};

/* depth at most DECISION_HISTORY; 0 follows the images. */
void accelerator_init(struct accelerator *a, struct arena *arena, size_t n, size_t n_residual, int depth);

/* Forgets the past. */
void accelerator_restart(struct accelerator *a);

/* 1, and the next point (n), which must be none of the others; or 0 when there was no progress: see best_image. */
int accelerator_next(struct accelerator *a, const double *image, const double *residual, double merit, double *next);

#endif
