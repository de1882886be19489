/* Style: how a gait is to look, beside what the body and the physics say. Factors on the prices of the objective, other
 * angles to hold, key poses, how high the feet go. Read from sections `style` of a creature file or from style files
 * (doc/style-format.md) and used by spacetime. What a style changes about the body (loads, weak joints) and about the
 * gait itself (speed, period, time on the ground) is not here: it is in the creature and its gaits, for everybody. */
#ifndef MUYBRIDGE_STYLE_H
#define MUYBRIDGE_STYLE_H

#include "base/arena.h"
#include "creature/creature.h"

struct style_weight {           /* a weight of the objective, by name (spacetime/formulation.h), times a factor */
  const char *name;
  double factor;
};

/* An angle that a joint should have at a phase of the cycle. */
struct style_key {
  const char *pose;             /* that it is part of                                            */
  int dof;
  double angle;                 /* [rad]                                                         */
  double phase, width;          /* of the cycle; it acts less and less until width before and after */
  double weight;                /* 1 is usual                                                    */
};

/* Of one gait: the creature's styles and the gait's own in one. */
struct style {
  const double *effort;         /* factor on the price of torque^2, of joints         (n_dofs)   */
  const double *posture;        /* factor on the weight of posture                    (n_dofs)   */
  const double *rest;           /* pose to stay near: angles [rad], height of the root [m] (n_dofs) */
  const double *clearance;      /* factor on the height of a foot in its swing        (n_points) */
  int n_weights, n_keys;
  const struct style_weight *weights;
  const struct style_key *keys;
};

/* The names that a style may give a weight for; ends with NULL. tests/spacetime holds them against the formulation. */
extern const char *const style_weight_names[];

/* How much a key acts at a phase: 1 at its own, 0 from its width on. */
double style_key_share(const struct style_key *k, double phase);

/* Half of either, for what leads from one gait into another: means of angles, geometric means of factors, no keys. NULL
 * is the style that changes nothing; NULL if both are. */
const struct style *style_between(struct arena *arena, const struct creature *c, const struct style *a,
                                  const struct style *b);

/* Does a gait look the same in the mirror, `lag` of a cycle later? If not, what differs first, as in
 * creature_is_symmetric(). */
int style_is_mirrored(const struct creature *c, const struct style *s, double lag, struct creature_asymmetry *why);

#endif
