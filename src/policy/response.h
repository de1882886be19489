/* Responses: from every decision node, something else is asked all of a sudden. How long until it is done, how far
 * beyond does it go? No chance is involved.
 *
 * A creature that is at a node and has been asked for exactly what it does there is asked, at the moment of choice, for
 * another value of one parameter; the others stay. Angles change by 30, 90 and 180 degrees, both ways; a speed to
 * either end and to the middle of its range; a gait to each of the task's that it is not in. */
#ifndef MUYBRIDGE_RESPONSE_H
#define MUYBRIDGE_RESPONSE_H

#include "motion/features.h"
#include "policy/performance.h"
#include "player/muybridge-player.h"
#include "task/task.h"

struct response_step {          /* the same for all nodes                                                             */
  int parameter;                /* of the task                                                                        */
  double size;                  /* angles: by so much [rad]; else unused                                              */
  double value;                 /* speeds and gaits: to this; else unused                                             */
};

struct response {
  int node;
  int applies;                  /* 0: it does that already; the rest is 0 then                                        */
  double asked;                 /* angles against the heading at the node [rad], [m/s], gait                          */
  struct performance_rest rest; /* time, overshoot, what error is left                                                */
  double *error;                /* signed, done - asked; of angles unwrapped                       (n_frames)         */
};

struct response_table {         /* lives in an arena; read-only                                                       */
  const struct task *task;
  int n_nodes, n_steps, n_frames;
  double dt;
  struct response_step *steps;  /* by parameter; angles -90, -30, 30, 90, 180 degrees              (n_steps)          */
  struct response *responses;   /* of node i to step k at i n_steps + k                                               */
};

/* Each is watched for so many seconds. NULL after an error: a player that does not fit the task. */
struct response_table *response_of_nodes(struct arena *arena, const struct muy_player_controller *p,
                                         const struct task *t, double seconds, struct diag *d);

/* "direction by -90 degrees", "speed to 1.2 m/s", "gait to trot". */
struct text_phrase response_step_text(const struct task *t, const struct response_step *s);

#endif
