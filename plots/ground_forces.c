/* Forces of the ground, leg by leg. See plots/curves.h. */
#include <math.h>

#include "plots/creature_view.h"
#include "plots/curves.h"
#include "plots/traces.h"

#define PAGE_WIDTH 842.0 /* as high as it needs [points] */
#define MARGIN 30.0
#define PANEL_HEIGHT 150.0
#define TOTAL_HEIGHT 150.0
#define GAP 12.0
#define TEXT 8.0
#define BARS 12.0        /* stance bars in the panel of the sum: at most this high together */

static const double content = PAGE_WIDTH - 2.0 * MARGIN;

struct sheet {
  struct canvas *cv;
  const struct traces *t;
  struct theme theme;
  struct view_style style;
  int *order, n;                /* legs as the panels show them                          (n) */
  struct panels panels;
  double lo, hi;                /* of all panels of legs [body weights]                      */
  double *y[3], *band[2];       /* scratch                                            (each) */
};

static struct colour side_colour(const struct sheet *s, int leg)
{
  enum side side = s->t->legs[leg].side;
  return side == SIDE_LEFT ? s->style.left : side == SIDE_RIGHT ? s->style.right : s->style.middle;
}

/* ---- layout ---- */

/* Pairs below one another where two rows do, else side by side: all of the left side, then its mirror images. */
static void choose_order(struct sheet *s)
{
  const struct traces *t = s->t;
  s->order = ARENA_NEW(canvas_arena(s->cv), (size_t)t->n_legs + 1, int);
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < t->n_legs; i++) {
      int mirror = t->legs[i].mirror;
      if ((pass == 0 && mirror >= i) || (pass == 1 && mirror < i)) s->order[s->n++] = i;
    }
  int first_row = 0;
  for (int i = 0; i < t->n_legs; i++) first_row += t->legs[i].mirror >= i;
  s->panels = (struct panels){.width = content, .height = PANEL_HEIGHT, .gap_x = GAP, .gap_y = GAP};
  s->panels.columns = first_row < 2 ? 2 : first_row;
  if (first_row > 5) { /* many legs: as a grid */
    s->panels.columns = 5;
    s->panels.height = 0.7 * PANEL_HEIGHT;
  }
}

static void measure(struct sheet *s)
{
  for (int i = 0; i < s->t->n_legs; i++)
    for (int axis = 0; axis < 3; axis++) {
      traces_leg_force(s->t, i, axis, s->y[axis]);
      for (int k = 0; k < s->t->n; k++) {
        s->lo = fmin(s->lo, s->y[axis][k]);
        s->hi = fmax(s->hi, s->y[axis][k]);
      }
    }
  double lo = fmin(s->lo, -0.2 * s->hi);
  axes_widen(&lo, &s->hi, 0.01);
  s->lo = lo;
}

/* ---- panels ---- */

static struct axes axes_of(const struct sheet *s, struct rect outer, const char *title)
{
  return (struct axes){.outer = outer, .x_hi = s->t->x_hi, .y_lo = s->lo, .y_hi = s->hi, .title = title,
                       .theme = s->theme, .size = TEXT, .grid = 1, .left = 26.0};
}

static void draw_stance(struct sheet *s, const struct axes *a, int leg)
{
  const struct leg *l = &s->t->legs[leg];
  struct spans spans = {.until = 1.0};
  spans.x = traces_stance(s->t, canvas_arena(s->cv), l->n_points, l->points, &spans.n);
  axes_spans(s->cv, a, &spans, colour_fade(side_colour(s, leg), 0.09));
}

/* Where fore-aft and lateral forces may be: within mu times the vertical one. */
static void draw_cone(struct sheet *s, const struct axes *a)
{
  double mu = s->t->creature->friction;
  struct pen edge = {.colour = s->theme.muted, .width = 0.5, .dash = 2.0};
  for (int k = 0; k < s->t->n; k++) {
    s->band[0][k] = -mu * s->y[2][k];
    s->band[1][k] = mu * s->y[2][k];
  }
  axes_band(s->cv, a, &(struct band){s->t->x, s->band[0], s->band[1], s->t->n}, colour_fade(s->theme.muted, 0.13));
  for (int i = 0; i < 2; i++) axes_curve(s->cv, a, s->t->n, s->t->x, s->band[i], &edge);
}

