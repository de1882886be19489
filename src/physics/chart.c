/* Yaw, pitch and roll of the root, and what replaces them near gimbal lock. See chart.h. */
#include "physics/chart.h"

#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "base/vec3.h"

#define LEAVE  0.5              /* cosine of the pitch beyond which yaw, pitch, roll are left: 60 degrees */
#define RETURN 0.64             /* and below which they are taken up again: 50 degrees                    */

static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

void chart_open(struct world *w, struct chart charts[2])
{
  const struct creature *c = w->c;
  struct creature turned = *c;
  struct dof *dofs = ARENA_NEW(w->arena, (size_t)c->n_dofs, struct dof);
  struct dof *last = &dofs[CREATURE_ROOT_DOFS - 1];
  double axes[3][3] = {{0, 0, 1}, {0, 1, 0}, {0, 0, 1}};
  charts[0] = (struct chart){w->bodies[0].chain, dynamics_new_dimensionless(w->arena, c)};
  memcpy(dofs, c->dofs, (size_t)c->n_dofs * sizeof *dofs);
  last->kind = AXIS_Z;
  memcpy(last->axis, axes[2], sizeof axes[2]);
  turned.dofs = dofs;
  charts[1] = (struct chart){chain_of(3, axes), dynamics_new_dimensionless(w->arena, &turned)};
}

/* Cosine of the root's pitch; in chart 1 from the height of its x axis, -sin b cos c. */
static double cosine_of_pitch(const struct world *w)
{
  if (!w->head->chart)
    return fabs(cos(w->q[4]));
  double height = sin(w->q[4]) * cos(w->q[5]);
  return sqrt(fmax(0, 1 - height * height));
}

/* Rotation of the root (3 x 4), and its spin. */
static void rotation_and_spin(const struct world *w, const struct chart *chart, double *R, double *spin)
{
  double axes[3][3];
  chain_follow(&chart->chain, identity, w->q + 3, R, axes);
  memset(spin, 0, 3 * sizeof *spin);
  for (int i = 0; i < 3; i++)
    vec3_add_scaled(spin, axes[i], w->v[3 + i]);
}

static void change_chart(struct world *w, const struct chart charts[2])
{
  struct head *head = w->head;
  int to = !head->chart;
  double R[12], spin[3], axes[3][3], dual[3][3];
  double angles[3] = {0, PI / 2, 0}; /* of chart 1, near which to look for the new ones: any would do */
  rotation_and_spin(w, &charts[head->chart], R, spin);
  memcpy(to ? head->angles : angles, to ? w->q + 3 : head->angles, sizeof angles);
  chain_read(&charts[to].chain, identity, R, angles, axes);
  chain_dual(3, axes, dual);
  memcpy(w->q + 3, angles, sizeof angles);
  for (int i = 0; i < 3; i++)
    w->v[3 + i] = vec3_dot(dual[i], spin);
  head->chart = to;
}

struct dynamics *chart_choose(struct world *w, const struct chart charts[2])
{
  struct head *head = w->head;
  head->chart = head->chart != 0; /* it may come from elsewhere */
  double cosine = cosine_of_pitch(w);
  if (head->chart ? cosine > RETURN : cosine < LEAVE)
    change_chart(w, charts);
  if (head->chart) { /* what is shown stays near to what was shown */
    double R[12], spin[3], axes[3][3];
    rotation_and_spin(w, &charts[1], R, spin);
    chain_read(&charts[0].chain, identity, R, head->angles, axes);
  }
  w->bodies[0].chain = charts[head->chart].chain;
  return charts[head->chart].dynamics;
}

void chart_rates(const struct world *w, const struct chart charts[2], double *rates)
{
  double R[12], spin[3], axes[3][3], dual[3][3];
  if (!w->head->chart) {
    memcpy(rates, w->v + 3, 3 * sizeof *rates);
    return;
  }
  rotation_and_spin(w, &charts[1], R, spin);
  chain_axes(&charts[0].chain, w->head->angles, axes);
  chain_dual(3, axes, dual);
  for (int i = 0; i < 3; i++)
    rates[i] = vec3_dot(dual[i], spin);
}
