/* Parts of figures of a track, drawn one below the other (samples_figure.c). Inside of plots only. */
#ifndef MUYBRIDGE_PLOTS_TRACK_SHEET_H
#define MUYBRIDGE_PLOTS_TRACK_SHEET_H

#include "plots/clip_view.h"
#include "plots/kit.h"
#include "samcon/track.h"

#define TRACK_WIDTH 842.0       /* of the page [points] */
#define TRACK_MARGIN 30.0
#define TRACK_CONTENT (TRACK_WIDTH - 2.0 * TRACK_MARGIN)
#define TRACK_TEXT 9.0

struct track_sheet {
  struct canvas *cv;
  const struct recording *t;
  struct theme theme;
  const struct traces *done, *wanted;
  double seconds;
};

/* How high a part is, and drawing it from `top` on. */
double track_costs_height(const struct track_sheet *s);   /* samples, saved ones, the path: figure 5 of Liu 2010     */
void track_costs_draw(const struct track_sheet *s, double top);
double track_tree_height(const struct track_sheet *s);    /* which saved one came from which: its figure 4, as it was */
void track_tree_draw(const struct track_sheet *s, double top);
double track_strips_height(const struct track_sheet *s);  /* poses, simulated and of the reference                   */
void track_strips_draw(const struct track_sheet *s, double top);
double track_forces_height(const struct track_sheet *s);  /* of the ground, leg by leg                               */
void track_forces_draw(const struct track_sheet *s, double top);

/* When a window ends [s]; the range of costs, the few dearest samples left outside. */
double track_window_time(const struct track_sheet *s, int w);
void track_cost_range(const struct track_sheet *s, double *lo, double *hi);

#endif
