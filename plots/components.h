/* Principal components of a motion and their frequencies: do the large movements swing slowly, the small ones fast?
 * That is why modal-space control plans slow modes only (figure 1 of Jain and Liu 2011; doc/modal.md). */
#ifndef MUYBRIDGE_PLOTS_COMPONENTS_H
#define MUYBRIDGE_PLOTS_COMPONENTS_H

#include "creature/creature.h"
#include "motion/clip.h"
#include "plots/kit.h"

struct components {
  int n, n_frames;              /* as many components as joint axes                                     */
  int cyclic;
  double dt;
  double *share;                /* of all variance, descending                         (n)              */
  double *y;                    /* angle along each, its mean taken off [rad]          (n x n_frames)   */
};

/* In the arena; NULL after numbers that are none. A creature without joints has none: n is 0. */
struct components *components_new(struct arena *arena, const struct creature *c, const struct clip *clip);

/* Amplitudes [rad] of component k at h / (n_frames dt), h from 0 to n_frames / 2. Of a cycle these are its harmonics;
 * what is no cycle is faded in and out first. */
void components_spectrum(const struct components *p, int k, double *amplitude);

/* Mean of the frequencies of such a spectrum, by their powers [Hz]; 0 if nothing moves. */
double components_frequency(const struct components *p, const double *amplitude);

/* The first three and the last three components, over time and by frequency. */
struct canvas *components_draw(const struct creature *c, const struct clip *clip, const char *path, struct diag *d);

#endif
