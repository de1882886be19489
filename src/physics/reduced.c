/* Bodies, servos and momentum of engines in reduced coordinates. See reduced.h. */
#include "physics/reduced.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "physics/passive.h"

/* A limp creature must not turn so fast in a step that forces of Coriolis, taken from its start, throw it about, and
 * three axes of one joint must not lock. Measured on humans in random poses, one radian beyond the ends of ranges,
 * turning about every joint at up to 3 sqrt(g / L): without these 21 of 60 were lost, with them none. */
#define WILD        0.2         /* [rad] a step; beyond, drag grows in proportion                                   */
#define WILD_DRAG   4           /* of a joint that turns by one radian more, as inertia per step                    */
#define LOCK        0.2         /* volume of three axes; below, drag grows                                          */
#define LOCK_DRAG   0.3         /* at lock, as inertia per sqrt(L / g)                                              */

/* Which pairs of dofs tissue couples: those of each tissue of two, in their order. */
static void open_couplings(struct world *w)
{
  struct reduced *r = w->reduced;
  if (!w->passive)
    return;
  r->couplings = ARENA_NEW(w->arena, (size_t)w->passive->n, struct reduced_coupling);
  for (int i = 0; i < w->passive->n; i++) {
    const struct tissue *t = &w->passive->law[i];
    int first = t->dof[0] < t->dof[1] ? 0 : 1; /* who carries comes before who is carried */
    if (t->n_dofs == 2)
      r->couplings[r->n_couplings++] = (struct reduced_coupling){{t->dof[first], t->dof[1 - first]}, 0};
  }
}

static void open_inertia(struct world *w)
{
  size_t n = (size_t)w->c->n_dofs;
  struct arena *scratch = arena_new();
  double *M = ARENA_NEW(scratch, n * n, double), *rest = ARENA_NEW(scratch, n, double);
  creature_rest_pose(w->c, rest);
  dynamics_mass_matrix(w->reduced->dynamics, rest, M); /* which does not see the root's place */
  for (size_t i = 0; i < n; i++)
    w->reduced->inertia[i] = M[i * n + i];
  arena_free(scratch);
}

void reduced_open(struct world *w)
{
  size_t n = (size_t)w->c->n_dofs, bodies = (size_t)w->n_bodies;
  struct reduced *r = w->reduced = ARENA_NEW(w->arena, 1, struct reduced);
  chart_open(w, r->charts);
  r->dynamics = r->charts[0].dynamics;
  r->frames = ARENA_NEW(w->arena, 15 * bodies, double);
  r->joints = ARENA_NEW(w->arena, 3 * bodies, double);
  r->touches = ARENA_NEW(w->arena, bodies, unsigned char);
  r->placed = ARENA_NEW(w->arena, bodies, unsigned char);
  r->at_limit = ARENA_NEW(w->arena, n, int);
  double **all[] = {&r->zero, &r->kp, &r->kd, &r->limit, &r->drive, &r->given, &r->inertia, &r->drag,
                    &r->passive_damping, &r->passive_torque, &r->damping, &r->torque};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    *all[i] = ARENA_NEW(w->arena, n, double);
  for (size_t i = 0; i < bodies; i++) {
    w->bodies[i].x = r->frames + 15 * i;
    w->bodies[i].R = w->bodies[i].x + 3;
  }
  for (size_t i = CREATURE_ROOT_DOFS; i < n; i++) {
    const struct dof *d = &w->c->dofs[i];
    r->kp[i] = w->options.servo_scale * d->servo_kp / w->torque;
    r->kd[i] = w->options.servo_scale * d->servo_kd / w->torque / w->time;
    r->limit[i] = d->torque_max / w->torque;
  }
  open_couplings(w);
  open_inertia(w);
}

/* ---- where bodies are ---- */

void reduced_choose_chart(struct world *w)
{
  w->reduced->dynamics = chart_choose(w, w->reduced->charts);
}

static void place_body(struct world *w, int i)
{
  static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, origin[3] = {0, 0, 0};
  struct reduced *r = w->reduced;
  struct body *b = &w->bodies[i];
  const double *P = i ? w->bodies[b->parent].R : identity, *from = i ? w->bodies[b->parent].x : origin;
  double *x = r->frames + 15 * i, *R = x + 3, *joint = r->joints + 3 * i;
  chain_follow(&b->chain, P, w->q + b->first, R, b->axes);
  for (int k = 0; k < 3; k++) {
    joint[k] = from[k] + (i ? vec3_dot(P + 4 * k, b->place) : w->q[k]);
    x[k] = joint[k] + vec3_dot(R + 4 * k, b->com);
  }
  r->placed[i] = 1;
}

void reduced_place(struct world *w)
{
  struct reduced *r = w->reduced;
  for (int i = 0; i < w->n_probes; i++) /* probes are known only after the bodies were placed once */
    for (int k = w->probes[i].body; k >= 0 && !r->touches[k]; k = w->bodies[k].parent)
      r->touches[k] = 1;
  for (int i = 0; i < w->n_bodies; i++) {
    r->placed[i] = 0;
    if (r->touches[i] || !w->n_probes)
      place_body(w, i);
  }
}

void reduced_place_carriers(struct world *w, int body)
{
  if (body < 0 || w->reduced->placed[body])
    return;
  reduced_place_carriers(w, w->bodies[body].parent);
  place_body(w, body);
}

/* ---- torques ---- */

