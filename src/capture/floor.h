/* Private to src/capture. Where the floor of a captured motion is, and how its feet must be turned to lie flat on it
 * (equation 15 of Xie and Kry 2021).
 *
 * Points that are slow and as low as they get are taken to stand. The floor's height, its slope if wanted, and a
 * constant correction of the angles of each foot are those that bring them nearest to the floor, by
 * Levenberg-Marquardt. A foot is corrected where it has two points or more, on its own limb or below it: one point
 * alone cannot tell a wrong foot from a wrong floor. */
#ifndef MUYBRIDGE_CAPTURE_FLOOR_H
#define MUYBRIDGE_CAPTURE_FLOOR_H

#include "base/arena.h"
#include "creature/creature.h"
#include "motion/clip.h"

struct capture_floor {
  double height;                /* of the floor below the origin [m]                                     */
  double slope[2];              /* of it along x and y; 0 unless wanted                                  */
  double *offset;               /* to be added to the angles of every frame [rad]        (n_dofs)        */
  double rms_before, rms;       /* heights of standing points over the floor, before and after [m]       */
  int n_samples;                /* points and frames that stand; 0: none, and nothing is fitted          */
  int n_dropped;                /* of them that fitted badly and were left out of the second fit         */
  int iterations;
};

struct capture_floor_options {
  double speed;                 /* a point that is slower than this [m/s] ...                            */
  double band;                  /* ... and not higher than this above the lowest that it gets [m], stands */
  int with_slope;
  int keep_feet;                /* only the floor is fitted                                              */
  double angle_prior;           /* where points do not say, feet stay as they are: a correction of one radian must bring
                                   every sample nearer by this [m]                                       */
  double slope_prior;           /* and so the floor: a slope of 1 must bring them nearer by this [m]     */
  double wider;                 /* times the band, for a first look at a floor that may slope            */
  double never;                 /* a point whose lowest is so many bands from the floor never stands     */
  double outlier;               /* a sample farther off than this times the rms is left out of the last fit */
  double lowest;                /* the lowest that a point gets: this share of its frames is lower       */
};
void capture_floor_defaults(const struct creature *c, struct capture_floor_options *o);

/* o may be NULL. */
struct capture_floor capture_fit_floor(struct arena *arena, const struct creature *c, const struct clip *clip,
                                       const struct capture_floor_options *o);

/* Puts the floor of a clip at z = 0, level, and its feet right; angles stay within their limits. */
void capture_apply_floor(const struct creature *c, const struct capture_floor *f, struct clip *clip);

/* Where contact points are, and how fast. */
struct capture_tracks {
  double *place;                /* [m]                        (n_frames x n_points x 3) */
  double *speed;                /* central differences [m/s]  (n_frames x n_points)     */
};
void capture_point_tracks(struct arena *arena, const struct creature *c, const struct clip *clip,
                          struct capture_tracks *out);

#endif
