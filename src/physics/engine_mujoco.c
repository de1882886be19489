/* MuJoCo (2.1 to 2.3): a simulator that others wrote, on the very model that `muybridge export` writes (doc/physics.md,
 * "MuJoCo").
 *
 * Kinematics, inertia, bias forces, contact forces and ranges are MuJoCo's. Its state is q and v (reduced.h): nothing
 * is carried over from a step to the next, so that saving is copying. Servos and tissue are implicit, and known as
 * such to MuJoCo's solver of contacts: with torques u - D v' (reduced.h), the equations of a step
 *   (M + h D) a = u - D v - c + J^T f,    v' = v + h a,    q' = q + h v'
 * are MuJoCo's own for a mass matrix with h D added: its diagonal is what MuJoCo calls armature, what tissue over two
 * joints has beside it is added to the mass matrix before that is factored. (MuJoCo's own implicit damping is unknown
 * to its contacts, and needs steps ten times shorter for servos like these.)
 *
 * Which places touch the ground, and how deep, is measured by contact.c, as for all engines, and MuJoCo is given the
 * contacts: every terrain and every shape of a limb works. Their softness is MuJoCo's, by solref and solimp of the
 * exported model; contact_erp, contact_cfm and contact_speed of the options mean nothing here. Friction is an elliptic
 * cone. */
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mujoco/mujoco.h>

#include "base/vec3.h"
#include "exchange/exchange.h"
#include "physics/reduced.h"

#define FILE_NAME  "creature.xml"
#define LEAST_PITCH 0.05        /* cosine of the root's pitch; less is gimbal lock                              */
#define PASSES     12           /* of finding out which torques are at their limits                           */
#define TOLERANCE  1e-12        /* of MuJoCo's solver; 1e-8, its default, is seen in forces                   */
#define IMPRATIO   10           /* how much harder friction is than contact: less creep of feet that stand     */
#define LIMIT_STEPS 2           /* time constant of the ends of ranges, in steps; contacts: src/exchange/mjcf.c */
#define LIMIT_IMPEDANCE 0.999   /* of the ends of ranges: at MuJoCo's 0.9 strong servos pass them by 0.2 rad     */
#define MOST_FRICTION 1e3       /* friction without bound, as a number                                        */

struct mujoco {
  mjModel *m;
  mjData *d;
  int *order;                   /* the creature's dof of each of MuJoCo's         (nv)        */
  int *body, *geom;             /* MuJoCo's body of each, and a geom of it        (n_bodies)  */
  int ground;                   /* geom                                                       */
  int *coupling;                /* where the mass matrix has each of reduced->couplings (n_couplings) */
  double *next;                 /* v' in units                                    (nv)        */
};

/* ---- MuJoCo must not end the program ----
 * It exits when there is no error handler, and goes on with what is broken when one returns. This one jumps out of the
 * call; the data is then reset by the next state. Errors outside of calls made here go to the handler that was there
 * before. Warnings, which MuJoCo prints and writes to a file, are dropped: numbers that matter are checked. */
static _Thread_local jmp_buf *escape;
static void (*other_error)(const char *), (*other_warning)(const char *);

static void on_error(const char *text)
{
  if (escape)
    longjmp(*escape, 1);
  if (other_error)
    other_error(text);
}

static void on_warning(const char *text)
{
  if (!escape && other_warning)
    other_warning(text);
}

static void start_mujoco(void)
{
  other_error = mju_user_error, mju_user_error = on_error;
  other_warning = mju_user_warning, mju_user_warning = on_warning;
}

/* 0: MuJoCo gave up. */
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

/* ---- the model ---- */

/* From text, by a file in memory. */
static mjModel *load_text(const char *text, size_t size)
{
  char error[1000];
  mjVFS *vfs = malloc(sizeof *vfs); /* 2 MB: not for the stack */
  mjModel *m = NULL;
  if (!vfs)
    return NULL;
  mj_defaultVFS(vfs);
  if (mj_makeEmptyFileVFS(vfs, FILE_NAME, (int)size) == 0) {
    memcpy(vfs->filedata[mj_findFileVFS(vfs, FILE_NAME)], text, size);
    m = mj_loadXML(FILE_NAME, vfs, error, sizeof error);
  }
  mj_deleteVFS(vfs);
  free(vfs);
  return m;
}

