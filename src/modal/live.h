/* Modal-space control one step at a time, for as long as one likes: pushed, edited, laden, led by the hand and tilted
 * while it goes on (doc/modal.md, 9). modal_run() is a loop over it; a page in the browser is another.
 *
 * SI units, radians. Calls between two steps act from the next step on. Same calls, same bits. Memory does not grow
 * with the number of steps. A clip must outlive it. */
#ifndef MUYBRIDGE_MODAL_LIVE_H
#define MUYBRIDGE_MODAL_LIVE_H

#include "base/bytes.h"
#include "modal/run.h"

struct modal_live;

/* Begins with clips[0]; the others are for transitions. o->seconds 0: for ever. Pushes, edits and the load of the
 * options happen at their times; what they point to must outlive it. NULL after an error. */
struct modal_live *modal_live_new(const struct creature *c, int n_clips, const struct clip *const *clips,
                                  const struct modal_run_options *o, struct diag *d);
void modal_live_free(struct modal_live *l);                              /* NULL is fine */

/* All anew, at a frame of a clip whose own ground frame is moved by `place`; loads and the ground stay as they are. */
int modal_live_restart(struct modal_live *l, int clip, int frame, struct clip_advance place);

/* One step of control. It goes on while it is up: after a fall, states stay what they were. */
enum modal_live_state { MODAL_LIVE_LOST, MODAL_LIVE_UP, MODAL_LIVE_FALLEN };
enum modal_live_state modal_live_step(struct modal_live *l);
enum modal_live_state modal_live_state(const struct modal_live *l);
const char *modal_live_fault(const struct modal_live *l);               /* "height", "tilt", "lost"; NULL: none */

int modal_live_steps(const struct modal_live *l);                        /* since it began */
double modal_live_step_seconds(const struct modal_live *l);

/* ---- what is to be seen, after each step ---- */

/* Pose and velocity with which it began (2 x n_dofs). */
const double *modal_live_start(const struct modal_live *l);

/* Pose and velocity of the body, and of the reference at the same time (n_dofs each); any may be NULL. */
void modal_live_pose(const struct modal_live *l, double *q, double *v);
void modal_live_reference(struct modal_live *l, double *q, double *v);

const unsigned char *modal_live_contacts(struct modal_live *l); /* points that stand there (n_points) */

/* The world that it walks in; NULL: linearised dynamics. It is another one after a load was changed. */
struct world *modal_live_world(struct modal_live *l);

struct modal_live_report {      /* of the last step; valid until the next                                      */
  const double *torque;         /* that was planned [N m]                                  (n_dofs)            */
  const double *planned, *used; /* forces of the ground on points [N]                      (n_points x 3 each) */
  const unsigned char *contact; /* points that touched                                     (n_points)          */
  const double *given;          /* mean torque of the step                                 (n_dofs)            */
  double ground;                /* how high the ground below the root is against level [m]                     */
  double angle, height;         /* root against the reference [rad], [L]                                       */
  double joints;                /* mean square of joint angles against the reference [rad2]                    */
  double place[2];              /* centre of mass against the clip's own lane [m]                              */
  double missed;                /* farthest that legs are short of an edited foothold [L]                      */
  int newton, pivots, low, lemke_failed; /* work of the solvers, modes planned long                            */
  double seconds_control;       /* processor time of all steps, without the world's                            */
};
struct modal_live_report modal_live_report(const struct modal_live *l);

/* ---- what can be done to it ---- */

/* A force on a limb's centre of mass, from the next step on. 0: too many at a time. It is noticed after o->reaction. */
#define MODAL_LIVE_PUSHES 16
int modal_live_push(struct modal_live *l, int limb, const double force[3], double seconds);

/* Factors on the clip's tempo and stride, from now on; 0: not between 0.25 and 4, or too many changes at a time. */
int modal_live_tempo(struct modal_live *l, double factor);
int modal_live_stride(struct modal_live *l, double factor);

/* Goes over into another of its clips within `seconds`; 0: too many at a time. */
int modal_live_go_over(struct modal_live *l, int clip, double seconds);
double modal_live_left(struct modal_live *l);   /* seconds until the present clip ends; infinite: a cycle */

/* Any edit of the reference, with times since the start. */
int modal_live_edit(struct modal_live *l, const struct reference_edit *e);

/* A weight at the far end of a limb [kg]; 0 takes it off. 0 if there can be no such body: then it is as before. */
int modal_live_load(struct modal_live *l, int limb, double mass);

/* The ground tilts slowly about the creature's place, up along x, until it has this slope [rad]; 0: too steep. */
int modal_live_slope(struct modal_live *l, double slope);

/* Takes hold of a point of the reference's limb (limb frame) and leads it to a place in the world; again: moves the
 * place. Within reach, joint ranges and what legs can follow (hold.h). 0: nothing leads this limb. */
int modal_live_hold(struct modal_live *l, int limb, const double at[3], const double target[3]);
void modal_live_release(struct modal_live *l);

/* ---- saving ---- */

/* All that is needed to go on exactly so. get: into one that was made with the same creature, clips and options; 0: the
 * bytes are none of it, and it must be restarted. */
void modal_live_put(struct bytes_writer *w, const struct modal_live *l);
int modal_live_get(struct bytes_reader *r, struct modal_live *l);

#endif
