/* A creature on its way over the ground. See plots/filmstrip.h. */
#include <math.h>

#include "plots/filmstrip.h"
#include "plots/plan_view.h"

#define PAGE_WIDTH 842.0 /* A4 on its side; as high as it needs [points] */
#define MARGIN 30.0
#define HEADROOM 8.0
#define EARTH 13.0       /* below the ground                               */
#define HIGHEST 230.0    /* of a panel, about                              */
#define PLAN_LEAST 46.0
#define PLAN_HIGHEST 260.0
#define CAPTION 16.0     /* above each panel                               */
#define GHOSTS 9         /* poses, at most                                 */
#define APART 0.42       /* from pose to pose, in lengths of the creature  */

static const double content = PAGE_WIDTH - 2.0 * MARGIN;

struct walkway {
  struct clip_view view;
  int last, turns;              /* the last frame shown, of any cycle               */
  int n_ghosts;
  struct camera camera;
  struct rect extent;           /* of all frames [m]                                */
  double scale, step;
  struct plan_view plan;
  struct to_scale plan_map;     /* in a panel at the origin                         */
  double panel, plan_height;    /* heights without captions                         */
  int n_sides;                  /* of chronophotographs; 0 for a turn               */
};

/* ---- layout ---- */

/* Along the heading; a transition is seen from beside the way from its first frame to its last. */
static struct camera choose_camera(const struct walkway *w)
{
  const struct clip *clip = w->view.traces->clip;
  const double *first = clip->q, *last = clip->q + (size_t)(clip->n_frames - 1) * (size_t)clip->n_dofs;
  double dx = last[0] - first[0], dy = last[1] - first[1];
  if (!w->turns || hypot(dx, dy) < 0.3 * w->view.traces->creature->height)
    return camera_beside(w->view.traces->heading[0]);
  return camera_beside(atan2(dy, dx));
}

/* As far as the page is wide, but more than its own length and one cycle, and no more than four. */
static int choose_last(const struct walkway *w, struct rect body)
{
  const struct clip *clip = w->view.traces->clip;
  if (!clip->cyclic) return clip->n_frames - 1;
  double stride = hypot(clip->advance.x, clip->advance.y), width = content * body.h / (HIGHEST - HEADROOM - EARTH);
  double way = fmax(1.2 * body.w, width - 1.1 * body.w), cycles = stride > 0.0 ? way / stride : 1.0;
  return (int)(clip->n_frames * fmin(4.0, fmax(1.0, cycles)));
}

/* As many poses as stand apart, not all of them at one or two phases of the cycle. */
static int choose_ghosts(const struct walkway *w, double way, double length)
{
  int most = (int)fmin(GHOSTS, fmax(3.0, floor(way / (APART * length)) + 1.0)), best = most;
  double best_off = -1.0;
  if (!w->view.traces->clip->cyclic) return most;
  for (int n = most; n >= most - 2 && n >= 3; n--) {
    double halves = 2.0 * w->last / (n - 1) / w->view.traces->clip->n_frames, off = fabs(halves - floor(halves + 0.5));
    if (off > best_off + 0.1) {
      best_off = off;
      best = n;
    }
  }
  return best;
}

static int ghost_frame(const struct walkway *w, int i)
{
  return (int)floor((double)i * w->last / (w->n_ghosts - 1) + 0.5);
}

static void measure_way(struct walkway *w)
{
  double start = 0.0, end = 0.0;
  for (int k = 0; k <= w->last; k++) {
    clip_view_pose(&w->view, k);
    struct rect r = figure_extent(w->view.figure, &w->camera);
    w->extent = k ? rect_union(w->extent, r) : r;
    end = camera_project(&w->camera, w->view.q).x;
    if (k == 0) start = end;
  }
  w->n_ghosts = choose_ghosts(w, fabs(end - start), figure_extent(w->view.figure, &w->camera).w);
  for (int i = 0; i < w->n_ghosts; i++) {
    clip_view_pose(&w->view, ghost_frame(w, i));
    w->extent = rect_union(w->extent, clip_view_extent(&w->view, &w->camera));
  }
}

