/* The engine of record: ODE, bodies and constraints between them (doc/physics.md). Here: its errors, the making of its
 * bodies and joints, a step, saving. It shares nothing with the rest of the program but the creature. */
#include "physics/engine_ode.h"

#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <string.h>

#define MOST_AGAIN 5            /* times that a step is done again for its friction */

/* ---- ODE must not end the program ----
 * It exits or aborts when its error handler returns. This one jumps out of the step instead; that world's ODE is then
 * half way through a step, and is taken apart and built anew when the next state is set. Errors outside of calls made
 * here are left to ODE. */
static _Thread_local jmp_buf *escape;

static void on_error(int number, const char *text, va_list arguments)
{
  (void)number, (void)text, (void)arguments;
  if (escape)
    longjmp(*escape, 1);
}

static void on_message(int number, const char *text, va_list arguments)
{
  (void)number, (void)text, (void)arguments;
}

static void start_ode(void)
{
  dInitODE2(0);
  dSetErrorHandler(on_error);
  dSetDebugHandler(on_error);
  dSetMessageHandler(on_message);
}

/* 0: ODE gave up. */
static int guarded(void (*call)(struct world *), struct world *w)
{
  jmp_buf here;
  int done = 0;
  escape = &here;
  if (!setjmp(here)) {
    call(w);
    done = 1;
  }
  escape = NULL;
  return done;
}

/* ---- making and unmaking ---- */

static void set_mass(const struct world *w, dBodyID id, const struct dof *d)
{
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  double M = w->c->mass, unit = M * w->length * w->length, C[6];
  for (int i = 0; i < 6; i++)
    C[i] = (d->moment2[i] - d->moment1[row[i]] * d->moment1[column[i]] / d->mass) / unit;
  dMass mass;
  dMassSetParameters(&mass, d->mass / M, 0, 0, 0, C[1] + C[2], C[0] + C[2], C[0] + C[1], -C[3], -C[4], -C[5]);
  dBodySetMass(id, &mass);
}

/* The joint at x that connects a body to its parent. */
static void add_joint(dWorldID world, const struct ode_body *o, const double *x)
{
  const double (*a)[3] = o->body->chain.axis;
  if (o->body->n == 1) {
    dJointID j = dJointCreateHinge(world, 0);
    dJointAttach(j, o->id, o->parent->id);
    dJointSetHingeAnchor(j, x[0], x[1], x[2]);
    dJointSetHingeAxis(j, a[0][0], a[0][1], a[0][2]);
  } else if (o->body->n == 2 && !o->oblique) {
    dJointID j = dJointCreateUniversal(world, 0);
    dJointAttach(j, o->parent->id, o->id);
    dJointSetUniversalAnchor(j, x[0], x[1], x[2]);
    dJointSetUniversalAxis1(j, a[0][0], a[0][1], a[0][2]);
    dJointSetUniversalAxis2(j, a[1][0], a[1][1], a[1][2]);
  } else {
    dJointID j = dJointCreateBall(world, 0);
    dJointAttach(j, o->parent->id, o->id);
    dJointSetBallAnchor(j, x[0], x[1], x[2]);
  }
}

/* All bodies at zero angles, where their frames are parallel, the root's origin at 0. */
static void build(struct world *w)
{
  struct ode *ode = w->engine_data;
  ode->world = dWorldCreate();
  ode->threading = dThreadingAllocateSelfThreadedImplementation(); /* ODE's default one is shared by all worlds */
  dWorldSetStepThreadingImplementation(ode->world, dThreadingImplementationGetFunctions(ode->threading),
                                       ode->threading);
  ode->touching = dJointGroupCreate(0);
  dWorldSetGravity(ode->world, 0, 0, -1);
  dWorldSetERP(ode->world, WORLD_ERP);
  dWorldSetCFM(ode->world, WORLD_CFM);
  dWorldSetContactSurfaceLayer(ode->world, 0);
  dWorldSetContactMaxCorrectingVel(ode->world, w->options.contact_speed);
  for (int i = 0; i < w->n_bodies; i++) {
    struct body *b = &w->bodies[i];
    struct ode_body *o = &ode->bodies[i];
    const double *from = b->parent < 0 ? NULL : w->bodies[b->parent].x;
    double joint[3];
    for (int k = 0; k < 3; k++)
      joint[k] = (from ? from[k] : 0) + b->place[k];
    o->id = dBodyCreate(ode->world);
    b->x = dBodyGetPosition(o->id), b->R = dBodyGetRotation(o->id), o->spin = dBodyGetAngularVel(o->id);
    dBodySetAutoDisableFlag(o->id, 0);
    set_mass(w, o->id, &w->c->dofs[b->first + b->n - 1]);
    dBodySetPosition(o->id, joint[0] + b->com[0], joint[1] + b->com[1], joint[2] + b->com[2]);
    if (o->parent) {
      add_joint(ode->world, o, joint);
      ode_motor_build(w, o);
    }
  }
  w->limp = 0;
  ode->broken = 0;
}

static void discard(struct world *w)
{
  struct ode *ode = w->engine_data;
  if (!ode->world)
    return;
  dJointGroupDestroy(ode->touching);
  dWorldDestroy(ode->world);
  dThreadingFreeImplementation(ode->threading);
  ode->world = NULL;
}

