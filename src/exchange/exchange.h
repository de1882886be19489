/* Creatures in the formats of other programs.
 *
 * Writers take a stream and never close it; they return 0, or 1 when the stream could not be written. */
#ifndef MUYBRIDGE_EXCHANGE_H
#define MUYBRIDGE_EXCHANGE_H

#include <stdio.h>

#include "creature/creature.h"

/* A MuJoCo model (MJCF) of the creature above a ground plane: SI units, radians, masses and moments of inertia as in
 * our own dynamics to the last digit that text can hold.
 *
 * One MuJoCo body for each limb; a limb with a fixed joint becomes part of the body that carries it. Joints have our
 * dofs' names, axes and angles, the root's three slides and three hinges included, so that qpos, qvel and qfrc are
 * our q, v and tau: in depth-first order of the tree, which is the order of MuJoCo (dofs go by name where ours
 * differs). Each axis has a motor of its name with the torque limit. Contact points are sites, and small spheres that
 * alone touch the ground; the shapes of limbs are there to be seen. The keyframe "rest" is the rest pose. */
int exchange_write_mjcf(const struct creature *c, FILE *out);

#endif
