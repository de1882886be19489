/* A track as bytes, and back: what the run file keeps. The same on every machine: little-endian. */
#ifndef MUYBRIDGE_SAMCON_RECORD_H
#define MUYBRIDGE_SAMCON_RECORD_H

#include "store/performances.h"
#include "samcon/track.h"

/* Fills all of `out` but its id; bytes are in the arena. */
void record_make(struct arena *arena, const char *what, const struct track_result *t, const struct track_options *o,
                 struct store_performance *out);

/* The reference, offsets, start and world of a kept track, ready for track_replay(); and what it did then. NULL
 * after an error: bytes that are damaged or of another creature. */
struct track_result *record_read(struct arena *arena, const struct creature *c, const struct store_performance *t,
                                 struct rollout_options *o, struct diag *d);

#endif
