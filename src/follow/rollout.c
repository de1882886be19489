/* Windows of a reference, followed step by step in a simulated world. */
#include "follow/rollout.h"

#include <math.h>
#include <string.h>

#include "follow/errors.h"

void rollout_defaults(const struct creature *c, struct rollout_options *o)
{
  *o = (struct rollout_options){.drive = DRIVE_TORQUES};
  world_defaults(c, &o->world);
}

struct follow_motion *follow_motion_new(struct arena *arena, const struct reference *r)
{
  struct follow_motion *m = ARENA_NEW(arena, 1, struct follow_motion);
  size_t frames = (size_t)r->first[r->n_windows] + 1, n = frames * (size_t)r->n_dofs, p = frames * (size_t)r->n_points;
  *m = (struct follow_motion){.n_dofs = r->n_dofs, .n_points = r->n_points};
  m->q = ARENA_NEW(arena, n, double);
  m->v = ARENA_NEW(arena, n, double);
  m->torque = ARENA_NEW(arena, n, double);
  m->force = ARENA_NEW(arena, p * 3, double);
  m->contact = ARENA_NEW(arena, p, unsigned char);
  m->ground = ARENA_NEW(arena, frames, double);
  return m;
}

/* A world for the creature, with its load if it carries that: steps are a whole share of a frame, no longer than the
 * options or the world's own choice have it. NULL after an error. */
static struct world *new_world(struct rollout *ro, struct diag *d)
{
  const struct creature *c = ro->carries ? ro->laden : ro->reference->creature;
  struct world_options w = ro->options.world;
  double dt = ro->reference->dt, longest = w.step;
  if (ro->options.drive == DRIVE_HELD)
    w.servo_scale = 0;
  if (!(longest > 0)) {
    struct world *probe = world_new(c, &w);
    longest = probe ? world_step_seconds(probe) : dt;
    world_free(probe);
  }
  w.step = dt / ceil(dt / longest - 1e-6);
  ro->steps = (int)floor(dt / w.step + 0.5);
  struct world *world = world_new(c, &w);
  if (!world)
    world_check(c, &w, d);
  return world;
}

static void take_scratch(struct arena *arena, struct rollout *ro)
{
  size_t n = (size_t)ro->reference->n_dofs, p = (size_t)ro->reference->n_points;
  double *a = ARENA_NEW(arena, 6 * n, double);
  ro->q = a;
  ro->v = a + n;
  ro->target = a + 2 * n;
  ro->rate = a + 3 * n;
  ro->torque = a + 4 * n;
  ro->load = a + 5 * n;
  ro->force = ARENA_NEW(arena, 3 * p + 1, double);
  ro->total = ARENA_NEW(arena, 3 * p + 1, double);
  ro->touching = ARENA_NEW(arena, p + 1, unsigned char);
  ro->touched = ARENA_NEW(arena, p + 1, int);
}

struct rollout *rollout_new(struct arena *arena, const struct reference *r, const struct rollout_options *o,
                            struct diag *d)
{
  struct rollout *ro = ARENA_NEW(arena, 1, struct rollout);
  *ro = (struct rollout){.arena = arena, .reference = r, .options = *o};
  if (o->load.mass > 0) {
    ro->laden = disturb_laden(arena, r->creature, &o->load);
    if (!world_check(ro->laden, &o->world, d))
      return NULL;
  }
  if (!(ro->world = new_world(ro, d)))
    return NULL;
  ro->costs = costs_new(arena, r->creature, o->weights);
  ro->state_size = world_state_size(ro->world);
  take_scratch(arena, ro);
  return ro;
}

void rollout_free(struct rollout *ro)
{
  if (ro)
    world_free(ro->world);
}

/* By how much the ground below a pose, evened out over half a standing height, is higher than a reference takes it to
 * be at a frame. */
static double rollout_raised(const struct reference *r, const struct terrain *ground, int frame, const double *q)
{
  double reach = 0.25 * r->creature->height, sum = 0;
  for (int i = -1; i <= 1; i++)
    for (int j = -1; j <= 1; j++)
      sum += terrain_height(ground, q[0] + i * reach, q[1] + j * reach, NULL);
  double laid = tan(r->slope) * r->q[(size_t)frame * (size_t)r->n_dofs];
  return sum / 9 - laid;
}

void rollout_state(const struct reference *r, const struct terrain *ground, int frame, const double *x, double *q,
                   double *v)
{
  size_t n = (size_t)r->n_dofs, at = (size_t)frame * n;
  memcpy(q, r->q + at, n * sizeof *q);
  memcpy(v, r->v + at, n * sizeof *v);
  if (x)
    errors_apply(r->creature, x, r->q + at, r->v + at, q, v);
  q[2] += rollout_raised(r, ground, frame, q);
}

/* To a world with the load or without. 0: it cannot be made (no memory), and the world stays what it was. */
static int change_world(struct rollout *ro, int carries)
{
  int before = ro->carries;
  ro->carries = carries;
  struct world *other = new_world(ro, NULL);
  if (!other) {
    ro->carries = before;
    return 0;
  }
  world_free(ro->world);
  ro->world = other;
  return 1;
}

void rollout_set(struct rollout *ro, const double *q, const double *v)
{
  if (ro->carries)
    change_world(ro, 0);
  world_set(ro->world, q, v);
}

void rollout_start(struct rollout *ro, int frame, const double *x)
{
  rollout_state(ro->reference, &ro->options.world.terrain, frame, x, ro->q, ro->v);
  rollout_set(ro, ro->q, ro->v);
}

/* ---- a window ---- */

