/* A creature in a pose, drawn to scale. See plots/creature_view.h. */
#include "plots/creature_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/angle.h"
#include "dynamics/dynamics.h"

struct order { double chain, depth; int first, limb; }; /* depth of its chain, its own; where the chain starts */

struct figure {
  const struct creature *creature;
  const struct terrain *terrain; /* NULL: level ground                                     */
  struct dynamics *dynamics;
  struct shape *solids;      /* by figure_pose: in the world                (n_limbs)     */
  double *joints;            /* by figure_pose: world [m]                   (n_limbs x 3) */
  double *contacts;          /* by figure_pose: world [m]                   (n_points x 3) */
  double com[3];             /* by figure_pose: world [m]                                 */
  double *end_radius;        /* of a tapered limb at its far end [m]        (n_limbs)     */
  int *chain;                /* first limb of the unbranched chain that it is of (n_limbs) */
  struct outline *outlines;  /* scratch of figure_draw                      (n_limbs)     */
  struct order *order;       /* scratch of figure_draw                      (n_limbs)     */
};

/* ---- where everything is ---- */

/* World position of a point given in a limb's frame. */
static void limb_point(const struct figure *f, const struct limb *l, const double *local, double *world)
{
  double p[3];
  for (int k = 0; k < 3; k++) p[k] = l->origin[k] + local[k];
  dynamics_point(f->dynamics, l->body, p, world);
}

static void place_solid(struct figure *f, int i)
{
  const struct limb *l = &f->creature->limbs[i];
  struct shape *s = &f->solids[i];
  double R[9];
  static const double origin[3] = {0};
  dynamics_rotation(f->dynamics, l->body, R);
  *s = l->shape;
  for (int r = 0; r < 3; r++)
    for (int k = 0; k < 3; k++)
      s->frame[3 * r + k] = R[3 * r] * l->shape.frame[k] + R[3 * r + 1] * l->shape.frame[3 + k] +
                            R[3 * r + 2] * l->shape.frame[6 + k];
  double from[3], to[3];
  memcpy(from, l->shape.from, sizeof from);
  memcpy(to, l->shape.to, sizeof to);
  if (s->kind == SHAPE_CAPSULE)
    creature_capsule_axis(&l->shape, from, to);
  limb_point(f, l, from, s->from);
  limb_point(f, l, to, s->to);
  limb_point(f, l, l->shape.centre, s->centre);
  limb_point(f, l, origin, f->joints + 3 * i);
}

void figure_pose(struct figure *f, const double *q)
{
  const struct creature *c = f->creature;
  double mass = 0.0, sum[3] = {0.0, 0.0, 0.0}, at[3];
  dynamics_kinematics(f->dynamics, q);
  for (int i = 0; i < c->n_limbs; i++) {
    place_solid(f, i);
    limb_point(f, &c->limbs[i], c->limbs[i].com, at);
    mass += c->limbs[i].mass;
    for (int k = 0; k < 3; k++) sum[k] += c->limbs[i].mass * at[k];
  }
  for (int k = 0; k < 3; k++) f->com[k] = mass > 0.0 ? sum[k] / mass : f->joints[k];
  for (int i = 0; i < c->n_points; i++)
    dynamics_point(f->dynamics, c->points[i].body, c->points[i].at, f->contacts + 3 * i);
}

const struct shape *figure_solid(const struct figure *f, int limb)
{
  return &f->solids[limb];
}

const double *figure_joint(const struct figure *f, int limb)
{
  return f->joints + 3 * (size_t)limb;
}

const double *figure_contact(const struct figure *f, int point)
{
  return f->contacts + 3 * (size_t)point;
}

const double *figure_mass(const struct figure *f)
{
  return f->com;
}

