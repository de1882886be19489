/* See run.h. */
#include "modal/run.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "modal/room.h"

struct running {
  const struct creature *c;
  const struct modal_run_options *o;
  struct modal_units u;
  struct arena *arena;
  struct guide *guide;
  struct modal *modal;
  struct world *world;
  const struct creature *laden;
  struct dynamics *laden_dynamics;
  int steps_of_world;           /* to a step of control */
  int carries;
  struct modal_state now, twin;
  int unaware_until;            /* step; before it the twin lives */
  double *load, *torque, *q, *before, *force;
  struct modal_run *out;
};

void modal_run_defaults(const struct creature *c, struct modal_run_options *o)
{
  *o = (struct modal_run_options){.seconds = 10, .reaction = 0.2};
  modal_defaults(&o->control);
  world_defaults(c, &o->world);
}

/* ---- loads ---- */

/* Adds a mass at a place of a body. */
static void add_mass(struct dof *d, double mass, const double *at)
{
  d->mass += mass;
  d->has_mass = 1;
  for (int i = 0; i < 3; i++)
    d->moment1[i] += mass * at[i];
  d->moment2[0] += mass * at[0] * at[0];
  d->moment2[1] += mass * at[1] * at[1];
  d->moment2[2] += mass * at[2] * at[2];
  d->moment2[3] += mass * at[0] * at[1];
  d->moment2[4] += mass * at[0] * at[2];
  d->moment2[5] += mass * at[1] * at[2];
}

const struct creature *modal_laden(struct arena *arena, const struct creature *c, const struct modal_run_load *load)
{
  struct creature *out = ARENA_NEW(arena, 1, struct creature);
  struct dof *dofs = ARENA_NEW(arena, (size_t)c->n_dofs, struct dof);
  struct limb *limbs = ARENA_NEW(arena, (size_t)c->n_limbs, struct limb);
  memcpy(dofs, c->dofs, (size_t)c->n_dofs * sizeof *dofs);
  memcpy(limbs, c->limbs, (size_t)c->n_limbs * sizeof *limbs);
  *out = *c;
  out->dofs = dofs;
  out->limbs = limbs;
  for (int k = 0; k < load->n_limbs; k++) {
    struct limb *l = &limbs[load->limbs[k]];
    double share = load->mass / load->n_limbs, at[3], whole = l->mass + share;
    for (int i = 0; i < 3; i++)
      at[i] = l->origin[i] + l->shape.to[i];
    add_mass(&dofs[l->body], share, at);
    double off[3];
    for (int i = 0; i < 3; i++) {
      off[i] = l->shape.to[i] - l->com[i];
      l->com[i] += share / whole * off[i];
    }
    double r = l->mass * share / whole, d2 = off[0] * off[0] + off[1] * off[1] + off[2] * off[2];
    for (int i = 0; i < 3; i++)
      l->inertia[i] += r * (d2 - off[i] * off[i]);
    l->inertia[3] -= r * off[0] * off[1];
    l->inertia[4] -= r * off[0] * off[2];
    l->inertia[5] -= r * off[1] * off[2];
    l->mass = whole;
  }
  return out;
}

static int make_world(struct running *r, const struct creature *c, struct diag *d)
{
  struct world_options w = r->o->world;
  double h = r->o->control.step * r->u.time;
  struct world *probe = world_new(c, &w);
  double longest = probe ? world_step_seconds(probe) : h;
  world_free(probe);
  r->steps_of_world = (int)ceil(h / longest - 1e-9);
  w.step = h / r->steps_of_world;
  w.servo_scale = 0; /* nothing but our torques */
  if (r->o->slope != 0)
    w.terrain = (struct terrain){.kind = TERRAIN_SLOPE, .size = r->o->slope};
  world_free(r->world);
  r->world = world_new(c, &w);
  if (!r->world)
    world_check(c, &w, d);
  return r->world != NULL;
}

/* Takes the load up when its time has come. 0 after an error. */
static int take_up(struct running *r, double t, struct diag *d)
{
  if (r->carries || !(r->o->load.mass > 0) || t < r->o->load.from)
    return 1;
  r->carries = 1;
  if (r->modal) {
    modal_load(r->modal, r->laden_dynamics, 1 + r->o->load.mass / r->u.mass);
    guide_load(r->guide, r->laden_dynamics);
  }
  if (!r->world)
    return 1;
  double *q = r->q, *v = r->before;
  world_get(r->world, q, v);
  if (!make_world(r, r->laden, d))
    return 0;
  world_set(r->world, q, v);
  return 1;
}

