/* Learning a control graph: from the clips of a run file to a policy for each of its fragments, kept in the run file.
 *
 * A teacher learns in one go (lqr) or in iterations (guided, ahead). Every iteration is kept as soon as it is there;
 * learning that was stopped goes on after the last one, if seed, skill and settings are the same. An iteration whose
 * policies stand less than the best so far is kept as what was tried, and learning goes on from the best. A new teacher
 * is one row of the table in learning.c. doc/control.md. */
#ifndef MUYBRIDGE_CONTROL_LEARNING_H
#define MUYBRIDGE_CONTROL_LEARNING_H

#include "control/controls.h"
#include "control/guided.h"
#include "control/lookahead_distillation.h"
#include "control/trials.h"
#include "store/controls.h"

enum learning_stage {
  LEARNING_MODELS,              /* models of clip `done` of `n` have been identified           */
  LEARNING_WALKS,               /* walk `done` of `n` of an iteration                          */
  LEARNING_ITERATION            /* iteration `done` of `n` is learned, measured and kept       */
};

struct learning_progress {
  enum learning_stage stage;
  int done, n;
  /* of LEARNING_ITERATION */
  double seconds;               /* of processors, of this iteration                            */
  const struct store_control *kept; /* what the run file has of it, without its bytes          */
};

struct learning_options {
  const char *teacher;          /* "lqr", "guided" or "ahead": learning_is_teacher()                                 */
  const char *skill;            /* a cyclic clip to stay on; NULL: the whole graph                                   */
  int compact;                  /* 1: policies of the paper's form; 0: full ones; -1: as the teacher has it          */
  int iterations;               /* 0: the teacher's default                                                          */
  int measure;                  /* trials of growing pushes after each iteration; -1: the teacher's default          */
  int as_kept;                  /* 1: what the run file has of this teacher and skill suffices, whatever its settings */
  int again;                    /* 1: learn anew what is there already                                               */
  int keep;                     /* 1: write to the run file                                                          */
  uint64_t seed;
  int workers;                  /* control/jobs.h                                                                    */
  struct guided_options guided; /* seed, workers and progress of these two are set from those here                   */
  struct lookahead_options lookahead;
  struct store_session session; /* who writes, for the record                                                        */
  int (*progress)(void *user, const struct learning_progress *p); /* 0: stop; may be NULL                            */
  void *user;
};

/* The teacher lqr, one worker; settings of the others await learning_settle(). */
void learning_defaults(struct learning_options *o);

/* Settings of the teachers as they are for this creature, and what was left to the teacher. */
void learning_settle(const struct creature *c, struct learning_options *o);

int learning_is_teacher(const char *name);

struct learning {               /* lives in the arena of learning_open()                                             */
  const char *run;
  const struct creature *creature;
  const struct motion_graph *motion;
  const struct control_graph *graph;
  struct controls *controls;    /* by learning_run()                                                                 */
  struct store_control kept;    /* by learning_run(); without its bytes                                              */
};

/* The graph of a run file. 0 after an error. */
int learning_open(struct arena *arena, const char *run, const char *skill, struct learning *l, struct diag *d);

/* Policies from the run file if they are there, else learned and kept. */
enum learning_status { LEARNING_DONE, LEARNING_FAILED, LEARNING_WRONG_INPUT, LEARNING_STOPPED };
enum learning_status learning_run(struct arena *arena, struct learning *l, const struct learning_options *o,
                                  struct diag *d);

/* The settings of a row of the run file, in words: "seed 1, 200 visits, skill walk". */
const char *learning_words(struct arena *arena, const struct store_control *kept);

#endif
