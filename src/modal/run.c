/* See run.h. */
#include "modal/run.h"

#include <math.h>
#include <string.h>

#include "base/seconds.h"
#include "modal/room.h"

struct running {
  const struct creature *c;
  const struct modal_run_options *o;
  struct modal_units u;
  struct arena *arena;
  struct editable_reference *reference;
  struct modal *modal;
  struct rollout *rollout;      /* NULL: in linearised dynamics */
  struct dynamics *laden;       /* of the creature with its load; NULL: there is none */
  int carries;
  struct modal_state now, twin;
  int unaware_until;            /* step; before it the twin lives */
  double *load, *before;
  struct modal_run *out;
};

void modal_run_defaults(const struct creature *c, struct modal_run_options *o)
{
  *o = (struct modal_run_options){.seconds = 10, .reaction = 0.2, .fall = fall_limits_following};
  modal_defaults(&o->control);
  world_defaults(c, &o->world);
}

struct rollout_options modal_rollout(const struct modal_run_options *o)
{
  struct rollout_options out = {.world = o->world, .drive = DRIVE_HELD, .n_pushes = o->n_pushes, .pushes = o->pushes,
                                .load = o->load};
  if (o->slope != 0)
    out.world.terrain = (struct terrain){.kind = TERRAIN_SLOPE, .size = o->slope};
  return out;
}

/* The controller learns of a load when its time has come; the world takes it up by itself. */
static void run_take_load(struct running *r, double t)
{
  if (r->carries || !r->laden || t < r->o->load.from)
    return;
  r->carries = 1;
  modal_load(r->modal, r->laden, 1 + r->o->load.mass / r->u.mass);
  editable_load(r->reference, r->laden);
}

/* ---- set-up ---- */

/* A reference that is written while it plays: one window a step. */
static struct reference *new_reference(struct arena *arena, const struct creature *c, int steps, double dt)
{
  struct reference *r = ARENA_NEW(arena, 1, struct reference);
  size_t frames = (size_t)steps + 1, dofs = frames * (size_t)c->n_dofs, points = frames * (size_t)c->n_points;
  *r = (struct reference){.creature = c, .n_frames = steps + 1, .n_dofs = c->n_dofs, .n_points = c->n_points, .dt = dt,
                          .torques_given = 1, .n_windows = steps, .n_ahead = steps};
  r->q = ARENA_NEW(arena, dofs, double);
  r->v = ARENA_NEW(arena, dofs, double);
  r->torque = ARENA_NEW(arena, dofs, double);
  r->contact = ARENA_NEW(arena, points + 1, unsigned char);
  r->force = ARENA_NEW(arena, 3 * points + 1, double);
  r->first = ARENA_NEW(arena, frames, int);
  for (int i = 0; i <= steps; i++)
    r->first[i] = i;
  return r;
}

struct modal_run *modal_run_new(struct arena *arena, const struct creature *c, int steps, double dt)
{
  struct modal_run *r = ARENA_NEW(arena, 1, struct modal_run);
  size_t n = (size_t)steps;
  *r = (struct modal_run){.creature = c, .n_dofs = c->n_dofs, .n_points = c->n_points, .n_wanted = steps, .dt = dt};
  r->followed = new_reference(arena, c, steps, dt);
  r->motion = follow_motion_new(arena, r->followed);
  modal_run_views(r);
  r->start = ARENA_NEW(arena, 2 * (size_t)c->n_dofs, double);
  r->angle = ARENA_NEW(arena, n + 1, double);
  r->place = ARENA_NEW(arena, 2 * n + 1, double);
  r->newton = ARENA_NEW(arena, n + 1, int);
  r->pivots = ARENA_NEW(arena, n + 1, int);
  r->low = ARENA_NEW(arena, n + 1, int);
  return r;
}

void modal_run_views(struct modal_run *r)
{
  r->q = r->motion->q + r->n_dofs;
  r->reference = r->followed->q + r->n_dofs;
  r->torque = r->followed->torque;
  r->planned = r->followed->force;
  r->used = r->motion->force;
}

static void take_scratch(struct running *r)
{
  size_t n = (size_t)r->c->n_dofs;
  double **all[] = {&r->now.q, &r->now.v, &r->twin.q, &r->twin.v, &r->load, &r->before};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    *all[i] = ARENA_NEW(r->arena, n, double);
  r->unaware_until = -1;
}

