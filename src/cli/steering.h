/* What the commands that work with control graphs have in common: clips, graph and policies of a run file. */
#ifndef MUYBRIDGE_CLI_STEERING_H
#define MUYBRIDGE_CLI_STEERING_H

#include "cli/cli.h"
#include "control/controls.h"
#include "control/guided.h"
#include "control/imitate.h"
#include "control/trials.h"
#include "store/controls.h"

struct steering_options {
  const char *teacher;          /* "lqr", "guided" or "ahead"                                     */
  const char *skill;            /* a cyclic clip to stay on; NULL: the whole graph                */
  int compact;                  /* policies of the paper's form; -1: as the teacher has it        */
  int iterations;               /* of guided and ahead; 0: as usual                               */
  int as_kept;                  /* whatever settings it was learned with will do                  */
  int again;                    /* learn anew what is there already                               */
  int measure;                  /* growing pushes after each iteration, so many                   */
  uint64_t seed;
  int jobs, quiet, no_store;
  struct guided_options guided;
  struct imitate_options imitate;
  int argc;                     /* the whole command line, for the record                         */
  char **argv;
};
void steering_defaults(struct steering_options *o);

struct steering {
  const char *run;
  const struct creature *creature;
  const struct motion_graph *motion;
  const struct control_graph *graph;
  struct controls *controls;
  struct store_control kept;    /* without its bytes                                              */
};

/* The graph of a run file. 0 after an error. */
int steering_open(struct arena *arena, const char *run, const char *skill, struct steering *s, struct diag *d);

/* How its teacher learns, unless something else is said afterwards. */
void steering_settle(const struct creature *c, struct steering_options *o);

/* Who does the work: the other ranks of MPI if there are any, else as many workers as were asked for (control/jobs.h). */
int steering_workers(const struct steering_options *o);

/* Policies from the run file if they are there, else learned and kept. The exit status. */
int steering_learn(struct arena *arena, struct steering *s, const struct steering_options *o, struct diag *d);

/* What figures of control graphs are made from: the newest that the run file has, and 20 s of its first cycle with pushes; a skill if
 * that is what was learned. NULL after an error. */
struct control_figures;
const struct control_figures *steering_figures(struct arena *arena, const char *run, struct diag *d);

/* Option values that the commands share; the exit status. */
int steering_teacher(const char *command, const char *text, struct steering_options *o);
int steering_policy(const char *command, const char *text, struct steering_options *o);

#endif
