/* Cost of transport over speed. See plots/transport.h. */
#include "plots/transport.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PAGE_WIDTH 620.0 /* [points] */
#define MARGIN 30.0
#define UPPER 260.0      /* heights of the two axes */
#define LOWER 150.0
#define TEXT 9.0
#define CROSSINGS 16

static const double content = PAGE_WIDTH - 2.0 * MARGIN;

/* ---- curves ---- */

/* One gait: its points by speed. */
struct curve { const char *gait; int n, *index; double *speed, *transport, *cost; };

struct curves { int n; struct curve *list; };

static int known(const struct transport_point *p)
{
  return isfinite(p->speed) && isfinite(p->cost_of_transport);
}

static void add_point(struct curve *c, const struct transport_point *p, int index)
{
  int k = c->n++;
  for (; k > 0 && c->speed[k - 1] > p->speed; k--) {
    c->speed[k] = c->speed[k - 1];
    c->transport[k] = c->transport[k - 1];
    c->cost[k] = c->cost[k - 1];
    c->index[k] = c->index[k - 1];
  }
  c->speed[k] = p->speed;
  c->transport[k] = p->cost_of_transport;
  c->cost[k] = p->cost;
  c->index[k] = index;
}

/* In the order in which gaits appear. */
static struct curves curves_of(struct arena *arena, const struct transport *t)
{
  size_t n = (size_t)t->n + 1;
  struct curves s = {.list = ARENA_NEW(arena, n, struct curve)};
  for (int i = 0; i < t->n; i++) {
    const struct transport_point *p = &t->points[i];
    int k = 0;
    if (!known(p)) continue;
    while (k < s.n && strcmp(s.list[k].gait, p->gait) != 0) k++;
    if (k == s.n) {
      s.list[s.n++] = (struct curve){.gait = p->gait, .index = ARENA_NEW(arena, n, int),
                                     .speed = ARENA_NEW(arena, n, double), .transport = ARENA_NEW(arena, n, double),
                                     .cost = ARENA_NEW(arena, n, double)};
    }
    add_point(&s.list[k], p, i);
  }
  return s;
}

/* Its cost of transport at a speed, between two of its points; NaN outside of them. */
static double at_speed(const struct curve *c, double speed)
{
  if (!(speed >= c->speed[0] && speed <= c->speed[c->n - 1])) return NAN;
  int k = 1;
  while (k < c->n - 1 && c->speed[k] < speed) k++;
  if (k >= c->n || c->speed[k] == c->speed[k - 1]) return c->transport[c->n > 1 ? k : 0];
  double share = (speed - c->speed[k - 1]) / (c->speed[k] - c->speed[k - 1]);
  return c->transport[k - 1] + share * (c->transport[k] - c->transport[k - 1]);
}

/* ---- crossings ---- */

/* No gait is cheaper at this speed than the given cost. */
static int is_cheapest(const struct curves *s, double speed, double cost)
{
  for (int i = 0; i < s->n; i++)
    if (at_speed(&s->list[i], speed) < cost * (1.0 - 1e-9)) return 0; /* a NaN is not */
  return 1;
}

struct piece { double x0, y0, x1, y1; };

static double slope(const struct piece *p)
{
  return (p->y1 - p->y0) / (p->x1 - p->x0);
}

/* Where two straight pieces meet; 0 if they are parallel. */
static int meet(const struct piece *p, const struct piece *q, double *x, double *y)
{
  double m = slope(p), n = slope(q);
  *x = (q->y0 - p->y0 + m * p->x0 - n * q->x0) / (m - n);
  *y = p->y0 + m * (*x - p->x0);
  return isfinite(*x) && isfinite(*y);
}

static struct piece piece_of(const struct curve *c, int k)
{
  return (struct piece){c->speed[k], c->transport[k], c->speed[k + 1], c->transport[k + 1]};
}

struct found { int n, most; struct transport_crossing *list; };

static void keep(struct found *f, const struct transport_crossing *c)
{
  int k = f->n;
  for (int i = 0; i < f->n; i++)
    if (fabs(f->list[i].speed - c->speed) <= 1e-9 * fabs(c->speed)) return; /* twice at a common point */
  if (f->n == f->most) return;
  f->n++;
  for (; k > 0 && f->list[k - 1].speed > c->speed; k--) f->list[k] = f->list[k - 1];
  f->list[k] = *c;
}

/* Crossings of pieces of two curves where no third is cheaper. */
static void cross_pair(const struct curves *s, const struct curve *a, const struct curve *b, struct found *f)
{
  for (int i = 0; i + 1 < a->n; i++)
    for (int k = 0; k + 1 < b->n; k++) {
      struct piece p = piece_of(a, i), q = piece_of(b, k);
      double x, y, lo = fmax(p.x0, q.x0), hi = fmin(p.x1, q.x1);
      if (!meet(&p, &q, &x, &y) || x < lo || x > hi || !is_cheapest(s, x, y)) continue;
      int a_first = slope(&p) > slope(&q); /* the one that rises faster is cheaper before */
      keep(f, &(struct transport_crossing){x, y, (a_first ? a : b)->index[0], (a_first ? b : a)->index[0], 0});
    }
}

