/* A run under modal-space control. See plots/modal_figures.h. */
#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "plots/creature_view.h"
#include "plots/modal_figures.h"
#include "plots/traces.h"

#define PAGE_WIDTH 842.0 /* [points] */
#define MARGIN 30.0
#define STRIP 120.0
#define ERRORS 120.0
#define FORCES 84.0
#define LABELS 22.0      /* of the time axis below the last  */
#define TEXT 8.5
#define POSES 14
#define MOST_LEGS 8
#define MOST_DOFS 120

static const double content = PAGE_WIDTH - 2.0 * MARGIN;

struct sheet {
  struct canvas *cv;
  const struct modal_run *r;
  const struct modal_run_options *o;
  const struct traces *t;  /* legs */
  struct theme theme;
  double seconds, *x;
};

/* ---- poses ---- */

static void draw_poses(const struct sheet *s, double top)
{
  struct arena *arena = canvas_arena(s->cv);
  struct figure *f = figure_new(arena, s->r->creature);
  int n = s->r->n < POSES ? s->r->n : POSES;
  double cell = content / POSES, scale = 0.0;
  struct font small = {.size = TEXT - 1.0, .colour = s->theme.muted};
  for (int i = 0; i < n; i++) {
    int k = n > 1 ? (int)((double)i * (s->r->n - 1) / (n - 1)) : 0;
    double *q = ARENA_NEW(arena, (size_t)s->r->n_dofs, double);
    memcpy(q, s->r->q + (size_t)(k * s->r->n_dofs), (size_t)s->r->n_dofs * sizeof *q);
    figure_pose(f, q);
    struct rect stage = {MARGIN + i * cell, top, cell, STRIP - 14.0};
    if (i == 0) /* all at one scale, with room for wider steps */
      scale = 0.8 * view_fit(f, camera_three_quarter(), stage, 0.0).map.scale;
    struct view v = view_fit(f, camera_three_quarter(), stage, scale);
    v.joints = v.contacts = v.mass = 0;
    figure_draw(s->cv, f, &v);
    text_fit(s->cv, &small, (struct xy){MARGIN + (i + 0.5) * cell, top + STRIP - 4.0}, cell, ALIGN_CENTRE,
             arena_printf(arena, "%.2f s", (k + 1) * s->r->dt));
  }
}

/* ---- curves ---- */

static void draw_spans(const struct sheet *s, const struct axes *a)
{
  struct arena *arena = canvas_arena(s->cv);
  struct xy *x = ARENA_NEW(arena, 2 * (size_t)s->o->n_pushes + 1, struct xy);
  for (int i = 0; i < s->o->n_pushes; i++) x[i] = (struct xy){s->o->pushes[i].time,
                                                              s->o->pushes[i].time + s->o->pushes[i].seconds};
  axes_spans(s->cv, a, &(struct spans){.n = s->o->n_pushes, .x = x, .until = 1.0},
             colour_fade(palette(PALETTE_VERMILION), 0.3));
  for (int i = 0; i < s->o->n_pushes; i++)
    x[i] = (struct xy){s->o->pushes[i].time + s->o->pushes[i].seconds,
                       fmax(s->o->pushes[i].time + s->o->pushes[i].seconds, s->o->pushes[i].time + s->o->reaction)};
  axes_spans(s->cv, a, &(struct spans){.n = s->o->n_pushes, .x = x, .until = 1.0},
             colour_fade(palette(PALETTE_ORANGE), 0.2));
}

static void draw_curves(const struct sheet *s, struct rect outer, const char *label, int n, double *const *y, int bare)
{
  const struct pen pens[] = {{palette(PALETTE_BLACK), 1.2, 0.0}, {palette(PALETTE_BLUE), 1.0, 0.0},
                             {palette(PALETTE_VERMILION), 1.0, 3.0}};
  struct axes a = {.outer = outer, .x_hi = s->seconds, .theme = s->theme, .size = TEXT, .grid = 1, .y_label = label,
                   .left = 30.0,
                   .bare_x = bare, .x_label = bare ? NULL : "time [s]"};
  for (int i = 0; i < n; i++)
    for (int k = 0; k < s->r->n; k++) {
      a.y_lo = fmin(a.y_lo, y[i][k]);
      a.y_hi = fmax(a.y_hi, y[i][k]);
    }
  axes_widen(&a.y_lo, &a.y_hi, 0.05);
  axes_layout(s->cv, &a);
  canvas_box(s->cv, a.area, s->theme.panel);
  draw_spans(s, &a);
  axes_draw(s->cv, &a);
  for (int i = 0; i < n; i++) axes_curve(s->cv, &a, s->r->n, s->x, y[i], &pens[n == 3 ? i : i + 1]);
}

