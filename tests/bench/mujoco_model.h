/* A creature in MuJoCo, by way of the MJCF that we export. For the test and the benchmark that compare with it. */
#ifndef MUYBRIDGE_TESTS_MUJOCO_MODEL_H
#define MUYBRIDGE_TESTS_MUJOCO_MODEL_H

#include <mujoco/mujoco.h>

#include "creature/creature.h"

/* Without limits, contacts, springs and dampers, which our dynamics leave to others. NULL, and the reason on standard
 * error, when it fails. The caller frees it with mj_deleteModel(). */
mjModel *mujoco_model(const struct creature *c);

/* For each of MuJoCo's dofs the dof of ours with the same name (nv numbers), -1 where there is none. */
void mujoco_dof_order(const mjModel *m, const struct creature *c, int *order);

#endif
