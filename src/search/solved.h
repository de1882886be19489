/* Private to src/search. Solved candidates that are not in the graph yet. Each is evaluated exactly: the cost of the
 * controller with it, mirror image included. */
#ifndef MUYBRIDGE_SOLVED_H
#define MUYBRIDGE_SOLVED_H

#include "search/scene.h"

#define SOLVED_CLIPS 6           /* a cycle, the transitions into it and out of it, and their mirror images         */

struct solved_clip {
  int id;                        /* in the run file; 0: a mirror image that is not stored yet                      */
  const struct clip *clip;       /* ends that name other clips of this candidate by temporary ids, solved_mirror() */
  int from, to;                  /* earlier clips of this candidate that its ends refer to, or -1                  */
};

struct solved_candidate {
  struct candidate candidate;
  int n_clips, n_solved;         /* the first n_solved were solved, the others are mirror images                   */
  struct solved_clip clips[SOLVED_CLIPS];
  double log_effort;             /* mean over its solved clips of log(counted effort / effort of the first clip)   */
  int in_graph;
};

/* Adds mirror images, where the creature is symmetric and the scene has mirrors of all clips that it refers to. Mirror
 * images have temporary ids from first_id on. */
void solved_mirror(struct arena *arena, const struct scene *s, struct solved_candidate *f, int first_id);

/* The cost of a frame with some solved candidates, exact to a part in ten thousand. INFINITY if it cannot be computed,
 * for reasons in d. */
double solved_cost(struct arena *scratch, const struct scene *s, struct solved_candidate *const *solved_candidates,
                   int n, struct diag *d);

#endif
