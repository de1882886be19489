/* See live.h. */
#include "modal/live.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/seconds.h"
#include "modal/room.h"

#define TILT     0.02           /* the ground tilts by so much in a unit of time [rad]                         */
#define STEEPEST 1.0            /* [rad]                                                                       */
#define LEAST    0.25           /* factor on tempo or stride, and at most 1 / LEAST                            */
#define MAGIC    0x4c444f4d     /* of saved states                                                             */

struct modal_live {
  const struct creature *c;
  struct modal_run_options o;
  struct modal_units u;
  int n_clips;
  const struct clip *const *clips;
  int clip;                     /* with which it began                                                         */
  double dt;                    /* [s]                                                                         */
  struct arena *arena;          /* this, its masses and states                                                 */
  struct arena *body_arena;     /* of the body with its load: dynamics, world, frames                          */
  struct arena *plan_arena;     /* of the controller and the reference                                         */
  struct editable_reference *reference;
  struct modal *modal;
  struct dynamics *laden_dynamics; /* NULL: no load                                                            */
  double *masses;               /* hung on limbs [kg]                                         (n_limbs)        */
  double mass;                  /* of the body with all of it [mass of the creature]                           */
  int carries;                  /* the load of the options was taken up                                        */
  struct reference *frame;      /* the step as a reference of one window                                       */
  struct follow_motion *motion; /* and what came of it: frame 0 before, frame 1 after                          */
  struct rollout *rollout;      /* NULL: in linearised dynamics                                                */
  int i;                        /* the next step                                                               */
  struct modal_state now, twin;
  int unaware_until;            /* step; before it the twin lives                                              */
  double *start;                /* pose and velocity at the start                             (2 x n_dofs)     */
  double *load, *before;
  int n_pushes;
  struct disturb_push pushes[MODAL_LIVE_PUSHES];
  double slope, level, slope_wanted; /* [rad], [m]                                                             */
  const char *fault;
  struct modal_live_report report;
};

/* ---- the body and what it carries ---- */

/* A reference of one step: where it begins and ends, and the torques between. */
static struct reference *new_frame(struct arena *arena, const struct creature *c, double dt)
{
  struct reference *r = ARENA_NEW(arena, 1, struct reference);
  size_t n = (size_t)c->n_dofs, p = (size_t)c->n_points;
  *r = (struct reference){.creature = c, .n_frames = 2, .n_dofs = c->n_dofs, .n_points = c->n_points, .dt = dt,
                          .torques_given = 1, .n_windows = 1, .n_ahead = 1};
  r->q = ARENA_NEW(arena, 2 * n, double);
  r->v = ARENA_NEW(arena, 2 * n, double);
  r->torque = ARENA_NEW(arena, 2 * n, double);
  r->contact = ARENA_NEW(arena, 2 * p + 1, unsigned char);
  r->force = ARENA_NEW(arena, 6 * p + 1, double);
  r->first = ARENA_NEW(arena, 2, int);
  r->first[1] = 1;
  return r;
}

static struct terrain live_terrain(const struct modal_live *l)
{
  struct terrain t = l->o.world.terrain;
  if (l->slope != 0 || l->level != 0)
    t = (struct terrain){.kind = TERRAIN_SLOPE, .size = l->slope, .level = l->level};
  return t;
}

static void live_tell_load(struct modal_live *l)
{
  modal_load(l->modal, l->laden_dynamics, l->mass);
  editable_load(l->reference, l->laden_dynamics);
}

