/* Where the parts of a motion graph lie. See plots/graph_layout.h. */
#include "plots/graph_layout.h"

#include <math.h>

#include "base/angle.h"

#define EDGE 34.0        /* around the rings: numbers of frames, names [points]              */
#define APART 1.45       /* half the distance of neighbouring rings, in radii                */
#define ROTATIONS 72     /* that are tried for each ring                                     */
#define ROUNDS 4
#define INSIDE 0.84      /* how near to its ring a curve inside comes, in radii              */

static struct xy add(struct xy a, double k, struct xy b) { return (struct xy){a.x + k * b.x, a.y + k * b.y}; }
static struct xy minus(struct xy a, struct xy b) { return (struct xy){a.x - b.x, a.y - b.y}; }
static double length(struct xy a) { return hypot(a.x, a.y); }
static struct xy left_of(struct xy a) { return (struct xy){a.y, -a.x}; } /* y is down */

static struct xy unit(struct xy a)
{
  double l = length(a);
  return l > 0.0 ? (struct xy){a.x / l, a.y / l} : (struct xy){0.0, -1.0};
}

/* Turned to the left. */
static struct xy turned(struct xy a, double angle)
{
  return add((struct xy){a.x * cos(angle), a.y * cos(angle)}, sin(angle), left_of(a));
}

/* ---- asking a layout ---- */

int graph_layout_find(const struct motion_graph *g, int id)
{
  for (int i = 0; i < g->n_clips; i++)
    if (g->clips[i].id == id) return i;
  return -1;
}

struct xy graph_curve_at(const struct graph_curve *c, double t)
{
  double s = 1.0 - t, w[4] = {s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t};
  struct xy at = {0.0, 0.0};
  for (int i = 0; i < 4; i++) at = add(at, w[i], c->p[i]);
  return at;
}

struct xy graph_curve_tangent(const struct graph_curve *c, double t)
{
  const double step = 1e-3;
  return unit(minus(graph_curve_at(c, fmin(1.0, t + step)), graph_curve_at(c, fmax(0.0, t - step))));
}

/* The last frame but one of a transition is the one where it arrives. */
static double share_of(const struct clip *clip, double frame)
{
  return fmin(1.0, fmax(0.0, frame / fmax(1.0, clip->n_frames - 2.0)));
}

struct xy graph_layout_out(const struct graph_layout *l, int clip, double frame)
{
  const struct clip *c = l->graph->clips[clip].clip;
  if (!c->cyclic) return left_of(graph_curve_tangent(&l->curve[clip], share_of(c, frame)));
  double angle = l->rotation[clip] + 2.0 * PI * frame / c->n_frames;
  return (struct xy){sin(angle), -cos(angle)};
}

struct xy graph_layout_frame(const struct graph_layout *l, int clip, double frame)
{
  const struct clip *c = l->graph->clips[clip].clip;
  if (!c->cyclic) return graph_curve_at(&l->curve[clip], share_of(c, frame));
  return add(l->centre[clip], l->radius, graph_layout_out(l, clip, frame));
}

/* ---- rings ---- */

/* One in the middle, two side by side, more around a circle. */
static void place_rings(struct graph_layout *l, struct rect area)
{
  struct xy middle = {area.x + 0.5 * area.w, area.y + 0.5 * area.h};
  double half_w = fmax(8.0, 0.5 * area.w - EDGE), half_h = fmax(8.0, 0.5 * area.h - EDGE);
  double half = fmin(half_w, half_h), apart = l->n_rings > 1 ? APART / sin(PI / l->n_rings) : 0.0;
  l->radius = half / (1.0 + apart);
  if (l->n_rings == 2) l->radius = fmin(half_w / (1.0 + APART), half_h);
  double around = apart * l->radius;
  for (int i = 0, k = 0; i < l->graph->n_clips; i++) {
    if (!l->drawn[i] || !l->graph->clips[i].clip->cyclic) continue;
    double angle = 2.0 * PI * k / l->n_rings - (l->n_rings == 2 ? 0.5 * PI : 0.0);
    l->centre[i] = add(middle, around, (struct xy){sin(angle), -cos(angle)});
    k++;
  }
}

