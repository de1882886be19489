/* A creature in a frame of a clip. See plots/clip_view.h. */
#include "plots/clip_view.h"

#include <math.h>

#define ARROW_WIDTH 1.5 /* [points] */

/* The longest arrow is about half as long as the creature is high. */
static double choose_arrows(const struct traces *t, double height)
{
  double largest = 0.0;
  for (int i = 0; i < t->n * t->clip->n_points; i++) {
    const double *f = t->force + 3 * (size_t)i;
    largest = fmax(largest, sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]));
  }
  return 0.45 * height / fmax(largest, 0.02);
}

struct clip_view clip_view_new(struct canvas *cv, const struct traces *t)
{
  struct clip_view v = {.cv = cv, .traces = t, .theme = theme_paper(), .style = view_style_paper()};
  v.figure = figure_new(canvas_arena(cv), t->creature);
  struct camera side = camera_side();
  struct rect extent = figure_extent(v.figure, &side);
  v.depth = fmax(1.3 * figure_depth(v.figure, &side), 0.15 * extent.w);
  v.q = ARENA_NEW(canvas_arena(cv), (size_t)t->creature->n_dofs, double);
  v.small = (struct font){.size = 8.0, .colour = v.theme.muted};
  v.metres = choose_arrows(t, extent.h);
  clip_view_pose(&v, 0);
  return v;
}

void clip_view_pose(struct clip_view *v, int frame)
{
  v->frame = frame;
  traces_pose(v->traces, frame, v->q);
  figure_pose(v->figure, v->q);
}

/* What the ground does to a contact point in this frame: its flag, and the tip of its arrow [m]. */
static int arrow_tip(const struct clip_view *v, int point, double *tip)
{
  const struct clip *clip = v->traces->clip;
  int n = clip->n_frames, k = ((v->frame % n) + n) % n;
  size_t i = (size_t)k * (size_t)clip->n_points + (size_t)point;
  double metres = v->metres / (v->traces->creature->mass * CREATURE_GRAVITY);
  double turn = v->q[3] - clip->q[(size_t)k * (size_t)clip->n_dofs + 3];
  const double *at = figure_contact(v->figure, point), *f = clip->force + 3 * i;
  tip[0] = at[0] + metres * (cos(turn) * f[0] - sin(turn) * f[1]); /* a later cycle may head elsewhere */
  tip[1] = at[1] + metres * (sin(turn) * f[0] + cos(turn) * f[1]);
  tip[2] = at[2] + metres * f[2];
  return clip->contact[i];
}

struct rect clip_view_extent(const struct clip_view *v, const struct camera *cam)
{
  struct rect r = figure_extent(v->figure, cam);
  for (int p = 0; p < v->traces->creature->n_points; p++) {
    double tip[3];
    arrow_tip(v, p, tip);
    struct xy at = camera_project(cam, tip);
    r = rect_union(r, (struct rect){at.x, at.y, 0.0, 0.0});
  }
  return r;
}

struct view clip_view_look(const struct clip_view *v, struct camera cam, struct rect area, struct to_scale map)
{
  return (struct view){.camera = cam, .area = area, .map = map, .style = v->style, .taper = 1,
                       .depth = cam.up[2] > 0.999 ? v->depth : 0.0, .ground = cam.up[2] > 0.999, .air = v->theme.panel};
}

struct colour clip_view_colour(const struct clip_view *v, enum side side)
{
  return side == SIDE_LEFT ? v->style.left : side == SIDE_RIGHT ? v->style.right : v->style.middle;
}

