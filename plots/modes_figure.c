/* Modes on the creature. See plots/modal_figures.h. */
#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "modal/modes.h"
#include "plots/creature_view.h"
#include "plots/modal_figures.h"
#include "plots/traces.h"

#define PAGE_WIDTH 842.0 /* [points] */
#define MARGIN 30.0
#define GAP 10.0
#define COLUMNS 6
#define SHOWN 12
#define PANEL 165.0
#define TEXT 8.5
#define SWING 0.5        /* the joint that moves most goes at most so far [rad]                    */
#define SEEN 0.16        /* the limb that moves most goes that far, in heights, if joints allow it */

static const double content = PAGE_WIDTH - 2.0 * MARGIN;

struct sheet {
  struct canvas *cv;
  const struct creature *c;
  struct modes *modes;
  struct theme theme;
  struct figure *figure;
  const double *pose;      /* SI */
  double *q;
  int low;                 /* modes below the usual threshold */
  double scale;            /* points per metre */
};

/* The pose, moved along a mode by an amount. */
static void move(struct sheet *s, int mode, double amount)
{
  const double *x = s->modes->shape + (size_t)(mode * s->modes->n);
  for (int i = 0; i < s->modes->n; i++) s->q[i] = s->pose[i] + amount * x[i] * (i < 3 ? s->c->height : 1.0);
  figure_pose(s->figure, s->q);
}

/* An amount that can be seen: the ends of a limb move, and no joint turns too far. */
static double swing(struct sheet *s, int mode)
{
  const double *x = s->modes->shape + (size_t)(mode * s->modes->n);
  double most = 1e-12, moved = 1e-12, small = 1e-4;
  double(*before)[3] = (double(*)[3])ARENA_NEW(canvas_arena(s->cv), 6 * (size_t)s->c->n_limbs, double);
  for (int i = CREATURE_ROOT_DOFS; i < s->modes->n; i++) most = fmax(most, fabs(x[i]));
  for (int after = 0; after < 2; after++) {
    move(s, mode, after * small / most);
    for (int i = 0; i < s->c->n_limbs; i++)
      for (int end = 0; end < 2; end++) {
        const struct shape *solid = figure_solid(s->figure, i);
        const double *at = end ? solid->to : solid->from;
        double *was = before[2 * i + end];
        if (after)
          moved = fmax(moved, sqrt((at[0] - was[0]) * (at[0] - was[0]) + (at[1] - was[1]) * (at[1] - was[1]) +
                                   (at[2] - was[2]) * (at[2] - was[2])));
        else
          memcpy(was, at, 3 * sizeof *at);
      }
  }
  return fmin(SWING, SEEN * s->c->height * small / moved) / most;
}

/* The dof that moves most, in words. */
static char *foremost(const struct sheet *s, int mode)
{
  const double *x = s->modes->shape + (size_t)(mode * s->modes->n);
  int best = CREATURE_ROOT_DOFS;
  for (int i = CREATURE_ROOT_DOFS; i < s->modes->n; i++)
    if (fabs(x[i]) > fabs(x[best])) best = i;
  return text_clean(canvas_arena(s->cv), s->c->dofs[best].name, 1);
}

static void draw_panel(struct sheet *s, struct rect cell, int mode)
{
  struct rect stage = {cell.x, cell.y + 24.0, cell.w, cell.h - 24.0};
  struct font font = {.size = TEXT, .bold = 1, .colour = s->theme.ink},
                     small = {.size = TEXT - 1.0, .colour = s->theme.muted};
  struct arena *arena = canvas_arena(s->cv);
  double hertz = sqrt(s->modes->square[mode]) / modal_units(s->c).time / (2.0 * PI);
  text_fit(s->cv, &font, (struct xy){cell.x + 4.0, cell.y + 9.0}, cell.w - 8.0, ALIGN_LEFT,
           arena_printf(arena, "%d: %s Hz%s", mode, text_number3(arena, hertz),
                        mode < MODAL_RIGID + s->low ? ", planned" : ""));
  text_fit(s->cv, &small, (struct xy){cell.x + 4.0, cell.y + 19.0}, cell.w - 8.0, ALIGN_LEFT, foremost(s, mode));
  canvas_box(s->cv, stage, s->theme.panel);
  canvas_clip(s->cv, stage);
  move(s, mode, 0.0);
  struct view v = view_fit(s->figure, camera_three_quarter(), stage, 0.0);
  v.ground = v.joints = v.contacts = v.mass = 0;
  struct colour side = v.style.near_side;
  double amount = swing(s, mode);
  for (int k = -1; k <= 1; k += 2) { /* both ends of its swing, then the pose */
    move(s, mode, k * amount);
    v.haze = 0.65;
    v.air = s->theme.panel;
    v.style.near_side = k < 0 ? palette(PALETTE_BLUE) : palette(PALETTE_VERMILION);
    v.style.far_side = colour_mix(v.style.near_side, s->theme.panel, 0.4);
    figure_draw(s->cv, s->figure, &v);
  }
  v.haze = 0.0;
  v.style.near_side = side;
  v.style.far_side = view_style_paper().far_side;
  move(s, mode, 0.0);
  figure_draw(s->cv, s->figure, &v);
  canvas_unclip(s->cv);
}

