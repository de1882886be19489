/* A clip as rows of poses. See plots/filmstrip.h. */
#include "plots/filmstrip.h"

#include <math.h>

#include "plots/plan_view.h"

#define PAGE_WIDTH 842.0 /* A4 on its side; as high as it needs [points] */
#define MARGIN 30.0
#define GAP 6.0
#define CAPTION 15.0     /* below each panel                   */
#define HEADROOM 5.0     /* above and beside a creature        */
#define EARTH 12.0       /* below the ground                   */
#define HIGHEST 520.0    /* all panels together, about         */
#define PLAN_HEIGHT 230.0
#define POSES 12

static const double content = PAGE_WIDTH - 2.0 * MARGIN;

struct strip {
  struct clip_view view;
  int n, turns, front;
  int frames[POSES];
  struct xy anchors[POSES];     /* on the ground, in the middle of each panel [m]          */
  struct camera cameras[POSES];
  struct rect extent;           /* of all poses, from their anchors [m]                    */
  struct panels panels;
  double scale, step;           /* points per metre; fields of the ruler [m]               */
  struct plan_view plan;
  double plan_height;           /* 0: none                                                 */
};

/* ---- layout ---- */

/* Evenly in time: of a cycle the n-th would be the first again, of a transition the last frame is the last. */
static void choose_frames(struct strip *s)
{
  const struct clip *clip = s->view.traces->clip;
  s->n = clip->n_frames < POSES ? clip->n_frames : POSES;
  double span = clip->cyclic ? (double)clip->n_frames / s->n : (clip->n_frames - 1.0) / (s->n - 1);
  for (int i = 0; i < s->n; i++) s->frames[i] = (int)floor(i * span + 0.5);
}

/* The middle of a panel moves at the mean speed of the clip; where it turns, with the root. */
static void choose_anchor(struct strip *s, int i)
{
  const struct clip *clip = s->view.traces->clip;
  int k = s->frames[i];
  s->anchors[i] = (struct xy){s->view.q[0], s->view.q[1]};
  if (!clip->cyclic || s->turns) return;
  double share = (double)k / clip->n_frames, x = 0.0, y = 0.0;
  for (int f = 0; f < clip->n_frames; f++) {
    const double *q = clip->q + (size_t)f * (size_t)clip->n_dofs;
    x += (q[0] - clip->advance.x * f / clip->n_frames) / clip->n_frames;
    y += (q[1] - clip->advance.y * f / clip->n_frames) / clip->n_frames;
  }
  s->anchors[i] = (struct xy){x + share * clip->advance.x, y + share * clip->advance.y};
}

static struct xy anchor(const struct strip *s, int i)
{
  struct xy a = s->anchors[i];
  const double at[3] = {a.x, a.y, ground_height(figure_ground(s->view.figure), a.x, a.y)};
  return camera_project(&s->cameras[i], at);
}

static void measure_poses(struct strip *s)
{
  const struct traces *t = s->view.traces;
  for (int i = 0; i < s->n; i++) {
    clip_view_pose(&s->view, s->frames[i]);
    choose_anchor(s, i);
    double heading = t->heading[s->frames[i] - t->first];
    s->cameras[i] = s->front ? camera_from(heading, 0.0) : camera_beside(heading);
    struct rect r = clip_view_extent(&s->view, &s->cameras[i]);
    r.x -= anchor(s, i).x;
    r.y -= anchor(s, i).y;
    s->extent = i ? rect_union(s->extent, r) : r;
  }
}

/* As many columns as give the largest scale. */
static void choose_columns(struct strip *s)
{
  double best = 0.0, around = 2.0 * HEADROOM;
  for (int columns = 1; columns <= s->n; columns++) {
    int rows = (s->n + columns - 1) / columns;
    double width = (content - (columns - 1) * GAP) / columns - around;
    double height = (HIGHEST - (rows - 1) * GAP) / rows - CAPTION - HEADROOM - EARTH;
    double scale = fmin(width / s->extent.w, height / s->extent.h);
    if (!(scale > 1.0001 * best)) continue;
    best = scale;
    s->panels = (struct panels){.width = content, .gap_x = GAP, .gap_y = GAP, .columns = columns};
  }
  s->scale = best;
  s->panels.height = best * s->extent.h + HEADROOM + EARTH + CAPTION;
  s->step = scale_bar_choose(s->scale, 34.0).length;
}

