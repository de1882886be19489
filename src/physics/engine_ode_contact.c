/* Contacts in ODE: one joint for each probe in the ground, with bounds of friction that fit the normal forces
 * (doc/physics.md, "Contacts"). */
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "physics/engine_ode.h"

#define BOUND_SLACK 0.02        /* share by which the bound of friction may be off          */
#define BOUND_LEAST 2e-4        /* by so much it may be off in any case [m g]               */
#define STEEPEST    0.8         /* normal force that friction adds, of itself               */

/* Bounds of friction. ODE wants them before it knows the normal forces. Its own guess is the normal force that there
 * would be without any friction, and under a slanting leg that pushes off that is a fraction of the true one: feet
 * would slide at half their friction. The guess here is the normal force of the step before; a step with a bad guess is
 * done again with the force that it gave. */
void ode_contact_guess(struct world *w)
{
  struct ode *ode = w->engine_data;
  double x[3], normal[3];
  for (int i = 0; i < w->n_probes; i++) {
    const struct probe *p = &w->probes[i];
    struct ode_contact *k = &ode->contacts[i];
    k->bound = k->last_bound = -1;
    if (p->point < 0 || !w->on[p->point] || !isfinite(w->options.friction))
      continue;
    contact_depth(w, p, x, normal);
    k->bound = w->options.friction * fmax(0, vec3_dot(w->forces + 3 * p->point, normal));
  }
}

/* Limbs against each other: the same softness, ODE's own bound of friction. The speed at which they must part, which is
 * below 0 while they are apart, is a motion of the surface: ODE knows no contacts above the ground. */
static void ode_contact_prepare_limbs(struct world *w)
{
  struct ode *ode = w->engine_data;
  dContact c;
  memset(&c, 0, sizeof c);
  c.surface.mode = dContactApprox1 | dContactSoftERP | dContactSoftCFM | dContactFDir1 | dContactMotionN;
  c.surface.soft_erp = w->options.contact_erp;
  c.surface.soft_cfm = w->options.contact_cfm;
  c.surface.mu = w->options.limb_friction;
  for (int i = 0; w->limbs && i < w->limbs->n_touches; i++) {
    const struct touch *t = &w->limbs->touches[i];
    memcpy(c.geom.pos, t->x, sizeof t->x);
    memcpy(c.geom.normal, t->u[0], sizeof t->u[0]);
    memcpy(c.fdir1, t->u[1], sizeof t->u[1]);
    c.surface.motionN = t->out;
    dJointID j = dJointCreateContact(ode->world, ode->touching, &c);
    dJointAttach(j, ode->bodies[t->body[0]].id, ode->bodies[t->body[1]].id);
    dJointSetFeedback(j, &ode->touches[i]);
  }
}

void ode_contact_prepare(struct world *w)
{
  struct ode *ode = w->engine_data;
  const double ahead[3] = {cos(w->q[3]), sin(w->q[3]), 0};
  dContact c;
  memset(&c, 0, sizeof c);
  c.surface.soft_erp = w->options.contact_erp;
  c.surface.soft_cfm = w->options.contact_cfm;
  for (int i = 0; i < w->n_probes; i++) {
    struct probe *p = &w->probes[i];
    struct ode_contact *k = &ode->contacts[i];
    c.geom.depth = contact_depth(w, p, c.geom.pos, c.geom.normal);
    p->on = c.geom.depth >= 0;
    if (!p->on)
      continue;
    contact_ahead(ahead, c.geom.normal, c.fdir1);
    memcpy(k->normal, c.geom.normal, sizeof k->normal);
    memcpy(k->ahead, c.fdir1, sizeof k->ahead);
    c.surface.mode = (k->bound < 0 ? dContactApprox1 : 0) | dContactSoftERP | dContactSoftCFM | dContactFDir1;
    c.surface.mu = k->bound < 0 ? w->options.friction : k->bound;
    dJointID j = dJointCreateContact(ode->world, ode->touching, &c);
    dJointAttach(j, ode->bodies[p->body].id, 0);
    dJointSetFeedback(j, &k->feedback);
  }
  ode_contact_prepare_limbs(w);
}

/* Friction of a point in the direction in which it is larger; its normal force. */
static double friction_of(const struct ode_contact *k, double *normal)
{
  double across[3];
  vec3_cross(k->normal, k->ahead, across);
  *normal = fmax(0, vec3_dot(k->feedback.f1, k->normal));
  return fmax(fabs(vec3_dot(k->feedback.f1, k->ahead)), fabs(vec3_dot(k->feedback.f1, across)));
}

/* A better bound than that of the last try, which should have been `most`: by the line through the last two tries,
 * since the normal force may grow with friction (a leg that pushes off) or shrink (one that is dragged). */
static double better_bound(const struct ode_contact *k, double most)
{
  int two = k->last_bound >= 0 && k->bound != k->last_bound;
  double rise = two ? (most - k->last_most) / (k->bound - k->last_bound) : 0;
  if (!(rise < STEEPEST))
    return 2 * most; /* friction adds more normal force than it needs: the foot sticks */
  return fmax(0, k->bound + (most - k->bound) / (1 - rise));
}

int ode_contact_settled(struct world *w)
{
  struct ode *ode = w->engine_data;
  int settled = 1;
  for (int i = 0; i < w->n_probes; i++) {
    const struct probe *p = &w->probes[i];
    struct ode_contact *k = &ode->contacts[i];
    if (!p->on || p->point < 0 || !isfinite(w->options.friction))
      continue;
    double normal, along = friction_of(k, &normal), most = w->options.friction * normal;
    int slides = k->bound < 0 || along >= (1 - BOUND_SLACK) * k->bound; /* with ODE's guess one cannot tell */
    double off = slides ? fabs(most - k->bound) : along - most;
    if (k->bound >= 0 && off <= BOUND_SLACK * most + BOUND_LEAST)
      continue;
    double better = k->bound < 0 || !slides ? most : better_bound(k, most);
    k->last_bound = k->bound < 0 || !slides ? -1 : k->bound;
    k->last_most = most;
    k->bound = better;
    settled = 0;
  }
  return settled;
}

void ode_contact_collect(struct world *w)
{
  const struct ode *ode = w->engine_data;
  for (int i = 0; i < w->n_probes; i++)
    memcpy(w->probes[i].force, ode->contacts[i].feedback.f1, sizeof w->probes[i].force);
  for (int i = 0; w->limbs && i < w->limbs->n_touches; i++)
    memcpy(w->limbs->touches[i].force, ode->touches[i].f1, sizeof w->limbs->touches[i].force);
  contact_collect(w);
}