/* The creature with all that hangs on it, its dynamics and its world, in a new arena. 0: there can be no such body. */
static int live_build_body(struct modal_live *l, struct diag *d)
{
  struct arena *arena = arena_new(), *old = l->body_arena;
  struct rollout *rollout = NULL, *before = l->rollout;
  const struct creature *laden = l->c;
  double mass = 0;
  if (l->carries)
    laden = disturb_laden(arena, laden, &l->o.load), mass += l->o.load.mass;
  for (int i = 0; i < l->c->n_limbs; i++)
    if (l->masses[i] > 0) {
      const struct disturb_load load = {.mass = l->masses[i], .n_limbs = 1, .limbs = {i}};
      laden = disturb_laden(arena, laden, &load), mass += load.mass;
    }
  struct reference *frame = new_frame(arena, laden, l->dt);
  if (l->o.where == MODAL_WORLD) {
    struct rollout_options o = {.world = l->o.world, .drive = DRIVE_HELD};
    o.world.terrain = live_terrain(l);
    if (!(rollout = rollout_new(arena, frame, &o, d))) {
      arena_free(arena);
      return 0;
    }
  }
  struct follow_motion *motion = follow_motion_new(arena, frame), *last = l->motion;
  size_t n = (size_t)l->c->n_dofs;
  if (last) {
    memcpy(motion->q, last->q, 2 * n * sizeof *last->q);
    memcpy(motion->v, last->v, 2 * n * sizeof *last->v);
  }
  l->frame = frame;
  l->motion = motion;
  l->rollout = rollout;
  l->body_arena = arena;
  l->mass = 1 + mass / l->u.mass;
  l->laden_dynamics = mass > 0 ? dynamics_new_dimensionless(arena, laden) : NULL;
  live_tell_load(l);
  if (before) { /* it goes on from where it is */
    world_get(before->world, rollout->q, rollout->v);
    rollout_set(rollout, rollout->q, rollout->v);
    rollout_free(before);
  }
  if (old)
    arena_free(old);
  return 1;
}

int modal_live_load(struct modal_live *l, int limb, double mass)
{
  double before = l->masses[limb];
  if (!(mass >= 0 && isfinite(mass)))
    return 0;
  if (mass == before)
    return 1;
  l->masses[limb] = mass;
  if (live_build_body(l, NULL))
    return 1;
  l->masses[limb] = before;
  return 0;
}

/* ---- beginning ---- */

static void to_si(const struct modal_live *l, const double *q, const double *v, double *out_q, double *out_v)
{
  for (int i = 0; i < l->c->n_dofs; i++) {
    double unit = i < 3 ? l->u.length : 1;
    if (out_q)
      out_q[i] = unit * q[i];
    if (out_v)
      out_v[i] = unit * v[i] / l->u.time;
  }
}

/* The body is where the reference is. */
static void live_start(struct modal_live *l)
{
  size_t n = (size_t)l->c->n_dofs;
  const struct editable_frame *f = editable_frame(l->reference, 0);
  memcpy(l->now.q, f->q, n * sizeof *f->q);
  memcpy(l->now.v, f->v, n * sizeof *f->v);
  double *q = l->start, *v = q + n;
  for (size_t i = 0; i < n; i++) {
    q[i] = f->q[i] * (i < 3 ? l->u.length : 1);
    v[i] = f->v[i] / l->u.time * (i < 3 ? l->u.length : 1);
  }
  memcpy(l->motion->q + n, q, n * sizeof *q);
  memcpy(l->motion->v + n, v, n * sizeof *v);
  if (!l->rollout)
    return;
  rollout_set(l->rollout, q, v);
  rollout_record(l->rollout, 1, l->motion); /* as the world has it: its units may cost the last digit */
  l->report.ground = l->motion->ground[1];
}

/* Controller and reference, new. */
static void live_plan_anew(struct modal_live *l, int clip, int frame, struct clip_advance place)
{
  struct arena *old = l->plan_arena;
  struct editable_options g;
  editable_defaults(&g);
  g.step = l->o.control.step;
  g.slope = l->slope;
  g.first = frame;
  g.place = place;
  l->plan_arena = arena_new();
  l->clip = clip;
  l->reference = editable_new(l->plan_arena, l->c, l->clips[clip], &g,
                              l->o.seconds > 0 ? (int)ceil(l->o.seconds / l->dt - 1e-9) : 0);
  l->modal = modal_new(l->plan_arena, l->c, &l->o.control);
  if (l->level != 0)
    editable_tilt(l->reference, l->slope, l->level / l->u.length);
  l->i = 0;
  l->unaware_until = -1;
  l->n_pushes = 0;
  l->fault = NULL;
  if (old)
    arena_free(old);
}

