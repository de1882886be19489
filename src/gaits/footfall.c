/* From footfalls to gaits. See gaits/footfall.h. */
#include "gaits/footfall.h"

#include <math.h>

static double footfall_round(double x)
{
  double unit = pow(10, FOOTFALL_DIGITS);
  return round(x * unit) / unit;
}

/* from in [0, 1), until in (0, 1]; all of the cycle is {0, 1}. */
static struct interval footfall_interval(double from, double length)
{
  if (footfall_round(length) >= 1)
    return (struct interval){0, 1};
  double a = footfall_round(from - floor(from)), b = footfall_round(from + length - floor(from + length));
  return (struct interval){a >= 1 ? 0 : a, b <= 0 ? 1 : b};
}

struct gait footfall_gait(struct arena *arena, const struct creature *c, const struct legs *legs,
                          const struct footfall *f, const char *name, double speed)
{
  size_t n = (size_t)c->n_points;
  int *n_intervals = ARENA_NEW(arena, n, int);
  const struct interval **on = ARENA_NEW(arena, n, const struct interval *);
  for (int p = 0; p < c->n_points; p++) {
    int l = legs->of_point[p];
    struct interval *i = ARENA_NEW(arena, 1, struct interval);
    double share = legs->along[p], from = 0, until = 1;
    on[p] = i;
    if (legs->leg[l].rolls) {
      from = f->heel_off > 0 ? share * f->toe_down : 0;
      until = f->heel_off > 0 ? f->heel_off + share * (1 - f->heel_off) : 1;
      if (!(f->heel_off > 0) && share < 0.5)
        continue;
    }
    n_intervals[p] = 1;
    *i = footfall_interval(f->touch[l] + from * f->duty[l], (until - from) * f->duty[l]);
  }
  return (struct gait){.name = name, .period_slow = f->period, .period_fast = f->period, .speed_min = speed,
                       .speed_max = speed, .right_lag = 0.5, .n_intervals = n_intervals, .on = on};
}

/* Rounded to four digits in all; up: 1 upwards, -1 downwards, 0 to the nearest. */
static double footfall_digits(double x, int up)
{
  double unit = pow(10, 3 - floor(log10(x))), y = x * unit; /* y has four digits before its point */
  double whole = up > 0 ? ceil(y - 1e-6) : up < 0 ? floor(y + 1e-6) : round(y);
  return unit >= 1 ? whole / unit : whole * (1 / unit);
}

void footfall_tidy(struct gait *g)
{
  g->period_slow = footfall_digits(g->period_slow, 0);
  g->period_fast = footfall_digits(g->period_fast, 0);
  g->speed_min = footfall_digits(g->speed_min, -1);
  g->speed_max = footfall_digits(g->speed_max, 1);
}

const struct creature *footfall_creature(struct arena *arena, const struct creature *c, const struct gait *gaits,
                                         int n_gaits)
{
  struct creature *copy = ARENA_NEW(arena, 1, struct creature);
  *copy = *c;
  copy->gaits = gaits;
  copy->n_gaits = copy->n_motions = n_gaits; /* nothing built in: it has what is searched, no more */
  copy->n_open = 0;
  return copy;
}

double footfall_reach(const struct legs *legs, const struct footfall *f, double speed)
{
  double most = 0;
  for (int l = 0; l < legs->n; l++)
    most = fmax(most, speed * f->period * f->duty[l] / legs->leg[l].length);
  return most;
}
