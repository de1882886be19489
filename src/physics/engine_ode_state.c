/* Between q, v and ODE's bodies (doc/physics.md, "Angles"). */
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "physics/engine_ode.h"

/* Where a body is, to place those that hang on it. */
struct ode_motion {
  double R[9], x[3], velocity[3], spin[3]; /* x, velocity: of the centre of mass */
};

/* The joint's rotation, and the spin that it adds, in the frame of the parent. */
static void turn_joint(const struct body *b, const double *q, const double *v, double *R, double *spin)
{
  double axes[3][3];
  chain_rotation(&b->chain, q + b->first, R);
  chain_axes(&b->chain, q + b->first, axes);
  memset(spin, 0, 3 * sizeof *spin);
  for (int i = 0; i < b->n; i++)
    vec3_add_scaled(spin, axes[i], v[b->first + i]);
}

/* Motion of a body from that of its joint: rotation, spin, place and velocity of the joint itself. */
static void move_with_joint(const struct body *b, const struct ode_motion *joint, struct ode_motion *m)
{
  double arm[3];
  *m = *joint;
  mat3_mul_vec(m->R, b->com, arm);
  vec3_add_scaled(m->x, arm, 1);
  vec3_add_cross(m->velocity, m->spin, arm);
}

static void place_child(const struct body *b, const struct ode_motion *parent, const double *q, const double *v,
                        struct ode_motion *m)
{
  double R[9], spin[3], arm[3], more[3];
  struct ode_motion joint = *parent;
  turn_joint(b, q, v, R, spin);
  mat3_mul_vec(parent->R, b->place, arm);
  vec3_add_scaled(joint.x, arm, 1);
  vec3_add_cross(joint.velocity, parent->spin, arm);
  mat3_mul_vec(parent->R, spin, more);
  vec3_add_scaled(joint.spin, more, 1);
  mat3_mul(parent->R, R, joint.R);
  move_with_joint(b, &joint, m);
}

static void place_root(const struct world *w, const double *q, const double *v, struct ode_motion *m)
{
  struct ode_motion joint;
  turn_joint(&w->bodies[0], q, v, joint.R, joint.spin);
  memcpy(joint.x, q, sizeof joint.x);
  memcpy(joint.velocity, v, sizeof joint.velocity);
  move_with_joint(&w->bodies[0], &joint, m);
}

static void write_body(dBodyID id, const struct ode_motion *m)
{
  const double *R = m->R;
  const dMatrix3 rotation = {R[0], R[1], R[2], 0, R[3], R[4], R[5], 0, R[6], R[7], R[8], 0};
  dBodySetPosition(id, m->x[0], m->x[1], m->x[2]);
  dBodySetRotation(id, rotation);
  dBodySetLinearVel(id, m->velocity[0], m->velocity[1], m->velocity[2]);
  dBodySetAngularVel(id, m->spin[0], m->spin[1], m->spin[2]);
  dBodySetForce(id, 0, 0, 0);
  dBodySetTorque(id, 0, 0, 0);
}

static void read_motion(const struct ode_body *o, struct ode_motion *m)
{
  for (int i = 0; i < 3; i++)
    memcpy(m->R + 3 * i, o->body->R + 4 * i, 3 * sizeof *m->R);
  memcpy(m->x, o->body->x, sizeof m->x);
  memcpy(m->velocity, dBodyGetLinearVel(o->id), sizeof m->velocity);
  memcpy(m->spin, o->spin, sizeof m->spin);
}

void ode_place(struct world *w)
{
  const struct ode *ode = w->engine_data;
  struct ode_motion parent, m;
  for (int i = 0; i < w->n_bodies; i++) {
    const struct ode_body *o = &ode->bodies[i];
    if (i) {
      read_motion(o->parent, &parent);
      place_child(o->body, &parent, w->q, w->v, &m);
    } else {
      place_root(w, w->q, w->v, &m);
    }
    write_body(o->id, &m);
  }
}

