/* The drawing kit: markers, views to scale, scale bars, grids, legends. See plots/kit.h. */
#include "base/angle.h"
#include "plots/kit.h"

#include <math.h>
#include <stdio.h>

/* ---- markers ---- */

/* The engineers' sign of a centre of mass: a disc of quarters, black and white. */
static void mass_marker(struct canvas *cv, struct xy at, double r, struct colour c)
{
  struct fill light = fill_flat(colour_rgb(0xffffff)), dark = fill_flat(c);
  path_arc(cv, at, r, 0.0, 2.0 * PI);
  canvas_paint(cv, &light, NULL);
  for (int quarter = 0; quarter < 2; quarter++) {
    path_move(cv, at.x, at.y);
    path_arc(cv, at, r, quarter * PI, (quarter + 0.5) * PI);
    path_close(cv);
  }
  canvas_paint(cv, &dark, NULL);
  path_arc(cv, at, r, 0.0, 2.0 * PI);
  canvas_paint(cv, NULL, &(struct pen){.colour = c, .width = fmax(0.6, 0.22 * r)});
}

static void polygon_marker(struct canvas *cv, struct xy at, double r, int n, double first)
{
  struct xy p[8];
  for (int i = 0; i < n; i++) {
    double angle = first + 2.0 * PI * i / n;
    p[i] = (struct xy){at.x + r * cos(angle), at.y + r * sin(angle)};
  }
  path_polygon(cv, n, p);
}

void marker_draw(struct canvas *cv, enum marker kind, struct xy at, double radius, struct colour c)
{
  struct fill fill = fill_flat(c);
  struct pen pen = {.colour = c, .width = fmax(0.7, 0.3 * radius)};
  double r = radius;
  switch (kind) {
  case MARKER_DOT:
    path_arc(cv, at, r, 0.0, 2.0 * PI);
    break;
  case MARKER_RING:
    path_arc(cv, at, r, 0.0, 2.0 * PI);
    canvas_paint(cv, NULL, &pen);
    return;
  case MARKER_SQUARE:
    polygon_marker(cv, at, 1.25 * r, 4, PI / 4.0);
    break;
  case MARKER_DIAMOND:
    polygon_marker(cv, at, 1.25 * r, 4, 0.0);
    break;
  case MARKER_TRIANGLE:
    polygon_marker(cv, at, 1.3 * r, 3, -PI / 2.0);
    break;
  case MARKER_CROSS:
    path_move(cv, at.x - r, at.y - r);
    path_line(cv, at.x + r, at.y + r);
    path_move(cv, at.x - r, at.y + r);
    path_line(cv, at.x + r, at.y - r);
    canvas_paint(cv, NULL, &pen);
    return;
  case MARKER_MASS:
    mass_marker(cv, at, r, c);
    return;
  }
  canvas_paint(cv, &fill, NULL);
}

/* ---- views to scale ---- */

struct xy to_scale_map(const struct to_scale *t, double u, double v)
{
  return (struct xy){t->x0 + t->scale * u, t->y0 - t->scale * v};
}

struct to_scale to_scale_fit(struct rect world, struct rect page, double most)
{
  double scale = most > 0.0 ? most : INFINITY;
  if (world.w > 0.0) scale = fmin(scale, page.w / world.w);
  if (world.h > 0.0) scale = fmin(scale, page.h / world.h);
  if (!isfinite(scale)) scale = 1.0;
  return (struct to_scale){.x0 = page.x + 0.5 * page.w - scale * (world.x + 0.5 * world.w),
                           .y0 = page.y + page.h + scale * world.y, .scale = scale};
}

/* The largest of 1, 2, 5 times a power of ten that is not above x > 0. */
static double round_down(double x)
{
  static const double steps[] = {5.0, 2.0, 1.0, 0.5};
  double power = pow(10.0, floor(log10(x)));
  int i = 0;
  while (i < 3 && steps[i] * power > x * (1.0 + 1e-9)) i++;
  return steps[i] * power;
}

struct scale_bar scale_bar_choose(double points_per_metre, double width)
{
  struct scale_bar bar = {0};
  double most = width / points_per_metre;
  if (!(most > 0.0 && isfinite(most))) return bar;
  bar.length = round_down(most);
  static const struct { double metres; const char *name; } units[] = {
      {1e3, "km"}, {1.0, "m"}, {1e-2, "cm"}, {1e-3, "mm"}, {1e-6, "\xc2\xb5m"}};
  size_t i = 0;
  while (i < 4 && bar.length < 0.999 * units[i].metres) i++;
  snprintf(bar.label, sizeof bar.label, "%.9g %s", bar.length / units[i].metres, units[i].name);
  return bar;
}

