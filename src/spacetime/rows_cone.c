/* Friction cone of each contact force about the normal n of the ground, with s and t within the ground:
 *
 *   (mu f.n)^2 - (f.s)^2 - (f.t)^2 >= margin.
 *
 * These are two cones, tip to tip. f_z >= 0, a bound of the variable, chooses the one that presses: the other is below
 * the horizontal plane as long as the angle of friction and the slope make less than a right angle.
 *
 * Written with squares it is smooth at its tip. There, a row that is met to 1e-8 would leave 1e-4 of sideways force:
 * the margin (problem_input.cone_margin) keeps every force that far inside. */
#include "base/vec3.h"
#include "spacetime/formulation.h"

static void cone_rows(struct row_list *l, int k, int i)
{
  if (problem_touches(l->p, k, i) && !problem_force_is_held(l->p, k))
    row_list_add(l, (struct row){.frame = k, .index = i}, l->p->in.cone_margin, NLP_INFINITY);
}

/* The row is f^T C f: an entry of C. */
static double cone_form(const struct problem *p, int i, int j)
{
  const struct surface_axes *g = &p->ground;
  double mu2 = p->in.friction * p->in.friction;
  return mu2 * g->normal[i] * g->normal[j] - g->along[i] * g->along[j] - g->across[i] * g->across[j];
}

static double cone_value(const struct problem *p, const struct row *r)
{
  const double *f = p->x + problem_force_var(p, r->frame, r->index);
  double press = vec3_dot(p->ground.normal, f), along = vec3_dot(p->ground.along, f);
  double across = vec3_dot(p->ground.across, f);
  return p->in.friction * p->in.friction * press * press - along * along - across * across;
}

static void cone_jacobian(const struct problem *p, const struct row *r, int row, visit_entry visit, void *to)
{
  int var = problem_force_var(p, r->frame, r->index);
  const double *f = p->x + var;
  for (int i = 0; i < 3; i++) {
    double slope = 0;
    for (int j = 0; j < 3; j++)
      slope += cone_form(p, i, j) * f[j];
    visit(to, row, var + i, 2 * slope);
  }
}

static void cone_pairs(const struct problem *p, const struct row *r, visit_pair visit, void *to)
{
  int var = problem_force_var(p, r->frame, r->index);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j <= i; j++) /* a pair that no ground couples is none: on level ground all but i = j */
      if (i == j || cone_form(p, i, j) != 0)
        visit(to, var + i, var + j, 2 * cone_form(p, i, j));
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
