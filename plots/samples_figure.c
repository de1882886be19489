/* A track on one page. See plots/samples_figure.h. */
#include "plots/samples_figure.h"

#include <math.h>
#include <string.h>

#include "plots/clip_view.h"

#define PAGE_WIDTH 842.0
#define MARGIN 30.0
#define COSTS 210.0      /* heights of the parts */
#define STRIP 118.0
#define FORCES 78.0
#define POSES 10
#define TEXT 9.0

static const double content = PAGE_WIDTH - 2.0 * MARGIN;

struct sheet {
  struct canvas *cv;
  const struct track_result *t;
  struct theme theme;
  const struct traces *done, *wanted;
  double seconds;
};

/* ---- costs of samples ---- */

static double window_time(const struct sheet *s, int w)
{
  return s->t->reference->first[w + 1] * s->t->reference->dt;
}

/* The range of all costs; the few dearest are left outside. */
static void cost_range(const struct sheet *s, double *lo, double *hi)
{
  double top = 0, low = 0, sum = 0;
  long n = 0;
  for (int w = 0; w < s->t->n_windows; w++) {
    const struct track_window *k = &s->t->windows[w];
    for (int i = 0; i < k->n_samples; i++, n++)
      sum += k->costs[i];
    for (int i = 0; i < k->n_saved; i++) {
      top = fmax(top, k->saved[i]);
      low = fmin(low, k->saved[i]);
    }
  }
  *lo = low;
  *hi = fmax(1.3 * top, n ? 3.0 * sum / (double)n : 1.0);
  axes_widen(lo, hi, 1e-3);
}

static void mark_window(const struct sheet *s, const struct axes *a, int w, double shift)
{
  const struct track_window *k = &s->t->windows[w];
  struct legend_entry drawn = {.marker = MARKER_CROSS, .colour = colour_fade(palette(PALETTE_BLUE), 0.55)};
  struct legend_entry kept = {.marker = MARKER_CROSS, .colour = palette(PALETTE_VERMILION)};
  double x = window_time(s, w), right = x + shift;
  for (int i = 0; i < k->n_samples; i++)
    axes_marks(s->cv, a, 1, &x, &k->costs[i], &drawn);
  for (int i = 0; i < k->n_saved; i++)
    axes_marks(s->cv, a, 1, &right, &k->saved[i], &kept);
}

static void draw_costs(const struct sheet *s, double top)
{
  struct axes a = {.outer = {MARGIN, top, content, COSTS}, .x_lo = 0, .x_hi = s->seconds, .theme = s->theme,
                   .size = TEXT, .grid = 1,
                   .x_label = "time [s]", .y_label = "cost of a sample", .left = 46.0};
  int n = s->t->n_windows;
  struct arena *arena = canvas_arena(s->cv);
  double *x = ARENA_NEW(arena, (size_t)n + 1, double), *y = ARENA_NEW(arena, (size_t)n + 1, double);
  cost_range(s, &a.y_lo, &a.y_hi);
  axes_layout(s->cv, &a);
  canvas_box(s->cv, a.area, s->theme.panel);
  axes_draw(s->cv, &a);
  for (int w = 0; w < n; w++) {
    mark_window(s, &a, w, 0.2 * (window_time(s, w) - (w ? window_time(s, w - 1) : 0)));
    x[w] = window_time(s, w);
    y[w] = s->t->windows[w].best;
  }
  axes_curve(s->cv, &a, n, x, y, &(struct pen){palette(PALETTE_GREEN), 1.5, 0.0});
}

static double draw_legend(const struct sheet *s, double top)
{
  const struct legend_entry e[] = {
    {.label = "samples", .marker = MARKER_CROSS, .colour = palette(PALETTE_BLUE)},
    {.label = "saved, a little to the right", .marker = MARKER_CROSS, .colour = palette(PALETTE_VERMILION)},
    {.label = "the path that was chosen", .line = 1, .colour = palette(PALETTE_GREEN)}};
  struct legend l = {.at = {MARGIN, top}, .width = content, .font = {.size = TEXT, .colour = s->theme.ink}, .n = 3,
                     .entries = e, .draw = 1};
  return legend_draw(s->cv, &l) + 4.0;
}

/* ---- simulated and reference, pose by pose ---- */

static void draw_row(const struct sheet *s, const struct traces *traces, const char *label, double top)
{
  struct clip_view v = clip_view_new(s->cv, traces);
  struct rect extent = {0};
  int n = traces->clip->n_frames, poses = n < POSES ? n : POSES;
  double width = content / poses;
  for (int i = 0; i < poses; i++) { /* one scale for all */
    int k = (n - 1) * i / (poses > 1 ? poses - 1 : 1);
    struct camera cam = camera_beside(traces->heading[k - traces->first]);
    clip_view_pose(&v, k);
    struct rect r = clip_view_extent(&v, &cam);
    const double at[3] = {v.q[0], v.q[1], 0};
    r.x -= camera_project(&cam, at).x;
    extent = i ? rect_union(extent, r) : r;
  }
  double scale = fmin((width - 6.0) / extent.w, (STRIP - 26.0) / extent.h);
  for (int i = 0; i < poses; i++) {
    int k = (n - 1) * i / (poses > 1 ? poses - 1 : 1);
    struct camera cam = camera_beside(traces->heading[k - traces->first]);
    clip_view_pose(&v, k);
    const double at[3] = {v.q[0], v.q[1], 0};
    struct rect area = {MARGIN + i * width, top + 12.0, width - 3.0, STRIP - 16.0};
    struct to_scale map = {.x0 = area.x + 0.5 * area.w - scale * (extent.x + 0.5 * extent.w + camera_project(&cam,
        at).x),
                           .y0 = area.y + area.h - 10.0, .scale = scale};
    struct view look = clip_view_look(&v, cam, area, map);
    canvas_box(s->cv, area, s->theme.panel);
    figure_draw(s->cv, v.figure, &look);
    clip_view_forces(&v, &look);
  }
  struct font small = {.size = TEXT, .colour = s->theme.ink};
  text_fit(s->cv, &small, (struct xy){MARGIN, top + 9.0}, content, ALIGN_LEFT, label);
}

