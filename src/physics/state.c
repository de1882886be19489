/* Between our q, v and ODE's bodies (doc/physics.md, "Angles"). */
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "physics/room.h"

/* Where a body is, to place those that hang on it. */
struct motion {
  double R[9], x[3], velocity[3], spin[3]; /* x, velocity: of the centre of mass */
};

static int finite(size_t n, const double *x)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += x[i] * 0;
  return sum == 0;
}

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
static void follow(const struct body *b, const struct motion *joint, struct motion *m)
{
  double arm[3];
  *m = *joint;
  mat3_mul_vec(m->R, b->com, arm);
  vec3_add_scaled(m->x, arm, 1);
  vec3_add_cross(m->velocity, m->spin, arm);
}

static void place_child(const struct body *b, const struct motion *parent, const double *q, const double *v,
                        struct motion *m)
{
  double R[9], spin[3], arm[3], more[3];
  struct motion joint = *parent;
  turn_joint(b, q, v, R, spin);
  mat3_mul_vec(parent->R, b->place, arm);
  vec3_add_scaled(joint.x, arm, 1);
  vec3_add_cross(joint.velocity, parent->spin, arm);
  mat3_mul_vec(parent->R, spin, more);
  vec3_add_scaled(joint.spin, more, 1);
  mat3_mul(parent->R, R, joint.R);
  follow(b, &joint, m);
}

static void place_root(const struct world *w, const double *q, const double *v, struct motion *m)
{
  struct motion joint;
  turn_joint(&w->bodies[0], q, v, joint.R, joint.spin);
  memcpy(joint.x, q, sizeof joint.x);
  memcpy(joint.velocity, v, sizeof joint.velocity);
  follow(&w->bodies[0], &joint, m);
}

static void write_body(dBodyID id, const struct motion *m)
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

static void read_motion(const struct body *b, struct motion *m)
{
  for (int i = 0; i < 3; i++)
    memcpy(m->R + 3 * i, b->R + 4 * i, 3 * sizeof *b->R);
  memcpy(m->x, b->x, sizeof m->x);
  memcpy(m->velocity, dBodyGetLinearVel(b->id), sizeof m->velocity);
  memcpy(m->spin, b->spin, sizeof m->spin);
}

int state_set(struct world *w, const double *q, const double *v)
{
  size_t n = (size_t)w->c->n_dofs;
  struct motion parent, m;
  if (!finite(n, q) || !finite(n, v))
    return 0;
  for (size_t i = 0; i < n; i++) {
    w->q[i] = q[i] / (i < 3 ? w->length : 1);
    w->scratch[i] = v[i] * w->time / (i < 3 ? w->length : 1);
  }
  for (int i = 0; i < w->n_bodies; i++) {
    const struct body *b = &w->bodies[i];
    if (i) {
      read_motion(&w->bodies[b->parent], &parent);
      place_child(b, &parent, w->q, w->scratch, &m);
    } else {
      place_root(w, w->q, w->scratch, &m);
    }
    write_body(b->id, &m);
  }
  return state_sane(w);
}

/* One comparison each, so that what is not a number fails. */
int state_sane(const struct world *w)
{
  for (int i = 0; i < w->n_bodies; i++) {
    const struct body *b = &w->bodies[i];
    const dReal *u = dBodyGetLinearVel(b->id);
    if (!(vec3_dot(b->x, b->x) < FARTHEST * FARTHEST) || !(vec3_dot(u, u) < FASTEST * FASTEST) ||
        !(vec3_dot(b->spin, b->spin) < FASTEST_TURN * FASTEST_TURN) || !(fabs(b->R[0]) < 2))
      return 0;
  }
  return 1;
}

/* ---- from the bodies ---- */

/* out = R u, or R^T u, R as ODE keeps it. */
static void rotate(const double *R, const double *u, double *out)
{
  for (int i = 0; i < 3; i++)
    out[i] = vec3_dot(R + 4 * i, u);
}

