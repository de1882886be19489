/* What a scene looks like: the wall and the floor with their threads, shadows, ghosts, the body, forces, what is asked.
 * See plots/film_scene.h. */
#include <math.h>

#include "plots/film_stage.h"

#define MARGIN 0.05      /* around a creature, in shares of the smaller edge of its panel                          */
#define BELOW 0.10       /* the same below its feet                                                                */
#define TRAIL 4.0        /* of where it came from [s]                                                              */

struct film_look film_look_plate(void)
{
  struct film_look l = {.wall = colour_rgb(0x211c18), .floor = colour_rgb(0x3d352d), .far_floor = colour_rgb(0x2c2620),
                        .thread = colour_rgb(0x4d443a), .floor_thread = colour_rgb(0x5d5246),
                        .shadow = colour_fade(colour_rgb(0x000000), 0.42), .text = colour_rgb(0xd8cab1),
                        .trail = colour_rgb(0x8d7c66), 
                        .asked = palette(PALETTE_YELLOW), .push = palette(PALETTE_VERMILION),
                        .style = view_style_plate()};
  l.style.near_side = colour_rgb(0xf0e6d2);
  l.style.far_side = colour_rgb(0x6d604d);
  return l;
}

struct film_look film_look_paper(void)
{
  return (struct film_look){.wall = colour_rgb(0xffffff),
                            .floor = colour_rgb(0xe4dfd4),
                            .far_floor = colour_rgb(0xf2efe9),
                            .thread = colour_rgb(0xe2ded6),
                            .floor_thread = colour_rgb(0xcdc6b8),
                            .shadow = colour_fade(colour_rgb(0x2a231d), 0.22),
                            .text = colour_rgb(0x3a3128),
                            .trail = colour_rgb(0xa89f90),
                            .asked = palette(PALETTE_PURPLE),
                            .push = palette(PALETTE_VERMILION),
                            .style = view_style_paper()};
}

/* ---- where things are on the page ---- */

struct to_scale film_scene_fit(const struct film_scene *s, struct rect area, double most)
{
  double edge = MARGIN * fmin(area.w, area.h), below = s->options.view == FILM_TOP ? edge : BELOW * area.h;
  struct rect inner = {area.x + edge, area.y + edge, fmax(1.0, area.w - 2.0 * edge), fmax(1.0, area.h - edge - below)};
  double scale = fmin(inner.w / s->extent.w, inner.h / s->extent.h);
  if (most > 0.0) scale = fmin(scale, most);
  double spare = s->options.view == FILM_TOP ? 0.5 * (inner.h - scale * s->extent.h) : 0.0;
  return (struct to_scale){inner.x + 0.5 * inner.w - scale * (s->extent.x + 0.5 * s->extent.w),
                           inner.y + inner.h - spare + scale * s->extent.y, scale};
}

struct xy film_point(const struct film_stage *t, const double *world)
{
  struct xy uv = camera_project(&t->s->camera, world);
  return to_scale_map(&t->map, uv.x, uv.y);
}

struct xy film_ground(const struct film_stage *t, double x, double y)
{
  return film_point(t, (const double[3]){x, y, ground_height(t->s->options.terrain, x, y)});
}

static struct film_stage set_stage(struct canvas *cv, const struct film_scene *s, struct rect area, struct to_scale map)
{
  struct film_stage t = {.cv = cv, .s = s, .area = area, .map = map, .pen = fmax(0.6, 0.0022 * fmin(area.w, area.h))};
  struct xy uv = film_scene_aim(s, s->at);
  double slope = ground_slope(s->options.terrain);
  t.map.x0 -= map.scale * uv.x; /* the map is from what the camera looks at */
  t.map.y0 += map.scale * uv.y;
  double base = slope != 0.0 ? 0.0 : film_scene_height(s, s->at);
  t.ground.origin = to_scale_map(&t.map, 0.0, base * s->camera.up[2]);
  t.ground.x = (struct xy){map.scale * s->camera.right[0], -map.scale * (s->camera.up[0] + slope * s->camera.up[2])};
  t.ground.y = (struct xy){map.scale * s->camera.right[1], -map.scale * s->camera.up[1]};
  return t;
}

/* ---- threads ---- */

