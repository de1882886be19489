/* Motions under modal-space control in the run file: the recording that all ways have, and what only this one knows of;
 * those of version 6 too. */
#ifndef MUYBRIDGE_MODAL_RECORD_H
#define MUYBRIDGE_MODAL_RECORD_H

#include "follow/recording.h"
#include "modal/run.h"

/* What was followed: clips of the run file by id, or a squat made by hand. */
struct modal_source {
  int clip;                     /* 0: a squat                                                             */
  int after;                    /* that a transition goes over into; 0: none                              */
  double arms;                  /* of the squat [rad]                                                     */
};

/* What was kept of a motion. */
struct modal_kept {
  struct recording *recording;
  struct modal_run *run;        /* the same for figures; work of the solvers was not kept                 */
  struct modal_source source;
  struct modal_run_options options;
  const struct clip *clip;      /* that was followed; by modal_record_load()                              */
  int version_6;                /* 1: from a row of version 6                                             */
};

/* Fills all of `out` but its number; bytes are in the arena. */
void modal_record_make(struct arena *arena, const char *what, const struct modal_source *source,
                       const struct modal_run *r, const struct modal_run_options *o, struct store_performance *out);

/* What was kept; clips are for the caller to fill in. 0 after an error: bytes that are damaged or of another
 * creature. */
int modal_record_read(struct arena *arena, const struct creature *c, const struct store_performance *p,
                      struct modal_kept *k, struct diag *d);

/* The same with its clips, from an open run file. 0 after an error. */
int modal_record_load(struct arena *arena, struct store *s, const struct creature *c, const struct store_performance *p,
                      struct modal_kept *k, struct diag *d);

/* The clip that is followed, from an open run file or made anew, and into the edits the one that they go over into.
 * NULL after an error. */
const struct clip *modal_source_clip(struct arena *arena, struct store *s, const struct creature *c,
                                     const struct modal_source *source, int n_edits, struct reference_edit *edits,
                                     struct diag *d);

/* The same again: in a world by recording_replay(); in linearised dynamics, where contacts have the last word on
 * torques, planned anew. NULL after an error. */
const struct follow_motion *modal_replay(struct arena *arena, const struct modal_kept *k, struct diag *d);

#endif
