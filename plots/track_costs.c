/* Costs of samples over time. See plots/track_sheet.h. */
#include "plots/track_sheet.h"

#include <math.h>

#define COSTS 210.0

double track_window_time(const struct track_sheet *s, int w)
{
  return s->t->reference->first[w + 1] * s->t->reference->dt;
}

void track_cost_range(const struct track_sheet *s, double *lo, double *hi)
{
  double top = 0, low = 0, sum = 0;
  long n = 0;
  for (int w = 0; w < s->t->n_windows; w++) {
    const struct sampled_window *k = &s->t->windows[w];
    for (int i = 0; i < k->n_samples; i++, n++)
      sum += k->costs[i];
    for (int i = 0; i < k->n_saved; i++) {
      top = fmax(top, k->saved[i]);
      low = fmin(low, k->saved[i]);
    }
  }
  *lo = low;
  *hi = fmax(1.3 * top, n ? 3.0 * sum / (double)n : 1.0);
  axes_widen(lo, hi, 1e-3);
}

static void mark_window(const struct track_sheet *s, const struct axes *a, int w, double shift)
{
  const struct sampled_window *k = &s->t->windows[w];
  struct legend_entry drawn = {.marker = MARKER_CROSS, .colour = colour_fade(palette(PALETTE_BLUE), 0.55)};
  struct legend_entry kept = {.marker = MARKER_CROSS, .colour = palette(PALETTE_VERMILION)};
  double x = track_window_time(s, w), right = x + shift;
  for (int i = 0; i < k->n_samples; i++)
    axes_marks(s->cv, a, 1, &x, &k->costs[i], &drawn);
  for (int i = 0; i < k->n_saved; i++)
    axes_marks(s->cv, a, 1, &right, &k->saved[i], &kept);
}

static void draw_axes(const struct track_sheet *s, double top)
{
  struct axes a = {.outer = {TRACK_MARGIN, top, TRACK_CONTENT, COSTS}, .x_lo = 0, .x_hi = s->seconds, .theme = s->theme,
                   .size = TRACK_TEXT, .grid = 1,
                   .x_label = "time [s]", .y_label = "cost of a sample", .left = 46.0};
  int n = s->t->n_windows;
  struct arena *arena = canvas_arena(s->cv);
  double *x = ARENA_NEW(arena, (size_t)n + 1, double), *y = ARENA_NEW(arena, (size_t)n + 1, double);
  track_cost_range(s, &a.y_lo, &a.y_hi);
  axes_layout(s->cv, &a);
  canvas_box(s->cv, a.area, s->theme.panel);
  axes_draw(s->cv, &a);
  for (int w = 0; w < n; w++) {
    mark_window(s, &a, w, 0.2 * (track_window_time(s, w) - (w ? track_window_time(s, w - 1) : 0)));
    x[w] = track_window_time(s, w);
    y[w] = s->t->windows[w].best;
  }
  axes_curve(s->cv, &a, n, x, y, &(struct pen){palette(PALETTE_GREEN), 1.5, 0.0});
}

static double draw_legend(const struct track_sheet *s, double top)
{
  const struct legend_entry e[] = {
    {.label = "samples", .marker = MARKER_CROSS, .colour = palette(PALETTE_BLUE)},
    {.label = "saved, a little to the right", .marker = MARKER_CROSS, .colour = palette(PALETTE_VERMILION)},
    {.label = "the path that was chosen", .line = 1, .colour = palette(PALETTE_GREEN)}};
  struct legend l = {.at = {TRACK_MARGIN, top}, .width = TRACK_CONTENT,
                     .font = {.size = TRACK_TEXT, .colour = s->theme.ink}, .n = 3,
                     .entries = e, .draw = 1};
  return legend_draw(s->cv, &l) + 4.0;
}

double track_costs_height(const struct track_sheet *s)
{
  (void)s;
  return COSTS + 20.0;
}

void track_costs_draw(const struct track_sheet *s, double top)
{
  draw_axes(s, top + draw_legend(s, top));
}