/* Squared length of what leads from this ring to others, or from others to it. */
static double length_of_links(const struct graph_layout *l, int ring)
{
  const struct motion_graph *g = l->graph;
  double sum = 0.0;
  for (int i = 0; i < g->n_clips; i++) {
    const struct clip *c = g->clips[i].clip;
    int from = graph_layout_find(g, c->from.clip), to = graph_layout_find(g, c->to.clip);
    if (!l->drawn[i] || c->cyclic || from < 0 || to < 0 || from == to || (from != ring && to != ring)) continue;
    if (!g->clips[from].clip->cyclic || !g->clips[to].clip->cyclic) continue;
    struct xy way = minus(graph_layout_frame(l, to, c->to.frame), graph_layout_frame(l, from, c->from.frame));
    sum += way.x * way.x + way.y * way.y;
  }
  return sum;
}

/* Rings turn so that what links them is short. */
static void turn_rings(struct graph_layout *l)
{
  for (int round = 0; round < ROUNDS; round++)
    for (int i = 0; i < l->graph->n_clips; i++) {
      if (!l->drawn[i] || !l->graph->clips[i].clip->cyclic) continue;
      double best = INFINITY, best_rotation = 0.0;
      for (int k = 0; k < ROTATIONS; k++) {
        l->rotation[i] = 2.0 * PI * k / ROTATIONS;
        double sum = length_of_links(l, i);
        if (!(sum < best * (1.0 - 1e-9))) continue;
        best = sum;
        best_rotation = l->rotation[i];
      }
      l->rotation[i] = best_rotation;
    }
}

/* ---- curves ---- */

/* A transition among those with the same ends: how many there are, and how many turn farther to the left. */
struct rank { int of, at; };

static struct rank rank_of(const struct graph_layout *l, int clip)
{
  const struct motion_graph *g = l->graph;
  const struct clip *c = g->clips[clip].clip;
  struct rank r = {0, 0};
  for (int i = 0; i < g->n_clips; i++) {
    const struct clip *other = g->clips[i].clip;
    if (!l->drawn[i] || other->cyclic || other->from.clip != c->from.clip || other->to.clip != c->to.clip ||
        other->from.frame != c->from.frame || other->to.frame != c->to.frame)
      continue;
    r.of++;
    r.at += other->turn > c->turn || (other->turn == c->turn && i < clip);
  }
  return r;
}

/* From 1 for the first to -1 for the last; one alone is on the side to which it turns, or in the middle. */
static double spread(struct rank r, double turn)
{
  if (r.of > 1) return 1.0 - 2.0 * r.at / (r.of - 1.0);
  return turn > 0.01 ? 1.0 : turn < -0.01 ? -1.0 : 0.0;
}

static struct graph_curve through(struct xy p, struct xy middle, struct xy q)
{
  struct xy pull = {2.0 * middle.x - 0.5 * (p.x + q.x), 2.0 * middle.y - 0.5 * (p.y + q.y)};
  return (struct graph_curve){{p, add(p, 2.0 / 3.0, minus(pull, p)), add(q, 2.0 / 3.0, minus(pull, q)), q}};
}

/* Inside of its ring and back to near where it began: a petal. */
static struct graph_curve petal(const struct graph_layout *l, struct xy centre, struct xy p, struct xy q, struct rank r,
                                double side)
{
  struct xy in = unit(minus(centre, (struct xy){0.5 * (p.x + q.x), 0.5 * (p.y + q.y)}));
  double most = fmin(1.15, 0.22 * r.of), angle = most * side, open = fmin(0.3, 1.1 / r.of);
  double reach = fmin(1.25, 1.6 * cos(angle)) * l->radius / 0.75;
  struct xy out = turned(in, angle - open), back = turned(in, angle + open);
  return (struct graph_curve){{p, add(p, reach, out), add(q, reach, back), q}};
}

/* Inside of its ring, from one side to another; left turns pass on the left. */
static struct graph_curve chord(const struct graph_layout *l, struct xy centre, struct xy p, struct xy q, struct rank r,
                                double side)
{
  struct xy left = left_of(unit(minus(q, p))), middle = {0.5 * (p.x + q.x), 0.5 * (p.y + q.y)};
  struct xy from_centre = minus(middle, centre);
  double at = from_centre.x * left.x + from_centre.y * left.y, wide = fmin(INSIDE, 0.17 * (r.of + 1));
  double aside = 0.45 * wide / fmax(1.0, r.of - 1.0); /* so that those the other way do not lie upon these */
  return through(p, add(middle, l->radius * ((wide - aside) * side + aside) - at, left), q);
}

