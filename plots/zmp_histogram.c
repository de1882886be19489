/* Signed distances of the ZMP to the feet, over cutoffs. See plots/zmp_figure.h. */
#include <math.h>

#include "plots/traces.h"
#include "plots/zmp_figure.h"

#define PAGE_WIDTH 842.0 /* [points] */
#define MARGIN 30.0
#define GAP 12.0
#define PANEL_HEIGHT 150.0
#define CURVE_HEIGHT 190.0
#define TEXT 8.5
#define PANELS 4
#define BINS 40
#define REACH 0.40 /* of the histograms, either way, for a person [m]; what is further is in the last bin */

static const double content = PAGE_WIDTH - 2.0 * MARGIN;

/* ---- histograms of one clip ---- */

struct sheet {
  struct canvas *cv;
  const struct creature *c;
  const struct clip *clip;
  const struct traces *t;
  struct theme theme;
  struct capture_feedforward_options o;
  const struct capture_feedforward *f;
  int n_panels;
  double cutoffs[PANELS], reach;
  double share[PANELS][BINS], inside[PANELS], most;
};

static void count(struct sheet *s)
{
  struct arena *scratch = arena_new();
  double *distance = ARENA_NEW(scratch, (size_t)s->clip->n_frames, double);
  s->reach = REACH * s->c->height / 0.92;
  for (int i = 0; i < s->n_panels; i++) {
    const struct clip *smooth = capture_smooth(scratch, s->c, s->clip, s->cutoffs[i]);
    int standing = 0;
    capture_distances(s->c, s->clip, smooth, s->f->contact, s->o.patch, distance, NULL);
    for (int k = 0; k < s->clip->n_frames; k++) {
      if (isnan(distance[k])) continue;
      double at = (fmin(fmax(distance[k], -s->reach), s->reach) + s->reach) / (2 * s->reach) * BINS;
      s->share[i][at >= BINS ? BINS - 1 : (int)at]++;
      s->inside[i] += distance[k] <= 0.0;
      standing++;
    }
    for (int b = 0; b < BINS; b++) s->most = fmax(s->most, s->share[i][b] *= 100.0 / fmax(standing, 1));
    s->inside[i] *= 100.0 / fmax(standing, 1);
  }
  arena_free(scratch);
}

static void draw_panel(const struct sheet *s, struct rect cell, int i)
{
  struct arena *arena = canvas_arena(s->cv);
  struct axes a = {.outer = cell,
                   .x_lo = -100 * s->reach,
                   .x_hi = 100 * s->reach,
                   .y_hi = fmax(1.1 * s->most, 1),
                   .theme = s->theme,
                   .size = TEXT - 0.5,
                   .grid = 1,
                   .x_label = "distance, negative inside [cm]",
                   .y_label = i ? NULL : "frames [%]"};
  a.title = arena_printf(arena, "%s%s: %.0f %% inside", zmp_cutoff_name(arena, s->cutoffs[i]),
                         s->cutoffs[i] == s->f->cutoff ? " (chosen)" : "", s->inside[i]);
  axes_layout(s->cv, &a);
  canvas_box(s->cv, a.area, s->theme.panel);
  axes_draw(s->cv, &a);
  for (int b = 0; b < BINS; b++) {
    double from = 200.0 * s->reach * b / BINS - 100 * s->reach, until = from + 200.0 * s->reach / BINS;
    struct xy low = axes_map(&a, from, 0.0), high = axes_map(&a, until, s->share[i][b]);
    struct colour c = palette(until <= 1e-9 ? PALETTE_GREEN : PALETTE_VERMILION);
    if (s->share[i][b] > 0.0)
      canvas_box(s->cv, (struct rect){low.x + 0.3, high.y, high.x - low.x - 0.6, low.y - high.y}, c);
  }
  canvas_line(s->cv, axes_map(&a, 0.0, 0.0), axes_map(&a, 0.0, a.y_hi), &(struct pen){s->theme.ink, 0.8, 3.0});
}

