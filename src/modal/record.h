/* A motion under modal-space control as bytes, and back: what the run file keeps. */
#ifndef MUYBRIDGE_MODAL_RECORD_H
#define MUYBRIDGE_MODAL_RECORD_H

#include "modal/run.h"
#include "store/performances.h"

/* What was followed: clips of the run file by id, or a squat made by hand. */
struct modal_source {
  int clip;                     /* 0: a squat                                                             */
  int after;                    /* that a transition goes over into; 0: none                              */
  double arms;                  /* of the squat [rad]                                                     */
};

/* Fills all of `out` but its id; bytes are in the arena. */
void modal_record_make(struct arena *arena, const char *what, const struct modal_source *source,
                       const struct modal_run *r, const struct modal_run_options *o, struct store_performance *out);

/* What was kept, and how it came about; work of the solvers was not kept, and clips of edits are for the caller to fill
 * in. NULL after an error: bytes that are damaged or of another creature. */
struct modal_run *modal_record_read(struct arena *arena, const struct creature *c, const struct store_performance *k,
                                    struct modal_source *source, struct modal_run_options *o, struct diag *d);

#endif
