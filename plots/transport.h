/* Cost of transport over speed, for the gaits of one creature: where does it pay to change? */
#ifndef MUYBRIDGE_PLOTS_TRANSPORT_H
#define MUYBRIDGE_PLOTS_TRANSPORT_H

#include "plots/kit.h"

struct transport_point {
  const char *gait;
  double speed;                 /* [m/s]                                             */
  double cost_of_transport;     /* no dimension; not finite: no motion was found     */
  double cost;                  /* of the optimizer, in its own units                */
};

struct transport {
  const char *creature;         /* its name                                          */
  int n;
  const struct transport_point *points;
};

/* Points in any order; those of one gait are joined in order of speed. 1 when the file is there, 0 after an error:
 * there is no point with finite numbers. */
int plot_transport(const struct transport *t, const char *path, struct diag *d);
struct canvas *transport_draw(const struct transport *t, const char *path, struct diag *d);

/* Where the cheapest gait changes, as both curves tell: at most most, by speed. a and b are indices of points of the
 * slower and the faster gait. extended: in the gap between the speeds of both, by their last pieces drawn out. */
struct transport_crossing { double speed, cost_of_transport; int a, b, extended; };
int transport_crossings(const struct transport *t, int most, struct transport_crossing *out);

#endif
