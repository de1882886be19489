/* Servos, passive tissue and stops in ODE: rows of constraints about the axes of the joints (doc/physics.md,
 * "Servos").
 *
 * A joint's torques tau act along its axes' duals: the vector T = sum tau_i b_i has a_j . T = tau_j, and b_i . spin
 * = v_i. A row along b_i thus sees dof i and nothing else. ODE wants unit rows u = b / |b|: speeds are divided by
 * |b|, torques multiplied. */
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "physics/engine_ode.h"
#include "physics/passive.h"

static void set_param(dJointID j, int parameter, int i, double value)
{
  dJointSetAMotorParam(j, parameter + dParamGroup * i, value);
}

static void set_most(struct ode_motor *m, int i, double most)
{
  if (m->most[i] != most)
    set_param(m->joint, dParamFMax, i, most);
  m->most[i] = most;
}

/* ---- making them ---- */

static dJointID new_motor(struct world *w, const struct ode_body *o, int rows)
{
  const struct ode *ode = w->engine_data;
  const struct body *b = o->body;
  dJointID j = dJointCreateAMotor(ode->world, 0);
  dJointAttach(j, o->id, o->parent->id);
  dJointSetAMotorMode(j, dAMotorUser);
  dJointSetAMotorNumAxes(j, rows);
  for (int i = 0; i < b->n; i++) { /* the first axis goes with the parent (body 2), the last with the child */
    const double *a = b->chain.axis[i];
    dJointSetAMotorAxis(j, i, i ? 1 : 2, a[0], a[1], a[2]);
  }
  return j;
}

/* The rows of a motor whose gains are known; with a third row, if wanted, that keeps the angle of two oblique axes. */
static void make_motor(struct world *w, const struct ode_body *o, struct ode_motor *m, int keeps_angle)
{
  const struct body *b = o->body;
  int rows = keeps_angle;
  m->turning = b->n == 3 || o->oblique;
  for (int i = 0; i < b->n; i++) {
    m->turning |= b->n == 2 && isfinite(m->limit[i]); /* a joint may give, and only duals keep limits then */
    m->damping[i] = w->h * m->kp[i] + m->kd[i];
    m->has_plain |= !(m->damping[i] > 0);
    rows |= m->damping[i] > 0 && m->limit[i] > 0;
  }
  m->joint = NULL;
  memset(&m->feedback, 0, sizeof m->feedback);
  memset(m->most, 0, sizeof m->most);
  if (!rows)
    return;
  m->joint = new_motor(w, o, keeps_angle ? 3 : b->n);
  dJointSetFeedback(m->joint, &m->feedback);
  for (int i = 0; i < b->n; i++) {
    set_most(m, i, m->damping[i] > 0 ? m->limit[i] : 0);
    set_param(m->joint, dParamCFM, i, m->damping[i] > 0 ? 1 / m->damping[i] : 0);
  }
}

/* Rows of tissue: none has a limit; how stiff they are, every step says anew. */
static void make_tissue(struct world *w, struct ode_body *o)
{
  const struct body *b = o->body;
  int spanned = 0;
  o->tissue.joint = NULL;
  for (int i = 0; w->passive && i < w->passive->n; i++)
    for (int m = 0; m < w->passive->law[i].n_dofs; m++)
      spanned |= w->passive->law[i].dof[m] >= b->first && w->passive->law[i].dof[m] < b->first + b->n;
  if (!spanned)
    return;
  o->tissue.turning = b->n == 3 || o->oblique;
  o->tissue.joint = new_motor(w, o, b->n);
  for (int i = 0; i < 3; i++) {
    o->tissue.limit[i] = dInfinity;
    o->tissue.most[i] = 0;
  }
}

void ode_motor_build(struct world *w, struct ode_body *o)
{
  const struct body *b = o->body;
  double scale = w->options.servo_scale / w->torque;
  int ranges = 0;
  for (int i = 0; i < b->n; i++) {
    const struct dof *d = &w->c->dofs[b->first + i];
    o->servo.kp[i] = scale * d->servo_kp;
    o->servo.kd[i] = scale * d->servo_kd / w->time;
    o->servo.limit[i] = d->torque_max / w->torque;
    ranges |= !(isinf(d->lower) && isinf(d->upper));
  }
  make_motor(w, o, &o->servo, o->oblique);
  make_tissue(w, o);
  o->stop = NULL;
  if (ranges && !w->options.no_limits) {
    o->stop = new_motor(w, o, b->n);
    dJointDisable(o->stop);
  }
  o->held = 0;
}

