/* The world itself: options, making and unmaking, steps, pushes, saving and restoring. See world.h. */
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <string.h>

#include "base/vec3.h"
#include "physics/room.h"

#define MOST_AGAIN 5            /* times that a step is done again for its friction */

/* ---- ODE must not end the program ----
 * It exits or aborts when its error handler returns. Ours jumps out of the step instead; that world's ODE is then
 * half way through a step, and is taken apart and built anew when the next state is set. Errors outside of our calls
 * are not ours. */
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

static void step_ode(struct world *w)
{
  dWorldStep(w->ode, w->h);
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

/* A whole ODE again after a step that it gave up. */
static void mend(struct world *w)
{
  if (!w->broken)
    return;
  guarded(build_discard, w); /* should even that fail, what is left of it is left behind */
  build_ode(w);
}

/* ---- options ---- */

void world_defaults(const struct creature *c, struct world_options *o)
{
  memset(o, 0, sizeof *o);
  (void)c; /* the creature's own numbers are looked up when the world is made */
  o->friction = -1;
  o->servo_scale = 1;
  o->contact_erp = 0.2;
  o->contact_cfm = 0.03;
  o->contact_speed = 0.3;
}

static int refuse(struct diag *d, const struct creature *c, const char *what, const char *name)
{
  if (d)
    diag_error(d, c->file, 0, "%s%s%s", what, name ? ": " : "", name ? name : "");
  return 0;
}

static int body_is_sound(const struct creature *c, const struct limb *l, struct diag *d)
{
  const struct dof *body = &c->dofs[l->body];
  double in_row = 0;
  if (!(body->mass > 0))
    return refuse(d, c, "a body without mass cannot be simulated", l->name);
  if (l->parent >= 0 && l->n_dofs > 3)
    return refuse(d, c, "a joint of more than three axes cannot be simulated", l->name);
  for (int i = l->first_dof; l->parent >= 0 && i < l->first_dof + l->n_dofs - 1; i++)
    in_row = fmax(in_row, fabs(vec3_dot(c->dofs[i].axis, c->dofs[i + 1].axis)));
  if (!(in_row < 0.95))
    return refuse(d, c, "a joint with two axes in a row that are nearly parallel cannot be simulated", l->name);
  for (int k = 0; k < 3; k++) { /* variance of mass along each axis: a rod along x still has some across */
    double spread = body->moment2[k] - body->moment1[k] * body->moment1[k] / body->mass;
    if (!(spread > 0))
      return refuse(d, c, "a body without extent cannot be simulated", l->name);
  }
  return 1;
}

int world_check(const struct creature *c, const struct world_options *o, struct diag *d)
{
  const struct terrain *t = &o->terrain;
  if (!(o->step >= 0 && isfinite(o->step)))
    return refuse(d, c, "the step must be 0 or more seconds", NULL);
  if (!(o->servo_scale >= 0 && isfinite(o->servo_scale)))
    return refuse(d, c, "the scale of the servos must be 0 or more", NULL);
  if (!(o->contact_erp > 0 && o->contact_erp <= 1 && o->contact_cfm >= 0 && o->contact_speed > 0))
    return refuse(d, c, "contact_erp must be in (0, 1], contact_cfm at least 0, contact_speed above 0", NULL);
  if (isnan(o->friction) || !isfinite(t->size))
    return refuse(d, c, "friction and terrain must be numbers", NULL);
  if (t->kind == TERRAIN_SLOPE && !(fabs(t->size) < 1.5))
    return refuse(d, c, "a slope must be less than 1.5 radians", NULL);
  if (t->kind > TERRAIN_SLOPE && !(t->spacing > 0 && isfinite(t->spacing)))
    return refuse(d, c, "steps, beams and pebbles need a spacing above 0 m", NULL);
  for (int i = 0; i < c->n_limbs; i++)
    if ((c->limbs[i].parent < 0 || c->limbs[i].n_dofs > 0) && !body_is_sound(c, &c->limbs[i], d))
      return 0;
  return 1;
}

/* ---- making and unmaking ---- */

static double default_step(const struct world *w)
{
  double frame = 1 / w->c->frame_rate;
  return frame / ceil(frame / (w->time / 64) - 1e-9);
}

static void lay_out_block(struct world *w)
{
  size_t n = (size_t)w->c->n_dofs, points = (size_t)w->c->n_points, limbs = (size_t)w->c->n_limbs;
  size_t numbers = 3 * n + 3 * points + 3 * limbs;
  w->block_size = sizeof *w->head + numbers * sizeof(double) + points + limbs;
  w->head = arena_alloc(w->arena, 1, w->block_size);
  w->q = (double *)(w->head + 1);
  w->v = w->q + n;
  w->torques = w->v + n;
  w->forces = w->torques + n;
  w->limb_forces = w->forces + 3 * points;
  w->on = (unsigned char *)(w->limb_forces + 3 * limbs);
  w->limb_on = w->on + points;
}

struct world *world_new(const struct creature *c, const struct world_options *o)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (!world_check(c, o, NULL))
    return NULL;
  pthread_once(&once, start_ode);
  if (!dAllocateODEDataForThread(dAllocateMaskAll))
    return NULL;
  struct arena *arena = arena_new();
  struct world *w = ARENA_NEW(arena, 1, struct world);
  w->arena = arena;
  w->c = c;
  w->options = *o;
  w->length = c->height;
  w->time = sqrt(c->height / CREATURE_GRAVITY);
  w->force = c->mass * CREATURE_GRAVITY;
  w->torque = w->force * c->height;
  w->per_torque = 1 / w->torque;
  w->h = (o->step > 0 ? o->step : default_step(w)) / w->time;
  if (o->friction < 0)
    w->options.friction = c->friction;
  lay_out_block(w);
  build_bodies(w);
  w->frozen = ARENA_NEW(arena, (size_t)w->n_bodies, struct frozen);
  if (o->engine == WORLD_OWN)
    own_build(w);
  else
    build_ode(w);
  double *rest = ARENA_NEW(arena, (size_t)c->n_dofs, double), *zero = ARENA_NEW(arena, (size_t)c->n_dofs, double);
  creature_rest_pose(c, rest);
  world_set(w, rest, zero);
  contact_build(w);
  return w;
}

