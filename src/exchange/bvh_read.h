/* Motion files of the Biovision kind (BVH): a tree of joints, and one line of numbers a frame.
 *
 * This file knows the text and nothing of bodies: lengths are in the file's own unit, angles in degrees, axes are the
 * file's. What they mean is for capture.h to find out. Files differ: tabs, CRLF, upper and lower case, channels in any
 * order, up to six channels on inner joints, names with spaces, a brace on the same line, no newline at the end are all
 * fine. */
#ifndef MUYBRIDGE_BVH_READ_H
#define MUYBRIDGE_BVH_READ_H

#include <stddef.h>

#include "base/arena.h"
#include "base/diag.h"

#define BVH_MAX_JOINTS   1000
#define BVH_MAX_DEPTH    200
#define BVH_MAX_CHANNELS 6          /* of a joint                         */
#define BVH_MAX_FRAMES   1000000
#define BVH_MAX_NUMBER   1e6        /* largest offset, position and angle */
#define BVH_MAX_BYTES    (256u << 20)

enum bvh_channel { BVH_X_POSITION, BVH_Y_POSITION, BVH_Z_POSITION, BVH_X_ROTATION, BVH_Y_ROTATION, BVH_Z_ROTATION };

struct bvh_joint {
  const char *name;                 /* of an end site: its parent's, and " end"                */
  int parent;                       /* < own index; -1 for the root, which is joint 0          */
  int is_end;                       /* an end site: a point, nothing turns there               */
  int line;
  double offset[3];                 /* from the parent's                                       */
  int n_channels, first_channel;    /* in a frame                                              */
  enum bvh_channel channels[BVH_MAX_CHANNELS];
};

struct bvh {
  const char *file;
  int n_joints, n_channels, n_frames;
  const struct bvh_joint *joints;   /* parents first, in the order of the file  (n_joints)     */
  double frame_time;                /* [s]                                                     */
  const double *values;             /* in the order of the channels   (n_frames x n_channels)  */
};

/* NULL after an error; all that is wrong is reported, as far as one fault does not hide the next, each with a line. */
const struct bvh *bvh_load(struct arena *arena, const char *path, struct diag *d);
const struct bvh *bvh_parse(struct arena *arena, const char *name, const char *text, size_t length, struct diag *d);

/* "Xposition" */
const char *bvh_channel_name(enum bvh_channel channel);

#endif