/* Halfway to the radius of the one capsule that continues a capsule at its end. */
static void find_tapers(struct figure *f)
{
  const struct creature *c = f->creature;
  for (int i = 0; i < c->n_limbs; i++) f->end_radius[i] = 0.5 * c->limbs[i].shape.size[0];
  for (int i = 1; i < c->n_limbs; i++) {
    const struct limb *child = &c->limbs[i], *parent = &c->limbs[child->parent];
    double gap = 0.0, thin = 0.5 * child->shape.size[0], thick = 0.5 * parent->shape.size[0];
    for (int k = 0; k < 3; k++) gap += fabs(child->at[k] - parent->shape.to[k]) + fabs(child->shape.from[k]);
    if (child->shape.kind == SHAPE_CAPSULE && gap < 0.5 * thick && thin < thick)
      f->end_radius[child->parent] = fmax(thin, 0.5 * thick);
  }
}

/* A limb that is its parent's only child goes on with the parent's chain: a leg, a neck and its head, a tail. */
static void find_chains(struct figure *f, int *children)
{
  const struct creature *c = f->creature;
  for (int i = 1; i < c->n_limbs; i++) children[c->limbs[i].parent]++;
  for (int i = 0; i < c->n_limbs; i++) {
    int parent = c->limbs[i].parent;
    f->chain[i] = parent > 0 && children[parent] == 1 ? f->chain[parent] : i;
  }
}

struct figure *figure_new(struct arena *arena, const struct creature *c)
{
  struct figure *f = ARENA_NEW(arena, 1, struct figure);
  size_t n = (size_t)c->n_limbs;
  f->creature = c;
  f->dynamics = dynamics_new(arena, c);
  f->solids = ARENA_NEW(arena, n, struct shape);
  f->joints = ARENA_NEW(arena, 3 * n, double);
  f->contacts = ARENA_NEW(arena, 3 * (size_t)c->n_points, double);
  f->end_radius = ARENA_NEW(arena, n, double);
  f->outlines = ARENA_NEW(arena, n, struct outline);
  f->order = ARENA_NEW(arena, n, struct order);
  f->chain = ARENA_NEW(arena, n, int);
  find_tapers(f);
  find_chains(f, ARENA_NEW(arena, n, int));
  double *q = ARENA_NEW(arena, (size_t)c->n_dofs, double);
  creature_rest_pose(c, q);
  figure_pose(f, q);
  return f;
}

void figure_stand_on(struct figure *f, const struct terrain *t) { f->terrain = t; }

const struct terrain *figure_ground(const struct figure *f) { return f->terrain; }

/* The ground is drawn as a line, for cameras that see it from its edge. */
static int sees_ground_line(const struct camera *cam) { return cam->up[2] > 0.999; }

struct rect figure_extent(const struct figure *f, const struct camera *cam)
{
  const struct creature *c = f->creature;
  struct xy first = camera_project(cam, f->com);
  struct rect r = {first.x, first.y, 0.0, 0.0};
  struct outline o;
  for (int i = 0; i < c->n_limbs; i++) {
    outline_of(&f->solids[i], cam, &o);
    r = rect_union(r, outline_extent(&o));
  }
  for (int i = 0; i < c->n_points; i++) {
    const double *p = f->contacts + 3 * i, below[3] = {p[0], p[1], ground_height(f->terrain, p[0], p[1])};
    struct xy at = camera_project(cam, p), ground = camera_project(cam, below);
    r = rect_union(r, rect_union((struct rect){at.x, at.y, 0, 0}, (struct rect){ground.x, ground.y, 0, 0}));
  }
  if (sees_ground_line(cam) && r.y < 0.0 && ground_is_level(f->terrain)) { /* the earth hides what is below */
    r.h += r.y;
    r.y = 0.0;
  }
  double wider = fmax(0.0, 1e-3 - r.w), higher = fmax(0.0, 1e-3 - r.h);
  return (struct rect){r.x - 0.5 * wider, r.y, r.w + wider, r.h + higher};
}

double figure_depth(const struct figure *f, const struct camera *cam)
{
  double nearest = -INFINITY, farthest = INFINITY;
  struct outline o;
  for (int i = 0; i < f->creature->n_limbs; i++) {
    outline_of(&f->solids[i], cam, &o);
    nearest = fmax(nearest, o.depth);
    farthest = fmin(farthest, o.depth);
  }
  return nearest - farthest;
}

/* ---- looks ---- */

