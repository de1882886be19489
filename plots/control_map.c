/* The fragments of a control graph, coloured. See plots/control_figures.h. */
#include <math.h>

#include "base/angle.h"
#include "plots/control_figures.h"

#define PAGE_WIDTH 842.0
#define MARGIN 34.0
#define LABEL 120.0
#define ROW 15.0
#define TEXT 8.5

enum { BY_GAIN, BY_VARIANCE };

/* Size of a fragment's feedback: root of the sum of squares of the compact gain, or of the full one; and the root of
 * the mean variance [degrees] that it leaves. */
static double amount(const struct controls *c, int fragment, int which)
{
  int n = features_count(c->features), m = features_actions(c->features), dofs = c->graph->creature->n_dofs;
  double sum = 0;
  if (which == BY_VARIANCE) {
    for (int i = 0; c->compact && i < m; i++)
      sum += c->compact[fragment].variance[i] / m;
    return sqrt(sum) * TO_DEGREES;
  }
  if (c->compact)
    for (int i = 0; i < n * m; i++)
      sum += c->compact[fragment].M[i] * c->compact[fragment].M[i];
  else
    for (int i = 0; i < 2 * dofs * (dofs - CREATURE_ROOT_DOFS); i++)
      sum += c->gains[fragment].K[i] * c->gains[fragment].K[i];
  return sqrt(sum);
}

static void limits(const struct controls *c, int which, double *lo, double *hi)
{
  *lo = INFINITY;
  *hi = 0;
  for (int i = 0; i < c->graph->n_fragments; i++) {
    double a = amount(c, i, which);
    *lo = fmin(*lo, a);
    *hi = fmax(*hi, a);
  }
}

/* As it is also on a dark page: a scale must stay in order. */
static void draw_tint(struct canvas *cv, struct rect r, double share)
{
  canvas_as_is(cv, 1);
  canvas_box(cv, r, colour_heat(share));
  canvas_as_is(cv, 0);
}

static double longest(const struct control_graph *g)
{
  double most = 1;
  for (int i = 0; i < g->n_strips; i++)
    most = fmax(most, g->strips[i].n ? g->strips[i].n_frames : 0);
  return most;
}

struct map { struct canvas *cv; const struct control_figures *f; struct theme theme; double top, width; };

/* A clip as a row of its fragments; a tick where it may be left. */
static void draw_strip(const struct map *m, int strip, int row, int which, struct xy range)
{
  const struct control_graph *g = m->f->graph;
  const struct control_strip *s = &g->strips[strip];
  double y = m->top + row * ROW, per_frame = (m->width - LABEL) / longest(g);
  struct font small = {.size = TEXT, .colour = m->theme.ink};
  double left = MARGIN + which * (m->width + 14);
  text_fit(m->cv, &small, (struct xy){left, y + ROW - 4.5}, LABEL - 6, ALIGN_LEFT,
           arena_printf(canvas_arena(m->cv), "%d %s%s", g->motion->clips[strip].id, s->clip->name,
                        s->clip->cyclic ? "" : arena_printf(canvas_arena(m->cv), " %+.0f°",
                                                            s->clip->turn * TO_DEGREES)));
  for (int i = s->first; i < s->first + s->n; i++) {
    const struct control_fragment *f = &g->fragments[i];
    double share = range.y > range.x ? (amount(m->f->controls, i, which) - range.x) / (range.y - range.x) : 0;
    struct rect r = {left + LABEL + f->from * per_frame, y + 1, (f->until - f->from) * per_frame - 0.6, ROW - 3};
    draw_tint(m->cv, r, share);
    if (f->node >= 0)
      canvas_line(m->cv, (struct xy){r.x, y}, (struct xy){r.x, y + ROW - 1}, &(struct pen){m->theme.ink, 1, 0});
  }
}

static void draw_scale(const struct map *m, int which, struct xy range, double y)
{
  double left = MARGIN + which * (m->width + 14) + LABEL, wide = 120;
  struct font small = {.size = TEXT, .colour = m->theme.ink};
  struct arena *arena = canvas_arena(m->cv);
  heat_bar_draw(m->cv, (struct rect){left, y, wide, 8}, 0);
  text_draw(m->cv, &small, (struct xy){left - 4, y + 8}, ALIGN_RIGHT, text_number3(arena, range.x));
  text_draw(m->cv, &small, (struct xy){left + wide + 4, y + 8}, ALIGN_LEFT,
            arena_printf(arena, "%s  %s", text_number3(arena, range.y), which == BY_GAIN ? "size of the gain" :
                         "degrees unexplained"));
}

struct canvas *control_map_draw(const struct control_figures *f, const char *path, struct diag *d)
{
  struct map m = {.cv = canvas_open(path, d), .f = f, .theme = theme_paper(), .width = (PAGE_WIDTH - 2 * MARGIN - 14) /
                  2};
  int rows = 0;
  if (!m.cv)
    return NULL;
  for (int i = 0; i < f->graph->n_strips; i++)
    rows += f->graph->strips[i].n > 0;
  struct page page = {.width = PAGE_WIDTH, .margin = MARGIN, .theme = m.theme,
                      .title = arena_printf(canvas_arena(m.cv), "%s: the control graph", f->graph->creature->name),
                      .subtitle = "Every clip cut into its fragments, coloured by how strongly its policy reacts "
                      "(left) and by how much of what it was taught it does not explain (right). Ticks: frames at "
                      "which it is decided how to go on."};
  page.height = MARGIN + page_head_height(m.cv, &page) + rows * ROW + 26 + MARGIN;
  m.top = page_start(m.cv, &page).y;
  for (int which = 0; which < 2; which++) {
    struct xy range;
    limits(f->controls, which, &range.x, &range.y);
    for (int i = 0, row = 0; i < f->graph->n_strips; i++)
      if (f->graph->strips[i].n > 0)
        draw_strip(&m, i, row++, which, range);
    draw_scale(&m, which, range, m.top + rows * ROW + 10);
  }
  return m.cv;
}
