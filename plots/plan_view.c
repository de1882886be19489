/* A clip from above. See plots/plan_view.h. */
#include "plots/plan_view.h"

#include <math.h>

#include "base/angle.h"

static int body_frame(const struct plan_view *p, int i)
{
  return p->bodies < 2 ? p->until : p->from + (int)floor((double)i * (p->until - p->from) / (p->bodies - 1) + 0.5);
}

void plan_view_measure(struct clip_view *v, struct plan_view *p)
{
  int n_points = v->traces->creature->n_points, first = 1;
  for (int k = p->from; k <= p->until; k++) {
    clip_view_pose(v, k);
    struct xy root = camera_project(&p->camera, v->q);
    if (first) p->extent = (struct rect){root.x, root.y, 0.0, 0.0};
    first = 0;
    for (int i = 0; i < n_points; i++) {
      struct xy at = camera_project(&p->camera, figure_contact(v->figure, i));
      p->extent = rect_union(p->extent, (struct rect){at.x, at.y, 0.0, 0.0});
    }
  }
  for (int i = 0; i < p->bodies; i++) {
    clip_view_pose(v, body_frame(p, i));
    p->extent = rect_union(p->extent, figure_extent(v->figure, &p->camera));
  }
}

double plan_view_step(const struct plan_view *p, double scale)
{
  return p->step > 0.0 ? p->step : scale_bar_choose(scale, 60.0).length;
}

/* ---- what is on the ground ---- */

struct plan { struct clip_view *v; const struct plan_view *p; const struct to_scale *map; };

static struct xy on_page(const struct plan *s, const double *world)
{
  struct xy at = camera_project(&s->p->camera, world);
  return to_scale_map(s->map, at.x, at.y);
}

static int stands(const struct clip *clip, int frame, int point)
{
  int n = clip->n_frames, k = ((frame % n) + n) % n;
  return clip->contact[(size_t)k * (size_t)clip->n_points + (size_t)point];
}

static void draw_foot_paths(const struct plan *s)
{
  const struct creature *c = s->v->traces->creature;
  for (int i = 0; i < c->n_points; i++) {
    struct colour colour = view_side_colour(&s->v->style, c->points[i].name);
    for (int k = s->p->from; k <= s->p->until; k++) {
      clip_view_pose(s->v, k);
      struct xy at = on_page(s, figure_contact(s->v->figure, i));
      if (k == s->p->from)
        path_move(s->v->cv, at.x, at.y);
      else
        path_line(s->v->cv, at.x, at.y);
    }
    canvas_paint(s->v->cv, NULL, &(struct pen){.colour = colour_fade(colour, 0.45), .width = 0.7});
  }
}

/* A disc where a foot comes down, and a stroke to wherever it slides while it stands. */
static void draw_prints(const struct plan *s)
{
  const struct creature *c = s->v->traces->creature;
  for (int i = 0; i < c->n_points; i++) {
    struct colour colour = view_side_colour(&s->v->style, c->points[i].name);
    struct xy before = {0};
    int stood = 0;
    for (int k = s->p->from; k <= s->p->until; k++) {
      int now = stands(s->v->traces->clip, k, i);
      clip_view_pose(s->v, k);
      struct xy at = on_page(s, figure_contact(s->v->figure, i));
      if (now && !stood) marker_draw(s->v->cv, MARKER_DOT, at, 2.4, colour);
      if (now && stood) canvas_line(s->v->cv, before, at, &(struct pen){.colour = colour, .width = 2.0});
      before = at;
      stood = now;
    }
  }
}

/* The way of the root, with an arrow where it looks from time to time. */
static void draw_way(const struct plan *s)
{
  struct canvas *cv = s->v->cv;
  for (int k = s->p->from; k <= s->p->until; k++) {
    clip_view_pose(s->v, k);
    struct xy at = on_page(s, s->v->q);
    if (k == s->p->from)
      path_move(cv, at.x, at.y);
    else
      path_line(cv, at.x, at.y);
  }
  canvas_paint(cv, NULL, &(struct pen){.colour = s->v->theme.ink, .width = 1.0});
  for (int i = 0; i < s->p->bodies; i++) {
    clip_view_pose(s->v, body_frame(s->p, i));
    const double *q = s->v->q, nose[3] = {q[0] + cos(q[3]), q[1] + sin(q[3]), q[2]};
    struct xy at = on_page(s, q), to = on_page(s, nose);
    double k = 20.0 / fmax(1e-9, hypot(to.x - at.x, to.y - at.y)); /* arrows of 20 points */
    struct xy tip = {at.x + k * (to.x - at.x), at.y + k * (to.y - at.y)};
    arrow_draw(cv, &(struct arrow){at, tip, 1.1, s->v->theme.ink, colour_fade(s->v->theme.paper, 0.8)});
    path_arc(cv, at, 1.8, 0.0, 2.0 * PI);
    canvas_paint(cv, &(struct fill){.colour = s->v->theme.ink}, NULL);
  }
}

void plan_view_draw(struct clip_view *v, const struct plan_view *p, struct rect area, struct to_scale map)
{
  struct plan s = {v, p, &map};
  struct view look = clip_view_look(v, p->camera, area, map);
  struct pen thread = {.colour = v->theme.faint, .width = 0.5}, frame = {.colour = v->theme.muted, .width = 0.7};
  canvas_box(v->cv, area, v->theme.panel);
  grid_draw(v->cv, area, to_scale_map(&map, 0.0, 0.0), plan_view_step(p, map.scale) * map.scale, &thread);
  for (int i = 0; i < p->bodies; i++) {
    clip_view_pose(v, body_frame(p, i));
    look.haze = i + 1 == p->bodies ? 0.45 : 0.75;
    figure_draw(v->cv, v->figure, &look);
  }
  canvas_clip(v->cv, area);
  draw_foot_paths(&s);
  draw_prints(&s);
  draw_way(&s);
  canvas_unclip(v->cv);
  path_rect(v->cv, area);
  canvas_paint(v->cv, NULL, &frame);
}
