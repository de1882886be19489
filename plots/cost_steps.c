/* The cost of a growing graph. See plots/cost_steps.h. */
#include "plots/cost_steps.h"

#include <math.h>

#define PAGE_WIDTH 842.0 /* [points] */
#define MARGIN 30.0
#define GAP 14.0
#define HEIGHT 230.0     /* of the axes */
#define TEXT 9.0

static const double content = PAGE_WIDTH - 2.0 * MARGIN;

enum over { OVER_STEPS, OVER_CLIPS, OVER_TIME, N_OVER };

struct curve {
  struct legend_entry look;
  int in_legend;
  int n;
  double *x[N_OVER], *cost, *lower, *upper;
};

struct sheet {
  struct canvas *cv;
  struct theme theme;
  int n;                         /* the first run is the last, drawn over the others                       */
  struct curve curves[COST_STEPS_MOST];
  double floor;                  /* taken off the costs, which are then drawn in powers of ten; NAN: none  */
  double lo, hi;                 /* of the costs                                                           */
  double unit;                   /* of the time [s]                                                        */
};

double cost_steps_seconds(const struct store_step *step)
{
  return step->seconds_proposing + step->seconds_estimating + step->seconds_solving + step->seconds_evaluating;
}

/* ---- data ---- */

/* At the floor there is no logarithm: the curve ends. */
static double above_floor(const struct sheet *s, double cost)
{
  return isnan(s->floor) ? cost : cost > s->floor ? cost - s->floor : (double)NAN;
}

static const struct legend_entry looks[] = {{.marker = MARKER_DOT, .colour = {0}},
                                            {.marker = MARKER_SQUARE, .dash = 4.0},
                                            {.marker = MARKER_DOT, .dash = 1.5},
                                            {.marker = MARKER_SQUARE, .dash = 8.0}};

static struct legend_entry look_of(int group)
{
  static const int colours[] = {PALETTE_BLUE, PALETTE_VERMILION, PALETTE_GREEN, PALETTE_ORANGE};
  struct legend_entry look = looks[group & 3];
  look.colour = palette(colours[group & 3]);
  return look;
}

static void add_curve(struct sheet *s, const struct cost_steps *run, int in_legend)
{
  struct legend_entry look = look_of(run->group);
  struct curve *c = &s->curves[s->n++];
  struct arena *arena = canvas_arena(s->cv);
  size_t n = (size_t)run->n;
  double clips = 0.0, seconds = 0.0;
  *c = (struct curve){.look = look, .in_legend = in_legend, .n = run->n, .cost = ARENA_NEW(arena, n, double),
                      .lower = ARENA_NEW(arena, n, double), .upper = ARENA_NEW(arena, n, double)};
  c->look.label = run->label;
  for (int i = 0; i < N_OVER; i++) c->x[i] = ARENA_NEW(arena, n, double);
  for (int k = 0; k < run->n; k++) {
    const struct store_step *step = &run->steps[k];
    c->x[OVER_STEPS][k] = step->iteration;
    c->x[OVER_CLIPS][k] = clips += step->n_clips;
    c->x[OVER_TIME][k] = seconds += cost_steps_seconds(step);
    c->cost[k] = above_floor(s, step->cost);
    c->lower[k] = above_floor(s, step->lower);
    c->upper[k] = above_floor(s, step->upper);
  }
}

/* Down to 0, unless costs are below it: else a small gain would look like a great one. */
static void choose_ranges(struct sheet *s)
{
  double longest = 0.0;
  s->lo = isnan(s->floor) ? 0.0 : HUGE_VAL;
  s->hi = isnan(s->floor) ? 0.0 : 0.0;
  for (int i = 0; i < s->n; i++) {
    const struct curve *c = &s->curves[i];
    longest = fmax(longest, c->x[OVER_TIME][c->n - 1]);
    for (int k = 0; k < c->n; k++)
      if (isfinite(c->cost[k])) {
        s->lo = fmin(s->lo, c->cost[k]);
        s->hi = fmax(s->hi, c->cost[k]);
      }
  }
  if (isnan(s->floor)) axes_widen(&s->lo, &s->hi, 1e-6);
  else if (s->lo < s->hi) axes_widen_log(&s->lo, &s->hi);
  else s->lo = 0.1, s->hi = 1.0;
  s->unit = longest > 10800.0 ? 3600.0 : longest > 300.0 ? 60.0 : 1.0;
  for (int i = 0; i < s->n; i++)
    for (int k = 0; k < s->curves[i].n; k++) s->curves[i].x[OVER_TIME][k] /= s->unit;
}

/* ---- drawing ---- */

static struct axes axes_over(const struct sheet *s, enum over over, struct rect cell)
{
  const char *const labels[] = {"step", "clips in the graph", s->unit > 60.0   ? "time of all parts [h]"
                                                              : s->unit > 1.0 ? "time of all parts [min]"
                                                                              : "time of all parts [s]"};
  struct axes a = {.outer = cell, .y_lo = s->lo, .y_hi = s->hi, .x_label = labels[over],
                   .y_label = over ? NULL : isnan(s->floor) ? "cost of a frame" : "cost of a frame above the floor",
                   .y_log = !isnan(s->floor), .theme = s->theme, .size = TEXT, .grid = 1};
  for (int i = 0; i < s->n; i++) a.x_hi = fmax(a.x_hi, s->curves[i].x[over][s->curves[i].n - 1]);
  if (over != OVER_STEPS) axes_widen(&a.x_lo, &a.x_hi, 1e-3);
  if (!(a.x_hi > a.x_lo)) a.x_hi = a.x_lo + 1.0;
  return a;
}

