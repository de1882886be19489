/* Responses of a controller. See plots/response.h. */
#include "plots/response.h"

#include <math.h>
#include <stdlib.h>

#include "base/angle.h"
#include "plots/choices.h"

#define PAGE_WIDTH 842.0 /* A4 on its side; as high as it needs [points] */
#define MARGIN 30.0
#define GAP 16.0
#define TEXT 8.5
#define CHART 190.0      /* height of the axes of a panel                */
#define NUMBERS 46.0     /* of the lines below them                      */

static const double content = PAGE_WIDTH - 2.0 * MARGIN;

/* All responses that are drawn together: to a step, or to it and its mirror image. */
struct group {
  int n_steps, steps[2];
  int n;                        /* responses that apply                                                      */
  const struct response **of;   /*                                                                (n)        */
  double *sign;                 /* 1 or -1: so that all begin above 0                             (n)        */
  double tolerance;
};

struct sheet {
  struct canvas *cv;
  const struct response_table *r;
  struct theme theme;
  int n_groups;
  struct group *groups;
  double end;                   /* of the time shown [s] */
};

/* ---- groups ---- */

static const struct task_parameter *parameter_of(const struct sheet *s, const struct group *g)
{
  return &s->r->task->parameters[s->r->steps[g->steps[0]].parameter];
}

static int is_angle(const struct sheet *s, const struct group *g)
{
  return parameter_of(s, g)->kind->space == TASK_CIRCLE;
}

static int is_gait(const struct sheet *s, const struct group *g)
{
  return parameter_of(s, g)->kind->space == TASK_CATEGORY;
}

static int belongs(const struct sheet *s, const struct group *g, int step)
{
  const struct response_step *a = &s->r->steps[g->steps[0]], *b = &s->r->steps[step];
  return is_angle(s, g) && g->n_steps == 1 && a->parameter == b->parameter && fabs(a->size + b->size) < 1e-9;
}

static void fill_group(struct sheet *s, struct group *g)
{
  const struct response_table *r = s->r;
  struct arena *arena = canvas_arena(s->cv);
  size_t most = (size_t)(g->n_steps * r->n_nodes) + 1;
  g->of = ARENA_NEW(arena, most, const struct response *);
  g->sign = ARENA_NEW(arena, most, double);
  for (int i = 0; i < r->n_nodes; i++)
    for (int k = 0; k < g->n_steps; k++) {
      const struct response *x = &r->responses[i * r->n_steps + g->steps[k]];
      if (!x->applies) continue;
      g->of[g->n] = x;
      g->sign[g->n++] = x->error[0] < 0.0 ? -1.0 : 1.0;
      g->tolerance = performance_tolerance(parameter_of(s, g), x->asked);
    }
}

/* A step by a positive angle comes first, then the one by a negative. */
static void find_groups(struct sheet *s)
{
  const struct response_table *r = s->r;
  s->groups = ARENA_NEW(canvas_arena(s->cv), (size_t)r->n_steps + 1, struct group);
  for (int k = 0; k < r->n_steps; k++) {
    int found = 0;
    for (int i = 0; i < s->n_groups && !found; i++)
      if (belongs(s, &s->groups[i], k)) {
        s->groups[i].steps[s->groups[i].n_steps++] = k;
        found = 1;
      }
    if (!found) s->groups[s->n_groups++] = (struct group){.n_steps = 1, .steps = {k, 0}};
  }
  for (int i = 0; i < s->n_groups; i++) fill_group(s, &s->groups[i]);
}

static int compare_groups(const struct sheet *s, const struct group *a, const struct group *b)
{
  const struct response_step *x = &s->r->steps[a->steps[0]], *y = &s->r->steps[b->steps[0]];
  if (x->parameter != y->parameter) return x->parameter - y->parameter;
  return (fabs(x->size) > fabs(y->size)) - (fabs(x->size) < fabs(y->size));
}

static void sort_groups(struct sheet *s)
{
  for (int i = 1; i < s->n_groups; i++)
    for (int k = i; k > 0 && compare_groups(s, &s->groups[k - 1], &s->groups[k]) > 0; k--) {
      struct group swap = s->groups[k];
      s->groups[k] = s->groups[k - 1];
      s->groups[k - 1] = swap;
    }
}

