/* Tracking: a creature in a simulated world does what a reference shows, driven by its joints alone.
 *
 * Methods, from the simplest to the best: servos on the reference poses (pd); the reference's torques with them
 * (feed-forward); window feedback (lqr); sampling of servo offsets window by window (samcon), around zero or guided
 * by that feedback. What comes out is open loop: offsets for every window, which replayed from the same state give
 * the same motion, bit for bit. doc/tracking.md. */
#ifndef MUYBRIDGE_SAMCON_TRACK_H
#define MUYBRIDGE_SAMCON_TRACK_H

#include "follow/batches.h"
#include "feedback/feedback.h"
#include "feedback/identify.h"
#include "follow/judge.h"

enum track_method { TRACK_PD, TRACK_FEED_FORWARD, TRACK_LQR, TRACK_SAMCON, TRACK_IMPROVED, N_TRACK_METHODS };
const char *track_method_name(enum track_method m);              /* "pd", "feed-forward", "lqr", "samcon", "improved" */

struct track_options {
  enum track_method method;
  int guided;                   /* samcon: around the window feedback, its value as terminal cost           */
  int samples, saved;           /* samcon: drawn and kept at each window                                    */
  double spread;                /* of offsets [rad]: half width of the box; deviation when guided           */
  double value_weight;          /* of the feedback's value in the cost of a guided sample                   */
  double calm;                  /* guided: more samples are drawn only while the best value of a window is above this */
  double start_place, start_velocity; /* deviations of the starting state from the reference, by chance; 0: on it */
  uint64_t seed;                /* of samples and starting state                                            */
  int surrogate;                /* 1: samples are drawn in the surrogate simulator (follow/batches.h); only those saved are simulated
                                   in the world of record, which alone says what came of them               */
  int workers;                  /* as batches_open() takes them                                                */
  struct identify_options identify;
  struct feedback_weights feedback;
  struct rollout_options rollout;
  struct cost_weights cost;
  int trials_least, trials_most, sliding; /* improved: T_min, T_max, windows that slide together            */
  const double *variances;      /* improved: of offsets at first, the largest being 1 (n_dofs - 6); NULL: all are  */
  double threshold;             /* improved: cost beyond which a window counts as failed                    */
  void (*progress)(void *user, int window, int n_windows, double cost); /* may be NULL                      */
  void *user;
};
void track_defaults(const struct creature *c, enum track_method method, int guided, struct track_options *o);

/* What a window's sampling came to: for figures. */
struct track_window {
  int n_samples, n_saved;
  double *costs;                /* of all good samples           (n_samples) */
  double *saved;                /* of those kept                 (n_saved)   */
  int *parents;                 /* from which of those kept of the window before (n_saved) */
  double best;                  /* of the one on the final path              */
  int chosen;                   /* which of those kept that is               */
};

struct track_result {
  const struct reference *reference;
  struct terrain terrain;       /* what it walked on                                                        */
  int n_windows;                /* that were followed                                                       */
  double *offsets;              /* of the final path              (reference->n_windows x n_controls)       */
  double *start;                /* errors of the starting state   (2 n_dofs)                                */
  struct follow_motion *motion;  /* what the world did, replayed open loop                                   */
  struct judgement judgement;
  struct cost_terms cost;       /* means over the windows of the final path                                 */
  struct track_window *windows; /* of sampling methods; NULL otherwise (reference->n_windows)               */
  int attempts;                 /* 2: guided sampling was judged not to do, and was done again with more samples    */
  long samples;                 /* windows simulated, identification aside                                  */
  double seconds_identify, seconds_track; /* of processors; for people                                      */
  double model_residual;        /* largest of the window models                                             */
  long trials, trials_good;     /* improved: of windows that slide together; those in which none failed     */
};

/* Everything lives in the arena. NULL after an error; falling is none. */
struct track_result *track(struct arena *arena, const struct reference *r, const struct track_options *o,
                           struct diag *d);

/* The same windows again, open loop: records into a new motion. */
struct follow_motion *track_replay(struct arena *arena, struct rollout *ro, const struct track_result *t);

/* What the world did as a clip, for figures and other programs; or the reference over the same frames. */
struct clip *track_clip(struct arena *arena, const struct track_result *t, const char *name);
struct clip *track_reference_clip(struct arena *arena, const struct track_result *t, const char *name);

/* ---- for the files of this room ---- */

struct tracking {               /* one run of track() */
  struct arena *arena;
  const struct reference *reference;
  const struct track_options *options;
  struct batches *batches;
  const struct window_gain *gains; /* NULL without feedback (n_ahead + 1) */
  struct track_result *result;
  struct diag *diag;
  int n_errors, n_controls;
};

/* Fill offsets, n_windows, windows and cost of the result; 0 after an error. samcon.c, improved.c */
int track_by_samples(struct tracking *t);
int track_improved(struct tracking *t);

#endif