static int ode_open(struct world *w)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, start_ode);
  if (!dAllocateODEDataForThread(dAllocateMaskAll))
    return 0;
  struct ode *ode = w->engine_data = ARENA_NEW(w->arena, 1, struct ode);
  if (!ode_tissue_open(w))
    return 0;
  ode->bodies = ARENA_NEW(w->arena, (size_t)w->n_bodies, struct ode_body);
  ode->contacts = ARENA_NEW(w->arena, (size_t)w->c->n_points + 8 * (size_t)w->c->n_limbs, struct ode_contact);
  ode->frozen = ARENA_NEW(w->arena, (size_t)w->n_bodies, struct ode_frozen);
  for (int i = 0; i < w->n_bodies; i++) {
    const struct body *b = &w->bodies[i];
    ode->bodies[i].body = b;
    ode->bodies[i].parent = b->parent < 0 ? NULL : &ode->bodies[b->parent];
    ode->bodies[i].oblique = b->n == 2 && !b->chain.perpendicular;
  }
  build(w);
  return 1;
}

static void ode_close(struct world *w)
{
  ode_tissue_close(w);
  guarded(discard, w);
}

/* A whole ODE again after a step that it gave up. */
static void mend(struct world *w)
{
  struct ode *ode = w->engine_data;
  if (!ode->broken)
    return;
  guarded(discard, w); /* should even that fail, what is left of it is left behind */
  build(w);
}

static void ode_set(struct world *w)
{
  mend(w);
  ode_place(w);
}

/* ---- bodies as they are, to the bit: rotations are written back both as quaternion and as matrix, since ODE's own
 * setters normalise ---- */

static void freeze(const struct world *w, struct ode_frozen *f)
{
  const struct ode *ode = w->engine_data;
  for (int i = 0; i < w->n_bodies; i++, f++) {
    dBodyID id = ode->bodies[i].id;
    memcpy(f->x, dBodyGetPosition(id), sizeof f->x);
    memcpy(f->q, dBodyGetQuaternion(id), sizeof f->q);
    memcpy(f->R, dBodyGetRotation(id), sizeof f->R);
    memcpy(f->u, dBodyGetLinearVel(id), sizeof f->u);
    memcpy(f->s, dBodyGetAngularVel(id), sizeof f->s);
    memcpy(f->force, dBodyGetForce(id), sizeof f->force);
    memcpy(f->torque, dBodyGetTorque(id), sizeof f->torque);
  }
}

static void thaw(struct world *w, const struct ode_frozen *f)
{
  const struct ode *ode = w->engine_data;
  for (int i = 0; i < w->n_bodies; i++, f++) {
    dBodyID id = ode->bodies[i].id;
    dBodySetPosition(id, f->x[0], f->x[1], f->x[2]);
    memcpy((double *)dBodyGetQuaternion(id), f->q, sizeof f->q);
    memcpy((double *)dBodyGetRotation(id), f->R, sizeof f->R);
    dBodySetLinearVel(id, f->u[0], f->u[1], f->u[2]);
    dBodySetAngularVel(id, f->s[0], f->s[1], f->s[2]);
    dBodySetForce(id, f->force[0], f->force[1], f->force[2]);
    dBodySetTorque(id, f->torque[0], f->torque[1], f->torque[2]);
  }
}

static size_t ode_state_size(const struct world *w)
{
  return (size_t)w->n_bodies * sizeof(struct ode_frozen);
}

static void ode_save(const struct world *w, void *state)
{
  const struct ode *ode = w->engine_data;
  freeze(w, ode->frozen); /* the state may not be aligned */
  memcpy(state, ode->frozen, ode_state_size(w));
}

static void ode_restore(struct world *w, const void *state)
{
  const struct ode *ode = w->engine_data;
  mend(w);
  memcpy(ode->frozen, state, ode_state_size(w));
  thaw(w, ode->frozen);
}

/* ---- a step ---- */

static void ode_push(struct world *w, int body, const double *force, const double *at)
{
  const struct ode *ode = w->engine_data;
  dBodyAddForceAtRelPos(ode->bodies[body].id, force[0], force[1], force[2], at[0], at[1], at[2]);
}

static void step_once(struct world *w)
{
  dWorldStep(((struct ode *)w->engine_data)->world, w->h);
}

/* A step, done again where friction was bounded by a bad guess of the normal force (engine_ode_contact.c). */
static int ode_step(struct world *w, const struct world_target *target)
{
  struct ode *ode = w->engine_data;
  if (!ode_motor_prepare(w, target))
    return 0;
  freeze(w, ode->frozen);
  ode_contact_guess(w);
  limb_contact_find(w);
  for (int again = 0;; again++) {
    ode_contact_prepare(w);
    if (!guarded(step_once, w)) {
      ode->broken = 1;
      return 0;
    }
    dJointGroupEmpty(ode->touching);
    if (again == MOST_AGAIN || ode_contact_settled(w))
      break;
    thaw(w, ode->frozen);
  }
  ode_motor_collect(w);
  ode_contact_collect(w);
  return 1;
}

const struct engine engine_ode = {
  .open = ode_open, .close = ode_close, .set = ode_set, .step = ode_step, .push = ode_push, .motion = ode_motion,
  .is_sane = ode_is_sane, .update = ode_update, .velocity = ode_velocity, .momentum = ode_momentum,
  .state_size = ode_state_size, .save = ode_save, .restore = ode_restore,
};
