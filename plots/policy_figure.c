/* The policy of a controller. See plots/policy_figure.h. */
#include "plots/policy_figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/angle.h"
#include "plots/choices.h"
#include "plots/task_map.h"

#define PAGE_WIDTH 842.0 /* A4 on its side; as high as it needs [points] */
#define MARGIN 30.0
#define GAP 14.0
#define TEXT 8.5
#define POLAR 210.0      /* radius of the outermost band                 */
#define KEY 190.0        /* width of the key                             */
#define KEY_ROW 13.0
#define ENTRIES 48       /* of the key, at most                          */

static const double content = PAGE_WIDTH - 2.0 * MARGIN;

struct entry { struct choice choice; char *label; double taken; };

struct sheet {
  struct canvas *cv;
  const struct controller *c;
  struct theme theme;
  const struct task_map *m;
  double largest;               /* turn [rad]                                            */
  int n_entries, n_more;
  struct entry *entries;        /* choices that the maps show, clips of one label as one */
};

/* ---- the key ---- */

static struct choice choice_at(const struct sheet *s, size_t at)
{
  const struct motion_graph *g = s->c->graph;
  return choice_of_clip(g->clips[g->segments[s->c->values->choice[at]].choice].clip);
}

static struct colour colour_at(const void *user, size_t at)
{
  const struct sheet *s = user;
  struct choice c = choice_at(s, at);
  return choice_colour(&c, s->largest);
}

/* From the farthest left to the farthest right; what goes on, and changes of gait, between. */
static int compare_entries(const void *a, const void *b)
{
  const struct entry *x = a, *y = b;
  double turn_x = x->choice.turn, turn_y = y->choice.turn;
  if (x->choice.changes_gait != y->choice.changes_gait) return x->choice.changes_gait - y->choice.changes_gait;
  if (turn_x != turn_y) return turn_x > turn_y ? -1 : 1;
  return strcmp(x->label, y->label);
}

static void add_entry(struct sheet *s, const struct choice *c)
{
  char *label = choice_label(canvas_arena(s->cv), c);
  for (int i = 0; i < s->n_entries; i++)
    if (strcmp(s->entries[i].label, label) == 0) return;
  if (s->n_entries == ENTRIES) {
    s->n_more++;
    return;
  }
  s->entries[s->n_entries++] = (struct entry){*c, label, 0.0};
}

/* Share of all choices that take a clip of this label. */
static double share_taken(const struct sheet *s, const char *label)
{
  const struct motion_graph *g = s->c->graph;
  struct arena *arena = arena_new();
  double sum = 0.0;
  for (int e = 0; e < g->n_segments; e++) {
    struct choice c = choice_of_clip(g->clips[g->segments[e].choice].clip);
    if (strcmp(choice_label(arena, &c), label) == 0) sum += s->c->influence->mass[e];
  }
  arena_free(arena);
  return sum;
}

static void gather_entries(struct sheet *s)
{
  const struct motion_graph *g = s->c->graph;
  struct arena *arena = canvas_arena(s->cv);
  char *seen = ARENA_NEW(arena, (size_t)g->n_clips + 1, char);
  s->entries = ARENA_NEW(arena, ENTRIES, struct entry);
  for (int k = 0; k < s->m->n_nodes; k++)
    for (int x = 0; x < s->m->axis[0].n; x++)
      for (int y = 0; y < (s->m->n_axes > 1 ? s->m->axis[1].n : 1); y++)
        seen[g->segments[s->c->values->choice[task_map_at(s->m, s->m->nodes[k], x, y)]].choice] = 1;
  for (int i = 0; i < g->n_clips; i++) {
    struct choice c = choice_of_clip(g->clips[i].clip);
    if (seen[i]) add_entry(s, &c);
  }
  for (int i = 0; i < s->n_entries; i++) s->entries[i].taken = share_taken(s, s->entries[i].label);
  qsort(s->entries, (size_t)s->n_entries, sizeof *s->entries, compare_entries);
}

static double key_height(const struct sheet *s) { return 24.0 + KEY_ROW * (s->n_entries + (s->n_more > 0)); }