void clip_view_forces(const struct clip_view *v, const struct view *look)
{
  const struct creature *c = v->traces->creature;
  canvas_clip(v->cv, look->area);
  for (int p = 0; p < c->n_points; p++) {
    double tip[3];
    struct colour colour = view_side_colour(&v->style, c->points[p].name);
    struct xy from = camera_project(&look->camera, figure_contact(v->figure, p)), ground = {from.x, 0.0};
    const double *at = figure_contact(v->figure, p);
    ground.y = ground_height(figure_ground(v->figure), at[0], at[1]);
    int stands = arrow_tip(v, p, tip);
    struct xy to = camera_project(&look->camera, tip);
    from = to_scale_map(&look->map, from.x, from.y);
    to = to_scale_map(&look->map, to.x, to.y);
    ground = to_scale_map(&look->map, ground.x, ground.y);
    arrow_draw(v->cv, &(struct arrow){from, to, ARROW_WIDTH, colour, colour_fade(v->theme.paper, 0.8)});
    if (stands && look->ground) marker_draw(v->cv, MARKER_TRIANGLE, (struct xy){ground.x, ground.y + 6.8}, 2.6, colour);
  }
  canvas_unclip(v->cv);
}

void clip_view_ruler(const struct clip_view *v, const struct view *look, double step)
{
  double from = (look->area.x - look->map.x0) / look->map.scale, until = from + look->area.w / look->map.scale;
  double size = step * look->map.scale, depth = camera_depth(&look->camera, v->q);
  const struct terrain *ground = figure_ground(v->figure);
  if (!(size > 2.0)) return;
  canvas_clip(v->cv, look->area);
  for (double k = floor(from / step); k * step < until; k++) {
    struct xy a = to_scale_map(&look->map, k * step, ground_line(ground, &look->camera, depth, k * step));
    struct xy b = to_scale_map(&look->map, (k + 1) * step, ground_line(ground, &look->camera, depth, (k + 1) * step));
    path_polygon(v->cv, 4, (struct xy[]){a, b, {b.x, b.y + 2.4}, {a.x, a.y + 2.4}});
    canvas_paint(v->cv, &(struct fill){.colour = fmod(k, 2.0) == 0.0 ? v->style.ground : v->theme.paper}, NULL);
  }
  canvas_unclip(v->cv);
}

/* ---- the legend ---- */

static double legend_arrow(const struct clip_view *v, struct xy at, double scale)
{
  struct arena *arena = canvas_arena(v->cv);
  double per_weight = v->metres * scale, weights = scale_bar_choose(per_weight, 44.0).length;
  double length = weights * per_weight;
  char *label = arena_printf(arena, "%s body weight%s", text_number3(arena, weights), weights == 1.0 ? "" : "s");
  arrow_draw(v->cv, &(struct arrow){.from = at, .to = {at.x + length, at.y}, .width = ARROW_WIDTH,
                                    .colour = v->theme.muted});
  text_draw(v->cv, &v->small, (struct xy){at.x + length + 5.0, at.y + 0.36 * v->small.size}, ALIGN_LEFT, label);
  return length + 5.0 + text_width(v->cv, &v->small, label);
}

static double legend_signs(const struct clip_view *v, struct xy at)
{
  static const char *const words[] = {"left foot stands", "right foot stands", "foot on the midline stands"};
  double x = at.x;
  for (int side = 0; side < 3; side++) {
    int used = 0;
    for (int i = 0; i < v->traces->n_legs; i++) used |= (int)v->traces->legs[i].side == side;
    if (!used) continue;
    marker_draw(v->cv, MARKER_TRIANGLE, (struct xy){x + 3.0, at.y + 0.8}, 2.6, clip_view_colour(v, (enum side)side));
    text_draw(v->cv, &v->small, (struct xy){x + 10.0, at.y + 0.36 * v->small.size}, ALIGN_LEFT, words[side]);
    x += 10.0 + text_width(v->cv, &v->small, words[side]) + 18.0;
  }
  return x - at.x;
}

double clip_view_legend(const struct clip_view *v, struct xy at, double scale, double step)
{
  double x = at.x;
  x += scale_bar_draw(v->cv, (struct xy){x, at.y}, 1.001 * step * scale, scale, &v->small) + 18.0;
  x += legend_arrow(v, (struct xy){x, at.y}, scale) + 18.0;
  x += legend_signs(v, (struct xy){x, at.y});
  return x - at.x;
}
