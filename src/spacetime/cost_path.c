/* The root near the nominal path of a transition. */
#include "spacetime/formulation.h"

static void path_squares(struct square_list *l, int k)
{
  const struct problem *p = l->p;
  const double one = 1;
  for (int i = 0; i < 2 && p->in.path; i++) {
    int var = p->q_var[k] + i;
    square_list_add(l, l->weight[0], p->in.path[2 * k + i], 1, &var, &one);
  }
}

const struct cost_term cost_term_path = {.name = "path", .weights = {{"path", 1}}, .squares = path_squares};