static void draw_errors(const struct sheet *s, double top)
{
  struct arena *arena = canvas_arena(s->cv);
  double *y[3];
  for (int i = 0; i < 3; i++) y[i] = ARENA_NEW(arena, (size_t)s->r->n + 1, double);
  for (int k = 0; k < s->r->n; k++) {
    y[0][k] = s->r->angle[k] * TO_DEGREES;
    y[1][k] = 100.0 * s->r->place[2 * k];
    y[2][k] = 100.0 * s->r->place[2 * k + 1];
  }
  draw_curves(s, (struct rect){MARGIN, top, content, ERRORS}, "off by [degrees, cm]", 3, y, 0);
}

/* Vertical force of a leg in body weights: planned, used. */
static void draw_leg(const struct sheet *s, int leg, double top, int last)
{
  struct arena *arena = canvas_arena(s->cv);
  const struct leg *l = &s->t->legs[leg];
  double *y[2], weight = s->r->creature->mass * CREATURE_GRAVITY;
  for (int i = 0; i < 2; i++) {
    const double *force = i ? s->r->planned : s->r->used;
    y[i] = ARENA_NEW(arena, (size_t)s->r->n + 1, double);
    for (int k = 0; k < s->r->n; k++)
      for (int p = 0; p < l->n_points; p++) y[i][k] += force[(size_t)(3 * (k * s->r->n_points + l->points[p]) + 2)] /
                   weight;
    for (int k = 0; k < s->r->n; k++) y[i][k] = fmin(y[i][k], 4.0); /* an impact would make the rest flat */
  }
  draw_curves(s, (struct rect){MARGIN, top, content, FORCES + (last ? LABELS : 0.0)}, l->name, 2, y, !last);
}

static double draw_legend(const struct sheet *s, double top, int draw)
{
  const struct legend_entry e[] = {{.label = "root's orientation [degrees]", .line = 1,
                                    .colour = palette(PALETTE_BLACK)},
                                   {.label = "ahead of the clip's way [cm]", .line = 1,
                                    .colour = palette(PALETTE_BLUE)},
                                   {.label = "to its left [cm]", .line = 1, .dash = 3.0,
                                    .colour = palette(PALETTE_VERMILION)},
                                   {.label = "pushed", .marker = MARKER_SQUARE,
                                    .colour = colour_fade(palette(PALETTE_VERMILION), 0.5)},
                                   {.label = "not noticed yet", .marker = MARKER_SQUARE,
                                    .colour = colour_fade(palette(PALETTE_ORANGE), 0.4)}};
  struct legend l = {.at = {MARGIN, top}, .width = content, .font = {.size = TEXT, .colour = s->theme.muted},
                     .n = s->o->n_pushes ? 5 : 3, .entries = e, .draw = draw};
  return legend_draw(s->cv, &l);
}

static double draw_force_legend(const struct sheet *s, double top, int draw)
{
  const struct legend_entry e[] = {{.label = "vertical force of the ground, used [weights]", .line = 1,
                                    .colour = palette(PALETTE_BLUE)},
                                   {.label = "planned", .line = 1, .dash = 3.0, .colour = palette(PALETTE_VERMILION)}};
  struct legend l = {.at = {MARGIN, top}, .width = content, .font = {.size = TEXT, .colour = s->theme.muted}, .n = 2,
                     .entries = e, .draw = draw};
  return legend_draw(s->cv, &l);
}

/* ---- the page ---- */

static char *facts(const struct sheet *s)
{
  struct arena *arena = canvas_arena(s->cv);
  const struct modal_run *r = s->r;
  char *text = arena_printf(arena, "Modal-space control, window %d, in %s: %s; root off by at most %s degrees",
                            s->o->control.window,
                            s->o->where == MODAL_LINEAR ? "its own linearised dynamics" : "the simulated world",
                            r->success ? "followed to the end" : "it falls",
                            text_number3(arena, r->worst_angle * TO_DEGREES));
  for (int i = 0; i < s->o->n_pushes; i++)
    text = arena_printf(arena, "%s; %s N at %s s", text, text_number3(arena,
                                                                      hypot(s->o->pushes[i].force[0],
                                                                            s->o->pushes[i].force[1])),
                        text_number3(arena, s->o->pushes[i].time));
  return text;
}

