/* The values of a controller. See plots/values_figure.h. */
#include "plots/values_figure.h"

#include <math.h>

#include "base/angle.h"
#include "plots/choices.h"
#include "plots/task_map.h"

#define PAGE_WIDTH 842.0 /* A4 on its side; as high as it needs [points] */
#define MARGIN 30.0
#define BAR 62.0         /* the colour bar, with its numbers             */
#define GAP 14.0
#define TEXT 8.5
#define POLAR 210.0      /* radius                                       */
#define HOLE 0.1         /* of the polar chart: its radius for 0         */
#define SHADES 64

static const double content = PAGE_WIDTH - 2.0 * MARGIN;

struct sheet {
  struct canvas *cv;
  const struct controller *c;
  struct theme theme;
  const struct task_map *m;
  double best, most;            /* least value of all, and the largest above it that is shown [cost x s] */
};

/* ---- numbers ---- */

/* Above the best of all, as cost times seconds. */
static double above(const struct sheet *s, size_t at) { return (s->c->values->V[at] - s->best) * s->c->task->dt; }

static int is_shown(const struct sheet *s, int node)
{
  for (int k = 0; k < s->m->n_nodes; k++)
    if (s->m->nodes[k] == node) return 1;
  return 0;
}

/* Over all maps; curves of all nodes are drawn. */
static void find_range(struct sheet *s)
{
  const struct values *v = s->c->values;
  s->best = INFINITY;
  for (size_t i = 0; i < (size_t)v->n_nodes * v->grid; i++) s->best = fmin(s->best, v->V[i]);
  for (int node = 0; node < v->n_nodes; node++)
    for (int x = 0; x < s->m->axis[0].n; x++)
      for (int y = 0; y < (s->m->n_axes > 1 ? s->m->axis[1].n : 1); y++)
        if (s->m->n_axes == 1 || is_shown(s, node)) s->most = fmax(s->most, above(s, task_map_at(s->m, node, x, y)));
  if (!(s->most > 0.0)) s->most = 1e-3;
}

static char *facts(const struct sheet *s)
{
  struct arena *arena = canvas_arena(s->cv);
  const struct values *v = s->c->values;
  char *text = arena_printf(arena, "Cost to come above the best moment at a decision node (with its share of all "
                            "choices), over what is asked; mean cost %s a frame, between %.6g and %.6g; grid %s",
                            text_number3(arena, s->c->cost), v->lower, v->upper,
                            controller_grid_text(s->c->task).words);
  if (s->m->held) text = arena_printf(arena, "%s; shown with %s", text, s->m->held);
  if (s->c->graph->n_nodes > s->m->n_nodes)
    text = arena_printf(arena, "%s; the %d most visited of %d nodes", text, s->m->n_nodes, s->c->graph->n_nodes);
  return text;
}

/* ---- two axes: heat maps ---- */

static struct colour shade(const void *user, size_t at)
{
  const struct sheet *s = user;
  return colour_heat(floor(above(s, at) / s->most * SHADES) / SHADES);
}

static void draw_bar(const struct sheet *s, struct rect area)
{
  struct axes a = {.outer = area, .x_hi = 1.0, .y_hi = s->most, .theme = s->theme, .size = TEXT,
                   .y_label = "cost to come [cost \xc3\x97 s]"};
  axes_layout(s->cv, &a);
  a.x_ticks.n = 0;
  heat_bar_draw(s->cv, a.area, 1);
  axes_draw(s->cv, &a);
}

static struct panels panels_of(const struct sheet *s)
{
  int n = s->m->n_nodes, columns = n == 1 ? 1 : n == 2 || n == 4 ? 2 : 3;
  double width = content - BAR - 10.0, each = (width - (columns - 1) * GAP) / columns;
  int named = s->m->axis[1].p->kind->space == TASK_CATEGORY;
  double height = named ? 62.0 + 26.0 * s->m->axis[1].n : fmin(430.0, 0.88 * each + 14.0);
  return (struct panels){.width = width, .height = height, .gap_x = GAP, .gap_y = 8.0, .columns = columns};
}

static void draw_map(const struct sheet *s, const struct panels *p, int k)
{
  struct arena *arena = canvas_arena(s->cv);
  int last_row = k + p->columns >= s->m->n_nodes;
  struct axes a = {.outer = panels_cell(p, k), .theme = s->theme, .size = TEXT};
  a.title = arena_printf(arena, "%s: %.1f %%", task_map_node(s->m, arena, s->m->nodes[k]),
                         100.0 * s->m->visits[k]);
  task_map_axes(s->cv, s->m, &a);
  if (k % p->columns) a.y_label = NULL;
  if (!last_row) a.x_label = NULL;
  canvas_as_is(s->cv, 1); /* a scale must stay in order also on a dark page */
  task_map_paint(s->cv, s->m, s->m->nodes[k], &a, &(struct task_painter){shade, s});
  canvas_as_is(s->cv, 0);
  task_map_draw_axes(s->cv, s->m, &a);
}

