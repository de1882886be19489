/* Solved clips of the biped that make a small graph: it walks, turns out of the walk to either side, begins to run,
 * slows down, and leaves and enters a turn halfway. For tests. */
#ifndef MUYBRIDGE_TESTS_BIPED_CLIPS_H
#define MUYBRIDGE_TESTS_BIPED_CLIPS_H

#include "motion/graph.h"

enum { WALK, LEFT, RIGHT, LATE_LEFT, LATE_RIGHT, RUN, FASTER, SLOWER, SECOND_THOUGHT, JOINER, N_CLIPS };

struct biped_clips {
  struct arena *arena;               /* of all of it; arena_free() frees it               */
  const struct creature *c;
  int shift;                         /* of the walk in the mirror [frames]                */
  struct clip *made[N_CLIPS];        /* RIGHT and LATE_RIGHT are mirror images            */
  struct graph_clip clips[N_CLIPS];  /* the same with ids                                 */
};

/* Solves the first n of them, which takes three seconds for all. Ends the program when one cannot be solved. */
struct biped_clips biped_clips_new(int n);

/* Ids are 11, 12, ... */
int biped_clip_id(int i);

#endif
