/* Warps: the same motion at another rhythm, at another velocity, or around a bend. None knows of physics.
 *
 * Made for initial motions (search/initial.h); doc/search.md, equations 1 to 4. */
#ifndef MUYBRIDGE_WARP_H
#define MUYBRIDGE_WARP_H

#include "motion/clip.h"
#include "motion/path.h"

/* ---- rhythm: appendix B of the 2013 paper ---- */

/* When points touch the ground in a cycle. */
struct rhythm {
  int n_frames, n_points;
  double dt;                    /* [s]                                              */
  const unsigned char *contact; /* 1: on the ground            (n_frames x n_points) */
};

/* Of a gait of the creature: frame k is at phase (k + 1/2) / n_frames. */
struct rhythm rhythm_of_gait(struct arena *arena, const struct creature *c, const struct gait *g, int n_frames,
                             double dt);
struct rhythm rhythm_of_clip(const struct clip *clip);

/* How often a foot comes down in a cycle; 0 if it never touches the ground, -1 if it never leaves it. */
int rhythm_contacts(const struct creature *c, const struct rhythm *r, int foot);

/* Do all feet come down equally often? */
int rhythm_matches(const struct creature *c, const struct rhythm *a, const struct rhythm *b);

/* A cyclic clip with its contacts at the times of another rhythm, which must match. It goes as far in a cycle as
 * before, evenly along the same arc; the sway about that is kept. No forces. */
struct clip *warp_rhythm(struct arena *arena, const struct creature *c, const struct clip *cycle,
                         const struct rhythm *target);

/* The time warp of a foot alone: time in the clip [frames] at the times of the target's frames (target->n_frames). */
void warp_foot_times(const struct creature *c, const struct rhythm *source, const struct rhythm *target, int foot,
                     double *times);

/* ---- velocity ---- */

/* A cyclic clip straight ahead at a speed [m/s], in a direction to the left of the nose [rad]; in place. */
void warp_velocity(struct clip *cycle, double speed, double strafe);

/* ---- bend ---- */

/* Adds a turn [rad] along the way, in place: heading and way of frame k turn by share[k] of it. Shares go from 0 to 1,
 * and are 0 in the first two frames and 1 in the last two, which belong to other clips. */
void warp_turn(struct path *path, double turn, const double *share);

/* Takes all turns of the heading off, in place: a path along x. */
void warp_straight(struct path *path);

/* Shares by the way gone between the second frame and the last but one: a path that was straight becomes an arc of a
 * circle. By time, where it hardly moves. (n_frames) */
void warp_share_circular(const struct creature *c, const struct path *path, double *share);

/* Shares by time, smoothly: as the reference heading of a transition goes. (n_frames) */
void warp_share_smooth(const struct path *path, double *share);

#endif
