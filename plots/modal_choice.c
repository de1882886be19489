/* Other choices of modes that are planned over the window. See plots/modal_figures.h. */
#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "base/rng.h"
#include "plots/modal_figures.h"
#include "plots/traces.h"

#define PAGE_WIDTH 842.0 /* [points] */
#define MARGIN 30.0
#define PANEL 300.0
#define TEXT 8.5
#define SECONDS 4.0      /* of a human's time */
#define CHOICES 9
#define MOST_DOFS 120    /* larger creatures are simulated for a moment only */

static const double content = PAGE_WIDTH - 2.0 * MARGIN;

struct choice { char *name; int n, *modes; const struct modal_run *run; };

struct sheet {
  struct canvas *cv;
  const struct creature *c;
  const struct clip *clip;
  struct theme theme;
  int low;                 /* how many are planned as a rule */
  double seconds;
  int n_choices;
  struct choice choices[CHOICES];
};

/* Modes 6 + shift and so on. */
static void shifted(struct sheet *s, int shift)
{
  struct arena *arena = canvas_arena(s->cv);
  int n = s->c->n_dofs;
  if (MODAL_RIGID + shift >= n || s->n_choices == CHOICES) return;
  struct choice *x = &s->choices[s->n_choices++];
  x->modes = ARENA_NEW(arena, (size_t)n + 1, int);
  for (int k = MODAL_RIGID + shift; k < MODAL_RIGID + shift + s->low && k < n; k++) x->modes[x->n++] = k;
  x->name = arena_printf(arena, "modes %d to %d", x->modes[0], x->modes[x->n - 1]);
}

/* As many at random. */
static void scattered(struct sheet *s, int which)
{
  struct arena *arena = canvas_arena(s->cv);
  int n = s->c->n_dofs - MODAL_RIGID, left = s->low < n ? s->low : n;
  if (s->n_choices == CHOICES) return;
  struct rng rng = rng_stream(2011, (uint64_t)which);
  struct choice *x = &s->choices[s->n_choices++];
  x->modes = ARENA_NEW(arena, (size_t)s->c->n_dofs + 1, int);
  for (int k = 0; k < n && x->n < left; k++)
    if (rng_below(&rng, n - k) < left - x->n) x->modes[x->n++] = MODAL_RIGID + k;
  x->name = arena_printf(arena, "%d at random, draw %d", x->n, which + 1);
}

static int simulate(struct sheet *s, struct diag *d)
{
  for (int i = 0; i < s->n_choices; i++) {
    struct modal_run_options o;
    modal_run_defaults(s->c, &o);
    o.seconds = s->seconds;
    o.control.chosen = s->choices[i].modes;
    o.control.n_chosen = s->choices[i].n;
    s->choices[i].run = modal_run(canvas_arena(s->cv), s->c, s->clip, &o, d);
    if (!s->choices[i].run) return 0;
  }
  return 1;
}

static struct pen pen_of(int i)
{
  int chance = i >= CHOICES - 3;
  return (struct pen){palette(i == 0 ? PALETTE_BLACK : 1 + (i - 1) % 6), i == 0 ? 2.0 : 1.2, chance ? 3.0 : 0.0};
}

static void draw_errors(const struct sheet *s, struct rect outer)
{
  struct arena *arena = canvas_arena(s->cv);
  struct axes a = {.outer = outer, .x_hi = s->seconds, .y_lo = 0.01, .y_hi = 100.0, .theme = s->theme, .size = TEXT,
                   .grid = 1,
                   .y_log = 1, .x_label = "time [s]", .y_label = "root off by [degrees]"};
  axes_layout(s->cv, &a);
  canvas_box(s->cv, a.area, s->theme.panel);
  axes_draw(s->cv, &a);
  for (int i = s->n_choices - 1; i >= 0; i--) {
    const struct modal_run *r = s->choices[i].run;
    double *x = ARENA_NEW(arena, (size_t)r->n + 1, double), *y = ARENA_NEW(arena, (size_t)r->n + 1, double);
    for (int k = 0; k < r->n; k++) {
      x[k] = (k + 1) * r->dt;
      y[k] = fmin(100.0, fmax(0.01, r->angle[k] * TO_DEGREES));
    }
    struct pen pen = pen_of(i);
    axes_curve(s->cv, &a, r->n, x, y, &pen);
    if (!r->success && r->n)
      axes_marks(s->cv, &a, 1, x + r->n - 1, y + r->n - 1, &(struct legend_entry){.marker = MARKER_CROSS,
                                                                                  .colour = pen.colour});
  }
}

static double draw_legend(const struct sheet *s, double top, int draw)
{
  struct legend_entry e[CHOICES + 1];
  for (int i = 0; i < s->n_choices; i++) {
    struct pen pen = pen_of(i);
    e[i] = (struct legend_entry){.label = s->choices[i].name, .line = 1, .colour = pen.colour, .dash = pen.dash};
  }
  e[s->n_choices] = (struct legend_entry){.label = "falls", .marker = MARKER_CROSS, .colour = s->theme.ink};
  struct legend l = {.at = {MARGIN, top}, .width = content, .font = {.size = TEXT, .colour = s->theme.muted},
                     .n = s->n_choices + 1, .entries = e, .draw = draw};
  return legend_draw(s->cv, &l);
}

static void draw_page(struct sheet *s, const char *title)
{
  struct arena *arena = canvas_arena(s->cv);
  struct page page = {.width = PAGE_WIDTH, .margin = MARGIN, .theme = s->theme, .title = title};
  const struct modal_run *own = s->choices[0].run;
  page.subtitle = arena_printf(arena,
                               "Error of the root's orientation when %d modes are planned over the window of 12 steps "
                               "and all others tracked step by step: those of lowest frequency, the same number "
                               "further up, and random ones. The lowest: rms %s degrees",
                               s->low, text_number3(arena, own->mean_angle * TO_DEGREES));
  double legend = draw_legend(s, 0.0, 0) + 8.0;
  page.height = MARGIN + page_head_height(s->cv, &page) + PANEL + legend + MARGIN;
  double top = page_start(s->cv, &page).y;
  draw_errors(s, (struct rect){MARGIN, top, content, PANEL});
  draw_legend(s, top + PANEL + 8.0, 1);
}

struct canvas *modal_choice_draw(const struct creature *c, const struct clip *clip, const char *path, struct diag *d)
{
  struct sheet s = {.cv = canvas_open(path, d), .c = c, .clip = clip, .theme = theme_paper()};
  if (!s.cv) return NULL;
  struct arena *arena = canvas_arena(s.cv);
  const struct traces *t = traces_new(arena, c, clip, path, d);
  struct modal_run_options o;
  modal_run_defaults(c, &o);
  s.seconds = SECONDS * modal_units(c).time / 0.303;
  if (c->n_dofs > MOST_DOFS) s.seconds *= 0.005;
  o.seconds = o.control.step * modal_units(c).time; /* one step, to count the modes of low frequency */
  if (t && c->n_dofs <= MODAL_RIGID) return modal_without(s.cv, traces_title(t, arena));
  const struct modal_run *first = t ? modal_run(arena, c, clip, &o, d) : NULL;
  s.low = first && first->low[0] > 0 ? first->low[0] : 1;
  for (int shift = 0; first && shift <= 20; shift += 4) shifted(&s, shift);
  for (int k = 0; first && k < 3; k++) scattered(&s, k);
  if (!first || !simulate(&s, d)) {
    canvas_discard(s.cv);
    return NULL;
  }
  draw_page(&s, traces_title(t, arena));
  return s.cv;
}
