/* Limbs do not pass through each other (doc/solid.md). One row for a pair at a frame, where a solution without it, or
 * with too small a margin, has the two in each other: limbs_apart.c. Values and derivatives: limb_pair.c. */
#include "spacetime/formulation.h"
#include "spacetime/limbs_apart.h"

#define VIOLATED 1e-6 /* standing heights: more than the solver's tolerance */

/* A row's own data. */
struct apart_data {
  const struct limb_pair_model *model;
  const struct limb_pair_side *side; /* NULL: a distance */
  double *slope, *hessian;           /* scratch          */
};

static void limbs_apart_add(struct row_list *l, const struct limb_pair_model *m, const struct apart_row *r)
{
  size_t n = (size_t)m->n;
  struct apart_data *data = ARENA_NEW(l->arena, 1, struct apart_data);
  struct limb_pair_side *side = r->has_side ? ARENA_NEW(l->arena, 1, struct limb_pair_side) : NULL;
  if (side)
    *side = r->side;
  *data = (struct apart_data){m, side, ARENA_NEW(l->arena, n, double), ARENA_NEW(l->arena, n * n, double)};
  row_list_add(l, (struct row){.frame = r->frame, .index = r->pair, .data = data},
               side ? m->c + r->margin : limb_pair_least(m, r->margin), NLP_INFINITY);
}

static void limbs_apart_rows(struct row_list *l, int k)
{
  const struct apart_choice *a = l->chosen;
  const struct problem_input *in = &l->p->in;
  if (in->every_row && problem_hold(l->p, k) == FRAME_FREE) {
    const struct limb_pair_model *models = limb_pair_models(l->arena, in->c, l->p->d, in->rest);
    for (int i = 0; i < in->c->n_pairs; i++)
      limbs_apart_add(l, &models[i], &(struct apart_row){.pair = i, .frame = k});
    return;
  }
  for (int i = 0; a && i < in->c->n_pairs; i++) {
    int r = a->row_of[i * in->n_frames + k];
    if (r >= 0)
      limbs_apart_add(l, &a->models[i], &a->rows[r]);
  }
}

static double limbs_apart_value(const struct problem *p, const struct row *r)
{
  const struct apart_data *d = r->data;
  return limb_pair_value(d->model, limb_frames_of(p, r->frame), d->side, NULL, NULL);
}

static void limbs_apart_jacobian(const struct problem *p, const struct row *r, int row, visit_entry visit, void *to)
{
  const struct apart_data *d = r->data;
  limb_pair_value(d->model, limb_frames_of(p, r->frame), d->side, d->slope, NULL);
  for (int i = 0; i < d->model->n; i++)
    visit(to, row, p->q_var[r->frame] + d->model->dof[i], d->slope[i]);
}

static void limbs_apart_pairs(const struct problem *p, const struct row *r, visit_pair visit, void *to)
{
  const struct apart_data *d = r->data;
  int n = d->model->n, first = p->q_var[r->frame];
  limb_pair_value(d->model, limb_frames_of(p, r->frame), d->side, d->slope, d->hessian);
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      visit(to, first + d->model->dof[i], first + d->model->dof[j], d->hessian[i * n + j]);
}

static void limbs_apart_words(const struct problem *p, const struct row *r, struct row_words *out)
{
  const struct limb_pair_model *m = ((const struct apart_data *)r->data)->model;
  out->what = "the distance between two limbs";
  out->subject = p->in.c->limbs[m->limb_a].name;
  out->unit = "standing heights";
  out->advice = "widen the ranges of the joints between them, make them thinner, or let them overlap: may_overlap";
}

static int limbs_apart_choose(struct arena *arena, struct problem *p, const double *x, void **chosen)
{
  int first = !*chosen;
  if (p->in.c->n_pairs == 0)
    return 0;
  if (first)
    *chosen = apart_choice_new(arena, p);
  return apart_choice_look(arena, *chosen, p, x, first);
}

/* The pair whose row is violated most. */
static int limbs_apart_relent(struct problem *p, const double *x, enum nlp_status why, void *chosen)
{
  double most = 0;
  int worst = -1;
  if (why != NLP_INFEASIBLE)
    return 0;
  problem_evaluate(p, x, 1);
  for (int i = 0; i < p->n_rows; i++) {
    const struct row *r = &p->rows[i];
    double lack = r->family == &row_family_limbs_apart ? p->g_lower[i] - limbs_apart_value(p, r) : 0;
    if (lack > most)
      most = lack, worst = r->index;
  }
  if (!(most > VIOLATED))
    return 0;
  apart_choice_give_up(chosen, p, worst);
  return 1;
}

const struct row_family row_family_limbs_apart = {
    .name = "limbs apart",
    .frame_rows = limbs_apart_rows,
    .value = limbs_apart_value,
    .jacobian = limbs_apart_jacobian,
    .pairs = limbs_apart_pairs,
    .words = limbs_apart_words,
    .choose = limbs_apart_choose,
    .relent = limbs_apart_relent,
    .choose_at_start = 1,
    .may_lack = 1,
    .endless = "limbs pass through each other in one place after the other",
};