struct modal_live *modal_live_new(const struct creature *c, int n_clips, const struct clip *const *clips,
                                  const struct modal_run_options *o, struct diag *d)
{
  struct arena *arena = arena_new();
  struct modal_live *l = ARENA_NEW(arena, 1, struct modal_live);
  *l = (struct modal_live){.c = c, .o = *o, .u = modal_units(c), .n_clips = n_clips, .clips = clips, .arena = arena,
                           .slope = o->slope, .slope_wanted = o->slope};
  size_t n = (size_t)c->n_dofs;
  double **all[] = {&l->now.q, &l->now.v, &l->twin.q, &l->twin.v, &l->load, &l->before};
  l->dt = o->control.step * l->u.time;
  l->masses = ARENA_NEW(arena, (size_t)c->n_limbs, double);
  l->start = ARENA_NEW(arena, 2 * n, double);
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    *all[i] = ARENA_NEW(arena, n, double);
  live_plan_anew(l, 0, o->first, (struct clip_advance){0, 0, 0});
  for (int k = 0; k < o->n_edits; k++)
    editable_edit(l->reference, &o->edits[k], 0);
  if (!live_build_body(l, d)) {
    modal_live_free(l);
    return NULL;
  }
  live_start(l);
  return l;
}

int modal_live_restart(struct modal_live *l, int clip, int frame, struct clip_advance place)
{
  if (clip < 0 || clip >= l->n_clips || frame < 0 || frame >= l->clips[clip]->n_frames)
    return 0;
  live_plan_anew(l, clip, frame, place);
  live_tell_load(l);
  live_start(l);
  return 1;
}

void modal_live_free(struct modal_live *l)
{
  if (!l)
    return;
  rollout_free(l->rollout);
  if (l->body_arena)
    arena_free(l->body_arena);
  if (l->plan_arena)
    arena_free(l->plan_arena);
  arena_free(l->arena);
}

/* ---- what happens from outside ---- */

int modal_live_push(struct modal_live *l, int limb, const double force[3], double seconds)
{
  if (l->n_pushes == MODAL_LIVE_PUSHES || limb < 0 || limb >= l->c->n_limbs || !(seconds > 0))
    return 0;
  l->pushes[l->n_pushes++] = (struct disturb_push){.time = l->i * l->dt, .seconds = seconds, .limb = limb,
                                                   .force = {force[0], force[1], force[2]}};
  return 1;
}

static int is_factor(double x)
{
  return x >= LEAST && x <= 1 / LEAST;
}

int modal_live_tempo(struct modal_live *l, double factor)
{
  if (!is_factor(factor))
    return 0;
  editable_tempo(l->reference, factor, l->i);
  return 1;
}

int modal_live_stride(struct modal_live *l, double factor)
{
  return is_factor(factor) && editable_stride(l->reference, factor, l->i);
}

int modal_live_edit(struct modal_live *l, const struct reference_edit *e)
{
  return editable_edit(l->reference, e, l->i);
}

int modal_live_go_over(struct modal_live *l, int clip, double seconds)
{
  double now = (l->i + 1) * l->dt;
  if (clip < 0 || clip >= l->n_clips || !(seconds >= 0))
    return 0;
  return modal_live_edit(l, &(struct reference_edit){EDIT_TRANSITION, now, now + seconds, 0, l->clips[clip]});
}

double modal_live_left(struct modal_live *l)
{
  return editable_left(l->reference, l->i);
}

int modal_live_slope(struct modal_live *l, double slope)
{
  if (!(fabs(slope) <= STEEPEST))
    return 0;
  l->slope_wanted = slope;
  return 1;
}

