/* The package of a run file: what a page can show of it. */
#ifndef MUYBRIDGE_STAGE_RUN_PACKAGE_H
#define MUYBRIDGE_STAGE_RUN_PACKAGE_H

#include "stage/package.h"

struct run_package_options {
  const char *clip;             /* this clip alone, by number or name; NULL: those that a controller is made of       */
  int controller;               /* its id; 0: the newest                                                              */
  int no_controller;            /* clips only                                                                         */
  int no_control;               /* no policies, and so no physics under control                                       */
  const char *title;            /* NULL: the creature's name and styles                                               */
  const char *version;          /* of the program; NULL: not said                                                     */
};

struct run_package {
  struct stage_package package;
  const char *name;             /* for a list that a person chooses from                                              */
};

/* Reads all of it into the arena. A run file without a controller has a package of clips; one without a control graph
 * goes without policies. Policies that are not of these clips are left out with a warning. 0 after an error. */
int run_package_open(struct arena *arena, const char *run, const struct run_package_options *o,
                     struct run_package *out, struct diag *d);

/* The note of a package, JSON. */
const char *run_package_note(struct arena *arena, const struct creature *c, const char *run,
                             const struct run_package_options *o);

/* Makes it a package that anybody may see: without folders of this machine, which names of files have. */
void run_package_hide_folders(struct arena *arena, struct stage_package *p);

#endif
