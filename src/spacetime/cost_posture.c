/* Posture: distance from standing. The root's height above the ground below it from 1, its yaw from the nominal
 * heading, pitch and roll from those that the ground asks for (0 where it is level), joints from the rest pose, those
 * of a leg in the air from the relaxed one, and in a turn those of the neck from where it looks ahead. A style shifts
 * all of these and multiplies their weights.
 *
 * Bending in the plane of travel is what joints are for; a trunk that bends sideways looks ill, but twists. Legs and
 * arms are held lightly: a heavier hand keeps legs stiff in their swing and arms from swinging at all. */
#include "creature/style.h"
#include "spacetime/formulation.h"

enum { HEIGHT, ORIENTATION, HEADING, LEG, LEG_ASIDE, ARM, ARM_ASIDE, TRUNK, TRUNK_ASIDE, TWIST, NECK, NECK_ASIDE };

/* Does a joint turn its limb about the limb's own line? */
static int posture_twists(const struct creature *c, const struct dof *d)
{
  const struct shape *s = &c->limbs[d->limb].shape;
  double along = 0, length = 0;
  for (int i = 0; i < 3; i++) {
    along += d->axis[i] * (s->to[i] - s->from[i]);
    length += (s->to[i] - s->from[i]) * (s->to[i] - s->from[i]);
  }
  return fabs(along) > 0.7 * sqrt(length);
}

static double posture_joint_weight(const struct problem *p, int i, const double *w)
{
  const struct dof *d = &p->in.c->dofs[i];
  int aside = fabs(d->axis[1]) < 0.7;
  switch (creature_limb_role(p->in.c, d->limb)) {
  case LIMB_LEG: return w[aside ? LEG_ASIDE : LEG];
  case LIMB_ARM: return w[aside ? ARM_ASIDE : ARM];
  case LIMB_TRUNK: return w[!aside ? TRUNK : posture_twists(p->in.c, d) ? TWIST : TRUNK_ASIDE];
  default: return w[aside ? NECK_ASIDE : NECK]; /* tails, too */
  }
}

static void posture_add(struct square_list *l, int k, int i, double weight, double target)
{
  const struct problem *p = l->p;
  const struct style *s = p->in.style;
  const double one = 1;
  const int var = p->q_var[k] + i;
  if (s)
    square_list_add(l, weight * s->posture[i], target + (s->rest[i] - p->in.rest[i]), 1, &var, &one);
  else
    square_list_add(l, weight, target, 1, &var, &one);
}

/* Over a slope the root is as high as over level ground: measured upright, for so is the weight. */
static void posture_add_height(struct square_list *l, int k, double weight)
{
  const struct problem *p = l->p;
  const struct style *s = p->in.style;
  int var[3] = {p->q_var[k] + 2}, count = 1;
  double coefficient[3] = {1}, height = 1 + (p->in.lift ? p->in.lift[k] : 0);
  if (surface_is_level(&p->in.ground)) {
    posture_add(l, k, 2, weight, height);
    return;
  }
  for (int i = 0; i < 2; i++)
    if (p->in.ground.rise[i] != 0) {
      var[count] = p->q_var[k] + i;
      coefficient[count++] = -p->in.ground.rise[i];
    }
  square_list_add(l, weight * (s ? s->posture[2] : 1), height + (s ? s->rest[2] - p->in.rest[2] : 0), count, var,
                  coefficient);
}

static void posture_squares(struct square_list *l, int k)
{
  const struct problem *p = l->p;
  const double *w = l->weight;
  posture_add_height(l, k, w[HEIGHT]);
  posture_add(l, k, 3, w[HEADING], p->in.heading[k]);
  for (int i = 4; i < p->n; i++) {
    if (i < CREATURE_ROOT_DOFS) {
      posture_add(l, k, i, w[ORIENTATION], p->in.tilt[i - 4]);
      continue;
    }
    double swing = creature_limb_role(p->in.c, p->in.c->dofs[i].limb) == LIMB_LEG ? problem_leg_swing(p, k, i) : 0;
    double target = (1 - swing) * p->in.rest[i] + swing * p->in.relaxed[i];
    if (p->in.gaze)
      target += p->in.gaze[k] * p->in.gaze_share[i];
    posture_add(l, k, i, posture_joint_weight(p, i, w), target);
  }
}

const struct cost_term cost_term_posture = {
    .name = "posture",
    .weights = {[HEIGHT] = {"height", 0.3},
                [ORIENTATION] = {"orientation", 0.2}, /* pitch and roll of the root */
                [HEADING] = {"heading", 0.1},
                [LEG] = {"leg", 0.001}, /* in the plane of travel, and out of it */
                [LEG_ASIDE] = {"leg_aside", 0.03},
                [ARM] = {"arm", 0.003},
                [ARM_ASIDE] = {"arm_aside", 0.03},
                [TRUNK] = {"trunk", 0.04},
                [TRUNK_ASIDE] = {"trunk_aside", 0.2},
                [TWIST] = {"twist", 0.02}, /* of a limb of the trunk about its own line */
                [NECK] = {"neck", 0.04}, /* head and tail, too */
                [NECK_ASIDE] = {"neck_aside", 0.2}},
    .squares = posture_squares,
};