static void draw_maps(struct sheet *s, struct page *page)
{
  struct panels p = panels_of(s);
  double head = MARGIN + page_head_height(s->cv, page), height = panels_height(&p, s->m->n_nodes);
  page->height = head + fmax(height, 150.0) + MARGIN;
  p.at = (struct xy){MARGIN, page_start(s->cv, page).y};
  for (int k = 0; k < s->m->n_nodes; k++) draw_map(s, &p, k);
  draw_bar(s, (struct rect){PAGE_WIDTH - MARGIN - BAR, p.at.y, BAR, fmin(fmax(height, 150.0), 400.0)});
}

/* ---- one axis: curves ---- */

static struct pen pen_of(int k)
{
  static const int colours[] = {PALETTE_BLUE, PALETTE_VERMILION, PALETTE_GREEN, PALETTE_PURPLE, PALETTE_ORANGE,
                                PALETTE_SKY};
  return (struct pen){palette(colours[k % 6]), 1.6, k < 6 ? 0.0 : 3.0};
}

static void path_of_node(const struct sheet *s, int node, struct xy centre)
{
  const struct task_parameter *p = s->m->axis[0].p;
  for (int i = 0; i < p->n; i++) {
    size_t at = (size_t)node * s->c->values->grid + s->m->base + s->m->stride[0] * (size_t)i;
    double r = POLAR * (HOLE + (1.0 - HOLE) * above(s, at) / s->most);
    struct xy to = polar_at(centre, r, p->values[i]);
    path_line(s->cv, to.x, to.y);
  }
  path_close(s->cv);
}

static void draw_rings(const struct sheet *s, struct xy centre)
{
  struct font f = {.size = TEXT, .colour = s->theme.muted};
  struct pen thread = {.colour = s->theme.faint, .width = 0.7};
  struct ticks t;
  char label[48];
  path_arc(s->cv, centre, POLAR, 0.0, 360.0 / TO_DEGREES);
  canvas_paint(s->cv, &(struct fill){.colour = s->theme.panel}, &(struct pen){s->theme.muted, 0.8, 0.0});
  for (int spoke = 0; spoke < 12; spoke++) {
    double angle = 30.0 * spoke / TO_DEGREES;
    canvas_line(s->cv, polar_at(centre, HOLE * POLAR, angle), polar_at(centre, POLAR, angle), &thread);
  }
  ticks_choose(0.0, s->most, 5, &t);
  for (int i = 0; i < t.n; i++) {
    double r = POLAR * (HOLE + (1.0 - HOLE) * t.at[i] / s->most);
    path_arc(s->cv, centre, r, 0.0, 360.0 / TO_DEGREES);
    canvas_paint(s->cv, NULL, &thread);
    if (!(t.at[i] > 0.0)) continue; /* the inner circle */
    ticks_label(&t, i, label, sizeof label);
    struct xy at = polar_at(centre, r, -15.0 / TO_DEGREES);
    text_draw(s->cv, &f, (struct xy){at.x, at.y + 0.36 * TEXT}, ALIGN_CENTRE, label);
  }
}

static void draw_list(const struct sheet *s, struct xy at)
{
  struct arena *arena = canvas_arena(s->cv);
  struct font head = {.size = 10.0, .bold = 1, .colour = s->theme.ink}, f = {.size = 9.0, .colour = s->theme.ink};
  double width = PAGE_WIDTH - MARGIN - at.x;
  text_fit(s->cv, &head, at, width, ALIGN_LEFT, "at which decision node");
  for (int k = 0; k < s->m->n_nodes; k++) {
    struct pen pen = pen_of(k);
    double y = at.y + 18.0 + 15.0 * k;
    canvas_line(s->cv, (struct xy){at.x, y - 3.0}, (struct xy){at.x + 20.0, y - 3.0}, &pen);
    char *text = arena_printf(arena, "%s: %.1f %% of choices", task_map_node(s->m, arena, s->m->nodes[k]),
                              100.0 * s->m->visits[k]);
    text_fit(s->cv, &f, (struct xy){at.x + 27.0, y}, width - 27.0, ALIGN_LEFT, text);
  }
  struct font small = {.size = 8.5, .colour = s->theme.muted};
  struct paragraph lines = {.width = width, .most = 6, .draw = 1};
  const char *how = s->m->axis[0].p->kind->space == TASK_CIRCLE
                        ? "Around: what is asked, against the heading; ahead is up, left is left. Outwards: cost to "
                          "come above the best moment [cost \xc3\x97 s], 0 at the inner circle."
                        : "Upwards: cost to come above the best moment [cost \xc3\x97 s].";
  char *others = s->c->graph->n_nodes > s->m->n_nodes ? arena_printf(arena, " Thin and grey: other nodes.") : "";
  text_wrap(s->cv, &small, (struct xy){at.x, at.y + 18.0 + 15.0 * s->m->n_nodes + 12.0}, &lines,
            arena_printf(arena, "%s%s", how, others));
}