/* Two gaits whose speeds do not overlap, with no third between: their ends drawn out may meet in the gap. */
static void bridge_pair(const struct curves *s, const struct curve *a, const struct curve *b, struct found *f)
{
  double lo = a->speed[a->n - 1], hi = b->speed[0], x, y;
  if (!(lo < hi) || a->n < 2 || b->n < 2) return;
  for (int i = 0; i < s->n; i++)
    if (isfinite(at_speed(&s->list[i], 0.5 * (lo + hi)))) return;
  struct piece p = piece_of(a, a->n - 2), q = piece_of(b, 0);
  if (!meet(&p, &q, &x, &y) || x < lo || x > hi) return;
  keep(f, &(struct transport_crossing){x, y, a->index[0], b->index[0], 1});
}

static int find_crossings(const struct curves *s, int most, struct transport_crossing *out)
{
  struct found f = {.most = most, .list = out};
  for (int i = 0; i < s->n; i++)
    for (int k = 0; k < s->n; k++) {
      if (i < k) cross_pair(s, &s->list[i], &s->list[k], &f);
      if (i != k) bridge_pair(s, &s->list[i], &s->list[k], &f);
    }
  return f.n;
}

int transport_crossings(const struct transport *t, int most, struct transport_crossing *out)
{
  struct arena *arena = arena_new();
  struct curves s = curves_of(arena, t);
  int n = find_crossings(&s, most, out);
  arena_free(arena);
  return n;
}

/* ---- the figure ---- */

struct sheet {
  struct canvas *cv;
  const struct transport *t;
  struct theme theme;
  struct curves curves;
  int n_crossings;
  struct transport_crossing crossings[CROSSINGS];
};

static const enum marker markers[] = {MARKER_DOT, MARKER_SQUARE, MARKER_TRIANGLE, MARKER_DIAMOND};

static struct legend_entry look_of(const struct sheet *s, int i)
{
  static const int colours[] = {PALETTE_BLUE, PALETTE_VERMILION, PALETTE_GREEN, PALETTE_PURPLE, PALETTE_ORANGE,
                                PALETTE_SKY, PALETTE_BLACK};
  return (struct legend_entry){.label = text_clean(canvas_arena(s->cv), s->curves.list[i].gait, 1),
                               .marker = markers[i % 4], .colour = palette(colours[i % 7])};
}

static void measure(const struct sheet *s, struct axes *upper, struct axes *lower)
{
  double x_lo = INFINITY, x_hi = -INFINITY;
  upper->y_lo = lower->y_lo = 0.0;
  for (int i = 0; i < s->curves.n; i++)
    for (int k = 0; k < s->curves.list[i].n; k++) {
      const struct curve *c = &s->curves.list[i];
      x_lo = fmin(x_lo, c->speed[k]);
      x_hi = fmax(x_hi, c->speed[k]);
      upper->y_hi = fmax(upper->y_hi, c->transport[k]);
      if (isfinite(c->cost[k])) lower->y_hi = fmax(lower->y_hi, c->cost[k]);
    }
  axes_widen(&upper->y_lo, &upper->y_hi, 1e-3);
  axes_widen(&lower->y_lo, &lower->y_hi, 1e-6);
  if (x_lo > 0.0 && x_lo < 0.4 * x_hi) x_lo = 0.0;
  axes_widen(&x_lo, &x_hi, (x_hi > x_lo ? 1e-3 : 0.1) * fabs(x_hi));
  upper->x_lo = lower->x_lo = x_lo;
  upper->x_hi = lower->x_hi = x_hi;
}

static void draw_curves(const struct sheet *s, const struct axes *a, int cost)
{
  for (int i = 0; i < s->curves.n; i++) {
    const struct curve *c = &s->curves.list[i];
    struct legend_entry look = look_of(s, i);
    axes_curve(s->cv, a, c->n, c->speed, cost ? c->cost : c->transport, &(struct pen){look.colour, 1.4, 0.0});
    axes_marks(s->cv, a, c->n, c->speed, cost ? c->cost : c->transport, &look);
  }
}

