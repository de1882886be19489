/* Principal components of a motion. See plots/components.h. */
#include "plots/components.h"

#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "base/eigen.h"
#include "plots/modal_figures.h"
#include "plots/traces.h"

#define PAGE_WIDTH 842.0 /* [points] */
#define MARGIN 30.0
#define GAP 18.0
#define PANEL 150.0
#define TEXT 8.5
#define SHOWN 3
#define LEAST 1e-6       /* of the variance: components with less are rounding, no movement */
#define POWER 0.999      /* of a component's power that the axis of frequencies shows */

/* ---- numbers ---- */

static double angle(const struct clip *clip, int frame, int i)
{
  return clip->q[(size_t)frame * (size_t)clip->n_dofs + CREATURE_ROOT_DOFS + (size_t)i];
}

/* Covariance of the joints' angles; mean has n numbers. */
static void covariance(const struct clip *clip, int n, double *mean, double *out)
{
  for (int i = 0; i < n; i++)
    for (int k = 0; k < clip->n_frames; k++) mean[i] += angle(clip, k, i) / clip->n_frames;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double sum = 0.0;
      for (int k = 0; k < clip->n_frames; k++) sum += (angle(clip, k, i) - mean[i]) * (angle(clip, k, j) - mean[j]);
      out[i * n + j] = out[j * n + i] = sum / clip->n_frames;
    }
}

struct components *components_new(struct arena *arena, const struct creature *c, const struct clip *clip)
{
  struct components *p = ARENA_NEW(arena, 1, struct components);
  int n = c->n_dofs - CREATURE_ROOT_DOFS, frames = clip->n_frames;
  *p = (struct components){.n = n, .n_frames = frames, .cyclic = clip->cyclic, .dt = clip->dt};
  if (n == 0) return p;
  double *mean = ARENA_NEW(arena, (size_t)n, double), *A = ARENA_NEW(arena, (size_t)(n * n), double), total = 0.0;
  double *values = ARENA_NEW(arena, (size_t)n, double);
  covariance(clip, n, mean, A);
  if (!eigen_symmetric(n, A, values, ARENA_NEW(arena, (size_t)eigen_scratch(n), double))) return NULL;
  for (int i = 0; i < n; i++) total += fmax(0.0, values[i]);
  p->share = ARENA_NEW(arena, (size_t)n, double);
  p->y = ARENA_NEW(arena, (size_t)n * (size_t)frames, double);
  for (int k = 0; k < n; k++) { /* the largest value is the last */
    const double *v = A + (size_t)(n - 1 - k) * (size_t)n;
    p->share[k] = total > 0.0 ? fmax(0.0, values[n - 1 - k]) / total : 0.0;
    for (int f = 0; f < frames; f++)
      for (int i = 0; i < n; i++) p->y[(size_t)k * (size_t)frames + (size_t)f] += v[i] * (angle(clip, f, i) - mean[i]);
  }
  return p;
}

void components_spectrum(const struct components *p, int k, double *amplitude)
{
  int n = p->n_frames;
  const double *y = p->y + (size_t)k * (size_t)n;
  for (int h = 0; h <= n / 2; h++) {
    double re = 0.0, im = 0.0;
    for (int f = 0; f < n; f++) {
      double turn = 2.0 * PI * (double)((long)h * f % n) / n, faded = p->cyclic ? 1.0 : 1.0 -
                    cos(2.0 * PI * (f + 0.5) / n);
      re += faded * y[f] * cos(turn);
      im -= faded * y[f] * sin(turn);
    }
    amplitude[h] = (h == 0 || 2 * h == n ? 1.0 : 2.0) * hypot(re, im) / n;
  }
}

double components_frequency(const struct components *p, const double *amplitude)
{
  double power = 0.0, sum = 0.0;
  for (int h = 1; h <= p->n_frames / 2; h++) {
    power += amplitude[h] * amplitude[h];
    sum += amplitude[h] * amplitude[h] * h;
  }
  return power > 0.0 ? sum / power / (p->n_frames * p->dt) : 0.0;
}

/* ---- the page ---- */

struct sheet {
  struct canvas *cv;
  const struct components *p;
  struct theme theme;
  int shown;               /* on either side              */
  int n;                   /* components that move        */
  double *amplitude[2 * SHOWN];
  double mean[2];          /* frequencies of the sides [Hz] */
  double highest;          /* that is drawn [Hz]          */
};

static int component(const struct sheet *s, int side, int i) { return side ? s->n - s->shown + i : i; }

/* All but a thousandth of each component's power is below. */
static void choose_highest(struct sheet *s, const double *amplitude)
{
  double power = 0.0, sum = 0.0;
  for (int h = 1; h <= s->p->n_frames / 2; h++) power += amplitude[h] * amplitude[h];
  for (int h = 1; h <= s->p->n_frames / 2 && sum < POWER * power; h++) {
    sum += amplitude[h] * amplitude[h];
    s->highest = fmax(s->highest, (h + 2.0) / (s->p->n_frames * s->p->dt));
  }
}

static void measure(struct sheet *s)
{
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < s->shown; i++) {
      double *a = ARENA_NEW(canvas_arena(s->cv), (size_t)s->p->n_frames / 2 + 1, double);
      components_spectrum(s->p, component(s, side, i), a);
      s->mean[side] += components_frequency(s->p, a) / s->shown;
      choose_highest(s, a);
      s->amplitude[side * SHOWN + i] = a;
    }
  s->highest = fmin(fmax(s->highest, 3.0 / (s->p->n_frames * s->p->dt)), 0.5 / s->p->dt);
}

