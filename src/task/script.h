/* A script: what is asked of a creature, and when. Text for `muybridge play`; the format is in doc/task-format.md.
 *
 *     at 2 { direction = 90 }
 *     at 8 { gait = trot  speed = 70% }
 *     end = 20
 *
 * Headings (direction, torso) are angles on the ground here, against the heading at time 0: whoever plays the script
 * subtracts the creature's heading to get the theta of the task. */
#ifndef MUYBRIDGE_SCRIPT_H
#define MUYBRIDGE_SCRIPT_H

#include "task/task.h"

struct script_command {
  double time;      /* [s]                                         */
  int parameter;    /* of the task                                 */
  double theta;     /* that it has from this time on               */
  const char *file; /* where it stands                             */
  int line;
};

struct script {
  const char *file;
  const struct task *task;
  const double *initial;                  /* before any command    (n_parameters)               */
  int n_commands;
  const struct script_command *commands;  /* in order of time; at one time, of parameters       */
  double end;                             /* [s]; if the file does not say, 5 s after the last command */
};

/* Reads a script for a task. Errors and warnings go to d; NULL when there was an error. Lives in the arena. */
const struct script *script_load(struct arena *arena, const char *path, const struct task *t, struct diag *d);
const struct script *script_parse(struct arena *arena, const char *name, const char *text, size_t length,
                                  const struct task *t, struct diag *d);

/* What is asked at time t; a command holds from its own time on (n_parameters). */
void script_theta(const struct script *s, double time, double *theta);

#endif
