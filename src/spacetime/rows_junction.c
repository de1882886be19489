/* The last two frames of a transition are a pair of the next clip: they may be anywhere on the ground, but together.
 * The root's step in x and y from one to the other is that of the next clip; all else of them is held by bounds. */
#include "spacetime/formulation.h"

static void junction_rows(struct row_list *l)
{
  const struct problem *p = l->p;
  int k = p->in.n_frames - 2;
  for (int i = 0; i < 2 && problem_hold(p, k) == FRAME_SHIFTED; i++) {
    double step = p->in.q_held[(k + 1) * p->n + i] - p->in.q_held[k * p->n + i];
    row_list_add(l, (struct row){.frame = k, .index = i, .axis = i}, step, step);
  }
}

static double junction_value(const struct problem *p, const struct row *r)
{
  return p->x[p->q_var[r->frame + 1] + r->index] - p->x[p->q_var[r->frame] + r->index];
}

static void junction_jacobian(const struct problem *p, const struct row *r, int row, visit_entry visit, void *to)
{
  visit(to, row, p->q_var[r->frame + 1] + r->index, 1);
  visit(to, row, p->q_var[r->frame] + r->index, -1);
}

static void junction_words(const struct problem *p, const struct row *r, struct row_words *out)
{
  out->what = "the junction with the next clip";
  out->subject = p->in.c->dofs[r->index].name;
  out->unit = "standing heights";
  out->advice = "allow more frames";
}

const struct row_family row_family_junction = {
    .name = "junction",
    .clip_rows = junction_rows,
    .value = junction_value,
    .jacobian = junction_jacobian,
    .words = junction_words,
};
