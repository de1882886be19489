/* Other engines that do the same work as our dynamics on the same creature, for the benchmark. */
#ifndef MUYBRIDGE_BENCH_PEER_H
#define MUYBRIDGE_BENCH_PEER_H

#include "creature/creature.h"

#ifdef __cplusplus
extern "C" {
#endif

struct peer {
  const char *name;
  void *model;          /* NULL when the engine is not there                        */
  /* from q, v, a (in our order and meaning) to torques */
  void (*inverse)(void *model, const double *q, const double *v, const double *a, double *tau);
  /* from q to the mass matrix in the engine's own storage */
  void (*mass_matrix)(void *model, const double *q);
  /* what mass_matrix() found, n x n: not timed */
  void (*read_mass_matrix)(void *model, double *M);
  void (*clear)(void *model);
};

struct peer peer_mujoco(const struct creature *c);
struct peer peer_dart(const struct creature *c);

#ifdef __cplusplus
}
#endif

#endif
