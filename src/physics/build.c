/* From the creature to bodies and joints, and from these to ODE's. See doc/physics.md, "Bodies and joints". */
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "physics/room.h"

/* ---- our side ---- */

static void add_body(struct world *w, int dof, int first, int n, int parent)
{
  const struct creature *c = w->c;
  const struct dof *d = &c->dofs[dof];
  struct body *b = &w->bodies[w->n_bodies];
  double axes[3][3];
  w->body_of[dof] = w->n_bodies++;
  b->parent = parent;
  b->first = first, b->n = n;
  for (int i = 0; i < n; i++)
    memcpy(axes[i], c->dofs[first + i].axis, sizeof axes[i]);
  b->chain = chain_of(n, axes);
  b->oblique = n == 2 && !b->chain.perpendicular;
  for (int i = 0; i < 3; i++) {
    b->com[i] = d->moment1[i] / d->mass / w->length;
    b->place[i] = parent < 0 ? 0 : c->dofs[first].offset[i] / w->length - w->bodies[parent].com[i];
  }
}

void build_bodies(struct world *w)
{
  const struct creature *c = w->c;
  w->body_of = ARENA_NEW(w->arena, (size_t)c->n_dofs, int);
  w->bodies = ARENA_NEW(w->arena, (size_t)c->n_limbs, struct body);
  add_body(w, CREATURE_ROOT_DOFS - 1, 3, 3, -1);
  for (int i = 1; i < c->n_limbs; i++) {
    const struct limb *l = &c->limbs[i];
    if (l->n_dofs > 0)
      add_body(w, l->body, l->first_dof, l->n_dofs, w->body_of[c->dofs[l->first_dof].parent]);
  }
}

/* ---- ODE's ---- */

static void set_mass(struct world *w, dBodyID id, const struct dof *d)
{
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  double M = w->c->mass, unit = M * w->length * w->length, C[6];
  for (int i = 0; i < 6; i++)
    C[i] = (d->moment2[i] - d->moment1[row[i]] * d->moment1[column[i]] / d->mass) / unit;
  dMass mass;
  dMassSetParameters(&mass, d->mass / M, 0, 0, 0, C[1] + C[2], C[0] + C[2], C[0] + C[1], -C[3], -C[4], -C[5]);
  dBodySetMass(id, &mass);
}

static void tie(struct world *w, const struct body *b, const double *x)
{
  const double (*a)[3] = b->chain.axis;
  dBodyID parent = w->bodies[b->parent].id;
  if (b->n == 1) {
    dJointID j = dJointCreateHinge(w->ode, 0);
    dJointAttach(j, b->id, parent);
    dJointSetHingeAnchor(j, x[0], x[1], x[2]);
    dJointSetHingeAxis(j, a[0][0], a[0][1], a[0][2]);
  } else if (b->n == 2 && !b->oblique) {
    dJointID j = dJointCreateUniversal(w->ode, 0);
    dJointAttach(j, parent, b->id);
    dJointSetUniversalAnchor(j, x[0], x[1], x[2]);
    dJointSetUniversalAxis1(j, a[0][0], a[0][1], a[0][2]);
    dJointSetUniversalAxis2(j, a[1][0], a[1][1], a[1][2]);
  } else {
    dJointID j = dJointCreateBall(w->ode, 0);
    dJointAttach(j, parent, b->id);
    dJointSetBallAnchor(j, x[0], x[1], x[2]);
  }
}

/* All bodies at zero angles, where their frames are parallel, the root's origin at 0. */
static void place_bodies(struct world *w)
{
  for (int i = 0; i < w->n_bodies; i++) {
    struct body *b = &w->bodies[i];
    const double *from = b->parent < 0 ? NULL : w->bodies[b->parent].x;
    double joint[3];
    for (int k = 0; k < 3; k++)
      joint[k] = (from ? from[k] : 0) + b->place[k];
    b->id = dBodyCreate(w->ode);
    b->x = dBodyGetPosition(b->id), b->R = dBodyGetRotation(b->id), b->spin = dBodyGetAngularVel(b->id);
    dBodySetAutoDisableFlag(b->id, 0);
    set_mass(w, b->id, &w->c->dofs[b->first + b->n - 1]);
    dBodySetPosition(b->id, joint[0] + b->com[0], joint[1] + b->com[1], joint[2] + b->com[2]);
    if (b->parent >= 0) {
      tie(w, b, joint);
      motor_build(w, b);
    }
  }
}

void build_ode(struct world *w)
{
  w->ode = dWorldCreate();
  w->threading = dThreadingAllocateSelfThreadedImplementation(); /* ODE's default one is shared by all worlds */
  dWorldSetStepThreadingImplementation(w->ode, dThreadingImplementationGetFunctions(w->threading), w->threading);
  w->touching = dJointGroupCreate(0);
  dWorldSetGravity(w->ode, 0, 0, -1);
  dWorldSetERP(w->ode, WORLD_ERP);
  dWorldSetCFM(w->ode, WORLD_CFM);
  dWorldSetContactSurfaceLayer(w->ode, 0);
  dWorldSetContactMaxCorrectingVel(w->ode, w->options.contact_speed);
  place_bodies(w);
  w->limp = 0;
  w->broken = 0;
}

void build_discard(struct world *w)
{
  if (!w->ode || w->broken) /* ODE left in the middle of a step cannot be taken apart: rather a leak than an abort */
    return;
  dJointGroupDestroy(w->touching);
  dWorldDestroy(w->ode);
  dThreadingFreeImplementation(w->threading);
}
