/* Clouds of points that stand for frames, and the motion over the ground that brings one nearest to another: what
 * distances are made of (motion/distance.h), also of motions that are in no matrix, as initial motions
 * (search/initial.h) and blends (motion/registration.h). */
#ifndef MUYBRIDGE_CLOUD_H
#define MUYBRIDGE_CLOUD_H

#include "motion/clip.h"

#define CLOUD_SAMPLES 5         /* poses in a window, weighted 1 2 3 2 1 */

/* Frames between the poses of a window, of clips at this interval: a quarter of sqrt(L/g). */
int cloud_step(const struct creature *c, double dt);

struct cloud_space;             /* the points of a creature, and scratch memory: for one thread */

struct cloud_space *cloud_space_new(struct arena *arena, const struct creature *c);

struct clouds {                 /* of the frames of a motion                                                   */
  int n_frames, size;           /* size: points times poses of a window                                        */
  double *x, *y, *z;            /* centred in the plane, scaled by the roots of the weights (n_frames x size)  */
  double *spread;               /* sum of x^2 + y^2                                         (n_frames)         */
  double *centre;               /* in the plane, as the motion stands [m]                   (n_frames x 2)     */
};

/* Frame k of a motion, for k from some frames before the first to some after the last. */
typedef void cloud_pose(const void *user, int k, double *q);

struct clouds *clouds_new(struct arena *arena, struct cloud_space *s, int n_frames, double dt, cloud_pose *pose,
                          const void *user);

/* Clips by their ids in the run file. */
struct clip_list {
  int n;
  const int *ids;
  const struct clip *const *clips;
};

/* Of the frames of a clip. Windows at the ends of a transition look into the clips that it comes from and goes to, if
 * the list has them; else the last pose stays on its way at the speed that it has. */
struct clouds *clouds_of_clip(struct arena *arena, struct cloud_space *s, const struct clip_list *all,
                              const struct clip *clip);

/* The same, moved over the ground: frame i of `out` becomes frame j of `in`. Both of the same creature. */
void clouds_copy(const struct clouds *in, int j, struct clip_advance place, struct clouds *out, int i);
struct clouds *clouds_room(struct arena *arena, const struct cloud_space *s, int n_frames); /* for that */

/* Between frame i of a and frame j of b [standing heights]. */
double cloud_distance(const struct cloud_space *s, const struct clouds *a, int i, const struct clouds *b, int j);

/* The motion over the ground that brings frame j of b nearest to frame i of a. */
struct clip_advance cloud_alignment(const struct clouds *a, int i, const struct clouds *b, int j);

#endif
