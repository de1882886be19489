/* Trials of tracking: motions by several variants of it, each many times with other seeds, shared out over the farm.
 *
 * Whoever does a run has the motions and the request as bytes, in another process or at a rank of MPI; the result
 * depends on these alone. track --table tries all clips of a controller by several methods, track --compare captured
 * motion with and without torques by inverse dynamics. */
#ifndef MUYBRIDGE_SAMCON_TRACK_TRIALS_H
#define MUYBRIDGE_SAMCON_TRACK_TRIALS_H

#include "farm/farm.h"
#include "motion/graph.h"
#include "samcon/track.h"

/* What a user says of tracking; the method has the rest. */
struct track_request {
  enum track_method method;
  int guided;
  int samples, saved, models;   /* 0: as the method has it                                                    */
  double spread;                /* NaN: likewise                                                              */
  int engine;                   /* enum world_engine, of the world of record                                  */
  int no_surrogate;             /* 1: all samples in the world of record                                      */
  int no_limb_contact;          /* 1: limbs do not touch each other                                           */
  int no_torques;               /* 1: servos alone                                                            */
  const double *variances;      /* of offsets at first; NULL: even                                            */
  uint64_t seed, identify_seed;
  double start;                 /* size of errors at the start; velocities have three times it                */
  double friction;              /* NaN: the creature's                                                        */
  struct terrain terrain;       /* its spacing is chosen by the creature's size                               */
  int cycles;                   /* of a cyclic clip                                                           */
  int workers;                  /* as batches_open() takes them                                               */
};
void track_request_defaults(struct track_request *r);
void track_request_fill(const struct creature *c, const struct track_request *r, struct track_options *out);

/* ---- what is tried ---- */

struct track_trial_motion {
  const char *name;
  struct graph_input in;        /* all of its clips are tracked; those of one motion share window models      */
  int captured;                 /* 1: with torques by inverse dynamics                                        */
};

struct track_trial_variant {
  const char *name;             /* for people                                                                 */
  enum track_method method;
  int guided;
  int no_torques;
  int unfiltered;               /* torques by inverse dynamics of the motion as it is; for captured motion only */
  int covariance;               /* first variances of offsets are those of the torques (equation 19 of 2021)  */
  int own_samples;              /* 1: numbers of samples are the method's, whatever the request says          */
  int trials_least;             /* of improved sampling; 0: as the method has it                              */
};

struct track_trial_answer {           /* of one clip in one run                                                     */
  double success, seconds, until; /* of the motion; until the first fault                                     */
  double cost, height, angle, foot, course; /* mean cost; worst                                               */
  double models, per_second;    /* core-seconds: of window models, of tracking a second of motion             */
  double trials, trials_good;   /* of improved sampling                                                       */
  double squares;               /* of torques [(m g L)^2]                                                     */
  char fault[16];               /* "crash": the worker died                                                   */
};

struct track_trials {
  struct track_request request;
  int n_motions, n_variants, runs;
  const struct track_trial_motion *motions;
  const struct track_trial_variant *variants;
  int workers, ranks;           /* processes; 1: ranks of MPI instead                                         */
  /* after each motion by each variant, in their order: its answers, clip by clip the runs    (n_clips x runs) */
  void (*done)(void *user, int motion, int variant, const struct track_trial_answer *answers);
  void (*progress)(void *user, int motion, int variant, int run, int good); /* clips that were tracked; may be NULL */
  void *user;
};

/* Is a variant tried with a motion? */
int track_trials_wanted(const struct track_trials *t, int motion, int variant);

/* 0 after an error. */
int track_trials_run(struct arena *arena, const struct track_trials *t, struct diag *d);

/* What ranks of MPI serve trials with (farm_serve()); in the arena. */
struct farm_options track_trials_service(struct arena *arena);

/* ---- what came of it ---- */

struct track_trial_summary {          /* of one clip                                                                */
  int good;                     /* runs                                                                       */
  struct track_trial_answer median, mean; /* number by number; trials are sums                                      */
  const char *fault;            /* the most frequent; "" if none                                              */
};
void track_trials_summarize(int runs, const struct track_trial_answer *answers, struct track_trial_summary *out);

#endif
