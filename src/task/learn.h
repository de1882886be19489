/* A task's user model of what people really asked: how often they change their minds, by how much, and to what.
 *
 * For `muybridge task --learn`. Wampler 2013, section 3.1: the model of the user "can also be easily learned from
 * examples of real user behavior". doc/task-format.md, "Learned from people", has the mathematics. */
#ifndef MUYBRIDGE_TASK_LEARN_H
#define MUYBRIDGE_TASK_LEARN_H

#include <stdio.h>

#include "task/log.h"
#include "task/task.h"

struct task_learn_options {     /* by task_learn_defaults()                                                         */
  double settle;                /* changes that follow each other within this are one: a slider that is drawn, a key
                                   that is held. 0.1 s: pointers and keys repeat at 30 and more a second [s]        */
};
void task_learn_defaults(struct task_learn_options *o);

/* Of a parameter: what was learned, and standard errors. Where a law was not learned the task's own stays. */
struct task_learned_parameter {
  int known;                    /* 0: no log has it, all is the task's own                                          */
  double seconds;               /* in which it could change                                                         */
  int n_changes;                /* that were seen                                                                   */
  double jumps, drifts;         /* how many of these were jumps and drifts, in the mean; together n_changes         */
  double jump_every, jump_every_error;   /* [s]                                                                     */
  double drift_every, drift_every_error; /* [s]; 0: it has no drift                                                 */
  double drift, drift_error;    /* standard deviation of a step, as theta: rad, m/s                                 */
  int n_weights;                /* 0: the law of jumps is the task's own                                            */
  const double *weights, *weights_error; /* sum 1                                                  (n_weights)      */
};

struct task_learned {
  const struct task_file *base;
  const struct task *task;
  int n_logs;
  const struct task_log *const *logs;
  double seconds;               /* of all logs                                                                      */
  const struct task_learned_parameter *parameters; /* as those of the task                         (n_parameters)   */
};

/* Learns from logs (at least one) of a task and its creature: `task` is `base`, bound. NULL after errors in d, at lines
 * of the logs: a log of another task or creature, a parameter that the task has not, a value that is none. All that is
 * given must outlive it. */
const struct task_learned *task_learn(struct arena *arena, const struct task_file *base, const struct task *task,
                                      int n_logs, const struct task_log *const *logs,
                                      const struct task_learn_options *o, struct diag *d);

/* The task file: the base's with what was learned, and comments that say from what. 0, or 1 when the stream could not
 * be written; `learned` is a struct task_learned, as writers of whole files take it. */
int task_learned_write(const void *learned, FILE *out);

/* The name of a task, before it is bound. */
const char *task_file_name(const struct task_file *t);

#endif
