/* All creatures on one plate, in the manner of Muybridge's: dark panels with a grid of threads on warm paper.
 * See plots/creature_sheet.h. */
#include <math.h>

#include "plots/creature_sheet.h"
#include "plots/creature_view.h"

#define PAGE_WIDTH 900.0 /* [points] */
#define MARGIN 26.0
#define GAP 12.0
#define CAPTION 43.0     /* below each panel               */
#define FOOT 28.0        /* below all                      */
#define HEADROOM 14.0    /* above and beside a creature    */
#define EARTH 28.0       /* below the ground               */
#define TARGET 178.0     /* height of a panel, about       */
#define HIGHEST 300.0    /* height of a panel, at most     */
#define LOWEST 110.0     /* height of a panel, at least    */

static const double content = PAGE_WIDTH - 2.0 * MARGIN;

struct exhibit {
  const struct creature *creature;
  struct figure *figure;
  struct rect extent;          /* [m]                                       */
  double aspect;               /* width of its panel to its height          */
  struct rect panel;           /* by hang                                   */
  double scale;                /* points per metre                          */
};

struct zoo {
  struct canvas *cv;
  struct theme theme;
  int n, one_scale;
  struct exhibit *exhibits;
  double height;               /* of the page, by hang */
};

/* ---- layout ---- */

/* One row, from edge to edge, not higher than its creatures need when they are as wide as their panels. */
static double hang_row(struct zoo *z, const struct rows *rows, int i, int j, double top)
{
  double full = rows_height(rows, i, j), need = LOWEST, x = MARGIN;
  for (int k = i; k < j; k++) {
    const struct exhibit *e = &z->exhibits[k];
    double room = e->aspect * full - 2.0 * HEADROOM;
    need = fmax(need, 1.15 * room * e->extent.h / e->extent.w + HEADROOM + EARTH);
  }
  double height = fmin(fmin(full, need), HIGHEST);
  for (int k = i; k < j; k++) {
    double width = z->exhibits[k].aspect * full;
    z->exhibits[k].panel = (struct rect){x, top, width, height};
    x += width + GAP;
  }
  return top + height + CAPTION;
}

static struct rect stage(struct rect panel)
{
  return (struct rect){panel.x + HEADROOM, panel.y + HEADROOM, fmax(1.0, panel.w - 2.0 * HEADROOM),
                       fmax(1.0, panel.h - HEADROOM - EARTH)};
}

static void hang(struct zoo *z)
{
  struct arena *arena = canvas_arena(z->cv);
  int *next = ARENA_NEW(arena, (size_t)z->n + 1, int);
  double *aspects = ARENA_NEW(arena, (size_t)z->n, double), least = INFINITY;
  struct rows rows = {.n = z->n, .aspects = aspects, .width = content, .gap = GAP, .target = TARGET};
  for (int i = 0; i < z->n; i++) aspects[i] = z->exhibits[i].aspect;
  rows_break(arena, &rows, next);
  z->height = MARGIN;
  for (int i = 0; i < z->n; i = next[i]) z->height = hang_row(z, &rows, i, next[i], z->height);
  z->height += FOOT;
  for (int i = 0; i < z->n; i++) {
    struct exhibit *e = &z->exhibits[i];
    e->scale = to_scale_fit(e->extent, stage(e->panel), 0.0).scale;
    least = fmin(least, e->scale);
  }
  for (int i = 0; i < z->n && z->one_scale; i++) z->exhibits[i].scale = least;
}

/* ---- drawing ---- */

static void draw_exhibit(const struct zoo *z, const struct exhibit *e)
{
  struct canvas *cv = z->cv;
  struct camera cam = camera_three_quarter();
  struct view v = view_fit(e->figure, cam, e->panel, e->scale);
  v.map = to_scale_fit(e->extent, stage(e->panel), e->scale);
  v.style = view_style_plate();
  v.mass = v.contacts = 0;
  v.taper = 1;
  struct font small = {.size = 10.0, .colour = v.style.ground};
  struct pen thread = {.colour = z->theme.faint, .width = 0.6}, frame = {.colour = z->theme.ink, .width = 1.2};
  double longest = fmin(72.0, 0.42 * e->panel.w); /* of the scale bar, which needs room for its label */
  struct scale_bar bar = scale_bar_choose(e->scale, longest);
  canvas_box(cv, e->panel, z->theme.panel);
  grid_draw(cv, e->panel, to_scale_map(&v.map, 0.0, 0.0), bar.length * e->scale, &thread);
  figure_draw(cv, e->figure, &v);
  scale_bar_draw(cv, (struct xy){e->panel.x + 10.0, e->panel.y + e->panel.h - 11.0}, longest, e->scale, &small);
  path_rect(cv, e->panel);
  canvas_paint(cv, NULL, &frame);
}

