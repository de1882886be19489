/* Posture: distance from standing. The root's height from 1, its yaw from the nominal heading, pitch and roll from 0,
 * joints from the rest pose.
 *
 * Bending in the plane of travel is what joints are for; a trunk that bends sideways or twists looks ill. */
#include "spacetime/formulation.h"

enum { HEIGHT, ORIENTATION, LIMB, LIMB_ASIDE, SPINE, SPINE_ASIDE };

static void posture_squares(struct square_list *l, int k)
{
  const struct problem *p = l->p;
  const double one = 1, *w = l->weight;
  for (int i = 2; i < p->n; i++) {
    const struct dof *dof = &p->in.c->dofs[i];
    int var = p->q_var[k] + i, turning = i >= 3 && i < CREATURE_ROOT_DOFS;
    int aside = fabs(dof->axis[1]) < 0.7, spine = dof->mirror == i; /* what lies on the midline is its own mirror */
    double joint = w[spine ? aside ? SPINE_ASIDE : SPINE : aside ? LIMB_ASIDE : LIMB];
    double target = i == 3 ? p->in.heading[k] : turning ? 0 : i == 2 ? 1 : p->in.rest[i];
    square_list_add(l, turning ? w[ORIENTATION] : i == 2 ? w[HEIGHT] : joint, target, 1, &var, &one);
  }
}

const struct cost_term cost_term_posture = {
    .name = "posture",
    .weights = {[HEIGHT] = {"height", 0.3},
                [ORIENTATION] = {"orientation", 0.2},
                [LIMB] = {"limb", 0.01}, /* legs and arms, in the plane of travel and out of it */
                [LIMB_ASIDE] = {"limb_aside", 0.03},
                [SPINE] = {"spine", 0.04},
                [SPINE_ASIDE] = {"spine_aside", 0.2}},
    .squares = posture_squares,
};