static void update_joint(struct world *w, struct body *b)
{
  static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
  chain_read(&b->chain, b->parent < 0 ? identity : w->bodies[b->parent].R, b->R, w->q + b->first, b->axes);
  b->volume = chain_dual(b->n, b->axes, b->dual);
}

void state_update(struct world *w)
{
  const struct body *root = &w->bodies[0];
  double arm[3];
  rotate(root->R, root->com, arm);
  for (int i = 0; i < 3; i++)
    w->q[i] = root->x[i] - arm[i];
  for (int i = 0; i < w->n_bodies; i++)
    update_joint(w, &w->bodies[i]);
}

void state_relative_spin(const struct world *w, const struct body *b, double *spin)
{
  memcpy(spin, b->spin, 3 * sizeof *spin);
  if (b->parent >= 0)
    vec3_add_scaled(spin, w->bodies[b->parent].spin, -1);
}

static void root_velocity(const struct world *w, double *v)
{
  const struct body *root = &w->bodies[0];
  double arm[3];
  rotate(root->R, root->com, arm);
  memcpy(v, dBodyGetLinearVel(root->id), 3 * sizeof *v);
  vec3_add_cross(v, arm, root->spin);
}

void world_get(const struct world *w, double *q, double *v)
{
  int lost = w->head->lost;
  for (int i = 0; q && i < w->c->n_dofs; i++)
    q[i] = lost ? NAN : w->q[i] * (i < 3 ? w->length : 1);
  for (int i = 0; v && lost && i < w->c->n_dofs; i++)
    v[i] = NAN;
  if (!v || lost)
    return;
  root_velocity(w, v);
  for (int i = 0; i < 3; i++)
    v[i] *= w->length / w->time;
  for (int k = 0; k < w->n_bodies; k++) {
    const struct body *b = &w->bodies[k];
    double spin[3];
    state_relative_spin(w, b, spin);
    for (int i = 0; i < b->n; i++)
      v[b->first + i] = vec3_dot(b->dual[i], spin) / w->time;
  }
}

/* Adds the momentum of one body about the place `about`. */
static void add_angular(const struct body *b, const double *about, double *angular)
{
  dMass m;
  double local[3], turned[3], arm[3], u[3];
  dBodyGetMass(b->id, &m);
  for (int i = 0; i < 3; i++) /* spin in the body's frame, times inertia there */
    local[i] = b->R[i] * b->spin[0] + b->R[4 + i] * b->spin[1] + b->R[8 + i] * b->spin[2];
  rotate(m.I, local, turned);
  rotate(b->R, turned, local);
  for (int i = 0; i < 3; i++) {
    arm[i] = b->x[i] - about[i];
    u[i] = m.mass * dBodyGetLinearVel(b->id)[i];
    angular[i] += local[i];
  }
  vec3_add_cross(angular, arm, u);
}

void world_momentum(const struct world *w, double *com, double *momentum, double *angular)
{
  double x[3] = {0, 0, 0}, p[3] = {0, 0, 0}, L[3] = {0, 0, 0}, nothing = w->head->lost ? NAN : 0;
  double mass = w->c->mass, speed = w->length / w->time;
  for (int i = 0; i < w->n_bodies; i++) {
    const struct body *b = &w->bodies[i];
    dMass m;
    dBodyGetMass(b->id, &m);
    vec3_add_scaled(x, b->x, m.mass);
    vec3_add_scaled(p, dBodyGetLinearVel(b->id), m.mass);
  }
  for (int i = 0; angular && i < w->n_bodies; i++)
    add_angular(&w->bodies[i], x, L); /* the momentum of the whole has no arm about its own centre of mass */
  for (int i = 0; i < 3; i++) {
    if (com)
      com[i] = nothing + x[i] * w->length;
    if (momentum)
      momentum[i] = nothing + p[i] * mass * speed;
    if (angular)
      angular[i] = nothing + L[i] * mass * speed * w->length;
  }
}
