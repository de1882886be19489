/* A creature in a simulated world: bodies, joints, implicit servos, ground, contacts, pushes; exact save and restore.
 *
 * One world has one creature of one kind, in SI units. State in and out is q (root x y z yaw pitch roll, then
 * joint angles) and v = dq/dt, so that the rest of the program never sees an engine. Nothing here prints, exits or
 * lets an engine abort: a state or target that is not finite, or a step that blows up, makes the world "lost", and it
 * stays so until the next world_set() or world_restore(). doc/physics.md says what is exact and what is soft. One world
 * belongs to one thread at a time; different worlds are independent. */
#ifndef MUYBRIDGE_WORLD_H
#define MUYBRIDGE_WORLD_H

#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "creature/creature.h"
#include "motion/surface.h"

struct world;

enum terrain_kind { TERRAIN_FLAT, TERRAIN_SLOPE, TERRAIN_STEPS, TERRAIN_BEAMS, TERRAIN_PEBBLES };

struct terrain {
  enum terrain_kind kind;
  double size;                  /* slope [rad] up along x; step (below 0: down) or beam height, largest pebble [m] */
  double spacing;               /* [m]                                                                            */
  uint64_t seed;                /* of pebbles                                                                     */
  double level;                 /* height of all of it [m]                                                        */
};

/* The ground of a clip. 0: this one cannot be simulated, as it rises to the side. */
int terrain_of_surface(const struct surface *s, struct terrain *out);

/* Height of the ground [m] and its unit normal (3; NULL: not wanted) at x, y. */
double terrain_height(const struct terrain *t, double x, double y, double *normal);

/* The pebble in cell i, j of the grid that the spacing makes: where its middle is, how wide and how high it is [m]. */
struct terrain_pebble { double x, y, radius, height; };
struct terrain_pebble terrain_pebble(const struct terrain *t, double i, double j);

/* What computes the steps (doc/physics.md, "Engines"). ODE, the engine of record, knows bodies and constraints between
 * them, and shares nothing with the rest of the program. The tree engine solves the same equations in q and v, by the
 * program's own dynamics: many times faster, joints exact, friction by the true normal force. MuJoCo, where it is built
 * in, is a simulator that others wrote, with its own soft contacts; its model has yaw, pitch and roll, and a root
 * pitched to a right angle is lost. Numbers differ in the digits that contacts and soft joints make. */
enum world_engine { WORLD_ODE, WORLD_TREE, WORLD_MUJOCO };

/* By name: "ode", "tree", "mujoco"; "own", an older name, is the tree engine. find: -1 if there is no such engine;
 * name: NULL if there is none, so that one can count; has: 1 if this build has it. */
int world_engine_find(const char *name);
const char *world_engine_name(int engine);
int world_has_engine(int engine);

struct world_options {
  enum world_engine engine;
  double step;                  /* [s]; 0: the creature's frame time, divided until it is at most sqrt(L/g) / 64  */
  double friction;              /* < 0: the creature's                                                            */
  struct terrain terrain;
  double servo_scale;           /* on all gains of the servos, 1; 0: the servos only give the feed-forward        */
  double contact_erp;           /* share of a foot's depth in the ground that a step corrects, 0.2                */
  double contact_cfm;           /* yielding of the ground to a foot, in sqrt(g L) / (m g), 0.03                   */
  double contact_speed;         /* at most so fast is a foot lifted out of the ground, in sqrt(g L), 0.3          */
  int no_limits;                /* 1: joints turn past their ranges                                               */
  int shapes;                   /* 1: limbs touch the ground too, not only the points of the feet                 */
  int limbs;                    /* 1: limbs touch each other, those that keep apart (creature->pairs); the default */
  double limb_friction;         /* between limbs, 0.3: an estimate for skin, fur and cloth                        */
};
void world_defaults(const struct creature *c, struct world_options *o);

/* NULL when this creature or these options cannot be simulated; world_check() says why (d may be NULL): 1 if they
 * can. */
int world_check(const struct creature *c, const struct world_options *o, struct diag *d);
struct world *world_new(const struct creature *c, const struct world_options *o);
void world_free(struct world *w);  /* NULL is fine */
double world_step_seconds(const struct world *w);
uint64_t world_steps(const struct world *w);                             /* since the last world_set() */

void world_set(struct world *w, const double *q, const double *v);

/* Either may be NULL. All angles are continuous: nearest to those one step ago, or to those set. Where the root is
 * pitched to a right angle, yaw and roll are one: yaw stays what it was, roll is the rest; speeds of both are large. */
void world_get(const struct world *w, double *q, double *v);

/* The body as a whole, right to rounding even while joints give a little: centre of mass [m], momentum [kg m/s], and
 * that of turning about the centre of mass [kg m2/s] (3 each; any may be NULL). */
void world_momentum(const struct world *w, double *com, double *momentum, double *angular);

/* Servo target: angle, velocity (NULL: 0) and feed-forward torque (NULL: 0) of every dof; the root's are ignored. It
 * is for the end of the step: where the dof should be then. No target at all (NULL) is a limp creature, with passive
 * joints only. */
struct world_target { const double *q, *v, *torque; };
int world_step(struct world *w, const struct world_target *target);  /* 1; 0: lost */
int world_lost(const struct world *w);

/* A force on a limb at its centre of mass during the next `seconds`; at: at a point of it (limb frame) instead. At most
 * WORLD_PUSHES at a time: 0 if there are more. */
#define WORLD_PUSHES 16
int world_push(struct world *w, int limb, const double force[3], double seconds);
int world_push_at(struct world *w, int limb, const double at[3], const double force[3], double seconds);

/* Of the last step; zero after world_set(). */
void world_torques(const struct world *w, double *torque); /* that the servos gave, per dof [N m] (n_dofs) */

/* Forces of the ground [N], and whether there was a contact (1, 0), in that step: on the points of feet (n_points x 3),
 * (n_points); on limbs by their shapes (n_limbs x 3), (n_limbs). Either may be NULL. */
void world_contacts(const struct world *w, double *force, unsigned char *touching);
void world_limb_contacts(const struct world *w, double *force, unsigned char *touching);

/* Limbs that touched each other in the last step; none after world_set() and world_restore(). At most WORLD_TOUCHES,
 * those that are deepest in each other; of a pair, one place. Returns how many, and writes at most `most` of them. */
#define WORLD_TOUCHES 16
struct world_touch {
  int a, b;                     /* limbs, a < b                                                                   */
  double place[3];              /* halfway between their surfaces before the step [m]                             */
  double depth;                 /* how deep they were in each other before the step [m]; below 0: that far apart  */
  double force[3];              /* on a, and the opposite on b [N]                                                */
};
int world_touches(const struct world *w, struct world_touch *out, int most);

double world_ground(const struct world *w, double x, double y); /* height [m] */

/* Other ground from the next step on; the creature stays where it is. 0: there can be no such ground, and it stays as
 * it was. It is no part of the saved state. */
int world_set_terrain(struct world *w, const struct terrain *t);

/* Exact: the same steps after a restore give the same bits, in this world or in another made with the same creature
 * and options. */
size_t world_state_size(const struct world *w);
void world_save(const struct world *w, void *state);
void world_restore(struct world *w, const void *state);

/* Could these bytes, world_state_size() of them, have come from world_save()? For states from elsewhere:
 * world_restore() believes what it is given. It looks at what all engines share, which is all that a state of the tree
 * engine has. */
int world_state_is_sound(const struct world *w, const void *state);

#endif