struct view_style view_style_paper(void)
{
  return (struct view_style){.near_side = colour_rgb(0xe2d3b8), .far_side = colour_rgb(0x9c8e7a),
                             .outline = colour_rgb(0x3a3128), .joint = colour_rgb(0x3a3128),
                             .ground = colour_rgb(0x4a4239), .earth = colour_rgb(0xe9e5dc),
                             .left = palette(PALETTE_BLUE), .right = palette(PALETTE_VERMILION),
                             .middle = palette(PALETTE_GREEN), .mass = colour_rgb(0x000000)};
}

struct view_style view_style_plate(void)
{
  return (struct view_style){.near_side = colour_rgb(0xeadfc9), .far_side = colour_rgb(0x82755f),
                             .outline = colour_rgb(0x1c1713), .joint = colour_rgb(0x3a3128),
                             .ground = colour_rgb(0xb7a88f), .earth = colour_rgb(0x1b1714),
                             .left = palette(PALETTE_SKY), .right = palette(PALETTE_ORANGE),
                             .middle = palette(PALETTE_GREEN), .mass = colour_rgb(0x000000)};
}

struct colour view_side_colour(const struct view_style *s, const char *name)
{
  if (strncmp(name, "left_", 5) == 0) return s->left;
  return strncmp(name, "right_", 6) == 0 ? s->right : s->middle;
}

struct view view_fit(const struct figure *f, struct camera cam, struct rect area, double most)
{
  struct rect inner = {area.x + VIEW_MARGIN, area.y + VIEW_MARGIN, fmax(1.0, area.w - 2.0 * VIEW_MARGIN),
                       fmax(1.0, area.h - VIEW_MARGIN - VIEW_BELOW)};
  return (struct view){.camera = cam, .area = area, .map = to_scale_fit(figure_extent(f, &cam), inner, most),
                       .style = view_style_paper(),
                       .ground = sees_ground_line(&cam), .joints = 1, .contacts = 1, .mass = 1};
}

/* ---- shading: light from the upper left, before the picture ---- */

/* A tone of the base colour under light from 0 (in shadow) to 1 (facing the light). */
static struct colour tone(struct colour base, double light)
{
  struct colour dark = colour_mix(base, colour_rgb(0x1a120a), 0.34);
  struct colour bright = colour_mix(base, colour_rgb(0xffffff), 0.30);
  return light < 0.6 ? colour_mix(dark, base, light / 0.6) : colour_mix(base, bright, (light - 0.6) / 0.4);
}

/* Light on a surface whose normal has n across (on the page, y down) and the rest towards the viewer. */
static double light_on(struct xy n)
{
  const double l[3] = {-0.40, -0.66, 0.64};
  double facing = sqrt(fmax(0.0, 1.0 - n.x * n.x - n.y * n.y));
  return fmin(1.0, fmax(0.0, 0.12 + 0.88 * (l[0] * n.x + l[1] * n.y + l[2] * facing)));
}

/* Across a cylinder, from one edge to the other. */
static struct fill cylinder_fill(struct xy middle, struct xy across, double radius, struct colour base)
{
  struct fill f = {.colour = base, .n_stops = 7};
  f.p0 = (struct xy){middle.x - radius * across.x, middle.y - radius * across.y};
  f.p1 = (struct xy){middle.x + radius * across.x, middle.y + radius * across.y};
  for (int i = 0; i < f.n_stops; i++) {
    double t = 2.0 * i / (f.n_stops - 1) - 1.0, s = 0.96 * t;
    f.at[i] = 0.5 * (t + 1.0);
    f.stop[i] = tone(base, light_on((struct xy){s * across.x, s * across.y}));
  }
  return f;
}

/* Over a ball or an ellipsoid, from its brightest spot outwards. */
static struct fill ball_fill(const struct ellipse *e, struct colour base)
{
  struct fill f = {.colour = base, .n_stops = 6, .radial = 1, .over = *e};
  struct xy spot = {-0.36, -0.58}; /* on the page; the fill wants it along the axes */
  double c = cos(e->angle), s = sin(e->angle);
  f.spot = (struct xy){c * spot.x + s * spot.y, -s * spot.x + c * spot.y};
  for (int i = 0; i < f.n_stops; i++) {
    double t = (double)i / (f.n_stops - 1);
    f.at[i] = t;
    f.stop[i] = tone(base, 1.0 - 0.80 * t * t);
  }
  return f;
}