static void draw_key(const struct sheet *s, struct xy at)
{
  struct arena *arena = canvas_arena(s->cv);
  struct font head = {.size = 10.0, .bold = 1, .colour = s->theme.ink}, f = {.size = 9.0, .colour = s->theme.ink};
  struct font small = {.size = 9.0, .colour = s->theme.muted};
  double right = at.x + KEY;
  text_fit(s->cv, &head, (struct xy){at.x, at.y + 9.0}, KEY - 70.0, ALIGN_LEFT, "what is chosen");
  text_fit(s->cv, &small, (struct xy){right, at.y + 9.0}, 68.0, ALIGN_RIGHT, "of all choices");
  for (int i = 0; i < s->n_entries; i++) {
    const struct entry *e = &s->entries[i];
    double y = at.y + 25.0 + KEY_ROW * i;
    struct rect box = {at.x, y - 8.0, 14.0, 9.5};
    canvas_box(s->cv, box, choice_colour(&e->choice, s->largest));
    text_fit(s->cv, &f, (struct xy){at.x + 20.0, y}, KEY - 64.0, ALIGN_LEFT, e->label);
    text_fit(s->cv, &small, (struct xy){right, y}, 40.0, ALIGN_RIGHT, arena_printf(arena, "%.1f %%", 100.0 * e->taken));
  }
  if (s->n_more)
    text_fit(s->cv, &small, (struct xy){at.x + 20.0, at.y + 25.0 + KEY_ROW * s->n_entries}, KEY - 20.0, ALIGN_LEFT,
             arena_printf(arena, "and %d more", s->n_more));
}

static char *facts(const struct sheet *s)
{
  struct arena *arena = canvas_arena(s->cv);
  char *text = arena_printf(arena, "Policy: what is chosen at a decision node (with its share of all choices), over "
                            "what is asked; mean cost %s a frame; grid %s", text_number3(arena, s->c->cost),
                            controller_grid_text(s->c->task).words);
  if (s->m->held) text = arena_printf(arena, "%s; shown with %s", text, s->m->held);
  if (s->c->graph->n_nodes > s->m->n_nodes)
    text = arena_printf(arena, "%s; the %d most visited of %d nodes", text, s->m->n_nodes, s->c->graph->n_nodes);
  return text;
}

static char *node_title(const struct sheet *s, int k)
{
  struct arena *arena = canvas_arena(s->cv);
  return arena_printf(arena, "%s: %.1f %%", task_map_node(s->m, arena, s->m->nodes[k]),
                      100.0 * s->m->visits[k]);
}

/* ---- two axes: maps; one: bands ---- */

static struct panels panels_of(const struct sheet *s)
{
  int n = s->m->n_nodes, one = s->m->n_axes == 1, columns = one || n == 1 ? 1 : n == 2 || n == 4 ? 2 : 3;
  double width = content - KEY - 20.0, each = (width - (columns - 1) * GAP) / columns;
  int named = !one && s->m->axis[1].p->kind->space == TASK_CATEGORY;
  double height = one ? 64.0 : named ? 62.0 + 26.0 * s->m->axis[1].n : fmin(430.0, 0.88 * each + 14.0);
  return (struct panels){.width = width, .height = height, .gap_x = GAP, .gap_y = 8.0, .columns = columns};
}

static void draw_map(const struct sheet *s, const struct panels *p, int k)
{
  struct axes a = {.outer = panels_cell(p, k), .y_hi = 1.0, .theme = s->theme, .size = TEXT};
  a.title = node_title(s, k);
  task_map_axes(s->cv, s->m, &a);
  if (s->m->n_axes == 1) a.y_ticks.n = 0;
  if (k % p->columns) a.y_label = NULL;
  if (k + p->columns < s->m->n_nodes) a.x_label = NULL;
  task_map_paint(s->cv, s->m, s->m->nodes[k], &a, &(struct task_painter){colour_at, s});
  task_map_draw_axes(s->cv, s->m, &a);
}

static void draw_maps(struct sheet *s, struct page *page)
{
  struct panels p = panels_of(s);
  double head = MARGIN + page_head_height(s->cv, page);
  page->height = head + fmax(panels_height(&p, s->m->n_nodes), key_height(s)) + MARGIN;
  p.at = (struct xy){MARGIN, page_start(s->cv, page).y};
  for (int k = 0; k < s->m->n_nodes; k++) draw_map(s, &p, k);
  draw_key(s, (struct xy){PAGE_WIDTH - MARGIN - KEY, p.at.y});
}

/* ---- a circle: a band for each node, the most visited outermost ---- */

static void draw_sector(const struct sheet *s, struct xy centre, const double *radii, const struct xy *span,
                        struct colour c)
{
  const double quarter = 1.5707963267948966, seam = 0.002;
  double from = -quarter - span->y - seam, until = -quarter - span->x + seam; /* to the left is against the clock */
  struct xy inner[2] = {{centre.x + radii[0] * cos(until), centre.y + radii[0] * sin(until)}};
  path_arc(s->cv, centre, radii[1], from, until);
  path_line(s->cv, inner[0].x, inner[0].y);
  for (int i = 1; i <= 24; i++) {
    double angle = until + (from - until) * i / 24.0;
    path_line(s->cv, centre.x + radii[0] * cos(angle), centre.y + radii[0] * sin(angle));
  }
  path_close(s->cv);
  canvas_paint(s->cv, &(struct fill){.colour = c}, NULL);
}