/* ---- forces ---- */

static void draw_leg(const struct sheet *s, int leg, double top, int last)
{
  struct arena *arena = canvas_arena(s->cv);
  const struct traces *both[2] = {s->wanted, s->done};
  struct axes a = {.outer = {MARGIN, top, content, FORCES + (last ? 18.0 : 0.0)}, .x_lo = 0, .x_hi = s->seconds,
                   .y_lo = 0, .y_hi = 1,
                   .theme = s->theme, .size = TEXT, .grid = 1, .y_label = s->wanted->legs[leg].name, .left = 46.0, .bare_x = !last,
                   .x_label = last ? "time [s]; upward force of the ground [body weights]" : NULL};
  double *y[2], *x[2];
  for (int k = 0; k < 2; k++) {
    y[k] = ARENA_NEW(arena, (size_t)both[k]->n, double);
    x[k] = ARENA_NEW(arena, (size_t)both[k]->n, double);
    traces_leg_force(both[k], leg, 2, y[k]);
    for (int i = 0; i < both[k]->n; i++) {
      x[k][i] = (i + (k ? 0.5 : 0.0)) * both[k]->clip->dt; /* those of the world are means over the next frame */
      a.y_hi = fmax(a.y_hi, y[k][i] < 4 ? y[k][i] : 4);
    }
  }
  axes_layout(s->cv, &a);
  canvas_box(s->cv, a.area, s->theme.panel);
  axes_draw(s->cv, &a);
  axes_curve(s->cv, &a, both[1]->n, x[1], y[1], &(struct pen){palette(PALETTE_VERMILION), 1.0, 0.0});
  axes_curve(s->cv, &a, both[0]->n, x[0], y[0], &(struct pen){palette(PALETTE_BLACK), 1.0, 2.5});
}

static void draw_force_legend(const struct sheet *s, double top)
{
  const struct legend_entry e[] = {{.label = "simulated", .line = 1, .colour = palette(PALETTE_VERMILION)},
                                   {.label = "reference", .line = 1, .dash = 2.5, .colour = palette(PALETTE_BLACK)}};
  struct legend l = {.at = {MARGIN, top}, .width = content, .font = {.size = TEXT, .colour = s->theme.ink}, .n = 2,
                     .entries = e, .draw = 1};
  legend_draw(s->cv, &l);
}

/* ---- the page ---- */

static char *facts(const struct sheet *s)
{
  const struct judgement *j = &s->t->judgement;
  struct arena *arena = canvas_arena(s->cv);
  char *text = arena_printf(arena,
                            "%s; %s s, %d windows, %ld simulated; at worst height off by %s L, orientation %s rad, foothold %s L, course %s L",
                            j->success ? "tracked" : "not tracked", text_number3(arena,
                                s->seconds), s->t->reference->n_windows,
                            s->t->samples, text_number3(arena, j->height), text_number3(arena,
                                j->angle), text_number3(arena, j->foot),
                            text_number3(arena, j->course));
  return j->fault ? arena_printf(arena, "%s; first fault: %s", text, j->fault) : text;
}

struct canvas *samples_draw(const char *title, const struct track_result *t, const char *path, struct diag *d)
{
  struct sheet s = {.cv = canvas_open(path, d), .t = t, .theme = theme_paper(),
                    .seconds = reference_seconds(t->reference)};
  if (!s.cv) return NULL;
  struct arena *arena = canvas_arena(s.cv);
  s.done = traces_new(arena, t->reference->creature, track_clip(arena, t, "simulated"), path, d);
  s.wanted = s.done ? traces_new(arena, t->reference->creature, track_reference_clip(arena, t, "reference"), path,
                                 d) : NULL;
  if (!s.wanted) {
    canvas_discard(s.cv);
    return NULL;
  }
  int legs = s.wanted->n_legs, sampled = t->windows != NULL;
  struct page page = {.width = PAGE_WIDTH, .margin = MARGIN, .theme = s.theme, .title = title, .subtitle = facts(&s)};
  page.height = 2 * MARGIN + page_head_height(s.cv, &page) + (sampled ? COSTS + 20.0 :
                                                              0.0) + 2 * STRIP + 34.0 + legs * FORCES + 20.0;
  double top = page_start(s.cv, &page).y;
  if (sampled) {
    top += draw_legend(&s, top);
    draw_costs(&s, top);
    top += COSTS + 4.0;
  }
  draw_row(&s, s.done, "simulated", top);
  draw_row(&s, s.wanted, "reference", top + STRIP);
  top += 2 * STRIP + 6.0;
  draw_force_legend(&s, top);
  for (int i = 0; i < legs; i++) draw_leg(&s, i, top + 16.0 + i * FORCES, i == legs - 1);
  return s.cv;
}

int plot_samples(const char *title, const struct track_result *t, const char *path, struct diag *d)
{
  struct canvas *cv = samples_draw(title, t, path, d);
  return cv ? canvas_finish(cv, d) : 0;
}
