/* Modal-space control after Jain and Liu 2011 (doc/modal.md).
 *
 * At every step the creature is linearised at its pose and taken apart into modes. Forces of the ground are planned
 * over a window for the rigid modes, actuation over the same window for the modes of low frequency, each by itself; the
 * others are driven to the next step of the reference at once. Contacts then get the forces that they really have, by a
 * linear complementarity problem. Nothing is learned or computed beforehand, so the reference may be edited while it
 * plays.
 *
 * One struct modal serves one creature and one thread; nothing allocates after modal_new(). Units: modes.h. */
#ifndef MUYBRIDGE_MODAL_MODAL_H
#define MUYBRIDGE_MODAL_MODAL_H

#include "modal/editable_reference.h"

#define MODAL_WINDOW_MOST 120
#define MODAL_EDGES 6           /* of the polygon that stands for the friction cone in the LCP */

/* Footstep placement (footsteps.c). Lengths in leg lengths L, times in steps of the controller. */
struct modal_footstep_options {
  double farthest;              /* largest distance of a foothold from the reference's [L]                         */
  int look;                     /* how far ahead the next landing of a foot is searched for [steps]                */
  double least_height;          /* of the centre of mass over the ground, in predictions of how it falls [L]       */
  double stretched;             /* reach of a leg, as a multiple of its stretched length                           */
  double lag;                   /* a body that is farther behind its front foot than this lifts no heel [L]        */
  int lag_steps;                /* and is looked at again after this time [steps]                                  */
  double far;                   /* a foothold farther off than this makes the reference play faster [L]            */
  double far_range;             /* distance beyond `far` at which it does so by the full factor `hurry` [L]        */
  int too_late;                 /* a foot that lands sooner than this is not hurried [steps]                       */
  double haste;                 /* largest change of the pace from step to step                                    */
};

/* Which points are on the ground, and how feet are brought there (contact.c, stand.c, plan_rigid.c). */
struct modal_ground_options {
  double touch;                 /* a point lower than this is on the ground [L]                                    */
  double near;                  /* a point lower than this may come to be on it within a step [L]                  */
  double settle;                /* speed at which a late foot comes down [sqrt(g L)]                               */
  double pressed;               /* a point with less planned force is not asked to stay in place [weights]         */
  double loaded;                /* a point with less planned force is free to slide (stand.c) [weights]            */
  double damping;               /* of mobilities: corrections that need extreme joint motions are left to the ground */
  double lift;                  /* share of a point's depth or height that is corrected in one step                */
};

struct modal_options {
  double step;                  /* time between plans; in a human 1/120 s                                          */
  int window;                   /* steps planned ahead                                                             */
  double threshold;             /* modes with squared frequencies below are planned over the window                */
  int n_chosen;                 /* instead of those: number of modes in `chosen`, which are numbered from 6 on     */
  const int *chosen;            /*                                                          (n_chosen)             */
  double friction;              /* below 0: the creature's                                                         */
  double place, turn, speed, spin; /* weights at the end of the window: centre of mass, mean rotation, velocities  */
  double force;                 /* weight of forces of the ground                                                  */
  int hold;                     /* steps for which a planned force stays what it is; 1: it may change at every step */
  double low_place, low_speed, low_effort; /* the same of a mode of low frequency, and of its actuation            */
  double high;                  /* frequency at which errors of the other modes die away; 0: within one step, as in the
                                   paper */
  double yield;                 /* share of an unplanned contact force that moves the modes of low frequency       */
  double footholds;             /* 0: feet are set where the reference has them; 1: further by how far the body
                                   will have fallen aside when they land (modal/footsteps.c) */
  double swing;                 /* frequency at which feet in the air are held to where they shall be in the world; 0:
                                   not at all */
  double follow, comeback;      /* times in which the reference's lane moves to where the body is, and back; 0: not */
  int hold_on;                  /* 1: the only foot that stands is not lifted while the next one is late            */
  double hurry;                 /* share by which steps may be faster, and shorter, when a foothold is far from the
                                   reference's; 0: not */
  double muscle;                /* while a push is not noticed yet: frequency at which muscles hold modes of low
                                   frequency against being stretched; 0: not at all, as in the paper */
  int stand;                    /* 1: joints give way so that loaded feet stand as planned (modal/stand.c); 0: as in the
                                   paper */
  int frozen;                   /* 1: as in the paper, levers of forces and momenta stay those of the present pose, and
                                   forces are kept small instead of near those of the clip                         */
  int still;                    /* 1: as in the paper, forces of velocity are left out                             */
  struct modal_footstep_options footsteps; /* not kept in run files: a replay has the defaults                     */
  struct modal_ground_options ground;      /* likewise                                                             */
  double stiffness;             /* of a joint's spring, per mass that it carries [g L per rad]: in a human 1 N m per rad
                                   and kg, as in the paper; not kept either                                        */
};
void modal_defaults(struct modal_options *o);

/* What was planned at the last step, and what came of it. */

struct modal_plan {
  int n_low;                    /* modes planned over the window                                                   */
  int newton, pivots;           /* work of the two solvers; newton < 0: stopped short                              */
  int lemke_failed;             /* 1: contact forces are those of the plan, clipped                                */
  int n_contacts;               /* of the whole window                                                             */
  struct { int step, point, part; double force[3]; } *contacts; /* step: ahead; part: which force it is   (room)    */
  double *planned, *used;       /* forces at this step on points                            (n_points x 3 each)    */
  double *torque;               /* of muscles, springs of the modes included; 0 of the root  (n_dofs)               */
};

struct modal;

struct modal *modal_new(struct arena *arena, const struct creature *c, const struct modal_options *o);
const struct modal_plan *modal_last(const struct modal *m);
const struct modes *modal_modes(const struct modal *m); /* at the pose of the last step */

/* A load that it knows of: dynamics of the creature with it, and the whole mass; NULL and 1: none. */
void modal_load(struct modal *m, struct dynamics *d, double mass);

/* Where the creature is: pose, and velocity as the difference to the step before. */
struct modal_state { double *q, *v; };

/* Plans at step i of the reference. 0 if the state is none. */
int modal_plan(struct modal *m, struct editable_reference *g, int i, const struct modal_state *s);

/* The same while a push has not been noticed: long plans are those of a twin that was not pushed and goes on by itself
 * (its state is moved one step on); the rest is of the true state. */
int modal_plan_unaware(struct modal *m, struct editable_reference *g, int i, const struct modal_state *s,
                       struct modal_state *twin);

/* For a step that a simulated world makes: velocities before and after it. */
void modal_observe(struct modal *m, const double *before, const double *after);

/* What one step leaves to the next: put writes it, get reads it into one of the same creature. */
void modal_put(struct bytes_writer *w, const struct modal *m);
void modal_get(struct bytes_reader *r, struct modal *m);

/* Contact forces by the LCP, with an unplanned force (generalized, n_dofs; NULL: none), and the state one step
 * later. 0 if it is lost. After modal_plan() at the same state. */
int modal_step(struct modal *m, struct editable_reference *g, const double *load, struct modal_state *s);

/* The generalized force of a push [units of force] on a limb's centre of mass at a pose. */
void modal_push(struct modal *m, const double *q, int limb, const double force[3], double *load);

#endif
