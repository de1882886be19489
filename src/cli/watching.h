/* What muybridge watch solves anew when a file has changed, in a process of its own that says how it goes on a pipe:
 * so that the page is served meanwhile, and a newer change ends it. */
#ifndef MUYBRIDGE_CLI_WATCHING_H
#define MUYBRIDGE_CLI_WATCHING_H

#include "cli/cli.h"

struct watching {
  const char *creature;         /* its file                                                             */
  struct cli_styles styles;
  const char *gait;             /* NULL: the creature's first                                           */
  const char *task;             /* file of a task, for which a controller is kept; NULL: only a gait    */
  const char *run;              /* with a task: the run file of the first synthesis, a temporary one    */
  double speed;                 /* [m/s]; NaN: the middle of the gait's range                           */
  int clips, workers;           /* with a task                                                          */
  const void *last;             /* the last good package, to start from; NULL: there is none yet        */
  size_t n_last;
};

/* Messages on the pipe: a kind, 8 bytes of length (the lowest first), and so many bytes. */
enum watching_kind {
  WATCHING_BUSY = 'b',          /* words: what is being done                                            */
  WATCHING_PACKAGE = 'p',       /* a new motion                                                         */
  WATCHING_WORDS = 'w',         /* about that motion; comes before it                                   */
  WATCHING_ERROR = 'e',         /* JSON for the page: {"messages": [{"file", "line", "text"}, ...]}     */
  WATCHING_TEXT = 't',          /* the same for the terminal; comes before it                           */
  WATCHING_DONE = 'd'           /* all is as good as it gets; nothing follows                           */
};

/* Solves, and tells all of it. Runs in a child of the process. */
void watching_solve(const struct watching *w, int out);

/* All files that a change of is to be noticed: creature, styles, task, and what they include; in the arena. */
const char *const *watching_files(struct arena *arena, const struct watching *w, int *n);

#endif
