/* Key poses of a style: angles that joints should have around a phase of the cycle. Weight times the key's own times
 * cos^2 of the distance in phase, 0 from its width on. Where phases are not known (a transition that begins or ends in
 * another transition) there are none. */
#include "creature/style.h"
#include "spacetime/formulation.h"

static void key_pose_squares(struct square_list *l, int k)
{
  const struct problem *p = l->p;
  const double one = 1;
  for (int i = 0; p->in.style && p->in.phase && i < p->in.style->n_keys; i++) {
    const struct style_key *key = &p->in.style->keys[i];
    double share = style_key_share(key, p->in.phase[k]);
    int var = p->q_var[k] + key->dof;
    if (share > 0)
      square_list_add(l, l->weight[0] * key->weight * share, key->angle, 1, &var, &one);
  }
}

/* 1: twenty times what holds the neck, so that the pose is reached within a few degrees and gives way to balance. */
const struct cost_term cost_term_key_pose = {
    .name = "key_pose", .weights = {{"key_pose", 1}}, .squares = key_pose_squares};
