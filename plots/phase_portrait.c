/* The phase portrait of a walk. See plots/control_figures.h. */
#include <math.h>

#include "base/angle.h"
#include "plots/control_figures.h"

#define PAGE_WIDTH 842.0
#define MARGIN 34.0
#define TEXT 8.5
#define HEIGHT 250.0

static const struct { int dof; const char *x, *y; double per_x, per_y; } panels[3] = {
    {5, "roll [degrees]", "rate [degrees / s]", TO_DEGREES, TO_DEGREES},
    {4, "pitch [degrees]", "rate [degrees / s]", TO_DEGREES, TO_DEGREES},
    {2, "height of the root [m]", "rate [m / s]", 1, 1}};

struct curve { int n; double *x, *y; };

/* A dof over its rate, by central differences over the recorded motion. */
static struct curve of_motion(struct arena *arena, const struct clip *m, int until, int panel)
{
  struct curve c = {0, ARENA_NEW(arena, (size_t)m->n_frames, double), ARENA_NEW(arena, (size_t)m->n_frames, double)};
  size_t n = (size_t)m->n_dofs, dof = (size_t)panels[panel].dof;
  for (int k = 1; k + 1 < until; k++) {
    const double *q = m->q + (size_t)k * n + dof;
    c.x[c.n] = panels[panel].per_x * q[0];
    c.y[c.n++] = panels[panel].per_y * (q[n] - *(q - n)) / (2 * m->dt);
  }
  return c;
}

/* The cycle itself, closed. */
static struct curve of_cycle(struct arena *arena, const struct control_graph *g, int strip, int panel)
{
  int frames = g->strips[strip].n_frames, dof = panels[panel].dof;
  struct curve c = {frames + 1, ARENA_NEW(arena, (size_t)frames + 1, double),
                    ARENA_NEW(arena, (size_t)frames + 1, double)};
  for (int k = 0; k <= frames; k++) {
    c.x[k] = panels[panel].per_x * control_graph_q(g, strip, k)[dof];
    c.y[k] = panels[panel].per_y * control_graph_v(g, strip, k)[dof];
  }
  return c;
}

static int first_cycle(const struct control_graph *g)
{
  for (int i = 0; i < g->n_strips; i++)
    if (g->strips[i].n && g->strips[i].clip->cyclic)
      return i;
  return 0;
}

static void widen(const struct curve *c, struct axes *a)
{
  for (int i = 0; i < c->n; i++) {
    a->x_lo = fmin(a->x_lo, c->x[i]);
    a->x_hi = fmax(a->x_hi, c->x[i]);
    a->y_lo = fmin(a->y_lo, c->y[i]);
    a->y_hi = fmax(a->y_hi, c->y[i]);
  }
}

static void draw_panel(struct canvas *cv, const struct control_figures *f, int panel, struct rect area,
                       struct theme theme)
{
  struct arena *arena = canvas_arena(cv);
  const struct scene *s = f->scene;
  int until = s->fallen >= 0 ? s->fallen : s->motion->n_frames;
  struct curve walk = of_motion(arena, s->motion, until, panel);
  struct curve cycle = of_cycle(arena, f->graph, first_cycle(f->graph), panel);
  struct axes a = {.outer = area, .x_lo = INFINITY, .x_hi = -INFINITY, .y_lo = INFINITY, .y_hi = -INFINITY,
                   .x_label = panels[panel].x,
                   .y_label = panels[panel].y, .theme = theme, .size = TEXT, .grid = 1};
  widen(&walk, &a);
  widen(&cycle, &a);
  axes_widen(&a.x_lo, &a.x_hi, 1e-3);
  axes_widen(&a.y_lo, &a.y_hi, 1e-3);
  axes_layout(cv, &a);
  canvas_box(cv, a.area, theme.panel);
  axes_draw(cv, &a);
  axes_curve(cv, &a, walk.n, walk.x, walk.y, &(struct pen){colour_fade(palette(PALETTE_BLUE), 0.55), 0.6, 0});
  axes_curve(cv, &a, cycle.n, cycle.x, cycle.y, &(struct pen){palette(PALETTE_VERMILION), 1.6, 0});
  for (int i = 0; i < f->n_pushes; i++) {
    int k = (int)(f->pushes[i].time / s->motion->dt);
    if (k > 0 && k < walk.n)
      axes_marks(cv, &a, 1, walk.x + k, walk.y + k, &(struct legend_entry){NULL, MARKER_DIAMOND, palette(PALETTE_BLACK),
                                                                           0, 0});
  }
}

struct canvas *phase_portrait_draw(const struct control_figures *f, const char *path, struct diag *d)
{
  struct canvas *cv = canvas_open(path, d);
  struct theme theme = theme_paper();
  if (!cv)
    return NULL;
  struct arena *arena = canvas_arena(cv);
  struct page page = {.width = PAGE_WIDTH, .margin = MARGIN, .theme = theme,
                      .title = arena_printf(arena, "%s: phase portraits", f->graph->creature->name),
                      .subtitle = arena_printf(arena, "%.0f s in the simulated world (blue) around the cycle that it "
                      "follows (red); a diamond where it was pushed.", f->scene->fell_after)};
  page.height = MARGIN + page_head_height(cv, &page) + HEIGHT + MARGIN;
  double top = page_start(cv, &page).y, wide = (PAGE_WIDTH - 2 * MARGIN - 20) / 3;
  for (int i = 0; i < 3; i++)
    draw_panel(cv, f, i, (struct rect){MARGIN + i * (wide + 10), top, wide, HEIGHT}, theme);
  return cv;
}
