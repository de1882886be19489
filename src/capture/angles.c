/* Angles of a joint from its rotation: Newton's method on the nine numbers of the matrix, from the angles before, and
 * from all round if that leads nowhere. Closed forms exist for axes at right angles; this one takes any, and stays on
 * the branch it is on. */
#include "capture/angles.h"

#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "base/quat.h"
#include "base/vec3.h"

struct joint_problem {
  const struct dof *dofs;
  int n;
  const double *R;
};

void capture_joint_rotation(const struct dof *dofs, int n, const double *x, double *R)
{
  static const double none[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  double q[4], own[9], before[9];
  memcpy(R, none, sizeof none);
  for (int i = 0; i < n; i++) {
    memcpy(before, R, sizeof before);
    quat_about(dofs[i].axis, x[i], q);
    quat_to_matrix(q, own);
    mat3_mul(before, own, R);
  }
}

/* Difference of the rotations. d(R e)/dx_i = (axis i in the parent) x R e. */
static void evaluate(void *user, const double *x, double *r, double *J)
{
  const struct joint_problem *p = user;
  double R[9], part[9], axis[3], column[3], change[3];
  capture_joint_rotation(p->dofs, p->n, x, R);
  for (int k = 0; k < 9; k++)
    r[k] = R[k] - p->R[k];
  for (int i = 0; J && i < p->n; i++) {
    capture_joint_rotation(p->dofs, i, x, part);
    mat3_mul_vec(part, p->dofs[i].axis, axis);
    for (int c = 0; c < 3; c++) {
      for (int k = 0; k < 3; k++)
        column[k] = R[3 * k + c];
      vec3_cross(axis, column, change);
      for (int k = 0; k < 3; k++)
        J[(3 * k + c) * p->n + i] = change[k];
    }
  }
}

double capture_find_angles(struct levenberg *l, const struct dof *dofs, int n, const double *R, double *x)
{
  struct joint_problem joint = {dofs, n, R};
  struct levenberg_problem p = {
      .n = n, .m = 9, .user = &joint, .evaluate = evaluate, .max_iterations = 60, .tolerance = 1e-13};
  double best[3] = {0, 0, 0}, start[3] = {0, 0, 0}, cost = INFINITY;
  int starts = n == 0 ? 0 : 1 + (1 << 2 * n); /* where it is, and quarter turns away */
  for (int s = 0; s < starts && cost > 1e-16; s++) {
    for (int i = 0; i < n; i++)
      start[i] = x[i] + (s == 0 ? 0 : 0.5 * PI * (((s - 1) >> (2 * i)) & 3) + 0.1);
    struct levenberg_result found = levenberg_solve(l, &p, start);
    if (found.cost < cost) {
      cost = found.cost;
      memcpy(best, start, sizeof best);
    }
  }
  for (int i = 0; i < n; i++)
    x[i] = best[i] + 2 * PI * round((x[i] - best[i]) / (2 * PI));
  return n ? sqrt(cost) : 0;
}
