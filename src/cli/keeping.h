/* Motions under modal control that a run file keeps: what commands that show them share. */
#ifndef MUYBRIDGE_CLI_KEEPING_H
#define MUYBRIDGE_CLI_KEEPING_H

#include "modal/record.h"

/* The clip that was followed, from an open run file or made anew, and that which edits go over into. NULL after an error. */
const struct clip *keeping_source(struct arena *arena, struct store *s, const struct creature *c,
                                  const struct modal_source *source, int n_edits, struct guide_edit *edits, struct diag *d);

/* All of a motion that was kept; id 0 stands for the newest. 0 after an error. */
struct keeping {
  const struct creature *creature;
  const struct clip *clip;      /* that was followed                                             */
  struct store_performance kept;      /* words and numbers                                             */
  const struct modal_run *run;
  struct modal_run_options options;
};
int keeping_load(struct arena *arena, struct store *s, int id, struct keeping *out, struct diag *d);

/* muybridge play --modal: does it again, says whether it is the same, and where that is asked for fills in what came of it.
 * The exit status. */
int keeping_play(struct arena *arena, const char *file, int id, int quiet, struct keeping *out, const struct modal_run **again,
                 struct diag *d);

#endif
