/* Robots as their makers describe them (MJCF of MuJoCo, URDF of ROS) become creature files.
 *
 * A description is read into a plain model (robot.h): bodies in a tree, joints, masses, solids. From that follow limbs
 * whose frames are parallel at zero angles (limbs.c), which of them are mirror images (mirror.c), a pose to stand in
 * (rest.c), feet (feet.c), shapes (shapes.c), gaits to begin with (templates.c), and the text (write.c).
 * doc/robots.md has the rules.
 *
 * Gives: robots.h. May call: base. */
#ifndef MUYBRIDGE_ROBOTS_ROBOTS_H
#define MUYBRIDGE_ROBOTS_ROBOTS_H

#include "base/arena.h"
#include "base/diag.h"

struct robots_options {
  int symmetric;                /* both sides as the left one, and the midline without what leans to a side */
};

/* What was made, for people. */
struct robots_report {
  const char *format;           /* "MJCF", "URDF"                                                */
  int n_limbs, n_pairs, n_axes, n_feet; /* images of mirrored limbs counted twice; pairs of limbs */
  double mass;                  /* [kg]                                                          */
  const char *rest;             /* where the rest pose comes from, in words                      */
  const char *gaits;            /* "trot, walk", or NULL: none                                   */
};

/* Is it the name of such a file: does it end in .xml, .mjcf or .urdf? */
int robots_is_robot(const char *path);

/* The text of a creature file, in the arena. NULL after an error: each names what cannot be read. */
const char *robots_creature(struct arena *arena, const char *path, const struct robots_options *o,
                            struct robots_report *report, struct diag *d);

/* The same of text in memory; files that it includes are looked for beside `path`. */
const char *robots_creature_of_text(struct arena *arena, const char *path, const char *text, size_t length,
                                    const struct robots_options *o, struct robots_report *report, struct diag *d);

#endif
