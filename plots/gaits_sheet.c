/* Gaits that were found. See plots/gaits_sheet.h. */
#include "plots/gaits_sheet.h"

#include <math.h>
#include <string.h>

#include "plots/gait_diagram.h"

#define PAGE_WIDTH 720.0         /* [points] */
#define MARGIN 30.0
#define COSTS 250.0              /* heights of the parts */
#define HILDEBRAND 215.0
#define COLUMNS 3
#define GAP 14.0
#define HEAD 24.0
#define TEXT 9.0
#define CURVES_MOST 8            /* the cheapest */
#define COSTLY 1.3               /* in Hildebrand's diagrams dark, in units of the cheapest of all gaits */

static const double content = PAGE_WIDTH - 2.0 * MARGIN;

/* The cheapest trials of one name. */
struct curve { const char *key, *words; double best, *cost; };

struct sheet {
  struct canvas *cv;
  const struct gaits_result *r;
  struct theme theme;
  double *speed;
  int n_curves;
  struct curve *curves;
  int n_panels, *panel;          /* gaits that have a diagram of Hildebrand's */
  double panels_height, tracks_height;
};

/* ---- costs over speed ---- */

static double cheapest_at(const struct gaits_result *r, int speed)
{
  return r->speeds[speed].best < 0 ? NAN : r->trials[r->speeds[speed].best].effort.transport;
}

/* Names by how near they come to the best. */
static void find_curves(struct sheet *s)
{
  struct arena *arena = canvas_arena(s->cv);
  const struct gaits_result *r = s->r;
  struct curve *all = ARENA_NEW(arena, (size_t)r->n_trials + 1, struct curve);
  int n = 0;
  for (int i = 0; i < r->n_trials; i++) {
    int k = 0;
    while (k < n && strcmp(all[k].key, r->trials[i].name.key) != 0) k++;
    if (k < n || !r->trials[i].solved) continue;
    struct curve c = {.key = r->trials[i].name.key, .words = r->trials[i].name.words, .best = INFINITY,
                      .cost = ARENA_NEW(arena, (size_t)r->n_speeds, double)};
    for (int v = 0; v < r->n_speeds; v++) {
      int t = gaits_best_of(r, v, c.key);
      c.cost[v] = t < 0 ? NAN : r->trials[t].effort.transport;
      if (t >= 0) c.best = fmin(c.best, c.cost[v] / cheapest_at(r, v));
    }
    for (k = n++; k > 0 && all[k - 1].best > c.best; k--) all[k] = all[k - 1];
    all[k] = c;
  }
  s->curves = all;
  s->n_curves = n < CURVES_MOST ? n : CURVES_MOST;
}

static struct legend_entry curve_look(const struct sheet *s, int i)
{
  static const enum marker markers[] = {MARKER_DOT, MARKER_SQUARE, MARKER_TRIANGLE, MARKER_DIAMOND};
  static const int colours[] = {PALETTE_BLUE, PALETTE_VERMILION, PALETTE_GREEN, PALETTE_PURPLE, PALETTE_ORANGE,
                                PALETTE_SKY, PALETTE_BLACK};
  return (struct legend_entry){.label = s->curves[i].words, .marker = markers[i % 4],
                               .colour = palette(colours[i % 7])};
}

static double curves_legend(struct sheet *s, double top, int draw)
{
  struct legend_entry *e = ARENA_NEW(canvas_arena(s->cv), (size_t)s->n_curves + 1, struct legend_entry);
  for (int i = 0; i < s->n_curves; i++) e[i] = curve_look(s, i);
  e[s->n_curves] = (struct legend_entry){.label = "used", .marker = MARKER_RING, .colour = s->theme.ink};
  struct legend l = {.at = {MARGIN, top}, .width = content, .font = {.size = TEXT, .colour = s->theme.ink},
                     .n = s->n_curves + 1, .entries = e, .draw = draw};
  return legend_draw(s->cv, &l) + 6.0;
}