/* ---- limbs ---- */

struct brush { struct canvas *cv; const struct view *view; struct colour base; struct pen pen; int only_lines; };

/* Fills and strokes the path as seen through the air. */
static void paint(const struct brush *brush, struct fill *fill, struct pen pen)
{
  double haze = brush->view->haze;
  if (brush->only_lines) fill = NULL;
  struct colour air = brush->view->air;
  if (haze > 0.0) {
    for (int i = 0; fill && i < fill->n_stops; i++) fill->stop[i] = colour_mix(fill->stop[i], air, haze);
    if (fill) fill->colour = colour_mix(fill->colour, air, haze);
    pen.colour = colour_mix(pen.colour, air, haze);
  }
  canvas_paint(brush->cv, fill, &pen);
}

/* Path around two discs. */
static void path_stadium(struct canvas *cv, struct xy a, double ra, struct xy b, double rb)
{
  double d = hypot(b.x - a.x, b.y - a.y), direction = atan2(b.y - a.y, b.x - a.x);
  if (d <= fabs(ra - rb)) { /* one hides the other */
    struct xy c = ra >= rb ? a : b;
    path_move(cv, c.x + fmax(ra, rb), c.y);
    path_arc(cv, ra >= rb ? a : b, fmax(ra, rb), 0.0, 2.0 * PI);
  } else {
    double side = acos((ra - rb) / d); /* where the common tangents touch, away from the axis */
    path_move(cv, a.x + ra * cos(direction + side), a.y + ra * sin(direction + side));
    path_arc(cv, a, ra, direction + side, direction + 2.0 * PI - side);
    path_arc(cv, b, rb, direction - side, direction + side);
  }
  path_close(cv);
}

static void draw_stadium(const struct brush *brush, const struct outline *o)
{
  const struct to_scale *map = &brush->view->map;
  struct xy a = to_scale_map(map, o->a.x, o->a.y), b = to_scale_map(map, o->b.x, o->b.y);
  double ra = map->scale * o->radius_a, rb = map->scale * o->radius_b, d = hypot(b.x - a.x, b.y - a.y);
  double least = 0.9; /* [points]: a limb without a shape is a line */
  struct fill fill = fill_flat(brush->base);
  if (ra < least) ra = rb = least;
  if (d > 0.5 * ra) {
    struct xy across = {-(b.y - a.y) / d, (b.x - a.x) / d};
    fill = cylinder_fill((struct xy){0.5 * (a.x + b.x), 0.5 * (a.y + b.y)}, across, fmax(ra, rb), brush->base);
  } else {
    fill = ball_fill(&(struct ellipse){.x = a.x, .y = a.y, .a = ra + d, .b = ra + d}, brush->base);
  }
  path_stadium(brush->cv, a, ra, b, rb);
  paint(brush, &fill, brush->pen);
}

static void draw_ellipse(const struct brush *brush, const struct outline *o)
{
  const struct to_scale *map = &brush->view->map;
  struct xy centre = to_scale_map(map, o->ellipse.x, o->ellipse.y);
  struct ellipse e = {.x = centre.x, .y = centre.y, .a = fmax(0.3, map->scale * o->ellipse.a),
                      .b = fmax(0.3, map->scale * o->ellipse.b), .angle = -o->ellipse.angle};
  struct fill fill = ball_fill(&e, brush->base);
  path_ellipse(brush->cv, &e);
  paint(brush, &fill, brush->pen);
}

