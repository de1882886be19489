/* What the user of the clip will ask of it (equation 6 of the 2013 paper): a velocity over the ground, by central
 * differences, a yaw of the torso, and postures. Weights and targets of each frame are the request's (struct
 * task_gradient). */
#include "spacetime/formulation.h"

static void task_squares(struct square_list *l, int k)
{
  const struct problem *p = l->p;
  if (!p->in.task)
    return;
  const struct task_gradient *t = &p->in.task[k];
  const double one = 1;
  int yaw = p->q_var[k] + 3;
  if (t->torso_weight > 0)
    square_list_add(l, t->torso_weight, t->torso, 1, &yaw, &one);
  for (int i = 0; i < t->n_targets; i++) {
    int var = p->q_var[k] + t->targets[i].dof;
    if (t->targets[i].weight > 0)
      square_list_add(l, t->targets[i].weight, t->targets[i].from, 1, &var, &one);
  }
  for (int i = 0; i < 2 && t->velocity_weight > 0 && problem_has_dynamics(p, k); i++) {
    struct place_of before = problem_q(p, k - 1, i), after = problem_q(p, k + 1, i);
    double c1 = 1 / (2 * p->in.h), ground = p->in.travel[i] / p->in.h;
    square_list_add(l, t->velocity_weight, t->velocity[i] - ground, 2, (const int[2]){before.var, after.var},
                    (const double[2]){-c1 * before.sign, c1 * after.sign});
  }
}

const struct cost_term cost_term_task = {.name = "task", .of_task = 1, .squares = task_squares};
