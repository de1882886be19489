/* Private to src/search. Surrogates: cheap guesses of what a solve would give. Pure functions of numbers; doc/search.md
 * has the equations.
 *
 * Will it succeed? The paper's estimate from earlier attempts (appendix C), mended. What will it cost the body? The
 * paper's interpolation over frames, and a regression on what is asked for, which learns as clips arrive. */
#ifndef MUYBRIDGE_SURROGATE_H
#define MUYBRIDGE_SURROGATE_H

#include "motion/features.h"

/* ---- what is asked for, and how far two such things are apart ---- */

struct surrogate_request {
  double turn;                  /* of the heading [rad]                                                      */
  double cycles;                /* length of the clip, in cycles of its gait                                 */
  double speed;                 /* at its end, over sqrt(g L)                                                */
  double speed_change;          /* from its start to its end, over sqrt(g L)                                 */
  double strafe;                /* direction of travel against the nose, at its end [rad]                    */
  int gait, gait_change;        /* index of the gait at its end; 1 if it is another at its start             */
  double measured[FEATURES_MEASURES], measured_change[FEATURES_MEASURES]; /* of what the task measures: at its end, and
                                   from its start to its end, in units                                       */
};

/* Square of the distance of two requests of the same template: the table of appendix C, and the length, which the
 * paper does not vary. from and to are the distances of the frames where they start and end [standing heights]. */
double surrogate_distance2(const struct surrogate_request *a, const struct surrogate_request *b, double from,
                           double to);

/* ---- the chance of success ---- */

struct surrogate_attempt {
  int succeeded;
  double quality;               /* q of its initial motion                                                   */
  double distance2;             /* of its request to the one that is judged                                  */
};

#define SURROGATE_LEAST_QUALITY   1e-3
#define SURROGATE_LEAST_DISTANCE2 1e-6

/* Of an initial motion of some quality, in [0, 1]; 0.5 without attempts. prior counts as that much evidence for and
 * against: 0 is the paper's, with which one failure anywhere makes everything hopeless. */
double surrogate_success(int n, const struct surrogate_attempt *attempts, double quality, double prior);

#define SURROGATE_PRIOR 1.0

/* Ours: weights d^-4, so that what was tried nearby counts and what was tried elsewhere does not drown it, and without
 * anything nearby the share of all attempts that succeeded, one more of each counted. Qualities are not looked at. */
double surrogate_chance(int n, const struct surrogate_attempt *attempts);

/* ---- the paper's biomechanical cost ---- */

/* Of a frame, from the costs of n known frames and its distances to them: weights are distances to the power of -2. */
double surrogate_interpolate(int n, const double *cost, const double *distance);

/* ---- the regression ---- */

enum { SURROGATE_FEATURES = 11 + 3 * FEATURES_MEASURES };

/* What the effort may depend on: turn per cycle and so on. */
void surrogate_features(const struct surrogate_request *r, double f[SURROGATE_FEATURES]);

/* Ridge regression of the logarithm of the effort on standardised features. */
struct surrogate_model {
  int n;                        /* clips that it was fitted to                                               */
  double mean[SURROGATE_FEATURES], scale[SURROGATE_FEATURES];  /* of the features                            */
  double slope[SURROGATE_FEATURES];
  double level;                 /* mean logarithm                                                            */
  double lambda;                /* the ridge: that of the smallest error                                     */
  double error;                 /* rms of what it misses when a clip is left out; inf for fewer than 3       */
  double inverse[SURROGATE_FEATURES][SURROGATE_FEATURES]; /* (X'X + lambda)^-1, for errors elsewhere         */
};

/* features is n x SURROGATE_FEATURES. */
void surrogate_fit(int n, const double *features, const double *log_effort, struct surrogate_model *out);

/* The logarithm of the effort; in *error, unless NULL, how far off it may be (one standard deviation). */
double surrogate_predict(const struct surrogate_model *m, const double *features, double *error);

/* ---- how good a guess is ---- */

/* Rank correlation of two sets of numbers, after Spearman, with mean ranks for equals; 0 when one is constant. */
double surrogate_rank_correlation(int n, const double *x, const double *y);

#endif