static void set_target(struct rollout *ro, int frame, int step, const double *u, struct world_target *t)
{
  const struct reference *r = ro->reference;
  double end = (step + 1.0) / ro->steps, middle = (step + 0.5) / ro->steps;
  enum rollout_drive drive = ro->options.drive;
  if (drive == DRIVE_HELD) { /* there are no servos: their target, the pose at the frame's start, is of no account */
    *t = (struct world_target){.q = ro->q, .torque = r->torque + (size_t)frame * (size_t)r->n_dofs};
    return;
  }
  /* servos are implicit: they look at the end of the step; torques act all through it */
  if (drive == DRIVE_TORQUES)
    reference_between(r, frame, middle, NULL, NULL, ro->torque);
  reference_between(r, frame, end, ro->target, ro->rate, NULL);
  for (int i = CREATURE_ROOT_DOFS; u && i < r->n_dofs; i++)
    ro->target[i] += u[i - CREATURE_ROOT_DOFS];
  *t = (struct world_target){.q = ro->target, .v = ro->rate, .torque = drive == DRIVE_TORQUES ? ro->torque : NULL};
}

/* Adds what the last step did to the sums of a frame. */
static void add_loads(struct rollout *ro)
{
  int n = ro->reference->n_dofs, p = ro->reference->n_points;
  world_torques(ro->world, ro->torque);
  world_contacts(ro->world, ro->force, ro->touching);
  for (int i = 0; i < n; i++)
    ro->load[i] += ro->torque[i] / ro->steps;
  for (int i = 0; i < 3 * p; i++)
    ro->total[i] += ro->force[i] / ro->steps;
  for (int i = 0; i < p; i++)
    ro->touched[i] += ro->touching[i];
}

static void clear_loads(struct rollout *ro)
{
  size_t n = (size_t)ro->reference->n_dofs, p = (size_t)ro->reference->n_points;
  memset(ro->load, 0, n * sizeof *ro->load);
  memset(ro->total, 0, 3 * p * sizeof *ro->total);
  memset(ro->touched, 0, p * sizeof *ro->touched);
}

static void keep_loads(const struct rollout *ro, int frame, struct follow_motion *m)
{
  size_t n = (size_t)m->n_dofs, p = (size_t)m->n_points, k = (size_t)frame;
  memcpy(m->torque + k * n, ro->load, n * sizeof *ro->load);
  memcpy(m->force + k * p * 3, ro->total, 3 * p * sizeof *ro->total);
  for (size_t i = 0; i < p; i++)
    m->contact[k * p + i] = 2 * ro->touched[i] >= ro->steps;
}

void rollout_record(struct rollout *ro, int frame, struct follow_motion *m)
{
  size_t n = (size_t)m->n_dofs;
  world_get(ro->world, m->q + (size_t)frame * n, m->v + (size_t)frame * n);
  m->ground[frame] = rollout_raised(ro->reference, &ro->options.world.terrain, frame, m->q + (size_t)frame * n);
  m->n_frames = frame + 1;
}

/* What happens from outside when a frame begins. 0: the world cannot be made that the creature needs with its load. */
static int rollout_disturb(struct rollout *ro, int frame)
{
  const struct rollout_options *o = &ro->options;
  double dt = ro->reference->dt, t = frame * dt;
  if (ro->laden && !ro->carries && t >= o->load.from) {
    world_get(ro->world, ro->q, ro->v);
    if (!change_world(ro, 1))
      return 0;
    world_set(ro->world, ro->q, ro->v);
  }
  for (int k = 0; k < o->n_pushes; k++)
    if (t >= o->pushes[k].time && t < o->pushes[k].time + o->pushes[k].seconds)
      world_push(ro->world, o->pushes[k].limb, o->pushes[k].force, dt);
  if (o->drive == DRIVE_HELD)
    world_get(ro->world, ro->q, NULL);
  return 1;
}

int rollout_window(struct rollout *ro, int window, const double *u, struct follow_motion *motion)
{
  const struct reference *r = ro->reference;
  for (int k = r->first[window]; k < r->first[window + 1]; k++) {
    if (motion) {
      rollout_record(ro, k, motion);
      clear_loads(ro);
    }
    if (!rollout_disturb(ro, k))
      return 0;
    for (int s = 0; s < ro->steps; s++) {
      struct world_target target;
      set_target(ro, k, s, u, &target);
      if (!world_step(ro->world, &target))
        return 0;
      if (motion)
        add_loads(ro);
    }
    if (motion)
      keep_loads(ro, k, motion);
  }
  if (motion)
    rollout_record(ro, r->first[window + 1], motion);
  return 1;
}

/* ---- what came of it ---- */

int rollout_errors(struct rollout *ro, int frame, double *x)
{
  const struct reference *r = ro->reference;
  size_t at = (size_t)frame * (size_t)r->n_dofs;
  if (world_lost(ro->world))
    return 0;
  world_get(ro->world, ro->q, ro->v);
  ro->q[2] -= rollout_raised(r, &ro->options.world.terrain, frame, ro->q);
  errors_of(r->creature, ro->q, ro->v, r->q + at, r->v + at, x);
  return 1;
}

int rollout_cost(struct rollout *ro, int frame, struct cost_terms *out)
{
  const struct reference *r = ro->reference;
  size_t at = (size_t)frame * (size_t)r->n_dofs;
  if (world_lost(ro->world))
    return 0;
  world_get(ro->world, ro->q, ro->v);
  *out = costs_of(ro->costs, ro->q, ro->v, r->q + at, r->v + at,
                  rollout_raised(r, &ro->options.world.terrain, frame, ro->q));
  return 1;
}
