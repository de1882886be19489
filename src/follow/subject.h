/* What is to be tracked: a clip of a run file in its surroundings, or a path through the graph of its clips. */
#ifndef MUYBRIDGE_FOLLOW_SUBJECT_H
#define MUYBRIDGE_FOLLOW_SUBJECT_H

#include <stdint.h>

#include "motion/graph.h"
#include "follow/reference.h"

/* A clip as a reference. A cyclic one goes on for so many cycles. A transition begins half a cycle before it leaves
 * and ends a cycle after it has arrived, so that it must be entered and left in stride; through other transitions
 * where it begins or ends in such. which: index into the clips. NULL after an error. */
struct reference *subject_clip(struct arena *arena, const struct graph_input *in, int which, int cycles,
                               const struct reference_options *o,
                               struct diag *d);

/* A random path with so many transitions, from the first node of the graph, and a cycle of the clip in which it
 * ends. names: which clips, in words, for people; in the arena. NULL after an error. */
struct subject_path { int transitions; uint64_t seed; };
struct reference *subject_path(struct arena *arena, const struct graph_input *in, const struct subject_path *path,
                               const struct reference_options *o, const char **names, struct diag *d);

/* Pieces of segments one after the other, the first standing at the origin. In the arena; *n of them. */
struct reference_piece *subject_pieces_of_path(struct arena *arena, const struct motion_graph *g, int n_segments,
                                               const int *segments, int *n);

#endif
