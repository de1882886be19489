/* A push and the recovery as a filmstrip. See plots/control_figures.h. */
#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "plots/control_figures.h"
#include "plots/creature_view.h"

#define PAGE_WIDTH 842.0
#define MARGIN 30.0
#define POSES 9
#define ROW 128.0               /* of poses [points]                      */
#define CURVES 120.0
#define BEFORE 0.25             /* of the push [s]                        */
#define AFTER 1.75
#define TEXT 8.5

struct strip {
  const struct control_figures *f;
  struct canvas *cv;
  struct theme theme;
  struct figure *figure;
  int first, last, push;        /* frames                                 */
  int n_push;                   /* which push                             */
  double scale;                 /* points per metre                       */
};

/* The largest push that came before any fall, and the frames around it. */
static void choose(struct strip *s)
{
  const struct scene *scene = s->f->scene;
  double most = -1, dt = scene->motion->dt;
  s->n_push = -1;
  for (int i = 0; i < s->f->n_pushes; i++) {
    const double *p = s->f->pushes[i].force;
    double size = hypot(p[0], p[1]);
    if (size > most && s->f->pushes[i].time < scene->fell_after) {
      most = size;
      s->n_push = i;
    }
  }
  double time = s->n_push >= 0 ? s->f->pushes[s->n_push].time : 0.5 * scene->fell_after;
  int n = scene->motion->n_frames;
  s->push = (int)(time / dt);
  s->first = s->push - (int)(BEFORE / dt);
  s->last = s->push + (int)(AFTER / dt);
  s->first = s->first < 0 ? 0 : s->first;
  s->last = s->last > n - 1 ? n - 1 : s->last;
  s->push = s->push > s->last ? s->last : s->push;
}

static const double *pose(const struct strip *s, int frame)
{
  const struct clip *m = s->f->scene->motion;
  return m->q + (size_t)frame * (size_t)m->n_dofs;
}

/* The arrow of the force, while it acts. */
static void draw_push(const struct strip *s, const struct view *v, int frame)
{
  if (s->n_push < 0)
    return;
  const struct disturb_push *p = &s->f->pushes[s->n_push];
  double dt = s->f->scene->motion->dt, q3 = pose(s, s->push)[3], weight = s->f->graph->creature->mass *
              CREATURE_GRAVITY;
  if (frame < s->push || frame > s->push + p->seconds / dt + 2)
    return;
  const struct shape *body = figure_solid(s->figure, p->limb);
  double turn = p->turned ? q3 : 0, cs = cos(turn), sn = sin(turn), L = s->f->graph->creature->height;
  double along[3] = {(cs * p->force[0] - sn * p->force[1]) / weight, (sn * p->force[0] + cs * p->force[1]) / weight, 0};
  double tail[3];
  for (int i = 0; i < 3; i++)
    tail[i] = body->centre[i] - 2.5 * L * along[i];
  struct xy a = camera_project(&v->camera, tail), b = camera_project(&v->camera, body->centre);
  arrow_draw(s->cv, &(struct arrow){.from = to_scale_map(&v->map, a.x, a.y), .to = to_scale_map(&v->map, b.x, b.y),
                                    .width = 2.2,
                                    .colour = palette(PALETTE_VERMILION), .halo = s->theme.paper});
}

static void draw_pose(const struct strip *s, int i, int front, struct rect cell)
{
  int frame = i < 2 ? s->first + (s->push + 2 - s->first) * i : s->push + 2 + (s->last - s->push - 2) * (i - 1) /
              (POSES - 2);
  const double *q = pose(s, frame);
  double heading = pose(s, s->push)[3];
  struct view v = {.camera = front ? camera_from(heading, 0) : camera_beside(heading), .style = view_style_paper(),
                   .area = cell, .ground = 1, .taper = 1};
  double at[3] = {q[0], q[1], 0};
  struct xy u = camera_project(&v.camera, at);
  v.map = (struct to_scale){cell.x + cell.w / 2 - s->scale * u.x, cell.y + cell.h - 14, s->scale};
  figure_pose(s->figure, q);
  canvas_box(s->cv, cell, s->theme.panel);
  canvas_clip(s->cv, cell);
  figure_draw(s->cv, s->figure, &v);
  draw_push(s, &v, frame);
  canvas_unclip(s->cv);
  struct font small = {.size = TEXT, .colour = s->theme.ink};
  double time = (frame - s->push) * s->f->scene->motion->dt;
  text_fit(s->cv, &small, (struct xy){cell.x + 4, cell.y + 11}, cell.w - 8, ALIGN_LEFT,
           arena_printf(canvas_arena(s->cv), "%+.2f s", time));
}

