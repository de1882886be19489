/* The table of constraint families, cost terms and passive torques, and what laying them out needs. */
#include "spacetime/formulation.h"

#include <string.h>

#define FAMILY(name) &row_family_##name,
#define TERM(name) &cost_term_##name,
#define LAW(name) &torque_law_##name,
static const struct row_family *const families[] = {SPACETIME_ROW_FAMILIES(FAMILY) NULL};
static const struct cost_term *const terms[] = {SPACETIME_COST_TERMS(TERM) NULL};
static const struct torque_law *const laws[] = {SPACETIME_TORQUE_LAWS(LAW) NULL};

#define COUNT(array) (int)(sizeof(array) / sizeof *(array)) - 1
const struct formulation formulation_default = {families, terms, laws, COUNT(families), COUNT(terms), COUNT(laws)};

double *formulation_weight(const struct problem_input *in, const char *name)
{
  const struct formulation *f = in->formulation;
  for (int t = 0; t < f->n_terms; t++)
    for (int i = 0; i < COST_WEIGHTS && f->terms[t]->weights[i].name; i++)
      if (strcmp(f->terms[t]->weights[i].name, name) == 0)
        return &in->weights[t * COST_WEIGHTS + i];
  return NULL;
}

void formulation_scale_weight(const struct problem_input *in, const char *name, double factor)
{
  double *weight = formulation_weight(in, name);
  if (weight)
    *weight *= factor;
}

void formulation_set_weight(const struct problem_input *in, const char *name, double value)
{
  double *weight = formulation_weight(in, name);
  if (weight)
    *weight = value;
}

void formulation_set(struct arena *arena, struct problem_input *in, const struct formulation *f)
{
  in->formulation = f;
  in->scale = 1000; /* so that Ipopt's tolerance of 1e-4 is 1e-7 of a cost of one */
  in->chosen = ARENA_NEW(arena, (size_t)f->n_families + 1, void *);
  in->weights = ARENA_NEW(arena, (size_t)(f->n_terms * COST_WEIGHTS) + 1, double);
  for (int t = 0; t < f->n_terms; t++)
    for (int i = 0; i < COST_WEIGHTS; i++)
      in->weights[t * COST_WEIGHTS + i] = f->terms[t]->weights[i].value;
}

void row_list_add(struct row_list *l, struct row r, double lower, double upper)
{
  if (l->rows) {
    r.family = l->family;
    l->rows[l->count] = r;
    l->lower[l->count] = lower;
    l->upper[l->count] = upper;
  }
  l->count++;
}

void square_list_add(struct square_list *l, double weight, double target, int count, const int *var,
                     const double *coefficient)
{
  const struct problem_input *in = &l->p->in;
  if (l->squares) {
    double factor = l->frame >= 0 && in->frame_factor ? in->frame_factor[l->frame] : 1;
    l->squares[l->n_squares] =
        (struct square){l->frame, l->n_vars, count, factor * weight * in->scale / in->n_frames, target};
    memcpy(l->var + l->n_vars, var, (size_t)count * sizeof *var);
    memcpy(l->coefficient + l->n_vars, coefficient, (size_t)count * sizeof *coefficient);
  }
  l->n_squares++;
  l->n_vars += count;
}

/* ---- rows that are a torque, or the height of a contact point above the ground ---- */

double row_torque_value(const struct problem *p, const struct row *r)
{
  return problem_torque(p, r->frame, r->index);
}

void row_torque_jacobian(const struct problem *p, const struct row *r, int row, visit_entry visit, void *to)
{
  problem_visit_torque(p, r->frame, r->index, row, visit, to);
}

void row_torque_hand_on(struct problem *p, const struct row *r, double multiplier)
{
  problem_pull_torque(p, r->frame, r->index, multiplier);
}

double row_height_value(const struct problem *p, const struct row *r)
{
  double height = 0;
  for (int axis = 0; axis < 3; axis++)
    if (p->ground.normal[axis] != 0)
      height += p->ground.normal[axis] * problem_position(p, r->frame, r->index, axis);
  return height;
}

void row_height_jacobian(const struct problem *p, const struct row *r, int row, visit_entry visit, void *to)
{
  for (int axis = 0; axis < 3; axis++)
    if (p->ground.normal[axis] != 0)
      problem_visit_position(p, r->frame, r->index, axis, p->ground.normal[axis], row, visit, to);
}

void row_height_hand_on(struct problem *p, const struct row *r, double multiplier)
{
  for (int axis = 0; axis < 3; axis++)
    if (p->ground.normal[axis] != 0)
      problem_pull_position(p, r->frame, r->index, axis, p->ground.normal[axis] * multiplier);
}