/* Writes a frame of what is followed, as the reference has it now. */
static void keep_frame(struct running *r, int k, const struct editable_frame *f)
{
  int n = r->c->n_dofs;
  double *q = r->out->followed->q + (size_t)(k * n), *v = r->out->followed->v + (size_t)(k * n);
  for (int i = 0; i < n; i++) {
    double unit = i < 3 ? r->u.length : 1;
    q[i] = unit * f->q[i];
    v[i] = unit * f->v[i] / r->u.time;
  }
  memcpy(r->out->followed->contact + (size_t)(k * r->c->n_points), f->contact, (size_t)r->c->n_points);
}

static void run_start(struct running *r)
{
  size_t n = (size_t)r->c->n_dofs;
  const struct editable_frame *f = editable_frame(r->reference, 0);
  double *q = r->out->start, *v = q + n;
  memcpy(r->now.q, f->q, n * sizeof *f->q);
  memcpy(r->now.v, f->v, n * sizeof *f->v);
  for (size_t i = 0; i < n; i++) {
    q[i] = f->q[i] * (i < 3 ? r->u.length : 1);
    v[i] = f->v[i] / r->u.time * (i < 3 ? r->u.length : 1);
  }
  keep_frame(r, 0, f);
  memcpy(r->out->motion->q, q, n * sizeof *q);
  r->out->motion->n_frames = 1;
  if (r->rollout)
    rollout_set(r->rollout, q, v);
}

/* ---- a step ---- */

/* Generalized force of the pushes of a step; in a world the rollout pushes by itself. */
static int run_push(struct running *r, double t)
{
  int pushed = 0;
  memset(r->load, 0, (size_t)r->c->n_dofs * sizeof *r->load);
  for (int k = 0; k < r->o->n_pushes; k++) {
    const struct disturb_push *p = &r->o->pushes[k];
    double force[3];
    if (t < p->time || t >= p->time + p->seconds)
      continue;
    for (int i = 0; i < 3; i++)
      force[i] = p->force[i] / r->u.force;
    pushed = 1;
    if (!r->rollout)
      modal_push(r->modal, r->now.q, p->limb, force, r->load);
  }
  return pushed;
}

static int run_plan(struct running *r, int i, double t)
{
  size_t n = (size_t)r->c->n_dofs;
  double h = r->out->dt;
  for (int k = 0; k < r->o->n_pushes; k++)
    if (t >= r->o->pushes[k].time && t < r->o->pushes[k].time + h) { /* it begins now */
      if (i >= r->unaware_until) {
        memcpy(r->twin.q, r->now.q, n * sizeof *r->now.q);
        memcpy(r->twin.v, r->now.v, n * sizeof *r->now.v);
      }
      r->unaware_until = i + (int)floor(r->o->reaction / h + 0.5);
    }
  return i < r->unaware_until ? modal_plan_unaware(r->modal, r->reference, i, &r->now, &r->twin)
                              : modal_plan(r->modal, r->reference, i, &r->now);
}

/* A step of the world under the planned torques alone, which the controller then looks at. 0: lost. */
static int step_world(struct running *r, int i)
{
  int n = r->c->n_dofs;
  double h = r->o->control.step;
  if (!rollout_window(r->rollout, i, NULL, r->out->motion))
    return 0;
  const double *after = r->out->q + (size_t)(i * n);
  for (int k = 0; k < n; k++) {
    double q = after[k] / (k < 3 ? r->u.length : 1);
    r->before[k] = r->now.v[k];
    r->now.v[k] = (q - r->now.q[k]) / h;
    r->now.q[k] = q;
  }
  modal_observe(r->modal, r->before, r->now.v);
  return 1;
}

/* ---- what came of it ---- */

/* What linearised dynamics came to in a step; a rollout keeps the motion by itself. */
static void keep_motion(struct running *r, int i, const struct modal_plan *plan)
{
  struct modal_run *out = r->out;
  int n = r->c->n_dofs, p = r->c->n_points;
  for (int k = 0; k < n; k++)
    out->q[(size_t)(i * n + k)] = (k < 3 ? r->u.length : 1) * r->now.q[k];
  for (int k = 0; k < 3 * p; k++)
    out->used[(size_t)(3 * i * p + k)] = r->u.force * plan->used[k];
  for (int k = 0; k < p; k++)
    out->motion->contact[(size_t)(i * p + k)] = out->used[(size_t)(3 * (i * p + k) + 2)] > 0;
  memcpy(out->motion->torque + (size_t)(i * n), out->torque + (size_t)(i * n), (size_t)n * sizeof *out->torque);
  out->motion->n_frames = i + 2;
}

