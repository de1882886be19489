/* A path: some frames of motion along the ground, cut out of clips or made by hand, physical or not.
 *
 * Blends and warps make paths from paths. Every frame has a reference heading beside its pose: where it goes, free of
 * the sway of the root's own yaw. A path that is the cycle of a gait repeats: frame n_frames is frame 0, moved on. */
#ifndef MUYBRIDGE_PATH_H
#define MUYBRIDGE_PATH_H

#include "motion/clip.h"

struct path {
  int n_frames, n_dofs, n_points;
  double dt;                    /* [s]                                                       */
  double *q;                    /*                                   (n_frames x n_dofs)     */
  double *heading;              /* not wrapped [rad]                 (n_frames)              */
  unsigned char *contact;       /* 1: the point is on the ground     (n_frames x n_points)   */
};

struct path *path_new(struct arena *arena, const struct creature *c, int n_frames, double dt);

/* Frames first .. first + n_frames - 1 of a clip, any of a cyclic one, where they stand. */
struct path *path_of_clip(struct arena *arena, const struct creature *c, const struct clip *clip, int first,
                          int n_frames);

/* Copies frame k of a clip, moved by place, to frame `to` of a path. */
void path_set_frame(struct path *path, int to, const struct clip *clip, int k, struct clip_advance place);

double *path_pose(const struct path *path, int k);

/* Where a frame stands: below its root, along its heading. */
struct clip_advance path_ground(const struct path *path, int k);

/* Moves all frames over the ground. */
void path_carry(struct path *path, struct clip_advance by);

/* Starts at the origin, along x. */
void path_go_home(struct path *path);

/* Does a foot touch the ground? */
int path_foot_stands(const struct creature *c, const struct path *path, int k, int foot);

/* The path as a clip, without forces and names; the arrays are the path's. It turns by what its heading does. */
struct clip *path_to_clip(struct arena *arena, const struct creature *c, const struct path *path);

#endif
