/* A controller: a motion graph and a task become a decision process, and that a policy with a cost.
 *
 * A frame costs  alpha log(counted effort / effort of the first cyclic clip)  +  sum of the task's costs for what it
 * does (counted effort: features.h). All that follows, the values, where the time is spent and what it costs, is exact
 * on the grid of the task: doc/values.md.
 *
 * What a game needs of it is a file of bytes, controller_bytes(), that the player of src/player plays. */
#ifndef MUYBRIDGE_CONTROLLER_H
#define MUYBRIDGE_CONTROLLER_H

#include "base/diag.h"
#include "motion/graph.h"
#include "policy/decision.h"
#include "policy/influence.h"
#include "policy/values.h"
#include "player/muybridge-player.h"
#include "task/task.h"

struct controller {             /* lives in the arena of controller_solve(); read-only                                */
  const struct motion_graph *graph;
  const struct task *task;
  double effort;                /* of the first cyclic clip: the unit of effort                                       */
  const struct decision_process *process; /* segment e of the process is segment e of the graph, and so are nodes     */
  const struct values *values;  /* V and choice: (n_nodes x grid), the last parameter of the task running fastest     */
  const struct influence *influence;
  const float *q;               /* what choosing a segment costs, against the average        (n_segments x grid)      */
  size_t grid;                  /* points of the task's grid                                                          */
  size_t memory;                /* bytes that values and influence took at most                                       */
  double cost, lower, upper;    /* of a frame, the mean over all that will be asked, and its bounds                   */
  double body_cost;             /* the part of the cost that is the body's                                            */
  double *task_cost;            /* those of the parameters, weighted; together the influence's cost (n_parameters)    */
  double *segment_share;        /* of the time that is spent in each segment, sum 1             (n_segments)          */
  double *clip_share;           /* of the time that is spent showing each clip, sum 1         (graph's n_clips)       */
};

struct controller_options {     /* by controller_defaults(); whoever has earlier values starts from them              */
  struct values_options values;
  struct influence_options influence;
};
void controller_defaults(struct controller_options *o);

/* The decision process of a graph whose creature the task is bound to: costs of segments, chains. */
const struct decision_process *controller_process(struct arena *arena, const struct motion_graph *g,
                                                  const struct task *t);

/* NULL after an error in d: the clips have another frame rate than the task, or the grid needs too much memory, which
 * is said in words with the grid that would fit. Values that are not as near as asked are a warning. Graph and task
 * must outlive the controller. options may be NULL. */
struct controller *controller_solve(struct arena *arena, const struct motion_graph *g, const struct task *t,
                                    const struct controller_options *options, struct diag *d);

/* The same from clips, such as all those of a run file. */
struct controller *controller_new(struct arena *arena, const struct graph_input *in, const struct task *t,
                                  const struct controller_options *options, struct diag *d);

/* What a frame costs beside the task: alpha log(counted effort / unit of effort). */
double controller_body_cost(const struct task *t, double counted_effort, double unit);

/* "36 x 36". */
struct text_phrase controller_grid_text(const struct task *t);

/* ---- the player's side ---- */

/* The player's file, in the arena. Clips that the graph leaves out are not in it; nodes, segments and parameters have
 * the same numbers as here. NULL after an error. */
const void *controller_bytes(struct arena *arena, const struct controller *c, size_t *length, struct diag *d);

/* 1 if a player's controller can be of this task and creature; else 0 and an error in d. */
int controller_fits(const struct muy_player_controller *p, const struct task *t, const char *file, struct diag *d);

/* A theta of the task as what muy_player_set() takes: a category goes by its place in the task's list. */
double controller_asked(const struct task_parameter *p, double theta);

/* The player's features as a task sees them. */
struct frame_features controller_features(struct muy_player_features f);

/* The unit of effort of a player's clips: that of the first cyclic one. */
double controller_effort(const struct muy_player_controller *p, const struct creature *c);

#endif
