/* A small controller by hand, without any search: the biped walks, turns to the left and right by 30, 60 and 90 degrees
 * at six points of its cycle, and goes where it is told. For tests. */
#ifndef MUYBRIDGE_TESTS_SMALL_CONTROLLER_H
#define MUYBRIDGE_TESTS_SMALL_CONTROLLER_H

#include "base/arena.h"
#include "base/diag.h"
#include "motion/graph.h"
#include "policy/controller.h"
#include "player/muybridge-player.h"

#define SMALL_MOST_CLIPS 32

struct small_controller {
  struct arena *arena;
  const struct creature *creature;
  int n_clips;
  struct graph_clip clips[SMALL_MOST_CLIPS]; /* the walk, then pairs of a turn and its mirror; ids are 1, 2, ... */
  const struct task *task;            /* the direction of travel, 72 values */
  const struct controller *controller;
  struct muy_player_controller *player;   /* loaded from its bytes              */
};

/* Solves the clips and all the rest; ends the program when something cannot be had. */
struct small_controller small_controller_new(void);
void small_controller_free(struct small_controller *s);

/* Another task for the same clips, from its text; ends the program when it is wrong. */
const struct task *small_task(const struct small_controller *s, const char *text);

/* A controller for it, and the player of a controller; muy_player_unload() frees that. */
const struct controller *small_solve(const struct small_controller *s, const struct task *t);
struct muy_player_controller *small_player(const struct small_controller *s, const struct controller *c);

#endif
