/* Spin: the angular momentum of the body about the vertical through its centre of mass, by the inertia that it has at
 * rest, less that of the whole body turning with the nominal heading psi: (sum_i m_i v_i - m_yaw dpsi/dt)^2, where m is
 * the yaw row of the mass matrix about the centre of mass (joints.h). Without the second part, arms were flung against
 * a turn to cancel its momentum.
 *
 * Legs that swing spin a body that walks on two of them, and its feet must hold it. Arms that swing against the legs
 * spin it back: with this term, light posture and torques priced by strength a human's do so by themselves (left and
 * right correlate with -0.93 and below at 0.6 to 1.8 m/s; without it, 0.5 and -0.5). A body without arms can do little
 * about it, and steps of both feet together do not spin: for them it would only cost time, as it couples all joints. */
#include "spacetime/formulation.h"

static int momentum_matters(const struct problem *p)
{
  int arms = 0;
  for (int i = CREATURE_ROOT_DOFS; i < p->n; i++)
    arms |= creature_limb_role(p->in.c, p->in.c->dofs[i].limb) == LIMB_ARM;
  return arms && !p->in.together;
}

/* Of the whole body, at rest, turning with the nominal heading; in a cycle the heading is one and the same. */
static double momentum_wanted(const struct problem *p, int k)
{
  int before = k > 0 ? k - 1 : k, after = k + 1 < p->in.n_frames ? k + 1 : k;
  return p->in.spin[3] * (p->in.heading[after] - p->in.heading[before]) / (2 * p->in.h);
}

static void momentum_squares(struct square_list *l, int k)
{
  const struct problem *p = l->p;
  double c1 = 1 / (2 * p->in.h);
  int count = 0;
  if (!(l->weight[0] > 0) || !problem_has_dynamics(p, k) || !momentum_matters(p))
    return;
  for (int i = 3; i < p->n; i++)
    for (int side = -1; side <= 1 && p->in.spin[i] != 0; side += 2) {
      struct place_of o = problem_q(p, k + side, i);
      p->seen[count] = o.var;
      p->slope[count++] = side * c1 * o.sign * p->in.spin[i];
    }
  square_list_add(l, l->weight[0], momentum_wanted(p, k), count, p->seen, p->slope);
}

const struct cost_term cost_term_momentum = {
    .name = "momentum", .weights = {{"spin", 50}}, .squares = momentum_squares};
