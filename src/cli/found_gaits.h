/* Gaits for a creature whose file has none, or leaves something of them open: searched for, told, and put into its
 * text. */
#ifndef MUYBRIDGE_CLI_FOUND_GAITS_H
#define MUYBRIDGE_CLI_FOUND_GAITS_H

#include "cli/cli.h"
#include "store/store.h"
#include "task/task.h"

struct found_gaits {
  int workers;
  int json, quiet;              /* lines of JSON on standard output; errors only                                  */
  int (*may_go_on)(void);       /* 0: stop                                                                        */

  /* what comes of it, in the arena */
  const struct creature *creature; /* with gaits: as a run file gives it back                                     */
  const char *text;
};

/* Finds what is open of all gaits of creature c; of one that has none, those that a task needs: one at its most
 * comfortable speed, or as many as the speeds that are asked for want (task_lacks()). Those of a run file that holds
 * this creature with gaits are taken from there. The exit status; errors are in d, and there are none when it was
 * stopped. */
int found_gaits_search(struct arena *arena, struct found_gaits *f, const struct creature *c, const struct task_file *t,
                       struct store *s, struct diag *d);

/* Finds what is open of the gait of this name, of all if it is NULL. The exit status, as above. */
int found_gaits_complete(struct arena *arena, struct found_gaits *f, const struct creature *c, const char *name,
                         struct diag *d);

#endif
