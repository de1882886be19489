/* Where left and right feet step together (hop, bound): left and right joints alike, measured from their rest angles.
 * Otherwise one leg of a hopper learns to do the work of both. That holds for uneven bodies too: without this term a
 * kangaroo whose centre of mass is 2 mm off the middle hops with 671 N on one foot and 291 N on the other. */
#include "spacetime/formulation.h"

static void together_squares(struct square_list *l, int k)
{
  const struct problem *p = l->p;
  for (int i = 1; i < p->n && p->in.together; i++) {
    const struct dof *dof = &p->in.c->dofs[i];
    const int var[2] = {p->q_var[k] + i, p->q_var[k] + dof->mirror};
    const double coefficient[2] = {1, -dof->mirror_sign}, *rest = p->in.rest;
    if (dof->mirror > i)
      square_list_add(l, l->weight[0], rest[i] - dof->mirror_sign * rest[dof->mirror], 2, var, coefficient);
    else if (dof->mirror == i && dof->mirror_sign < 0)
      square_list_add(l, l->weight[0], rest[i], 1, var, coefficient);
  }
}

const struct cost_term cost_term_together = {
    .name = "together", .weights = {{"together", 1}}, .squares = together_squares};
