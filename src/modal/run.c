/* See run.h. */
#include "modal/run.h"

#include <math.h>
#include <string.h>

#include "modal/live.h"

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

/* Copies a frame of a table of n numbers each. */
static void copy_frame(double *to, int k, const double *from, int n)
{
  memcpy(to + (size_t)k * (size_t)n, from, (size_t)n * sizeof *from);
}

/* The state after so many steps, and where the reference is then. */
static void keep_state(struct modal_run *out, struct modal_live *l, int k, const struct modal_run_options *o)
{
  size_t n = (size_t)out->n_dofs, p = (size_t)out->n_points;
  modal_live_reference(l, out->followed->q + (size_t)k * n, out->followed->v + (size_t)k * n);
  memcpy(out->followed->contact + (size_t)k * p, modal_live_contacts(l), p);
  modal_live_pose(l, out->motion->q + (size_t)k * n, o->where == MODAL_WORLD ? out->motion->v + (size_t)k * n : NULL);
  out->motion->n_frames = k + 1;
}

/* What came of step i. */
static void keep_step(struct modal_run *out, const struct modal_live_report *r, int i,
                      const struct modal_run_options *o)
{
  copy_frame(out->used, i, r->used, 3 * out->n_points);
  copy_frame(out->motion->torque, i, r->given, out->n_dofs);
  copy_frame(out->place, i, r->place, 2);
  memcpy(out->motion->contact + (size_t)(i * out->n_points), r->contact, (size_t)out->n_points);
  out->motion->ground[i + 1] = r->ground;
  out->angle[i] = r->angle;
  out->newton[i] = r->newton;
  out->pivots[i] = r->pivots;
  out->low[i] = r->low;
  out->newton_failures += r->newton < 0;
  out->lemke_failures += o->where == MODAL_LINEAR && r->lemke_failed;
  out->worst_angle = fmax(out->worst_angle, r->angle);
  out->worst_height = fmax(out->worst_height, r->height);
  out->most_missed = fmax(out->most_missed, r->missed);
  out->mean_angle += r->angle * r->angle;
  out->mean_joint += r->joints;
  out->n = i + 1;
}

static void run_go(struct modal_run *out, struct modal_live *l, const struct modal_run_options *o)
{
  for (int i = 0; i < out->n_wanted && !out->fault; i++) {
    enum modal_live_state state = modal_live_step(l);
    struct modal_live_report r = modal_live_report(l);
    copy_frame(out->torque, i, r.torque, out->n_dofs);
    copy_frame(out->planned, i, r.planned, 3 * out->n_points);
    out->seconds_control = r.seconds_control;
    out->fault = modal_live_fault(l);
    if (state == MODAL_LIVE_LOST)
      break;
    keep_step(out, &r, i, o);
    keep_state(out, l, i + 1, o);
  }
  out->mean_angle = out->n ? sqrt(out->mean_angle / out->n) : 0;
  out->mean_joint = out->n ? sqrt(out->mean_joint / out->n) : 0;
  out->success = !out->fault;
}

struct modal_run *modal_run(struct arena *arena, const struct creature *c, const struct clip *clip,
                            const struct modal_run_options *o, struct diag *d)
{
  double h = o->control.step * modal_units(c).time;
  struct modal_live *l = modal_live_new(c, 1, &clip, o, d);
  if (!l)
    return NULL;
  struct modal_run *out = modal_run_new(arena, c, (int)ceil(o->seconds / h - 1e-9), h);
  keep_state(out, l, 0, o);
  memcpy(out->start, modal_live_start(l), 2 * (size_t)c->n_dofs * sizeof *out->start);
  out->motion->ground[0] = modal_live_report(l).ground;
  run_go(out, l, o);
  modal_live_free(l);
  return out;
}
