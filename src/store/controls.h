/* The run file: control graphs that were learned, one row for every iteration of a teacher (store_control.c). */
#ifndef MUYBRIDGE_STORE_CONTROLS_H
#define MUYBRIDGE_STORE_CONTROLS_H

#include "store/store.h"

struct store_control {          /* one iteration of learning                                                  */
  int id;                        /* that the run file gave it                                                  */
  const char *teacher;           /* "lqr", "guided", "ahead"                                                   */
  uint64_t seed;                 /* learning goes on only with the same seed, skill and settings               */
  const char *skill;             /* a cyclic clip that it stays on; NULL: the whole graph                      */
  int samples_first, samples, saved, visits; /* settings, 0 where a teacher has no such thing: control/guided.h */
  double value_weight;
  int refine, cycles_first;
  int iteration, n_iterations;   /* finished when they are equal                                               */
  double seconds;                /* of processors, all iterations together                                     */
  double residual;               /* share of the actions' variance that policies do not explain                */
  double success;                /* of the walks of this iteration: share that was done without rolling back   */
  double robustness;             /* mean time until growing pushes make it fall [s]; NaN: not measured         */
  const void *bytes;             /* policies, for control/record.h                                             */
  size_t n_bytes;
};

/* Its id; 0 after an error. */
int store_put_control(struct store *s, const struct store_control *c, struct diag *d);

/* The newest of a teacher (NULL: of any) with its bytes. 1: it is there; 0: there is none; -1 after an error. */
int store_get_control(struct arena *arena, struct store *s, const char *teacher, struct store_control *out,
                      struct diag *d);

/* All, in the order of their ids, *n of them, without bytes. NULL after an error. */
struct store_control *store_list_controls(struct arena *arena, struct store *s, int *n, struct diag *d);

#endif
