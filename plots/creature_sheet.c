/* A creature on one page. See plots/creature_sheet.h. */
#include "plots/creature_sheet.h"

#include <math.h>
#include <string.h>

#include "plots/creature_view.h"
#include "plots/gait_diagram.h"

#define PAGE_WIDTH 842.0 /* A4 on its side; as high as it needs [points] */
#define MARGIN 36.0
#define GAP 18.0
#define TABLE_WIDTH 188.0
#define VIEWS_HEIGHT 270.0 /* at most */
#define VIEWS_LEAST 130.0

static const double content = PAGE_WIDTH - 2.0 * MARGIN;

struct sheet {
  struct canvas *cv;
  const struct creature *creature;
  struct figure *figure;
  struct theme theme;
  struct font small;
  struct page page;
  double views, legend, gaits;              /* heights of the parts, from top to bottom */
  int n_views;                              /* two, or three if there is room           */
  struct rect panels[3];                    /* side, front, three-quarter; at y = 0     */
  double scale;                             /* of all, points per metre                 */
  int columns;                              /* of gait diagrams                         */
};

/* ---- layout ---- */

static struct camera view_camera(int i)
{
  return i == 0 ? camera_side() : i == 1 ? camera_front() : camera_three_quarter();
}

/* Side and front share a scale, as large as fits; a third view is added where that leaves room for it. */
static void layout_views(struct sheet *s)
{
  const double width = content - TABLE_WIDTH - GAP, gap = 8.0, caption = 14.0, least = 84.0;
  const double frame_x = 2.0 * VIEW_MARGIN, frame_y = VIEW_MARGIN + VIEW_BELOW + caption;
  double need[3], total = 0.0, x = MARGIN;
  struct rect extent[3];
  for (int i = 0; i < 3; i++) {
    struct camera cam = view_camera(i);
    extent[i] = figure_extent(s->figure, &cam);
  }
  double tall = fmax(extent[0].h, extent[1].h);
  s->scale = fmin((width - gap - 2.0 * frame_x) / (extent[0].w + extent[1].w), (VIEWS_HEIGHT - frame_y) / tall);
  s->views = fmax(VIEWS_LEAST, s->scale * tall + frame_y);
  for (int i = 0; i < 3; i++) {
    double panel = fmax(least, s->scale * extent[i].w + frame_x);
    if (i == 2 && total + 2.0 * gap + panel > width) break;
    need[s->n_views++] = panel;
    total += panel;
  }
  double spare = (width - (s->n_views - 1) * gap - total) / s->n_views;
  for (int i = 0; i < s->n_views; i++) {
    s->panels[i] = (struct rect){x, 0.0, need[i] + spare, s->views};
    x += need[i] + spare + gap;
  }
}

static int count_columns(int n_gaits) { return n_gaits > 24 ? 4 : n_gaits == 3 || n_gaits > 4 ? 3 : 2; }

static struct gait_diagram diagram_of(const struct sheet *s, int i, double top)
{
  double width = (content - (s->columns - 1) * 2.0 * GAP) / s->columns;
  struct gait_diagram g = {.creature = s->creature, .gait = i, .width = width, .theme = s->theme};
  g.at.x = MARGIN + (i % s->columns) * (width + 2.0 * GAP);
  g.at.y = top + (i / s->columns) * (gait_diagram_height(&g) + GAP);
  return g;
}

/* All signs that the views use. */
static int list_signs(const struct creature *c, struct legend_entry *e)
{
  struct view_style style = view_style_paper();
  static const char *const labels[] = {"contact point, left", "contact point, right", "contact point, middle"};
  int used[3] = {0}, n = 0;
  for (int i = 0; i < c->n_points; i++) {
    const char *name = c->points[i].name;
    used[strncmp(name, "left_", 5) == 0 ? 0 : strncmp(name, "right_", 6) == 0 ? 1 : 2] = 1;
  }
  if (c->n_dofs > CREATURE_ROOT_DOFS)
    e[n++] = (struct legend_entry){.label = "joint", .marker = MARKER_DOT, .colour = style.joint};
  e[n++] = (struct legend_entry){.label = "centre of mass", .marker = MARKER_MASS, .colour = style.mass};
  for (int k = 0; k < 3; k++)
    if (used[k])
      e[n++] = (struct legend_entry){.label = labels[k], .marker = MARKER_TRIANGLE,
                                     .colour = k == 0 ? style.left : k == 1 ? style.right : style.middle};
  return n;
}

