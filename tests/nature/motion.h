/* Gaits for `nature`: solved once each, and their curves over the cycle. Curves have one value for each frame of the
 * cycle and live in the arena; names of dofs, limbs and contact points are the creature's. */
#ifndef MUYBRIDGE_TESTS_NATURE_MOTION_H
#define MUYBRIDGE_TESTS_NATURE_MOTION_H

#include "dynamics/dynamics.h"
#include "motion/clip.h"
#include "spacetime/spacetime.h"

struct motion {
  struct arena *arena;
  const struct creature *c;
  const struct clip *clip;      /* NULL: not solved                               */
  const char *gait, *reason;    /* reason: why not                                */
  double speed;                 /* [m/s]                                          */
  double period;                /* asked for [s]; 0: the gait's, searched around it */
  int n;                        /* frames of the cycle                            */
  struct dynamics *d;
};

/* A gait of a creature of the zoo. The same one is solved once and kept. A creature or a gait that is not there ends
 * the program. speed 0: the middle of the gait's range; period 0: the cheapest near that of the file. */
struct motion_library;
struct motion_library *motion_library_new(struct arena *arena);
const struct creature *motion_creature(struct motion_library *l, const char *name);
const struct motion *motion_gait(struct motion_library *l, const char *creature, const char *gait, double speed,
                                 double period);

/* ---- curves (n) ---- */

double *motion_angle(const struct motion *m, const char *dof);          /* [degrees]                               */

/* Of a limb in the world [degrees]: which way its x axis points over the ground, unwrapped; how far it points down. */
double *motion_yaw(const struct motion *m, const char *limb);
double *motion_pitch(const struct motion *m, const char *limb);

/* Height of a limb's centre of mass [m], and of its joint. */
double *motion_height(const struct motion *m, const char *limb);
double *motion_joint_height(const struct motion *m, const char *limb);

/* 1 where any contact point whose name begins with `prefix` is on the ground. */
unsigned char *motion_contact(const struct motion *m, const char *prefix);

/* Of the ground on these points together: along the direction of travel, and up [body weights]. */
double *motion_force_fore(const struct motion *m, const char *prefix);
double *motion_force_up(const struct motion *m, const char *prefix);

/* The lowest of these points [m]. */
double *motion_lowest_point(const struct motion *m, const char *prefix);

/* Energies of the centre of mass [J]: kinetic of forward motion; potential and kinetic of vertical motion. */
double *motion_energy_forward(const struct motion *m);
double *motion_energy_vertical(const struct motion *m);

/* Torques that muscles must give, of every joint axis: (n_dofs x n), axis by axis [N m]. */
double *motion_torques(const struct motion *m);

#endif
