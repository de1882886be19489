/* A stage for tests of the search: clips that are really solved, of the zoo's biped, and scenes of them. */
#ifndef MUYBRIDGE_TEST_STAGE_H
#define MUYBRIDGE_TEST_STAGE_H

#include "search/pool.h"
#include "search/scene.h"

#define STAGE_BIPED    0         /* of the zoo                                                      */
#define STAGE_BRANCHES 8

/* Task files. */
extern const char stage_direction[], stage_torso[], stage_speed[];

struct stage {
  struct arena *arena;
  const struct creature *c;
  int n_clips; /* ids are 1, 2, ... */
  struct graph_clip clips[16];
};

/* What a worker makes of a candidate, as a find; the program ends if nothing: then there is nothing to test. */
struct find stage_solve(struct stage *g, const struct candidate *x);

/* Makes the solved clips of a find part of the stage, as the run file would: with ids, in order. */
void stage_give_ids(struct stage *g, struct find *f);

const struct task *stage_task_of(const struct stage *g, const char *text);

/* Of the first n clips of the stage, with its base. */
struct scene *stage_scene_of(const struct stage *g, int n, const char *task);

#endif
