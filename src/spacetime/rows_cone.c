/* Friction cone of each contact force: (mu f_z)^2 - f_x^2 - f_y^2 >= margin; f_z >= 0 is a bound of the variable.
 *
 * Written with squares it is smooth at its tip. There, a row that is met to 1e-8 would leave 1e-4 of sideways force:
 * the margin (problem_input.cone_margin) keeps every force that far inside. */
#include "spacetime/formulation.h"

static void cone_rows(struct row_list *l, int k, int i)
{
  if (problem_touches(l->p, k, i) && !problem_force_is_held(l->p, k))
    row_list_add(l, (struct row){.frame = k, .index = i}, l->p->in.cone_margin, NLP_INFINITY);
}

static double cone_value(const struct problem *p, const struct row *r)
{
  const double *f = p->x + problem_force_var(p, r->frame, r->index);
  return p->in.friction * p->in.friction * f[2] * f[2] - f[0] * f[0] - f[1] * f[1];
}

static void cone_jacobian(const struct problem *p, const struct row *r, int row, visit_entry visit, void *to)
{
  int var = problem_force_var(p, r->frame, r->index);
  double mu2 = p->in.friction * p->in.friction;
  visit(to, row, var, -2 * p->x[var]);
  visit(to, row, var + 1, -2 * p->x[var + 1]);
  visit(to, row, var + 2, 2 * mu2 * p->x[var + 2]);
}

static void cone_pairs(const struct problem *p, const struct row *r, visit_pair visit, void *to)
{
  int var = problem_force_var(p, r->frame, r->index);
  double mu2 = p->in.friction * p->in.friction;
  visit(to, var, var, -2);
  visit(to, var + 1, var + 1, -2);
  visit(to, var + 2, var + 2, 2 * mu2);
}

static void cone_words(const struct problem *p, const struct row *r, struct row_words *out)
{
  out->what = "the friction cone";
  out->subject = p->in.c->points[r->index].name;
  out->unit = "squared body weights";
  out->advice = p->in.cyclic ? "lower the speed, or raise the friction"
                             : "allow more frames, a smaller turn or change of speed, or raise the friction";
}

const struct row_family row_family_cone = {
    .name = "cone",
    .point_rows = cone_rows,
    .value = cone_value,
    .jacobian = cone_jacobian,
    .pairs = cone_pairs,
    .words = cone_words,
};