/* The faces of a box that are seen, each in its light, then the outline. */
static void draw_box(const struct brush *brush, const struct outline *o, const struct shape *s)
{
  const struct view *v = brush->view;
  struct pen edge = {.colour = brush->pen.colour, .width = 0.5 * brush->pen.width};
  for (int face = 0; face < 6; face++) {
    int k = face / 2, k1 = (k + 1) % 3, k2 = (k + 2) % 3;
    double sign = face % 2 ? 1.0 : -1.0, normal[3] = {s->frame[k], s->frame[3 + k], s->frame[6 + k]};
    if (sign * camera_depth(&v->camera, normal) < 1e-6) continue;
    for (int corner = 0; corner < 4; corner++) {
      double p[3], h1 = corner == 0 || corner == 3 ? -0.5 : 0.5, h2 = corner < 2 ? -0.5 : 0.5;
      for (int r = 0; r < 3; r++)
        p[r] = s->centre[r] + sign * 0.5 * s->size[k] * s->frame[3 * r + k] + h1 * s->size[k1] * s->frame[3 * r + k1] +
               h2 * s->size[k2] * s->frame[3 * r + k2];
      struct xy at = camera_project(&v->camera, p);
      at = to_scale_map(&v->map, at.x, at.y);
      path_line(brush->cv, at.x, at.y);
    }
    path_close(brush->cv);
    struct xy n = camera_project(&v->camera, normal);
    struct fill fill = fill_flat(tone(brush->base, 0.15 + 0.85 * light_on((struct xy){sign * n.x, -sign * n.y})));
    paint(brush, &fill, edge);
  }
  struct xy corners[8];
  for (int i = 0; i < o->n; i++) corners[i] = to_scale_map(&v->map, o->corners[i].x, o->corners[i].y);
  path_polygon(brush->cv, o->n, corners);
  paint(brush, NULL, brush->pen);
}

static double outline_thickness(const struct outline *o)
{
  if (o->kind == OUTLINE_STADIUM) return fmin(o->radius_a, o->radius_b);
  if (o->kind == OUTLINE_ELLIPSE) return o->ellipse.b;
  struct rect r = outline_extent(o);
  return 0.5 * fmin(r.w, r.h);
}

static void draw_joint(const struct brush *brush, const struct figure *f, int i)
{
  const struct limb *l = &f->creature->limbs[i];
  const struct view *v = brush->view;
  if (!v->joints || l->parent < 0 || l->n_dofs == 0) return;
  struct xy at = camera_project(&v->camera, f->joints + 3 * i);
  at = to_scale_map(&v->map, at.x, at.y);
  double r = fmin(1.9, 0.4 * v->map.scale * outline_thickness(&f->outlines[i]));
  if (f->solids[i].kind == SHAPE_NONE) r = 1.0;
  if (r > 0.45) marker_draw(brush->cv, MARKER_DOT, at, r, v->style.joint); /* smaller ones would only be dirt */
}

/* ---- the picture ---- */

/* Far chains first, and in a chain far limbs; equals (up to rounding) as in the tree, so that what is carried covers
 * what carries it. */
static int by_depth(const void *a, const void *b)
{
  const struct order *p = a, *q = b;
  if (p->chain != q->chain) return p->chain < q->chain ? -1 : 1;
  if (p->first != q->first) return p->first < q->first ? -1 : 1;
  if (p->depth != q->depth) return p->depth < q->depth ? -1 : 1;
  return (p->limb > q->limb) - (p->limb < q->limb);
}

static void sort_limbs(const struct figure *f, const struct view *v, double *nearest, double *farthest)
{
  int n = f->creature->n_limbs;
  *nearest = -INFINITY;
  *farthest = INFINITY;
  for (int i = 0; i < n; i++) {
    struct outline *o = &f->outlines[i];
    outline_of(&f->solids[i], &v->camera, o);
    if (v->taper && f->solids[i].kind == SHAPE_CAPSULE) o->radius_b = f->end_radius[i];
    *nearest = fmax(*nearest, o->depth);
    *farthest = fmin(*farthest, o->depth);
    f->order[i] = (struct order){0.0, o->depth, f->chain[i], i};
  }
  double grain = 1e-6 * (*nearest - *farthest) + 1e-12;
  for (int i = 0; i < n; i++) { /* a chain is where it begins: a thigh before the pelvis, wherever its foot is */
    f->order[i].chain = floor(f->outlines[f->chain[i]].depth / grain + 0.5);
    f->order[i].depth = floor(f->order[i].depth / grain + 0.5);
  }
  qsort(f->order, (size_t)n, sizeof *f->order, by_depth);
}