/* ---- shares over cutoffs ---- */

struct shares {
  const char *label;
  struct colour colour;
  double width;
  int n;
  const double *cutoffs, *inside;
  double best;
};

static void draw_shares(struct canvas *cv, struct theme theme, struct rect outer, int n, const struct shares *curves)
{
  struct axes a = {.outer = outer,
                   .y_hi = 100,
                   .theme = theme,
                   .size = TEXT,
                   .grid = 1,
                   .x_label = "cutoff of the filter [Hz]",
                   .y_label = "ZMP over the feet [%]"};
  struct arena *arena = canvas_arena(cv);
  for (int i = 0; i < n; i++) a.x_hi = fmax(a.x_hi, curves[i].cutoffs[curves[i].n - 1]);
  axes_layout(cv, &a);
  canvas_box(cv, a.area, theme.panel);
  axes_draw(cv, &a);
  for (int i = 0; i < n; i++) {
    double *percent = ARENA_NEW(arena, (size_t)curves[i].n, double), best = 0.0;
    for (int k = 0; k < curves[i].n; k++) {
      percent[k] = 100 * curves[i].inside[k];
      if (curves[i].cutoffs[k] == curves[i].best) best = percent[k];
    }
    axes_curve(cv, &a, curves[i].n, curves[i].cutoffs, percent, &(struct pen){curves[i].colour, curves[i].width, 0.0});
    marker_draw(cv, MARKER_DOT, axes_map(&a, curves[i].best, best), 2.0 + curves[i].width, curves[i].colour);
  }
}

static double draw_legend(struct canvas *cv, struct theme theme, double top, int n, const struct shares *curves,
                          int draw)
{
  struct legend_entry *e = ARENA_NEW(canvas_arena(cv), (size_t)n, struct legend_entry);
  for (int i = 0; i < n; i++)
    e[i] = (struct legend_entry){.label = curves[i].label, .colour = curves[i].colour, .line = 1};
  struct legend l = {.at = {MARGIN, top},
                     .width = content,
                     .font = {.size = TEXT, .colour = theme.ink},
                     .n = n,
                     .entries = e,
                     .draw = draw};
  return legend_draw(cv, &l);
}

/* ---- pages ---- */

static void draw_page(struct sheet *s)
{
  struct arena *arena = canvas_arena(s->cv);
  struct page page = {.width = PAGE_WIDTH, .margin = MARGIN, .theme = s->theme, .title = traces_title(s->t, arena)};
  page.subtitle =
      "How far the zero-moment point is from the border of the support polygon, over the frames on the ground, after "
      "filters of "
      "several cutoffs; and the share of frames with it inside, over all cutoffs that were tried (dot: the one chosen)";
  struct panels panels = {.width = content, .height = PANEL_HEIGHT, .gap_x = GAP, .columns = PANELS};
  page.height = MARGIN + page_head_height(s->cv, &page) + PANEL_HEIGHT + GAP + CURVE_HEIGHT + MARGIN;
  panels.at = (struct xy){MARGIN, page_start(s->cv, &page).y};
  for (int i = 0; i < s->n_panels; i++) draw_panel(s, panels_cell(&panels, i), i);
  struct shares curve = {.colour = palette(PALETTE_BLUE), .width = 1.4, .n = s->f->n_cutoffs, .cutoffs = s->f->cutoffs,
                         .inside = s->f->inside_of, .best = s->f->cutoff};
  draw_shares(s->cv, s->theme, (struct rect){MARGIN, panels.at.y + PANEL_HEIGHT + GAP, content, CURVE_HEIGHT}, 1,
              &curve);
}