static void draw_band(const struct sheet *s, struct xy centre, int k, const double *radii)
{
  const struct task_axis *x = &s->m->axis[0];
  const int *choice = s->c->values->choice;
  for (int from = 0, until; from < x->n; from = until) {
    size_t at = task_map_at(s->m, s->m->nodes[k], from, 0);
    for (until = from + 1; until < x->n; until++)
      if (choice[task_map_at(s->m, s->m->nodes[k], until, 0)] != choice[at]) break;
    struct xy span = {TO_RADIANS * x->cells[from].lo, TO_RADIANS * x->cells[until - 1].hi};
    draw_sector(s, centre, radii, &span, colour_at(s, at));
  }
  for (int i = 0; i < 2; i++) {
    path_arc(s->cv, centre, radii[i], 0.0, 360.0 * TO_RADIANS);
    canvas_paint(s->cv, NULL, &(struct pen){s->theme.muted, 0.6, 0.0});
  }
}

static void draw_numbers(const struct sheet *s, struct xy centre, double thick)
{
  struct font f = {.size = fmin(TEXT, 0.6 * thick), .bold = 1, .colour = s->theme.ink};
  struct arena *arena = canvas_arena(s->cv);
  for (int k = 0; k < s->m->n_nodes; k++) {
    struct xy at = {centre.x, centre.y + POLAR - (k + 0.5) * thick};
    marker_draw(s->cv, MARKER_DOT, at, 0.75 * f.size, colour_fade(s->theme.paper, 0.85));
    text_draw(s->cv, &f, (struct xy){at.x, at.y + 0.36 * f.size}, ALIGN_CENTRE, arena_printf(arena, "%d", k + 1));
  }
}

static void draw_nodes(const struct sheet *s, struct xy at)
{
  struct font head = {.size = 10.0, .bold = 1, .colour = s->theme.ink}, f = {.size = 9.0, .colour = s->theme.ink};
  struct arena *arena = canvas_arena(s->cv);
  text_fit(s->cv, &head, (struct xy){at.x, at.y + 9.0}, KEY, ALIGN_LEFT, "bands, from the outside");
  for (int k = 0; k < s->m->n_nodes; k++)
    text_fit(s->cv, &f, (struct xy){at.x, at.y + 25.0 + KEY_ROW * k}, KEY + 30.0, ALIGN_LEFT,
             arena_printf(arena, "%d  %s", k + 1, node_title(s, k)));
  struct font small = {.size = 8.5, .colour = s->theme.muted};
  struct paragraph lines = {.width = KEY, .most = 4, .draw = 1};
  text_wrap(s->cv, &small, (struct xy){at.x, at.y + 25.0 + KEY_ROW * s->m->n_nodes + 8.0}, &lines,
            "Around: what is asked, against the heading; ahead is up, left is left.");
}

static void draw_polar(struct sheet *s, struct page *page)
{
  double head = MARGIN + page_head_height(s->cv, page), room = 2.0 * POLAR + 5.0 * TEXT;
  double nodes = 25.0 + KEY_ROW * s->m->n_nodes + 60.0, thick = fmin(44.0, 0.8 * POLAR / s->m->n_nodes);
  struct xy centre = {MARGIN + 0.5 * room + 10.0, head + 0.5 * room};
  page->height = head + fmax(room, key_height(s) + nodes) + MARGIN;
  page_start(s->cv, page);
  for (int k = 0; k < s->m->n_nodes; k++)
    draw_band(s, centre, k, (double[]){POLAR - (k + 1) * thick, POLAR - k * thick});
  polar_labels(s->cv, centre, POLAR, &s->theme, TEXT);
  draw_numbers(s, centre, thick);
  double x = MARGIN + room + 40.0;
  draw_nodes(s, (struct xy){x, head + 12.0});
  draw_key(s, (struct xy){x, head + 12.0 + nodes});
}

struct canvas *policy_figure_draw(const struct controller *c, const char *path, struct diag *d)
{
  struct sheet s = {.cv = canvas_open(path, d), .c = c, .theme = theme_paper()};
  if (!s.cv) return NULL;
  struct arena *arena = canvas_arena(s.cv);
  s.m = task_map_new(arena, c);
  s.largest = choice_largest(c->graph);
  gather_entries(&s);
  struct page page = {.width = PAGE_WIDTH, .margin = MARGIN, .theme = s.theme,
                      .title = choice_title(arena, c->graph->creature->name, c->task->name), .subtitle = facts(&s)};
  if (s.m->n_axes == 1 && s.m->axis[0].p->kind->space == TASK_CIRCLE)
    draw_polar(&s, &page);
  else
    draw_maps(&s, &page);
  return s.cv;
}

int plot_policy(const struct controller *c, const char *path, struct diag *d)
{
  struct canvas *cv = policy_figure_draw(c, path, d);
  return cv ? canvas_finish(cv, d) : 0;
}
