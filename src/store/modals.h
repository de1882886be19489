/* The run file: what creatures did under modal-space control, and all that it takes to do it again (store_modal.c). */
#ifndef MUYBRIDGE_STORE_MODALS_H
#define MUYBRIDGE_STORE_MODALS_H

#include "store/store.h"

enum store_modal_bytes {        /* little-endian doubles                                                       */
  STORE_MODAL_Q,                /* what the creature did                                 (n_steps x n_dofs)    */
  STORE_MODAL_REFERENCE,        /* where the reference was, edits and all                (n_steps x n_dofs)    */
  STORE_MODAL_TORQUE,           /* of the joints                                         (n_steps x n_dofs)    */
  STORE_MODAL_PLANNED,          /* forces of the ground that were planned                (n_steps x n_points x 3) */
  STORE_MODAL_USED,             /* and those that were                                   (n_steps x n_points x 3) */
  STORE_MODAL_CONTROL,          /* options, pushes, edits, start: all that a replay needs, for others to understand */
  N_STORE_MODAL_BYTES
};

enum store_modal_number {
  STORE_MODAL_WORST_ANGLE, STORE_MODAL_WORST_HEIGHT, STORE_MODAL_RMS_ANGLE, STORE_MODAL_RMS_JOINT, /* [rad], [L], [rad] */
  STORE_MODAL_MISSED,           /* farthest that legs were short of an edited foothold [L]                     */
  N_STORE_MODAL_NUMBERS
};

struct store_modal {
  int id;                       /* that the run file gave it                                                   */
  int clip;                     /* id of what was followed; 0: a motion that is no clip of the file            */
  const char *what, *place;     /* "clip 1, walk"; "own", "ode", "engine"                                      */
  const char *options;          /* in words                                                                    */
  int success;
  const char *fault;            /* "" if none                                                                  */
  int n_steps, n_wanted;        /* done, asked for                                                             */
  double dt;                    /* [s]                                                                         */
  double numbers[N_STORE_MODAL_NUMBERS];
  int unsolved;                 /* contact problems                                                            */
  double seconds;               /* of processor                                                                */
  const void *bytes[N_STORE_MODAL_BYTES];
  size_t n_bytes[N_STORE_MODAL_BYTES];
};

/* Its id, 1 and up and never used again, whatever m->id is; 0 after an error. */
int store_put_modal(struct store *s, const struct store_modal *m, struct diag *d);

/* The same, bit for bit; id 0 stands for the newest. 0 after an error. */
int store_get_modal(struct arena *arena, struct store *s, int id, struct store_modal *out, struct diag *d);

/* All of them in the order of their ids, *n of them, without bytes. NULL after an error. */
struct store_modal *store_list_modals(struct arena *arena, struct store *s, int *n, struct diag *d);

#endif
