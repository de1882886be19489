/* Solids seen from afar. See plots/projection.h. */
#include "plots/projection.h"

#include <math.h>
#include <stdlib.h>

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* ---- cameras ---- */

struct camera camera_side(void) { return (struct camera){{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}; }
struct camera camera_front(void) { return (struct camera){{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}; }

struct camera camera_beside(double heading)
{
  double c = cos(heading), s = sin(heading);
  return (struct camera){{c, s, 0}, {0, 0, 1}, {s, -c, 0}};
}

struct camera camera_above(double heading)
{
  double c = cos(heading), s = sin(heading);
  return (struct camera){{c, s, 0}, {-s, c, 0}, {0, 0, 1}};
}

struct camera camera_from(double azimuth, double elevation)
{
  double ca = cos(azimuth), sa = sin(azimuth), ce = cos(elevation), se = sin(elevation);
  return (struct camera){{-sa, ca, 0.0}, {-se * ca, -se * sa, ce}, {ce * ca, ce * sa, se}};
}

struct camera camera_three_quarter(void) { return camera_from(-1.1, 0.0); }

struct xy camera_project(const struct camera *cam, const double *world)
{
  return (struct xy){dot(cam->right, world), dot(cam->up, world)};
}

double camera_depth(const struct camera *cam, const double *world) { return dot(cam->back, world); }

/* ---- outlines ---- */

/* Column k of a row-major 3 x 3 matrix on the picture. */
static struct xy project_column(const struct camera *cam, const double *m, int k)
{
  const double v[3] = {m[k], m[3 + k], m[6 + k]};
  return camera_project(cam, v);
}

/* The ellipsoid {c + F D x, |x| <= 1}, D its half-axes, reaches sqrt(w' S w), S = P F D D F' P', in direction w of the
 * picture P. So does the ellipse with matrix S, whose half-axes are the roots of S's eigenvalues. */
static void ellipsoid_outline(const struct shape *s, const struct camera *cam, struct outline *out)
{
  double uu = 0.0, uv = 0.0, vv = 0.0;
  for (int k = 0; k < 3; k++) {
    struct xy e = project_column(cam, s->frame, k);
    double half = 0.5 * s->size[k];
    uu += half * half * e.x * e.x;
    uv += half * half * e.x * e.y;
    vv += half * half * e.y * e.y;
  }
  struct xy centre = camera_project(cam, s->centre);
  double mean = 0.5 * (uu + vv), spread = hypot(0.5 * (uu - vv), uv);
  out->kind = OUTLINE_ELLIPSE;
  out->ellipse = (struct ellipse){.x = centre.x, .y = centre.y, .a = sqrt(mean + spread),
                                  .b = sqrt(fmax(0.0, mean - spread)), .angle = 0.5 * atan2(2.0 * uv, uu - vv)};
}

static double turn(struct xy a, struct xy b, struct xy c)
{
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static int by_x(const void *a, const void *b)
{
  const struct xy *p = a, *q = b;
  if (p->x != q->x) return p->x < q->x ? -1 : 1;
  return (p->y > q->y) - (p->y < q->y);
}

/* Convex hull of the eight corners: lower chain from left to right, upper chain back (Andrew 1979). */
static void box_outline(const struct shape *s, const struct camera *cam, struct outline *out)
{
  struct xy p[8], hull[17], centre = camera_project(cam, s->centre);
  for (int i = 0; i < 8; i++) {
    p[i] = centre;
    for (int k = 0; k < 3; k++) {
      struct xy e = project_column(cam, s->frame, k);
      double half = (i >> k & 1 ? 0.5 : -0.5) * s->size[k];
      p[i].x += half * e.x;
      p[i].y += half * e.y;
    }
  }
  qsort(p, 8, sizeof *p, by_x);
  double tiny = 1e-12 * (s->size[0] * s->size[0] + s->size[1] * s->size[1] + s->size[2] * s->size[2]);
  int n = 0;
  for (int i = 0; i < 8; hull[n++] = p[i++])
    while (n >= 2 && turn(hull[n - 2], hull[n - 1], p[i]) <= tiny) n--;
  for (int i = 6, lower = n + 1; i >= 0; hull[n++] = p[i--])
    while (n >= lower && turn(hull[n - 2], hull[n - 1], p[i]) <= tiny) n--;
  out->kind = OUTLINE_POLYGON;
  out->n = n - 1 < 8 ? n - 1 : 8; /* the last is the first again */
  for (int i = 0; i < out->n; i++) out->corners[i] = hull[i];
}

static void stadium_outline(const struct shape *s, const struct camera *cam, struct outline *out)
{
  out->kind = OUTLINE_STADIUM;
  out->a = camera_project(cam, s->from);
  out->b = camera_project(cam, s->to);
  out->radius_a = out->radius_b = s->kind == SHAPE_CAPSULE ? 0.5 * s->size[0] : 0.0;
}

void outline_of(const struct shape *s, const struct camera *cam, struct outline *out)
{
  *out = (struct outline){0};
  if (s->kind == SHAPE_ELLIPSOID)
    ellipsoid_outline(s, cam, out);
  else if (s->kind == SHAPE_BOX)
    box_outline(s, cam, out);
  else
    stadium_outline(s, cam, out);
  double middle[3];
  for (int k = 0; k < 3; k++)
    middle[k] = s->kind == SHAPE_BOX || s->kind == SHAPE_ELLIPSOID ? s->centre[k] : 0.5 * (s->from[k] + s->to[k]);
  out->depth = camera_depth(cam, middle);
}

/* ---- extents ---- */

struct rect rect_union(struct rect a, struct rect b)
{
  double x = fmin(a.x, b.x), y = fmin(a.y, b.y);
  return (struct rect){x, y, fmax(a.x + a.w, b.x + b.w) - x, fmax(a.y + a.h, b.y + b.h) - y};
}

static struct rect disc_extent(struct xy c, double r) { return (struct rect){c.x - r, c.y - r, 2.0 * r, 2.0 * r}; }

struct rect outline_extent(const struct outline *o)
{
  if (o->kind == OUTLINE_STADIUM) return rect_union(disc_extent(o->a, o->radius_a), disc_extent(o->b, o->radius_b));
  if (o->kind == OUTLINE_ELLIPSE) {
    const struct ellipse *e = &o->ellipse;
    double c = cos(e->angle), s = sin(e->angle), w = hypot(e->a * c, e->b * s), h = hypot(e->a * s, e->b * c);
    return (struct rect){e->x - w, e->y - h, 2.0 * w, 2.0 * h};
  }
  struct rect r = disc_extent(o->corners[0], 0.0);
  for (int i = 1; i < o->n; i++) r = rect_union(r, disc_extent(o->corners[i], 0.0));
  return r;
}
