/* The synthesis loop: builds a controller clip by clip, unattended. This is the entry of the room `search`.
 *
 * The first clip is a gait. Then, in each step, candidates are proposed (scene.h, coverage.h), ranked by what they
 * would gain (predicted_gain.h, surrogate.h, choose.h), solved and verified by workers (job.h), and the solved
 * candidates (solved.h) that lower the cost of the graph most are added with their mirror images (additions.h).
 * Everything is in the run file as soon as it has happened, and each step depends only on the file and the seed: a
 * killed synthesis continues as if nothing had happened, and the number of workers changes nothing but the time.
 *
 * The room may call farm, store, policy, task, spacetime and below. It knows no kind of parameter by name: kinds say
 * what to propose (task/task.h). doc/search.md explains the method. */
#ifndef MUYBRIDGE_SYNTH_H
#define MUYBRIDGE_SYNTH_H

#include <stdint.h>

#include "farm/farm.h"
#include "search/choose.h"
#include "store/store.h"

struct synth_progress {
  int iteration, n_clips;
  double cost, first_cost;       /* of the graph now, and of the first one                                         */
  int solved, failed;            /* attempts so far                                                                */
  double seconds;                /* since the start of this session                                                */
  const char *words;             /* what is happening                                                              */
};

struct synth_options {           /* by synth_defaults()                                                            */
  enum choose_strategy strategy;
  uint64_t seed;
  int branches;                  /* of a cycle, even                                                               */
  int proposals, solves;         /* candidates weighed, and solved, in an iteration                                */
  int task_gradients;               /* 1: transitions are shaped by how they will be used (equation 6)                */
  double job_seconds;            /* of processor time that an attempt may take                                     */
  int clips;                     /* ends with this many in the graph; 0: no limit                                  */
  double target;                 /* ends at this cost; -INFINITY: never                                            */
  double least_gain;             /* ends when steps in a row gain less than this share of the cost                 */
  double budget;                 /* ends after this many seconds of this session; INFINITY: never                  */
  int workers;
  enum farm_kind farm;
  double (*clock)(void);         /* seconds; results do not depend on it but for the budget                        */
  int (*progress)(void *user, const struct synth_progress *p); /* 0: stop as soon as nothing gets lost; may be NULL */
  void *user;
};
void synth_defaults(struct synth_options *o);

/* What defines a synthesis, as text for the run file, and back: strategy, branches, proposals, solves, gradients,
 * job_seconds, and where it ends: clips, target. */
const char *synth_options_text(struct arena *arena, const struct synth_options *o);
int synth_options_read(const char *text, struct synth_options *o);

/* Is there no synthesis in this run file yet? 0, and an error, if there is. */
int synth_may_begin(struct arena *arena, struct store *store, const char *run, struct diag *d);

/* Says in the run file what is to be synthesized for a task of its creature. 0 after an error: there is a synthesis. */
int synth_begin(struct arena *arena, struct store *store, const char *run, const struct task *t, const char *task_path,
                const struct synth_options *o, struct diag *d);

/* What the run file says about its synthesis comes back into the options. 1: done; 0: there is none; -1 after an
 * error. */
int synth_recall(struct arena *arena, struct store *store, const char *run, struct synth_options *o, struct diag *d);

/* How it stands, in words, for those who look at the file later. */
void synth_keep_state(struct arena *arena, struct store *store, const struct synth_options *o, const char *state);

enum synth_end { SYNTH_CLIPS, SYNTH_TARGET, SYNTH_GAIN, SYNTH_BUDGET, SYNTH_STOPPED, SYNTH_FAILED };
const char *synth_end_text(enum synth_end end);

/* Continues the synthesis of the run file (described by store_put_synth()) to an end. The controller is stored there.
 * SYNTH_FAILED after errors. */
enum synth_end synth_run(struct store *store, const struct synth_options *o, struct diag *d);

#endif