static void layout(struct strip *s)
{
  const struct clip *clip = s->view.traces->clip;
  s->turns = s->view.traces->turns;
  choose_frames(s);
  measure_poses(s);
  choose_columns(s);
  if (!s->turns || s->front) return;
  s->plan = (struct plan_view){.until = clip->n_frames - 1, .bodies = 3, .camera = camera_above(clip->q[3])};
  plan_view_measure(&s->view, &s->plan);
  s->plan_height = PLAN_HEIGHT;
}

/* ---- drawing ---- */

/* How high the root is when it stands: a pose far below it crouches. */
static void draw_standing_height(const struct strip *s, const struct view *look)
{
  enum { POINTS = 40 };
  struct xy line[POINTS];
  const struct clip_view *v = &s->view;
  ground_profile(figure_ground(v->figure), &look->camera, camera_depth(&look->camera, v->q),
                 v->traces->creature->height,
                 look->area, look->map, POINTS, line);
  path_move(v->cv, line[0].x, line[0].y);
  for (int i = 1; i < POINTS; i++) path_line(v->cv, line[i].x, line[i].y);
  canvas_paint(v->cv, NULL, &(struct pen){.colour = v->theme.muted, .width = 0.5, .dash = 2.0});
}

static void draw_caption(const struct strip *s, int i, struct rect cell)
{
  const struct clip *clip = s->view.traces->clip;
  struct arena *arena = canvas_arena(s->view.cv);
  int k = s->frames[i];
  char *time = arena_printf(arena, "%.2f s", k * clip->dt);
  char *phase = arena_printf(arena, "%.2f", (k + 0.5) / clip->n_frames);
  if (clip->n_frames * clip->dt < 1.0) time = arena_printf(arena, "%.0f ms", 1e3 * k * clip->dt);
  struct font ink = s->view.small;
  ink.colour = s->view.theme.ink;
  double base = cell.y + cell.h - 5.0, right = cell.x + cell.w;
  text_fit(s->view.cv, &ink, (struct xy){cell.x + 2.0, base}, 0.5 * cell.w, ALIGN_LEFT, clip->cyclic ? phase : time);
  if (clip->cyclic)
    text_fit(s->view.cv, &s->view.small, (struct xy){right - 2.0, base}, 0.5 * cell.w - 6.0, ALIGN_RIGHT, time);
}

static void draw_pose(struct strip *s, int i, struct xy at)
{
  struct panels panels = s->panels;
  panels.at = at;
  struct rect cell = panels_cell(&panels, i), area = {cell.x, cell.y, cell.w, cell.h - CAPTION};
  struct xy from = anchor(s, i);
  struct to_scale map = {.x0 = cell.x + 0.5 * cell.w - s->scale * (s->extent.x + 0.5 * s->extent.w + from.x),
                         .y0 = area.y + area.h - EARTH + s->scale * (from.y + fmin(0.0, s->extent.y)),
                         .scale = s->scale};
  struct view look = clip_view_look(&s->view, s->cameras[i], area, map);
  struct pen frame = {.colour = s->view.theme.faint, .width = 0.7};
  canvas_box(s->view.cv, area, s->view.theme.panel);
  clip_view_pose(&s->view, s->frames[i]);
  draw_standing_height(s, &look);
  figure_draw(s->view.cv, s->view.figure, &look);
  if (!s->turns && !s->front) clip_view_ruler(&s->view, &look, s->step);
  clip_view_forces(&s->view, &look);
  path_rect(s->view.cv, area);
  canvas_paint(s->view.cv, NULL, &frame);
  draw_caption(s, i, cell);
}