/* The part of the floor that is seen, along the way and across it, from where threads cross. */
void film_visible(const struct film_stage *t, struct rect floor, struct film_span *along, struct film_span *across)
{
  const struct plane *g = &t->ground;
  double det = g->x.x * g->y.y - g->y.x * g->x.y, c = cos(t->s->travel), si = sin(t->s->travel);
  *along = *across = (struct film_span){INFINITY, -INFINITY};
  for (int i = 0; i < 4; i++) {
    double px = floor.x + (i & 1 ? floor.w : 0.0) - g->origin.x, py = floor.y + (i & 2 ? floor.h : 0.0) - g->origin.y;
    double x = (px * g->y.y - py * g->y.x) / det - t->s->origin.x,
           y = (py * g->x.x - px * g->x.y) / det - t->s->origin.y;
    double a = c * x + si * y, b = c * y - si * x;
    *along = (struct film_span){fmin(along->lo, a), fmax(along->hi, a)};
    *across = (struct film_span){fmin(across->lo, b), fmax(across->hi, b)};
  }
}

/* Page position of a place on the floor, along and across. */
struct xy film_floor(const struct film_stage *t, double a, double b)
{
  double c = cos(t->s->travel), si = sin(t->s->travel);
  return film_ground(t, t->s->origin.x + c * a - si * b, t->s->origin.y + si * a + c * b);
}

static void draw_floor_threads(const struct film_stage *t, struct rect floor)
{
  struct film_span along, across;
  double step = t->s->step;
  struct pen pen = {.colour = t->s->look.floor_thread, .width = t->pen};
  film_visible(t, floor, &along, &across);
  if ((along.hi - along.lo) / step > STAGE_THREADS_MOST || (across.hi - across.lo) / step > STAGE_THREADS_MOST) return;
  canvas_clip(t->cv, floor);
  for (double k = ceil(along.lo / step); k * step <= along.hi; k++)
    canvas_line(t->cv, film_floor(t, k * step, across.lo), film_floor(t, k * step, across.hi), &pen);
  for (double k = ceil(across.lo / step); k * step <= across.hi; k++)
    canvas_line(t->cv, film_floor(t, along.lo, k * step), film_floor(t, along.hi, k * step), &pen);
  canvas_unclip(t->cv);
}

/* Squares, their uprights where threads of the floor meet the wall. */
static void draw_wall(const struct film_stage *t, struct rect wall)
{
  struct pen pen = {.colour = t->s->look.thread, .width = t->pen};
  double step = t->map.scale * t->s->step, foot = wall.y + wall.h;
  double first = film_floor(t, 0.0, 0.0).x; /* the floor's threads run away from the camera, straight up the page */
  canvas_box(t->cv, wall, t->s->look.wall);
  if (wall.w / step > STAGE_THREADS_MOST) return;
  canvas_clip(t->cv, wall);
  for (double x = first - step * floor((first - wall.x) / step); x <= wall.x + wall.w; x += step)
    canvas_line(t->cv, (struct xy){x, wall.y}, (struct xy){x, foot}, &pen);
  for (double y = foot - step; y >= wall.y; y -= step)
    canvas_line(t->cv, (struct xy){wall.x, y}, (struct xy){wall.x + wall.w, y}, &pen);
  canvas_unclip(t->cv);
}

/* Darker towards a wall. Without one it fills the picture, and a GIF of it would be a tenth larger. */
static void draw_floor(const struct film_stage *t, struct rect floor)
{
  const struct film_look *l = &t->s->look;
  struct fill fill = {.colour = l->floor,
                      .n_stops = 2,
                      .p0 = {0.0, floor.y},
                      .p1 = {0.0, floor.y + floor.h},
                      .at = {0.0, 1.0},
                      .stop = {l->far_floor, l->floor}};
  path_rect(t->cv, floor);
  canvas_paint(t->cv, t->s->has_wall ? &fill : &(struct fill){.colour = colour_mix(l->far_floor, l->floor, 0.5)}, NULL);
  draw_floor_threads(t, floor);
}

