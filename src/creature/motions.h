/* Private to src/creature. The gaits that are built in (creature.h): stand, step, back, side. */
#ifndef MUYBRIDGE_MOTIONS_H
#define MUYBRIDGE_MOTIONS_H

#include "creature/creature.h"

/* Adds them after the n_gaits gaits of the file, once all else of the creature is known; sets c->gaits, n_motions. */
void motions_build_in(struct arena *arena, struct creature *c);

#endif
