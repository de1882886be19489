/* Torque limits of joints: |tau_i| <= torque_max_i.
 *
 * Most limits never bind, and rows of torques are long. So a joint gets its rows, at all frames, when a solution
 * without them has broken its limit. */
#include "spacetime/formulation.h"
#include "spacetime/words.h"

static double torque_limit(const struct problem *p, int i)
{
  const struct creature *c = p->in.c;
  return c->dofs[i].torque_max / (c->mass * CREATURE_GRAVITY * c->height);
}

static void torque_limit_rows(struct row_list *l, int k)
{
  const struct problem *p = l->p;
  const unsigned char *limited = l->chosen; /* dofs (n_dofs) */
  for (int i = CREATURE_ROOT_DOFS; i < p->n && problem_has_dynamics(p, k); i++)
    if (p->in.every_row || (limited && limited[i]))
      row_list_add(l, (struct row){.frame = k, .index = i}, -torque_limit(p, i), torque_limit(p, i));
}

static void torque_limit_words(const struct problem *p, const struct row *r, struct row_words *out)
{
  out->what = "a torque limit";
  out->subject = p->in.c->dofs[r->index].name;
  out->unit = "m g L";
  words_advise_torque(p, r->frame, r->index, "raise the torque limit, or lower the speed", out);
}

/* Marks the dofs whose limit x breaks. */
static int torque_limit_choose(struct arena *arena, struct problem *p, const double *x, void **chosen)
{
  unsigned char *limited = *chosen ? *chosen : ARENA_NEW(arena, (size_t)p->n, unsigned char);
  int count = 0;
  problem_evaluate(p, x, 1);
  for (int i = CREATURE_ROOT_DOFS; i < p->n; i++) {
    double most = 0;
    for (int k = 0; k < p->in.n_frames; k++)
      if (problem_has_dynamics(p, k))
        most = fmax(most, fabs(problem_torque(p, k, i)));
    if (most > torque_limit(p, i) && !limited[i]) {
      limited[i] = limited[p->in.c->dofs[i].mirror] = 1; /* both sides, or half a cycle would not fit the other */
      count++;
    }
  }
  *chosen = limited;
  return count;
}

const struct row_family row_family_torque_limit = {
    .name = "torque limit",
    .frame_rows = torque_limit_rows,
    .value = row_torque_value,
    .jacobian = row_torque_jacobian,
    .hand_on = row_torque_hand_on,
    .words = torque_limit_words,
    .choose = torque_limit_choose,
    .endless = "torque limits are broken one after the other; raise them or lower the speed",
};
