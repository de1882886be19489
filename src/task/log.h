/* A log of what a person asked: the page of the stage writes it, task_learn() makes a model of the person of it.
 *
 *     # muybridge log 1
 *     # task direction and gait creature horse
 *     # seconds 312.5
 *     0,direction,0
 *     0,gait,walk
 *     3.25,direction,90
 *
 * A line for each change, and one for each parameter at time 0: seconds since the start, the parameter, its value as in
 * a script: degrees on the ground, m/s, names of gaits. `seconds` is how long the person was observed. Other lines that
 * begin with #, empty ones, and one that says time,parameter,value, are passed over. */
#ifndef MUYBRIDGE_TASK_LOG_H
#define MUYBRIDGE_TASK_LOG_H

#include "base/arena.h"
#include "base/diag.h"

struct task_log_line {
  double time;                  /* [s]                                         */
  const char *parameter, *value; /* as written                                 */
  int line;
};

struct task_log {
  const char *file;
  const char *task, *creature;  /* their names                                 */
  double seconds;               /* that were observed, more than 0             */
  int n_lines;
  const struct task_log_line *lines; /* in order of time           (n_lines)   */
};

/* Reads a log, as far as it can be understood without its task. Errors go to d, each with file and line; NULL when
 * there was one. Lives in the arena. */
const struct task_log *task_log_load(struct arena *arena, const char *path, struct diag *d);

/* The same from text in memory; name stands for the file in messages. */
const struct task_log *task_log_parse(struct arena *arena, const char *name, const char *text, size_t length,
                                      struct diag *d);

#endif