/* ---- numbers ---- */

static int compare_numbers(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *x, int n)
{
  if (n == 0) return NAN;
  qsort(x, (size_t)n, sizeof *x, compare_numbers);
  return n % 2 ? x[n / 2] : 0.5 * (x[n / 2 - 1] + x[n / 2]);
}

static double scale_of(const struct sheet *s, const struct group *g) { return is_angle(s, g) ? TO_DEGREES : 1.0; }

/* As far as the last comes to rest, and a little farther. */
static double find_end(const struct sheet *s)
{
  double last = 0.0, all = (s->r->n_frames - 1) * s->r->dt;
  for (int i = 0; i < s->n_groups; i++)
    for (int k = 0; k < s->groups[i].n; k++)
      last = fmax(last, isfinite(s->groups[i].of[k]->rest.time) ? s->groups[i].of[k]->rest.time : all);
  return fmin(all, fmax(1.15 * last, 4.0 * s->r->dt));
}

static char *group_title(const struct sheet *s, const struct group *g)
{
  struct arena *arena = canvas_arena(s->cv);
  const struct response_step *step = &s->r->steps[g->steps[0]];
  if (!is_angle(s, g)) return arena_printf(arena, "%s", response_step_text(s->r->task, step).words);
  return arena_printf(arena, "%s by %s%s", parameter_of(s, g)->kind->name, g->n_steps > 1 ? "\xc2\xb1" : "",
                      choice_turn(arena, g->n_steps > 1 ? fabs(step->size) : step->size));
}

static char *value_text(const struct sheet *s, const struct group *g, double value)
{
  struct arena *arena = canvas_arena(s->cv);
  if (is_angle(s, g)) return arena_printf(arena, "%s\xc2\xb0", text_number3(arena, TO_DEGREES * value));
  return arena_printf(arena, "%s %s", text_number3(arena, value), parameter_of(s, g)->kind->si_unit);
}

/* ---- panels ---- */

/* Of all curves in each frame: their median, of gaits the share that is wrong still. */
static void middle_curve(const struct sheet *s, const struct group *g, double *out)
{
  struct arena *arena = arena_new();
  double *x = ARENA_NEW(arena, (size_t)g->n + 1, double);
  for (int k = 0; k < s->r->n_frames; k++) {
    double sum = 0.0;
    for (int i = 0; i < g->n; i++) sum += x[i] = g->sign[i] * g->of[i]->error[k] * scale_of(s, g);
    out[k] = is_gait(s, g) ? sum / g->n : median(x, g->n);
  }
  arena_free(arena);
}

static struct colour side_colour(const struct sheet *s, const struct group *g, int i)
{
  if (!is_angle(s, g)) return palette(PALETTE_BLUE);
  if (g->n_steps == 1) return palette(PALETTE_PURPLE);
  return palette(g->sign[i] < 0.0 ? PALETTE_BLUE : PALETTE_VERMILION); /* done - asked < 0: asked to the left */
}

static void limits_of(const struct sheet *s, const struct group *g, double *lo, double *hi)
{
  *lo = *hi = 0.0;
  for (int i = 0; i < g->n; i++)
    for (int k = 0; k < s->r->n_frames && k * s->r->dt <= s->end; k++) {
      *lo = fmin(*lo, g->sign[i] * g->of[i]->error[k] * scale_of(s, g));
      *hi = fmax(*hi, g->sign[i] * g->of[i]->error[k] * scale_of(s, g));
    }
  double room = 0.06 * (*hi - *lo);
  *hi = fmax(*hi + room, 1e-3);
  *lo = is_gait(s, g) ? 0.0 : fmin(*lo - room, -2.0 * g->tolerance * scale_of(s, g));
}