static struct pen curve_pen(const struct sheet *s, int axis)
{
  const struct pen pens[] = {{.colour = palette(PALETTE_ORANGE), .width = 1.2},
                             {.colour = palette(PALETTE_PURPLE), .width = 1.2, .dash = 3.0},
                             {.colour = s->theme.ink, .width = 1.5}};
  return pens[axis];
}

/* Of a foot with several points: what each of them carries. */
static void draw_points(struct sheet *s, const struct axes *a, int leg)
{
  const struct leg *l = &s->t->legs[leg];
  struct pen pen = {.colour = colour_fade(s->theme.ink, 0.45), .width = 0.6};
  for (int i = 0; l->n_points > 1 && i < l->n_points; i++) {
    traces_column(s->t, s->t->force, 3 * s->t->clip->n_points, 3 * l->points[i] + 2, 1.0, s->band[0]);
    axes_curve(s->cv, a, s->t->n, s->t->x, s->band[0], &pen);
  }
}

static void draw_leg(struct sheet *s, int i, double top)
{
  struct panels panels = s->panels;
  panels.at = (struct xy){MARGIN, top};
  int leg = s->order[i];
  struct axes a = axes_of(s, panels_cell(&panels, i), s->t->legs[leg].name);
  for (int axis = 0; axis < 3; axis++) traces_leg_force(s->t, leg, axis, s->y[axis]);
  axes_layout(s->cv, &a);
  canvas_box(s->cv, a.area, s->theme.panel);
  draw_stance(s, &a, leg);
  draw_cone(s, &a);
  axes_draw(s->cv, &a);
  axes_level(s->cv, &a, 0.0, &(struct pen){.colour = s->theme.muted, .width = 0.6});
  draw_points(s, &a, leg);
  for (int axis = 0; axis < 3; axis++) {
    struct pen pen = curve_pen(s, axis);
    axes_curve(s->cv, &a, s->t->n, s->t->x, s->y[axis], &pen);
  }
}

/* Sums over all legs, and who stands when: a thin bar for each leg along the upper edge. */
static void draw_bars(struct sheet *s, const struct axes *a)
{
  double each = fmin(3.5, BARS / fmax(1, s->n)) / a->area.h, gap = 0.3 * each;
  for (int i = 0; i < s->n; i++) {
    const struct leg *l = &s->t->legs[s->order[i]];
    struct spans spans = {.from = 1.0 - (i + 1) * each + gap, .until = 1.0 - i * each};
    spans.x = traces_stance(s->t, canvas_arena(s->cv), l->n_points, l->points, &spans.n);
    axes_spans(s->cv, a, &spans, side_colour(s, s->order[i]));
  }
}

static void sum_legs(struct sheet *s, double *lo, double *hi)
{
  *lo = 0.0;
  *hi = 1.0;
  for (int axis = 0; axis < 3; axis++) {
    for (int k = 0; k < s->t->n; k++) s->y[axis][k] = 0.0;
    for (int i = 0; i < s->t->n_legs; i++) {
      traces_leg_force(s->t, i, axis, s->band[0]);
      for (int k = 0; k < s->t->n; k++) s->y[axis][k] += s->band[0][k];
    }
    for (int k = 0; k < s->t->n; k++) {
      *lo = fmin(*lo, s->y[axis][k]);
      *hi = fmax(*hi, s->y[axis][k]);
    }
  }
}

