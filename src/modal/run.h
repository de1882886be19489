/* A motion under modal-space control from start to end: in linearised dynamics, or in a simulated world
 * that gets nothing but its joint torques (doc/modal.md, 10). Pushes, edits, loads. SI units in and out. */
#ifndef MUYBRIDGE_MODAL_RUN_H
#define MUYBRIDGE_MODAL_RUN_H

#include "base/diag.h"
#include "follow/fall.h"
#include "follow/rollout.h"
#include "modal/modal.h"

enum modal_ground { MODAL_LINEAR, MODAL_WORLD };

struct modal_run_options {
  struct modal_options control;
  enum modal_ground where;
  struct world_options world;   /* of MODAL_WORLD                                                         */
  double seconds;
  int first;                    /* frame of the clip where it starts                                      */
  double slope;                 /* [rad]                                                                  */
  struct fall_limits fall;      /* beyond which it has fallen: fall_limits_following; not kept               */
  double reaction;              /* after a push [s]; 0.2                                                  */
  int n_pushes, n_edits;
  const struct disturb_push *pushes;
  const struct reference_edit *edits;
  struct disturb_load load;     /* mass 0: none                                                           */
};
void modal_run_defaults(const struct creature *c, struct modal_run_options *o);

struct modal_run {
  const struct creature *creature;
  int n, n_dofs, n_points;      /* steps done                                                             */
  int n_wanted;                 /* steps asked for                                                        */
  double dt;                    /* [s]                                                                    */
  int success;
  const char *fault;            /* "height", "tilt", "lost"; NULL: none                                   */
  struct reference *followed;   /* poses of the reference, planned torques and forces, step by step (n_wanted + 1
                                   frames) */
  struct follow_motion *motion; /* what came of them; frame 0 is the start      (n + 1 frames)            */
  double *start;                /* pose and velocity at the start               (2 x n_dofs)              */
  /* views of these two, from step to step */
  double *q, *reference;        /* after each step, and where the reference was     (n_wanted x n_dofs each)  */
  double *torque;               /* [N m]                                        (n_wanted x n_dofs)       */
  double *planned, *used;       /* forces of the ground [N]                (n_wanted x n_points x 3 each) */
  double *angle;                /* of the root against the reference [rad]          (n_wanted)                */
  double *place;                /* centre of mass against the clip's own lane [m] (n_wanted x 2)          */
  int *newton, *pivots, *low;   /* work of the solvers, modes planned long      (n_wanted each)           */
  double worst_angle, worst_height, mean_angle, mean_joint; /* [rad], [L], rms [rad]                      */
  double most_missed;           /* farthest that legs were short of an edited foothold [L]                */
  int lemke_failures, newton_failures;
  double seconds_control;       /* processor time of all but the world's steps                            */
};

/* NULL after an error; falling is none. The clip may be any of the creature. */
struct modal_run *modal_run(struct arena *arena, const struct creature *c, const struct clip *clip,
                            const struct modal_run_options *o, struct diag *d);

/* A run of `steps` steps before its start. */
struct modal_run *modal_run_new(struct arena *arena, const struct creature *c, int steps, double dt);

/* Sets the views of a run whose reference and motion are there. */
void modal_run_views(struct modal_run *r);

/* Options of the rollout in which a run's torques are followed: world, ground, pushes, load. */
struct rollout_options modal_rollout(const struct modal_run_options *o);

#endif
