/* The zero-moment point of a captured motion against the feet that stand: what filtering does to it (figures 3 to 5 of
 * Xie and Kry 2021).
 *
 * All need poses only: contacts are the clip's if it has any, else those that look like it; forces of the clip are not
 * read. The cutoff that they call chosen is the paper's choice, by frames inside. */
#ifndef MUYBRIDGE_PLOTS_ZMP_FIGURE_H
#define MUYBRIDGE_PLOTS_ZMP_FIGURE_H

#include "creature/creature.h"
#include "motion/clip.h"
#include "plots/kit.h"
#include "capture/feedforward.h"

/* From above: its way and the support polygon in a frame on many points and in one on few, filtered too much, well, too
 * little. */
struct canvas *zmp_figure_draw(const struct creature *c, const struct clip *clip, const char *path, struct diag *d);

/* Histograms of its signed distance to the polygon over frames, for several cutoffs; the share inside over all. */
struct canvas *zmp_histogram_draw(const struct creature *c, const struct clip *clip, const char *path, struct diag *d);

/* Share of frames with the ZMP inside over the cutoff: each clip, and all together. */
struct canvas *zmp_cutoffs_draw(const struct creature *c, int n, const struct clip *const *clips, const char *path,
                                struct diag *d);

/* What these figures are made from: the pipeline with its own choice of the cutoff. NULL after an error, told about
 * path. */
struct capture_feedforward *zmp_study(struct arena *arena, const struct creature *c, const struct clip *clip,
                                      struct capture_feedforward_options *o, const char *path, struct diag *d);

/* Cutoffs to compare: far too low, the one chosen, far too high; `none` also gives no filter at all [Hz]. Returns how
 * many. */
int zmp_compare(double chosen, double rate, int none, double cutoffs[4]);

/* "no filter", "1.2 Hz"; in the arena. */
char *zmp_cutoff_name(struct arena *arena, double cutoff);

#endif
