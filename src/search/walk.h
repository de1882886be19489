/* Private to src/search. Walks through the clips of a library, frame by frame. Private to search/initial.c.
 *
 * A clip leads on to its next frame; a transition that is left there leads into itself; from the last frames of a
 * transition the way goes on in the clip where it arrives. Backwards likewise. */
#ifndef MUYBRIDGE_SEARCH_WALK_H
#define MUYBRIDGE_SEARCH_WALK_H

#include "motion/cloud.h"

struct spot {
  int clip, frame;              /* index into the list; of a cyclic clip any frame    */
  struct clip_advance place;    /* of that clip's own frame, in the walk's            */
};

struct walk_list { int n; struct spot **spots; int *lengths; };

struct walk_limits { int max_walks, max_branches; };

/* Walks of n_frames frames that begin at a frame (direction 1), or that end with a frame and the next (-1); those with
 * fewer transitions first. spots[i] has n_frames spots, in the order of time. */
struct walk_list walk_paths(struct arena *arena, const struct clip_list *clips, int clip, int frame, int n_frames,
                            int direction, const struct walk_limits *limits);

/* Ways around: once or several times through a cyclic clip, or along transitions, each no more than once, of at most
 * max_frames frames. lengths[i] frames, and spots[i] has one more: the first, a cycle later. */
struct walk_list walk_cycles(struct arena *arena, const struct clip_list *clips, int max_frames,
                             const struct walk_limits *limits);

#endif
