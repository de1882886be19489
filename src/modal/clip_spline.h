/* A clip between its frames: the cubic spline through all of them, whose accelerations have no steps. Torques of a
 * motion that is sampled at another rate, or warped in time, stay as smooth as the motion. */
#ifndef MUYBRIDGE_MODAL_CLIP_SPLINE_H
#define MUYBRIDGE_MODAL_CLIP_SPLINE_H

#include "motion/clip.h"

struct clip_spline;

struct clip_spline *clip_spline_new(struct arena *arena, const struct clip *clip);

/* The pose at a frame, any real one; before the start and after the end of a clip that is no cycle its first and last
 * frames are held (n_dofs). SI units. */
void clip_spline_pose(const struct clip_spline *s, double frame, double *q);

/* Contacts of the frame nearest to it (n_points), and forces in a straight line between two frames in which the point
 * stands (n_points x 3). Forces turn with a cycle that turns. */
void clip_spline_contacts(const struct clip_spline *s, double frame, unsigned char *contact, double *force);

#endif
