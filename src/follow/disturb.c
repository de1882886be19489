/* Pushes, balls and loads. */
#include "follow/disturb.h"

#include <math.h>
#include <string.h>

#include "base/angle.h"

#define PUSH_SECONDS 0.1        /* of a push that is given by its size: disturb.h      */

void disturb_flight_defaults(struct disturb_flight *f)
{
  *f = (struct disturb_flight){.distance = 4, .periods = 20, .damping = 0.4, .bounce = 0.5, .forgotten = 10};
}

int disturb_trunk(const struct creature *c)
{
  int heaviest = 0;
  for (int i = 1; i < c->n_limbs; i++)
    if (c->limbs[i].mass > c->limbs[heaviest].mass)
      heaviest = i;
  return heaviest;
}

/* A point of a limb's frame in the world, at the pose of the last dynamics_kinematics(). */
static void limb_point(const struct creature *c, const struct dynamics *d, int limb, const double *local, double *out)
{
  double at[3];
  for (int i = 0; i < 3; i++)
    at[i] = c->limbs[limb].origin[i] + local[i];
  dynamics_point(d, c->limbs[limb].body, at, out);
}

struct disturb_push disturb_push_of(const struct creature *c, double time, double size, double direction)
{
  double force = size * c->mass * CREATURE_GRAVITY;
  return (struct disturb_push){.time = time, .seconds = PUSH_SECONDS, .limb = disturb_trunk(c), .turned = 1,
                               .force = {force * cos(direction), force * sin(direction), 0}};
}

void disturb_aim(const struct creature *c, struct dynamics *d, const struct world *w, double direction, double speed,
                 const struct disturb_flight *f, struct disturb_ball *b)
{
  double q[c->n_dofs], v[c->n_dofs], at[3], far = f->distance * c->height, time = far / speed;
  int trunk = disturb_trunk(c);
  world_get(w, q, v);
  dynamics_kinematics(d, q);
  limb_point(c, d, trunk, c->limbs[trunk].com, at);
  double a = q[3] + direction;
  at[0] += v[0] * time;
  at[1] += v[1] * time;
  b->x[0] = at[0] + far * cos(a);
  b->x[1] = at[1] + far * sin(a);
  b->x[2] = at[2];
  b->v[0] = -speed * cos(a);
  b->v[1] = -speed * sin(a);
  b->v[2] = 0.5 * CREATURE_GRAVITY * time; /* so that it comes down to the same height */
  b->flying = 1;
}

/* How deep a ball is in a limb, and which way out is: the limb's line, thickened. */
static double depth_in(const struct creature *c, const struct dynamics *d, int limb, const struct disturb_ball *b,
                       double *out)
{
  const struct shape *s = &c->limbs[limb].shape;
  double from[3], to[3], along[3], off[3];
  if (s->kind == SHAPE_NONE)
    return -1;
  double thick = (s->size[0] + s->size[1]) / 4; /* half of the mean thickness */
  limb_point(c, d, limb, s->from, from);
  limb_point(c, d, limb, s->to, to);
  double length2 = 0, share = 0;
  for (int i = 0; i < 3; i++) {
    along[i] = to[i] - from[i];
    length2 += along[i] * along[i];
    share += along[i] * (b->x[i] - from[i]);
  }
  share = length2 > 0 ? fmin(1, fmax(0, share / length2)) : 0;
  double away = 0;
  for (int i = 0; i < 3; i++) {
    off[i] = b->x[i] - from[i] - share * along[i];
    away += off[i] * off[i];
  }
  away = sqrt(away);
  for (int i = 0; i < 3; i++)
    out[i] = away > 1e-9 ? off[i] / away : i == 2;
  return thick + b->radius - away;
}

/* The force of a limb on a ball that is in it. */
static void throw_back(const struct creature *c, struct world *w, int limb, double depth, const double *out, double h,
                       const struct disturb_flight *f, struct disturb_ball *b)
{
  double period = f->periods * h, stiffness = b->mass * pow(2 * PI / period, 2);
  double damping = 2 * f->damping * sqrt(stiffness * b->mass), inward = 0, force[3];
  (void)c;
  for (int i = 0; i < 3; i++)
    inward -= out[i] * b->v[i];
  double press = fmax(0, stiffness * depth + damping * inward);
  for (int i = 0; i < 3; i++) {
    force[i] = -press * out[i];
    b->v[i] += press * out[i] / b->mass * h;
  }
  world_push(w, limb, force, h);
  b->hits++;
  b->impulse += press * h;
}

void disturb_fly(const struct creature *c, struct dynamics *d, struct world *w, double h,
                 const struct disturb_flight *f, struct disturb_ball *b)
{
  double q[c->n_dofs], out[3], best_out[3] = {0, 0, 1}, deepest = 0;
  int limb = -1;
  if (!b->flying)
    return;
  world_get(w, q, NULL);
  dynamics_kinematics(d, q);
  for (int i = 0; i < c->n_limbs; i++) {
    double depth = depth_in(c, d, i, b, out);
    if (depth > deepest) {
      deepest = depth;
      limb = i;
      memcpy(best_out, out, sizeof out);
    }
  }
  if (limb >= 0)
    throw_back(c, w, limb, deepest, best_out, h, f, b);
  b->v[2] -= CREATURE_GRAVITY * h;
  for (int i = 0; i < 3; i++)
    b->x[i] += b->v[i] * h;
  double ground = world_ground(w, b->x[0], b->x[1]);
  if (b->x[2] < ground + b->radius) { /* rolls on */
    b->x[2] = ground + b->radius;
    b->v[2] = fmax(0, -f->bounce * b->v[2]);
  }
  double L = c->height;
  b->flying = hypot(b->x[0] - q[0], b->x[1] - q[1]) < f->forgotten * L && isfinite(b->x[0]);
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

const struct creature *disturb_laden(struct arena *arena, const struct creature *c, const struct disturb_load *load)
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
