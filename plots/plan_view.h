/* A clip from above: the way of the root, the prints of the feet, where it looks. */
#ifndef MUYBRIDGE_PLOTS_PLAN_VIEW_H
#define MUYBRIDGE_PLOTS_PLAN_VIEW_H

#include "plots/clip_view.h"

struct plan_view {
  int from, until;              /* frames shown, both included                                       */
  struct camera camera;         /* camera_above() some heading                                       */
  struct rect extent;           /* by plan_view_extent: u, v [m]                                     */
  double step;                  /* from thread to thread of the grid [m]; 0: chosen                  */
  int bodies;                   /* how many of them are shown, pale, from the first frame to the last */
};

/* Fills the extent. */
void plan_view_measure(struct clip_view *v, struct plan_view *p);

/* From thread to thread of its grid [m]. */
double plan_view_step(const struct plan_view *p, double scale);

void plan_view_draw(struct clip_view *v, const struct plan_view *p, struct rect area, struct to_scale map);

#endif
