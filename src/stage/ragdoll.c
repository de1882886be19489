/* A creature that has fallen: a world in which limbs touch the ground too, and joints that give way but do not swing.
 *
 * Servos aim at the angles that the joints have, so that their stiffness only holds back what a step moves: a joint is
 * damped by kd + kp h of a scaled servo. A creature that is quite limp (no target at all) lies down like a chain. */
#include <math.h>
#include <string.h>

#include "stage/room.h"

#define TONE 0.1                 /* share of the servos' gains: the biped folds up within a second */
#define MOST_SPIN  8.0           /* [sqrt(g / L)] of any joint and of the whole: 25 rad/s of a human              */
#define MOST_SPEED 8.0           /* [sqrt(g L)] of the root                                                       */

static struct world *ragdoll_world(const struct stage *s)
{
  struct world_options o = stage_world_options(s);
  o.shapes = 1;
  o.servo_scale = TONE;
  if (s->cast->controls)
    o.step = s->cast->controls->graph->step;
  return world_new(stage_body(s), &o);
}

int stage_ragdoll_start(struct stage *s, const double *q, const double *v)
{
  struct world *w = ragdoll_world(s);
  if (!w)
    return 0;
  world_set(w, q, v);
  stage_ragdoll_end(s);
  s->ragdoll = w;
  return 1;
}

/* The steps of a frame. 0: lost. */
static int ragdoll_steps(struct stage *s)
{
  int n = s->cast->creature->n_dofs, steps = (int)ceil(s->cast->dt / world_step_seconds(s->ragdoll) - 1e-6);
  double q[n], v[n];
  memset(v, 0, sizeof v);
  for (int i = 0; i < steps; i++) {
    struct world_target target = {.q = q, .v = v};
    stage_disturb(s, s->ragdoll);
    world_get(s->ragdoll, q, NULL);
    if (!world_step(s->ragdoll, &target))
      return 0;
  }
  return 1;
}

/* The root's spin, from its rates of yaw, pitch and roll. */
static double spin_of(const double *q, const double *v)
{
  return sqrt(fmax(0, v[3] * v[3] + v[4] * v[4] + v[5] * v[5] - 2 * v[3] * v[5] * sin(q[4])));
}

/* Holds back what turns faster than a step can follow: where a limb turns by a good part of a radian in a step, forces
 * of Coriolis at its start are not those at its end, and it would gain energy until it is lost. */
static void ragdoll_tame(struct stage *s)
{
  const struct creature *c = s->cast->creature;
  double q[c->n_dofs], v[c->n_dofs], rate = MOST_SPIN * sqrt(CREATURE_GRAVITY / c->height);
  double speed = MOST_SPEED * sqrt(CREATURE_GRAVITY * c->height);
  world_get(s->ragdoll, q, v);
  double fastest = spin_of(q, v), moving = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  for (int i = CREATURE_ROOT_DOFS; i < c->n_dofs; i++)
    fastest = fmax(fastest, fabs(v[i]));
  if (fastest <= rate && moving <= speed)
    return;
  for (int i = 0; i < c->n_dofs; i++)
    v[i] *= i < 3 ? fmin(1, speed / moving) : fmin(1, rate / fastest);
  world_set(s->ragdoll, q, v);
}

/* A frame in which it was thrown about so wildly that the simulation lost it is done again from its start, at rest but
 * for the fall of the whole body. */
enum stage_state stage_ragdoll_frame(struct stage *s)
{
  size_t n = (size_t)s->cast->creature->n_dofs;
  double q[n], v[n];
  if (!s->ragdoll || world_lost(s->ragdoll))
    return STAGE_LOST;
  world_get(s->ragdoll, q, v);
  if (ragdoll_steps(s)) {
    ragdoll_tame(s);
    return STAGE_FALLEN;
  }
  memset(v + 3, 0, (n - 3) * sizeof *v);
  world_set(s->ragdoll, q, v);
  return ragdoll_steps(s) ? STAGE_FALLEN : STAGE_LOST;
}

void stage_ragdoll_look(struct stage *s)
{
  if (!s->ragdoll || world_lost(s->ragdoll)) {
    memset(s->now.v, 0, (size_t)s->cast->creature->n_dofs * sizeof *s->now.v); /* lies in its last pose */
    return;
  }
  world_get(s->ragdoll, s->now.q, s->now.v);
  world_torques(s->ragdoll, s->now.torque);
  world_contacts(s->ragdoll, s->now.force, s->now.on);
  world_limb_contacts(s->ragdoll, s->now.limb_force, NULL);
}

int stage_ragdoll_change(struct stage *s, double lift)
{
  int n = s->cast->creature->n_dofs;
  double q[n], v[n];
  world_get(s->ragdoll, q, v);
  q[2] += lift;
  return stage_ragdoll_start(s, q, v);
}

void stage_ragdoll_end(struct stage *s)
{
  world_free(s->ragdoll);
  s->ragdoll = NULL;
}