static void draw_costs(struct sheet *s, double top)
{
  const struct gaits_result *r = s->r;
  struct axes a = {.outer = {MARGIN, top, content, COSTS}, .theme = s->theme, .size = TEXT, .grid = 1, .left = 40.0,
                   .x_label = "speed [m/s]", .y_label = "effort per distance", .x_lo = s->speed[0],
                   .x_hi = s->speed[r->n_speeds - 1]};
  double most = 0.0;
  for (int v = 0; v < r->n_speeds; v++) most = fmax(most, isfinite(cheapest_at(r, v)) ? cheapest_at(r, v) : 0.0);
  a.y_hi = 1.6 * most; /* what costs far more is cut off */
  axes_widen(&a.x_lo, &a.x_hi, 0.1 * fabs(a.x_hi));
  axes_layout(s->cv, &a);
  canvas_box(s->cv, a.area, s->theme.panel);
  axes_draw(s->cv, &a);
  for (int i = r->n_changes - 1; i >= 0; i--) {
    struct xy from = axes_map(&a, r->changes[i].speed, a.y_lo), until = axes_map(&a, r->changes[i].speed, a.y_hi);
    struct font font = {.size = TEXT - 1.0, .colour = s->theme.muted};
    struct arena *arena = canvas_arena(s->cv);
    canvas_line(s->cv, from, until, &(struct pen){s->theme.muted, 0.8, 3.0});
    until = (struct xy){until.x + 3.0, until.y + 10.0 + i % 3 * TEXT * TEXT_LEADING};
    text_draw(s->cv, &font, until, ALIGN_LEFT,
              arena_printf(arena, "%s m/s", text_number3(arena, r->changes[i].speed)));
  }
  for (int i = 0; i < s->n_curves; i++) {
    struct legend_entry look = curve_look(s, i);
    axes_curve(s->cv, &a, r->n_speeds, s->speed, s->curves[i].cost, &(struct pen){look.colour, 1.3, 0.0});
    axes_marks(s->cv, &a, r->n_speeds, s->speed, s->curves[i].cost, &look);
  }
  for (int v = 0; v < r->n_speeds; v++)
    if (r->speeds[v].trial >= 0)
      marker_draw(s->cv, MARKER_RING, axes_map(&a, s->speed[v], r->trials[r->speeds[v].trial].effort.transport), 5.0,
                  s->theme.ink);
}

/* ---- Hildebrand's diagrams ---- */

static void find_panels(struct sheet *s)
{
  s->panel = ARENA_NEW(canvas_arena(s->cv), (size_t)s->r->n_gaits + 1, int);
  for (int i = 0; i < s->r->n_gaits && s->r->legs->n_rows > 1; i++) {
    int middle = (s->r->gaits[i].first + s->r->gaits[i].last) / 2, trials = 0;
    for (int t = 0; t < s->r->n_trials; t++)
      trials += s->r->trials[t].speed == middle && s->r->trials[t].pattern.family == PATTERN_ALTERNATE;
    if (trials) s->panel[s->n_panels++] = i;
  }
}

/* Of trials at one speed whose pairs alternate: how long the hind feet stand, when the fore feet follow, and the cost,
 * the dear ones below the cheap ones. As Hildebrand drew it, duty falls to the right. */
static void draw_panel(struct sheet *s, struct rect cell, int gait)
{
  const struct gaits_result *r = s->r;
  struct arena *arena = canvas_arena(s->cv);
  int middle = (r->gaits[gait].first + r->gaits[gait].last) / 2;
  double least = cheapest_at(r, middle);
  struct axes a = {.outer = cell, .theme = s->theme, .size = TEXT - 1.0, .left = 30.0, .x_lo = -95.0, .x_hi = -10.0,
                   .y_lo = 0.0, .y_hi = 100.0, .bare_x = 1, .y_label = "fore after hind [%]",
                   .title = arena_printf(arena, "%s m/s: %s", text_number3(arena, r->speeds[middle].speed),
                                         r->gaits[gait].words)};
  cell.h -= 22.0;
  a.outer = cell;
  axes_layout(s->cv, &a);
  canvas_box(s->cv, a.area, s->theme.panel);
  axes_draw(s->cv, &a);
  struct font font = {.size = TEXT - 1.0, .colour = s->theme.ink};
  for (int duty = 80; duty >= 20; duty -= 20)
    text_draw(s->cv, &font, (struct xy){axes_map(&a, -duty, 0).x, a.area.y + a.area.h + 11.0}, ALIGN_CENTRE,
              arena_printf(arena, "%d", duty));
  text_draw(s->cv, &font, (struct xy){a.area.x + 0.5 * a.area.w, a.area.y + a.area.h + 21.0}, ALIGN_CENTRE,
            "hind feet on the ground [% of stride]");
  for (int level = 20; level >= 0; level--)
    for (int i = 0; i < r->n_trials; i++) {
      const struct gaits_trial *t = &r->trials[i];
      if (t->speed != middle || t->pattern.family != PATTERN_ALTERNATE) continue;
      double share = t->solved ? fmin(1.0, (t->effort.transport / least - 1.0) / (COSTLY - 1.0)) : 1.0;
      struct xy at = axes_map(&a, -100.0 * t->pattern.duty_hind, 100.0 * t->pattern.lag);
      if ((int)floor(20.0 * share) != level) continue;
      if (t->solved)
        marker_draw(s->cv, MARKER_DOT, at, 4.6, colour_heat(1.0 - share));
      else
        marker_draw(s->cv, MARKER_CROSS, at, 3.0, s->theme.muted);
    }
  const struct gaits_trial *used = &r->trials[r->speeds[middle].trial];
  if (used->pattern.family == PATTERN_ALTERNATE)
    marker_draw(s->cv, MARKER_RING, axes_map(&a, -100.0 * used->pattern.duty_hind, 100.0 * used->pattern.lag), 6.5,
                palette(PALETTE_VERMILION));
}

