/* A clip: a piece of motion, frame by frame, with the forces that the ground gives.
 *
 * Clips are in the world's frame: a foot on the ground stays where it is. Velocities and accelerations are central
 * differences of frames, so a state needs the frames before and after: v = (q[k+1] - q[k-1]) / 2 dt,
 * a = (q[k+1] - 2 q[k] + q[k-1]) / dt^2. A cyclic clip never ends: frame k + n_frames is frame k moved over the ground
 * by `advance`. The first two and the last two frames of a transition are frames of other clips. SI units, radians.
 *
 * The room: clips are the one currency of motion, made by spacetime, played by controllers, recorded by simulators,
 * imported from captures. Here is what can be said of them without physics engines and optimizers.
 * Gives:     clip.h, surface.h, verify.h (is it physically valid?), mirror.h, ground.h, features.h (what a task sees),
 *            distance.h and cloud.h (how alike), graph.h (which may follow which); path.h, blend.h, warp.h,
 *            registration.h (motions made of others, not physical); motion_bytes.h.
 * May call:  base, creature, dynamics. */
#ifndef MUYBRIDGE_CLIP_H
#define MUYBRIDGE_CLIP_H

#include "base/arena.h"
#include "creature/creature.h"
#include "motion/surface.h"

struct clip_advance { double x, y, yaw; }; /* turn by yaw about the origin, then move by x, y [m], [rad] */

/* Where an end of a transition comes from: frames `frame` and `frame + 1` of a clip, moved over the ground. */
struct clip_end {
  int clip;                     /* id in the run file; 0 when there is none                 */
  int frame;
};

struct clip {
  const char *name;             /* "walk", "walk-trot"                                      */
  const char *gait;             /* of a transition: that of its first frames                */
  const char *gait_after;       /* of a transition: that of its last frames; else = gait    */
  int n_frames, n_dofs, n_points;
  int cyclic;
  double dt;                    /* time from frame to frame [s]                             */
  double speed, strafe, turn;   /* asked for: [m/s], direction of travel to the left of the nose, of a turn [rad] */
  struct clip_advance advance;  /* cyclic: over n_frames; transition: ground frame of the last frame in the first's */
  struct clip_end from, to;     /* of a transition                                          */
  struct surface ground;        /* level, if it is zero                                     */
  double *q;                    /*                                   (n_frames x n_dofs)    */
  double *force;                /* of the ground on a point [N]      (n_frames x n_points x 3) */
  unsigned char *contact;       /* 1: the point is on the ground     (n_frames x n_points)  */
};

/* A clip of zeros. */
struct clip *clip_new(struct arena *arena, const struct creature *c, int n_frames, double dt);

/* q of any frame: of a cyclic clip any integer, else 0 .. n_frames - 1 (n_dofs). */
void clip_frame(const struct clip *clip, int k, double *q);

/* q, v, a of frame k by central differences. 0 if a neighbour is missing (ends of a transition): then v and a are 0. */
int clip_state(const struct clip *clip, int k, double *q, double *v, double *a);

/* Moves a pose over the ground. */
void clip_move_pose(struct clip_advance by, double *q);

/* The same over a clip's own ground, along which it climbs. */
void clip_place_pose(const struct clip *clip, struct clip_advance by, double *q);

/* Is it a pose that is held: a cycle of frames that are all the same? Solved stands are. */
int clip_is_still(const struct clip *clip);

/* How much higher a cycle ends than it began [m]. */
double clip_climb(const struct clip *clip);

#endif