static void draw_polar(struct sheet *s, struct page *page)
{
  double head = MARGIN + page_head_height(s->cv, page), room = 2.0 * POLAR + 5.0 * TEXT;
  struct xy centre = {MARGIN + 0.5 * room + 10.0, head + 0.5 * room};
  page->height = head + room + MARGIN;
  page_start(s->cv, page);
  draw_rings(s, centre);
  polar_labels(s->cv, centre, POLAR, &s->theme, TEXT);
  for (int node = 0; node < s->c->graph->n_nodes; node++) { /* those without a colour */
    if (is_shown(s, node)) continue;
    path_of_node(s, node, centre);
    canvas_paint(s->cv, NULL, &(struct pen){colour_fade(s->theme.muted, 0.35), 0.5, 0.0});
  }
  for (int k = s->m->n_nodes - 1; k >= 0; k--) {
    struct pen pen = pen_of(k);
    path_of_node(s, s->m->nodes[k], centre);
    canvas_paint(s->cv, NULL, &pen);
  }
  draw_list(s, (struct xy){MARGIN + room + 40.0, head + 24.0});
}

static void draw_curves(struct sheet *s, struct page *page)
{
  const struct task_axis *x = &s->m->axis[0];
  struct arena *arena = canvas_arena(s->cv);
  double head = MARGIN + page_head_height(s->cv, page), *at = ARENA_NEW(arena, (size_t)x->n, double);
  double *value = ARENA_NEW(arena, (size_t)x->n, double);
  struct pen other = {colour_fade(s->theme.muted, 0.35), 0.5, 0.0};
  page->height = head + 380.0 + MARGIN;
  page_start(s->cv, page);
  struct axes a = {.outer = {MARGIN, head, 500.0, 380.0}, .y_hi = 1.06 * s->most, .theme = s->theme, .size = TEXT,
                   .grid = 1, .y_label = "cost to come [cost \xc3\x97 s]"};
  task_map_axes(s->cv, s->m, &a);
  canvas_box(s->cv, a.area, s->theme.panel);
  task_map_draw_axes(s->cv, s->m, &a);
  for (int i = 0; i < x->n; i++) at[i] = 0.5 * (x->cells[i].lo + x->cells[i].hi);
  for (int node = 0; node < s->c->graph->n_nodes; node++) {
    for (int i = 0; i < x->n; i++) value[i] = above(s, task_map_at(s->m, node, i, 0));
    if (!is_shown(s, node)) axes_curve(s->cv, &a, x->n, at, value, &other);
  }
  for (int k = s->m->n_nodes - 1; k >= 0; k--) {
    struct pen pen = pen_of(k);
    for (int i = 0; i < x->n; i++) value[i] = above(s, task_map_at(s->m, s->m->nodes[k], i, 0));
    axes_curve(s->cv, &a, x->n, at, value, &pen);
    axes_marks(s->cv, &a, x->n, at, value, &(struct legend_entry){.marker = MARKER_DOT, .colour = pen.colour});
  }
  draw_list(s, (struct xy){MARGIN + 530.0, head + 24.0});
}

struct canvas *values_figure_draw(const struct controller *c, const char *path, struct diag *d)
{
  struct sheet s = {.cv = canvas_open(path, d), .c = c, .theme = theme_paper()};
  if (!s.cv) return NULL;
  struct arena *arena = canvas_arena(s.cv);
  s.m = task_map_new(arena, c);
  find_range(&s);
  struct page page = {.width = PAGE_WIDTH, .margin = MARGIN, .theme = s.theme,
                      .title = choice_title(arena, c->graph->creature->name, c->task->name), .subtitle = facts(&s)};
  if (s.m->n_axes > 1)
    draw_maps(&s, &page);
  else if (s.m->axis[0].p->kind->space == TASK_CIRCLE)
    draw_polar(&s, &page);
  else
    draw_curves(&s, &page);
  return s.cv;
}

int plot_values(const struct controller *c, const char *path, struct diag *d)
{
  struct canvas *cv = values_figure_draw(c, path, d);
  return cv ? canvas_finish(cv, d) : 0;
}