/* One comparison each, so that what is not a number fails. */
int ode_is_sane(const struct world *w)
{
  const struct ode *ode = w->engine_data;
  for (int i = 0; i < w->n_bodies; i++) {
    const struct ode_body *o = &ode->bodies[i];
    const double *x = o->body->x, *u = dBodyGetLinearVel(o->id);
    if (!(vec3_dot(x, x) < FARTHEST * FARTHEST) || !(vec3_dot(u, u) < FASTEST * FASTEST) ||
        !(vec3_dot(o->spin, o->spin) < FASTEST_TURN * FASTEST_TURN) || !(fabs(o->body->R[0]) < 2))
      return 0;
  }
  return 1;
}

/* ---- from the bodies ---- */

/* out = R u, R in rows of four. */
static void rotate(const double *R, const double *u, double *out)
{
  for (int i = 0; i < 3; i++)
    out[i] = vec3_dot(R + 4 * i, u);
}

void ode_update(struct world *w)
{
  static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
  struct ode *ode = w->engine_data;
  const struct body *root = &w->bodies[0];
  double arm[3];
  rotate(root->R, root->com, arm);
  for (int i = 0; i < 3; i++)
    w->q[i] = root->x[i] - arm[i];
  for (int i = 0; i < w->n_bodies; i++) {
    struct body *b = &w->bodies[i];
    chain_read(&b->chain, b->parent < 0 ? identity : w->bodies[b->parent].R, b->R, w->q + b->first, b->axes);
    ode->bodies[i].volume = chain_dual(b->n, b->axes, ode->bodies[i].dual);
  }
}

void ode_relative_spin(const struct ode_body *o, double *spin)
{
  memcpy(spin, o->spin, 3 * sizeof *spin);
  if (o->parent)
    vec3_add_scaled(spin, o->parent->spin, -1);
}

void ode_motion(const struct world *w, int body, double *u, double *spin)
{
  const struct ode *ode = w->engine_data;
  memcpy(u, dBodyGetLinearVel(ode->bodies[body].id), 3 * sizeof *u);
  memcpy(spin, ode->bodies[body].spin, 3 * sizeof *spin);
}

void ode_velocity(const struct world *w, double *v)
{
  const struct ode *ode = w->engine_data;
  const struct body *root = &w->bodies[0];
  double arm[3];
  rotate(root->R, root->com, arm);
  memcpy(v, dBodyGetLinearVel(ode->bodies[0].id), 3 * sizeof *v);
  vec3_add_cross(v, arm, ode->bodies[0].spin);
  for (int i = 0; i < 3; i++)
    v[i] *= w->length / w->time;
  for (int k = 0; k < w->n_bodies; k++) {
    const struct ode_body *o = &ode->bodies[k];
    double spin[3];
    ode_relative_spin(o, spin);
    for (int i = 0; i < o->body->n; i++)
      v[o->body->first + i] = vec3_dot(o->dual[i], spin) / w->time;
  }
}

/* Adds the angular momentum of one body about the place `about`. */
static void add_angular(const struct ode_body *o, const double *about, double *angular)
{
  const double *R = o->body->R;
  dMass m;
  double local[3], turned[3], arm[3], u[3];
  dBodyGetMass(o->id, &m);
  for (int i = 0; i < 3; i++) /* spin in the body's frame, times inertia there */
    local[i] = R[i] * o->spin[0] + R[4 + i] * o->spin[1] + R[8 + i] * o->spin[2];
  rotate(m.I, local, turned);
  rotate(R, turned, local);
  for (int i = 0; i < 3; i++) {
    arm[i] = o->body->x[i] - about[i];
    u[i] = m.mass * dBodyGetLinearVel(o->id)[i];
    angular[i] += local[i];
  }
  vec3_add_cross(angular, arm, u);
}

void ode_momentum(const struct world *w, double *com, double *momentum, double *angular)
{
  const struct ode *ode = w->engine_data;
  for (int i = 0; i < w->n_bodies; i++) {
    dMass m;
    dBodyGetMass(ode->bodies[i].id, &m);
    vec3_add_scaled(com, w->bodies[i].x, m.mass);
    vec3_add_scaled(momentum, dBodyGetLinearVel(ode->bodies[i].id), m.mass);
  }
  for (int i = 0; i < w->n_bodies; i++) /* the momentum of the whole has no arm about its own centre of mass */
    add_angular(&ode->bodies[i], com, angular);
}
