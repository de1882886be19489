/* Liu 2010's cost of a state: joints, root, ends of limbs and balance. */
#include "follow/cost.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "dynamics/dynamics.h"
#include "follow/errors.h"

struct costs {
  const struct creature *c;
  struct cost_weights weights;
  struct dynamics *dynamics;
  double *zero;                 /* accelerations           (n_dofs)       */
  double *points, *points_ref;  /* where contact points are (n_points x 3) */
};

void cost_weights_defaults(struct cost_weights *w)
{
  *w = (struct cost_weights){.pose = 8, .root = 5, .ends = 20, .balance = 20, .velocity = 0.1}; /* section 4 */
}

struct costs *costs_new(struct arena *arena, const struct creature *c, const struct cost_weights *w)
{
  struct costs *k = ARENA_NEW(arena, 1, struct costs);
  k->c = c;
  if (w)
    k->weights = *w;
  else
    cost_weights_defaults(&k->weights);
  k->dynamics = dynamics_new(arena, c);
  k->zero = ARENA_NEW(arena, (size_t)c->n_dofs, double);
  k->points = ARENA_NEW(arena, (size_t)c->n_points * 3, double);
  k->points_ref = ARENA_NEW(arena, (size_t)c->n_points * 3, double);
  return k;
}

/* R := R Rot(axis, angle), the body's frame turned about an axis of its own. */
static void turn_about(double *R, const double *axis, double angle)
{
  double s = sin(angle), c = cos(angle), t = 1 - c, x = axis[0], y = axis[1], z = axis[2], out[9];
  const double turn[9] = {t * x * x + c,     t * x * y - s * z, t * x * z + s * y, t * x * y + s * z, t * y * y + c,
                          t * y * z - s * x, t * x * z - s * y, t * y * z + s * x, t * z * z + c};
  mat3_mul(R, turn, out);
  memcpy(R, out, sizeof out);
}

/* Rotation and angular velocity (in the parent's frame) of some dofs in a row. */
static void rotation_of(const struct creature *c, int first, int n, const double *q, const double *v, double *R,
                        double *w)
{
  static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  memcpy(R, unit, sizeof unit);
  w[0] = w[1] = w[2] = 0;
  for (int i = first; i < first + n; i++) {
    double axis[3];
    mat3_mul_vec(R, c->dofs[i].axis, axis);
    if (v)
      vec3_add_scaled(w, axis, v[i]);
    turn_about(R, c->dofs[i].axis, q[i]);
  }
}

/* The angle of A B^T: from its skew part where that is small, so that small angles keep their digits. */
static double angle_between(const double *A, const double *B)
{
  double D[9], turned[9];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      turned[3 * i + j] = B[3 * j + i];
  mat3_mul(A, turned, D);
  double skew[3] = {D[7] - D[5], D[2] - D[6], D[3] - D[1]};
  return atan2(0.5 * vec3_norm(skew), 0.5 * (D[0] + D[4] + D[8] - 1));
}

/* d_q + 0.1 d_v of a joint */
static double joint_distance(const struct costs *k, int first, int n, const double *q, const double *v,
                             const double *q_ref,
                             const double *v_ref)
{
  double R[9], w[3], R_ref[9], w_ref[3], off[3];
  rotation_of(k->c, first, n, q, v, R, w);
  rotation_of(k->c, first, n, q_ref, v_ref, R_ref, w_ref);
  for (int i = 0; i < 3; i++)
    off[i] = w[i] - w_ref[i];
  return angle_between(R, R_ref) + k->weights.velocity * vec3_norm(off) / errors_units(k->c).rate;
}

static double pose_term(const struct costs *k, const double *q, const double *v, const double *q_ref,
                        const double *v_ref)
{
  double sum = 0;
  int n = 0;
  for (int i = 1; i < k->c->n_limbs; i++) {
    const struct limb *l = &k->c->limbs[i];
    if (l->n_dofs == 0)
      continue;
    sum += joint_distance(k, l->first_dof, l->n_dofs, q, v, q_ref, v_ref);
    n++;
  }
  return n ? sum / n : 0;
}

/* Contact points, centre of mass and its velocity, the latter along the root's own heading. */
static void cost_whole(struct costs *k, const double *q, const double *v, double *points, double *com, double *velocity)
{
  struct dynamics_whole all;
  dynamics_whole(k->dynamics, q, v, k->zero, &all);
  dynamics_kinematics(k->dynamics, q);
  for (int p = 0; p < k->c->n_points; p++)
    dynamics_point(k->dynamics, k->c->points[p].body, k->c->points[p].at, points + 3 * p);
  memcpy(com, all.com, sizeof all.com);
  memcpy(velocity, all.com_velocity, sizeof all.com_velocity);
}

static void end_terms(struct costs *k, const double *q, const double *v, const double *q_ref, const double *v_ref,
                      double ground,
                      struct cost_terms *out)
{
  int n = k->c->n_points;
  struct errors_units u = errors_units(k->c);
  double com[3], com_ref[3], velocity[3], velocity_ref[3], heights = 0, spread = 0, off[3];
  cost_whole(k, q, v, k->points, com, velocity);
  cost_whole(k, q_ref, v_ref, k->points_ref, com_ref, velocity_ref);
  for (int p = 0; p < n; p++) {
    const double *a = k->points + 3 * p, *b = k->points_ref + 3 * p;
    heights += fabs(a[2] - ground - b[2]);
    spread += hypot(com[0] - a[0] - com_ref[0] + b[0], com[1] - a[1] - com_ref[1] + b[1]);
  }
  for (int i = 0; i < 3; i++)
    off[i] = velocity[i] - velocity_ref[i];
  out->ends = n ? heights / n / u.length : 0;
  out->balance = (n ? spread / n / u.length : 0) + k->weights.velocity * vec3_norm(off) / u.speed;
}

struct cost_terms costs_of(struct costs *k, const double *q, const double *v, const double *q_ref, const double *v_ref,
                           double ground)
{
  struct cost_terms t;
  t.pose = pose_term(k, q, v, q_ref, v_ref);
  t.root = joint_distance(k, 3, 3, q, v, q_ref, v_ref);
  end_terms(k, q, v, q_ref, v_ref, ground, &t);
  t.total = k->weights.pose * t.pose + k->weights.root * t.root + k->weights.ends * t.ends + k->weights.balance *
            t.balance;
  return t;
}

double cost_root_angle(const struct creature *c, const double *q, const double *q_ref)
{
  double R[9], R_ref[9], w[3];
  rotation_of(c, 3, 3, q, NULL, R, w);
  rotation_of(c, 3, 3, q_ref, NULL, R_ref, w);
  return angle_between(R, R_ref);
}