static struct pen pen_of(int i)
{
  static const int colours[SHOWN] = {PALETTE_BLUE, PALETTE_VERMILION, PALETTE_GREEN};
  return (struct pen){palette(colours[i]), 1.5, i == 1 ? 4.0 : i == 2 ? 1.5 : 0.0};
}

static void draw_panel(const struct sheet *s, struct rect outer, int side, int spectrum)
{
  struct arena *arena = canvas_arena(s->cv);
  const struct components *p = s->p;
  int n = spectrum ? p->n_frames / 2 + 1 : p->n_frames;
  double *x = ARENA_NEW(arena, (size_t)n, double), step = spectrum ? 1.0 / (p->n_frames * p->dt) : p->dt;
  struct axes a = {.outer = outer, .x_hi = spectrum ? s->highest : (n - 1) * step, .theme = s->theme, .size = TEXT,
                   .grid = 1,
                   .left = 44.0, .x_label = spectrum ? "frequency [Hz]" : "time [s]",
                   .y_label = spectrum ? "amplitude [\xc2\xb0]" : "along it [\xc2\xb0]"};
  double *y[SHOWN];
  for (int k = 0; k < n; k++) x[k] = k * step;
  for (int i = 0; i < s->shown; i++) {
    const double *from = spectrum ? s->amplitude[side * SHOWN + i] : p->y + (size_t)component(s, side, i) * (size_t)n;
    y[i] = ARENA_NEW(arena, (size_t)n, double);
    for (int k = 0; k < n; k++) {
      y[i][k] = TO_DEGREES * from[k];
      a.y_lo = fmin(a.y_lo, y[i][k]);
      a.y_hi = fmax(a.y_hi, y[i][k]);
    }
  }
  axes_widen(&a.y_lo, &a.y_hi, 1e-6);
  axes_layout(s->cv, &a);
  canvas_box(s->cv, a.area, s->theme.panel);
  axes_draw(s->cv, &a);
  for (int i = 0; i < s->shown; i++) {
    struct pen pen = pen_of(i);
    axes_curve(s->cv, &a, n, x, y[i], &pen);
    if (spectrum && p->n_frames < 400)
      axes_marks(s->cv, &a, n, x, y[i], &(struct legend_entry){.marker = MARKER_DOT, .colour = pen.colour});
  }
}

static double draw_legend(const struct sheet *s, struct xy at, double width, int side, int draw)
{
  struct arena *arena = canvas_arena(s->cv);
  struct legend_entry e[SHOWN];
  for (int i = 0; i < s->shown; i++) {
    struct pen pen = pen_of(i);
    int k = component(s, side, i);
    e[i] = (struct legend_entry){.label = arena_printf(arena, "component %d, %s %%", k + 1,
                                                       text_number3(arena, 100.0 * s->p->share[k])),
                                 .line = 1, .colour = pen.colour, .dash = pen.dash};
  }
  struct legend l = {.at = at, .width = width, .font = {.size = TEXT, .colour = s->theme.ink}, .n = s->shown,
                     .entries = e, .draw = draw};
  return legend_draw(s->cv, &l);
}

static void draw_page(struct sheet *s, const char *title)
{
  struct arena *arena = canvas_arena(s->cv);
  double width = (PAGE_WIDTH - 2.0 * MARGIN - GAP) / 2.0;
  struct page page = {.width = PAGE_WIDTH, .margin = MARGIN, .theme = s->theme, .title = title};
  page.subtitle = arena_printf(arena, "Principal components of the angles of all %d joint axes, with their shares of "
                               "the variance: the first (left, mean frequency %s Hz) and the last of the %d with a "
                               "millionth of it (right, %s Hz); above over time, below by frequency. Scales differ",
                               s->p->n, text_number3(arena, s->mean[0]), s->n,
                               text_number3(arena, s->mean[1]));
  double legend = fmax(draw_legend(s, (struct xy){0.0, 0.0}, width, 0, 0),
                       draw_legend(s, (struct xy){0.0, 0.0}, width, 1, 0)) + 6.0;
  page.height = MARGIN + page_head_height(s->cv, &page) + legend + 2.0 * PANEL + 8.0 + MARGIN;
  double top = page_start(s->cv, &page).y;
  for (int side = 0; side < 2; side++) {
    double x = MARGIN + side * (width + GAP);
    draw_legend(s, (struct xy){x, top}, width, side, 1);
    for (int spectrum = 0; spectrum < 2; spectrum++)
      draw_panel(s, (struct rect){x, top + legend + spectrum * (PANEL + 8.0), width, PANEL}, side, spectrum);
  }
}

struct canvas *components_draw(const struct creature *c, const struct clip *clip, const char *path, struct diag *d)
{
  struct sheet s = {.cv = canvas_open(path, d), .theme = theme_paper()};
  if (!s.cv) return NULL;
  struct arena *arena = canvas_arena(s.cv);
  const struct traces *t = traces_new(arena, c, clip, path, d);
  if (t && c->n_dofs <= CREATURE_ROOT_DOFS) return modal_without(s.cv, traces_title(t, arena));
  s.p = t ? components_new(arena, c, clip) : NULL;
  if (!s.p) {
    if (t) diag_error(d, path, 0, "the joints' angles have no principal components");
    canvas_discard(s.cv);
    return NULL;
  }
  while (s.n < s.p->n && (s.n == 0 || s.p->share[s.n] >= LEAST)) s.n++;
  s.shown = s.n < SHOWN ? s.n : SHOWN;
  measure(&s);
  draw_page(&s, traces_title(t, arena));
  return s.cv;
}