/* Towards the wanted slope, about the place below the root. */
static void live_tilt(struct modal_live *l)
{
  double most = TILT * l->o.control.step, by = fmin(most, fmax(-most, l->slope_wanted - l->slope));
  double x = l->now.q[0] * l->u.length;
  if (by == 0)
    return;
  l->level += (tan(l->slope) - tan(l->slope + by)) * x;
  l->slope = fabs(l->slope_wanted - l->slope) <= most ? l->slope_wanted : l->slope + by;
  editable_tilt(l->reference, l->slope, l->level / l->u.length);
  if (l->rollout) {
    struct terrain t = live_terrain(l);
    world_set_terrain(l->rollout->world, &t);
    l->rollout->options.world.terrain = t;
  }
}

int modal_live_hold(struct modal_live *l, int limb, const double at[3], const double target[3])
{
  double local[3], place[3];
  if (limb < 0 || limb >= l->c->n_limbs)
    return 0;
  for (int i = 0; i < 3; i++) {
    local[i] = at[i] / l->u.length;
    place[i] = target[i] / l->u.length;
    if (!isfinite(local[i]) || !isfinite(place[i]))
      return 0;
  }
  return editable_hold(l->reference, limb, local, place);
}

void modal_live_release(struct modal_live *l)
{
  editable_release(l->reference);
}

/* ---- a step ---- */

/* Push k of all: those of the options, then those that were added; NULL: there are no more. */
static const struct disturb_push *live_push(const struct modal_live *l, int k)
{
  if (k < l->o.n_pushes)
    return &l->o.pushes[k];
  return k - l->o.n_pushes < l->n_pushes ? &l->pushes[k - l->o.n_pushes] : NULL;
}

/* Pushes of this step: on the world, or as a generalized force. Is there one? */
static int live_apply_pushes(struct modal_live *l, double t)
{
  const struct disturb_push *p;
  int pushed = 0;
  memset(l->load, 0, (size_t)l->c->n_dofs * sizeof *l->load);
  for (int k = 0; (p = live_push(l, k)); k++) {
    double force[3];
    if (t < p->time || t >= p->time + p->seconds)
      continue;
    for (int i = 0; i < 3; i++)
      force[i] = p->force[i] / l->u.force;
    pushed = 1;
    if (l->rollout)
      world_push(l->rollout->world, p->limb, p->force, l->dt);
    else
      modal_push(l->modal, l->now.q, p->limb, force, l->load);
  }
  return pushed;
}

/* Pushes that are over make room for others. */
static void live_drop_pushes(struct modal_live *l, double t)
{
  int kept = 0;
  for (int k = 0; k < l->n_pushes; k++)
    if (t < l->pushes[k].time + l->pushes[k].seconds)
      l->pushes[kept++] = l->pushes[k];
  l->n_pushes = kept;
}

static int live_plan(struct modal_live *l, double t)
{
  size_t n = (size_t)l->c->n_dofs;
  const struct disturb_push *p;
  for (int k = 0; (p = live_push(l, k)); k++)
    if (t >= p->time && t < p->time + l->dt) { /* it begins now */
      if (l->i >= l->unaware_until) {
        memcpy(l->twin.q, l->now.q, n * sizeof *l->now.q);
        memcpy(l->twin.v, l->now.v, n * sizeof *l->now.v);
      }
      l->unaware_until = l->i + (int)floor(l->o.reaction / l->dt + 0.5);
    }
  return l->i < l->unaware_until ? modal_plan_unaware(l->modal, l->reference, l->i, &l->now, &l->twin)
                                 : modal_plan(l->modal, l->reference, l->i, &l->now);
}

/* A step of the world under the planned torques alone, which the controller then looks at. 0: lost. */
static int live_step_world(struct modal_live *l)
{
  int n = l->c->n_dofs;
  double h = l->o.control.step;
  if (!rollout_window(l->rollout, 0, NULL, l->motion))
    return 0;
  const double *after = l->motion->q + n;
  for (int k = 0; k < n; k++) {
    double q = after[k] / (k < 3 ? l->u.length : 1);
    l->before[k] = l->now.v[k];
    l->now.v[k] = (q - l->now.q[k]) / h;
    l->now.q[k] = q;
  }
  modal_observe(l->modal, l->before, l->now.v);
  return 1;
}

