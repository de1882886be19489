/* A recorded performance: a creature followed a reference in a world. What was followed, by which way, in which world
 * and engine, the start, the controls, the motion, the verdict; and what it takes to do it again, bit for bit.
 *
 * Every way to follow makes one: tracking (samcon/track.h) servo offsets for every window, modal control (modal/run.h)
 * torques for every frame. The run file keeps it (store/performances.h), recording_replay() does it again, and play,
 * film and figures show it without asking how it came about. */
#ifndef MUYBRIDGE_FOLLOW_RECORDING_H
#define MUYBRIDGE_FOLLOW_RECORDING_H

#include "follow/judge.h"
#include "follow/rollout.h"
#include "store/performances.h"

/* What sampling came to in a window: for figures. */
struct sampled_window {
  int n_samples, n_saved;
  double *costs;                /* of all good samples           (n_samples) */
  double *saved;                /* of those kept                 (n_saved)   */
  int *parents;                 /* from which of those kept of the window before (n_saved) */
  double best;                  /* of the one on the final path              */
  int chosen;                   /* which of those kept that is               */
};

struct recording {
  /* what was followed, and how */
  enum store_series series;
  const char *what, *way, *options; /* words: "clip 3, walk", "samcon", all else; may be NULL until it is kept       */
  int clip;                     /* id of the clip; 0: no single clip                                                */
  const struct reference *reference; /* frames 0 .. first[n_windows] are what was followed                          */
  /* where */
  struct rollout_options rollout; /* world, drive, pushes, load; cost weights are not kept                          */
  int linear;                   /* 1: in no world, but in the linearised dynamics of modal control                  */
  /* the controls */
  double *start;                /* state at frame 0: q, v                                  (2 n_dofs)               */
  int n_windows;                /* that were followed                                                               */
  double *offsets;              /* of servo targets; NULL: none            (reference->n_windows x n_dofs - 6)      */
  /* what came of it */
  struct follow_motion *motion;
  struct judgement judgement;
  struct cost_terms cost;       /* means over the windows; NaN where a way has none                                 */
  struct sampled_window *windows; /* of sampling; NULL otherwise           (reference->n_windows)                   */
  /* what it took, for people */
  long samples;                 /* windows simulated, identification aside                                          */
  double seconds_models, seconds_control; /* of processors                                                          */
  /* the same, not kept in the run file */
  int attempts;                 /* 2: guided sampling was judged to fail, and was done again with more samples      */
  double model_residual;        /* largest of the window models                                                     */
  long trials, trials_good;     /* improved: of windows that slide together; those in which none failed             */
};

/* The same again, open loop: the start, then every frame under the recorded controls. NULL after an error; not of a
 * linear one (modal_replay() plans that again). */
struct follow_motion *recording_replay(struct arena *arena, const struct recording *k, struct diag *d);

/* The same by a rollout that is there already, whose options are those of the recording. */
struct follow_motion *recording_replay_by(struct arena *arena, struct rollout *ro, const struct recording *k);

/* How far apart the poses of two motions are at most [L], [rad]: 0: the same, to the last bit; infinite: of another
 * length, or a number is none. */
double recording_difference(const struct creature *c, const struct follow_motion *a, const struct follow_motion *b);

/* What it did as a clip, for figures and other programs; or the reference over the same frames. */
struct clip *recording_clip(struct arena *arena, const struct recording *k, const char *name);
struct clip *recording_reference_clip(struct arena *arena, const struct recording *k, const char *name);

/* How hard its joints worked: the mean over frames of the sum over joints of squared torques [(m g L)^2]. NaN without
 * frames. */
double recording_torque_squares(const struct recording *k);

/* "ode", "tree", ...: the engine, or "linear". */
const char *recording_place(const struct recording *k);

/* ---- as bytes (recording_bytes.c) ---- */

/* What the columns of a row say: words, verdict, what it took. */
void recording_columns(const struct store_performance *p, struct recording *k);

/* Fills all of `out` but its number and what only the way knows of; bytes are in the arena. */
void recording_pack(struct arena *arena, const struct recording *k, struct store_performance *out);

/* What was kept. NULL after an error: bytes that are damaged or of another creature. Tracks of version 6 are read too;
 * motions under modal control of version 6 are for modal/record.h. */
struct recording *recording_unpack(struct arena *arena, const struct creature *c, const struct store_performance *p,
                                   struct diag *d);

#endif
