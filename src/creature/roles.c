/* What the limbs of a creature are for, as far as its shape tells. */
#include "creature/creature.h"

/* Is limb i part of the unbranched chain that ends in a foot? */
static int role_is_leg(const struct creature *c, int i)
{
  for (int f = 0; f < c->n_feet; f++)
    for (int l = c->feet[f].limb; l >= 0; l = c->limbs[l].parent) {
      if (l == i)
        return 1;
      if (l == c->feet[f].first_leg_limb)
        break;
    }
  return 0;
}

/* Does a limb of a pair hang on limb i? */
static int role_carries_pair(const struct creature *c, int i)
{
  for (int l = i + 1; l < c->n_limbs; l++)
    for (int above = c->limbs[l].parent; c->limbs[l].mirror != l && above >= 0; above = c->limbs[above].parent)
      if (above == i)
        return 1;
  return 0;
}

enum limb_role creature_limb_role(const struct creature *c, int limb)
{
  double x = 0;
  if (role_is_leg(c, limb))
    return LIMB_LEG;
  if (c->limbs[limb].mirror != limb)
    return LIMB_ARM;
  if (limb == 0 || role_carries_pair(c, limb))
    return LIMB_TRUNK;
  for (int l = limb; l > 0; l = c->limbs[l].parent)
    x += c->limbs[l].at[0];
  return x < -0.05 * c->height ? LIMB_TAIL : LIMB_NECK;
}
