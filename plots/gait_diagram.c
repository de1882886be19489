/* A gait diagram. See plots/gait_diagram.h. */
#include "plots/gait_diagram.h"

#include <math.h>
#include <string.h>

#include "plots/creature_view.h"

#define HEAD 32.0 /* name and numbers above the rows [points] */
#define TEXT 8.0

int gait_bars(int n, const struct interval *on, struct xy *bars)
{
  int k = 0;
  for (int i = 0; i < n; i++) {
    double from = on[i].from - floor(on[i].from), length = on[i].until - on[i].from;
    if (length < 0.0) length += 1.0;
    if (!(length > 0.0)) continue;
    if (length >= 1.0) {
      bars[k++] = (struct xy){0.0, 1.0};
    } else if (from + length <= 1.0) {
      bars[k++] = (struct xy){from, from + length};
    } else {
      bars[k++] = (struct xy){from, 1.0};
      bars[k++] = (struct xy){0.0, from + length - 1.0};
    }
  }
  return k;
}

static int rows_shown(const struct creature *c) { return c->n_points < GAIT_ROWS_MAX ? c->n_points : GAIT_ROWS_MAX; }

static struct tracks tracks_of(const struct gait_diagram *g)
{
  int n = rows_shown(g->creature);
  return (struct tracks){.at = {g->at.x, g->at.y + HEAD}, .width = g->width,
                         .row_height = n <= 8 ? 14.0 : n <= 16 ? 11.0 : 8.5, .lo = 0.0, .hi = 1.0,
                         .axis_label = "phase of the cycle", .notes_label = "duty", .theme = g->theme, .size = TEXT,
                         .n = n};
}

double gait_diagram_height(const struct gait_diagram *g)
{
  struct tracks t = tracks_of(g);
  if (g->creature->n_points == 0) return HEAD + 2.0 * TEXT;
  return HEAD + tracks_height(&t) + (g->creature->n_points > GAIT_ROWS_MAX ? 1.5 * TEXT : 0.0);
}

/* "0.5 to 2", or one number when both are the same. */
static char *range(struct arena *arena, double a, double b)
{
  char *from = text_number3(arena, a);
  return a == b ? from : arena_printf(arena, "%s\xe2\x80\x93%s", from, text_number3(arena, b));
}

static void draw_heading(struct canvas *cv, const struct gait_diagram *g)
{
  const struct gait *gait = &g->creature->gaits[g->gait];
  struct arena *arena = canvas_arena(cv);
  struct font name = {.size = 11.0, .bold = 1, .colour = g->theme.ink};
  struct font numbers = {.size = TEXT, .colour = g->theme.muted};
  text_fit(cv, &name, (struct xy){g->at.x, g->at.y + 11.0}, g->width, ALIGN_LEFT, text_clean(arena, gait->name, 1));
  char *line = arena_printf(arena, "period %s s, speed %s m/s", range(arena, gait->period_slow, gait->period_fast),
                            range(arena, gait->speed_min, gait->speed_max));
  text_fit(cv, &numbers, (struct xy){g->at.x, g->at.y + 23.5}, g->width, ALIGN_LEFT, line);
}

/* "left hoof"; of a foot with several points "left foot heel". */
static const char *row_label(struct arena *arena, const struct creature *c, int p)
{
  const struct foot *foot = &c->feet[c->points[p].foot];
  char *label = text_clean(arena, foot->n_points == 1 ? foot->name : c->points[p].name, 1);
  for (char *dot = label; (dot = strchr(dot, '.')) != NULL;) *dot = ' ';
  return label;
}

static void draw_rows(struct canvas *cv, const struct gait_diagram *g)
{
  const struct creature *c = g->creature;
  const struct gait *gait = &c->gaits[g->gait];
  struct arena *arena = canvas_arena(cv);
  struct view_style style = view_style_paper();
  struct tracks t = tracks_of(g);
  struct track *rows = ARENA_NEW(arena, (size_t)t.n, struct track);
  for (int p = 0; p < t.n; p++) {
    struct xy *bars = ARENA_NEW(arena, 2 * (size_t)gait->n_intervals[p] + 1, struct xy);
    rows[p] = (struct track){.label = row_label(arena, c, p),
                             .note = arena_printf(arena, "%.2f", gait_duty(gait, p)),
                             .colour = view_side_colour(&style, c->points[p].name),
                             .n_bars = gait_bars(gait->n_intervals[p], gait->on[p], bars), .bars = bars};
  }
  t.rows = rows;
  tracks_draw(cv, &t);
}

void gait_diagram_draw(struct canvas *cv, const struct gait_diagram *g)
{
  struct font f = {.size = TEXT, .italic = 1, .colour = g->theme.muted};
  int hidden = g->creature->n_points - GAIT_ROWS_MAX;
  struct xy foot = {g->at.x, g->at.y + gait_diagram_height(g) - 0.3 * TEXT};
  draw_heading(cv, g);
  if (g->creature->n_points > 0)
    draw_rows(cv, g);
  else
    text_fit(cv, &f, foot, g->width, ALIGN_LEFT, "no foot touches the ground");
  if (hidden > 0)
    text_fit(cv, &f, foot, g->width, ALIGN_LEFT,
             arena_printf(canvas_arena(cv), "and %d more contact points", hidden));
}
