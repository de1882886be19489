/* A motion under modal-space control from start to end: in the room's own linearised dynamics, or in a simulated world
 * that gets nothing but its joint torques (doc/modal.md, 9). Pushes, edits, loads. SI units in and out. */
#ifndef MUYBRIDGE_MODAL_RUN_H
#define MUYBRIDGE_MODAL_RUN_H

#include "base/diag.h"
#include "modal/modal.h"
#include "physics/world.h"

struct modal_run_push { double from, seconds, force[3]; int limb; };

/* A weight in the hands, or wherever: held by limbs, a share each, from some time on. */
#define MODAL_CARRIERS 4
struct modal_run_load { double from, mass; int n_limbs, limbs[MODAL_CARRIERS]; };

enum modal_ground { MODAL_OWN, MODAL_WORLD };

struct modal_run_options {
  struct modal_options control;
  enum modal_ground where;
  struct world_options world;   /* of MODAL_WORLD                                                         */
  double seconds;
  int first;                    /* frame of the clip where it starts                                      */
  double slope;                 /* [rad]                                                                  */
  double reaction;              /* after a push [s]; 0.2                                                  */
  int n_pushes, n_edits;
  const struct modal_run_push *pushes;
  const struct guide_edit *edits;
  struct modal_run_load load;   /* mass 0: none                                                           */
};
void modal_run_defaults(const struct creature *c, struct modal_run_options *o);

/* At most so far off before it counts as fallen: height [L], orientation [rad], as the judge of other trackers has it. */
#define MODAL_FALLEN_HEIGHT 0.15
#define MODAL_FALLEN_ANGLE 0.5236

struct modal_run {
  const struct creature *creature;
  int n, n_dofs, n_points;      /* steps done                                                             */
  int n_wanted;                 /* steps asked for                                                        */
  double dt;                    /* [s]                                                                    */
  int success;
  const char *fault;            /* "height", "tilt", "lost"; NULL: none                                   */
  double *start;                /* pose and velocity at the start               (2 x n_dofs)              */
  double *q, *reference;        /* after each step, and where the guide was     (n_wanted x n_dofs each)  */
  double *torque;               /* [N m]                                        (n_wanted x n_dofs)       */
  double *planned, *used;       /* forces of the ground [N]                (n_wanted x n_points x 3 each) */
  double *angle;                /* of the root against the guide [rad]          (n_wanted)                */
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

/* The same again: in the world by the torques that were kept, open loop; in its own dynamics, where contacts have the last
 * word on torques, planned anew. Nothing but what it did is filled in: n, q, used, torque, and all when it is planned anew.
 * NULL after an error. */
struct modal_run *modal_replay(struct arena *arena, const struct clip *clip, const struct modal_run *kept,
                               const struct modal_run_options *o, struct diag *d);

/* What it did as a clip, contacts where forces were. */
struct clip *modal_run_clip(struct arena *arena, const struct modal_run *r, const char *name);

/* A creature with masses added to bodies of limbs, at their far ends; its mass in units stays what it was. */
const struct creature *modal_laden(struct arena *arena, const struct creature *c, const struct modal_run_load *load);

#endif