/* What linearised dynamics came to; a rollout keeps the motion by itself. */
static void live_keep_motion(struct modal_live *l, const struct modal_plan *plan)
{
  int n = l->c->n_dofs, p = l->c->n_points;
  to_si(l, l->now.q, l->now.v, l->motion->q + n, l->motion->v + n);
  for (int k = 0; k < 3 * p; k++)
    l->motion->force[k] = l->u.force * plan->used[k];
  for (int k = 0; k < p; k++)
    l->motion->contact[k] = l->motion->force[3 * k + 2] > 0;
  memcpy(l->motion->torque, l->frame->torque, (size_t)n * sizeof *l->frame->torque);
}

static void live_report(struct modal_live *l)
{
  int n = l->c->n_dofs;
  const struct modal_plan *plan = modal_last(l->modal);
  if (!l->rollout)
    live_keep_motion(l, plan);
  const struct editable_frame *f = editable_frame(l->reference, l->i + 1);
  const struct footholds *foot = editable_footholds(l->reference);
  struct modal_live_report *r = &l->report;
  to_si(l, f->q, f->v, l->frame->q, l->frame->v);
  struct fall fall = fall_of(&l->o.fall, l->c, l->motion->q + n, l->frame->q, 0);
  r->joints = 0;
  for (int k = CREATURE_ROOT_DOFS; k < n; k++)
    r->joints += (l->now.q[k] - f->q[k]) * (l->now.q[k] - f->q[k]) / (n - CREATURE_ROOT_DOFS);
  for (int k = 0; k < 2; k++)
    r->place[k] = l->u.length * (l->now.q[k] - f->q[k] + foot->lane[k] - foot->drifted[k]);
  r->angle = fall.angle;
  r->height = fall.height;
  r->missed = f->missed;
  r->newton = plan->newton;
  r->pivots = plan->pivots;
  r->low = plan->n_low;
  r->lemke_failed = plan->lemke_failed;
  r->ground = l->rollout ? l->motion->ground[1] : 0;
  l->fault = fall.fault;
}

enum modal_live_state modal_live_step(struct modal_live *l)
{
  double t = l->i * l->dt, begun = processor_seconds();
  if (l->fault)
    return modal_live_state(l);
  live_drop_pushes(l, t);
  if (!l->carries && l->o.load.mass > 0 && t >= l->o.load.from) {
    l->carries = 1;
    if (!live_build_body(l, NULL)) {
      l->fault = "lost";
      return MODAL_LIVE_LOST;
    }
  }
  live_tilt(l);
  editable_tidy(l->reference, l->i);
  int pushed = live_apply_pushes(l, t), good = live_plan(l, t);
  if (good && !l->rollout)
    good = modal_step(l->modal, l->reference, pushed ? l->load : NULL, &l->now);
  l->report.seconds_control += processor_seconds() - begun;
  const struct modal_plan *plan = modal_last(l->modal);
  for (int k = 0; k < l->c->n_dofs; k++)
    l->frame->torque[k] = l->u.torque * plan->torque[k];
  for (int k = 0; k < 3 * l->c->n_points; k++)
    l->frame->force[k] = l->u.force * plan->planned[k];
  if (good && l->rollout)
    good = live_step_world(l);
  if (!good)
    l->fault = "lost";
  else
    live_report(l);
  l->i += good;
  return modal_live_state(l);
}

enum modal_live_state modal_live_state(const struct modal_live *l)
{
  return !l->fault ? MODAL_LIVE_UP : strcmp(l->fault, "lost") ? MODAL_LIVE_FALLEN : MODAL_LIVE_LOST;
}

const char *modal_live_fault(const struct modal_live *l)
{
  return l->fault;
}

