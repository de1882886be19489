/* Balance of the whole body: the six rows of inverse dynamics that belong to the root, less contact forces, are zero,
 *
 *   (M a + h - sum J^T f)_i = 0,   i = 0..5,
 *
 * at every frame with a velocity and an acceleration (doc/equations.md). */
#include "spacetime/formulation.h"
#include "spacetime/words.h"

static void balance_rows(struct row_list *l, int k)
{
  for (int i = 0; i < CREATURE_ROOT_DOFS && problem_has_dynamics(l->p, k); i++)
    row_list_add(l, (struct row){.frame = k, .index = i}, 0, 0);
}

static void balance_words(const struct problem *p, const struct row *r, struct row_words *out)
{
  int touching = 0;
  for (int i = 0; i < p->n_points; i++)
    touching += problem_touches(p, r->frame, i);
  out->what = r->index < 3 ? "the balance of forces on the whole body" : "the balance of moments on the whole body";
  out->subject = p->in.c->dofs[r->index].name;
  out->unit = r->index < 3 ? "body weights" : "m g L";
  if (!touching)
    out->advice = "no foot is on the ground there: give longer contacts or a shorter period";
  else if (r->index < 3)
    out->advice = "give more time on the ground, or a lower speed";
  else
    words_advise_balance(p, r->frame, "let feet stand farther apart or more of them at a time, or lower the speed",
                         out);
}

const struct row_family row_family_balance = {
    .name = "balance",
    .frame_rows = balance_rows,
    .value = row_torque_value,
    .jacobian = row_torque_jacobian,
    .hand_on = row_torque_hand_on,
    .words = balance_words,
};
