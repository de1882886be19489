/* A wrench shared among several places, with the least effort (equations 10 and 11 of Xie and Kry 2021).
 *
 *   min sum |f_i|^2 + |m_i|^2 / l^2     subject to     sum f_i = F,   sum p_i x f_i + m_i = N
 *
 * With A the 6 x 6n matrix of the sums and D = diag(1, l^2): w = D A^T (A D A^T)^-1 (F, N). The paper has l = 1 m,
 * which makes it cheap to stand on a corner of each foot; with l the size of a foot, forces move to the foot that the
 * weight is on. */
#include <math.h>
#include <string.h>

#include "base/matrices.h"
#include "base/vec3.h"
#include "capture/feedforward.h"

/* Rows of [p]x: p x f = [p]x f. */
static void cross_matrix(const double *p, double M[3][3])
{
  const double m[3][3] = {{0, -p[2], p[1]}, {p[2], 0, -p[0]}, {-p[1], p[0], 0}};
  memcpy(M, m, sizeof m);
}

void capture_share_wrench(int n, const double *place, const double force[3], const double moment[3], double length,
                          double *wrench)
{
  double middle[3] = {0, 0, 0}, G[36] = {0}, y[6], P[3][3], arm[3];
  for (int i = 0; i < n; i++)
    vec3_add_scaled(middle, place + 3 * i, 1.0 / n);
  for (int i = 0; i < n; i++) { /* A D A^T, moments about the middle of the places, where it is well conditioned */
    for (int a = 0; a < 3; a++)
      arm[a] = place[3 * i + a] - middle[a];
    cross_matrix(arm, P);
    for (int a = 0; a < 3; a++) {
      G[7 * a] += 1;
      G[7 * (3 + a)] += length * length;
      for (int b = 0; b < 3; b++) {
        G[6 * (3 + a) + b] += P[a][b];
        G[6 * b + 3 + a] += P[a][b];
        G[6 * (3 + a) + 3 + b] += P[a][0] * P[b][0] + P[a][1] * P[b][1] + P[a][2] * P[b][2];
      }
    }
  }
  double lever[3] = {-middle[0], -middle[1], -middle[2]};
  memcpy(y, force, 3 * sizeof *y);
  memcpy(y + 3, moment, 3 * sizeof *y);
  vec3_add_cross(y + 3, lever, force);
  matrices_solve_positive(6, G, y);
  for (int i = 0; i < n; i++) {
    double *w = wrench + 6 * i;
    for (int a = 0; a < 3; a++) {
      arm[a] = place[3 * i + a] - middle[a];
      w[a] = y[a];
      w[3 + a] = length * length * y[3 + a];
    }
    vec3_add_cross(w, y + 3, arm); /* [p]x^T y = -p x y = y x p */
  }
}
