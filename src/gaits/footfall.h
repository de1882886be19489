/* Footfalls: when each leg comes down and how long it stays, and what gait of the creature that
 * is. */
#ifndef MUYBRIDGE_GAITS_FOOTFALL_H
#define MUYBRIDGE_GAITS_FOOTFALL_H

#include "gaits/legs.h"

struct footfall {
  double period;                 /* [s]                                                                        */
  double touch[LEGS_MOST];       /* phase at which the leg comes down, as fractions of the cycle  (legs.n)     */
  double duty[LEGS_MOST];        /* how long it stays down, likewise                              (legs.n)     */
  double toe_down, heel_off;     /* of legs that roll: when the toe comes down and the heel leaves, as shares of the
                                    stance; heel_off 0: the heel stays in the air                              */
};

/* Phases and duties to four digits, as they are written into a file. */
#define FOOTFALL_DIGITS 4

/* A gait of this name, for one speed. Its arrays are in the arena. */
struct gait footfall_gait(struct arena *arena, const struct creature *c, const struct legs *legs,
                          const struct footfall *f, const char *name, double speed);

/* Its period and speeds rounded to four digits, speeds outwards. */
void footfall_tidy(struct gait *g);

/* The creature with these gaits and no other. */
const struct creature *footfall_creature(struct arena *arena, const struct creature *c, const struct gait *gaits,
                                         int n_gaits);

/* How far the leg that travels farthest does so while it stands, at a speed, over its length. */
double footfall_reach(const struct legs *legs, const struct footfall *f, double speed);

#endif
