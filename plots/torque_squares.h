/* How hard joints work by different methods: the mean of the torques' squares, motion by motion (figure 7 of Xie and
 * Kry 2021). A motion that is followed with less noise needs less. */
#ifndef MUYBRIDGE_PLOTS_TORQUE_SQUARES_H
#define MUYBRIDGE_PLOTS_TORQUE_SQUARES_H

#include "plots/kit.h"

struct torque_bar {
  const char *motion, *method;
  double square;                /* [(m g L)^2]; not finite: unknown    */
  int success;                  /* 0: the motion was not followed      */
};

/* Bars of the same motion stand together, in their order. */
struct torque_squares { int n; struct torque_bar *bars; };

struct canvas *torque_squares_draw(const struct torque_squares *t, const char *path, struct diag *d);
int plot_torque_squares(const struct torque_squares *t, const char *path, struct diag *d);

#endif