/* ---- rows at a step ---- */

/* Row i about axis u (world): torque = kp error + kd (speed - speed then) + torque, all of that row. */
struct row {
  double axis[3];
  double kp, kd, limit, error, speed, torque;
};

static void set_row(const struct world *w, struct ode_motor *m, int i, const struct row *r)
{
  double damping = w->h * r->kp + r->kd;
  dJointSetAMotorAxis(m->joint, i, 0, r->axis[0], r->axis[1], r->axis[2]);
  set_most(m, i, damping > 0 ? r->limit : 0);
  set_param(m->joint, dParamCFM, i, damping > 0 ? 1 / damping : 0);
  set_param(m->joint, dParamVel, i, damping > 0 ? (r->kp * r->error + r->kd * r->speed + r->torque) / damping : 0);
}

/* What a motor shall do with the dofs of one joint (3 each). */
struct command { const double *q, *error, *speed, *torque; };

/* Rows along the duals: each dof its own. */
static void set_dual_rows(const struct world *w, const struct ode_body *o, struct ode_motor *m, const struct command *a)
{
  const struct body *b = o->body;
  for (int i = 0; i < b->n; i++) {
    double length = vec3_norm(o->dual[i]), square = length * length;
    struct row r = {.kp = m->kp[i] * square, .kd = m->kd[i] * square, .limit = m->limit[i] * length};
    for (int k = 0; k < 3; k++)
      r.axis[k] = o->dual[i][k] / length;
    r.error = a->error[i] / length, r.speed = a->speed[i] / length, r.torque = a->torque[i] * length;
    set_row(w, m, i, &r);
  }
}

/* Rotation vector of the turn that is left to do, in the world. */
static void turn_left(const struct ode_body *o, const double *target, double *error)
{
  const struct body *b = o->body;
  const double *R = b->R, *P = o->parent->body->R;
  double goal[9], E[9], v[3];
  chain_rotation(&b->chain, target, goal);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) { /* E = goal (P^T R)^T, in the parent's frame */
      E[3 * i + j] = 0;
      for (int k = 0; k < 3; k++)
        E[3 * i + j] += goal[3 * i + k] * (P[j] * R[k] + P[4 + j] * R[4 + k] + P[8 + j] * R[8 + k]);
    }
  double sine[3] = {(E[7] - E[5]) / 2, (E[2] - E[6]) / 2, (E[3] - E[1]) / 2}, s = vec3_norm(sine);
  double angle = atan2(s, (E[0] + E[4] + E[8] - 1) / 2), factor = s > 1e-9 ? angle / s : 1;
  for (int i = 0; i < 3; i++)
    v[i] = factor * sine[i];
  for (int i = 0; i < 3; i++)
    error[i] = vec3_dot(P + 4 * i, v);
}

/* Near gimbal lock, where duals grow without bound: rows along the bisector of the outer axes, the middle axis, and
 * across. With equal gains and no limits they do what rows along the duals would, until 1 - |a1 . a3| falls below a
 * bound; from there on they are bounded. */
static void set_locked_rows(const struct world *w, const struct ode_body *o, struct ode_motor *m,
                            const struct command *a)
{
  const struct body *b = o->body;
  double d = vec3_dot(b->axes[0], b->axes[2]), sign = d < 0 ? -1 : 1, spin[3] = {0, 0, 0}, left[3], across[3];
  double least = 1 - sqrt(1 - LOCK_VOLUME * LOCK_VOLUME);
  double square[3] = {1 + fabs(d), 1, fmax(1 - fabs(d), least)};
  struct row r[3] = {{.axis = {0}}};
  for (int k = 0; k < 3; k++) {
    r[0].axis[k] = (b->axes[0][k] + sign * b->axes[2][k]) / sqrt(2 * square[0]);
    r[1].axis[k] = b->axes[1][k];
    across[k] = b->axes[0][k] - sign * b->axes[2][k];
    vec3_add_scaled(spin, b->axes[k], a->speed[k]);
  }
  vec3_cross(r[0].axis, r[1].axis, r[2].axis);
  double side = vec3_dot(across, r[2].axis) < 0 ? -1 : 1;
  turn_left(o, a->q, left);
  double torque[3] = {(a->torque[0] + sign * a->torque[2]) / sqrt(2), a->torque[1],
                      side * (a->torque[0] - sign * a->torque[2]) / sqrt(2)};
  for (int i = 0; i < 3; i++) {
    double kp = i == 1 ? m->kp[1] : (m->kp[0] + m->kp[2]) / 2, kd = i == 1 ? m->kd[1] : (m->kd[0] + m->kd[2]) / 2;
    double root = sqrt(square[i]);
    r[i].kp = kp / square[i], r[i].kd = kd / square[i];
    r[i].limit = (i == 1 ? m->limit[1] : fmin(m->limit[0], m->limit[2])) / root;
    r[i].error = vec3_dot(left, r[i].axis), r[i].speed = vec3_dot(spin, r[i].axis), r[i].torque = torque[i] / root;
    set_row(w, m, i, &r[i]);
  }
}

