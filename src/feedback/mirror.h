/* Windows seen in a mirror: left becomes right. Of a symmetric creature, the model and the gain of a window are those
 * of its mirror image, with errors and controls of the other side, and their signs. */
#ifndef MUYBRIDGE_FEEDBACK_MIRROR_H
#define MUYBRIDGE_FEEDBACK_MIRROR_H

#include "feedback/feedback.h"

/* In the arena. */
struct window_model *mirror_model(struct arena *arena, const struct creature *c, const struct window_model *model);
struct window_gain mirror_gain(struct arena *arena, const struct creature *c, const struct window_gain *g);

#endif