void world_free(struct world *w)
{
  if (!w)
    return;
  guarded(build_discard, w);
  arena_free(w->arena);
}

double world_step_seconds(const struct world *w)
{
  return w->h * w->time;
}

uint64_t world_steps(const struct world *w)
{
  return w->head->steps;
}

int world_lost(const struct world *w)
{
  return w->head->lost;
}

void world_torques(const struct world *w, double *torque)
{
  for (int i = 0; i < w->c->n_dofs; i++)
    torque[i] = w->torques[i] * w->torque;
}

void world_set(struct world *w, const double *q, const double *v)
{
  mend(w);
  memset(w->head, 0, w->block_size);
  w->head->lost = !state_set(w, q, v);
  if (!w->head->lost)
    state_update(w);
}

/* ---- steps ---- */

int world_push(struct world *w, int limb, const double force[3], double seconds)
{
  if (w->head->n_pushes == WORLD_PUSHES)
    return 0;
  struct push *p = &w->head->pushes[w->head->n_pushes++];
  const struct limb *l = &w->c->limbs[limb];
  memset(p, 0, sizeof *p);
  p->limb = limb;
  p->body = w->body_of[l->body];
  p->left = seconds / w->time;
  for (int i = 0; i < 3; i++) {
    p->force[i] = force[i] / w->force;
    p->at[i] = (l->origin[i] + l->com[i]) / w->length - w->bodies[p->body].com[i];
  }
  return 1;
}

static void push_body(struct world *w, const struct push *p, double share)
{
  const double force[3] = {share * p->force[0], share * p->force[1], share * p->force[2]};
  if (w->own)
    own_push(w, p->body, force, p->at);
  else
    dBodyAddForceAtRelPos(w->bodies[p->body].id, force[0], force[1], force[2], p->at[0], p->at[1], p->at[2]);
}

