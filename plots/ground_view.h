/* The ground under a creature, as figures draw it: level, or a terrain of the simulated world, cut where the creature
 * is. */
#ifndef MUYBRIDGE_PLOTS_GROUND_VIEW_H
#define MUYBRIDGE_PLOTS_GROUND_VIEW_H

#include "physics/world.h"
#include "plots/projection.h"

/* NULL is level ground at height 0. */
double ground_height(const struct terrain *t, double x, double y);
int ground_is_level(const struct terrain *t);

/* Up along x, per metre; 0 where it does not rise steadily. */
double ground_slope(const struct terrain *t);

/* The ground as a line, for a camera that sees it from its edge, at a depth (camera_depth()): its height at u [m]. */
double ground_line(const struct terrain *t, const struct camera *cam, double depth, double u);

/* n points of that line from edge to edge of an area of the page, raised by some height [m]. */
void ground_profile(const struct terrain *t, const struct camera *cam, double depth, double raised, struct rect area,
                    struct to_scale map, int n, struct xy *points);

/* Words for a caption: "on a slope of 5 degrees"; "" of level ground. In the arena. */
const char *ground_words(const struct terrain *t, struct arena *arena);

#endif
