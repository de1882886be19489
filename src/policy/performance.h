/* A performance: a controller was played for a while, and all of it was written down.
 *
 * What was asked comes from a script, or from the task's own user, who jumps and drifts at random as the task says. The
 * motion is one long clip, which verify_clip() can judge and exchange.h can write. */
#ifndef MUYBRIDGE_PERFORMANCE_H
#define MUYBRIDGE_PERFORMANCE_H

#include <stdint.h>

#include "motion/clip.h"
#include "motion/features.h"
#include "player/muybridge-player.h"
#include "task/script.h"
#include "task/task.h"

struct performance_request {
  const struct task *task;      /* and its creature                                                                   */
  const struct muy_player_controller *player; /* made for this task: controller_fits() */
  const struct script *script;  /* of this task; NULL: the task's own user                                            */
  double seconds;               /* how long; of a script it says so itself                                            */
  uint64_t seed;                /* of the task's own user                                                             */
  int node;                     /* where it begins                                                                    */
};

struct performance {            /* lives in an arena; what it was made of must live as long; read-only                */
  const struct task *task;
  const struct muy_player_controller *player;
  const struct script *script;  /* NULL: the task's own user                                                          */
  int n_frames, n_parameters;
  double dt;                    /* [s]                                                                                */
  struct clip *motion;          /* all of it: poses, forces, contacts; not cyclic                                     */
  struct frame_features *features; /* what was done; angles as headings in the world               (n_frames)         */
  double *asked;                /* theta of the task, but angles that are relative as headings in the world
                                                                                        (n_frames x n_parameters)     */
  double *body_cost;            /* by controller_body_cost()                                       (n_frames)         */
  double *task_cost;            /* weighted                                             (n_frames x n_parameters)     */
  int *segment;                 /* being played; frame `at` of it is what is shown                 (n_frames)         */
  int *at;
  double cost, mean_body;       /* of a frame, means                                                                  */
  double *mean_task;            /* weighted cost, mean                                             (n_parameters)     */
  double *mean_error;           /* absolute [rad], [m/s]; of gaits the share of time in the wrong one (n_parameters)  */
  int n_answers;
  struct performance_answer *answers; /* to each command of a script, in its order                 (n_answers)        */
};

/* How a command was followed, from when it was given until something else is asked, of any parameter, or the end. */
struct performance_answer {
  double time;                  /* when it was asked [s]                                                              */
  int parameter;
  double asked;
  double until;                 /* [s]                                                                                */
  double before;                /* error in the frame when it was asked, [rad], [m/s], 0 or 1; signed: done - asked   */
  double reached;               /* time until it was there and stayed [s]; INFINITY: it was not                       */
  double overshoot;             /* beyond what was asked, >= 0                                                        */
  double error;                 /* mean absolute, from `reached` on; if never reached: of the last second             */
};                              /* a command that is never in force has 0 for all but the first four                  */

/* One frame more than seconds hold, at least 4. NULL after an error: a player that does not fit the task, no such node,
 * more than PERFORMANCE_MOST frames. */
struct performance *performance_play(struct arena *arena, const struct performance_request *r, struct diag *d);
#define PERFORMANCE_MOST 20000000

/* done - asked: angles in [-pi, pi), m/s, 0 or 1 for gaits. */
double performance_error(const struct task_parameter *p, const struct frame_features *f, double asked);

/* Within how much of what was asked one is there: 10 degrees, 5 % of the speed (or 1 % of sqrt(g L), if that is more),
 * the right gait. */
double performance_tolerance(const struct task_parameter *p, double asked);

/* Mean cost of frames 0 .. k for all k: the running cost (n_frames). */
void performance_running(const struct performance *p, double *out);

/* How errors come to rest: signed errors of n frames at interval dt; of angles unwrapped, by performance_unwrap(). */
struct performance_rest {
  double time;                  /* from the first frame until they stay within tolerance; INFINITY                    */
  double overshoot;             /* how far beyond 0, seen from where they began                                       */
  double error;                 /* mean absolute from then on; if never: of the last second                           */
};
struct performance_rest performance_rest(const double *error, int n, double dt, double tolerance);

/* Errors on a circle without jumps of whole turns; the last one is nearest to 0. */
void performance_unwrap(double *error, int n);

#endif