static void draw_level(const struct film_stage *t)
{
  struct rect wall = t->area, floor = t->area;
  if (t->s->has_wall) {
    double from = t->s->wall_follows ? film_scene_aim(t->s, t->s->at).y : 0.0;
    double foot = fmin(to_scale_map(&t->map, 0.0, from + t->s->wall).y, t->area.y + t->area.h);
    wall.h = fmax(0.0, foot - wall.y);
    floor.y = wall.y + wall.h;
    floor.h = t->area.y + t->area.h - floor.y;
  }
  if (floor.h > 0.0) draw_floor(t, floor);
  if (!t->s->has_wall) return;
  if (wall.h > 0.0) draw_wall(t, wall);
  canvas_line(t->cv, (struct xy){floor.x, floor.y}, (struct xy){floor.x + floor.w, floor.y},
              &(struct pen){.colour = t->s->look.floor_thread, .width = 1.4 * t->pen});
}

/* ---- shadows ---- */

/* The ground at a place as a plane: a slope is one; of bumps, level and as high as there. */
static struct plane plane_at(const struct film_stage *t, double x, double y)
{
  struct plane p = t->ground;
  if (ground_is_level(t->s->options.terrain) || ground_slope(t->s->options.terrain) != 0.0) return p;
  p.origin = to_scale_map(&t->map, 0.0, ground_height(t->s->options.terrain, x, y) * t->s->camera.up[2]);
  return p;
}

static void draw_shadows(const struct film_stage *t, double share)
{
  const struct creature *c = t->s->creature;
  struct colour shade = colour_fade(t->s->look.shadow, share);
  struct plane below = plane_at(t, t->s->q[0], t->s->q[1]);
  canvas_onto(t->cv, &below);
  figure_shadow_path(t->cv, t->s->figure);
  canvas_back(t->cv);
  canvas_paint(t->cv, &(struct fill){.colour = colour_fade(shade, 0.55)}, NULL);
  for (int p = 0; p < c->n_points; p++) { /* under a foot the closer the darker */
    const double *at = figure_contact(t->s->figure, p);
    double r = figure_foot_radius(t->s->figure, p), high = at[2] - ground_height(t->s->options.terrain, at[0], at[1]);
    high = fmax(0.0, high) / (0.1 * fabs(c->height));
    below = plane_at(t, at[0], at[1]);
    canvas_onto(t->cv, &below);
    path_ellipse(t->cv,
                 &(struct ellipse){.x = at[0], .y = at[1], .a = r * (1.0 + 0.5 * high), .b = r * (1.0 + 0.5 * high)});
    canvas_back(t->cv);
    canvas_paint(t->cv, &(struct fill){.colour = colour_fade(shade, 1.0 / (1.0 + 3.0 * high * high))}, NULL);
  }
}

/* ---- what is asked of a player ---- */

/* The way that it came, older parts fainter. */
static void draw_trail(const struct film_stage *t)
{
  const struct clip *clip = t->s->clip;
  int last = (int)t->s->at, first = (int)fmax(0.0, last - TRAIL / clip->dt),
      hop = last - first > 200 ? (last - first) / 200 : 1;
  for (int k = first; k + hop <= last; k += hop) {
    const double *a = clip->q + (size_t)k * (size_t)clip->n_dofs, *b = a + (size_t)hop * (size_t)clip->n_dofs;
    double share = (double)(k - first) / fmax(1.0, last - first);
    struct pen pen = {.colour = colour_mix(t->s->look.floor, t->s->look.trail, share), .width = 2.0 * t->pen};
    canvas_line(t->cv, film_ground(t, a[0], a[1]), film_ground(t, b[0], b[1]), &pen);
  }
}

/* An arrow that lies on the floor before the creature. */
static void draw_asked(const struct film_stage *t)
{
  double heading, height = t->s->creature->height;
  if (!film_scene_asked(t->s, &heading)) return;
  double c = cos(heading), s = sin(heading), from = FILM_ARROW_FROM * height, until = FILM_ARROW_UNTIL * height,
         w = 0.035 * height;
  double neck = until - 5.0 * w;
  const struct xy shape[] = {{from, w},        {neck, w},  {neck, 2.8 * w}, {until, 0.0},
                             {neck, -2.8 * w}, {neck, -w}, {from, -w}};
  struct xy points[7];
  for (int j = 0; j < 7; j++)
    points[j] =
        film_ground(t, t->s->q[0] + c * shape[j].x - s * shape[j].y, t->s->q[1] + s * shape[j].x + c * shape[j].y);
  path_polygon(t->cv, 7, points);
  canvas_paint(t->cv, &(struct fill){.colour = t->s->look.asked}, NULL);
}

