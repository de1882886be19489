/* A table that stands, for tests of the verifier: what each measure finds on it is known in closed form. */
#ifndef MUYBRIDGE_TESTS_STAND_H
#define MUYBRIDGE_TESTS_STAND_H

#include "motion/clip.h"

#define STAND_FRAMES 12
#define STAND_LEG 0.5           /* [m], the standing height too                                        */

/* Contact points of the table, and the first of anything else that stands as it does. */
enum { FORE_LEFT, FORE_RIGHT, REAR_LEFT, REAR_RIGHT };

struct stand {
  struct arena *arena;          /* its own: arena_free() frees all of it                               */
  const struct creature *c;
  struct clip *clip;            /* all four feet on the ground, a quarter of the weight on each        */
  double weight;                /* [N]                                                                 */
};

/* A creature from its text; messages on standard error. Ends the program when the text is wrong. */
const struct creature *stand_parse(struct arena *arena, const char *text);

/* The table for STAND_FRAMES frames: 12 kg, its centre of mass in the middle, no hip needs a torque. */
struct stand stand_new(int cyclic);

/* Anything with a table's four feet first: it stands on them. */
struct stand stand_new_of(const char *text, int n_frames, int cyclic);

/* Of the clip, to be changed: the three numbers of a force, a coordinate by its name. */
double *stand_force(const struct clip *clip, int k, int point);
double *stand_angle(const struct stand *s, int k, const char *dof);

#endif
