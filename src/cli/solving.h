/* What the commands that solve have in common: progress, summary, verification, keeping the result. */
#ifndef MUYBRIDGE_CLI_SOLVING_H
#define MUYBRIDGE_CLI_SOLVING_H

#include "cli/cli.h"
#include "motion/verify.h"
#include "spacetime/spacetime.h"
#include "store/store.h"

struct solving {
  const char *command;          /* "gait"                                      */
  int argc;                     /* the whole command line, for the record      */
  char **argv;
  const char *output, *picture;
  int quiet;
  int terminal;                 /* standard error is one                       */
  struct spacetime_options options;
  struct store *store;          /* open while solving, if there is an output   */
  struct store *source;         /* the run that the creature comes from, NULL: its file */
  const char *text;             /* of the creature, if it is neither's; NULL   */
};

void solving_init(struct solving *s, const char *command, int argc, char **argv);
void solving_close(struct solving *s);

/* Wipes the line of progress off a terminal. */
void solving_clear_progress(const struct solving *s);

/* Opens the output, so that a file that cannot be written is known before an hour is spent. 0 after an error. */
int solving_open(struct solving *s, struct arena *arena, const struct creature *c);

/* Prints the outcome, verifies the clip between its neighbours (none, if it is no transition), keeps and draws it. The
 * exit status. */
int solving_finish(struct solving *s, struct arena *arena, const struct creature *c, struct clip *clip,
                   const struct verify_neighbours *beside, const struct spacetime_report *report);

/* The value of --near: "RUN" or "RUN:CLIP", a clip to start from. */
struct solving_near {
  const char *file;
  int id;
  const struct creature *creature; /* of the run file */
  const struct clip *clip;         /* NULL: none      */
};

/* Reads it. To be called before the same file is opened as a store. 0 after an error. */
int solving_near_load(struct arena *arena, const char *name, struct solving_near *out, struct diag *d);

/* Is it a cycle of this gait or, where that is NULL, a transition, of a creature with the same axes and contact points?
 * 0 after an error that says what differs. */
int solving_near_fits(const struct solving_near *n, const struct creature *c, const struct gait *gait, struct diag *d);

/* Frames that keep a cycle's share of the gait's period, which may have changed. */
int solving_near_frames(const struct solving_near *n, const struct creature *c, const struct gait *gait, double speed);

/* The table of a verification, on standard output. */
void print_verification(const struct verify_report *report);

/* Option text as a number within a range; 0 and a message when it is not. */
int cli_number(const char *command, const char *option, const char *text, double least, double most, double *out);

#endif
