/* Positions, rates and accelerations of a frame of a captured motion.
 *
 * Central differences of angles, as everywhere (motion/clip.h), but for joints of three axes near their pole: there two
 * angles whirl while the limb hardly turns, and their differences are those of nothing. Then rates are those angles'
 * rates that give the limb's angular velocity, which comes from the differences of rotations:
 *
 *   w = sum e_i v_i,    w' = sum e_i a_i + sum_{i<j} (e_i v_i) x (e_j v_j)      e_i  axis i, in the carrying frame
 *
 * At the pole itself one direction cannot be had; least squares with a little damping leaves it out. */
#include <math.h>
#include <string.h>

#include "base/matrices.h"
#include "base/quat.h"
#include "base/vec3.h"
#include "capture/angles.h"
#include "capture/feedforward.h"

/* numerics of a singularity, not options */
#define NEAR_POLE 0.15 /* volume that the three axes span; 1 at right angles, 0 at the pole */
#define DAMPING 2e-4

/* The rotation vector that takes one rotation to another. */
static void turn_between(const double *from, const double *to, double *turn)
{
  double a[4], b[4], back[4], d[4];
  quat_of_matrix(from, a);
  quat_of_matrix(to, b);
  quat_inverse(a, back);
  quat_multiply(b, back, d);
  double s = vec3_norm(d + 1), angle = 2 * atan2(s, fabs(d[0])), factor = s > 1e-12 ? angle / s : 2;
  for (int k = 0; k < 3; k++)
    turn[k] = (d[0] < 0 ? -factor : factor) * d[1 + k];
}

/* Axes of the three dofs at angles x: the columns of E. Returns the volume that they span. */
static double joint_axes(const struct dof *dofs, const double *x, double E[3][3])
{
  double R[9], across[3];
  for (int i = 0; i < 3; i++) {
    capture_joint_rotation(dofs, i, x, R);
    mat3_mul_vec(R, dofs[i].axis, E[i]);
  }
  vec3_cross(E[0], E[1], across);
  return fabs(vec3_dot(across, E[2]));
}

/* x with sum e_i x_i = w, in the sense of damped least squares. */
static void state_solve(double E[3][3], const double *w, double *x)
{
  double A[9];
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++)
      A[3 * i + j] = vec3_dot(E[i], E[j]) + (i == j ? DAMPING * DAMPING : 0);
    x[i] = vec3_dot(E[i], w);
  }
  matrices_solve_positive(3, A, x);
}

/* Do differences of angles say how the joint turns? Not near the pole, nor where the angles change to the other three
 * that mean the same: then they jump, and the limb does not. */
static int is_plain(const struct dof *dofs, const double *const x[3], const double *first, const double *second)
{
  double E[3][3], jump = 0, turn = fmax(vec3_norm(first), vec3_norm(second));
  for (int k = 0; k < 3; k++)
    if (joint_axes(dofs, x[k], E) < NEAR_POLE)
      return 0;
  for (int i = 0; i < 3; i++)
    jump = fmax(jump, fmax(fabs(x[1][i] - x[0][i]), fabs(x[2][i] - x[1][i])));
  return jump < 2 * turn / NEAR_POLE + 0.01;
}

/* Rates of one joint, or of the root's attitude, from three poses; untouched where differences of angles suffice. */
static void state_correct(const struct dof *dofs, const double *const x[3], double dt, double *v, double *a)
{
  double E[3][3], R[3][9], first[3], second[3], w[3], rate[3], part[3], other[3];
  for (int k = 0; k < 3; k++)
    capture_joint_rotation(dofs, 3, x[k], R[k]);
  turn_between(R[0], R[1], first);
  turn_between(R[1], R[2], second);
  if (is_plain(dofs, x, first, second))
    return;
  joint_axes(dofs, x[1], E);
  for (int k = 0; k < 3; k++) {
    w[k] = (first[k] + second[k]) / (2 * dt);
    rate[k] = (second[k] - first[k]) / (dt * dt);
  }
  state_solve(E, w, v);
  for (int i = 0; i < 3; i++)
    for (int j = i + 1; j < 3; j++) {
      for (int k = 0; k < 3; k++)
        part[k] = E[i][k] * v[i], other[k] = -E[j][k] * v[j];
      vec3_add_cross(rate, part, other);
    }
  state_solve(E, rate, a);
}

void capture_state(const struct creature *c, const struct clip *clip, int k, double *q, double *v, double *a)
{
  int n = clip->n_dofs, last = clip->n_frames - 1;
  if (!clip_state(clip, k, q, v, a)) {
    const double *neighbour = clip->q + (size_t)(k == 0 ? 1 : k - 1) * (size_t)n;
    for (int i = 0; i < n; i++)
      v[i] = (k == 0 ? neighbour[i] - q[i] : q[i] - neighbour[i]) / clip->dt; /* on evenly: a = 0 */
    return;
  }
  if (k < 1 || k >= last)
    return; /* a cyclic clip's ends have their neighbours elsewhere; optimized clips keep away from poles */
  for (int l = 0; l < c->n_limbs; l++) {
    int first = l ? c->limbs[l].first_dof : 3;
    const double *now = clip->q + (size_t)k * (size_t)n + first, *const x[3] = {now - n, now, now + n};
    if (l == 0 || c->limbs[l].n_dofs == 3)
      state_correct(c->dofs + first, x, clip->dt, v + first, a + first);
  }
}
