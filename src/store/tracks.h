/* The run file: tracks, what creatures did in a simulated world and how they were driven (store_track.c). */
#ifndef MUYBRIDGE_STORE_TRACKS_H
#define MUYBRIDGE_STORE_TRACKS_H

#include "store/store.h"

enum store_track_bytes {        /* little-endian doubles, but contacts are bytes of 0 and 1                   */
  TRACK_Q,                      /* what the creature did                                (n_frames x n_dofs)   */
  TRACK_TORQUE,                 /* of the joints                                        (n_frames x n_dofs)   */
  TRACK_FORCE,                  /* of the ground                                        (n_frames x n_points x 3) */
  TRACK_CONTACT,                /*                                                      (n_frames x n_points) */
  TRACK_CONTROL, /* targets, world and starting state: all that a replay needs, for others to understand */
  N_TRACK_BYTES
};

enum store_track_number {       /* means of the terms of the cost, and the worst of what was judged           */
  TRACK_COST, TRACK_COST_POSE, TRACK_COST_ROOT, TRACK_COST_ENDS, TRACK_COST_BALANCE,
  TRACK_WORST_HEIGHT, TRACK_WORST_ANGLE, TRACK_WORST_FOOT, TRACK_WORST_COURSE, N_TRACK_NUMBERS
};

struct store_track {
  int id;                        /* that the run file gave it                             */
  const char *what;              /* "clip 3, walk-turn"                                   */
  const char *method, *options;  /* "samcon"; all else, in words                          */
  int success;
  const char *fault;             /* the first, "" if none                                 */
  double seconds, fault_after;   /* of motion; until the first fault                      */
  int n_frames;
  double numbers[N_TRACK_NUMBERS];
  long samples;                  /* windows simulated                                     */
  double seconds_models, seconds_tracking; /* of processors                               */
  const void *bytes[N_TRACK_BYTES];
  size_t n_bytes[N_TRACK_BYTES];
};

/* Its id, 1 and up and never used again, whatever t->id is; 0 after an error. */
int store_put_track(struct store *s, const struct store_track *t, struct diag *d);

/* The same track, bit for bit; id 0 stands for the newest. 0 after an error. */
int store_get_track(struct arena *arena, struct store *s, int id, struct store_track *out, struct diag *d);

/* All tracks in the order of their ids, *n of them, without bytes. NULL after an error. */
struct store_track *store_list_tracks(struct arena *arena, struct store *s, int *n, struct diag *d);

#endif