static void set_tissue(struct world *w)
{
  struct reduced *r = w->reduced;
  const struct passive *p = w->passive;
  struct reduced_coupling *pair = r->couplings;
  size_t size = (size_t)w->c->n_dofs * sizeof *r->passive_torque;
  passive_linearise(w, w->v);
  memset(r->passive_torque, 0, size);
  memset(r->passive_damping, 0, size);
  for (int i = 0; i < p->n; i++) {
    const struct tissue *t = &p->law[i];
    for (int m = 0; m < t->n_dofs; m++) {
      r->passive_torque[t->dof[m]] -= t->arm[m] * p->pull[i];
      r->passive_damping[t->dof[m]] += t->arm[m] * t->arm[m] * p->gain[i];
    }
    if (t->n_dofs < 2)
      continue;
    pair->damping = t->arm[0] * t->arm[1] * p->gain[i];
    r->passive_torque[pair->dof[0]] -= pair->damping * w->v[pair->dof[1]];
    r->passive_torque[pair->dof[1]] -= pair->damping * w->v[pair->dof[0]];
    pair++;
  }
}

/* Of a limp creature. */
static void set_drag(struct world *w)
{
  struct reduced *r = w->reduced;
  for (int i = 0; i < w->n_bodies; i++) {
    const struct body *b = &w->bodies[i];
    double axes[3][3], dual[3][3], lock = 0;
    if (i && b->n == 3) { /* the root has charts */
      chain_axes(&b->chain, w->q + b->first, axes);
      lock = fmax(0, 1 - chain_dual(3, axes, dual) / LOCK);
    }
    for (int k = b->first; k < b->first + b->n; k++) {
      double wild = fmax(0, w->h * fabs(w->v[k]) - WILD);
      r->drag[k] = r->inertia[k] * (LOCK_DRAG * lock * lock + WILD_DRAG / w->h * wild);
    }
  }
}

int reduced_set_target(struct world *w, const struct world_target *t)
{
  struct reduced *r = w->reduced;
  size_t n = (size_t)w->c->n_dofs;
  if (t && !world_target_is_sane(w, t))
    return 0;
  w->limp = !t;
  memset(w->torques, 0, n * sizeof *w->torques);
  memset(r->at_limit, 0, n * sizeof *r->at_limit);
  for (size_t i = CREATURE_ROOT_DOFS; t && i < n; i++)
    r->drive[i] = r->kp[i] * (t->q[i] - w->q[i]) + (t->v ? r->kd[i] * t->v[i] * w->time : 0) +
                  (t->torque ? t->torque[i] * w->per_torque : 0);
  if (!t)
    set_drag(w);
  if (w->passive)
    set_tissue(w);
  return 1;
}

void reduced_fill_torques(struct world *w)
{
  struct reduced *r = w->reduced;
  for (int i = 0; i < w->c->n_dofs; i++) {
    double damping = w->limp ? r->drag[i] : r->at_limit[i] ? 0 : w->h * r->kp[i] + r->kd[i];
    double torque = w->limp ? 0 : r->drive[i];
    if (r->at_limit[i])
      torque = r->given[i];
    r->damping[i] = damping + r->passive_damping[i];
    r->torque[i] = torque + r->passive_torque[i];
  }
}

int reduced_review(struct world *w, const double *next)
{
  struct reduced *r = w->reduced;
  int changed = 0;
  for (int i = CREATURE_ROOT_DOFS; !w->limp && i < w->c->n_dofs; i++) {
    double law = r->drive[i] - (w->h * r->kp[i] + r->kd[i]) * next[i];
    int side = law > r->limit[i] ? 1 : law < -r->limit[i] ? -1 : 0;
    changed += side != r->at_limit[i];
    r->at_limit[i] = side;
    r->given[i] = side * (side ? r->limit[i] : 0);
    w->torques[i] = side ? r->given[i] : law;
  }
  return changed;
}

/* ---- the state as a whole ---- */

/* One comparison, so that what is not a number fails. */
int reduced_is_sane(const struct world *w)
{
  double fast = 0, far = 0;
  for (int i = 0; i < w->c->n_dofs; i++) {
    fast += fabs(w->v[i]) / (i < 3 ? FASTEST : FASTEST_TURN);
    far += i < 3 ? fabs(w->q[i]) / FARTHEST : 0;
  }
  return fast < 1 && far < 1;
}

void reduced_motion(const struct world *w, int body, double *u, double *spin)
{
  const double *x = w->bodies[body].x;
  memset(spin, 0, 3 * sizeof *spin);
  memcpy(u, w->v, 3 * sizeof *u);
  for (int k = body; k >= 0; k = w->bodies[k].parent) {
    const struct body *b = &w->bodies[k];
    const double *joint = w->reduced->joints + 3 * k;
    double arm[3] = {x[0] - joint[0], x[1] - joint[1], x[2] - joint[2]}, turn[3] = {0, 0, 0};
    for (int i = 0; i < b->n; i++)
      vec3_add_scaled(turn, b->axes[i], w->v[b->first + i]);
    vec3_add_cross(u, turn, arm);
    vec3_add_scaled(spin, turn, 1);
  }
}

void reduced_velocity(const struct world *w, double *v)
{
  double root[3];
  chart_rates(w, w->reduced->charts, root);
  for (int i = 0; i < w->c->n_dofs; i++)
    v[i] = (i >= 3 && i < CREATURE_ROOT_DOFS ? root[i - 3] : w->v[i]) * (i < 3 ? w->length : 1) / w->time;
}

void reduced_momentum(const struct world *w, double *com, double *momentum, double *angular)
{
  struct dynamics_whole whole;
  dynamics_whole(w->reduced->dynamics, w->q, w->v, w->reduced->zero, &whole);
  memcpy(com, whole.com, sizeof whole.com);
  memcpy(momentum, whole.momentum, sizeof whole.momentum);
  memcpy(angular, whole.angular, sizeof whole.angular);
}