/* ---- set-up ---- */

static struct modal_run *new_result(struct arena *arena, const struct creature *c, int steps, double dt)
{
  struct modal_run *r = ARENA_NEW(arena, 1, struct modal_run);
  size_t n = (size_t)steps, dofs = n * (size_t)c->n_dofs, points = 3 * n * (size_t)c->n_points;
  *r = (struct modal_run){.creature = c, .n_dofs = c->n_dofs, .n_points = c->n_points, .n_wanted = steps, .dt = dt};
  r->start = ARENA_NEW(arena, 2 * (size_t)c->n_dofs, double);
  r->q = ARENA_NEW(arena, dofs + 1, double);
  r->reference = ARENA_NEW(arena, dofs + 1, double);
  r->torque = ARENA_NEW(arena, dofs + 1, double);
  r->planned = ARENA_NEW(arena, points + 1, double);
  r->used = ARENA_NEW(arena, points + 1, double);
  r->angle = ARENA_NEW(arena, n + 1, double);
  r->place = ARENA_NEW(arena, 2 * n + 1, double);
  r->newton = ARENA_NEW(arena, n + 1, int);
  r->pivots = ARENA_NEW(arena, n + 1, int);
  r->low = ARENA_NEW(arena, n + 1, int);
  return r;
}

static void take_scratch(struct running *r)
{
  size_t n = (size_t)r->c->n_dofs;
  double **all[] = {&r->now.q, &r->now.v, &r->twin.q, &r->twin.v, &r->load, &r->torque, &r->q, &r->before};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    *all[i] = ARENA_NEW(r->arena, n, double);
  r->force = ARENA_NEW(r->arena, 3 * (size_t)r->c->n_points + 1, double);
  r->unaware_until = -1;
}

static void start(struct running *r)
{
  size_t n = (size_t)r->c->n_dofs;
  const struct guide_frame *f = guide_frame(r->guide, 0);
  double *q = r->out->start, *v = q + n;
  memcpy(r->now.q, f->q, n * sizeof *f->q);
  memcpy(r->now.v, f->v, n * sizeof *f->v);
  for (size_t i = 0; i < n; i++) {
    q[i] = f->q[i] * (i < 3 ? r->u.length : 1);
    v[i] = f->v[i] / r->u.time * (i < 3 ? r->u.length : 1);
  }
  if (r->world)
    world_set(r->world, q, v);
}

/* ---- a step ---- */

/* Generalized force of the pushes of a step, and in the world the pushes themselves. */
static int push(struct running *r, double t)
{
  int pushed = 0;
  memset(r->load, 0, (size_t)r->c->n_dofs * sizeof *r->load);
  for (int k = 0; k < r->o->n_pushes; k++) {
    const struct modal_run_push *p = &r->o->pushes[k];
    double force[3];
    if (t < p->from || t >= p->from + p->seconds)
      continue;
    for (int i = 0; i < 3; i++)
      force[i] = p->force[i] / r->u.force;
    pushed = 1;
    if (r->world)
      world_push(r->world, p->limb, p->force, r->out->dt);
    else
      modal_push(r->modal, r->now.q, p->limb, force, r->load);
  }
  return pushed;
}

static int plan(struct running *r, int i, double t)
{
  size_t n = (size_t)r->c->n_dofs;
  double h = r->out->dt;
  for (int k = 0; k < r->o->n_pushes; k++)
    if (t >= r->o->pushes[k].from && t < r->o->pushes[k].from + h) { /* it begins now */
      if (i >= r->unaware_until) {
        memcpy(r->twin.q, r->now.q, n * sizeof *r->now.q);
        memcpy(r->twin.v, r->now.v, n * sizeof *r->now.v);
      }
      r->unaware_until = i + (int)floor(r->o->reaction / h + 0.5);
    }
  return i < r->unaware_until ? modal_plan_unaware(r->modal, r->guide, i, &r->now, &r->twin)
                              : modal_plan(r->modal, r->guide, i, &r->now);
}