static void draw_over(const struct sheet *s, enum over over, struct rect cell)
{
  struct axes a = axes_over(s, over, cell);
  axes_layout(s->cv, &a);
  canvas_box(s->cv, a.area, s->theme.panel);
  axes_draw(s->cv, &a);
  for (int i = 0; i < s->n; i++) {
    const struct curve *c = &s->curves[i];
    struct band bounds = {.x = c->x[over], .low = c->lower, .high = c->upper, .n = c->n};
    axes_band(s->cv, &a, &bounds, colour_fade(c->look.colour, 0.25));
    axes_curve(s->cv, &a, c->n, c->x[over], c->cost, &(struct pen){c->look.colour, 1.4, c->look.dash});
    if (c->n <= 120) axes_marks(s->cv, &a, c->n, c->x[over], c->cost, &c->look);
  }
}

static double draw_legend(const struct sheet *s, double top, int draw)
{
  struct legend_entry e[COST_STEPS_MOST];
  int n = 0;
  for (int i = s->n - 1; i >= 0; i--)
    if (s->curves[i].in_legend) e[n++] = s->curves[i].look;
  struct legend l = {.at = {MARGIN, top}, .width = content, .font = {.size = TEXT, .colour = s->theme.ink}, .n = n,
                     .entries = e, .draw = draw};
  return legend_draw(s->cv, &l);
}

/* "from 1.55 to 0.449 in 8 steps, 17 clips; baseline: ...". */
static char *facts_of(struct arena *arena, const struct curve *c)
{
  return arena_printf(arena, "%s: from %s to %s, %d step%s, %.0f clips", c->look.label,
                      text_number3(arena, c->cost[0]), text_number3(arena, c->cost[c->n - 1]), c->n,
                      c->n == 1 ? "" : "s", c->x[OVER_CLIPS][c->n - 1]);
}

static char *facts(const struct sheet *s)
{
  struct arena *arena = canvas_arena(s->cv);
  char *text = facts_of(arena, &s->curves[s->n - 1]);
  if (!isnan(s->floor)) text = arena_printf(arena, "%s; above a floor of %s", text, text_number3(arena, s->floor));
  if (s->n > 2) return arena_printf(arena, "%d runs; the first, %s", s->n, text);
  return s->n > 1 ? arena_printf(arena, "%s; %s", text, facts_of(arena, &s->curves[0])) : text;
}

static void draw_page(struct sheet *s, const char *title)
{
  struct page page = {.width = PAGE_WIDTH, .margin = MARGIN, .theme = s->theme, .title = title, .subtitle = facts(s)};
  double legend = draw_legend(s, 0.0, 0) + 6.0;
  page.height = MARGIN + page_head_height(s->cv, &page) + legend + HEIGHT + MARGIN;
  double top = page_start(s->cv, &page).y;
  struct panels panels = {.at = {MARGIN, top + legend}, .width = content, .height = HEIGHT, .gap_x = GAP,
                          .columns = N_OVER};
  draw_legend(s, top, 1);
  for (int i = 0; i < N_OVER; i++) draw_over(s, (enum over)i, panels_cell(&panels, i));
}

static int is_first_of_group(const struct cost_steps *runs, int i)
{
  for (int k = 0; k < i; k++)
    if (runs[k].group == runs[i].group) return 0;
  return 1;
}

static struct canvas *draw_runs(const char *title, int n, const struct cost_steps *runs, double floor, const char *path,
                                struct diag *d)
{
  struct sheet s = {.cv = canvas_open(path, d), .theme = theme_paper(), .floor = floor};
  if (!s.cv) return NULL;
  for (int i = n - 1; i >= 0; i--) add_curve(&s, &runs[i], is_first_of_group(runs, i));
  choose_ranges(&s);
  draw_page(&s, title);
  return s.cv;
}

struct canvas *cost_steps_draw(const char *title, const struct cost_steps *run, const struct cost_steps *baseline,
                               const char *path, struct diag *d)
{
  struct cost_steps both[2] = {*run};
  if (run->n < 1 || (baseline && baseline->n < 1)) {
    diag_error(d, path, 0, "%s has no steps yet: there is no cost to draw", run->n < 1 ? "the run" : "the baseline");
    return NULL;
  }
  both[0].group = 0;
  if (baseline) both[1] = *baseline, both[1].group = 1;
  return draw_runs(title, baseline ? 2 : 1, both, NAN, path, d);
}

int plot_cost_steps(const char *title, const struct cost_steps *run, const struct cost_steps *baseline,
                    const char *path, struct diag *d)
{
  struct canvas *cv = cost_steps_draw(title, run, baseline, path, d);
  return cv ? canvas_finish(cv, d) : 0;
}

int plot_cost_runs(const char *title, int n, const struct cost_steps *runs, double floor, const char *path,
                   struct diag *d)
{
  for (int i = 0; i < n; i++)
    if (runs[i].n < 1) {
      diag_error(d, path, 0, "run %d has no steps yet: there is no cost to draw", i + 1);
      return 0;
    }
  if (n < 1 || n > COST_STEPS_MOST) {
    diag_error(d, path, 0, "a figure has 1 to %d runs, not %d", COST_STEPS_MOST, n);
    return 0;
  }
  struct canvas *cv = draw_runs(title, n, runs, floor, path, d);
  return cv ? canvas_finish(cv, d) : 0;
}
