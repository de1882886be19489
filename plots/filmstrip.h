/* A clip as a row of poses: does it slide, float, crouch, cross its legs? */
#ifndef MUYBRIDGE_PLOTS_FILMSTRIP_H
#define MUYBRIDGE_PLOTS_FILMSTRIP_H

#include "creature/creature.h"
#include "motion/clip.h"
#include "physics/world.h"
#include "plots/kit.h"

/* Poses at even times of one cycle, or of a transition, each in a panel of its own, from the side and to one scale; the
 * camera goes with the creature at its mean speed and turns with it. Marks on the ground stay where they are on it.
 * A transition that turns is also seen from above. 1 when the file is there, 0 after an error. */
int plot_filmstrip(const struct creature *c, const struct clip *clip, const char *path, struct diag *d);

/* The same on other ground than level one (NULL). */
int plot_filmstrip_on(const struct creature *c, const struct clip *clip, const struct terrain *ground, const char *path,
                      struct diag *d);

/* The same poses, coming towards the viewer: do the legs swing past each other, does the trunk sway? */
int plot_filmstrip_front(const struct creature *c, const struct clip *clip, const char *path, struct diag *d);

/* The same creature on its way over the ground: poses where they are, the earlier ones pale, paths of the feet; below
 * it each side's limbs at every frame, after Marey; below that its tracks from above. */
int plot_steps(const struct creature *c, const struct clip *clip, const char *path, struct diag *d);

/* The same, drawn but not yet written: the caller finishes or discards the canvas. NULL after an error. */
struct canvas *filmstrip_draw(const struct creature *c, const struct clip *clip, const char *path, struct diag *d);
struct canvas *filmstrip_front_draw(const struct creature *c, const struct clip *clip, const char *path,
                                    struct diag *d);
struct canvas *steps_draw(const struct creature *c, const struct clip *clip, const char *path, struct diag *d);

#endif