/* A step of the world under r->torque; forces of the ground are its means. Servos are off: their target is of no account. */
static int step_world(struct running *r, double *used)
{
  int n = r->c->n_dofs, p = 3 * r->c->n_points;
  double h = r->o->control.step;
  for (int k = 0; k < n; k++)
    r->q[k] = r->now.q[k] * (k < 3 ? r->u.length : 1);
  struct world_target target = {.q = r->q, .torque = r->torque};
  for (int s = 0; s < r->steps_of_world; s++) {
    if (!world_step(r->world, &target))
      return 0;
    world_contacts(r->world, r->force, NULL);
    for (int k = 0; k < p; k++)
      used[k] += r->force[k] / r->steps_of_world;
  }
  world_get(r->world, r->q, NULL);
  for (int k = 0; k < n; k++) {
    double q = r->q[k] / (k < 3 ? r->u.length : 1);
    r->before[k] = r->now.v[k];
    r->now.v[k] = (q - r->now.q[k]) / h;
    r->now.q[k] = q;
  }
  return 1;
}

/* The same under the planned torques, which the controller then looks at. */
static int step_planned(struct running *r, double *used)
{
  const double *torque = modal_last(r->modal)->torque;
  for (int k = 0; k < r->c->n_dofs; k++)
    r->torque[k] = torque[k] * r->u.torque;
  if (!step_world(r, used))
    return 0;
  modal_observe(r->modal, r->before, r->now.v);
  return 1;
}

/* ---- what came of it ---- */

/* Angle between two orientations given as yaw, pitch, roll. */
static double angle_between(const double *a, const double *b)
{
  double A[9], B[9], trace = 0;
  modal_rotation(a, A);
  modal_rotation(b, B);
  for (int i = 0; i < 9; i++)
    trace += A[i] * B[i];
  return acos(fmin(1, fmax(-1, 0.5 * (trace - 1))));
}

static void record(struct running *r, int i)
{
  struct modal_run *out = r->out;
  int n = r->c->n_dofs, p = 3 * r->c->n_points;
  const struct modal_plan *plan = modal_last(r->modal);
  const struct guide_frame *f = guide_frame(r->guide, i + 1);
  double joints = 0, height = fabs(r->now.q[2] - f->q[2]);
  for (int k = 0; k < n; k++) {
    double unit = k < 3 ? r->u.length : 1;
    out->q[(size_t)(i * n + k)] = unit * r->now.q[k];
    out->reference[(size_t)(i * n + k)] = unit * f->q[k];
    out->torque[(size_t)(i * n + k)] = r->u.torque * plan->torque[k];
    if (k >= CREATURE_ROOT_DOFS)
      joints += (r->now.q[k] - f->q[k]) * (r->now.q[k] - f->q[k]) / (n - CREATURE_ROOT_DOFS);
  }
  for (int k = 0; k < p; k++) {
    out->planned[(size_t)(i * p + k)] = r->u.force * plan->planned[k];
    if (!r->world)
      out->used[(size_t)(i * p + k)] = r->u.force * plan->used[k];
  }
  const struct footing *foot = guide_footing(r->guide);
  for (int k = 0; k < 2; k++)
    out->place[2 * i + k] = r->u.length * (r->now.q[k] - f->q[k] + foot->lane[k] - foot->drifted[k]);
  out->angle[i] = angle_between(r->now.q, f->q);
  out->newton[i] = plan->newton;
  out->pivots[i] = plan->pivots;
  out->low[i] = plan->n_low;
  out->newton_failures += plan->newton < 0;
  out->lemke_failures += !r->world && plan->lemke_failed;
  out->worst_angle = fmax(out->worst_angle, out->angle[i]);
  out->worst_height = fmax(out->worst_height, height);
  out->most_missed = fmax(out->most_missed, f->missed);
  out->mean_angle += out->angle[i] * out->angle[i];
  out->mean_joint += joints;
  out->n = i + 1;
  if (!(out->angle[i] <= MODAL_FALLEN_ANGLE))
    out->fault = "tilt";
  else if (!(height <= MODAL_FALLEN_HEIGHT))
    out->fault = "height";
}

