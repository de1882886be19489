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
#include "follow/recording.h"

enum track_method { TRACK_PD, TRACK_FEED_FORWARD, TRACK_LQR, TRACK_SAMCON, TRACK_IMPROVED, N_TRACK_METHODS };
const char *track_method_name(enum track_method m);              /* "pd", "feed-forward", "lqr", "samcon", "improved" */

struct track_options {
  enum track_method method;
  int guided;                   /* samcon: around the window feedback, its value as terminal cost           */
  int samples, saved;           /* samcon: drawn and kept at each window                                    */
  double spread;                /* of offsets [rad]: half width of the box; deviation when guided           */
  double value_weight;          /* of the feedback's value in the cost of a guided sample                   */
  double calm;                  /* guided: more samples are drawn only while the best value of a window is above this */
  double start_place, start_velocity; /* deviations of a random starting state from the reference; 0: on it */
  uint64_t seed;                /* of samples and starting state                                            */
  int surrogate;                /* 1: samples are drawn in the surrogate simulator (follow/batches.h); only those
                                   saved are simulated in the world of record, which alone says what came of them */
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
  double widest;                /* guided: factor on the spread where the feedback's value is high, at most         */
  double left_out;              /* samcon: share of samples, the costliest, that are never saved: Liu 2010, 3.2.3   */
  int harder;                   /* guided: factor on the samples of the second attempt, where the judge rejected the
                                   first                                                                            */
  int hopeless;                 /* improved: a window is settled as it is after so many times trials_most trials
                                   without a success                                                                */
};
void track_defaults(const struct creature *c, enum track_method method, int guided, struct track_options *o);

/* The ground that a motion is to be tracked on, for options and reference both: its own, if it is not level; else
 * `asked`, on which it is laid where that is a slope. 0 after an error: it has a slope, and other ground is asked
 * for. */
int track_choose_ground(struct reference *r, const struct terrain *asked, struct terrain *out, struct diag *d);

/* What came of it, in the arena: all but what was followed in words. NULL after an error; falling is none. */
struct recording *track(struct arena *arena, const struct reference *r, const struct track_options *o,
                           struct diag *d);

/* All else of a recording, in words. In the arena. */
const char *track_option_words(struct arena *arena, const struct track_options *o);

/* ---- for the files of this room ---- */

struct tracking {               /* one run of track() */
  struct arena *arena;
  const struct reference *reference;
  const struct track_options *options;
  struct batches *batches;
  const struct window_gain *gains; /* NULL without feedback (n_ahead + 1) */
  struct recording *result;
  double *start;                /* errors of the starting state               (n_errors)       */
  struct diag *diag;
  int n_errors, n_controls;
};

/* Fill offsets, n_windows, windows and cost of the result; 0 after an error. samcon.c, improved.c */
int track_by_samples(struct tracking *t);
int track_improved(struct tracking *t);

#endif
