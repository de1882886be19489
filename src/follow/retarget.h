/* The same motion for another creature of similar structure (Liu 2010, section 4): the first guess that tracking
 * then makes physical. */
#ifndef MUYBRIDGE_FOLLOW_RETARGET_H
#define MUYBRIDGE_FOLLOW_RETARGET_H

#include "motion/clip.h"

/* Joint angles by the names of the axes (an axis that the other lacks rests), distances in proportion to standing
 * heights, time to their roots, forces to weights, by the names of contact points; then legs are bent so that feet
 * are where they were, in proportion. NULL after an error: no contact point has the same name. */
struct clip *retarget_clip(struct arena *arena, const struct creature *from, const struct creature *to,
                           const struct clip *clip, struct diag *d);

#endif
