#include "nature/motion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/angle.h"
#include "dynamics/tissue.h"
#include "zoo.h"

#define MOTION_SECONDS 300      /* of processor time, for a solve: so many that results do not depend on the machine */

struct motion_entry { struct motion motion; const char *name; struct motion_entry *next; };
struct motion_owner { const struct creature *c; const char *name; struct motion_owner *next; };
struct motion_library {
  struct arena *arena;
  struct motion_entry *entries;
  struct motion_owner *owners;
};

struct motion_library *motion_library_new(struct arena *arena)
{
  struct motion_library *l = ARENA_NEW(arena, 1, struct motion_library);
  l->arena = arena;
  return l;
}

const struct creature *motion_creature(struct motion_library *l, const char *name)
{
  for (const struct motion_owner *o = l->owners; o; o = o->next)
    if (!strcmp(o->name, name))
      return o->c;
  struct motion_owner *o = ARENA_NEW(l->arena, 1, struct motion_owner);
  *o = (struct motion_owner){zoo_find(l->arena, name), name, l->owners};
  if (!o->c)
    fprintf(stderr, "nature: no creature '%s'\n", name), exit(2);
  l->owners = o;
  return o->c;
}

static void motion_solve(struct motion_library *l, struct motion *m, int gait)
{
  static struct spacetime_report report;
  struct spacetime_options o;
  spacetime_defaults(&o);
  o.max_seconds = MOTION_SECONDS;
  struct creature asked = *m->c;
  struct gait *gaits = ARENA_NEW(l->arena, (size_t)asked.n_gaits, struct gait);
  memcpy(gaits, asked.gaits, (size_t)asked.n_gaits * sizeof *gaits);
  if (m->period > 0) {
    gaits[gait].period_slow = gaits[gait].period_fast = m->period;
    o.tempo_range = 0;
  }
  asked.gaits = gaits;
  m->clip = spacetime_gait(l->arena, &(struct gait_request){.c = &asked, .gait = gait, .speed = m->speed}, &o, &report);
  if (m->clip)
    m->n = m->clip->n_frames;
  else
    m->reason = arena_strdup(l->arena, report.reason);
  fprintf(stderr, "%s %s at %.4g m/s: %s\n", m->c->name, m->gait, m->speed, m->clip ? "solved" : m->reason);
}

const struct motion *motion_gait(struct motion_library *l, const char *creature, const char *gait, double speed,
                                 double period)
{
  const struct creature *c = motion_creature(l, creature);
  int g = creature_find_gait(c, gait);
  if (g < 0)
    fprintf(stderr, "nature: %s has no gait '%s'\n", creature, gait), exit(2);
  if (speed == 0)
    speed = 0.5 * (c->gaits[g].speed_min + c->gaits[g].speed_max);
  for (const struct motion_entry *e = l->entries; e; e = e->next)
    if (e->motion.c == c && !strcmp(e->motion.gait, gait) && e->motion.speed == speed &&
        e->motion.period == period)
      return &e->motion;
  struct motion_entry *e = ARENA_NEW(l->arena, 1, struct motion_entry);
  e->motion = (struct motion){.arena = l->arena, .c = c,
                              .gait = c->gaits[g].name, .speed = speed,
                              .period = period, .d = dynamics_new(l->arena, c)};
  e->next = l->entries;
  l->entries = e;
  motion_solve(l, &e->motion, g);
  return &e->motion;
}

/* ---- curves ---- */

static double *motion_curve(const struct motion *m)
{
  return ARENA_NEW(m->arena, (size_t)m->n, double);
}

static const double *motion_pose(const struct motion *m, int k)
{
  return m->clip->q + (size_t)k * (size_t)m->c->n_dofs;
}

static int motion_found(int index, const char *what, const char *name)
{
  if (index < 0)
    fprintf(stderr, "nature: no %s '%s'\n", what, name), exit(2);
  return index;
}

double *motion_angle(const struct motion *m, const char *dof)
{
  int i = motion_found(creature_find_dof(m->c, dof), "joint axis", dof);
  double *x = motion_curve(m);
  for (int k = 0; k < m->n; k++)
    x[k] = motion_pose(m, k)[i] * TO_DEGREES;
  return x;
}

static const struct limb *motion_limb(const struct motion *m, const char *limb)
{
  return &m->c->limbs[motion_found(creature_find_limb(m->c, limb), "limb", limb)];
}

double *motion_yaw(const struct motion *m, const char *limb)
{
  const struct limb *l = motion_limb(m, limb);
  double *x = motion_curve(m), R[9];
  for (int k = 0; k < m->n; k++) {
    dynamics_kinematics(m->d, motion_pose(m, k));
    dynamics_rotation(m->d, l->body, R);
    x[k] = atan2(R[3], R[0]) * TO_DEGREES;
    if (k > 0)
      x[k] -= 360 * round((x[k] - x[k - 1]) / 360);
  }
  return x;
}

double *motion_pitch(const struct motion *m, const char *limb)
{
  const struct limb *l = motion_limb(m, limb);
  double *x = motion_curve(m), R[9];
  for (int k = 0; k < m->n; k++) {
    dynamics_kinematics(m->d, motion_pose(m, k));
    dynamics_rotation(m->d, l->body, R);
    x[k] = atan2(-R[6], hypot(R[0], R[3])) * TO_DEGREES;
  }
  return x;
}

