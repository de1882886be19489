/* Postures that were asked for: coordinates of the pose, each near a value of its own (struct posture_target). The
 * height of the root, for a walk that is low or tall. */
#include "spacetime/formulation.h"

static void target_squares(struct square_list *l, int k)
{
  const struct problem_input *in = &l->p->in;
  const double one = 1;
  double along = in->n_frames > 1 ? (double)k / (in->n_frames - 1) : 0;
  for (int i = 0; i < in->n_targets; i++) {
    const struct posture_target *t = &in->targets[i];
    int var = l->p->q_var[k] + t->dof;
    square_list_add(l, t->weight, t->from + along * (t->to - t->from), 1, &var, &one);
  }
}

const struct cost_term cost_term_target = {.name = "target", .of_task = 1, .squares = target_squares};