static double processor_time(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int go(struct running *r, struct diag *d)
{
  struct modal_run *out = r->out;
  for (int i = 0; i < out->n_wanted && !out->fault; i++) {
    double t = i * out->dt, begun = processor_time();
    if (!take_up(r, t, d))
      return 0;
    int pushed = push(r, t), good = plan(r, i, t);
    if (good && !r->world)
      good = modal_step(r->modal, r->guide, pushed ? r->load : NULL, &r->now);
    out->seconds_control += processor_time() - begun;
    if (good && r->world)
      good = step_planned(r, out->used + (size_t)(3 * i * out->n_points));
    if (!good) {
      out->fault = "lost";
      break;
    }
    record(r, i);
  }
  out->mean_angle = out->n ? sqrt(out->mean_angle / out->n) : 0;
  out->mean_joint = out->n ? sqrt(out->mean_joint / out->n) : 0;
  out->success = !out->fault;
  return 1;
}

struct modal_run *modal_run(struct arena *arena, const struct creature *c, const struct clip *clip,
                            const struct modal_run_options *o, struct diag *d)
{
  struct running r = {.c = c, .o = o, .u = modal_units(c), .arena = arena};
  double h = o->control.step * r.u.time;
  int steps = (int)ceil(o->seconds / h - 1e-9);
  struct guide_options g = {.step = o->control.step, .slope = o->slope, .first = o->first};
  r.guide = guide_new(arena, c, clip, &g, steps);
  r.modal = modal_new(arena, c, &o->control);
  r.out = new_result(arena, c, steps, h);
  for (int k = 0; k < o->n_edits; k++)
    guide_edit(r.guide, &o->edits[k], 0);
  if (o->load.mass > 0) {
    r.laden = modal_laden(arena, c, &o->load);
    r.laden_dynamics = dynamics_new_dimensionless(arena, r.laden);
  }
  if (o->where == MODAL_WORLD && !make_world(&r, c, d))
    return NULL;
  take_scratch(&r);
  start(&r);
  int good = go(&r, d);
  world_free(r.world);
  return good ? r.out : NULL;
}

/* By the torques that were kept, step by step. */
static int go_open_loop(struct running *r, const struct modal_run *kept, struct diag *d)
{
  int n = kept->n_dofs;
  for (int i = 0; i < kept->n; i++) {
    if (!take_up(r, i * kept->dt, d))
      return 0;
    push(r, i * kept->dt);
    memcpy(r->torque, kept->torque + (size_t)(i * n), (size_t)n * sizeof *r->torque);
    if (!step_world(r, r->out->used + (size_t)(3 * i * kept->n_points)))
      break;
    memcpy(r->out->torque + (size_t)(i * n), r->torque, (size_t)n * sizeof *r->torque);
    for (int k = 0; k < n; k++)
      r->out->q[(size_t)(i * n + k)] = (k < 3 ? r->u.length : 1) * r->now.q[k];
    r->out->n = i + 1;
  }
  return 1;
}

struct modal_run *modal_replay(struct arena *arena, const struct clip *clip, const struct modal_run *kept,
                               const struct modal_run_options *o, struct diag *d)
{
  const struct creature *c = kept->creature;
  if (o->where == MODAL_OWN)
    return modal_run(arena, c, clip, o, d);
  struct running r = {.c = c, .o = o, .u = modal_units(c), .arena = arena};
  int n = c->n_dofs;
  r.out = new_result(arena, c, kept->n, kept->dt);
  r.out->success = kept->success;
  r.out->fault = kept->fault;
  if (o->load.mass > 0)
    r.laden = modal_laden(arena, c, &o->load);
  if (!make_world(&r, c, d))
    return NULL;
  take_scratch(&r);
  memcpy(r.out->start, kept->start, 2 * (size_t)n * sizeof *kept->start);
  for (int k = 0; k < n; k++)
    r.now.q[k] = kept->start[k] / (k < 3 ? r.u.length : 1);
  world_set(r.world, kept->start, kept->start + n);
  int good = go_open_loop(&r, kept, d);
  world_free(r.world);
  return good ? r.out : NULL;
}

struct clip *modal_run_clip(struct arena *arena, const struct modal_run *r, const char *name)
{
  struct clip *clip = clip_new(arena, r->creature, r->n, r->dt);
  size_t n = (size_t)r->n;
  clip->name = clip->gait = clip->gait_after = arena_strdup(arena, name);
  memcpy(clip->q, r->q, n * (size_t)r->n_dofs * sizeof *r->q);
  memcpy(clip->force, r->used, 3 * n * (size_t)r->n_points * sizeof *r->used);
  for (size_t i = 0; i < n * (size_t)r->n_points; i++)
    clip->contact[i] = clip->force[3 * i + 2] > 0;
  return clip;
}