struct canvas *zmp_histogram_draw(const struct creature *c, const struct clip *clip, const char *path, struct diag *d)
{
  struct sheet s = {.cv = canvas_open(path, d), .c = c, .clip = clip, .theme = theme_paper()};
  if (!s.cv) return NULL;
  s.t = traces_new(canvas_arena(s.cv), c, clip, path, d);
  s.f = s.t ? zmp_study(canvas_arena(s.cv), c, clip, &s.o, path, d) : NULL;
  if (!s.f) {
    canvas_discard(s.cv);
    return NULL;
  }
  s.n_panels = zmp_compare(s.f->cutoff, 1 / clip->dt, 1, s.cutoffs);
  count(&s);
  draw_page(&s);
  return s.cv;
}

/* All clips as one: every frame on the ground counts the same. The first of equals is as good as any. */
static struct shares together(struct arena *arena, struct theme theme, int n,
                              const struct capture_feedforward *const *f)
{
  struct shares all = {
      .label = "all together", .colour = theme.ink, .width = 2.4, .n = f[0]->n_cutoffs, .cutoffs = f[0]->cutoffs};
  double *inside = ARENA_NEW(arena, (size_t)all.n, double), frames = 0.0;
  int best = 0;
  for (int i = 0; i < n; i++) {
    int standing = 0;
    for (int k = 0; k < f[i]->n_frames; k++) standing += !isnan(f[i]->distance[k]);
    for (int k = 0; k < all.n; k++) inside[k] += standing * f[i]->inside_of[k];
    frames += standing;
  }
  for (int k = 0; k < all.n; k++) {
    inside[k] /= fmax(frames, 1);
    if (inside[k] > inside[best]) best = k;
  }
  all.inside = inside;
  all.best = all.cutoffs[best];
  return all;
}

struct canvas *zmp_cutoffs_draw(const struct creature *c, int n, const struct clip *const *clips, const char *path,
                                struct diag *d)
{
  struct canvas *cv = canvas_open(path, d);
  if (!cv) return NULL;
  struct arena *arena = canvas_arena(cv);
  struct theme theme = theme_paper();
  struct shares *curves = ARENA_NEW(arena, (size_t)n + 1, struct shares);
  const struct capture_feedforward **f = ARENA_NEW(arena, (size_t)n + 1, const struct capture_feedforward *);
  for (int i = 0; i < n; i++) {
    struct capture_feedforward_options o;
    f[i] = zmp_study(arena, c, clips[i], &o, path, d);
    if (!f[i]) {
      canvas_discard(cv);
      return NULL;
    }
    curves[i] = (struct shares){.label = text_clean(arena, clips[i]->name, 1),
                                .colour = palette(i + 1),
                                .width = 1.0,
                                .n = f[i]->n_cutoffs,
                                .cutoffs = f[i]->cutoffs,
                                .inside = f[i]->inside_of,
                                .best = f[i]->cutoff};
  }
  curves[n] = together(arena, theme, n, f);
  double legend = draw_legend(cv, theme, 0.0, n + 1, curves, 0) + 8.0;
  struct page page = {.width = PAGE_WIDTH, .margin = MARGIN, .theme = theme,
                      .title = arena_printf(arena, "%s: how much to filter", text_clean(arena, c->name, 1))};
  for (int k = 0; k < curves[n].n; k++)
    if (curves[n].cutoffs[k] == curves[n].best)
      page.subtitle = arena_printf(arena,
                                   "Share of the frames on the ground with the zero-moment point over the feet; dots: "
                                   "the best cutoff of each clip, "
                                   "%s Hz for all together (%.0f %%)",
                                   text_number3(arena, curves[n].best), 100 * curves[n].inside[k]);
  page.height = MARGIN + page_head_height(cv, &page) + legend + 1.6 * CURVE_HEIGHT + MARGIN;
  double top = page_start(cv, &page).y;
  draw_legend(cv, theme, top, n + 1, curves, 1);
  draw_shares(cv, theme, (struct rect){MARGIN, top + legend, content, 1.6 * CURVE_HEIGHT}, n + 1, curves);
  return cv;
}
