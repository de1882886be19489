/* What a compact policy sees of a creature, whatever its shape, and which of its joints it moves.
 *
 * Features (Liu 2016, section 4, for any number of feet), in a frame that stands below the root and looks where it
 * looks: tilt of the root (pitch, roll), its height, the centre of mass and its velocity, the vector from it to every
 * foot, angular momentum about it; and three that the paper does not have, against drift: error of heading and of place
 * over the ground, cut to what feedback may be trusted with. Lengths in L, speeds in sqrt(gL), angular momentum in m L
 * sqrt(gL).
 *
 * Actions are offsets of the servos of joints that carry weight: those of limbs that end in a foot, and those that a
 * large part of the body's mass hangs on (a waist). */
#ifndef MUYBRIDGE_CONTROL_FEATURES_H
#define MUYBRIDGE_CONTROL_FEATURES_H

#include "base/arena.h"
#include "creature/creature.h"

struct features;

struct features *features_new(struct arena *arena, const struct creature *c);

int features_count(const struct features *f);

/* All but the last three, of a state (features_count()). */
void features_of_state(struct features *f, const double *q, const double *v, double *s);

/* The last three, from errors (follow/errors.h). */
void features_of_errors(struct features *f, const double *x, double *s);

/* The dofs that actions move, ascending. */
int features_actions(const struct features *f);
const int *features_action_dofs(const struct features *f);

/* What features and actions are called: "roll", "left_tip x"; in the arena. */
const char *features_name(const struct features *f, struct arena *arena, int i);

#endif
