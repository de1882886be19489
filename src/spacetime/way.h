/* A way between two clips: the problem of a transition with so many frames, and what is made of its solution. Private to this room. */
#ifndef MUYBRIDGE_SPACETIME_WAY_H
#define MUYBRIDGE_SPACETIME_WAY_H

#include "spacetime/problem.h"
#include "spacetime/schedule.h"
#include "spacetime/spacetime.h"

/* Its own frame of reference: the root starts at the origin, heading along x. */
struct way {
  const struct transition_request *r;
  const struct creature *body;
  int n_frames;
  double dt, L;
  double *heading, *path;       /* nominal                    (n_frames), (n_frames x 2) [rad], [m] */
  struct schedule schedule;
  struct problem_input in;
};

struct way way_lay_out(struct arena *arena, const struct transition_request *r, int n_frames);

/* Starts for the optimizer: both clips played on, blended from one to the other along the nominal way; or an earlier solution with as many frames. */
void way_guess_blend(struct arena *arena, const struct problem *p, const struct way *w, double *x);
void way_guess_again(const struct problem *p, const struct way *w, const struct clip *clip, double *x);

struct clip *way_clip(struct arena *arena, const struct way *w, const struct problem *p, const double *x);

/* "walk-turn", "walk-trot" */
const char *way_name(struct arena *arena, const struct transition_request *r);

/* Where the feet are in their steps when a clip is left at a frame, or entered. */
struct stride way_stride(struct arena *arena, const struct creature *body, const struct clip *clip, int frame, int entered);

/* Mean velocity of a clip in the frame of its heading [m/s]. */
void way_velocity(const struct clip *clip, double out[2]);

#endif