/* Which way to leave a frame for, or to come from, a place: out of the ring, or into it when the place is inside. */
static struct xy way_out(const struct graph_layout *l, int clip, int frame, struct xy place)
{
  struct xy out = graph_layout_out(l, clip, frame);
  int inside = l->graph->clips[clip].clip->cyclic && length(minus(place, l->centre[clip])) < 0.98 * l->radius;
  return inside ? (struct xy){-out.x, -out.y} : out;
}

/* From ring to ring: out of one, into the other, a little to the left so that two opposite ones do not meet. */
static struct graph_curve link(const struct graph_layout *l, int clip, int from, int to, struct rank r, double side)
{
  const struct clip *c = l->graph->clips[clip].clip;
  struct xy p = graph_layout_frame(l, from, c->from.frame), q = graph_layout_frame(l, to, c->to.frame);
  struct xy way = minus(q, p), ahead = unit(way), left = left_of(ahead);
  double far = length(way), aside = 0.14 * far + (r.of > 1 ? 0.16 * fmin(r.of, 5) * far * side : 0.0);
  struct xy out = unit(add(way_out(l, from, c->from.frame, q), 0.7, ahead));
  struct xy in = unit(add(way_out(l, to, c->to.frame, p), -0.7, ahead));
  double pull = 0.36 * far;
  return (struct graph_curve){{p, add(add(p, pull, out), aside, left), add(add(q, pull, in), aside, left), q}};
}

static struct graph_curve curve_of(const struct graph_layout *l, int clip, int from, int to)
{
  const struct clip *c = l->graph->clips[clip].clip;
  struct rank r = rank_of(l, clip);
  double side = spread(r, c->turn);
  if (from != to || !l->graph->clips[from].clip->cyclic) return link(l, clip, from, to, r, side);
  struct xy p = graph_layout_frame(l, from, c->from.frame), q = graph_layout_frame(l, to, c->to.frame);
  if (length(minus(q, p)) < 0.5 * l->radius) return petal(l, l->centre[from], p, q, r, side);
  return chord(l, l->centre[from], p, q, r, side);
}

/* Those that leave or enter another transition come after it. */
static void place_curves(struct graph_layout *l)
{
  const struct motion_graph *g = l->graph;
  struct arena *arena = arena_new();
  int *done = ARENA_NEW(arena, (size_t)g->n_clips + 1, int);
  for (int i = 0; i < g->n_clips; i++) done[i] = l->drawn[i] && g->clips[i].clip->cyclic;
  for (int more = 1; more;) {
    more = 0;
    for (int i = 0; i < g->n_clips; i++) {
      const struct clip *c = g->clips[i].clip;
      int from = graph_layout_find(g, c->from.clip), to = graph_layout_find(g, c->to.clip);
      if (done[i] || !l->drawn[i] || from < 0 || to < 0 || !done[from] || !done[to]) continue;
      l->curve[i] = curve_of(l, i, from, to);
      done[i] = more = 1;
    }
  }
  for (int i = 0; i < g->n_clips; i++) l->drawn[i] = done[i];
  arena_free(arena);
}

struct graph_layout *graph_layout(struct arena *arena, const struct motion_graph *g, struct rect area)
{
  struct graph_layout *l = ARENA_NEW(arena, 1, struct graph_layout);
  size_t n = (size_t)g->n_clips + 1;
  *l = (struct graph_layout){.graph = g, .centre = ARENA_NEW(arena, n, struct xy),
                             .rotation = ARENA_NEW(arena, n, double), .drawn = ARENA_NEW(arena, n, int),
                             .curve = ARENA_NEW(arena, n, struct graph_curve)};
  for (int i = 0; i < g->n_clips; i++) {
    l->drawn[i] = g->use[i] == GRAPH_USED;
    l->n_rings += l->drawn[i] && g->clips[i].clip->cyclic;
  }
  place_rings(l, area);
  if (l->n_rings > 1) turn_rings(l);
  place_curves(l);
  return l;
}