static void draw_limb(const struct brush *brush, const struct figure *f, int i)
{
  const struct outline *o = &f->outlines[i];
  if (o->kind == OUTLINE_STADIUM)
    draw_stadium(brush, o);
  else if (o->kind == OUTLINE_ELLIPSE)
    draw_ellipse(brush, o);
  else
    draw_box(brush, o, &f->solids[i]);
}

/* What limbs are painted with, near ones light and far ones dark. */
struct shades { double nearest, range, widest; };

static void choose_brush(struct brush *brush, const struct figure *f, const struct shades *s, int i)
{
  const struct view *v = brush->view;
  double away = fmin(1.0, fmax(0.0, (s->nearest - f->outlines[i].depth) / s->range));
  brush->base = colour_mix(v->style.near_side, v->style.far_side, away);
  brush->pen = (struct pen){.colour = v->style.outline, .width = s->widest};
  if (f->solids[i].kind != SHAPE_NONE) {
    brush->pen.width = fmin(s->widest, 0.3 * v->map.scale * outline_thickness(&f->outlines[i]));
    if (!f->creature->limbs[i].solid) { /* what touches nothing is faint */
      brush->base = colour_fade(brush->base, 0.35);
      brush->pen.colour = colour_fade(brush->pen.colour, 0.35);
    }
  }
}

/* Limbs k to end - 1 in the order, of one chain: their outlines first, then all surfaces, so that lines surround the
 * whole chain and do not cut it at its joints. */
static void draw_chain(struct brush *brush, const struct figure *f, const struct shades *s, int k, int end)
{
  for (int pass = end - k > 1 ? 0 : 1; pass < 2; pass++)
    for (int j = k; j < end; j++) {
      int i = f->order[j].limb, box = f->outlines[i].kind == OUTLINE_POLYGON;
      choose_brush(brush, f, s, i);
      brush->only_lines = pass == 0;
      if (pass == 0) {
        brush->pen.width *= 2.0;
      } else if (end - k > 1 && !box && f->solids[i].kind != SHAPE_NONE) {
        brush->pen.width = 0.0;
      }
      if (pass == 0 && box) continue;
      draw_limb(brush, f, i);
      if (pass == 1) draw_joint(brush, f, i);
    }
}

static void draw_limbs(struct canvas *cv, const struct figure *f, const struct view *v)
{
  double farthest;
  struct rect extent = figure_extent(f, &v->camera);
  struct brush brush = {.cv = cv, .view = v};
  struct shades s = {.widest = fmin(0.9, fmax(0.3, 0.0035 * v->map.scale * hypot(extent.w, extent.h)))};
  sort_limbs(f, v, &s.nearest, &farthest);
  s.range = fmax(s.nearest - farthest, 0.25 * fmax(extent.w, extent.h)); /* a flat creature is all near */
  if (v->depth > 0.0) {
    s.range = v->depth;
    s.nearest = camera_depth(&v->camera, f->joints) + 0.5 * s.range;
  }
  for (int k = 0, end; k < f->creature->n_limbs; k = end) {
    for (end = k + 1; end < f->creature->n_limbs && f->order[end].first == f->order[k].first;) end++;
    draw_chain(&brush, f, &s, k, end);
  }
}

void view_draw_ground(struct canvas *cv, const struct view *v)
{
  struct pen pen = {.colour = v->style.ground, .width = 1.0};
  double y = to_scale_map(&v->map, 0.0, 0.0).y, right = v->area.x + v->area.w, bottom = v->area.y + v->area.h;
  if (y > v->area.y && y < bottom) canvas_box(cv, (struct rect){v->area.x, y, v->area.w, bottom - y}, v->style.earth);
  canvas_line(cv, (struct xy){v->area.x, y}, (struct xy){right, y}, &pen);
}

