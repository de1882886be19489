/* Differences of states in a heading frame and without units, and back. */
#include "follow/errors.h"

#include <math.h>

#include "motion/ground.h"

struct errors_units errors_units(const struct creature *c)
{
  double g = CREATURE_GRAVITY, L = c->height;
  return (struct errors_units){.length = L, .speed = sqrt(g * L), .rate = sqrt(g / L)};
}

/* out = in, turned by -yaw */
static void into_heading(double yaw, const double *in, double *out)
{
  double s = sin(yaw), c = cos(yaw);
  out[0] = c * in[0] + s * in[1];
  out[1] = -s * in[0] + c * in[1];
}

void errors_of(const struct creature *c, const double *q, const double *v, const double *q_ref, const double *v_ref,
               double *x)
{
  struct errors_units u = errors_units(c);
  int n = c->n_dofs;
  double off[2] = {q[0] - q_ref[0], q[1] - q_ref[1]}, own[2], wanted[2];
  double *w = x + n;
  into_heading(q_ref[3], off, x);
  into_heading(q[3], v, own);
  into_heading(q_ref[3], v_ref, wanted);
  x[0] /= u.length;
  x[1] /= u.length;
  x[2] = (q[2] - q_ref[2]) / u.length;
  x[3] = ground_wrap(q[3] - q_ref[3]);
  w[0] = (own[0] - wanted[0]) / u.speed;
  w[1] = (own[1] - wanted[1]) / u.speed;
  w[2] = (v[2] - v_ref[2]) / u.speed;
  for (int i = 4; i < n; i++)
    x[i] = q[i] - q_ref[i];
  for (int i = 3; i < n; i++)
    w[i] = (v[i] - v_ref[i]) / u.rate;
}

void errors_apply(const struct creature *c, const double *x, const double *q_ref, const double *v_ref, double *q,
                  double *v)
{
  struct errors_units u = errors_units(c);
  int n = c->n_dofs;
  const double *w = x + n;
  double off[2], own[2];
  into_heading(-q_ref[3], x, off);
  q[0] = q_ref[0] + u.length * off[0];
  q[1] = q_ref[1] + u.length * off[1];
  q[2] = q_ref[2] + u.length * x[2];
  for (int i = 3; i < n; i++) {
    q[i] = q_ref[i] + x[i];
    v[i] = v_ref[i] + u.rate * w[i];
  }
  into_heading(q_ref[3], v_ref, own);
  own[0] += u.speed * w[0];
  own[1] += u.speed * w[1];
  into_heading(-q[3], own, v);
  v[2] = v_ref[2] + u.speed * w[2];
}