static void run_record(struct running *r, int i)
{
  struct modal_run *out = r->out;
  int n = r->c->n_dofs;
  const struct modal_plan *plan = modal_last(r->modal);
  const struct editable_frame *f = editable_frame(r->reference, i + 1);
  double joints = 0;
  keep_frame(r, i + 1, f);
  for (int k = CREATURE_ROOT_DOFS; k < n; k++)
    joints += (r->now.q[k] - f->q[k]) * (r->now.q[k] - f->q[k]) / (n - CREATURE_ROOT_DOFS);
  if (!r->rollout)
    keep_motion(r, i, plan);
  struct fall fall = fall_of(&r->o->fall, r->c, out->q + (size_t)(i * n), out->reference + (size_t)(i * n), 0);
  const struct footholds *foot = editable_footholds(r->reference);
  for (int k = 0; k < 2; k++)
    out->place[2 * i + k] = r->u.length * (r->now.q[k] - f->q[k] + foot->lane[k] - foot->drifted[k]);
  out->angle[i] = fall.angle;
  out->newton[i] = plan->newton;
  out->pivots[i] = plan->pivots;
  out->low[i] = plan->n_low;
  out->newton_failures += plan->newton < 0;
  out->lemke_failures += !r->rollout && plan->lemke_failed;
  out->worst_angle = fmax(out->worst_angle, out->angle[i]);
  out->worst_height = fmax(out->worst_height, fall.height);
  out->most_missed = fmax(out->most_missed, f->missed);
  out->mean_angle += out->angle[i] * out->angle[i];
  out->mean_joint += joints;
  out->n = i + 1;
  out->fault = fall.fault;
}

static void run_go(struct running *r)
{
  struct modal_run *out = r->out;
  for (int i = 0; i < out->n_wanted && !out->fault; i++) {
    double t = i * out->dt, begun = processor_seconds();
    run_take_load(r, t);
    int pushed = run_push(r, t), good = run_plan(r, i, t);
    if (good && !r->rollout)
      good = modal_step(r->modal, r->reference, pushed ? r->load : NULL, &r->now);
    out->seconds_control += processor_seconds() - begun;
    const struct modal_plan *p = modal_last(r->modal);
    for (int k = 0; k < out->n_dofs; k++)
      out->torque[(size_t)(i * out->n_dofs + k)] = r->u.torque * p->torque[k];
    for (int k = 0; k < 3 * out->n_points; k++)
      out->planned[(size_t)(3 * i * out->n_points + k)] = r->u.force * p->planned[k];
    if (good && r->rollout)
      good = step_world(r, i);
    if (!good) {
      out->fault = "lost";
      break;
    }
    run_record(r, i);
  }
  out->mean_angle = out->n ? sqrt(out->mean_angle / out->n) : 0;
  out->mean_joint = out->n ? sqrt(out->mean_joint / out->n) : 0;
  out->success = !out->fault;
}

struct modal_run *modal_run(struct arena *arena, const struct creature *c, const struct clip *clip,
                            const struct modal_run_options *o, struct diag *d)
{
  struct running r = {.c = c, .o = o, .u = modal_units(c), .arena = arena};
  double h = o->control.step * r.u.time;
  int steps = (int)ceil(o->seconds / h - 1e-9);
  struct editable_options g;
  editable_defaults(&g);
  g.step = o->control.step;
  g.slope = o->slope;
  g.first = o->first;
  r.reference = editable_new(arena, c, clip, &g, steps);
  r.modal = modal_new(arena, c, &o->control);
  r.out = modal_run_new(arena, c, steps, h);
  for (int k = 0; k < o->n_edits; k++)
    editable_edit(r.reference, &o->edits[k], 0);
  if (o->load.mass > 0)
    r.laden = dynamics_new_dimensionless(arena, disturb_laden(arena, c, &o->load));
  if (o->where == MODAL_WORLD) {
    struct rollout_options world = modal_rollout(o);
    if (!(r.rollout = rollout_new(arena, r.out->followed, &world, d)))
      return NULL;
  }
  take_scratch(&r);
  run_start(&r);
  run_go(&r);
  rollout_free(r.rollout);
  return r.out;
}
