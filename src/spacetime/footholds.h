/* Private to src/spacetime. Where feet may be expected to step during a transition, so that they swing straight from
 * one place to the next. */
#ifndef MUYBRIDGE_SPACETIME_FOOTHOLDS_H
#define MUYBRIDGE_SPACETIME_FOOTHOLDS_H

#include "base/arena.h"
#include "creature/creature.h"
#include "spacetime/schedule.h"

struct nominal_path {
  int n_frames;
  const double *root, *heading; /* of the body                [m], [rad] (n_frames x 2), (n_frames) */
  const double *first, *last;   /* poses of the first and the last frame, on the path  (n_dofs)     */
};

/* How far to the left of the root each point should be, frame by frame [m] (n_frames x n_points): on the straight line
 * from where it was lifted to where it will be put down. A foot is put down where it stands at rest under the root in
 * the middle of its stance; what stands in the first or the last frame, stands there. */
double *footholds_aside(struct arena *arena, const struct creature *c, const struct schedule *s,
                        const struct nominal_path *path);

/* How far feet that stand are from where they stand at rest under the body, along that path: the farthest, plus the
 * mean over all [leg lengths]. What has to reach far is hard to solve, or impossible. */
double footholds_strain(struct arena *arena, const struct creature *c, const struct schedule *s,
                        const struct nominal_path *path);

#endif
