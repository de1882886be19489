/* Convergence of a solve. See plots/convergence.h. */
#include "plots/convergence.h"

#include <math.h>

#define PAGE_WIDTH 620.0 /* [points] */
#define MARGIN 30.0
#define UPPER 230.0      /* heights of the two axes */
#define LOWER 170.0
#define TEXT 9.0

static const double content = PAGE_WIDTH - 2.0 * MARGIN;

enum series { INFEASIBILITY, DUAL, OBJECTIVE, N_SERIES };

struct sheet {
  struct canvas *cv;
  const struct spacetime_report *report;
  struct theme theme;
  int n;
  double *x, *y[N_SERIES];
};

static int collect(struct sheet *s, const char *path, struct diag *d)
{
  const struct spacetime_report *r = s->report;
  int most = (int)(sizeof r->history / sizeof *r->history);
  s->n = r->n_history < most ? r->n_history : most;
  if (s->n < 1) {
    diag_error(d, path, 0, "the solve has no history: it was refused before the first iteration, or not recorded");
    return 0;
  }
  struct arena *arena = canvas_arena(s->cv);
  s->x = ARENA_NEW(arena, (size_t)s->n, double);
  for (int i = 0; i < N_SERIES; i++) s->y[i] = ARENA_NEW(arena, (size_t)s->n, double);
  for (int k = 0; k < s->n; k++) {
    const struct spacetime_iteration *h = &r->history[k];
    s->x[k] = h->iteration;
    s->y[INFEASIBILITY][k] = h->infeasibility;
    s->y[DUAL][k] = h->dual_infeasibility;
    s->y[OBJECTIVE][k] = h->objective;
  }
  return 1;
}

/* Values that are not above 0 are left out; so are those far below any that matter. */
static void range_log(const struct sheet *s, int from, int until, double *lo, double *hi)
{
  const double least = 1e-14;
  *lo = INFINITY;
  *hi = -INFINITY;
  for (int i = from; i <= until; i++)
    for (int k = 0; k < s->n; k++)
      if (s->y[i][k] > least && isfinite(s->y[i][k])) {
        *lo = fmin(*lo, s->y[i][k]);
        *hi = fmax(*hi, s->y[i][k]);
      }
  axes_widen_log(lo, hi);
}

/* In powers of ten only if it falls by several. */
static void range_objective(const struct sheet *s, struct axes *a)
{
  double lo = INFINITY, hi = -INFINITY;
  for (int k = 0; k < s->n; k++)
    if (isfinite(s->y[OBJECTIVE][k])) {
      lo = fmin(lo, s->y[OBJECTIVE][k]);
      hi = fmax(hi, s->y[OBJECTIVE][k]);
    }
  a->y_log = lo > 0.0 && hi > 100.0 * lo;
  if (!a->y_log && lo > 0.0) lo = 0.0;
  if (a->y_log)
    axes_widen_log(&lo, &hi);
  else
    axes_widen(&lo, &hi, 1e-6 * fabs(hi) + 1e-9);
  a->y_lo = lo;
  a->y_hi = hi;
}

static struct legend_entry look_of(int i)
{
  static const int colours[] = {PALETTE_VERMILION, PALETTE_SKY, PALETTE_BLUE};
  static const char *const labels[] = {"infeasibility", "dual infeasibility", "objective"};
  return (struct legend_entry){.label = labels[i], .marker = i == DUAL ? MARKER_SQUARE : MARKER_DOT,
                               .colour = palette(colours[i])};
}

static void draw_series(const struct sheet *s, const struct axes *a, int i)
{
  struct legend_entry look = look_of(i);
  axes_curve(s->cv, a, s->n, s->x, s->y[i], &(struct pen){look.colour, 1.4, 0.0});
  if (s->n <= 120) axes_marks(s->cv, a, s->n, s->x, s->y[i], &look);
}

static struct axes axes_of(const struct sheet *s, double top, double height)
{
  double first = s->x[0], last = s->x[s->n - 1];
  return (struct axes){.outer = {MARGIN, top, content, height}, .x_lo = first,
                       .x_hi = last > first ? last : first + 1.0, .theme = s->theme, .size = TEXT, .grid = 1,
                       .y_log = 1, .left = 52.0};
}

static void draw_axes(const struct sheet *s, double top)
{
  struct axes upper = axes_of(s, top, UPPER), lower = axes_of(s, top + UPPER, LOWER);
  upper.y_label = "infeasibility";
  lower.y_label = "objective";
  lower.x_label = "iteration";
  range_log(s, INFEASIBILITY, DUAL, &upper.y_lo, &upper.y_hi);
  range_objective(s, &lower);
  axes_layout(s->cv, &upper);
  axes_layout(s->cv, &lower);
  canvas_box(s->cv, upper.area, s->theme.panel);
  canvas_box(s->cv, lower.area, s->theme.panel);
  axes_draw(s->cv, &upper);
  axes_draw(s->cv, &lower);
  draw_series(s, &upper, DUAL);
  draw_series(s, &upper, INFEASIBILITY);
  draw_series(s, &lower, OBJECTIVE);
}

static double draw_legend(const struct sheet *s, double top, int draw)
{
  const struct legend_entry e[] = {look_of(INFEASIBILITY), look_of(DUAL), look_of(OBJECTIVE)};
  struct legend l = {.at = {MARGIN, top}, .width = content, .font = {.size = TEXT, .colour = s->theme.ink}, .n = 3,
                     .entries = e, .draw = draw};
  return legend_draw(s->cv, &l);
}

/* "solved in 21 iterations, 0.34 s; 1827 variables, 1640 constraints; the last of 4 solves". */
static char *facts(const struct sheet *s)
{
  static const char *const ends[] = {[SPACETIME_SOLVED] = "solved", [SPACETIME_REFUSED] = "refused",
                                     [SPACETIME_FAILED] = "failed", [SPACETIME_REJECTED] = "rejected",
                                     [SPACETIME_STOPPED] = "stopped"};
  const struct spacetime_report *r = s->report;
  struct arena *arena = canvas_arena(s->cv);
  char *text = arena_printf(arena, "%s after %d iterations and %s s; %d variables, %d constraints%s", ends[r->status],
                            r->nlp.iterations, text_number3(arena, r->nlp.seconds), r->n_vars, r->n_rows,
                            r->half_cycle ? ", half a cycle" : "");
  if (r->solves > 1) text = arena_printf(arena, "%s; the last of %d solves", text, r->solves);
  return r->reason[0] ? arena_printf(arena, "%s. %s", text, r->reason) : text;
}

struct canvas *convergence_draw(const char *what, const struct spacetime_report *report, const char *path,
                                struct diag *d)
{
  struct sheet s = {.cv = canvas_open(path, d), .report = report, .theme = theme_paper()};
  if (!s.cv) return NULL;
  if (!collect(&s, path, d)) {
    canvas_discard(s.cv);
    return NULL;
  }
  struct page page = {.width = PAGE_WIDTH, .margin = MARGIN, .theme = s.theme, .title = what, .subtitle = facts(&s)};
  double legend = draw_legend(&s, 0.0, 0) + 6.0;
  page.height = MARGIN + page_head_height(s.cv, &page) + legend + UPPER + LOWER + MARGIN;
  double top = page_start(s.cv, &page).y;
  draw_legend(&s, top, 1);
  draw_axes(&s, top + legend);
  return s.cv;
}

int plot_convergence(const char *what, const struct spacetime_report *report, const char *path, struct diag *d)
{
  struct canvas *cv = convergence_draw(what, report, path, d);
  return cv ? canvas_finish(cv, d) : 0;
}
