/* Mirror images of the transitions of a run file: a creature that is the same on both sides gets every turn twice. */
#ifndef MUYBRIDGE_STORE_MIRROR_IMAGES_H
#define MUYBRIDGE_STORE_MIRROR_IMAGES_H

#include "motion/graph.h"
#include "store/store.h"

/* Adds to the run file the mirror image of each transition between cyclic clips that are their own mirror images, if it
 * is not there already, named NAME-mirror. Returns how many were added, -1 after an error. Of a creature that is not
 * symmetric none are added, and a warning says why. */
int store_add_mirror_images(struct arena *arena, struct store *s, const struct graph_input *in, struct diag *d);

#endif
