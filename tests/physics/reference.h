/* What the tests of the simulated world share: creatures by name, a world with its numbers, and the same flight by
 * our own dynamics. */
#ifndef MUYBRIDGE_TESTS_REFERENCE_H
#define MUYBRIDGE_TESTS_REFERENCE_H

#include "base/arena.h"
#include "base/rng.h"
#include "dynamics/dynamics.h"
#include "physics/world.h"

/* A creature, a world of its own and room for its numbers (n_dofs each). */
struct scene {
  struct arena *arena;
  const struct creature *c;
  struct world_options options;
  struct world *w;
  struct dynamics *d;
  size_t n;
  double *q, *v, *rest, *zero, *target, *torque;
  double *force;                /* (n_points x 3) */
  double *work;                 /* of flights     */
};

/* The engine of the scenes to come; ODE at first. */
extern enum world_engine scene_engine;

/* Sets it to each engine of this build in turn: 1; 0 after the last, and it is ODE again. Says which, and which are not
 * built. */
int scene_next_engine(int *i);

/* From the zoo, or from text when that is not NULL. The options are the defaults; scene_open() makes the world. */
struct scene scene_of(const char *name, const char *text);
void scene_open(struct scene *s);                 /* with s->options as they are now, in the rest pose */
void scene_close(struct scene *s);

/* A creature with joints of all kinds: oblique axes, springs, a fixed limb. */
extern const char oblique_creature[];

/* A creature with tendons over one joint and two, to one side and both, with damping, on limbs that are the lighter the
 * farther out they are. Stiffness and damping are such that its flight is smooth in steps of sqrt(L/g) / 64. */
extern const char elastic_creature[];

/* A random state q, v high above the ground: angles within spread of the rest pose, speeds of about one. */
void scene_throw(struct scene *s, uint64_t seed, double spread);

/* q, v after `seconds` in the air under constant torques and passive joints, by `steps` of the classical Runge-Kutta
 * method. */
void scene_fly(struct scene *s, double seconds, int steps, const double *torque, double *q, double *v);

/* Largest difference of two vectors (n), those of the root's place in heights; NaN stays NaN. */
double scene_distance(const struct scene *s, const double *a, const double *b);

#endif