/* Value (root of it) and tilt over time. */
static void draw_curves(const struct strip *s, double top)
{
  int n = s->last - s->first + 1;
  struct arena *arena = canvas_arena(s->cv);
  double *x = ARENA_NEW(arena, (size_t)n, double), *y[3], most = 0.1;
  for (int k = 0; k < 3; k++)
    y[k] = ARENA_NEW(arena, (size_t)n, double);
  for (int i = 0; i < n; i++) {
    const double *e = s->f->scene->errors + 4 * (size_t)(s->first + i);
    x[i] = (s->first + i - s->push) * s->f->scene->motion->dt;
    y[0][i] = 0.1 * sqrt(fmax(0, s->f->scene->value[s->first + i]));
    y[1][i] = hypot(e[0], e[1]);
    y[2][i] = e[2];
    for (int k = 0; k < 3; k++)
      most = fmax(most, y[k][i]);
  }
  struct axes a = {.outer = {MARGIN, top, PAGE_WIDTH - 2 * MARGIN, CURVES}, .x_lo = x[0], .x_hi = x[n - 1], .y_lo = 0,
                   .y_hi = 1.1 * most, .x_label = "seconds after the push", .theme = s->theme, .size = TEXT, .grid = 1};
  axes_layout(s->cv, &a);
  canvas_box(s->cv, a.area, s->theme.panel);
  axes_draw(s->cv, &a);
  static const int colours[3] = {PALETTE_VERMILION, PALETTE_BLUE, PALETTE_GREEN};
  for (int k = 0; k < 3; k++)
    axes_curve(s->cv, &a, n, x, y[k], &(struct pen){palette(colours[k]), 1.4, 0});
  const struct legend_entry entries[3] = {{"root of the value / 10", MARKER_DOT, palette(PALETTE_VERMILION), 1, 0},
                                          {"tilt off the reference [rad]", MARKER_DOT, palette(PALETTE_BLUE), 1, 0},
                                          {"off the path [L]", MARKER_DOT, palette(PALETTE_GREEN), 1, 0}};
  legend_draw(s->cv, &(struct legend){.at = {a.area.x + 8, top - 15}, .width = a.area.w, .font = {.size = TEXT,
              .colour = s->theme.ink}, .n = 3, .entries = entries, .draw = 1});
}

static const char *words(const struct strip *s)
{
  struct arena *arena = canvas_arena(s->cv);
  const struct scene *scene = s->f->scene;
  const char *end = scene->fallen >= 0 ? "it falls, and lies limp" : "it does not fall";
  if (s->n_push < 0)
    return end;
  const double *p = s->f->pushes[s->n_push].force;
  double weight = s->f->graph->creature->mass * CREATURE_GRAVITY;
  return arena_printf(arena, "%.2f body weights for %.1f s on the %s, %.0f degrees to the left of where it looks; %s. "
                      "From the side and from the front.", hypot(p[0], p[1]) / weight, s->f->pushes[s->n_push].seconds,
                      s->f->graph->creature->limbs[s->f->pushes[s->n_push].limb].name, atan2(p[1], p[0]) * TO_DEGREES,
                      end);
}

struct canvas *push_strip_draw(const struct control_figures *f, const char *path, struct diag *d)
{
  struct strip s = {.f = f, .cv = canvas_open(path, d), .theme = theme_paper()};
  if (!s.cv)
    return NULL;
  choose(&s);
  s.figure = figure_new(canvas_arena(s.cv), f->graph->creature);
  struct rect body = figure_extent(s.figure, &(struct camera){{1, 0, 0}, {0, 0, 1}, {0, -1, 0}});
  s.scale = (ROW - 34) / (body.h * 1.05);
  double wide = (PAGE_WIDTH - 2 * MARGIN - (POSES - 1) * 4) / POSES;
  s.scale = fmin(s.scale, (wide - 8) / (body.w * 1.15));
  struct page page = {.width = PAGE_WIDTH, .margin = MARGIN, .theme = s.theme,
                      .title = arena_printf(canvas_arena(s.cv), "%s: a push", f->graph->creature->name),
                      .subtitle = words(&s)};
  page.height = MARGIN + page_head_height(s.cv, &page) + 2 * (ROW + 4) + CURVES + 26 + MARGIN;
  double top = page_start(s.cv, &page).y;
  for (int front = 0; front < 2; front++)
    for (int i = 0; i < POSES; i++)
      draw_pose(&s, i, front, (struct rect){MARGIN + i * (wide + 4), top + front * (ROW + 4), wide, ROW});
  draw_curves(&s, top + 2 * (ROW + 4) + 26);
  return s.cv;
}

int plot_push_strip(const struct control_figures *f, const char *path, struct diag *d)
{
  struct canvas *cv = push_strip_draw(f, path, d);
  return cv ? canvas_finish(cv, d) : 0;
}
