/* Private to src/physics. Passive tissue in a step of any engine: its law (dynamics/tissue.h) in units of the creature,
 * made linear, so that the pull at the end of the step can be solved for together with everything else. */
#ifndef MUYBRIDGE_PASSIVE_H
#define MUYBRIDGE_PASSIVE_H

#include "dynamics/tissue.h"
#include "physics/room.h"

struct passive {
  int n;
  struct tissue *law;           /* in units                                                  (n) */
  double *pull, *gain;          /* T at the end of the step is pull + gain s' there; gain >= 0;
                                 * by passive_linearise()                                    (n) */
};

void passive_open(struct world *w);            /* sets w->passive; NULL: the creature has no tissue */

/* At w->q and the speeds v (n_dofs), before a step. Only q and v matter: it is no state. */
void passive_linearise(struct world *w, const double *v);

#endif
