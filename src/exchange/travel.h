/* Private to src/exchange. The way of a clip over the ground, free of the sway of its root: what a node that carries
 * the whole creature does. */
#ifndef MUYBRIDGE_EXCHANGE_TRAVEL_H
#define MUYBRIDGE_EXCHANGE_TRAVEL_H

#include "motion/clip.h"

/* Where the creature is, and its heading, in frames 0 to n - 1 (n). A cycle goes evenly along its arc, and n may be
 * anything; other clips, up to n_frames, follow their root, smoothed by a Gaussian of a quarter of a second. */
void travel_of_clip(const struct clip *clip, int n, struct clip_advance *way);

#endif
