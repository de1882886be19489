/* How alike two frames of motion are, wherever on the ground they happen.
 *
 * After Kovar, Gleicher and Pighin 2002: a frame stands for a cloud of points, the ends of the limbs' centre lines,
 * weighted by the limbs' masses, over a short window of time around it; the distance of two frames is that of their
 * clouds after the motion over the ground that brings them nearest to each other (closed form). It is the root of the
 * weighted mean of squared distances, in standing heights: zero for the same motion elsewhere, symmetric, and it keeps
 * the triangle inequality.
 *
 * All pairs of frames of a growing set of clips are kept; a new clip costs only its own rows. */
#ifndef MUYBRIDGE_DISTANCE_H
#define MUYBRIDGE_DISTANCE_H

#include "motion/clip.h"

struct distance_matrix;

struct distance_matrix *distance_new(struct arena *arena, const struct creature *c);

/* Adds a clip, which must live on, by its id in the run file; returns its index: 0, 1, 2 ... A window at an end of a
 * transition looks into the clips that it comes from and goes to if they were added before; else the last pose stays
 * on its way at the speed that it has. */
int distance_add(struct distance_matrix *m, int id, const struct clip *clip);

/* Between frame i of clip a and frame j of clip b [standing heights]; of a cyclic clip any frame. */
double distance_between(const struct distance_matrix *m, int a, int i, int b, int j);

#endif
