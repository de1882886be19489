/* Private to src/search. Finds: what attempts have solved and is not in the graph yet. Each is weighed by what the
 * controller would cost with it, exactly, mirror image included. */
#ifndef MUYBRIDGE_POOL_H
#define MUYBRIDGE_POOL_H

#include "search/scene.h"

#define FIND_CLIPS 6             /* a cycle, the ways into it and out of it, and their mirror images               */

struct find_clip {
  int id;                        /* in the run file; 0: a mirror image that is not kept yet                        */
  const struct clip *clip;       /* ends that name other clips of the find by their stand-in ids, see find_mirror() */
  int from, to;                  /* earlier clips of the find that its ends refer to, or -1                        */
};

struct find {
  struct candidate candidate;
  int n_clips, n_solved;         /* the first n_solved were solved, the others are mirror images                   */
  struct find_clip clips[FIND_CLIPS];
  double log_effort;             /* mean over its solved clips, over the first clip's                              */
  int in_graph;
};

/* Adds mirror images to a find, where the scene has mirrors of all that it refers to. Mirror images have stand-in ids
 * from first_id on. */
void find_mirror(struct arena *arena, const struct scene *s, struct find *f, int first_id);

/* The cost of a frame with some finds: exact, to a part in ten thousand. INFINITY if it cannot be, for reasons in d. */
double find_cost(struct arena *scratch, const struct scene *s, struct find *const *finds, int n, struct diag *d);

#endif
