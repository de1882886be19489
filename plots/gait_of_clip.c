/* The gait that a clip really has, from its contact flags. See plots/curves.h. */
#include <math.h>

#include "plots/creature_view.h"
#include "plots/curves.h"
#include "plots/gait_diagram.h"
#include "plots/traces.h"

#define PAGE_WIDTH 620.0 /* as high as it needs [points] */
#define MARGIN 30.0
#define TEXT 8.5

static const double content = PAGE_WIDTH - 2.0 * MARGIN;

struct sheet {
  struct canvas *cv;
  const struct traces *t;
  struct theme theme;
  struct view_style style;
  struct tracks tracks;
  double largest;               /* vertical force of a point [body weights] */
};

static void fill_rows(struct sheet *s)
{
  const struct creature *c = s->t->creature;
  struct arena *arena = canvas_arena(s->cv);
  struct track *rows = ARENA_NEW(arena, (size_t)s->tracks.n + 1, struct track);
  static const char *const sides[] = {[SIDE_LEFT] = "left ", [SIDE_RIGHT] = "right ", [SIDE_MIDDLE] = ""};
  for (int p = 0; p < s->tracks.n; p++) {
    const struct foot *foot = &c->feet[c->points[p].foot];
    const char *name = foot->n_points == 1 ? foot->name : c->points[p].name;
    rows[p].label = arena_printf(arena, "%s%s", sides[traces_side(name)], traces_plain_name(arena, name));
    rows[p].note = arena_printf(arena, "%.2f", traces_duty(s->t, 1, &p));
    rows[p].colour = colour_fade(view_side_colour(&s->style, c->points[p].name), 0.35);
    rows[p].bars = traces_stance(s->t, arena, 1, &p, &rows[p].n_bars);
  }
  s->tracks.rows = rows;
}

static void layout(struct sheet *s)
{
  int n = s->t->creature->n_points < GAIT_ROWS_MAX ? s->t->creature->n_points : GAIT_ROWS_MAX;
  s->tracks = (struct tracks){.at = {MARGIN, 0.0}, .width = content,
                              .row_height = n <= 8 ? 26.0 : n <= 16 ? 18.0 : 13.0,
                              .hi = s->t->x_hi, .axis_label = s->t->x_label, .notes_label = "duty", .theme = s->theme,
                              .size = TEXT, .n = n};
  fill_rows(s);
  for (int i = 0; i < s->t->n * s->t->clip->n_points; i++)
    s->largest = fmax(s->largest, s->t->force[3 * (size_t)i + 2]);
}

/* The vertical force as a hill in its bar; the highest of all is as high as the bar. */
static void draw_load(struct sheet *s, int p, struct rect area)
{
  const struct traces *t = s->t;
  double thick = 0.68 * s->tracks.row_height, base = area.y + (p + 0.5) * s->tracks.row_height + 0.5 * thick;
  struct fill fill = fill_flat(view_side_colour(&s->style, t->creature->points[p].name));
  if (!(s->largest > 0.0)) return;
  path_move(s->cv, area.x + t->x[0] / t->x_hi * area.w, base);
  for (int k = 0; k < t->n; k++) {
    double load = fmax(0.0, t->force[3 * ((size_t)k * (size_t)t->clip->n_points + (size_t)p) + 2]) / s->largest;
    path_line(s->cv, area.x + t->x[k] / t->x_hi * area.w, base - load * thick);
  }
  path_line(s->cv, area.x + t->x[t->n - 1] / t->x_hi * area.w, base);
  path_close(s->cv);
  canvas_paint(s->cv, &fill, NULL);
}

/* When nothing stands: flight. */
static void draw_flight(struct sheet *s, struct rect area)
{
  const struct traces *t = s->t;
  struct arena *arena = canvas_arena(s->cv);
  int n = 0, *all = ARENA_NEW(arena, (size_t)t->clip->n_points + 1, int);
  for (int p = 0; p < t->clip->n_points; p++) all[p] = p;
  const struct xy *stance = traces_stance(t, arena, t->clip->n_points, all, &n);
  double from = 0.0;
  for (int i = 0; i <= n; i++) {
    double until = i < n ? stance[i].x : t->x_hi, scale = area.w / t->x_hi;
    struct rect r = {area.x + scale * from, area.y, scale * (until - from), area.h};
    if (until > from + 0.01 * t->x_frame) canvas_box(s->cv, r, colour_fade(s->theme.muted, 0.16));
    if (i < n) from = stance[i].y;
  }
}

static double draw_legend(struct sheet *s, double top, int draw)
{
  char *load = arena_printf(canvas_arena(s->cv), "in it the vertical force, at most %s body weights",
                            text_number3(canvas_arena(s->cv), s->largest));
  const struct legend_entry e[] = {
      {.label = "on the ground", .marker = MARKER_SQUARE, .colour = colour_fade(s->style.left, 0.35)},
      {.label = load, .marker = MARKER_SQUARE, .colour = s->style.left},
      {.label = "flight", .marker = MARKER_SQUARE, .colour = colour_fade(s->theme.muted, 0.3)}};
  struct legend l = {.at = {MARGIN, top}, .width = content, .font = {.size = TEXT, .colour = s->theme.muted},
                     .n = (int)(sizeof e / sizeof *e), .entries = e, .draw = draw};
  return legend_draw(s->cv, &l);
}

struct canvas *gait_of_clip_draw(const struct creature *c, const struct clip *clip, const char *path, struct diag *d)
{
  struct sheet s = {.cv = canvas_open(path, d), .theme = theme_paper(), .style = view_style_paper()};
  if (!s.cv) return NULL;
  struct arena *arena = canvas_arena(s.cv);
  s.t = traces_new(arena, c, clip, path, d);
  if (!s.t) {
    canvas_discard(s.cv);
    return NULL;
  }
  layout(&s);
  struct page page = {.width = PAGE_WIDTH, .margin = MARGIN, .theme = s.theme, .title = traces_title(s.t, arena),
                      .subtitle = traces_facts(s.t, arena)};
  double rows = tracks_height(&s.tracks), legend = draw_legend(&s, 0.0, 0);
  page.height = MARGIN + page_head_height(s.cv, &page) + rows + 8.0 + legend + MARGIN;
  s.tracks.at.y = page_start(s.cv, &page).y;
  tracks_draw(s.cv, &s.tracks);
  struct rect area = tracks_area(s.cv, &s.tracks);
  canvas_clip(s.cv, area);
  draw_flight(&s, area);
  for (int p = 0; p < s.tracks.n; p++) draw_load(&s, p, area);
  canvas_unclip(s.cv);
  draw_legend(&s, s.tracks.at.y + rows + 8.0, 1);
  return s.cv;
}

int plot_gait_of_clip(const struct creature *c, const struct clip *clip, const char *path, struct diag *d)
{
  struct canvas *cv = gait_of_clip_draw(c, clip, path, d);
  return cv ? canvas_finish(cv, d) : 0;
}