/* ---- what is to be seen ---- */

int modal_live_steps(const struct modal_live *l)
{
  return l->i;
}

double modal_live_step_seconds(const struct modal_live *l)
{
  return l->dt;
}

void modal_live_pose(const struct modal_live *l, double *q, double *v)
{
  size_t n = (size_t)l->c->n_dofs;
  if (q)
    memcpy(q, l->motion->q + n, n * sizeof *q);
  if (v)
    memcpy(v, l->motion->v + n, n * sizeof *v);
}

const double *modal_live_start(const struct modal_live *l)
{
  return l->start;
}

void modal_live_reference(struct modal_live *l, double *q, double *v)
{
  const struct editable_frame *f = editable_frame(l->reference, l->i);
  to_si(l, f->q, f->v, q, v);
}

const unsigned char *modal_live_contacts(struct modal_live *l)
{
  return editable_frame(l->reference, l->i)->contact;
}

struct world *modal_live_world(struct modal_live *l)
{
  return l->rollout ? l->rollout->world : NULL;
}

struct modal_live_report modal_live_report(const struct modal_live *l)
{
  struct modal_live_report r = l->report;
  r.torque = l->frame->torque;
  r.planned = l->frame->force;
  r.used = l->motion->force;
  r.contact = l->motion->contact;
  r.given = l->motion->torque;
  return r;
}

/* ---- saving ---- */

static const char *const faults[] = {NULL, "height", "tilt", "lost"};

static const struct bytes_field live_fields[] = {
  BYTES_INTS(struct modal_live, carries), BYTES_INTS(struct modal_live, i),
  BYTES_INTS(struct modal_live, unaware_until), BYTES_REALS(struct modal_live, slope),
  BYTES_REALS(struct modal_live, level), BYTES_REALS(struct modal_live, slope_wanted), BYTES_END};
static const struct bytes_field push_fields[] = {
  BYTES_REALS(struct disturb_push, time), BYTES_REALS(struct disturb_push, seconds),
  BYTES_REALS(struct disturb_push, force), BYTES_INTS(struct disturb_push, limb), BYTES_END};
static const struct bytes_field report_fields[] = {
  BYTES_REALS(struct modal_live_report, ground), BYTES_REALS(struct modal_live_report, angle),
  BYTES_REALS(struct modal_live_report, height), BYTES_REALS(struct modal_live_report, joints),
  BYTES_REALS(struct modal_live_report, place), BYTES_REALS(struct modal_live_report, missed), BYTES_END};

/* Tables of numbers of the present state: all that is read and written alike. */
static size_t live_tables(const struct modal_live *l, double *tables[14], size_t sizes[14])
{
  size_t n = (size_t)l->c->n_dofs, p = 3 * (size_t)l->c->n_points, k = 0;
  double *const all[] = {l->now.q, l->now.v, l->twin.q, l->twin.v, l->motion->q + n, l->motion->v + n,
                         l->motion->torque, l->frame->torque, l->motion->force, l->frame->force};
  for (; k < sizeof all / sizeof *all; k++) {
    tables[k] = all[k];
    sizes[k] = k < 8 ? n : p;
  }
  return k;
}

static int live_fault_number(const struct modal_live *l)
{
  int k = l->fault ? 1 : 0;
  while (k > 0 && k < 3 && strcmp(l->fault, faults[k]))
    k++;
  return k;
}

