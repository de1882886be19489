/* See footholds.h. */
#include "modal/footholds.h"

#include <math.h>

struct footholds *footholds_new(struct arena *arena, const struct creature *c, double step, double soonest)
{
  struct footholds *f = ARENA_NEW(arena, 1, struct footholds);
  f->legs = ARENA_NEW(arena, (size_t)c->n_feet + 1, struct footholds_leg);
  f->leg_of_point = ARENA_NEW(arena, (size_t)c->n_points + 1, int);
  f->held = ARENA_NEW(arena, (size_t)c->n_points + 1, int);
  f->step = step;
  f->soonest = soonest;
  f->pace = 1;
  for (int p = 0; p < c->n_points; p++) {
    int limb = c->feet[c->points[p].foot].first_leg_limb, k = 0;
    while (k < f->n_legs && f->legs[k].limb != limb)
      k++;
    if (k == f->n_legs)
      f->legs[f->n_legs++].limb = limb;
    f->leg_of_point[p] = k;
  }
  return f;
}

/* Least acceleration (over time, squared) that arrives at the goal at rest. */
static void footholds_move(const struct footholds *f, struct footholds_leg *l)
{
  double h = f->step, t = fmax(l->left, f->soonest * h);
  for (int i = 0; i < 3; i++) {
    l->rate[i] += h * (6 * (l->goal[i] - l->offset[i]) / (t * t) - 4 * l->rate[i] / t);
    l->offset[i] += h * l->rate[i];
  }
  l->left = fmax(0, l->left - h);
}

void footholds_ahead(const struct footholds *f, int leg, int k, double offset[3])
{
  struct footholds_leg l = f->legs[leg];
  double away = l.stands ? k * f->step : 0;
  for (int i = 0; i < 3 && k < 0; i++) /* it came with the rate that it has now */
    l.offset[i] += k * f->step * l.rate[i];
  for (; k > 0; k--)
    footholds_move(f, &l);
  offset[0] = l.offset[0] - away * f->drift[0];
  offset[1] = l.offset[1] - away * f->drift[1];
  offset[2] = l.offset[2];
}

void footholds_lane(const struct footholds *f, int k, double lane[2])
{
  for (int a = 0; a < 2; a++)
    lane[a] = f->lane[a] + k * f->step * f->drift[a];
}

void footholds_advance(struct footholds *f)
{
  for (int k = 0; k < f->n_legs; k++) {
    footholds_move(f, &f->legs[k]);
    for (int a = 0; a < 2 && f->legs[k].stands; a++)
      f->legs[k].offset[a] -= f->step * f->drift[a];
  }
  footholds_lane(f, 1, f->lane);
  for (int a = 0; a < 2; a++)
    f->drifted[a] += f->step * f->drift[a];
}

/* ---- as bytes ---- */

static const struct bytes_field leg_fields[] = {
  BYTES_REALS(struct footholds_leg, offset), BYTES_REALS(struct footholds_leg, rate),
  BYTES_REALS(struct footholds_leg, goal), BYTES_REALS(struct footholds_leg, left),
  BYTES_INTS(struct footholds_leg, stands), BYTES_REALS(struct footholds_leg, foothold),
  BYTES_INTS(struct footholds_leg, swings), BYTES_INTS(struct footholds_leg, lets_go), BYTES_END};
static const struct bytes_field fields[] = {
  BYTES_REALS(struct footholds, lane), BYTES_REALS(struct footholds, led),
  BYTES_REALS(struct footholds, ahead), BYTES_REALS(struct footholds, pace),
  BYTES_REALS(struct footholds, drift), BYTES_REALS(struct footholds, drifted), BYTES_END};

void footholds_put(struct bytes_writer *w, const struct footholds *f, int n_points)
{
  bytes_put_fields(w, fields, f);
  for (int k = 0; k < f->n_legs; k++)
    bytes_put_fields(w, leg_fields, &f->legs[k]);
  bytes_put_ints(w, f->held, (size_t)n_points);
}

void footholds_get(struct bytes_reader *r, struct footholds *f, int n_points)
{
  bytes_get_fields(r, fields, f);
  for (int k = 0; k < f->n_legs; k++)
    bytes_get_fields(r, leg_fields, &f->legs[k]);
  for (int p = 0; p < n_points; p++)
    f->held[p] = bytes_get_int(r);
}
