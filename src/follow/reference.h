/* The motion that is to be followed: poses, velocities, torques and contacts at frames, cut into windows of control.
 * All ways to follow use it: tracking follows a path of clips, control graphs have one for each clip, modal control
 * samples clips that it edits while it plays, and writes down what it planned.
 *
 * It is put together from pieces of clips, one after the other on the ground, as a path through a motion graph shows
 * them; or from frames that came from elsewhere, with torques of their own; or it is one clip, for ever if that is a
 * cycle. Torques are those that the joints must supply in the frames' motion beside the clips' forces of the ground.
 * After what is tracked there may follow one cycle of the clip in which the motion ends ("after"): feedback looks that
 * far ahead. Time 0 is frame 0. SI units, radians. */
#ifndef MUYBRIDGE_FOLLOW_REFERENCE_H
#define MUYBRIDGE_FOLLOW_REFERENCE_H

#include "base/arena.h"
#include "base/diag.h"
#include "creature/creature.h"
#include "motion/clip.h"

/* Frames first .. first + count - 1 of a clip, any of a cyclic one. The clip's own ground frame is moved by `place`. */
struct reference_piece {
  const struct clip *clip;
  int id;                       /* of the clip: windows of the same frames of the same clip share a model             */
  int first, count;
  struct clip_advance place;
};

/* Where a window's motion is from: its first frame and the one at its end. Windows with the same key are the same
 * motion. */
struct reference_key { int clip, frame, n_frames, end_clip, end_frame, heading; }; /* heading: 0 on level ground */

struct reference {
  const struct creature *creature;
  int n_frames, n_dofs, n_points;
  double dt;
  double *q, *v, *torque;       /* torques of the root are 0                             (n_frames x n_dofs)     */
  unsigned char *contact;       /*                                                       (n_frames x n_points)   */
  double *force;                /* of the ground, as the clips say                       (n_frames x n_points x 3) */
  int cyclic;                   /* 1: it goes on for ever: the last frame is the first, moved by `advance`        */
  struct clip_advance advance;
  double climb;                 /* and raised by so much [m]                                                     */
  double slope;                 /* on which it lies [rad]                                                        */
  int torques_given;            /* they came with the frames                                                     */
  int n_windows;                /* that are tracked                                                              */
  int n_ahead;                  /* with those after them: the cycle in which the motion ends, or as many          */
  int *first;                   /* frame in which a window begins; [n_ahead] is the last frame   (n_ahead + 1)   */
  int *model;                   /* windows of the same motion have the same number               (n_ahead)       */
  int n_models;
  struct reference_key *keys;   /*                                                               (n_models)      */
  int *typical;                 /* a window of each model                                        (n_models)      */
};

struct reference_options {
  int window_frames;            /* about so many frames to a window; 0: an eighth of a cycle                      */
  double window_seconds;        /* where there is no cycle [s]; 0: 0.1, as in Liu 2010, section 3.2.3              */
};

/* The frames of all pieces and, if the last one is of a cyclic clip, a cycle after them. NULL after an error: pieces
 * of different frame rates or of another creature, or fewer than four frames in all. */
struct reference *reference_of_pieces(struct arena *arena, const struct creature *c, int n,
                                      const struct reference_piece *pieces,
                                      const struct reference_options *o, struct diag *d);

/* Frames from elsewhere: not cyclic; torque may be NULL (inverse dynamics with the clip's forces, which may be
 * zero). */
struct reference *reference_of_frames(struct arena *arena, const struct creature *c, const struct clip *clip,
                                      const double *torque, const struct reference_options *o, struct diag *d);

/* A clip as it is, to be sampled at any time. Velocities at frames are those of the cubic spline through all of them,
 * so that accelerations have no steps: torques of a motion that is sampled at another rate, or warped in time, stay as
 * smooth as the motion. Torques are not known: 0. One window. */
struct reference *reference_of_clip(struct arena *arena, const struct creature *c, const struct clip *clip);

/* Between frames, a share (0 .. 1) of the way from frame k to the next: cubic poses through the frames and their
 * velocities, torques in a straight line. What is NULL is not wanted. */
void reference_between(const struct reference *r, int k, double share, double *q, double *v, double *torque);

/* The same at a real frame. Before the first and after the last frame, one that is no cycle stands still. */
void reference_at(const struct reference *r, double frame, double *q, double *v, double *torque);

/* Contacts of the frame nearest to it (n_points), and forces in a straight line between two frames in which the point
 * stands (n_points x 3). Forces turn with a cycle that turns. */
void reference_contacts(const struct reference *r, double frame, unsigned char *contact, double *force);

/* The frame nearest to one, at most `reach` away, in which contacts change; the frame itself if there is none. */
int reference_nearest_change(const struct reference *r, int frame, int reach);

/* Lays the motion on a slope that rises along x by so many radians: feet and root as high above it as above level
 * ground, the trunk upright as it was, legs bent to fit. Forces stay what they are; torques become those that the bent
 * legs need with them, unless they were given. */
void reference_lay(struct reference *r, double slope);

double reference_seconds(const struct reference *r); /* of what is tracked */

/* Is the root far from a pitch of a right angle all through a window, so that its angles serve as coordinates? */
int reference_upright(const struct reference *r, int window);

#endif