static void draw_total(struct sheet *s, double top)
{
  double lo, hi;
  struct axes a = axes_of(s, (struct rect){MARGIN, top, content, TOTAL_HEIGHT}, "all legs together");
  sum_legs(s, &lo, &hi);
  axes_widen(&lo, &hi, 0.1);
  a.y_lo = lo;
  a.y_hi = hi + 0.15 * (hi - lo); /* room for the bars */
  a.x_label = s->t->x_label;
  axes_layout(s->cv, &a);
  canvas_box(s->cv, a.area, s->theme.panel);
  axes_draw(s->cv, &a);
  axes_level(s->cv, &a, 0.0, &(struct pen){.colour = s->theme.muted, .width = 0.6});
  axes_level(s->cv, &a, 1.0, &(struct pen){.colour = s->theme.muted, .width = 0.8, .dash = 4.0});
  for (int axis = 0; axis < 3; axis++) {
    struct pen pen = curve_pen(s, axis);
    axes_curve(s->cv, &a, s->t->n, s->t->x, s->y[axis], &pen);
  }
  draw_bars(s, &a);
}

/* ---- the sheet ---- */

static double draw_legend(struct sheet *s, double top, int draw)
{
  const struct legend_entry e[] = {
      {.label = "vertical", .colour = s->theme.ink, .line = 1},
      {.label = "fore-aft, forwards positive", .colour = palette(PALETTE_ORANGE), .line = 1},
      {.label = "lateral, to the left positive", .colour = palette(PALETTE_PURPLE), .line = 1, .dash = 3.0},
      {.label = "what friction allows", .marker = MARKER_SQUARE, .colour = colour_fade(s->theme.muted, 0.4)},
      {.label = "left foot stands", .marker = MARKER_SQUARE, .colour = s->style.left},
      {.label = "right foot stands", .marker = MARKER_SQUARE, .colour = s->style.right}};
  struct legend l = {.at = {MARGIN, top}, .width = content, .font = {.size = 8.5, .colour = s->theme.muted},
                     .n = (int)(sizeof e / sizeof *e), .entries = e, .draw = draw};
  return legend_draw(s->cv, &l);
}

static int start(struct sheet *s, const struct creature *c, const struct clip *clip, const char *path, struct diag *d)
{
  s->cv = canvas_open(path, d);
  if (!s->cv) return 0;
  s->t = traces_new(canvas_arena(s->cv), c, clip, path, d);
  if (!s->t) {
    canvas_discard(s->cv);
    return 0;
  }
  for (int i = 0; i < 3; i++) s->y[i] = ARENA_NEW(canvas_arena(s->cv), (size_t)s->t->n, double);
  for (int i = 0; i < 2; i++) s->band[i] = ARENA_NEW(canvas_arena(s->cv), (size_t)s->t->n, double);
  return 1;
}

struct canvas *ground_forces_draw(const struct creature *c, const struct clip *clip, const char *path, struct diag *d)
{
  struct sheet s = {.theme = theme_paper(), .style = view_style_paper()};
  if (!start(&s, c, clip, path, d)) return NULL;
  struct arena *arena = canvas_arena(s.cv);
  choose_order(&s);
  measure(&s);
  struct page page = {.width = PAGE_WIDTH, .margin = MARGIN, .theme = s.theme, .title = traces_title(s.t, arena)};
  page.subtitle = arena_printf(arena, "%s. Forces of the ground [body weights] over the %s; friction %s",
                               traces_facts(s.t, arena), s.t->x_label, text_number3(arena, c->friction));
  double legs = panels_height(&s.panels, s.n) + GAP, legend = draw_legend(&s, 0.0, 0);
  page.height = MARGIN + page_head_height(s.cv, &page) + legs + TOTAL_HEIGHT + 6.0 + legend + MARGIN;
  double top = page_start(s.cv, &page).y;
  for (int i = 0; i < s.n; i++) draw_leg(&s, i, top);
  draw_total(&s, top + legs);
  draw_legend(&s, top + legs + TOTAL_HEIGHT + 6.0, 1);
  return s.cv;
}

int plot_ground_forces(const struct creature *c, const struct clip *clip, const char *path, struct diag *d)
{
  struct canvas *cv = ground_forces_draw(c, clip, path, d);
  return cv ? canvas_finish(cv, d) : 0;
}