void modal_live_put(struct bytes_writer *w, const struct modal_live *l)
{
  double *tables[14];
  size_t sizes[14], n = live_tables(l, tables, sizes);
  const int head[] = {MAGIC, l->c->n_dofs, l->c->n_points, l->c->n_limbs, l->n_clips, (int)l->o.where,
                      live_fault_number(l), l->n_pushes};
  bytes_put_ints(w, head, sizeof head / sizeof *head);
  bytes_put_fields(w, live_fields, l);
  bytes_put_reals(w, l->masses, (size_t)l->c->n_limbs);
  for (int k = 0; k < l->n_pushes; k++)
    bytes_put_fields(w, push_fields, &l->pushes[k]);
  for (size_t k = 0; k < n; k++)
    bytes_put_reals(w, tables[k], sizes[k]);
  bytes_put(w, l->motion->contact, (size_t)l->c->n_points);
  bytes_put_fields(w, report_fields, &l->report);
  modal_put(w, l->modal);
  editable_put(w, l->reference, l->i, l->n_clips, l->clips);
  if (!l->rollout)
    return;
  struct arena *scratch = arena_new();
  size_t size = world_state_size(l->rollout->world);
  void *state = arena_alloc(scratch, 1, size);
  world_save(l->rollout->world, state);
  bytes_put_int(w, (int)size);
  bytes_put(w, state, size);
  arena_free(scratch);
}

/* Numbers that a creature in a world could have come to. */
static int live_is_sound(const struct modal_live *l)
{
  double sum = 0, mass = 0;
  for (int k = 0; k < l->c->n_limbs; k++) {
    mass += l->masses[k];
    sum += l->masses[k] >= 0 ? 0 : NAN;
  }
  for (int k = 0; k < l->n_pushes; k++)
    sum += l->pushes[k].limb >= 0 && l->pushes[k].limb < l->c->n_limbs ? 0 * l->pushes[k].time : NAN;
  return sum == 0 && isfinite(mass) && l->i >= 0 && l->i < INT_MAX / 2 && fabs(l->slope) <= STEEPEST &&
         fabs(l->slope_wanted) <= STEEPEST && isfinite(l->level);
}

static int live_get_world(struct bytes_reader *r, struct modal_live *l)
{
  size_t size = world_state_size(l->rollout->world);
  int told = bytes_get_int(r);
  const void *state = told == (int)size ? bytes_take(r, size) : NULL;
  if (!state)
    return 0;
  struct arena *scratch = arena_new(); /* bytes may lie anywhere: states are numbers of eight bytes */
  void *copy = arena_alloc(scratch, 1, size);
  memcpy(copy, state, size);
  int sound = world_state_is_sound(l->rollout->world, copy);
  if (sound)
    world_restore(l->rollout->world, copy);
  arena_free(scratch);
  return sound;
}

int modal_live_get(struct bytes_reader *r, struct modal_live *l)
{
  const int head[] = {MAGIC, l->c->n_dofs, l->c->n_points, l->c->n_limbs, l->n_clips, (int)l->o.where};
  double *tables[14];
  size_t sizes[14];
  for (size_t k = 0; k < sizeof head / sizeof *head; k++)
    if (bytes_get_int(r) != head[k])
      return 0;
  l->fault = faults[bytes_get_within(r, 0, 3)];
  l->n_pushes = bytes_get_within(r, 0, MODAL_LIVE_PUSHES);
  bytes_get_fields(r, live_fields, l);
  for (int k = 0; k < l->c->n_limbs; k++)
    l->masses[k] = bytes_get_real(r);
  for (int k = 0; k < l->n_pushes; k++)
    bytes_get_fields(r, push_fields, &l->pushes[k]);
  if (r->bad || !live_is_sound(l) || !live_build_body(l, NULL)) {
    memset(l->masses, 0, (size_t)l->c->n_limbs * sizeof *l->masses);
    l->slope = l->slope_wanted = l->level = 0, l->i = l->n_pushes = 0;
    return 0;
  }
  size_t n = live_tables(l, tables, sizes);
  for (size_t k = 0; k < n; k++)
    for (size_t i = 0; i < sizes[k]; i++)
      tables[k][i] = bytes_get_real(r);
  bytes_get(r, l->motion->contact, (size_t)l->c->n_points);
  bytes_get_fields(r, report_fields, &l->report);
  modal_get(r, l->modal);
  editable_get(r, l->reference, l->i, l->n_clips, l->clips);
  return !r->bad && (!l->rollout || live_get_world(r, l)) && !r->bad;
}
