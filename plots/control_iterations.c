/* Learning over its iterations. See plots/control_figures.h. */
#include <math.h>
#include <string.h>

#include "plots/control_figures.h"

#define PAGE_WIDTH 595.0
#define MARGIN 34.0
#define PANEL 150.0
#define TEXT 9.0

/* One quantity of all kept rows of a teacher, over core-seconds or iterations. */
struct series { int n; double *x, *y; };

static double quantity(const struct store_control *c, int which)
{
  return which == 0 ? c->robustness : which == 1 ? 100 * c->success : 100 * c->residual;
}

/* Rows of the last learning of a teacher: from its last first iteration on. */
static struct series gather(struct arena *arena, const struct control_figures *f, const char *teacher, int which)
{
  struct series s = {0, ARENA_NEW(arena, (size_t)f->n_kept + 1, double),
                     ARENA_NEW(arena, (size_t)f->n_kept + 1, double)};
  for (int i = 0; i < f->n_kept; i++) {
    if (strcmp(f->kept[i].teacher, teacher))
      continue;
    if (f->kept[i].iteration == 1)
      s.n = 0;
    if (!isfinite(quantity(&f->kept[i], which)))
      continue;
    s.x[s.n] = f->kept[i].iteration;
    s.y[s.n++] = quantity(&f->kept[i], which);
  }
  return s;
}

/* The teachers that have iterations. */
enum { GUIDED, AHEAD, N_LEARNING };
static const char *const learning[N_LEARNING] = {"guided", "ahead"};
static const enum palette_colour colours[N_LEARNING] = {PALETTE_BLUE, PALETTE_GREEN};

static void draw_panel(struct canvas *cv, const struct control_figures *f, int which, double top, struct theme theme)
{
  static const char *const labels[3] = {"falls after [s]", "at the first go [%]", "variance left [%]"};
  struct arena *arena = canvas_arena(cv);
  struct series lqr = gather(arena, f, "lqr", which), learned[N_LEARNING];
  double last = 1, most = 0;
  for (int k = 0; k < N_LEARNING; k++) {
    learned[k] = gather(arena, f, learning[k], which);
    for (int i = 0; i < learned[k].n; i++) {
      last = fmax(last, learned[k].x[i]);
      most = fmax(most, learned[k].y[i]);
    }
  }
  if (lqr.n && which == 0)
    most = fmax(most, lqr.y[lqr.n - 1]);
  struct axes a = {.outer = {MARGIN, top, PAGE_WIDTH - 2 * MARGIN, PANEL}, .x_lo = 0, .x_hi = last + 0.5, .y_lo = 0,
                   .y_hi = most > 0 ? 1.1 * most : 1, .x_label = which == 2 ? "iteration" : NULL,
                   .y_label = labels[which],
                   .theme = theme, .size = TEXT, .grid = 1, .left = 52, .bare_x = which < 2};
  axes_layout(cv, &a);
  canvas_box(cv, a.area, theme.panel);
  axes_draw(cv, &a);
  for (int k = 0; k < N_LEARNING; k++) {
    const struct series *s = &learned[k];
    axes_curve(cv, &a, s->n, s->x, s->y, &(struct pen){palette(colours[k]), 1.6, 0});
    axes_marks(cv, &a, s->n, s->x, s->y, &(struct legend_entry){NULL, MARKER_DOT, palette(colours[k]), 0, 0});
  }
  if (lqr.n && which == 0)
    axes_level(cv, &a, lqr.y[lqr.n - 1], &(struct pen){palette(PALETTE_VERMILION), 1.4, 4});
}

struct canvas *control_iterations_draw(const struct control_figures *f, const char *path, struct diag *d)
{
  struct canvas *cv = canvas_open(path, d);
  struct theme theme = theme_paper();
  if (!cv)
    return NULL;
  struct page page = {.width = PAGE_WIDTH, .margin = MARGIN, .theme = theme, .title = "Robustness over iterations",
                      .subtitle = arena_printf(canvas_arena(cv), "%s. Mean time until growing pushes make it fall, by "
                      "the policies alone; share of the walks' fragments that were done at the first go; share of the "
                      "actions' variance that policies do not explain.", f->graph->creature->name)};
  page.height = MARGIN + page_head_height(cv, &page) + 20 + 3 * (PANEL + 8) + MARGIN;
  double top = page_start(cv, &page).y;
  const struct legend_entry entries[3] = {{"guided learning", MARKER_DOT, palette(colours[GUIDED]), 0, 0},
                                          {"what looking ahead does", MARKER_DOT, palette(colours[AHEAD]), 0, 0},
                                          {"identification and Riccati", MARKER_DOT, palette(PALETTE_VERMILION), 1, 4}};
  legend_draw(cv, &(struct legend){.at = {MARGIN, top}, .width = PAGE_WIDTH,
                                   .font = {.size = TEXT, .colour = theme.ink}, .n = 3,
              .entries = entries, .draw = 1});
  for (int i = 0; i < 3; i++)
    draw_panel(cv, f, i, top + 20 + i * (PANEL + 8), theme);
  return cv;
}