/* The ground that the figure stands on, cut at the depth of its root. */
static void draw_terrain(struct canvas *cv, const struct figure *f, const struct view *v)
{
  enum { POINTS = 160 };
  struct xy line[POINTS];
  double bottom = v->area.y + v->area.h;
  ground_profile(f->terrain, &v->camera, camera_depth(&v->camera, f->joints), 0.0, v->area, v->map, POINTS, line);
  path_move(cv, line[0].x, bottom);
  for (int i = 0; i < POINTS; i++) path_line(cv, line[i].x, fmin(line[i].y, bottom));
  path_line(cv, line[POINTS - 1].x, bottom);
  path_close(cv);
  canvas_paint(cv, &(struct fill){.colour = v->style.earth}, NULL);
  path_move(cv, line[0].x, line[0].y);
  for (int i = 1; i < POINTS; i++) path_line(cv, line[i].x, line[i].y);
  canvas_paint(cv, NULL, &(struct pen){.colour = v->style.ground, .width = 1.0});
}

/* A triangle under each contact point on the ground, a ring on those in the air. */
static void draw_contacts(struct canvas *cv, const struct figure *f, const struct view *v)
{
  const struct creature *c = f->creature;
  double r = 3.0, low = fmax(1e-3 * fabs(c->height), 0.75 / v->map.scale);
  for (int i = 0; i < c->n_points; i++) {
    const double *p = f->contacts + 3 * i;
    struct colour colour = view_side_colour(&v->style, c->points[i].name);
    struct xy uv = camera_project(&v->camera, p), at = to_scale_map(&v->map, uv.x, uv.y);
    double ground = ground_height(f->terrain, p[0], p[1]);
    if (p[2] - ground > low) {
      marker_draw(cv, MARKER_RING, at, 0.7 * r, colour);
    } else {
      at = to_scale_map(&v->map, uv.x, ground);
      marker_draw(cv, MARKER_TRIANGLE, (struct xy){at.x, at.y + 1.3 * r + 1.0}, r, colour);
    }
  }
}

void figure_draw(struct canvas *cv, const struct figure *f, const struct view *v)
{
  struct view body = *v;
  body.air = canvas_seen(cv, v->air);
  canvas_clip(cv, v->area);
  canvas_as_is(cv, 1); /* a body is lit from above, also on a dark page */
  draw_limbs(cv, f, &body);
  canvas_as_is(cv, 0);
  if (v->ground && ground_is_level(f->terrain)) /* over limbs: it hides what rounded ends have below their contact
                                                   points */
    view_draw_ground(cv, v);
  else if (v->ground)
    draw_terrain(cv, f, v);
  if (v->contacts) draw_contacts(cv, f, v);
  struct xy com = camera_project(&v->camera, f->com), at = to_scale_map(&v->map, com.x, com.y);
  if (v->mass) marker_draw(cv, MARKER_MASS, at, 4.2, v->style.mass);
  canvas_unclip(cv);
}

/* ---- its shadow ---- */

/* All in one sense of rotation, so that what overlaps is filled once. */
void figure_shadow_path(struct canvas *cv, const struct figure *f)
{
  struct camera above = camera_above(0.0);
  for (int i = 0; i < f->creature->n_limbs; i++) {
    struct outline o;
    outline_of(&f->solids[i], &above, &o);
    if (o.kind == OUTLINE_ELLIPSE) {
      path_ellipse(cv, &o.ellipse);
    } else if (o.kind == OUTLINE_POLYGON) {
      path_move(cv, o.corners[0].x, o.corners[0].y);
      path_polygon(cv, o.n, o.corners);
    } else if (o.radius_a > 0.0) {
      o.radius_b = f->solids[i].kind == SHAPE_CAPSULE ? f->end_radius[i] : o.radius_b;
      path_stadium(cv, o.a, o.radius_a, o.b, o.radius_b);
    }
  }
}

double figure_foot_radius(const struct figure *f, int point)
{
  const struct creature *c = f->creature;
  int limb = c->points[point].limb;
  double r = c->limbs[limb].shape.kind == SHAPE_CAPSULE ? f->end_radius[limb] : 0.0;
  return fmax(r, 0.02 * fabs(c->height));
}