/* The exported model, with room for the contacts of all probes, of limbs, and the ends of all ranges. */
static mjModel *load_creature(const struct creature *c)
{
  char *text = NULL, *sized = NULL;
  size_t size = 0, n = 0;
  int contacts = c->n_points + 8 * c->n_limbs + WORLD_TOUCHES, rows = 4 * contacts + 2 * c->n_dofs;
  mjModel *m = NULL;
  FILE *out = open_memstream(&text, &size);
  if (!out)
    return NULL;
  int failed = exchange_write_mjcf(c, out) | (fclose(out) != 0);
  const char *body = failed ? NULL : strchr(text, '\n'); /* the first line opens the model */
  if (body && (out = open_memstream(&sized, &n))) {
    fprintf(out, "%.*s\n  <size njmax=\"%d\" nconmax=\"%d\"/>", (int)(body - text), text, rows, contacts);
    fputs(body, out);
    if (fclose(out) == 0)
      m = load_text(sized, n);
  }
  free(sized);
  free(text);
  return m;
}

/* Options of the model; passive tissue leaves it, for it is given as torques and armature, as servos are. */
static void prepare_model(struct world *w, mjModel *m)
{
  struct mujoco *x = w->engine_data;
  double h = w->h * w->time;
  m->opt.timestep = h;
  m->opt.cone = mjCONE_ELLIPTIC;
  m->opt.impratio = IMPRATIO;
  m->opt.tolerance = TOLERANCE;
  for (int i = 0; i < m->nv; i++) {
    const struct dof *d = &w->c->dofs[x->order[i]];
    m->dof_damping[i] = m->jnt_stiffness[i] = 0;
    m->jnt_limited[i] = !w->options.no_limits && (isfinite(d->lower) || isfinite(d->upper));
    m->jnt_range[2 * i] = fmax(d->lower, -1e10), m->jnt_range[2 * i + 1] = fmin(d->upper, 1e10);
    m->jnt_solref[mjNREF * i] = LIMIT_STEPS * h;
    m->jnt_solimp[mjNIMP * i] = m->jnt_solimp[mjNIMP * i + 1] = LIMIT_IMPEDANCE;
  }
  for (int i = 0; i < m->ntendon; i++)
    m->tendon_stiffness[i] = m->tendon_damping[i] = 0;
  m->opt.disableflags |= mjDSBL_ACTUATION; /* motors, and tendons that pull to one side */
  m->opt.collision = mjCOL_DYNAMIC; /* contacts are given: neither the model's pairs nor any two geoms collide */
  for (int g = 0; g < m->ngeom; g++)
    m->geom_contype[g] = m->geom_conaffinity[g] = 0;
}

/* h D in SI. */
static void set_armature(struct world *w)
{
  struct mujoco *x = w->engine_data;
  double unit = w->torque * w->time * w->time;
  for (int i = 0; i < x->m->nv; i++)
    x->m->dof_armature[i] = w->h * w->reduced->damping[x->order[i]] * unit;
}

/* MuJoCo's dofs, bodies and geoms by names of the creature's. 0: something is missing. */
static int find_parts(struct world *w)
{
  struct mujoco *x = w->engine_data;
  const struct creature *c = w->c;
  if (x->m->nv != c->n_dofs || x->m->njnt != c->n_dofs)
    return 0;
  for (int i = 0; i < c->n_dofs; i++) {
    int joint = mj_name2id(x->m, mjOBJ_JOINT, c->dofs[i].name);
    if (joint < 0)
      return 0;
    x->order[x->m->jnt_dofadr[joint]] = i;
  }
  for (int i = 0; i < w->n_bodies; i++) {
    int joint = mj_name2id(x->m, mjOBJ_JOINT, c->dofs[w->bodies[i].first].name), body = x->m->jnt_bodyid[joint];
    x->body[i] = body;
    x->geom[i] = x->m->body_geomnum[body] ? x->m->body_geomadr[body] : -1;
  }
  for (int k = 0; k < w->reduced->n_couplings; k++) { /* a row of the mass matrix has the dof, its parent, and so on */
    const int *dof = w->reduced->couplings[k].dof;
    int i = x->m->jnt_dofadr[mj_name2id(x->m, mjOBJ_JOINT, c->dofs[dof[1]].name)];
    for (x->coupling[k] = x->m->dof_Madr[i]; i >= 0 && x->order[i] != dof[0]; i = x->m->dof_parentid[i])
      x->coupling[k]++;
    if (i < 0)
      return 0;
  }
  x->ground = mj_name2id(x->m, mjOBJ_GEOM, "the ground");
  return x->ground >= 0;
}

static void open_guarded(struct world *w)
{
  struct mujoco *x = w->engine_data;
  x->m = load_creature(w->c);
  if (!x->m || !find_parts(w))
    return;
  prepare_model(w, x->m);
  if (!(x->d = mj_makeData(x->m)))
    return;
  reduced_set_target(w, NULL);
  w->limp = 0;
  reduced_fill_torques(w); /* no servo is at its limit: for how heavy bodies and dofs are to contacts and ranges */
  set_armature(w);
  mj_setConst(x->m, x->d);
}