static void draw_legend(const struct strip *s, double y)
{
  const struct clip_view *v = &s->view;
  struct pen pen = {.colour = v->theme.muted, .width = 0.5, .dash = 2.0};
  double x = MARGIN + clip_view_legend(v, (struct xy){MARGIN, y}, s->scale, s->step);
  canvas_line(v->cv, (struct xy){x, y}, (struct xy){x + 16.0, y}, &pen);
  text_draw(v->cv, &v->small, (struct xy){x + 21.0, y + 0.36 * v->small.size}, ALIGN_LEFT,
            "height of the root when it stands");
}

static void draw_plan(struct strip *s, double top)
{
  struct clip_view *v = &s->view;
  struct rect area = {MARGIN, top, content, s->plan_height - 18.0}, inner = area;
  inner.x += 8.0;
  inner.y += 8.0;
  inner.w -= 16.0;
  inner.h -= 16.0;
  struct to_scale map = to_scale_fit(s->plan.extent, inner, 0.0);
  plan_view_draw(v, &s->plan, area, map);
  struct xy below = {MARGIN, area.y + area.h + 11.0};
  double x = scale_bar_draw(v->cv, below, 60.0, map.scale, &v->small) + 18.0;
  text_fit(v->cv, &v->small, (struct xy){MARGIN + x, below.y + 0.36 * v->small.size}, content - x, ALIGN_LEFT,
           "from above: the way of the root and where it looks; footprints");
}

static struct canvas *draw(const struct creature *c, const struct clip *clip, int front, const struct terrain *ground,
                           const char *path, struct diag *d)
{
  struct canvas *cv = canvas_open(path, d);
  if (!cv) return NULL;
  const struct traces *t = traces_new(canvas_arena(cv), c, clip, path, d);
  if (!t) {
    canvas_discard(cv);
    return NULL;
  }
  struct strip s = {.view = clip_view_new(cv, t), .front = front};
  struct terrain own;
  int raised = !surface_is_level(&clip->ground) && terrain_of_surface(&clip->ground, &own);
  figure_stand_on(s.view.figure, ground || !raised ? ground : &own);
  layout(&s);
  struct page page = {.width = PAGE_WIDTH, .margin = MARGIN, .theme = s.view.theme,
                      .title = traces_title(t, canvas_arena(cv)), .subtitle = traces_facts(t, canvas_arena(cv))};
  double panels = panels_height(&s.panels, s.n), plan = s.plan_height > 0.0 ? s.plan_height + 10.0 : 0.0;
  page.height = MARGIN + page_head_height(cv, &page) + panels + 14.0 + plan + MARGIN;
  double top = page_start(cv, &page).y;
  for (int i = 0; i < s.n; i++) draw_pose(&s, i, (struct xy){MARGIN, top});
  draw_legend(&s, top + panels + 8.0);
  if (plan > 0.0) draw_plan(&s, top + panels + 24.0);
  return cv;
}

struct canvas *filmstrip_draw(const struct creature *c, const struct clip *clip, const char *path, struct diag *d)
{
  return draw(c, clip, 0, NULL, path, d);
}

struct canvas *filmstrip_front_draw(const struct creature *c, const struct clip *clip, const char *path,
                                    struct diag *d)
{
  return draw(c, clip, 1, NULL, path, d);
}

int plot_filmstrip(const struct creature *c, const struct clip *clip, const char *path, struct diag *d)
{
  return plot_filmstrip_on(c, clip, NULL, path, d);
}

int plot_filmstrip_on(const struct creature *c, const struct clip *clip, const struct terrain *ground, const char *path,
                      struct diag *d)
{
  struct canvas *cv = draw(c, clip, 0, ground, path, d);
  return cv ? canvas_finish(cv, d) : 0;
}

int plot_filmstrip_front(const struct creature *c, const struct clip *clip, const char *path, struct diag *d)
{
  struct canvas *cv = filmstrip_front_draw(c, clip, path, d);
  return cv ? canvas_finish(cv, d) : 0;
}