/* poses and errors, or forces, or all. */
static struct canvas *draw(struct sheet *s, const char *title, int errors, int forces)
{
  struct page page = {.width = PAGE_WIDTH, .margin = MARGIN, .theme = s->theme, .title = title, .subtitle = facts(s)};
  int legs = !forces ? 0 : s->t->n_legs < MOST_LEGS ? s->t->n_legs : MOST_LEGS;
  double legend = errors ? draw_legend(s, 0.0, 0) + 6.0 : 0.0, legend2 = forces ? draw_force_legend(s, 0.0, 0) +
                  6.0 : 0.0;
  page.height = 2.0 * MARGIN + page_head_height(s->cv, &page) + (errors ? STRIP + ERRORS + 6.0 + legend : 0.0) +
                legend2 + legs * FORCES + LABELS;
  double top = page_start(s->cv, &page).y;
  s->seconds = s->r->n_wanted * s->r->dt;
  s->x = ARENA_NEW(canvas_arena(s->cv), (size_t)s->r->n + 1, double);
  for (int k = 0; k < s->r->n; k++) s->x[k] = (k + 1) * s->r->dt;
  if (errors) {
    draw_poses(s, top);
    draw_legend(s, top + STRIP + 6.0, 1);
    draw_errors(s, top + STRIP + 6.0 + legend);
    top += STRIP + 6.0 + legend + ERRORS;
  }
  if (forces) draw_force_legend(s, top, 1);
  for (int i = 0; i < legs; i++) draw_leg(s, i, top + legend2 + i * FORCES, i == legs - 1);
  return s->cv;
}

/* Legs and names come from a clip; that of the run has one frame at least. */
static const struct traces *legs_of(struct arena *arena, const struct modal_run *r)
{
  struct clip *clip = clip_new(arena, r->creature, 8, r->dt);
  for (int k = 0; k < 8; k++) creature_rest_pose(r->creature, clip->q + (size_t)(k * r->n_dofs));
  clip->cyclic = 1;
  return traces_new(arena, r->creature, clip, "", NULL);
}

struct canvas *modal_run_draw(const char *title, const struct modal_run *r, const struct modal_run_options *o,
                              const char *path,
                              struct diag *d)
{
  struct sheet s = {.cv = canvas_open(path, d), .r = r, .o = o, .theme = theme_paper()};
  if (!s.cv) return NULL;
  struct arena *arena = canvas_arena(s.cv);
  s.t = legs_of(arena, r);
  return draw(&s, arena_printf(arena, "%s: %s", text_clean(arena, r->creature->name, 1), text_clean(arena, title, 1)),
              1, 1);
}

int plot_modal_run(const char *title, const struct modal_run *r, const struct modal_run_options *o, const char *path,
                   struct diag *d)
{
  struct canvas *cv = modal_run_draw(title, r, o, path, d);
  return cv && canvas_finish(cv, d);
}

static struct canvas *draw_kind(const struct creature *c, const struct clip *clip, const char *path, struct diag *d,
                                int pushed)
{
  struct sheet s = {.cv = canvas_open(path, d), .theme = theme_paper()};
  if (!s.cv) return NULL;
  struct arena *arena = canvas_arena(s.cv);
  struct modal_run_options o;
  double time = modal_units(c).time / 0.303; /* of a human */
  struct disturb_push push = {.time = 1.0 * time, .seconds = 10.0 / 120.0 * time,
                              .force = {0, c->mass * CREATURE_GRAVITY / 6.0, 0}};
  modal_run_defaults(c, &o);
  for (int i = 1; i < c->n_limbs; i++)
    if (c->limbs[i].mass > c->limbs[push.limb].mass) push.limb = i;
  o.seconds = (pushed ? 5.0 : 2.5) * time * (c->n_dofs > MOST_DOFS ? 0.01 : 1.0);
  o.pushes = &push;
  o.n_pushes = pushed;
  o.reaction *= time;
  s.t = traces_new(arena, c, clip, path, d);
  s.r = s.t ? modal_run(arena, c, clip, &o, d) : NULL;
  s.o = &o;
  if (!s.r) {
    canvas_discard(s.cv);
    return NULL;
  }
  return draw(&s, traces_title(s.t, arena), pushed, 1);
}

struct canvas *modal_push_draw(const struct creature *c, const struct clip *clip, const char *path, struct diag *d)
{
  return draw_kind(c, clip, path, d, 1);
}

struct canvas *modal_forces_draw(const struct creature *c, const struct clip *clip, const char *path, struct diag *d)
{
  return draw_kind(c, clip, path, d, 0);
}
