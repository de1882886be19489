/* MuJoCo as a peer: the least it must compute for the same result.
 *
 * Inverse dynamics: kinematics, centres of mass, velocities, recursive Newton and Euler; mass matrix: kinematics,
 * centres of mass, composite bodies. Shapes and contact points are taken out of the model, so that no time is lost on
 * moving them. A joint of several axes is one body with several joints, as MuJoCo likes it. Empty where MuJoCo is not
 * installed. */
#include "bench/peer.h"

#ifdef HAVE_MUJOCO

#include <stdlib.h>
#include <string.h>

#include "bench/mujoco_model.h"

struct mujoco {
  mjModel *m;
  mjData *d;
  int *order;           /* our dof of each of its dofs        */
  int same_order;
};

static void give(const struct mujoco *x, const double *ours, double *theirs)
{
  if (x->same_order)
    memcpy(theirs, ours, (size_t)x->m->nv * sizeof *ours);
  for (int i = 0; i < x->m->nv && !x->same_order; i++)
    theirs[i] = ours[x->order[i]];
}

static void inverse(void *model, const double *q, const double *v, const double *a, double *tau)
{
  struct mujoco *x = model;
  give(x, q, x->d->qpos);
  give(x, v, x->d->qvel);
  give(x, a, x->d->qacc);
  mj_kinematics(x->m, x->d);
  mj_comPos(x->m, x->d);
  mj_comVel(x->m, x->d);
  mj_rne(x->m, x->d, 1, x->same_order ? tau : x->d->qfrc_inverse);
  for (int i = 0; i < x->m->nv && !x->same_order; i++)
    tau[x->order[i]] = x->d->qfrc_inverse[i];
}

static void mass_matrix(void *model, const double *q)
{
  struct mujoco *x = model;
  give(x, q, x->d->qpos);
  mj_kinematics(x->m, x->d);
  mj_comPos(x->m, x->d);
  mj_crb(x->m, x->d);
}

static void read_mass_matrix(void *model, double *M)
{
  struct mujoco *x = model;
  size_t n = (size_t)x->m->nv;
  double *full = calloc(n * n, sizeof *full);
  if (!full)
    return;
  mj_fullM(x->m, full, x->d->qM);
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < n; k++)
      M[(size_t)x->order[i] * n + (size_t)x->order[k]] = full[i * n + k];
  free(full);
}

static void clear(void *model)
{
  struct mujoco *x = model;
  mj_deleteData(x->d);
  mj_deleteModel(x->m);
  free(x->order);
  free(x);
}

struct peer peer_mujoco(const struct creature *c)
{
  struct mujoco *x = calloc(1, sizeof *x);
  mjModel *m = x ? mujoco_model(c) : NULL;
  if (!m) {
    free(x);
    return (struct peer){.name = "MuJoCo"};
  }
  x->m = m;
  x->d = mj_makeData(m);
  m->ngeom = m->nsite = 0;
  x->order = calloc((size_t)m->nv, sizeof *x->order);
  mujoco_dof_order(m, c, x->order);
  x->same_order = 1;
  for (int i = 0; i < m->nv; i++)
    x->same_order &= x->order[i] == i;
  return (struct peer){"MuJoCo", x, inverse, mass_matrix, read_mass_matrix, clear};
}

#endif
