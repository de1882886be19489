/* Private to src/spacetime. The problem of a transition with a given number of frames, and what is made of its
 * solution. */
#ifndef MUYBRIDGE_SPACETIME_TRANSITION_PROBLEM_H
#define MUYBRIDGE_SPACETIME_TRANSITION_PROBLEM_H

#include "spacetime/leap.h"
#include "spacetime/problem.h"
#include "spacetime/schedule.h"
#include "spacetime/spacetime.h"

/* By transition_lay_out(). Its own frame of reference: the root starts at the origin, heading along x. */
struct transition_problem {
  const struct transition_request *r;
  const struct creature *body;  /* see body.h                                                       */
  int n_frames;
  double dt, L;                 /* time between frames [s], standing height [m]                     */
  double *heading, *path;       /* nominal                    (n_frames), (n_frames x 2) [rad], [m] */
  struct leap_way leap;         /* NULL, if it is none                                              */
  struct schedule schedule;
  struct problem_input in;
};

/* legs: of a leap. */
struct transition_problem transition_lay_out(struct arena *arena, const struct transition_request *r, int n_frames,
                                             enum leap_legs legs, const struct spacetime_options *o);

/* How far its feet would have to reach: see footholds_strain(). */
double transition_strain(struct arena *arena, const struct transition_request *r, int n_frames,
                         const struct spacetime_options *o);

/* Starts for the optimizer: both clips played on, blended from one to the other along the nominal path; or an earlier
 * solution with as many frames. */
void transition_guess_blend(struct arena *arena, const struct problem *p, const struct transition_problem *w,
                            double *x);
void transition_guess_clip(const struct problem *p, const struct transition_problem *w, const struct clip *clip,
                           double *x);

struct clip *transition_clip(struct arena *arena, const struct transition_problem *w, const struct problem *p,
                             const double *x);

/* "walk-turn", "walk-trot" */
const char *transition_name(struct arena *arena, const struct transition_request *r);

/* Where the feet are in their steps when a clip is left at a frame, or entered. */
struct stride transition_stride(struct arena *arena, const struct creature *body, const struct clip *clip, int frame,
                                int entered, const struct spacetime_options *o);

/* Mean velocity of a clip in the frame of its heading [m/s]. */
void transition_velocity(const struct clip *clip, double out[2]);

#endif
