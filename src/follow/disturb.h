/* What happens to a creature from outside: pushes on limbs, balls thrown at it, loads that it takes up.
 *
 * A push is a force on the centre of mass of a limb for some time. A ball flies, falls, and where it meets a limb it is
 * thrown back by a damped spring whose force the limb feels; limbs are taken to be as round as capsules. A load is a
 * mass at the far ends of limbs, from some time on. */
#ifndef MUYBRIDGE_FOLLOW_DISTURB_H
#define MUYBRIDGE_FOLLOW_DISTURB_H

#include "base/arena.h"
#include "creature/creature.h"
#include "dynamics/dynamics.h"
#include "physics/world.h"

struct disturb_push {
  double time, seconds;         /* [s]                                       */
  double force[3];              /* [N], in the world, or as said below       */
  int limb;
  int turned;                   /* 1: force is counted from the root's heading when it begins */
};

/* A weight in the hands, or wherever: held by limbs, a share each, from some time on. mass 0: none. */
#define DISTURB_CARRIERS 4
struct disturb_load { double from, mass; int n_limbs, limbs[DISTURB_CARRIERS]; };

struct disturb_ball {
  double mass, radius;          /* [kg], [m]                                 */
  double time;                  /* of the throw [s]                          */
  double x[3], v[3];            /* [m], [m/s]                                */
  int flying, hits;             /* 1 from its throw on; steps in which it touched */
  double impulse;               /* that it gave [N s]                        */
};

struct disturb_flight {         /* how balls are thrown, and how they bounce  */
  double distance;              /* that they are thrown from [L]              */
  double periods;               /* a contact takes about so many steps of the world, which sets the spring */
  double damping;               /* of the spring, of critical                 */
  double bounce;                /* share of its speed that the ground gives back */
  double forgotten;             /* balls so far away are no longer there [L]  */
};
void disturb_flight_defaults(struct disturb_flight *f);

/* The heaviest limb. */
int disturb_trunk(const struct creature *c);

/* A creature with the load's masses added to bodies of limbs, at their far ends; its mass in units stays what it
 * was. */
const struct creature *disturb_laden(struct arena *arena, const struct creature *c, const struct disturb_load *load);

/* A horizontal push of the trunk for 0.1 s: size [body weights], direction against the root's heading then [rad]. */
struct disturb_push disturb_push_of(const struct creature *c, double time, double size, double direction);

/* Throws a ball at the trunk from f->distance, from a direction [rad] against the root's heading, so that it hits with
 * about that speed where the trunk will be if it goes on as it does. */
void disturb_aim(const struct creature *c, struct dynamics *d, const struct world *w, double direction, double speed,
                 const struct disturb_flight *f, struct disturb_ball *b);

/* Moves a ball by a step of h seconds, and pushes what it meets, in the next step of the world. */
void disturb_fly(const struct creature *c, struct dynamics *d, struct world *w, double h,
                 const struct disturb_flight *f, struct disturb_ball *b);

#endif
