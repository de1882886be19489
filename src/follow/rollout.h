/* A creature in a simulated world follows windows of a reference, its servo targets off by what a controller says.
 *
 * Reference poses, velocities and torques drive the servos step by step, a window's offsets being added to the
 * poses. Where the ground is not what the reference lies on, the reference is taken to follow it: heights are above
 * the ground below the root, evened out over half a standing height. */
#ifndef MUYBRIDGE_FOLLOW_ROLLOUT_H
#define MUYBRIDGE_FOLLOW_ROLLOUT_H

#include "base/arena.h"
#include "physics/world.h"
#include "follow/cost.h"
#include "follow/disturb.h"
#include "follow/reference.h"

enum rollout_drive {
  DRIVE_POSES,                  /* servos on the reference's poses and velocities                              */
  DRIVE_TORQUES,                /* and the reference's torques, in a straight line from frame to frame         */
  DRIVE_HELD                    /* no servos: the reference's torques alone, each held for its frame           */
};

struct rollout_options {
  struct world_options world;
  enum rollout_drive drive;
  const struct cost_weights *weights;  /* NULL: usual ones */
  int n_pushes;                 /* each acts in all frames that begin within its time; `turned` is not for here */
  const struct disturb_push *pushes;
  struct disturb_load load;     /* taken up at the first frame that begins after its time                       */
};
void rollout_defaults(const struct creature *c, struct rollout_options *o);

/* What came of it, at the reference's frames. Forces, contacts and torques of frame k are those from frame k to k +
 * 1: means, and whether a point touched for at least half of that time. */
struct follow_motion {
  int n_frames, n_dofs, n_points; /* n_frames: until it was lost, if it was              */
  double *q, *v, *torque;       /* (n_frames x n_dofs)                                   */
  double *force;                /* (n_frames x n_points x 3)                             */
  unsigned char *contact;       /* (n_frames x n_points)                                 */
  double *ground; /* by how much the ground below the root is higher than the reference takes it to be (n_frames) */
};
struct follow_motion *follow_motion_new(struct arena *arena, const struct reference *r);

struct rollout {
  struct arena *arena;
  const struct reference *reference;
  struct rollout_options options;
  struct world *world;
  const struct creature *laden; /* with the load; NULL: there is none                    */
  int carries;                  /* 1: the world's creature is the laden one              */
  struct costs *costs;
  int steps;                    /* of the world to a frame                               */
  size_t state_size;            /* of the world's state [bytes]                          */
  double *q, *v, *target, *rate, *torque, *load; /* scratch                  (n_dofs)    */
  double *force, *total;        /* scratch                            (n_points x 3)     */
  unsigned char *touching;
  int *touched;
};

/* NULL after an error. The world is to be freed by rollout_free(), before the arena. */
struct rollout *rollout_new(struct arena *arena, const struct reference *r, const struct rollout_options *o,
                            struct diag *d);
void rollout_free(struct rollout *ro);

/* Puts the creature into a state, without a load that it may have taken up. */
void rollout_set(struct rollout *ro, const double *q, const double *v);

/* The state that is off frame `frame` of a reference by x (follow/errors.h; NULL: exactly on it), on the ground
 * there. */
void rollout_state(const struct reference *r, const struct terrain *ground, int frame, const double *x, double *q,
                   double *v);

/* Puts the creature into the state that is off frame `frame` of the reference by x (follow/errors.h; NULL: exactly on
 * it). */
void rollout_start(struct rollout *ro, int frame, const double *x);

/* Runs a window with offsets u (n_dofs - 6; NULL: none), recording into motion unless that is NULL. 0: lost. */
int rollout_window(struct rollout *ro, int window, const double *u, struct follow_motion *motion);

/* The errors against a frame; the cost there. 0 if the world is lost: then x is not written. */
int rollout_errors(struct rollout *ro, int frame, double *x);
int rollout_cost(struct rollout *ro, int frame, struct cost_terms *out);

/* Of the recorded motion: its state at the world's present, as frame k. */
void rollout_record(struct rollout *ro, int frame, struct follow_motion *motion);

#endif