/* The row that keeps two oblique axes at their angle: hard, with ODE's usual correction. */
static void keep_angle(const struct ode_body *o, struct ode_motor *m, double h)
{
  const struct body *b = o->body;
  const double *R = b->R, *P = o->parent->body->R;
  double first[3], last[3], normal[3];
  for (int i = 0; i < 3; i++) {
    first[i] = vec3_dot(P + 4 * i, b->chain.axis[0]);
    last[i] = vec3_dot(R + 4 * i, b->chain.axis[1]);
  }
  vec3_cross(last, first, normal); /* d(first . last) / dt = spin . normal, spin: of the child against the parent */
  double sine = vec3_norm(normal), error = vec3_dot(b->chain.axis[0], b->chain.axis[1]) - vec3_dot(first, last);
  dJointSetAMotorAxis(m->joint, 2, 0, normal[0], normal[1], normal[2]);
  set_most(m, 2, dInfinity);
  set_param(m->joint, dParamCFM, 2, WORLD_CFM);
  set_param(m->joint, dParamVel, 2, WORLD_ERP / h * error / sine);
}

/* Torques of dofs whose gains are both 0 need no row: they do not depend on what happens. */
static void give_plain(const struct ode_body *o, struct ode_motor *m, const struct command *a)
{
  const struct body *b = o->body;
  double T[3] = {0, 0, 0};
  for (int i = 0; i < b->n; i++) {
    m->plain[i] = 0;
    if (m->damping[i] > 0)
      continue;
    m->plain[i] = fmin(fmax(a->torque[i], -m->limit[i]), m->limit[i]);
    vec3_add_scaled(T, o->dual[i], m->plain[i]);
  }
  if (T[0] == 0 && T[1] == 0 && T[2] == 0)
    return;
  dBodyAddTorque(o->id, T[0], T[1], T[2]);
  dBodyAddTorque(o->parent->id, -T[0], -T[1], -T[2]);
}

static void set_motor(const struct world *w, const struct ode_body *o, struct ode_motor *m, const struct command *a)
{
  const struct body *b = o->body;
  if (m->has_plain)
    give_plain(o, m, a);
  if (!m->joint)
    return;
  for (int i = 0; i < b->n; i++)
    m->speed[i] = m->damping[i] > 0
                  ? (m->kp[i] * a->error[i] + m->kd[i] * a->speed[i] + a->torque[i]) / m->damping[i] : 0;
  if (m->turning && b->n == 3 && o->volume < LOCK_VOLUME)
    set_locked_rows(w, o, m, a);
  else if (m->turning)
    set_dual_rows(w, o, m, a);
  else
    for (int i = 0; i < b->n; i++)
      if (m->damping[i] > 0)
        set_param(m->joint, dParamVel, i, m->speed[i]);
}

/* ---- ranges ---- */

/* A stop acts from the step on that would pass it: the dof may go as far as the range ends in this step (ODE, which
 * knows only stops already passed, is told the mirror image and to correct it backwards), and is brought back slowly
 * from beyond. */
static void hold_dof(const struct ode_body *o, int i, int low, double beyond)
{
  double length = vec3_norm(o->dual[i]);
  dJointSetAMotorAxis(o->stop, i, 0, o->dual[i][0], o->dual[i][1], o->dual[i][2]);
  dJointSetAMotorAngle(o->stop, i, (low ? -1 : 1) * fabs(beyond) / length);
  set_param(o->stop, dParamStopERP, i, beyond > 0 ? WORLD_ERP : -1);
  set_param(o->stop, dParamLoStop, i, low ? 0 : -dInfinity);
  set_param(o->stop, dParamHiStop, i, low ? dInfinity : 0);
}

static void let_go(const struct ode_body *o, int i)
{
  set_param(o->stop, dParamLoStop, i, -dInfinity);
  set_param(o->stop, dParamHiStop, i, dInfinity);
}

