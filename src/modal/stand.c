/* Feet that stand where the plan lets them stand (doc/modal.md, 4).
 *
 * Modes are planned one by one and know nothing of the ground. If the joints did just that, contacts would hold the
 * feet by forces that nobody planned, and these would push the rigid modes about. So the joints give way first: the
 * least change of motion, as kinetic energy sees it, that leaves the loaded points where they are while the ground
 * presses as planned and the rigid modes move as planned, brings points down that should be on the ground, and up those
 * that should not. Then the complementarity problem has little left to correct. (Least angles in place of least kinetic
 * energy were tried: the human falls within two seconds.) */
#include <math.h>
#include <string.h>

#include "base/matrices.h"
#include "base/vec3.h"
#include "modal/room.h"

/* How a row (point and direction) moves with the modes that vibrate: into row `at` of m->rows. */
static void stand_fill_row(struct modal *m, int at, int point, const double u[3])
{
  double *row = m->rows + (size_t)(at * m->n);
  memset(row, 0, (size_t)m->n * sizeof *row);
  for (int a = 0; a < 3; a++)
    for (int mode = MODAL_RIGID; mode < m->n; mode++)
      row[mode] += u[a] * m->JS[(size_t)((3 * point + a) * m->n + mode)];
}

/* Displacement of a point in this step along u, by everything that is planned. */
static double stand_displacement(const struct modal *m, int point, const double u[3])
{
  double sum = 0;
  for (int a = 0; a < 3; a++) {
    const double *x = m->JS + (size_t)((3 * point + a) * m->n);
    for (int mode = 0; mode < m->n; mode++)
      sum += u[a] * x[mode] * m->coordinates[mode];
  }
  return sum;
}

static void stand_add_row(struct modal *m, int *rows, int point, const double u[3], double wanted)
{
  stand_fill_row(m, *rows, point, u);
  m->h[(*rows)++] = wanted - stand_displacement(m, point, u);
}

/* Does the leg of this point stand on another one? Then all of the foot shall come down. */
static int leg_loaded(const struct modal *m, struct editable_reference *g, int point)
{
  const int *leg = editable_footholds(g)->leg_of_point;
  for (int p = 0; p < m->n_points; p++)
    if (leg[p] == leg[point] && vec3_norm(m->plan.planned + 3 * p) > m->o.ground.loaded)
      return 1;
  return 0;
}

/* A foot that swings goes to where the reference has it in the world, whatever the body does meanwhile: along the first
 * so many axes. */
static void swing_point(struct modal *m, const struct modal_state *s, int p, const struct editable_frame *now,
                        const struct editable_frame *next, int axes, int *rows)
{
  const double *here = now->point + 3 * p, *there = next->point + 3 * p;
  double w = m->o.swing, h = m->o.step;
  for (int a = 0; a < axes; a++) {
    const double *J = m->J + (size_t)((3 * p + a) * m->n);
    double u[3] = {a == 0, a == 1, a == 2}, v = 0;
    for (int k = 0; k < m->n; k++)
      v += J[k] * s->v[k];
    double off = there[a] - m->at[3 * p + a] - h * v;
    double slow = (there[a] - here[a]) / h - v;
    stand_add_row(m, rows, p, u, h * v + h * h * (w * w * off + 2 * w * slow) / (1 + 2 * w * h + w * w * h * h));
  }
}

/* Rows of a point: none, its height, or all of its place. */
static void stand_add_point(struct modal *m, struct editable_reference *g, int i, int p, const struct modal_state *s,
                            int *rows)
{
  double n[3], ahead[3], side[3], gap = modal_gap(g, m->at + 3 * p, n);
  const struct editable_frame *now = editable_frame(g, i), *next = editable_frame(g, i + 1);
  double should = modal_gap(g, next->point + 3 * p, n);
  if (!now->contact[p] && m->o.swing > 0) {
    modal_to_modes(m, p);
    swing_point(m, s, p, now, next, 3, rows);
    return;
  }
  if (gap > m->o.ground.near || (!now->contact[p] && gap >= should))
    return;
  modal_to_modes(m, p);
  if (!now->contact[p]) { /* too low for a foot that swings: it would scuff */
    stand_add_row(m, rows, p, n, m->o.ground.lift * (should - gap));
    return;
  }
  int loaded = vec3_norm(m->plan.planned + 3 * p) > m->o.ground.loaded, follows = leg_loaded(m, g, p);
  if (!loaded && !follows && gap > m->o.ground.touch && m->o.swing > 0) {
    /* late: it stays over its foothold and comes down */
    swing_point(m, s, p, now, next, 2, rows);
    stand_add_row(m, rows, p, n, -fmin(gap, m->o.ground.settle * m->o.step));
    return;
  }
  if (loaded || follows)
    stand_add_row(m, rows, p, n, loaded && gap > 0 ? -gap : -m->o.ground.lift * gap); /* what shall press must touch */
  if (!loaded)
    return;
  ahead[0] = n[2], ahead[1] = 0, ahead[2] = -n[0];
  vec3_cross(n, ahead, side);
  stand_add_row(m, rows, p, ahead, 0);
  stand_add_row(m, rows, p, side, 0);
}

/* C := A A^T + damping, of which the lower half. */
static void fill_matrix(struct modal *m, int rows)
{
  for (int i = 0; i < rows; i++)
    for (int j = 0; j <= i; j++) {
      const double *x = m->rows + (size_t)(i * m->n), *y = m->rows + (size_t)(j * m->n);
      double sum = i == j ? m->o.ground.damping : 0;
      for (int k = MODAL_RIGID; k < m->n; k++)
        sum += x[k] * y[k];
      m->C[i * rows + j] = sum;
    }
}

void modal_stand(struct modal *m, struct editable_reference *g, int i, const struct modal_state *s)
{
  int rows = 0;
  double h = m->o.step;
  modal_planned_move(m, s, NULL);
  for (int p = 0; p < m->n_points; p++)
    stand_add_point(m, g, i, p, s, &rows);
  if (rows == 0)
    return;
  fill_matrix(m, rows);
  if (!matrices_solve_positive(rows, m->C, m->h))
    return;
  for (int mode = MODAL_RIGID; mode < m->n; mode++) {
    double change = 0;
    for (int r = 0; r < rows; r++)
      change += m->h[r] * m->rows[(size_t)(r * m->n + mode)];
    for (int k = CREATURE_ROOT_DOFS; k < m->n; k++)
      m->stand[k] += change / (h * h) * m->modes->weighed[mode * m->n + k];
  }
}
