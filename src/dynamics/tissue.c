/* Passive tissue, see tissue.h. Equations: doc/equations.md. */
#include "dynamics/tissue.h"

#include <string.h>

double tissue_stretch(const struct tissue *t, const double *q)
{
  double sum = t->arm[0] * q[t->dof[0]];
  if (t->n_dofs > 1)
    sum += t->arm[1] * q[t->dof[1]];
  return sum - t->slack;
}

double tissue_rate(const struct tissue *t, const double *v)
{
  double sum = t->arm[0] * v[t->dof[0]];
  return t->n_dofs > 1 ? sum + t->arm[1] * v[t->dof[1]] : sum;
}

/* ramp(s) of a one-sided tissue and its first three derivatives: 0 while it is slack, s when it is taut, and over the
 * toe region a polynomial, so that the third derivative has no jump. With u = s / toe its second derivative is the bump
 * 15/16 (1 - u^2)^2 / toe. */
struct tissue_ramp { double value, slope, bend, bend_slope; };

static struct tissue_ramp tissue_ramp(double s, double toe)
{
  if (s <= -toe)
    return (struct tissue_ramp){0, 0, 0, 0};
  if (s >= toe)
    return (struct tissue_ramp){s, 1, 0, 0};
  double u = s / toe, uu = u * u, rest = 1 - uu;
  return (struct tissue_ramp){
      .value = toe * (0.15625 + 0.5 * u + uu * (0.46875 + uu * (-0.15625 + uu * 0.03125))),
      .slope = 0.5 + u * (0.9375 + uu * (-0.625 + uu * 0.1875)),
      .bend = 0.9375 * rest * rest / toe,
      .bend_slope = -3.75 * u * rest / (toe * toe),
  };
}

void tissue_pull(const struct tissue *t, double stretch, double rate, struct tissue_pull *out)
{
  double k = t->stiffness, d = t->damping;
  if (!t->one_sided) {
    *out = (struct tissue_pull){k * stretch + d * rate, k, d, 0, 0};
    return;
  }
  struct tissue_ramp r = tissue_ramp(stretch, t->toe);
  *out = (struct tissue_pull){.pull = k * r.value + d * r.slope * rate,
                              .by_stretch = k * r.slope + d * r.bend * rate,
                              .by_rate = d * r.slope,
                              .by_stretch2 = k * r.bend + d * r.bend_slope * rate,
                              .by_stretch_rate = d * r.bend};
}

double tissue_energy(const struct tissue *t, double stretch)
{
  double k = t->stiffness, s = stretch, toe = t->toe;
  if (!t->one_sided)
    return 0.5 * k * s * s;
  if (s <= -toe)
    return 0;
  if (s >= toe) /* what the toe region holds, then a spring */
    return 0.5 * k * s * s + k * toe * toe / 14;
  double u = s / toe, uu = u * u;
  return k * toe * toe *
         (5.0 / 32 * u + 0.25 * uu + u * uu * (5.0 / 32 + uu * (-1.0 / 32 + uu / 224)) + 1.0 / 28);
}

const struct tissue *tissue_of_axis(const struct creature *c, int dof)
{
  for (int i = 0; i < c->n_tissues; i++) {
    const struct tissue *t = &c->tissues[i];
    if (t->n_dofs == 1 && t->dof[0] == dof && !strcmp(t->name, c->dofs[dof].name))
      return t;
  }
  return NULL;
}

void tissue_subtract(const struct creature *c, const double *q, const double *v, double *torque)
{
  struct tissue_pull p;
  for (int i = 0; i < c->n_tissues; i++) {
    const struct tissue *t = &c->tissues[i];
    tissue_pull(t, tissue_stretch(t, q), tissue_rate(t, v), &p);
    for (int m = 0; m < t->n_dofs; m++)
      torque[t->dof[m]] += t->arm[m] * p.pull;
  }
}
