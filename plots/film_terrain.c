/* The set of a film on ground that is not level: a floor that rises and falls before a wall. See plots/film_stage.h. */
#include <math.h>

#include "plots/film_stage.h"

#define LINE 96          /* points of a line over the ground          */
#define RELIEF 700       /* places at which rises and falls are found */
#define PEBBLES_MOST 3000

/* How near to the viewer a place on the ground is, and where the wall stands. */
static double nearness(const struct film_stage *t, struct xy at)
{
  const double *back = t->s->camera.back;
  return (at.x * back[0] + at.y * back[1]) / hypot(back[0], back[1]);
}

static double wall_nearness(const struct film_stage *t)
{
  if (!t->s->has_wall) return -INFINITY;
  return nearness(t, film_scene_target(t->s, t->s->at)) - t->s->behind;
}

static struct xy place(const struct film_stage *t, double a, double b)
{
  double c = cos(t->s->travel), s = sin(t->s->travel);
  return (struct xy){t->s->origin.x + c * a - s * b, t->s->origin.y + s * a + c * b};
}

/* A thread from one place to another, as far as it is before the wall. */
static void draw_thread(const struct film_stage *t, struct xy from, struct xy until, const struct pen *pen)
{
  double wall = wall_nearness(t);
  int drawing = 0;
  for (int i = 0; i < LINE; i++) {
    double share = i / (LINE - 1.0);
    struct xy at = {from.x + share * (until.x - from.x), from.y + share * (until.y - from.y)};
    if (nearness(t, at) >= wall) {
      struct xy page = film_ground(t, at.x, at.y);
      (drawing ? path_line : path_move)(t->cv, page.x, page.y);
      drawing = 1;
    }
  }
  if (drawing) canvas_paint(t->cv, NULL, pen);
}

static void draw_threads(const struct film_stage *t, struct film_span along, struct film_span across)
{
  double step = t->s->step;
  struct pen pen = {.colour = t->s->look.floor_thread, .width = t->pen};
  if ((along.hi - along.lo) / step > STAGE_THREADS_MOST || (across.hi - across.lo) / step > STAGE_THREADS_MOST) return;
  for (double k = ceil(along.lo / step); k * step <= along.hi; k++)
    draw_thread(t, place(t, k * step, across.lo), place(t, k * step, across.hi), &pen);
  for (double k = ceil(across.lo / step); k * step <= across.hi; k++)
    draw_thread(t, place(t, along.lo, k * step), place(t, along.hi, k * step), &pen);
}

/* ---- rises and falls ---- */

/* The floor between two lines across the way, lighter where it rises. */
static void draw_ramp(const struct film_stage *t, struct film_span along, struct film_span across, int rises)
{
  struct colour shade = rises ? colour_fade(colour_rgb(0xfff4dc), 0.20) : colour_fade(colour_rgb(0x000000), 0.28);
  struct xy corners[4] = {film_floor(t, along.lo, across.lo), film_floor(t, along.hi, across.lo),
                          film_floor(t, along.hi, across.hi), film_floor(t, along.lo, across.hi)};
  path_polygon(t->cv, 4, corners);
  canvas_paint(t->cv, &(struct fill){.colour = shade}, NULL);
}

/* Steps and beams lie across x: seen as such while the way goes along it. */
static void draw_ramps(const struct film_stage *t, struct film_span along, struct film_span across)
{
  const struct terrain *ground = t->s->options.terrain;
  double wall = wall_nearness(t), begin = along.lo, ds = (along.hi - along.lo) / RELIEF;
  int sign = 0;
  if (fabs(sin(t->s->travel)) > 0.1) return;
  if (t->s->options.view == FILM_SIDE) across.hi = fmin(across.hi, across.lo + nearness(t, place(t, 0.0, across.lo)) -
                                                        wall);
  for (int i = 0; i <= RELIEF; i++) {
    double a = along.lo + i * ds;
    struct xy at = place(t, a, 0.0), next = place(t, a + ds, 0.0);
    double rise = ground_height(ground, next.x, next.y) - ground_height(ground, at.x, at.y);
    int now = i == RELIEF || fabs(rise) < 1e-9 ? 0 : rise > 0.0 ? 1 : -1;
    if (now == sign) continue;
    if (sign && nearness(t, place(t, begin, 0.0)) >= wall)
      draw_ramp(t, (struct film_span){begin, a}, across, sign > 0);
    sign = now;
    begin = a;
  }
}