static void draw_page(struct sheet *s, const char *title)
{
  struct arena *arena = canvas_arena(s->cv);
  int shown = s->modes->n_joints < SHOWN ? s->modes->n_joints : SHOWN, n = s->modes->n;
  double hertz = sqrt(s->modes->square[n - 1]) / modal_units(s->c).time / (2.0 * PI);
  struct page page = {.width = PAGE_WIDTH, .margin = MARGIN, .theme = s->theme, .title = title};
  page.subtitle = arena_printf(arena,
                               "Vibration modes at the clip's first frame, each joint with a spring: the pose, and the "
                               "two ends of each mode's swing (blue, red), with the dof that moves most. 6 rigid modes "
                               "have no frequency; %d of %d others are planned over a window of modal-space control; "
                               "the fastest, number %d, has %s Hz", s->low, s->modes->n_joints, n - 1,
                               text_number3(arena, hertz));
  struct panels panels = {.width = content, .height = PANEL, .gap_x = GAP, .gap_y = GAP, .columns = COLUMNS};
  page.height = MARGIN + page_head_height(s->cv, &page) + panels_height(&panels, shown) + MARGIN;
  panels.at = (struct xy){MARGIN, page_start(s->cv, &page).y};
  for (int i = 0; i < shown; i++) draw_panel(s, panels_cell(&panels, i), MODAL_RIGID + i);
}

struct canvas *modal_without(struct canvas *cv, const char *title)
{
  struct page page = {.width = 0.5 * PAGE_WIDTH, .margin = MARGIN, .theme = theme_paper(), .title = title,
                      .subtitle = "A creature without joints has no modes that vibrate"};
  page.height = 2.0 * MARGIN + page_head_height(cv, &page);
  page_start(cv, &page);
  return cv;
}

struct canvas *modes_figure_draw(const struct creature *c, const struct clip *clip, const char *path, struct diag *d)
{
  struct sheet s = {.cv = canvas_open(path, d), .c = c, .theme = theme_paper()};
  if (!s.cv) return NULL;
  struct arena *arena = canvas_arena(s.cv);
  const struct traces *t = traces_new(arena, c, clip, path, d);
  double *pose = ARENA_NEW(arena, (size_t)c->n_dofs, double), *unit = ARENA_NEW(arena, (size_t)c->n_dofs, double);
  struct modal_options usual;
  modal_defaults(&usual);
  s.modes = modes_new(arena, c, usual.stiffness);
  s.q = ARENA_NEW(arena, (size_t)c->n_dofs, double);
  s.pose = pose;
  if (t) {
    clip_frame(clip, 0, pose);
    for (int i = 0; i < c->n_dofs; i++) unit[i] = pose[i] / (i < 3 ? c->height : 1.0);
  }
  if (t && c->n_dofs <= CREATURE_ROOT_DOFS) return modal_without(s.cv, traces_title(t, arena));
  if (!t || !modes_at(s.modes, dynamics_new_dimensionless(arena, c), unit)) {
    if (t) diag_error(d, path, 0, "the clip's first frame is no pose");
    canvas_discard(s.cv);
    return NULL;
  }
  s.low = modes_below(s.modes, usual.threshold);
  s.figure = figure_new(arena, c);
  draw_page(&s, traces_title(t, arena));
  return s.cv;
}
