/* Private to src/physics. Two ways to write the root's rotation, so that engines in reduced coordinates never meet
 * gimbal lock (doc/physics.md, "Two charts").
 *
 *   chart 0:  R = Rz(yaw) Ry(pitch) Rx(roll)    singular where the root's x axis is vertical
 *   chart 1:  R = Rz(a) Ry(b) Rz(c)             singular where its z axis is vertical
 *
 * Both cannot be vertical at once. Only the last axis of the root's joint differs: bodies, shapes and all other dofs
 * are the same in both. w->q[3..5] and w->v[3..5] are those of the present chart, w->head->chart; the outside is shown
 * chart 0 only, from w->head->angles and chart_rates() while chart 1 is in use. */
#ifndef MUYBRIDGE_PHYSICS_CHART_H
#define MUYBRIDGE_PHYSICS_CHART_H

#include "dynamics/dynamics.h"
#include "physics/room.h"

struct chart {
  struct chain chain;           /* of the root's turns                                                     */
  struct dynamics *dynamics;    /* dimensionless, with q and v of this chart                               */
};

/* Makes both; bodies are there. */
void chart_open(struct world *w, struct chart charts[2]);

/* After each change of w->q, w->v or w->head: goes over to the other chart if this one is near its singularity, and
 * sets the root body's chain. Changes nothing if called again. Returns the chart's dynamics. */
struct dynamics *chart_choose(struct world *w, const struct chart charts[2]);

/* Rates of yaw, pitch and roll in units (3), whatever the chart. At gimbal lock they are large, but finite. */
void chart_rates(const struct world *w, const struct chart charts[2], double *rates);

#endif
