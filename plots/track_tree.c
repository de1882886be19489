/* Saved samples as a tree: each joined to the one that it went on from. See plots/track_sheet.h. */
#include "plots/track_sheet.h"

#include <math.h>

#define TREE 260.0

/* Only what was saved is of interest: the range of its costs. */
static void saved_range(const struct track_sheet *s, double *lo, double *hi)
{
  *lo = *hi = s->t->n_windows > 0 && s->t->windows[0].n_saved > 0 ? s->t->windows[0].saved[0] : 0;
  for (int w = 0; w < s->t->n_windows; w++)
    for (int i = 0; i < s->t->windows[w].n_saved; i++) {
      *lo = fmin(*lo, s->t->windows[w].saved[i]);
      *hi = fmax(*hi, s->t->windows[w].saved[i]);
    }
  double room = 0.05 * (*hi - *lo);
  *lo -= room, *hi += room;
  axes_widen(lo, hi, 1e-3);
}

/* From saved sample i of a window back to where it began; the start has no cost of its own: that of its sample. */
static void join(const struct track_sheet *s, const struct axes *a, int w, int i, const struct pen *pen)
{
  const struct sampled_window *k = &s->t->windows[w], *before = w ? k - 1 : NULL;
  int from = before && k->parents[i] >= 0 && k->parents[i] < before->n_saved ? k->parents[i] : -1;
  struct xy end = axes_map(a, track_window_time(s, w), k->saved[i]);
  struct xy begin = axes_map(a, w ? track_window_time(s, w - 1) : 0, from >= 0 ? before->saved[from] : k->saved[i]);
  canvas_line(s->cv, begin, end, pen);
}

static void draw_saved(const struct track_sheet *s, const struct axes *a)
{
  struct pen thin = {colour_fade(palette(PALETTE_BLUE), 0.5), 0.6, 0.0};
  struct pen thick = {palette(PALETTE_VERMILION), 1.8, 0.0};
  for (int w = 0; w < s->t->n_windows; w++)
    for (int i = 0; i < s->t->windows[w].n_saved; i++) {
      join(s, a, w, i, &thin);
      marker_draw(s->cv, MARKER_DOT, axes_map(a, track_window_time(s, w), s->t->windows[w].saved[i]), 1.4,
                  palette(PALETTE_BLUE));
    }
  for (int w = 0; w < s->t->n_windows; w++) {
    int i = s->t->windows[w].chosen;
    if (i < 0 || i >= s->t->windows[w].n_saved) continue;
    join(s, a, w, i, &thick);
    marker_draw(s->cv, MARKER_DOT, axes_map(a, track_window_time(s, w), s->t->windows[w].saved[i]), 2.4,
                palette(PALETTE_VERMILION));
  }
}

double track_tree_height(const struct track_sheet *s)
{
  (void)s;
  return TREE + 20.0;
}

void track_tree_draw(const struct track_sheet *s, double top)
{
  const struct legend_entry e[] = {
    {.label = "saved samples, joined to what they went on from", .line = 1, .colour = palette(PALETTE_BLUE)},
    {.label = "the path that was chosen", .line = 1, .colour = palette(PALETTE_VERMILION)}};
  struct legend l = {.at = {TRACK_MARGIN, top}, .width = TRACK_CONTENT,
                     .font = {.size = TRACK_TEXT, .colour = s->theme.ink}, .n = 2, .entries = e, .draw = 1};
  top += legend_draw(s->cv, &l) + 4.0;
  struct axes a = {.outer = {TRACK_MARGIN, top, TRACK_CONTENT, TREE}, .x_lo = 0, .x_hi = s->seconds,
                   .theme = s->theme, .size = TRACK_TEXT, .grid = 1, .x_label = "time [s]",
                   .y_label = "cost of a saved sample", .left = 46.0};
  saved_range(s, &a.y_lo, &a.y_hi);
  axes_layout(s->cv, &a);
  canvas_box(s->cv, a.area, s->theme.panel);
  axes_draw(s->cv, &a);
  draw_saved(s, &a);
}