/* ---- the creature ---- */

static void draw_body(const struct film_stage *t, double haze)
{
  struct view v = {.camera = t->s->camera, .area = t->area, .map = t->map, .style = t->s->look.style, .taper = 1,
                   .depth = t->s->depth, .haze = haze,
                   .air = colour_mix(t->s->look.wall, t->s->look.far_floor, t->s->has_wall ? 0.3 : 0.8)};
  figure_draw(t->cv, t->s->figure, &v);
}

static void draw_forces(const struct film_stage *t)
{
  const struct film_scene *s = t->s;
  double weight = s->creature->mass * CREATURE_GRAVITY, width = fmax(1.4, 0.008 * fmin(t->area.w, t->area.h));
  for (int p = 0; p < s->clip->n_points; p++) {
    const double *f = s->force + 3 * p, *at = figure_contact(s->figure, p);
    double tip[3];
    if (!(f[0] * f[0] + f[1] * f[1] + f[2] * f[2] > 1e-6 * weight * weight)) continue;
    film_scene_tip(s, p, tip);
    struct colour colour = view_side_colour(&s->look.style, s->creature->points[p].name);
    arrow_draw(t->cv, &(struct arrow){film_point(t, at), film_point(t, tip), width, colour,
                                      colour_fade(s->look.wall, 0.7)});
  }
}

/* ---- what comes from outside ---- */

static void draw_push(const struct film_stage *t)
{
  const struct film_scene *s = t->s;
  double clearly, weight = s->creature->mass * CREATURE_GRAVITY, width = fmax(2.2, 0.012 * fmin(t->area.w, t->area.h)),
         tail[3];
  const struct film_push *p = film_scene_push(s, s->at, &clearly);
  if (!p) return;
  const double *centre = figure_solid(s->figure, p->limb)->centre;
  for (int k = 0; k < 3; k++) tail[k] = centre[k] - FILM_PUSH_LENGTH * s->creature->height * p->force[k] / weight;
  struct colour colour = clearly < 1.0 ? colour_fade(s->look.push, 0.6 * clearly) : s->look.push;
  arrow_draw(t->cv, &(struct arrow){film_point(t, tail), film_point(t, centre), width, colour,
                                    colour_fade(s->look.wall, 0.7 * clearly)});
}

static void draw_balls(const struct film_stage *t)
{
  const struct film_scene *s = t->s;
  int n = s->options.n_balls, k = (int)fmin(floor(s->at + 0.5), s->clip->n_frames - 1.0);
  for (int i = 0; i < n; i++) {
    const double *at = s->options.balls + 3 * ((size_t)k * (size_t)n + (size_t)i);
    if (!isfinite(at[0] + at[1] + at[2])) continue;
    struct xy page = film_point(t, at);
    double r = t->map.scale * s->options.ball_radius;
    path_ellipse(t->cv, &(struct ellipse){.x = page.x, .y = page.y, .a = r, .b = r});
    canvas_paint(t->cv, &(struct fill){.colour = s->look.push},
                 &(struct pen){.colour = s->look.style.outline, .width = t->pen});
  }
}

void film_scene_draw(struct canvas *cv, struct film_scene *s, struct rect area, struct to_scale map)
{
  struct film_stage t = set_stage(cv, s, area, map);
  double now = s->at;
  canvas_as_is(cv, 1);
  canvas_clip(cv, area);
  if (ground_is_level(s->options.terrain))
    draw_level(&t);
  else
    film_draw_terrain(&t);
  if (s->options.play) draw_trail(&t);
  for (int g = s->options.ghosts; g > 0; g--) {
    if (!s->closes && now - g * s->ghost_gap < 0.0) continue;
    film_scene_show(s, now - g * s->ghost_gap);
    draw_body(&t, 0.55 + 0.4 * g / (s->options.ghosts + 1.0));
  }
  film_scene_show(s, now);
  draw_shadows(&t, 1.0);
  if (s->options.play) draw_asked(&t);
  draw_body(&t, 0.0);
  if (s->options.forces) draw_forces(&t);
  draw_balls(&t);
  draw_push(&t);
  canvas_unclip(cv);
  canvas_as_is(cv, 0);
}