double scale_bar_draw(struct canvas *cv, struct xy at, double width, double points_per_metre, const struct font *f)
{
  struct scale_bar bar = scale_bar_choose(points_per_metre, width);
  double length = bar.length * points_per_metre, end = 2.5, gap = 0.6 * f->size;
  if (!(length > 0.0)) return 0.0;
  struct pen pen = {.colour = f->colour, .width = 1.0};
  path_move(cv, at.x, at.y - end);
  path_line(cv, at.x, at.y + end);
  path_move(cv, at.x, at.y);
  path_line(cv, at.x + length, at.y);
  path_move(cv, at.x + length, at.y - end);
  path_line(cv, at.x + length, at.y + end);
  canvas_paint(cv, NULL, &pen);
  text_draw(cv, f, (struct xy){at.x + length + gap, at.y + 0.36 * f->size}, ALIGN_LEFT, bar.label);
  return length + gap + text_width(cv, f, bar.label);
}

void grid_draw(struct canvas *cv, struct rect area, struct xy origin, double step, const struct pen *pen)
{
  if (!(step > 1.0)) return; /* finer than can be seen */
  for (double k = ceil((area.x - origin.x) / step); origin.x + k * step <= area.x + area.w; k++) {
    path_move(cv, origin.x + k * step, area.y);
    path_line(cv, origin.x + k * step, area.y + area.h);
  }
  for (double k = ceil((area.y - origin.y) / step); origin.y + k * step <= area.y + area.h; k++) {
    path_move(cv, area.x, origin.y + k * step);
    path_line(cv, area.x + area.w, origin.y + k * step);
  }
  canvas_paint(cv, NULL, pen);
}

/* ---- arrows ---- */

/* Shaft and head of an arrow, grown on all sides. */
static void path_arrow(struct canvas *cv, const struct arrow *a, double grow)
{
  double dx = a->to.x - a->from.x, dy = a->to.y - a->from.y, length = hypot(dx, dy);
  double ux = dx / length, uy = dy / length, head = fmin(4.2 * a->width, 0.6 * length);
  double half = 0.5 * a->width + grow, wing = 0.45 * head + grow;
  double tip = length + 1.6 * grow, neck = length - head - grow;
  const struct xy outline[7] = {{-grow, half}, {neck, half}, {neck, wing}, {tip, 0.0},
                                {neck, -wing}, {neck, -half}, {-grow, -half}};
  struct xy p[7];
  for (int i = 0; i < 7; i++)
    p[i] = (struct xy){a->from.x + ux * outline[i].x - uy * outline[i].y,
                       a->from.y + uy * outline[i].x + ux * outline[i].y};
  path_polygon(cv, 7, p);
}

void arrow_draw(struct canvas *cv, const struct arrow *a)
{
  struct fill halo = fill_flat(a->halo), fill = fill_flat(a->colour);
  if (!(hypot(a->to.x - a->from.x, a->to.y - a->from.y) > 0.5)) return; /* NaN too */
  if (a->halo.a > 0.0) {
    path_arrow(cv, a, 0.7);
    canvas_paint(cv, &halo, NULL);
  }
  path_arrow(cv, a, 0.0);
  canvas_paint(cv, &fill, NULL);
}

/* ---- legends ---- */

static void legend_sign(struct canvas *cv, const struct legend_entry *e, struct xy at, double size)
{
  if (e->line) {
    struct pen pen = {.colour = e->colour, .width = 1.6, .dash = e->dash};
    canvas_line(cv, (struct xy){at.x - 0.8 * size, at.y}, (struct xy){at.x + 0.8 * size, at.y}, &pen);
  } else {
    marker_draw(cv, e->marker, at, e->marker == MARKER_MASS ? 0.42 * size : 0.32 * size, e->colour);
  }
}

double legend_draw(struct canvas *cv, const struct legend *l)
{
  double size = l->font.size, line_height = 1.6 * size, x = 0.0;
  int line = 0;
  for (int i = 0; i < l->n; i++) {
    const struct legend_entry *e = &l->entries[i];
    double sign = e->line ? 2.3 * size : 1.4 * size;
    double label = fmin(text_width(cv, &l->font, e->label), fmax(0.0, l->width - sign));
    if (x > 0.0 && x + sign + label > l->width) {
      x = 0.0;
      line++;
    }
    if (l->draw) {
      struct xy base = {l->at.x + x, l->at.y + line * line_height + 1.1 * size};
      legend_sign(cv, e, (struct xy){base.x + (e->line ? 0.8 : 0.45) * size, base.y - 0.36 * size}, size);
      text_fit(cv, &l->font, (struct xy){base.x + sign, base.y}, label + 0.1, ALIGN_LEFT, e->label);
    }
    x += sign + label + 1.6 * size;
  }
  return l->n > 0 ? (line + 1) * line_height : 0.0;
}
