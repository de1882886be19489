/* The world itself: options, making and unmaking, steps, pushes, saving and restoring. See world.h. */
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <string.h>

#include "base/vec3.h"
#include "physics/room.h"

/* ---- ODE must not end the program ----
 * It exits or aborts when its error handler returns. Ours jumps out of the step instead; that world's ODE is then in pieces, and is left
 * behind and built anew when the next state is set. Errors outside of our steps are not ours. */
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

static int guarded_step(struct world *w)
{
  jmp_buf here;
  int done = 0;
  escape = &here;
  if (!setjmp(here)) {
    dWorldStep(w->ode, w->h);
    done = 1;
  }
  escape = NULL;
  return done;
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
  size_t numbers = 2 * n + 3 * points + 3 * limbs;
  w->block_size = sizeof *w->head + numbers * sizeof(double) + points + limbs;
  w->head = arena_alloc(w->arena, 1, w->block_size);
  w->q = (double *)(w->head + 1);
  w->torques = w->q + n;
  w->forces = w->torques + n;
  w->limb_forces = w->forces + 3 * points;
  w->on = (unsigned char *)(w->limb_forces + 3 * limbs);
  w->limb_on = w->on + points;
  w->scratch = ARENA_NEW(w->arena, n, double);
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
  w->h = (o->step > 0 ? o->step : default_step(w)) / w->time;
  if (o->friction < 0)
    w->options.friction = c->friction;
  lay_out_block(w);
  build_bodies(w);
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
  build_discard(w);
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
  if (w->broken)
    build_ode(w);
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

/* The share of the step during which a push lasts. 0: one of them is not finite. */
static int push_bodies(struct world *w)
{
  struct head *head = w->head;
  int kept = 0;
  for (int i = 0; i < head->n_pushes; i++) {
    struct push p = head->pushes[i];
    double share = fmin(1, p.left / w->h), size = vec3_norm(p.force) + p.left;
    if (!(size < HUGE_VAL))
      return 0;
    dBodyAddForceAtRelPos(w->bodies[p.body].id, share * p.force[0], share * p.force[1], share * p.force[2], p.at[0], p.at[1],
                          p.at[2]);
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

int world_step(struct world *w, const struct world_target *target)
{
  if (w->head->lost)
    return 0;
  if (!motor_prepare(w, target) || !push_bodies(w))
    return lose(w);
  contact_prepare(w);
  if (!guarded_step(w)) {
    w->broken = 1;
    return lose(w);
  }
  motor_collect(w);
  contact_collect(w);
  if (!state_sane(w))
    return lose(w);
  state_update(w);
  w->head->steps++;
  return 1;
}

/* ---- saving ----
 * All that ODE carries over a step is in its bodies: place, rotation (as quaternion and as matrix), speeds. Rotations are written back bit by bit, since
 * ODE's own setters normalise. */
struct frozen {
  double x[3], q[4], R[12], u[3], s[3];
};

size_t world_state_size(const struct world *w)
{
  return w->block_size + (size_t)w->n_bodies * sizeof(struct frozen);
}

void world_save(const struct world *w, void *state)
{
  char *to = state;
  memcpy(to, w->head, w->block_size);
  to += w->block_size;
  for (int i = 0; i < w->n_bodies; i++, to += sizeof(struct frozen)) {
    dBodyID id = w->bodies[i].id;
    struct frozen f;
    memcpy(f.x, dBodyGetPosition(id), sizeof f.x);
    memcpy(f.q, dBodyGetQuaternion(id), sizeof f.q);
    memcpy(f.R, dBodyGetRotation(id), sizeof f.R);
    memcpy(f.u, dBodyGetLinearVel(id), sizeof f.u);
    memcpy(f.s, dBodyGetAngularVel(id), sizeof f.s);
    memcpy(to, &f, sizeof f);
  }
}

void world_restore(struct world *w, const void *state)
{
  const char *from = state;
  if (w->broken)
    build_ode(w);
  memcpy(w->head, from, w->block_size);
  from += w->block_size;
  for (int i = 0; i < w->n_bodies; i++, from += sizeof(struct frozen)) {
    dBodyID id = w->bodies[i].id;
    struct frozen f;
    memcpy(&f, from, sizeof f);
    dBodySetPosition(id, f.x[0], f.x[1], f.x[2]);
    memcpy((double *)dBodyGetQuaternion(id), f.q, sizeof f.q);
    memcpy((double *)dBodyGetRotation(id), f.R, sizeof f.R);
    dBodySetLinearVel(id, f.u[0], f.u[1], f.u[2]);
    dBodySetAngularVel(id, f.s[0], f.s[1], f.s[2]);
    dBodySetForce(id, 0, 0, 0);
    dBodySetTorque(id, 0, 0, 0);
  }
  if (!w->head->lost)
    state_update(w); /* finds the angles that the block already has, and the axes */
}
