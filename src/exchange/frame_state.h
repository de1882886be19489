/* Private to src/exchange. A frame of a clip with all that follows from it: speeds, torques of muscles and of tissue,
 * where contact points are. */
#ifndef MUYBRIDGE_EXCHANGE_FRAME_STATE_H
#define MUYBRIDGE_EXCHANGE_FRAME_STATE_H

#include "dynamics/dynamics.h"
#include "motion/clip.h"

struct frame_state {
  const struct creature *c;
  const struct clip *clip;
  struct dynamics *dynamics;    /* with the bodies' frames of the last find            */
  double *q, *v, *a;            /* v, a: central differences; 0 where not known (n_dofs) */
  double *torque;               /* of muscles: M a + h - sum J^T force, less `passive`; NaN where not known (n_dofs) */
  double *passive;              /* of tissue; NaN likewise                      (n_dofs) */
  double *at;                   /* of contact points in the world       (n_points x 3) */
  const double *force;          /* of the ground on them                (n_points x 3) */
  const unsigned char *contact; /*                                          (n_points) */
  int known;                    /* 0: the frame lacks a neighbour                      */
  double *J;                    /* scratch                                (3 x n_dofs) */
};

struct frame_state frame_state_new(struct arena *arena, const struct creature *c, const struct clip *clip);

/* Of frame k: sets all of the above. */
void frame_state_find(struct frame_state *s, int k);

/* Does any tissue act on this dof? */
int frame_state_has_tissue(const struct creature *c, int dof);

#endif