static void draw_curves(const struct sheet *s, const struct group *g, const struct axes *a)
{
  struct arena *arena = arena_new();
  int n = s->r->n_frames;
  double *time = ARENA_NEW(arena, (size_t)n, double), *y = ARENA_NEW(arena, (size_t)n, double);
  for (int k = 0; k < n; k++) time[k] = k * s->r->dt;
  for (int i = 0; i < g->n && !is_gait(s, g); i++) {
    for (int k = 0; k < n; k++) y[k] = g->sign[i] * g->of[i]->error[k] * scale_of(s, g);
    struct colour c = colour_fade(side_colour(s, g, i), g->n > 20 ? 0.4 : 0.7);
    axes_curve(s->cv, a, n, time, y, &(struct pen){c, 0.7, 0.0});
  }
  middle_curve(s, g, y);
  axes_curve(s->cv, a, n, time, y, &(struct pen){s->theme.ink, 2.2, 0.0});
  arena_free(arena);
}

static void draw_chart(const struct sheet *s, const struct group *g, struct rect area)
{
  struct axes a = {.outer = area, .x_hi = s->end, .theme = s->theme, .size = TEXT, .grid = 1, .left = 46.0,
                   .title = group_title(s, g), .x_label = "time since it was asked [s]"};
  double tolerance = g->tolerance * scale_of(s, g);
  a.y_label = is_angle(s, g) ? "error [\xc2\xb0]" : is_gait(s, g) ? "share in the wrong gait"
              : arena_printf(canvas_arena(s->cv), "error [%s]", parameter_of(s, g)->kind->si_unit);
  limits_of(s, g, &a.y_lo, &a.y_hi);
  axes_layout(s->cv, &a);
  canvas_box(s->cv, a.area, s->theme.panel);
  if (!is_gait(s, g)) {
    struct xy low = axes_map(&a, 0.0, -tolerance), high = axes_map(&a, s->end, tolerance);
    canvas_box(s->cv, (struct rect){low.x, high.y, high.x - low.x, low.y - high.y},
               colour_fade(palette(PALETTE_GREEN), 0.22));
  }
  axes_draw(s->cv, &a);
  axes_level(s->cv, &a, 0.0, &(struct pen){s->theme.muted, 0.6, 0.0});
  if (g->n) draw_curves(s, g, &a);
}

static void draw_line(const struct sheet *s, struct rect cell, int line, const char *label, const char *text)
{
  struct font bold = {.size = 9.0, .bold = 1, .colour = s->theme.ink}, f = {.size = 9.0, .colour = s->theme.ink};
  double y = cell.y + CHART + 12.0 + 12.5 * line, x = cell.x + 46.0;
  text_fit(s->cv, &bold, (struct xy){x, y}, 60.0, ALIGN_LEFT, label);
  text_fit(s->cv, &f, (struct xy){x + 60.0, y}, cell.w - 106.0, ALIGN_LEFT, text);
}

static void draw_numbers(const struct sheet *s, const struct group *g, struct rect cell)
{
  struct arena *arena = canvas_arena(s->cv);
  double *times = ARENA_NEW(arena, (size_t)g->n + 1, double), *beyond = ARENA_NEW(arena, (size_t)g->n + 1, double);
  int never = 0;
  for (int i = 0; i < g->n; i++) {
    never += !isfinite(g->of[i]->rest.time);
    times[i] = g->of[i]->rest.time;
    beyond[i] = g->of[i]->rest.overshoot;
  }
  if (g->n == 0) {
    draw_line(s, cell, 0, "settled", "no node where this is new");
    return;
  }
  double middle = median(times, g->n);
  char *first = text_number3(arena, times[0]), *watched = text_number3(arena, (s->r->n_frames - 1) * s->r->dt);
  char *late = arena_printf(arena, "none in %s s", watched);
  if (never == 0)
    late = arena_printf(arena, "%s s median, %s to %s", text_number3(arena, middle), first,
                        text_number3(arena, times[g->n - 1]));
  else if (never < g->n)
    late = arena_printf(arena, "first in %s s; %d of %d not in %s s", first, never, g->n, watched);
  draw_line(s, cell, 0, "settled", late);
  if (!is_gait(s, g)) {
    middle = median(beyond, g->n);
    draw_line(s, cell, 1, "overshoot", arena_printf(arena, "%s median, %s at most", value_text(s, g, middle),
                                                    value_text(s, g, beyond[g->n - 1])));
  }
  draw_line(s, cell, is_gait(s, g) ? 1 : 2, "responses", arena_printf(arena, "%d, from %d nodes", g->n, s->r->n_nodes));
}

