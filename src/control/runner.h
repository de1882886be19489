/* A creature that walks its control graph in a simulated world, pushed or not.
 *
 * At the start of every fragment the policy says how far servo targets are to be off the reference, from the state
 * alone; it does not know of pushes. Where the value of the state is high, it looks ahead: candidates around what the
 * policy says, and the same fragment begun a little later or earlier (phase), are tried for some fragments in a world
 * of its own, the tree engine, and the one that ends in the least value is taken. doc/control.md. */
#ifndef MUYBRIDGE_CONTROL_RUNNER_H
#define MUYBRIDGE_CONTROL_RUNNER_H

#include "base/rng.h"
#include "control/body.h"
#include "control/controls.h"
#include "control/path.h"
#include "follow/fall.h"

struct runner_options {
  struct world_options world;   /* the simulator of record                                                         */
  const struct creature *body;  /* that is simulated, if it is not quite the graph's: one with a load; NULL: it is */
  int candidates;               /* of a round of looking ahead; 0: the policy alone decides                        */
  int rounds;                   /* each narrower than the one before, around the best                              */
  int horizon;                  /* fragments that are looked ahead                                                 */
  int step_horizon;             /* the same for a step out of a stand, until its feet are down; 0: it never steps  */
  int held;                     /* fragments, of these, whose offsets candidates differ in                         */
  int shift;                    /* frames by which the phase may be off at a fragment's start                      */
  double spread;                /* of candidates [rad]                                                             */
  double calm;                  /* value below which the policy alone decides,                                     */
  int glance;                   /* unless in so many fragments it leads to                                          */
  double alarm;                 /* a value above this                                                               */
  double patience;              /* value above which a transition is put off: the clip goes on until the next node  */
  struct fall_limits fall;      /* beyond which it has fallen: fall_limits_upright                                  */
  uint64_t seed;
  double widest;                /* factor on the spread where values are high, at most                              */
  double narrower;              /* factor on the spread from a round to the next                                    */
  double desperate;             /* where no candidate ends below this value, more rounds are done:                  */
  int longer;                   /* so many times as many                                                            */
  double effort;                /* weight of squared offsets beside the policy's [1 / rad^2]                        */
  double hopeless;              /* a candidate is dropped where its value after a fragment is more than so many times
                                   the least there                                                                  */
  double kept;                  /* a plan suffices if its cost is at most this share of what the last look promised */
  double leash_along;           /* a path yields to a creature that is farther ahead or behind than this [L],        */
  double leash_aside;           /* or farther aside; INFINITY: never                                                */
  int elite;                    /* candidates, the best of a round, around whose mean the next one is; at least 1   */
};
void runner_defaults(const struct creature *c, struct runner_options *o);

enum runner_state { RUNNER_UP, RUNNER_FALLEN };

struct runner {
  const struct controls *controls;
  struct runner_options options;
  struct control_body *body;    /* of record                                                                       */
  struct control_body *ahead;   /* to look ahead in; NULL: never                                                   */
  struct control_path path;
  enum runner_state state;
  double time;                  /* since the start [s]                                                             */
  int frame;                    /* of the path's fragment's clip that is being run, or run next                    */
  int until;                    /* frames up to here are run before the next fragment                              */
  int under_way;                /* 1: in the middle of a fragment: what will be done until its end is decided, u   */
  long fragments, looks;        /* run; of these, looked ahead                                                     */
  long leaves, put_off;         /* transitions that were chosen; of these, put off                                 */
  double value;                 /* of the last fragment's start                                                    */
  double *least;                /* value after each fragment of looking ahead, of any candidate (the longer horizon) */
  path_choice *choose;          /* NULL: clips go on                                                               */
  void *choose_user;
  void (*every_frame)(void *user, struct runner *r); /* before each frame is run: to push, to record; may be NULL  */
  void (*every_step)(void *user, struct runner *r);  /* before each step of the world; may be NULL                 */
  /* before each fragment is run, from so many frames after its start; q, v, x: the state there, u: what will be done,
   * which may be changed; may be NULL */
  void (*every_fragment)(void *user, struct runner *r, int shift);
  void *frame_user;             /* of these three                                                                  */
  struct rng rng;
  long planned;                 /* the fragment (counted as above) that the last look made a plan for; -1: none    */
  double promised;              /* cost that it foresaw                                                            */
  double *plan;                 /* offsets beside the policy's                                  (held x controls)  */
  double *q, *v;                /* state at the last decision, as if the ground were level: level.h      (n_dofs)  */
  double *x, *u, *best, *trial; /* scratch, but for u: servo offsets of the present fragment                       */
};

/* NULL after an error; to be freed before the arena. */
struct runner *runner_new(struct arena *arena, const struct controls *c, const struct runner_options *o,
                          struct diag *d);
void runner_free(struct runner *r); /* NULL is fine */

/* At a fragment, its path beginning at x, y, heading as said; off by errors (NULL: exactly on it). */
void runner_start(struct runner *r, int fragment, double x, double y, double heading, const double *errors);

/* Runs the present fragment, or what is left of it, and goes on to the next. 0 when the creature has fallen. */
int runner_go(struct runner *r);

/* The same by one frame: at a fragment's start decides what to do all through it, then runs a frame, and after the last
 * one goes on to the next fragment. */
int runner_frame(struct runner *r);

/* Puts the creature into other worlds, such as one with another ground, in the state that it is in, higher by `lift`
 * [m]. It continues as it did; pushes that act are over. 0 after an error: then all is as before. */
int runner_change_world(struct runner *r, const struct world_options *o, double lift, struct diag *d);

#endif
