/* Accelerations of all dofs, by central differences: smooth motion. Those of the root move the whole body, those of
 * joints light limbs mostly: they may be larger. */
#include "spacetime/formulation.h"

static void acceleration_squares(struct square_list *l, int k)
{
  const struct problem *p = l->p;
  const double h2 = p->in.h * p->in.h;
  for (int i = 0; i < p->n && problem_has_dynamics(p, k); i++) {
    struct place_of o[3] = {problem_q(p, k - 1, i), problem_q(p, k, i), problem_q(p, k + 1, i)};
    const int var[3] = {o[0].var, o[1].var, o[2].var};
    const double coefficient[3] = {o[0].sign / h2, -2 * o[1].sign / h2, o[2].sign / h2};
    square_list_add(l, i < CREATURE_ROOT_DOFS ? l->weight[0] : l->weight[1], 0, 3, var, coefficient);
  }
}

const struct cost_term cost_term_acceleration = {
    .name = "acceleration",
    .weights = {{"acceleration", 1e-4}, {"joint_acceleration", 3e-5}},
    .squares = acceleration_squares,
};
