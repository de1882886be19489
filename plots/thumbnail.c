/* A clip as one small row of poses. See plots/thumbnail.h. */
#include "plots/thumbnail.h"

#include <math.h>

#include "plots/plan_view.h"

#define PAGE_WIDTH 440.0 /* [points] */
#define HIGHEST 72.0     /* of a row                      */
#define LEAST 36.0
#define MARGIN 2.0
#define AROUND 3.0       /* beside and above a creature   */
#define EARTH 6.0        /* below the ground              */
#define PLAN 94.0        /* width of the view from above  */
#define POSES 8

struct thumbnail {
  struct clip_view view;
  int n, turns;
  int frames[POSES];
  struct camera cameras[POSES];
  struct rect extent;            /* of all poses, from their roots [m] */
  double width, height, scale;   /* of a pose                          */
};

/* Evenly in time: of a cycle the n-th would be the first again, of a transition the last frame is the last. */
static void choose_frames(struct thumbnail *s)
{
  const struct clip *clip = s->view.traces->clip;
  int most = s->turns ? POSES - 2 : POSES;
  s->n = clip->n_frames < most ? clip->n_frames : most;
  double span = clip->cyclic ? (double)clip->n_frames / s->n : (clip->n_frames - 1.0) / fmax(1.0, s->n - 1.0);
  for (int i = 0; i < s->n; i++) s->frames[i] = (int)floor(i * span + 0.5);
}

static double root_u(const struct thumbnail *s, int i)
{
  const double at[3] = {s->view.q[0], s->view.q[1], 0.0};
  return camera_project(&s->cameras[i], at).x;
}

static void layout(struct thumbnail *s)
{
  const struct traces *t = s->view.traces;
  s->turns = t->turns;
  choose_frames(s);
  for (int i = 0; i < s->n; i++) {
    clip_view_pose(&s->view, s->frames[i]);
    s->cameras[i] = camera_beside(t->heading[s->frames[i] - t->first]);
    struct rect r = figure_extent(s->view.figure, &s->cameras[i]);
    r.x -= root_u(s, i);
    s->extent = i ? rect_union(s->extent, r) : r;
  }
  s->width = (PAGE_WIDTH - 2.0 * MARGIN - (s->turns ? PLAN : 0.0)) / s->n;
  s->scale = fmin((s->width - 2.0 * AROUND) / s->extent.w, (HIGHEST - AROUND - EARTH) / s->extent.h);
  s->height = fmax(LEAST, s->scale * s->extent.h + AROUND + EARTH);
}

static void draw_pose(struct thumbnail *s, int i)
{
  struct rect area = {MARGIN + i * s->width, MARGIN, s->width, s->height};
  clip_view_pose(&s->view, s->frames[i]);
  struct to_scale map = {.x0 = area.x + 0.5 * area.w - s->scale * (s->extent.x + 0.5 * s->extent.w + root_u(s, i)),
                         .y0 = area.y + area.h - EARTH, .scale = s->scale};
  struct view look = clip_view_look(&s->view, s->cameras[i], area, map);
  figure_draw(s->view.cv, s->view.figure, &look);
}

static void draw_plan(struct thumbnail *s)
{
  const struct clip *clip = s->view.traces->clip;
  struct plan_view plan = {.until = clip->n_frames - 1, .bodies = 2, .camera = camera_above(clip->q[3])};
  struct rect area = {PAGE_WIDTH - MARGIN - PLAN + 4.0, MARGIN, PLAN - 4.0, s->height}, inner = area;
  plan_view_measure(&s->view, &plan);
  inner.x += 3.0;
  inner.y += 3.0;
  inner.w -= 6.0;
  inner.h -= 6.0;
  plan_view_draw(&s->view, &plan, area, to_scale_fit(plan.extent, inner, 0.0));
}

struct canvas *thumbnail_draw(const struct creature *c, const struct clip *clip, const char *path, struct diag *d)
{
  struct canvas *cv = canvas_open(path, d);
  const struct traces *t = cv ? traces_new(canvas_arena(cv), c, clip, path, d) : NULL;
  if (!t) {
    canvas_discard(cv);
    return NULL;
  }
  struct thumbnail s = {.view = clip_view_new(cv, t)};
  layout(&s);
  canvas_page(cv, PAGE_WIDTH, s.height + 2.0 * MARGIN, s.view.theme.paper);
  for (int i = 0; i < s.n; i++) draw_pose(&s, i);
  if (s.turns) draw_plan(&s);
  return cv;
}
