/* Forces of the ground, simulated and of the reference. See plots/track_sheet.h. */
#include "plots/track_sheet.h"

#include <math.h>

#define FORCES 78.0

static void draw_leg(const struct track_sheet *s, int leg, double top, int last)
{
  struct arena *arena = canvas_arena(s->cv);
  const struct traces *both[2] = {s->wanted, s->done};
  struct axes a = {.outer = {TRACK_MARGIN, top, TRACK_CONTENT, FORCES + (last ? 18.0 : 0.0)}, .x_lo = 0,
                   .x_hi = s->seconds,
                   .y_lo = 0, .y_hi = 1,
                   .theme = s->theme, .size = TRACK_TEXT, .grid = 1, .y_label = s->wanted->legs[leg].name, .left = 46.0,
                   .bare_x = !last,
                   .x_label = last ? "time [s]" : NULL};
  double *y[2], *x[2];
  for (int k = 0; k < 2; k++) {
    y[k] = ARENA_NEW(arena, (size_t)both[k]->n, double);
    x[k] = ARENA_NEW(arena, (size_t)both[k]->n, double);
    traces_leg_force(both[k], leg, 2, y[k]);
    for (int i = 0; i < both[k]->n; i++) {
      x[k][i] = (i + (k ? 0.5 : 0.0)) * both[k]->clip->dt; /* those of the world are means over the next frame */
      a.y_hi = fmax(a.y_hi, y[k][i] < 4 ? y[k][i] : 4);
    }
  }
  axes_layout(s->cv, &a);
  canvas_box(s->cv, a.area, s->theme.panel);
  axes_draw(s->cv, &a);
  axes_curve(s->cv, &a, both[1]->n, x[1], y[1], &(struct pen){palette(PALETTE_VERMILION), 1.0, 0.0});
  axes_curve(s->cv, &a, both[0]->n, x[0], y[0], &(struct pen){palette(PALETTE_BLACK), 1.0, 2.5});
}

static void draw_force_legend(const struct track_sheet *s, double top)
{
  const struct legend_entry e[] = {{.label = "upward force of the ground [body weights], simulated", .line = 1,
                                    .colour = palette(PALETTE_VERMILION)},
                                   {.label = "of the reference", .line = 1, .dash = 2.5,
                                    .colour = palette(PALETTE_BLACK)}};
  struct legend l = {.at = {TRACK_MARGIN, top}, .width = TRACK_CONTENT,
                     .font = {.size = TRACK_TEXT, .colour = s->theme.ink}, .n = 2,
                     .entries = e, .draw = 1};
  legend_draw(s->cv, &l);
}

double track_forces_height(const struct track_sheet *s)
{
  return 16.0 + s->wanted->n_legs * FORCES + 20.0;
}

void track_forces_draw(const struct track_sheet *s, double top)
{
  draw_force_legend(s, top);
  for (int i = 0; i < s->wanted->n_legs; i++)
    draw_leg(s, i, top + 16.0 + i * FORCES, i == s->wanted->n_legs - 1);
}
