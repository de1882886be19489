/* Passive tissue: the law of tendons, ligaments, stops, springs and dampers (struct tissue), the only place where it
 * stands. Whoever needs torques of muscles, the optimizer, engines, feed-forward, figures, asks here.
 *
 * doc/equations.md, "Passive tissue", has the numbered equations. */
#ifndef MUYBRIDGE_TISSUE_H
#define MUYBRIDGE_TISSUE_H

#include "creature/creature.h"

/* How far it is stretched beyond slack, and how fast: s [rad], s' [rad/s]. */
double tissue_stretch(const struct tissue *t, const double *q);
double tissue_rate(const struct tissue *t, const double *v);

/* The pull T(s, s') and its derivatives; d2T/ds'2 is zero. SI units. */
struct tissue_pull {
  double pull;                  /* T [N m]              */
  double by_stretch, by_rate;   /* dT/ds, dT/ds'; by_rate is >= 0, by_stretch of springs alone too */
  double by_stretch2;           /* d2T/ds2              */
  double by_stretch_rate;       /* d2T/ds ds'           */
};
void tissue_pull(const struct tissue *t, double stretch, double rate, struct tissue_pull *out);

/* Elastic energy that it holds at that stretch [J]. */
double tissue_energy(const struct tissue *t, double stretch);

/* The spring and damper of one axis, as `stiffness` and `damping` of the file describe it; NULL if it has none. */
const struct tissue *tissue_of_axis(const struct creature *c, int dof);

/* From the torques that the joints need, those that muscles must give: less what all tissue gives at q, v (n_dofs). */
void tissue_subtract(const struct creature *c, const double *q, const double *v, double *torque);

#endif