/* Each push for the share of the step during which it lasts. 0: one of them is beyond reason. */
static int push_bodies(struct world *w)
{
  struct head *head = w->head;
  int kept = 0;
  for (int i = 0; i < head->n_pushes; i++) {
    struct push p = head->pushes[i];
    double share = fmin(1, p.left / w->h);
    if (!(vec3_norm(p.force) < LARGEST_PUSH && p.left < HUGE_VAL))
      return 0;
    push_body(w, &p, share);
    p.left -= w->h;
    if (p.left > 1e-9 * w->h)
      head->pushes[kept++] = p;
  }
  memset(head->pushes + kept, 0, (size_t)(head->n_pushes - kept) * sizeof *head->pushes);
  head->n_pushes = kept;
  return 1;
}

static int lose(struct world *w)
{
  memset(w->head, 0, w->block_size);
  w->head->lost = 1;
  return 0;
}

/* ---- bodies as they are, to the bit: rotations are written back both as quaternion and as matrix, since ODE's own setters
 * normalise ---- */

static void freeze(const struct world *w, struct frozen *f)
{
  for (int i = 0; i < w->n_bodies; i++, f++) {
    dBodyID id = w->bodies[i].id;
    memcpy(f->x, dBodyGetPosition(id), sizeof f->x);
    memcpy(f->q, dBodyGetQuaternion(id), sizeof f->q);
    memcpy(f->R, dBodyGetRotation(id), sizeof f->R);
    memcpy(f->u, dBodyGetLinearVel(id), sizeof f->u);
    memcpy(f->s, dBodyGetAngularVel(id), sizeof f->s);
    memcpy(f->force, dBodyGetForce(id), sizeof f->force);
    memcpy(f->torque, dBodyGetTorque(id), sizeof f->torque);
  }
}

static void thaw(struct world *w, const struct frozen *f)
{
  for (int i = 0; i < w->n_bodies; i++, f++) {
    dBodyID id = w->bodies[i].id;
    dBodySetPosition(id, f->x[0], f->x[1], f->x[2]);
    memcpy((double *)dBodyGetQuaternion(id), f->q, sizeof f->q);
    memcpy((double *)dBodyGetRotation(id), f->R, sizeof f->R);
    dBodySetLinearVel(id, f->u[0], f->u[1], f->u[2]);
    dBodySetAngularVel(id, f->s[0], f->s[1], f->s[2]);
    dBodySetForce(id, f->force[0], f->force[1], f->force[2]);
    dBodySetTorque(id, f->torque[0], f->torque[1], f->torque[2]);
  }
}

/* A step, done again where friction was bounded by a bad guess of what presses (contact.c). */
static int step_by_ode(struct world *w, const struct world_target *target)
{
  if (!motor_prepare(w, target))
    return 0;
  freeze(w, w->frozen);
  contact_guess(w);
  for (int again = 0;; again++) {
    contact_prepare(w);
    if (!guarded(step_ode, w)) {
      w->broken = 1;
      return 0;
    }
    dJointGroupEmpty(w->touching);
    if (again == MOST_AGAIN || contact_settled(w))
      break;
    thaw(w, w->frozen);
  }
  motor_collect(w);
  contact_collect(w);
  return 1;
}

int world_step(struct world *w, const struct world_target *target)
{
  if (w->head->lost)
    return 0;
  if (!push_bodies(w) || !(w->own ? own_step : step_by_ode)(w, target) || !state_sane(w))
    return lose(w);
  state_update(w);
  w->head->steps++;
  return 1;
}

/* ---- saving ---- */

size_t world_state_size(const struct world *w)
{
  return w->block_size + (w->own ? 0 : (size_t)w->n_bodies * sizeof(struct frozen));
}

void world_save(const struct world *w, void *state)
{
  memcpy(state, w->head, w->block_size);
  if (w->own)
    return;
  freeze(w, w->frozen);
  memcpy((char *)state + w->block_size, w->frozen, (size_t)w->n_bodies * sizeof *w->frozen);
}

void world_restore(struct world *w, const void *state)
{
  mend(w);
  memcpy(w->head, state, w->block_size);
  if (!w->own) {
    memcpy(w->frozen, (const char *)state + w->block_size, (size_t)w->n_bodies * sizeof *w->frozen);
    thaw(w, w->frozen);
  }
  if (!w->head->lost)
    state_update(w); /* finds the angles that the block already has, and the axes */
}
