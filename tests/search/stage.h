/* A stage for tests of the search: clips that are really solved, of the zoo's biped, and scenes of them. */
#ifndef MUYBRIDGE_TEST_STAGE_H
#define MUYBRIDGE_TEST_STAGE_H

#include "search/solved.h"
#include "search/scene.h"

#define STAGE_BIPED    0         /* of the zoo                                                      */
#define STAGE_BRANCHES 8

/* Task files. */
extern const char stage_direction[], stage_torso[], stage_speed[];

struct stage {
  struct arena *arena;
  const struct creature *c;
  const char *more;              /* text at the end of the biped's file; NULL: none                 */
  int n_clips; /* ids are 1, 2, ... */
  struct graph_clip clips[16];
};

/* The biped with what `more` says. */
const struct creature *stage_creature(const struct stage *g);

/* A candidate solved by a worker; the program ends if it cannot be: then there is nothing to test. */
struct solved_candidate stage_solve(struct stage *g, const struct candidate *x);

/* Makes the solved clips of a candidate part of the stage, as the run file would: with ids, in order. */
void stage_give_ids(struct stage *g, struct solved_candidate *f);

const struct task *stage_task_of(const struct stage *g, const char *text);

/* Of the first n clips of the stage, with its base. */
struct scene *stage_scene_of(const struct stage *g, int n, const char *task);

#endif
