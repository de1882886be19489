/* Key poses of a style, or of the request: angles that joints should have around a phase of the cycle, or of the
 * transition. Weight times the key's own times cos^2 of the distance in phase, 0 from its width on. Where phases are
 * not known (a transition that begins or ends in another transition) there are none. */
#include "creature/style.h"
#include "spacetime/formulation.h"

static void key_pose_list(struct square_list *l, int k, int n, const struct style_key *keys)
{
  const struct problem *p = l->p;
  const double one = 1;
  for (int i = 0; i < n; i++) {
    double share = style_key_share(&keys[i], p->in.phase[k]);
    int var = p->q_var[k] + keys[i].dof;
    if (share > 0)
      square_list_add(l, l->weight[0] * keys[i].weight * share, keys[i].angle, 1, &var, &one);
  }
}

static void key_pose_squares(struct square_list *l, int k)
{
  const struct problem_input *in = &l->p->in;
  if (!in->phase)
    return;
  if (in->style)
    key_pose_list(l, k, in->style->n_keys, in->style->keys);
  key_pose_list(l, k, in->n_keys, in->keys);
}

/* 1: twenty times what holds the neck, so that the pose is reached within a few degrees and gives way to balance. */
const struct cost_term cost_term_key_pose = {
    .name = "key_pose", .weights = {{"key_pose", 1}}, .squares = key_pose_squares};