/* Beneath the side view and as wide; for a turn as large as fits. */
static void measure_plan(struct walkway *w)
{
  const struct clip *clip = w->view.traces->clip;
  double inner = content - 2.0 * HEADROOM;
  w->plan = (struct plan_view){.until = w->last, .camera = w->camera, .bodies = w->turns ? 4 : 2};
  w->plan.camera = camera_above(w->turns ? clip->q[3] : atan2(w->camera.right[1], w->camera.right[0]));
  plan_view_measure(&w->view, &w->plan);
  double high = PLAN_HIGHEST - 2.0 * HEADROOM;
  double scale = w->turns ? fmin(inner / w->plan.extent.w, high / w->plan.extent.h) : w->scale;
  w->plan.step = w->turns ? 0.0 : w->step;
  w->plan_height = fmax(PLAN_LEAST, scale * w->plan.extent.h + 2.0 * HEADROOM);
  struct rect inside = {HEADROOM, HEADROOM, inner, w->plan_height - 2.0 * HEADROOM};
  w->plan_map = to_scale_fit(w->plan.extent, inside, scale);
  if (!w->turns) w->plan_map.x0 = HEADROOM - scale * w->extent.x + 0.5 * (inner - scale * w->extent.w);
}

static void layout(struct walkway *w)
{
  const struct traces *t = w->view.traces;
  w->turns = t->turns;
  w->camera = choose_camera(w);
  w->last = choose_last(w, figure_extent(w->view.figure, &w->camera));
  measure_way(w);
  w->scale = fmin((content - 2.0 * HEADROOM) / w->extent.w, (HIGHEST - HEADROOM - EARTH) / w->extent.h);
  w->step = scale_bar_choose(w->scale, 34.0).length;
  w->panel = w->scale * w->extent.h + HEADROOM + EARTH;
  w->n_sides = w->turns ? 0 : 2;
  measure_plan(w);
}

/* ---- drawing ---- */

static struct view look_at(const struct walkway *w, double top)
{
  struct rect area = {MARGIN, top, content, w->panel};
  struct to_scale map = {.x0 = MARGIN + 0.5 * content - w->scale * (w->extent.x + 0.5 * w->extent.w),
                         .y0 = top + w->panel - EARTH, .scale = w->scale};
  return clip_view_look(&w->view, w->camera, area, map);
}

static void draw_frame(const struct walkway *w, struct rect area, const char *caption)
{
  path_rect(w->view.cv, area);
  canvas_paint(w->view.cv, NULL, &(struct pen){.colour = w->view.theme.faint, .width = 0.7});
  text_fit(w->view.cv, &w->view.small, (struct xy){area.x, area.y - 4.0}, area.w, ALIGN_LEFT, caption);
}

/* The way of a point over all frames. */
static void draw_path(struct walkway *w, const struct view *look, int point, const struct pen *pen)
{
  for (int k = 0; k <= w->last; k++) {
    clip_view_pose(&w->view, k);
    const double *p = point < 0 ? figure_mass(w->view.figure) : figure_contact(w->view.figure, point);
    struct xy at = camera_project(&w->camera, p);
    at = to_scale_map(&look->map, at.x, at.y);
    if (k == 0)
      path_move(w->view.cv, at.x, at.y);
    else
      path_line(w->view.cv, at.x, at.y);
  }
  canvas_paint(w->view.cv, NULL, pen);
}

static void draw_bodies(struct walkway *w, double top)
{
  struct clip_view *v = &w->view;
  const struct creature *c = v->traces->creature;
  struct view look = look_at(w, top);
  canvas_box(v->cv, look.area, v->theme.panel);
  look.ground = 0;
  for (int i = 0; i < w->n_ghosts; i++) {
    clip_view_pose(v, ghost_frame(w, i));
    look.haze = 0.8 * (1.0 - (double)i / (w->n_ghosts - 1));
    figure_draw(v->cv, v->figure, &look);
  }
  look.ground = 1;
  view_draw_ground(v->cv, &look);
  if (!w->turns) clip_view_ruler(v, &look, w->step);
  canvas_clip(v->cv, look.area);
  draw_path(w, &look, -1, &(struct pen){.colour = v->theme.ink, .width = 0.7, .dash = 3.0});
  for (int p = 0; p < c->n_points; p++)
    draw_path(w, &look, p, &(struct pen){.colour = view_side_colour(&v->style, c->points[p].name), .width = 0.8});
  canvas_unclip(v->cv);
  clip_view_pose(v, w->last);
  clip_view_forces(v, &look);
  draw_frame(w, look.area, "from the right: poses where they are, ways of the feet and of the centre of mass (dashed)");
}

