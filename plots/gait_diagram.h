/* A gait diagram in the manner of Hildebrand: a row per contact point, a bar while it stands on the ground. */
#ifndef MUYBRIDGE_PLOTS_GAIT_DIAGRAM_H
#define MUYBRIDGE_PLOTS_GAIT_DIAGRAM_H

#include "creature/creature.h"
#include "plots/kit.h"

#define GAIT_ROWS_MAX 40 /* contact points past these are only counted */

struct gait_diagram {
  const struct creature *creature;
  int gait;
  struct xy at;        /* upper left corner [points] */
  double width;
  struct theme theme;
};
double gait_diagram_height(const struct gait_diagram *g);
void gait_diagram_draw(struct canvas *cv, const struct gait_diagram *g);

/* Intervals of a cycle as bars within 0..1 (x: from, y: until); one that passes the end of the cycle becomes two.
 * bars has room for 2 n. Returns how many. */
int gait_bars(int n, const struct interval *on, struct xy *bars);

#endif