static void mujoco_close(struct world *w)
{
  struct mujoco *x = w->engine_data;
  if (x->d)
    mj_deleteData(x->d);
  if (x->m)
    mj_deleteModel(x->m);
}

static int mujoco_open(struct world *w)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  size_t n = (size_t)w->c->n_dofs, bodies = (size_t)w->n_bodies;
  struct mujoco *x = w->engine_data = ARENA_NEW(w->arena, 1, struct mujoco);
  pthread_once(&once, start_mujoco);
  x->order = ARENA_NEW(w->arena, n, int);
  x->body = ARENA_NEW(w->arena, bodies, int);
  x->geom = ARENA_NEW(w->arena, bodies, int);
  x->next = ARENA_NEW(w->arena, n, double);
  reduced_open(w);
  x->coupling = ARENA_NEW(w->arena, (size_t)w->reduced->n_couplings, int);
  if (guarded(open_guarded, w) && x->d)
    return 1;
  mujoco_close(w);
  return 0;
}

/* ---- a step ---- */

static void mujoco_place(struct world *w)
{
  struct mujoco *x = w->engine_data;
  memset(x->d->xfrc_applied, 0, 6 * (size_t)x->m->nbody * sizeof *x->d->xfrc_applied);
  reduced_place(w);
}

static void mujoco_set(struct world *w)
{
  struct mujoco *x = w->engine_data;
  mj_resetData(x->m, x->d); /* also after a step that MuJoCo gave up */
  mujoco_place(w);
}

static void mujoco_restore(struct world *w, const void *state)
{
  (void)state; /* all of it is in the block */
  mujoco_set(w);
}

static void mujoco_push(struct world *w, int body, const double *force, const double *at)
{
  struct mujoco *x = w->engine_data;
  const struct body *b = &w->bodies[body];
  double *f = x->d->xfrc_applied + 6 * x->body[body], arm[3], moment[3];
  reduced_place_carriers(w, body);
  for (int i = 0; i < 3; i++)
    arm[i] = vec3_dot(b->R + 4 * i, at);
  vec3_cross(arm, force, moment);
  vec3_add_scaled(f, force, w->force);
  vec3_add_scaled(f + 3, moment, w->torque);
}

/* Contacts of all probes in the ground, in their order. */
static void add_contacts(struct world *w)
{
  struct mujoco *x = w->engine_data;
  const double ahead[3] = {cos(w->q[3]), sin(w->q[3]), 0};
  mj_collision(x->m, x->d); /* finds none, and empties the list */
  for (int i = 0; i < w->n_probes; i++) {
    struct probe *p = &w->probes[i];
    mjContact k;
    memset(&k, 0, sizeof k);
    double depth = contact_depth(w, p, k.pos, k.frame);
    p->on = depth >= 0 && x->geom[p->body] >= 0;
    memset(p->force, 0, sizeof p->force);
    if (!p->on)
      continue;
    k.geom1 = x->ground, k.geom2 = x->geom[p->body];
    k.dim = w->options.friction > 0 ? 3 : 1;
    k.dist = -depth * w->length;
    k.efc_address = -1;
    contact_ahead(ahead, k.frame, k.frame + 3);
    vec3_cross(k.frame, k.frame + 3, k.frame + 6);
    for (int a = 0; a < 3; a++) /* MuJoCo's place of a contact is half way between ground and foot */
      k.pos[a] = (k.pos[a] + k.frame[a] * depth / 2) * w->length;
    for (int a = 0; a < 5; a++)
      k.friction[a] = fmin(w->options.friction, MOST_FRICTION);
    memcpy(k.solref, x->m->geom_solref + mjNREF * k.geom2, sizeof k.solref);
    memcpy(k.solimp, x->m->geom_solimp + mjNIMP * k.geom2, sizeof k.solimp);
    p->on = mj_addContact(x->m, x->d, &k) == 0;
  }
}

/* Limbs are to part at the speed t->out at the end of the step; below 0: to arrive then. The acceleration is
 * (out - v) / h, which MuJoCo wants as damping and stiffness; the share of it that it gives is that of its contacts.
 * Their own law, with a time constant of some steps, lets fast thin limbs pass. */
static void set_law(const struct world *w, const struct touch *t, mjContact *k)
{
  double h = w->h * w->time, share = k->solimp[1];
  k->solimp[0] = share;
  k->solref[0] = -share * (t->gap != 0 ? t->out / (w->h * -t->gap) : 1 / (w->h * w->h)) / (w->time * w->time);
  k->solref[1] = -share / h;
}