/* ---- the page ---- */

static double draw_legend(const struct sheet *s, double top, int draw)
{
  struct legend_entry e[8];
  int n = 0, angle = 0, about = 0, other = 0;
  for (int i = 0; i < s->n_groups; i++) {
    angle |= is_angle(s, &s->groups[i]) && s->groups[i].n_steps > 1;
    about |= is_angle(s, &s->groups[i]) && s->groups[i].n_steps == 1;
    other |= !is_angle(s, &s->groups[i]) && !is_gait(s, &s->groups[i]);
  }
  if (angle) e[n++] = (struct legend_entry){.label = "asked to the left", .colour = palette(PALETTE_BLUE), .line = 1};
  if (angle)
    e[n++] = (struct legend_entry){.label = "asked to the right", .colour = palette(PALETTE_VERMILION), .line = 1};
  if (about)
    e[n++] = (struct legend_entry){.label = "asked to turn about", .colour = palette(PALETTE_PURPLE), .line = 1};
  if (other)
    e[n++] = (struct legend_entry){.label = "asked for another value", .colour = palette(PALETTE_BLUE), .line = 1};
  e[n++] = (struct legend_entry){.label = "median", .colour = s->theme.ink, .line = 1};
  if (angle || about || other)
    e[n++] = (struct legend_entry){.label = !other ? "settled: stays within 10\xc2\xb0"
                                            : angle || about ? "settled: stays within 10\xc2\xb0, or the tolerance "
                                                               "shown"
                                                             : "settled: stays within the tolerance shown",
                                   .marker = MARKER_SQUARE, .colour = colour_fade(palette(PALETTE_GREEN), 0.35)};
  struct legend l = {.at = {MARGIN, top}, .width = content, .font = {.size = 9.0, .colour = s->theme.muted}, .n = n,
                     .entries = e, .draw = draw};
  return legend_draw(s->cv, &l);
}

struct canvas *response_draw(const struct response_table *r, const char *path, struct diag *d)
{
  if (r->n_steps < 1 || r->n_nodes < 1 || r->n_frames < 2) {
    diag_error(d, path, 0, "there is no response: the task has nothing to ask, or the controller no node");
    return NULL;
  }
  struct sheet s = {.cv = canvas_open(path, d), .r = r, .theme = theme_paper()};
  if (!s.cv) return NULL;
  struct arena *arena = canvas_arena(s.cv);
  find_groups(&s);
  sort_groups(&s);
  s.end = find_end(&s);
  struct panels p = {.width = content, .height = CHART + NUMBERS, .gap_x = GAP, .gap_y = 4.0,
                     .columns = s.n_groups < 3 ? 2 : 3};
  struct page page = {.width = PAGE_WIDTH, .margin = MARGIN, .theme = s.theme,
                      .title = choice_title(arena, r->task->creature->name, r->task->name)};
  page.subtitle = arena_printf(arena, "Response to a step: at each of %d decision nodes, content with what it does "
                               "there, something else is asked", r->n_nodes);
  double legend = draw_legend(&s, 0.0, 0) + 6.0;
  page.height = MARGIN + page_head_height(s.cv, &page) + legend + panels_height(&p, s.n_groups) + MARGIN;
  double top = page_start(s.cv, &page).y;
  draw_legend(&s, top, 1);
  p.at = (struct xy){MARGIN, top + legend};
  for (int i = 0; i < s.n_groups; i++) {
    struct rect cell = panels_cell(&p, i);
    draw_chart(&s, &s.groups[i], (struct rect){cell.x, cell.y, cell.w, CHART});
    draw_numbers(&s, &s.groups[i], cell);
  }
  return s.cv;
}

int plot_response(const struct response_table *r, const char *path, struct diag *d)
{
  struct canvas *cv = response_draw(r, path, d);
  return cv ? canvas_finish(cv, d) : 0;
}
