/* A creature under its control graph, pushed: what play and film have in common. */
#ifndef MUYBRIDGE_CLI_PUSHING_H
#define MUYBRIDGE_CLI_PUSHING_H

#include "cli/learn.h"
#include "control/scene.h"

#define PUSHING_MOST 256

struct pushing_options {
  const char *command;          /* that errors name           */
  const char *pushes, *balls;   /* lists; NULL: none           */
  const char *output, *picture;
  double random, seconds;       /* NaN: not said               */
  int look, physics;
  int engine;                   /* enum world_engine           */
  int no_limb_contact;
  uint64_t seed;
  struct learn_options learn;
};
void pushing_defaults(struct pushing_options *o, int argc, char **argv); /* of play */

struct pushing_events {
  int n_pushes, n_balls;
  struct disturb_push pushes[PUSHING_MOST];
  struct disturb_ball balls[PUSHING_MOST];
  double direction[PUSHING_MOST], speed[PUSHING_MOST];
};

struct pushed {
  struct learning learning;
  const struct scene *scene;
  const struct pushing_events *events;
  double seconds;               /* that were asked for         */
};

/* Learns a control graph if the run file has none, and plays; script may be NULL. The exit status. */
int pushing_play(struct arena *arena, const char *run, const char *script, struct pushing_options *o,
                 struct pushed *out,
                 struct diag *d);

#endif