static double draw_legend(const struct sheet *s, double top, int draw)
{
  struct legend_entry entries[5];
  int n = list_signs(s->creature, entries);
  struct legend l = {.at = {MARGIN, top + 6.0}, .width = content - TABLE_WIDTH - GAP - 108.0, .font = s->small, .n = n,
                     .entries = entries, .draw = draw};
  return fmax(26.0, 6.0 + legend_draw(s->cv, &l));
}

static void layout(struct sheet *s)
{
  const struct creature *c = s->creature;
  layout_views(s);
  s->legend = draw_legend(s, 0.0, 0);
  s->columns = count_columns(c->n_gaits);
  s->gaits = 16.0;
  if (c->n_gaits > 0) {
    struct gait_diagram last = diagram_of(s, c->n_gaits - 1, 0.0);
    s->gaits = 2.0 * GAP + last.at.y + gait_diagram_height(&last);
  }
  s->page = (struct page){.width = PAGE_WIDTH, .margin = MARGIN,
                          .title = text_clean(canvas_arena(s->cv), creature_title(canvas_arena(s->cv), c), 1),
                          .subtitle = c->summary, .theme = s->theme};
  s->page.height = MARGIN + page_head_height(s->cv, &s->page) + s->views + s->legend + 10.0 + s->gaits + MARGIN - GAP;
}

/* ---- parts ---- */

static void draw_panel(const struct sheet *s, struct rect panel, struct camera cam, const char *caption)
{
  struct view v = view_fit(s->figure, cam, panel, s->scale);
  struct pen thread = {.colour = s->theme.faint, .width = 0.5}, frame = {.colour = s->theme.muted, .width = 0.7};
  canvas_box(s->cv, panel, s->theme.panel);
  double step = scale_bar_choose(s->scale, 60.0).length * s->scale;
  grid_draw(s->cv, panel, to_scale_map(&v.map, 0.0, 0.0), step, &thread);
  figure_draw(s->cv, s->figure, &v);
  path_rect(s->cv, panel);
  canvas_paint(s->cv, NULL, &frame);
  double width = fmin(text_width(s->cv, &s->small, caption), panel.w - 12.0);
  canvas_box(s->cv, (struct rect){panel.x + 3.0, panel.y + 3.0, width + 6.0, 11.0}, s->theme.panel); /* no threads */
  text_fit(s->cv, &s->small, (struct xy){panel.x + 6.0, panel.y + 11.0}, panel.w - 12.0, ALIGN_LEFT, caption);
}

static void draw_views(const struct sheet *s, double top)
{
  static const char *const captions[] = {"from the right", "from the front", "three-quarter view"};
  for (int i = 0; i < s->n_views; i++) {
    struct rect panel = s->panels[i];
    panel.y = top;
    draw_panel(s, panel, view_camera(i), captions[i]);
  }
  struct scale_bar bar = scale_bar_choose(s->scale, 60.0);
  double length = bar.length * s->scale + 0.6 * s->small.size + text_width(s->cv, &s->small, bar.label);
  struct xy at = {MARGIN + content - TABLE_WIDTH - GAP - length, top + s->views + 13.0};
  scale_bar_draw(s->cv, at, 60.0, s->scale, &s->small);
}

#define ROOT "\xe2\x88\x9a" /* the sign of a square root */

struct row { const char *name, *value; };

