/* Joint torques: the sum of price_i tau_i^2 over the joints, the largest part of the biomechanical cost. The price of a
 * joint is that of its strength (joints.h).
 *
 * The only term that is not a square of a linear function. Its Hessian: 2 weight (tau_i'' tau_i + tau_i' tau_i'^T), the
 * first part as a multiplier of torque i, the second as the square of its slopes. */
#include "spacetime/formulation.h"

static void torque_value(const struct problem *p, int k, const double *weight, double *sum)
{
  for (int i = CREATURE_ROOT_DOFS; i < p->n && problem_has_dynamics(p, k); i++) {
    double tau = problem_torque(p, k, i);
    *sum += weight[0] * p->in.effort[i] * tau * tau;
  }
}

struct torque_gradient { double *grad, factor; };

static void torque_add_to_gradient(void *to, int row, int var, double value)
{
  struct torque_gradient *s = to;
  (void)row;
  s->grad[var] += s->factor * value;
}

static void torque_gradient(const struct problem *p, int k, const double *weight, double *grad)
{
  for (int i = CREATURE_ROOT_DOFS; i < p->n && problem_has_dynamics(p, k); i++) {
    struct torque_gradient s = {grad, 2 * weight[0] * p->in.effort[i] * problem_torque(p, k, i)};
    problem_visit_torque(p, k, i, 0, torque_add_to_gradient, &s);
  }
}

static void torque_hand_on(struct problem *p, int k, const double *weight)
{
  for (int i = CREATURE_ROOT_DOFS; i < p->n && problem_has_dynamics(p, k); i++)
    problem_pull_torque(p, k, i, 2 * weight[0] * p->in.effort[i] * problem_torque(p, k, i));
}

static void torque_local_hessian(struct problem *p, int k, const double *weight)
{
  for (int i = CREATURE_ROOT_DOFS; i < p->n; i++)
    problem_add_torque_square(p, k, i, 2 * weight[0] * p->in.effort[i]);
}

const struct cost_term cost_term_torque = {
    .name = "torque",
    .weights = {{"torque", 1}},
    .value = torque_value,
    .gradient = torque_gradient,
    .hand_on = torque_hand_on,
    .local_hessian = torque_local_hessian,
};