/* A ring, and a line down to the axis. */
static void draw_crossings(const struct sheet *s, const struct axes *a)
{
  struct pen line = {.colour = s->theme.ink, .width = 0.7, .dash = 2.5};
  for (int i = 0; i < s->n_crossings; i++) {
    const struct transport_crossing *c = &s->crossings[i];
    struct xy at = axes_map(a, c->speed, c->cost_of_transport), foot = axes_map(a, c->speed, a->y_lo);
    canvas_line(s->cv, (struct xy){at.x, fmin(foot.y, at.y + 4.5)}, foot, &line);
    marker_draw(s->cv, MARKER_RING, at, 4.5, s->theme.ink);
    for (int end = 0; end < 2 && c->extended; end++) { /* the pieces drawn out */
      int gait = 0;
      while (strcmp(s->curves.list[gait].gait, s->t->points[end ? c->b : c->a].gait) != 0) gait++;
      const struct curve *curve = &s->curves.list[gait];
      int last = end ? 0 : curve->n - 1;
      struct pen pen = {.colour = look_of(s, gait).colour, .width = 1.0, .dash = 2.5};
      canvas_line(s->cv, axes_map(a, curve->speed[last], curve->transport[last]), at, &pen);
    }
  }
}

/* "walk to trot at 1.98 m/s". */
static char *list_crossings(const struct sheet *s)
{
  struct arena *arena = canvas_arena(s->cv);
  char *text = NULL;
  for (int i = 0; i < s->n_crossings; i++) {
    const struct transport_crossing *c = &s->crossings[i];
    char *one = arena_printf(arena, "%s to %s at %s m/s%s", text_clean(arena, s->t->points[c->a].gait, 1),
                             text_clean(arena, s->t->points[c->b].gait, 1), text_number3(arena, c->speed),
                             c->extended ? " (both drawn out)" : "");
    text = text ? arena_printf(arena, "%s, %s", text, one) : one;
  }
  return text ? arena_printf(arena, "Cost of transport: |torque x rate| over m g v. It pays to change from %s.", text)
              : arena_strdup(arena, "Cost of transport: |torque x rate| over m g v.");
}

static double draw_legend(const struct sheet *s, double top, int draw)
{
  struct legend_entry *e = ARENA_NEW(canvas_arena(s->cv), (size_t)s->curves.n + 1, struct legend_entry);
  int n = 0;
  for (int i = 0; i < s->curves.n; i++) e[n++] = look_of(s, i);
  if (s->n_crossings)
    e[n++] = (struct legend_entry){.label = "the cheapest gait changes", .marker = MARKER_RING, .colour = s->theme.ink};
  struct legend l = {.at = {MARGIN, top}, .width = content, .font = {.size = TEXT, .colour = s->theme.ink}, .n = n,
                     .entries = e, .draw = draw};
  return legend_draw(s->cv, &l);
}

static void draw_axes(struct sheet *s, double top)
{
  struct axes upper = {.outer = {MARGIN, top, content, UPPER}, .theme = s->theme, .size = TEXT, .grid = 1, .left = 48.0,
                       .y_label = "cost of transport"};
  struct axes lower = {.outer = {MARGIN, top + UPPER, content, LOWER}, .theme = s->theme, .size = TEXT, .grid = 1,
                       .left = 48.0, .y_label = "optimizer's cost", .x_label = "speed [m/s]"};
  measure(s, &upper, &lower);
  axes_layout(s->cv, &upper);
  axes_layout(s->cv, &lower);
  canvas_box(s->cv, upper.area, s->theme.panel);
  canvas_box(s->cv, lower.area, s->theme.panel);
  axes_draw(s->cv, &upper);
  axes_draw(s->cv, &lower);
  draw_curves(s, &upper, 0);
  draw_crossings(s, &upper);
  draw_curves(s, &lower, 1);
}

struct canvas *transport_draw(const struct transport *t, const char *path, struct diag *d)
{
  struct sheet s = {.cv = canvas_open(path, d), .t = t, .theme = theme_paper()};
  if (!s.cv) return NULL;
  struct arena *arena = canvas_arena(s.cv);
  s.curves = curves_of(arena, t);
  if (s.curves.n == 0) {
    diag_error(d, path, 0, "there is no point with a finite speed and cost of transport");
    canvas_discard(s.cv);
    return NULL;
  }
  s.n_crossings = find_crossings(&s.curves, CROSSINGS, s.crossings);
  struct page page = {.width = PAGE_WIDTH, .margin = MARGIN, .theme = s.theme, .subtitle = list_crossings(&s),
                      .title = arena_printf(arena, "%s: cost of transport", text_clean(arena, t->creature, 1))};
  double legend = draw_legend(&s, 0.0, 0) + 6.0;
  page.height = MARGIN + page_head_height(s.cv, &page) + legend + UPPER + LOWER + MARGIN;
  double top = page_start(s.cv, &page).y;
  draw_legend(&s, top, 1);
  draw_axes(&s, top + legend);
  return s.cv;
}

int plot_transport(const struct transport *t, const char *path, struct diag *d)
{
  struct canvas *cv = transport_draw(t, path, d);
  return cv ? canvas_finish(cv, d) : 0;
}
