/* The run file: recorded performances. A creature followed a reference in a world; what was followed, by which way and
 * where, what it did, and all that it takes to do it again (store_performance.c; follow/recording.h fills the bytes).
 *
 * Performances are counted in two series, because users name them so: "play --physics RUN 1" is the first track,
 * "play --modal RUN 1" the first motion under modal control. Numbers begin with 1 and grow by 1; nothing is ever
 * deleted. Run files of version 6 and older had a table for each series, with the same numbers. */
#ifndef MUYBRIDGE_STORE_PERFORMANCES_H
#define MUYBRIDGE_STORE_PERFORMANCES_H

#include "store/store.h"

enum store_series { SERIES_TRACK, SERIES_MODAL, N_SERIES };

enum store_performance_bytes {  /* little-endian doubles, but contacts are bytes of 0 and 1; * may be missing       */
  PERFORMANCE_Q,                /* what the creature did                                (n_frames x n_dofs)         */
  PERFORMANCE_TORQUE,           /* of the joints                                        (n_frames x n_dofs)         */
  PERFORMANCE_FORCE,            /* of the ground                                        (n_frames x n_points x 3)   */
  PERFORMANCE_CONTACT,          /* *                                                    (n_frames x n_points)       */
  PERFORMANCE_REFERENCE,        /* * poses that were followed, edits and all                                        */
  PERFORMANCE_PLANNED,          /* * forces of the ground that were planned                                         */
  PERFORMANCE_CONTROL,          /* reference, controls, world, start: what a replay needs (follow/recording.h)      */
  PERFORMANCE_WAY,              /* * what only the way to follow knows of                                           */
  N_PERFORMANCE_BYTES
};

enum store_performance_number { /* NaN: the way does not measure it                                                 */
  PERFORMANCE_COST, PERFORMANCE_COST_POSE, PERFORMANCE_COST_ROOT, PERFORMANCE_COST_ENDS, PERFORMANCE_COST_BALANCE,
  PERFORMANCE_WORST_HEIGHT, PERFORMANCE_WORST_ANGLE, PERFORMANCE_WORST_FOOT, PERFORMANCE_WORST_COURSE, /* [L], [rad] */
  PERFORMANCE_RMS_ANGLE, PERFORMANCE_RMS_JOINT, /* [rad]                                                            */
  PERFORMANCE_MISSED,           /* farthest that legs were short of an edited foothold [L]                          */
  N_PERFORMANCE_NUMBERS
};

struct store_performance {
  enum store_series series;
  int number;                   /* in its series, that the run file gave it                                         */
  int clip;                     /* id of the clip that was followed; 0: no single clip of the file                  */
  const char *what;             /* "clip 3, walk-turn"                                                              */
  const char *way, *place;      /* "samcon", "modal"; "ode", "tree", "linear" (the linearised dynamics of modal)    */
  const char *options;          /* all else, in words                                                               */
  int success;
  const char *fault;            /* the first, "" if none                                                            */
  double seconds, fault_after;  /* asked for; until the first fault                                                 */
  int n_frames;
  double dt;                    /* [s]; NaN in a track of version 6: its control bytes say                          */
  double numbers[N_PERFORMANCE_NUMBERS];
  long samples;                 /* windows simulated                                                                */
  int unsolved;                 /* contact problems                                                                 */
  double seconds_models, seconds_control; /* of processors                                                          */
  const void *bytes[N_PERFORMANCE_BYTES];
  size_t n_bytes[N_PERFORMANCE_BYTES];
};

/* Its number in its series, whatever p->number is; 0 after an error. */
int store_put_performance(struct store *s, const struct store_performance *p, struct diag *d);

/* The same, bit for bit; number 0 stands for the newest of the series. 0 after an error. */
int store_get_performance(struct arena *arena, struct store *s, enum store_series series, int number,
                          struct store_performance *out, struct diag *d);

/* All of a series in the order of their numbers, *n of them, without bytes. NULL after an error. */
struct store_performance *store_list_performances(struct arena *arena, struct store *s, enum store_series series,
                                                  int *n, struct diag *d);

#endif