static double *motion_point_height(const struct motion *m, const struct limb *l, const double *local)
{
  double *x = motion_curve(m), at[3] = {l->origin[0] + local[0], l->origin[1] + local[1], l->origin[2] + local[2]};
  for (int k = 0; k < m->n; k++) {
    double world[3];
    dynamics_kinematics(m->d, motion_pose(m, k));
    dynamics_point(m->d, l->body, at, world);
    x[k] = world[2];
  }
  return x;
}

double *motion_height(const struct motion *m, const char *limb)
{
  const struct limb *l = motion_limb(m, limb);
  return motion_point_height(m, l, l->com);
}

double *motion_joint_height(const struct motion *m, const char *limb)
{
  return motion_point_height(m, motion_limb(m, limb), (const double[3]){0, 0, 0});
}

static int motion_is_of(const struct motion *m, int point, const char *prefix)
{
  return !strncmp(m->c->points[point].name, prefix, strlen(prefix));
}

unsigned char *motion_contact(const struct motion *m, const char *prefix)
{
  unsigned char *on = ARENA_NEW(m->arena, (size_t)m->n, unsigned char);
  for (int k = 0; k < m->n; k++)
    for (int p = 0; p < m->c->n_points; p++)
      on[k] |= motion_is_of(m, p, prefix) && m->clip->contact[k * m->c->n_points + p];
  return on;
}

static double *motion_force(const struct motion *m, const char *prefix, const double *direction)
{
  double *x = motion_curve(m), weight = m->c->mass * CREATURE_GRAVITY;
  for (int k = 0; k < m->n; k++)
    for (int p = 0; p < m->c->n_points; p++) {
      const double *f = m->clip->force + 3 * (k * m->c->n_points + p);
      if (motion_is_of(m, p, prefix))
        x[k] += (f[0] * direction[0] + f[1] * direction[1] + f[2] * direction[2]) / weight;
    }
  return x;
}

/* The direction of travel: that of the whole cycle. */
static void motion_travel(const struct motion *m, double *direction)
{
  double length = hypot(m->clip->advance.x, m->clip->advance.y);
  direction[0] = m->clip->advance.x / length;
  direction[1] = m->clip->advance.y / length;
  direction[2] = 0;
}

double *motion_force_fore(const struct motion *m, const char *prefix)
{
  double direction[3];
  motion_travel(m, direction);
  return motion_force(m, prefix, direction);
}

double *motion_force_up(const struct motion *m, const char *prefix)
{
  return motion_force(m, prefix, (const double[3]){0, 0, 1});
}

double *motion_lowest_point(const struct motion *m, const char *prefix)
{
  double *x = motion_curve(m);
  for (int k = 0; k < m->n; k++) {
    x[k] = INFINITY;
    dynamics_kinematics(m->d, motion_pose(m, k));
    for (int p = 0; p < m->c->n_points; p++) {
      double world[3];
      dynamics_point(m->d, m->c->points[p].body, m->c->points[p].at, world);
      if (motion_is_of(m, p, prefix))
        x[k] = fmin(x[k], world[2]);
    }
  }
  return x;
}

/* ---- dynamics ---- */

struct motion_state { double *q, *v, *a; };
static struct motion_state motion_state_new(const struct motion *m)
{
  size_t n = (size_t)m->c->n_dofs;
  return (struct motion_state){ARENA_NEW(m->arena, n, double), ARENA_NEW(m->arena, n, double),
                               ARENA_NEW(m->arena, n, double)};
}

static double *motion_energy(const struct motion *m, int vertical)
{
  struct motion_state s = motion_state_new(m);
  struct dynamics_whole w;
  double *x = motion_curve(m), travel[3];
  motion_travel(m, travel);
  for (int k = 0; k < m->n; k++) {
    clip_state(m->clip, k, s.q, s.v, s.a);
    dynamics_whole(m->d, s.q, s.v, s.a, &w);
    double up = w.com_velocity[2], fore = w.com_velocity[0] * travel[0] + w.com_velocity[1] * travel[1];
    x[k] = vertical ? w.weight * w.com[2] + 0.5 * w.mass * up * up : 0.5 * w.mass * fore * fore;
  }
  return x;
}

double *motion_energy_forward(const struct motion *m)
{
  return motion_energy(m, 0);
}

double *motion_energy_vertical(const struct motion *m)
{
  return motion_energy(m, 1);
}

/* What muscles give at frame k: inverse dynamics less the forces of the ground and what passive tissue gives. */
static void motion_muscle_torques(const struct motion *m, int k, const int *points, struct motion_state *s, double *tau)
{
  const double *force = m->clip->force + 3 * (size_t)(k * m->c->n_points);
  struct dynamics_contacts contacts = {m->c->n_points, points, force, NULL};
  clip_state(m->clip, k, s->q, s->v, s->a);
  dynamics_residual(m->d, s->q, s->v, s->a, &contacts, tau, NULL);
  tissue_subtract(m->c, s->q, s->v, tau);
}

double *motion_torques(const struct motion *m)
{
  size_t n_dofs = (size_t)m->c->n_dofs, n = (size_t)m->n;
  struct motion_state s = motion_state_new(m);
  double *tau = ARENA_NEW(m->arena, n_dofs, double), *x = ARENA_NEW(m->arena, n_dofs * n, double);
  int *points = ARENA_NEW(m->arena, (size_t)m->c->n_points, int);
  for (int i = 0; i < m->c->n_points; i++)
    points[i] = i;
  for (size_t k = 0; k < n; k++) {
    motion_muscle_torques(m, (int)k, points, &s, tau);
    for (size_t i = 0; i < n_dofs; i++)
      x[i * n + k] = tau[i];
  }
  return x;
}