/* Contacts between limbs, after those of probes. */
static void add_touches(struct world *w)
{
  struct mujoco *x = w->engine_data;
  limb_contact_find(w);
  for (int i = 0; w->limbs && i < w->limbs->n_touches; i++) {
    const struct touch *t = &w->limbs->touches[i];
    mjContact k;
    memset(&k, 0, sizeof k);
    k.geom1 = x->geom[t->body[1]], k.geom2 = x->geom[t->body[0]]; /* MuJoCo's normal is from the first to the second */
    k.dim = w->options.limb_friction > 0 ? 3 : 1;
    k.dist = t->gap * w->length;
    k.efc_address = -1;
    memcpy(k.frame, t->u, sizeof t->u);
    vec3_add_scaled(k.pos, t->x, w->length);
    for (int a = 0; a < 5; a++)
      k.friction[a] = w->options.limb_friction;
    memcpy(k.solref, x->m->geom_solref + mjNREF * k.geom2, sizeof k.solref);
    memcpy(k.solimp, x->m->geom_solimp + mjNIMP * k.geom2, sizeof k.solimp);
    set_law(w, t, &k);
    mj_addContact(x->m, x->d, &k); /* there is room for all */
  }
}

/* Accelerations with these torques at their limits, from a as a first guess; v' from them. */
static void accelerate(struct world *w)
{
  struct mujoco *x = w->engine_data;
  const struct reduced *r = w->reduced;
  mjData *d = x->d;
  reduced_fill_torques(w);
  set_armature(w);
  for (int i = 0; i < x->m->nv; i++) {
    int k = x->order[i];
    d->qfrc_applied[i] = (r->torque[k] - r->damping[k] * w->v[k]) * w->torque;
  }
  mj_crb(x->m, d);
  for (int i = 0; i < r->n_couplings; i++)
    d->qM[x->coupling[i]] += w->h * r->couplings[i].damping * w->torque * w->time * w->time;
  mj_factorM(x->m, d);
  mj_projectConstraint(x->m, d);
  mj_fwdAcceleration(x->m, d);
  mj_fwdConstraint(x->m, d);
  memcpy(d->qacc_warmstart, d->qacc, (size_t)x->m->nv * sizeof *d->qacc);
  for (int i = 0; i < x->m->nv; i++) {
    int k = x->order[i];
    x->next[k] = w->v[k] + w->h * d->qacc[i] * w->time * w->time / (k < 3 ? w->length : 1);
  }
}

static void step_guarded(struct world *w)
{
  struct mujoco *x = w->engine_data;
  mjModel *m = x->m;
  mjData *d = x->d;
  for (int i = 0; i < m->nv; i++) {
    int k = x->order[i];
    d->qpos[i] = w->q[k] * (k < 3 ? w->length : 1);
    d->qvel[i] = w->v[k] * (k < 3 ? w->length : 1) / w->time;
    d->qacc_warmstart[i] = 0;
  }
  mj_kinematics(m, d);
  mj_comPos(m, d);
  add_contacts(w);
  add_touches(w);
  mj_makeConstraint(m, d);
  mj_fwdVelocity(m, d);
  accelerate(w);
  for (int k = 0; k < PASSES && reduced_review(w, x->next); k++)
    accelerate(w);
}

/* Adds the force of MuJoCo's contact k, in units. */
static void add_force(const struct world *w, int k, double *force)
{
  const struct mujoco *x = w->engine_data;
  mjtNum f[6];
  mj_contactForce(x->m, x->d, k, f);
  for (int a = 0; a < 3; a++)
    vec3_add_scaled(force, x->d->contact[k].frame + 3 * a, f[a] / w->force);
}

/* Forces of the ground and between limbs: MuJoCo has contacts of both in the order in which they were given. */
static void collect_forces(struct world *w)
{
  int k = 0;
  for (int i = 0; i < w->n_probes; i++)
    if (w->probes[i].on)
      add_force(w, k++, w->probes[i].force);
  for (int i = 0; w->limbs && i < w->limbs->n_touches; i++)
    add_force(w, k++, w->limbs->touches[i].force);
}

static int mujoco_step(struct world *w, const struct world_target *target)
{
  struct mujoco *x = w->engine_data;
  if (!(fabs(cos(w->q[4])) > LEAST_PITCH) || !reduced_set_target(w, target) || !guarded(step_guarded, w))
    return 0;
  for (int i = 0; i < w->c->n_dofs; i++) {
    w->v[i] = x->next[i];
    w->q[i] += w->h * w->v[i];
  }
  collect_forces(w);
  contact_collect(w);
  return 1;
}

const struct engine engine_mujoco = {
  .open = mujoco_open, .close = mujoco_close, .set = mujoco_set, .step = mujoco_step, .push = mujoco_push,
  .motion = reduced_motion, .is_sane = reduced_is_sane, .update = mujoco_place, .velocity = reduced_velocity,
  .momentum = reduced_momentum, .restore = mujoco_restore,
};