/* ---- the page ---- */

static struct gait_diagram diagram_of(const struct sheet *s, int gait)
{
  return (struct gait_diagram){.creature = s->r->creature, .gait = gait, .at = {MARGIN, 0.0}, .width = content,
                               .theme = s->theme};
}

static void draw_heading(const struct sheet *s, double *y, const char *text)
{
  struct font font = {.size = TEXT + 2.0, .bold = 1, .colour = s->theme.ink};
  text_draw(s->cv, &font, (struct xy){MARGIN, *y + 0.7 * HEAD}, ALIGN_LEFT, text);
  *y += HEAD;
}

static const char *changes_text(const struct sheet *s)
{
  struct arena *arena = canvas_arena(s->cv);
  const char *text = "Effort: muscle torque squared, positive work, falling between steps, bursts of force and living, "
                     "over distance; without dimension.";
  for (int i = 0; i < s->r->n_changes; i++) {
    const struct gaits_change *c = &s->r->changes[i];
    const char *from = text_clean(arena, s->r->gaits[c->from].name, 1);
    text = arena_printf(arena, "%s %s gives way to %s at %s m/s.", text, from,
                        text_clean(arena, s->r->gaits[c->to].name, 1), text_number3(arena, c->speed));
  }
  return text;
}

struct canvas *gaits_sheet_draw(const struct gaits_result *r, const char *path, struct diag *d)
{
  struct sheet s = {.r = r, .theme = theme_paper()};
  if (!r->n_gaits) {
    diag_error(d, path, 0, "no gait was found: there is nothing to draw");
    return NULL;
  }
  s.cv = canvas_open(path, d);
  if (!s.cv) return NULL;
  struct arena *arena = canvas_arena(s.cv);
  s.speed = ARENA_NEW(arena, (size_t)r->n_speeds, double);
  for (int v = 0; v < r->n_speeds; v++) s.speed[v] = r->speeds[v].speed;
  find_curves(&s);
  find_panels(&s);
  struct panels panels = {.at = {MARGIN, 0.0}, .width = content, .height = HILDEBRAND, .gap_x = GAP, .gap_y = GAP,
                          .columns = COLUMNS};
  double legend = curves_legend(&s, 0.0, 0);
  s.panels_height = s.n_panels ? HEAD + panels_height(&panels, s.n_panels) + GAP : 0.0;
  for (int i = 0; i < r->n_gaits; i++) {
    struct gait_diagram g = diagram_of(&s, i);
    s.tracks_height += gait_diagram_height(&g) + GAP;
  }
  struct page page = {.width = PAGE_WIDTH, .margin = MARGIN, .theme = s.theme, .subtitle = changes_text(&s),
                      .title = arena_printf(arena, "%s: gaits found", text_clean(arena, r->creature->name, 1))};
  page.height = MARGIN + page_head_height(s.cv, &page) + legend + COSTS + GAP + s.panels_height + HEAD +
                s.tracks_height + MARGIN;
  double y = page_start(s.cv, &page).y;
  curves_legend(&s, y, 1);
  draw_costs(&s, y + legend);
  y += legend + COSTS + GAP;
  if (s.n_panels) {
    draw_heading(&s, &y, "Hildebrand's diagrams: dark is cheap; ring: the gait used");
    panels.at.y = y;
    for (int i = 0; i < s.n_panels; i++) draw_panel(&s, panels_cell(&panels, i), s.panel[i]);
    y += panels_height(&panels, s.n_panels) + GAP;
  }
  draw_heading(&s, &y, "Footfalls");
  for (int i = 0; i < r->n_gaits; i++) {
    struct gait_diagram g = diagram_of(&s, i);
    g.at.y = y;
    gait_diagram_draw(s.cv, &g);
    y += gait_diagram_height(&g) + GAP;
  }
  return s.cv;
}

int plot_gaits_sheet(const struct gaits_result *r, const char *path, struct diag *d)
{
  struct canvas *cv = gaits_sheet_draw(r, path, d);
  return cv ? canvas_finish(cv, d) : 0;
}
