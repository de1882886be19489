/* The ground: a height for every place, with a normal. Smooth enough that a foot finds one way up everywhere: risers
 * and flanks are steep ramps, not walls (doc/physics.md, "Ground"). */
#include <math.h>

#include "base/rng.h"
#include "physics/world.h"

/* From 0 to 1 as x goes from 0 to 1, flat at both ends, and its slope. */
static double ramp(double x, double *slope)
{
  if (x <= 0 || x >= 1) {
    *slope = 0;
    return x <= 0 ? 0 : 1;
  }
  *slope = 6 * x * (1 - x);
  return x * x * (3 - 2 * x);
}

/* Horizontal length of a ramp of this height: as long as it is high, if there is room. */
static double ramp_length(const struct terrain *t)
{
  return fmax(fmin(fabs(t->size), t->spacing / 4), 1e-9 * t->spacing);
}

/* Stairs from x = spacing on, each step `spacing` deep; risers end where the tread begins. */
static double steps(const struct terrain *t, double x, double *slope)
{
  double n = fmax(0, floor(x / t->spacing)), length = ramp_length(t);
  double rise = ramp((x - (n + 1) * t->spacing + length) / length, slope);
  *slope *= t->size / length;
  return t->size * (n + rise);
}

/* Beams across the way, one every `spacing` from x = spacing on, a tenth of that wide on top. */
static double beams(const struct terrain *t, double x, double *slope)
{
  double length = ramp_length(t), half = t->spacing / 20, n = fmax(1, rint(x / t->spacing));
  double away = x - n * t->spacing;
  double rise = ramp((half + length - fabs(away)) / length, slope);
  *slope *= (away > 0 ? -1 : 1) * t->size / length;
  return t->size * rise;
}

/* Of random place, width and height; it stays inside its cell. */
struct terrain_pebble terrain_pebble(const struct terrain *t, double i, double j)
{
  struct rng r = rng_stream(t->seed, (uint64_t)(int64_t)i * 0x9e3779b97f4a7c15u ^ (uint64_t)(int64_t)j);
  struct terrain_pebble p = {.radius = rng_uniform(&r, 0.2, 0.5) * t->spacing};
  double room = t->spacing - 2 * p.radius;
  p.x = i * t->spacing + p.radius + room * rng_uniform(&r, 0, 1);
  p.y = j * t->spacing + p.radius + room * rng_uniform(&r, 0, 1);
  p.height = rng_uniform(&r, 0, t->size);
  return p;
}

/* One in each cell of a grid: humps, flat at their edges and on top. */
static double pebbles(const struct terrain *t, double x, double y, double *slope)
{
  double i = floor(x / t->spacing), j = floor(y / t->spacing);
  slope[0] = slope[1] = 0;
  if (!(fabs(i) < 1e15 && fabs(j) < 1e15)) /* beyond, and for what is not a number, there are no cells */
    return 0;
  struct terrain_pebble p = terrain_pebble(t, i, j);
  double u = x - p.x, v = y - p.y, square = p.radius * p.radius, inside = 1 - (u * u + v * v) / square;
  if (!(inside > 0))
    return 0;
  slope[0] = -4 * p.height * inside * u / square;
  slope[1] = -4 * p.height * inside * v / square;
  return p.height * inside * inside;
}

int terrain_of_surface(const struct surface *s, struct terrain *out)
{
  *out = (struct terrain){.kind = TERRAIN_FLAT, .seed = 1};
  if (!surface_is_level(s))
    out->kind = TERRAIN_SLOPE, out->size = atan(s->rise[0]);
  return s->rise[1] == 0;
}

double terrain_height(const struct terrain *t, double x, double y, double *normal)
{
  double slope[2] = {0, 0}, z = 0;
  if (t->kind == TERRAIN_SLOPE)
    slope[0] = tan(t->size), z = x * slope[0];
  else if (t->kind == TERRAIN_STEPS)
    z = steps(t, x, slope);
  else if (t->kind == TERRAIN_BEAMS)
    z = beams(t, x, slope);
  else if (t->kind == TERRAIN_PEBBLES)
    z = pebbles(t, x, y, slope);
  if (normal) {
    double length = sqrt(1 + slope[0] * slope[0] + slope[1] * slope[1]);
    normal[0] = -slope[0] / length, normal[1] = -slope[1] / length, normal[2] = 1 / length;
  }
  return t->level + z;
}
