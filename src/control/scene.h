/* A scene: a creature walks its control graph for a while, is pushed and has balls thrown at it, and all of it is
 * written down. When it falls it goes limp, and lies where it comes to rest. */
#ifndef MUYBRIDGE_CONTROL_SCENE_H
#define MUYBRIDGE_CONTROL_SCENE_H

#include "follow/disturb.h"
#include "control/runner.h"

struct scene_options {
  struct runner_options runner;
  double seconds;
  int n_pushes, n_balls;
  const struct disturb_push *pushes;
  const struct disturb_ball *balls;     /* x and v are aimed at the time of the throw: direction and speed below */
  const double *ball_direction, *ball_speed; /* (n_balls)                                                        */
  double limp;                          /* seconds of lying after a fall, at most                                */
  double start;                         /* size of errors at the start                                           */
  int fragment;                         /* where it begins                                                       */
  path_choice *choose;
  void *choose_user;
  void (*tick)(void *user, double time); /* before each frame: what is asked may change; may be NULL              */
  void *tick_user;
  double rest;                          /* a limp creature slower than this everywhere is at rest [sqrt(g L)],
                                           [sqrt(g / L)]                                                         */
  struct disturb_flight flight;         /* of balls                                                              */
};
void scene_defaults(const struct creature *c, struct scene_options *o);

struct scene {                  /* in the arena; the motion is not cyclic                                        */
  struct clip *motion;          /* poses, forces, contacts at frames                                             */
  double *value;                /* of the state, as of the last fragment's start               (n_frames)        */
  double *errors;               /* of pitch, roll, place over the ground and heading       (n_frames x 4)        */
  double *balls;                /* place of each; NaN: not flying                  (n_frames x n_balls x 3)      */
  int fallen;                   /* frame in which it fell; -1: it did not                                        */
  double fell_after;            /* [s]; of a creature that did not: all                                          */
  long fragments, looks, leaves, put_off;
  double *ball_impulse;         /* that each ball gave [N s]                                   (n_balls)         */
  double processor;             /* seconds                                                                       */
};

/* NULL after an error. */
struct scene *scene_play(struct arena *arena, const struct controls *c, const struct scene_options *o, struct diag *d);

#endif