/* Each a spot, the higher the clearer, with light on its top. */
static void draw_pebbles(const struct film_stage *t, struct film_span along, struct film_span across)
{
  const struct terrain *ground = t->s->options.terrain;
  struct rect seen = {0};
  double wall = wall_nearness(t), cell = ground->spacing;
  for (int i = 0; i < 4; i++) {
    struct xy at = place(t, i & 1 ? along.hi : along.lo, i & 2 ? across.hi : across.lo);
    seen = i ? rect_union(seen, (struct rect){at.x, at.y, 0.0, 0.0}) : (struct rect){at.x, at.y, 0.0, 0.0};
  }
  if (seen.w * seen.h / (cell * cell) > PEBBLES_MOST) return;
  for (double i = floor(seen.x / cell); i * cell < seen.x + seen.w; i++)
    for (double j = floor(seen.y / cell); j * cell < seen.y + seen.h; j++) {
      struct terrain_pebble p = terrain_pebble(ground, i, j);
      if (nearness(t, (struct xy){p.x, p.y}) - p.radius < wall) continue;
      double high = p.height / fmax(ground->size, 1e-9);
      struct plane level = t->ground;
      for (int top = 0; top < 2; top++) {
        level.origin = to_scale_map(&t->map, 0.0, top * p.height * t->s->camera.up[2]);
        double r = (top ? 0.45 : 0.8) * p.radius;
        canvas_onto(t->cv, &level);
        path_ellipse(t->cv, &(struct ellipse){.x = p.x, .y = p.y, .a = r, .b = r});
        canvas_back(t->cv);
        struct colour shade = top ? colour_fade(colour_rgb(0xfff4dc), 0.25 * high)
                              : colour_fade(colour_rgb(0x000000), 0.30 * high);
        canvas_paint(t->cv, &(struct fill){.colour = shade}, NULL);
      }
    }
}

/* ---- the whole set ---- */

/* Where the floor meets the wall, from edge to edge. */
static void find_horizon(const struct film_stage *t, struct xy *line)
{
  const struct camera *cam = &t->s->camera;
  double flat = hypot(cam->back[0], cam->back[1]), wall = wall_nearness(t);
  for (int i = 0; i < LINE; i++) {
    double u = (t->area.x + t->area.w * i / (LINE - 1.0) - t->map.x0) / t->map.scale;
    line[i] = film_ground(t, u * cam->right[0] + wall * cam->back[0] / flat, u * cam->right[1] + wall * cam->back[1] /
                           flat);
  }
}

static void draw_wall(const struct film_stage *t)
{
  struct pen pen = {.colour = t->s->look.thread, .width = t->pen};
  struct rect area = t->area;
  double step = t->map.scale * t->s->step, bottom = area.y + area.h;
  struct xy first = film_point(t, (const double[3]){t->s->origin.x, t->s->origin.y, 0.0});
  canvas_box(t->cv, area, t->s->look.wall);
  if (area.w / step > STAGE_THREADS_MOST || area.h / step > STAGE_THREADS_MOST) return;
  for (double x = first.x - step * floor((first.x - area.x) / step); x <= area.x + area.w; x += step)
    canvas_line(t->cv, (struct xy){x, area.y}, (struct xy){x, bottom}, &pen);
  for (double y = first.y - step * floor((first.y - area.y) / step); y <= bottom; y += step)
    canvas_line(t->cv, (struct xy){area.x, y}, (struct xy){area.x + area.w, y}, &pen);
}

/* Darker towards the wall, as a level floor is. Returns the part of the page that it is in. */
static struct rect draw_floor(const struct film_stage *t, const struct xy *horizon)
{
  const struct film_look *l = &t->s->look;
  double bottom = t->area.y + t->area.h, top = bottom;
  for (int i = 0; i < LINE; i++) top = fmin(top, horizon[i].y);
  struct fill fill = {.colour = l->floor, .n_stops = 2, .p0 = {0.0, top}, .p1 = {0.0, bottom}, .at = {0.0, 1.0},
                      .stop = {l->far_floor, l->floor}};
  path_move(t->cv, horizon[0].x, bottom);
  for (int i = 0; i < LINE; i++) path_line(t->cv, horizon[i].x, horizon[i].y);
  path_line(t->cv, horizon[LINE - 1].x, bottom);
  path_close(t->cv);
  canvas_paint(t->cv, &fill, NULL);
  path_move(t->cv, horizon[0].x, horizon[0].y);
  for (int i = 1; i < LINE; i++) path_line(t->cv, horizon[i].x, horizon[i].y);
  canvas_paint(t->cv, NULL, &(struct pen){.colour = l->floor_thread, .width = 1.4 * t->pen});
  top = fmax(top, t->area.y);
  return (struct rect){t->area.x, top, t->area.w, fmax(0.0, bottom - top)};
}

void film_draw_terrain(const struct film_stage *t)
{
  const struct terrain *ground = t->s->options.terrain;
  struct rect floor = t->area;
  struct film_span along, across;
  struct xy horizon[LINE];
  if (t->s->has_wall) {
    find_horizon(t, horizon);
    draw_wall(t);
    floor = draw_floor(t, horizon);
  } else {
    canvas_box(t->cv, floor, colour_mix(t->s->look.far_floor, t->s->look.floor, 0.5));
  }
  if (!(floor.h > 0.0)) return;
  film_visible(t, floor, &along, &across);
  if (ground->kind == TERRAIN_PEBBLES) draw_pebbles(t, along, across);
  if (ground->kind == TERRAIN_STEPS || ground->kind == TERRAIN_BEAMS) draw_ramps(t, along, across);
  draw_threads(t, along, across);
}