/* Does limb i belong to this side or to the midline? */
static int on_side(const struct creature *c, int i, enum side side)
{
  return c->limbs[i].mirror == i || traces_side(c->limbs[i].name) == side;
}

/* The limbs of one side as strokes, at every frame: what Marey saw with white lines on black clothes. */
static void draw_strokes(struct walkway *w, double top, enum side side)
{
  struct clip_view *v = &w->view;
  const struct creature *c = v->traces->creature;
  struct view look = look_at(w, top);
  canvas_box(v->cv, look.area, v->theme.panel);
  view_draw_ground(v->cv, &look);
  clip_view_ruler(v, &look, w->step);
  canvas_clip(v->cv, look.area);
  for (int k = 0; k <= w->last; k++) {
    clip_view_pose(v, k);
    for (int i = 0; i < c->n_limbs; i++) {
      const struct shape *s = figure_solid(v->figure, i);
      if (!on_side(c, i, side)) continue;
      struct xy a = camera_project(&w->camera, s->from), b = camera_project(&w->camera, s->to);
      int midline = c->limbs[i].mirror == i;
      struct colour colour = midline ? v->theme.muted : clip_view_colour(v, side);
      canvas_line(v->cv, to_scale_map(&look.map, a.x, a.y), to_scale_map(&look.map, b.x, b.y),
                  &(struct pen){.colour = colour_fade(colour, midline ? 0.25 : 0.65), .width = 0.45});
    }
  }
  canvas_unclip(v->cv);
  draw_frame(w, look.area, side == SIDE_RIGHT ? "limbs of the right side, every frame"
                                              : "limbs of the left side, every frame");
}

static void draw_plan(struct walkway *w, double top)
{
  struct to_scale map = w->plan_map;
  struct rect area = {MARGIN, top, content, w->plan_height};
  map.x0 += MARGIN;
  map.y0 += top;
  plan_view_draw(&w->view, &w->plan, area, map);
  struct arena *arena = canvas_arena(w->view.cv);
  draw_frame(w, area, arena_printf(arena, "from above: the way of the root, ways of the feet and where they come down; "
                                   "threads %s apart", text_length(arena, plan_view_step(&w->plan, map.scale))));
}

struct canvas *steps_draw(const struct creature *c, const struct clip *clip, const char *path, struct diag *d)
{
  struct canvas *cv = canvas_open(path, d);
  if (!cv) return NULL;
  const struct traces *t = traces_new(canvas_arena(cv), c, clip, path, d);
  if (!t) {
    canvas_discard(cv);
    return NULL;
  }
  struct walkway w = {.view = clip_view_new(cv, t)};
  layout(&w);
  struct page page = {.width = PAGE_WIDTH, .margin = MARGIN, .theme = w.view.theme,
                      .title = traces_title(t, canvas_arena(cv)), .subtitle = traces_facts(t, canvas_arena(cv))};
  double each = CAPTION + w.panel;
  page.height = MARGIN + page_head_height(cv, &page) + (1 + w.n_sides) * each + CAPTION + w.plan_height + 16.0 + MARGIN;
  double top = page_start(cv, &page).y + CAPTION;
  draw_bodies(&w, top);
  for (int i = 0; i < w.n_sides; i++) draw_strokes(&w, top + (i + 1) * each, i ? SIDE_LEFT : SIDE_RIGHT);
  draw_plan(&w, top + (1 + w.n_sides) * each);
  clip_view_legend(&w.view, (struct xy){MARGIN, page.height - MARGIN - 4.0}, w.scale, w.step);
  return cv;
}

int plot_steps(const struct creature *c, const struct clip *clip, const char *path, struct diag *d)
{
  struct canvas *cv = steps_draw(c, clip, path, d);
  return cv ? canvas_finish(cv, d) : 0;
}