static int list_numbers(const struct creature *c, struct arena *arena, struct row *rows)
{
  const double L = c->height, g = CREATURE_GRAVITY;
  const char *speed = text_number3(arena, sqrt(g * L)), *period = text_number3(arena, sqrt(L / g));
  int n = 0;
  rows[n++] = (struct row){"mass", text_mass(arena, c->mass)};
  rows[n++] = (struct row){"degrees of freedom", arena_printf(arena, "%d", c->n_dofs)};
  rows[n++] = (struct row){"  of these in joints", arena_printf(arena, "%d", c->n_dofs - CREATURE_ROOT_DOFS)};
  rows[n++] = (struct row){"limbs", arena_printf(arena, "%d", c->n_limbs)};
  rows[n++] = (struct row){"feet", arena_printf(arena, "%d", c->n_feet)};
  rows[n++] = (struct row){"contact points", arena_printf(arena, "%d", c->n_points)};
  rows[n++] = (struct row){"height L", text_length(arena, L)};
  rows[n++] = (struct row){"natural speed " ROOT "(gL)", arena_printf(arena, "%s m/s", speed)};
  rows[n++] = (struct row){"natural period " ROOT "(L/g)", arena_printf(arena, "%s s", period)};
  rows[n++] = (struct row){"friction", text_number3(arena, c->friction)};
  rows[n++] = (struct row){"frames per second", text_number3(arena, c->frame_rate)};
  return n;
}

static void draw_table(const struct sheet *s, double top)
{
  struct row rows[16];
  int n = list_numbers(s->creature, canvas_arena(s->cv), rows);
  double left = PAGE_WIDTH - MARGIN - TABLE_WIDTH, right = PAGE_WIDTH - MARGIN;
  double step = fmin(19.0, fmax(VIEWS_LEAST, s->views + s->legend) / n), half = 0.5 * TABLE_WIDTH;
  struct font name = s->small, value = s->small;
  struct pen rule = {.colour = s->theme.faint, .width = 0.6};
  value.colour = s->theme.ink;
  canvas_line(s->cv, (struct xy){left, top}, (struct xy){right, top}, &rule);
  for (int i = 0; i < n; i++) {
    double base = top + (i + 0.5) * step + 0.36 * name.size;
    text_fit(s->cv, &name, (struct xy){left, base}, 1.3 * half, ALIGN_LEFT, rows[i].name);
    text_fit(s->cv, &value, (struct xy){right, base}, 0.65 * half, ALIGN_RIGHT, rows[i].value);
    canvas_line(s->cv, (struct xy){left, top + (i + 1) * step}, (struct xy){right, top + (i + 1) * step}, &rule);
  }
}

static void draw_gaits(const struct sheet *s, double top)
{
  struct pen rule = {.colour = s->theme.muted, .width = 0.7};
  if (s->creature->n_gaits == 0) return;
  canvas_line(s->cv, (struct xy){MARGIN, top}, (struct xy){PAGE_WIDTH - MARGIN, top}, &rule);
  for (int i = 0; i < s->creature->n_gaits; i++) {
    struct gait_diagram g = diagram_of(s, i, top + GAP);
    gait_diagram_draw(s->cv, &g);
  }
}

/* ---- the sheet ---- */

struct canvas *creature_sheet_draw(const struct creature *c, const char *path, struct diag *d)
{
  struct sheet s = {.creature = c, .theme = theme_paper()};
  s.cv = canvas_open(path, d);
  if (!s.cv) return NULL;
  s.figure = figure_new(canvas_arena(s.cv), c);
  s.small = (struct font){.size = 8.5, .colour = s.theme.muted};
  layout(&s);
  double views = page_start(s.cv, &s.page).y, legend = views + s.views, gaits = legend + s.legend + 10.0;
  draw_views(&s, views);
  draw_table(&s, views);
  draw_legend(&s, legend, 1);
  draw_gaits(&s, gaits);
  return s.cv;
}

int plot_creature_sheet(const struct creature *c, const char *path, struct diag *d)
{
  struct canvas *cv = creature_sheet_draw(c, path, d);
  return cv ? canvas_finish(cv, d) : 0;
}
