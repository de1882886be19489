/* Private to src/modal. What the files of the modal room share. */
#ifndef MUYBRIDGE_MODAL_ROOM_H
#define MUYBRIDGE_MODAL_ROOM_H

#include "modal/forces.h"
#include "modal/lemke.h"
#include "modal/modal.h"

#define MODAL_HELD 64           /* at most so many points are held at once               */

struct modal {
  const struct creature *c;
  struct modal_options o;
  struct dynamics *own, *d;     /* of the creature alone; with its load, if there is one       */
  double mass;                  /* with it                                                     */
  struct modes *modes;
  struct forces *forces;
  struct lemke *lemke;
  struct modal_plan plan;
  int blind;                    /* the last plan was that of a twin                                    */
  int n, n_points;
  double mu;
  double *bias;                 /* gravity, velocity and springs: M a + K dq = bias + f   (n)  */
  double *low;                  /* joint torques that drive low modes                     (n)  */
  double *high;                 /* and the others                                         (n)  */
  double *stand;                /* what they give way for feet that stand                 (n)  */
  double *act;                  /* by mode: actuation of this step                        (n)  */
  unsigned char *is_low;        /* by mode                                                (n)  */
  double *local;                /* contact points in their bodies                (n_points x 3) */
  double *at;                   /* where they are                                (n_points x 3) */
  double *J;                    /* how they move                             (n_points x 3 x n) */
  double *JS;                   /* the same in modes                         (n_points x 3 x n) */
  double *last;                 /* acceleration of the last step                          (n)  */
  double *difference, *coordinates, *rates, *drive, *free_move; /* scratch                (n)  */
  double *C, *h, *z;            /* of the LCP                                                  */
  double *kept, *kept_forces;   /* of a plan that a twin made           (n), (n_points x 3)      */
  double *rows;                 /* of stand.c                                (3 n_points x n) */
  int *late;                    /* steps until a point is down; -1: it should not be (n_points) */
  int *candidates;              /* points in the LCP                               (n_points)  */
};

/* Forces of the ground over the window for the rigid modes, into m->plan and m->forces. plan_rigid.c */
void modal_plan_rigid(struct modal *m, struct editable_reference *g, int i, const struct modal_state *s);

/* Where feet that swing shall land, into the reference's footholds. footsteps.c */
void modal_place_footsteps(struct modal *m, struct editable_reference *g, int i, const struct modal_state *s);

/* Torques that let loaded points stand, into m->stand (which is 0 before). stand.c */
void modal_stand(struct modal *m, struct editable_reference *g, int i, const struct modal_state *s);

/* How a point moves with the modes, into m->JS; displacements of the modes in this step if contacts press as planned,
 * into m->coordinates. contact.c */
void modal_to_modes(struct modal *m, int point);
void modal_planned_move(struct modal *m, const struct modal_state *s, const double *load);

/* Height of a point above the ground along its normal, and that normal. */
double modal_gap(const struct editable_reference *g, const double *at, double normal[3]);

#endif