/* Which dofs of the joint are about to leave their ranges, at their speed or at that of their servo? */
static void hold_ranges(const struct world *w, struct ode_body *o)
{
  const struct body *b = o->body;
  const struct dof *d = &w->c->dofs[b->first];
  const double *q = w->q + b->first;
  int held = 0, locked = b->n == 3 && o->volume < LOCK_VOLUME; /* then only the middle angle means something */
  double spin[3];
  ode_relative_spin(o, spin);
  for (int i = 0; i < b->n; i++) {
    double then = q[i] + 2 * w->h * vec3_dot(o->dual[i], spin), driven = q[i] + w->h * o->servo.speed[i];
    int low = q[i] < d[i].lower || then < d[i].lower || driven < d[i].lower;
    int high = q[i] > d[i].upper || then > d[i].upper || driven > d[i].upper;
    if ((low || high) && (!locked || i == 1)) {
      low = low && (!high || q[i] - d[i].lower < d[i].upper - q[i]); /* both: the nearer end */
      hold_dof(o, i, low, low ? d[i].lower - q[i] : q[i] - d[i].upper);
      held |= 1 << i;
    } else if (o->held & 1 << i) {
      let_go(o, i);
    }
  }
  if (!held != !o->held)
    (held ? dJointEnable : dJointDisable)(o->stop);
  o->held = held;
}

/* ---- all of them ---- */

static void set_servo(const struct world *w, struct ode_body *o, const struct world_target *t)
{
  const struct body *b = o->body;
  double error[3], speed[3], torque[3];
  for (int i = 0; i < b->n; i++) {
    int k = b->first + i;
    error[i] = t->q[k] - w->q[k];
    speed[i] = t->v ? t->v[k] * w->time : 0;
    torque[i] = t->torque ? t->torque[k] * w->per_torque : 0;
  }
  set_motor(w, o, &o->servo, &(struct command){t->q + b->first, error, speed, torque});
}

static void set_tissue(const struct world *w, struct ode_body *o)
{
  static const double zero[3] = {0, 0, 0};
  const struct ode *ode = w->engine_data;
  const struct body *b = o->body;
  struct ode_motor *m = &o->tissue;
  for (int i = 0; i < b->n; i++) {
    double damping = m->kd[i] = m->damping[i] = ode->tissue_damping[b->first + i];
    set_most(m, i, damping > 0 ? dInfinity : 0);
    set_param(m->joint, dParamCFM, i, damping > 0 ? 1 / damping : 0);
  }
  set_motor(w, o, m, &(struct command){w->q + b->first, zero, zero, ode->tissue_torque + b->first});
}

/* Servos of a limp creature are off; a row that keeps an angle is not. */
static void set_limp(struct world *w, int limp)
{
  struct ode *ode = w->engine_data;
  for (int k = 1; k < w->n_bodies; k++) {
    struct ode_body *o = &ode->bodies[k];
    struct ode_motor *m = &o->servo;
    memset(m->plain, 0, sizeof m->plain);
    memset(m->speed, 0, sizeof m->speed);
    if (!m->joint)
      continue;
    memset(&m->feedback, 0, sizeof m->feedback);
    if (!o->oblique)
      (limp ? dJointDisable : dJointEnable)(m->joint);
    for (int i = 0; i < o->body->n; i++)
      set_most(m, i, limp || !(m->damping[i] > 0) ? 0 : m->limit[i]);
  }
  w->limp = limp;
}

int ode_motor_prepare(struct world *w, const struct world_target *target)
{
  struct ode *ode = w->engine_data;
  if (target && !world_target_is_sane(w, target))
    return 0;
  if (w->limp != !target)
    set_limp(w, !target);
  if (w->passive)
    ode_tissue_prepare(w, target);
  for (int k = 1; k < w->n_bodies; k++) {
    struct ode_body *o = &ode->bodies[k];
    if (target)
      set_servo(w, o, target);
    if (o->oblique)
      keep_angle(o, &o->servo, w->h);
    if (o->tissue.joint)
      set_tissue(w, o);
    if (o->stop)
      hold_ranges(w, o);
  }
  return 1;
}

void ode_motor_collect(struct world *w)
{
  const struct ode *ode = w->engine_data;
  for (int k = 1; k < w->n_bodies; k++) {
    const struct ode_body *o = &ode->bodies[k];
    const struct body *b = o->body;
    for (int i = 0; i < b->n; i++)
      w->torques[b->first + i] = w->limp ? 0 : vec3_dot(b->axes[i], o->servo.feedback.t1) + o->servo.plain[i];
  }
}