static void draw_caption(const struct zoo *z, const struct exhibit *e)
{
  struct arena *arena = canvas_arena(z->cv);
  struct font name = {.size = 15.0, .serif = 1, .bold = 1, .colour = z->theme.ink};
  struct font facts = {.size = 10.5, .colour = z->theme.muted};
  double x = e->panel.x, y = e->panel.y + e->panel.h;
  text_fit(z->cv, &name, (struct xy){x, y + 16.0}, e->panel.w, ALIGN_LEFT, text_clean(arena, e->creature->name, 1));
  text_fit(z->cv, &facts, (struct xy){x, y + 30.0}, e->panel.w, ALIGN_LEFT,
           arena_printf(arena, "%d DOFs, %s", e->creature->n_dofs, text_mass(arena, e->creature->mass)));
}

static void draw_foot(const struct zoo *z)
{
  struct font f = {.size = 10.5, .serif = 1, .italic = 1, .colour = z->theme.muted};
  text_fit(z->cv, &f, (struct xy){0.5 * PAGE_WIDTH, z->height - 0.6 * FOOT}, content, ALIGN_CENTRE,
           z->n == 1       ? "At rest; the threads are one scale bar apart."
           : z->one_scale ? "All to one scale, at rest; the threads are one scale bar apart."
                          : "Each to its own scale, at rest; the threads are one scale bar apart.");
}

/* ---- the plate ---- */

/* From the heaviest to the lightest; equals stay in their order. */
static void line_up(struct zoo *z, const struct creature *const *c)
{
  for (int i = 0; i < z->n; i++) {
    int k = i;
    for (; k > 0 && z->exhibits[k - 1].creature->mass < c[i]->mass; k--) z->exhibits[k] = z->exhibits[k - 1];
    z->exhibits[k].creature = c[i];
  }
}

static void invite(struct zoo *z, const struct creature *const *c)
{
  struct arena *arena = canvas_arena(z->cv);
  struct camera cam = camera_three_quarter();
  double largest = 0.0, smallest = INFINITY;
  z->exhibits = ARENA_NEW(arena, (size_t)z->n, struct exhibit);
  line_up(z, c);
  for (int i = 0; i < z->n; i++) {
    struct exhibit *e = &z->exhibits[i];
    e->figure = figure_new(arena, e->creature);
    e->extent = figure_extent(e->figure, &cam);
    double size = fmax(e->extent.w, e->extent.h);
    largest = fmax(largest, size);
    smallest = fmin(smallest, size);
    e->aspect = fmin(fmax((e->extent.w + 0.15 * size) / (e->extent.h + 0.2 * size), 0.7), 2.6);
  }
  z->one_scale = largest <= ZOO_COMMON * smallest;
}

struct canvas *zoo_sheet_draw(int n, const struct creature *const *c, const char *path, struct diag *d)
{
  struct zoo z = {.n = n, .theme = theme_plate()};
  z.cv = canvas_open(path, d);
  if (!z.cv) return NULL;
  invite(&z, c);
  hang(&z);
  canvas_page(z.cv, PAGE_WIDTH, z.height, z.theme.paper);
  for (int i = 0; i < n; i++) {
    draw_exhibit(&z, &z.exhibits[i]);
    draw_caption(&z, &z.exhibits[i]);
  }
  draw_foot(&z);
  return z.cv;
}

int plot_zoo_sheet(int n, const struct creature *const *c, const char *path, struct diag *d)
{
  struct canvas *cv = zoo_sheet_draw(n, c, path, d);
  return cv ? canvas_finish(cv, d) : 0;
}
