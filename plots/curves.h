/* Figures of a clip made of curves: joints, forces of the ground, the gait that it really has. */
#ifndef MUYBRIDGE_PLOTS_CURVES_H
#define MUYBRIDGE_PLOTS_CURVES_H

#include "creature/creature.h"
#include "motion/clip.h"
#include "plots/kit.h"

/* Angles and torques of all joints, leg by leg; left solid and right dashed, limits grey, stance shaded. */
int plot_joint_curves(const struct creature *c, const struct clip *clip, const char *path, struct diag *d);

/* Vertical, fore-aft and lateral force of each leg in body weights, what friction allows as a band, and the sum. */
int plot_ground_forces(const struct creature *c, const struct clip *clip, const char *path, struct diag *d);

/* A row per contact point, a bar while it stands, in it the vertical force. */
int plot_gait_of_clip(const struct creature *c, const struct clip *clip, const char *path, struct diag *d);

/* The same, drawn but not yet written: the caller finishes or discards the canvas. NULL after an error. */
struct canvas *joint_curves_draw(const struct creature *c, const struct clip *clip, const char *path, struct diag *d);
struct canvas *ground_forces_draw(const struct creature *c, const struct clip *clip, const char *path, struct diag *d);
struct canvas *gait_of_clip_draw(const struct creature *c, const struct clip *clip, const char *path, struct diag *d);

#endif
