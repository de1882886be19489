/* Balance of a clip. See gaits/balance.h. */
#include "gaits/balance.h"

#include <math.h>

#include "dynamics/dynamics.h"
#include "gaits/legs.h"

/* Leg lengths: a centre of mass so far inside the support polygon is safe, at its border it is not; linear between. */
#define SAFE_MARGIN 0.05

/* Most that the variance of errors may grow by between two touch-downs: of what stands in one place for long. */
#define MOST_GROWTH 1e6

struct balance {
  const struct creature *c;
  const struct clip *clip;
  const struct legs *legs;
  struct dynamics *d;
  double length;
  double *q, *v, *a, *points, *hull; /* of a frame */
};

/* 1: nothing but the force of the ground keeps it from falling, 0: it stands over its feet. */
static double balance_lack(const struct balance *b, const double *com, int n_points)
{
  double margin = dynamics_support_margin(dynamics_support_polygon(n_points, b->points, b->hull), b->hull, com);
  return fmin(1, fmax(0, 1 - margin / (SAFE_MARGIN * b->length)));
}

/* How fast errors grow at a frame [1/s]. */
static double balance_rate(const struct balance *b, int k)
{
  const struct creature *c = b->c;
  struct dynamics_whole whole;
  double force = 0;
  int n = 0;
  clip_state(b->clip, k, b->q, b->v, b->a);
  dynamics_whole(b->d, b->q, b->v, b->a, &whole);
  for (int i = 0; i < c->n_points; i++) {
    int at = k * c->n_points + i;
    double x[3];
    if (!b->clip->contact[at])
      continue;
    dynamics_point(b->d, c->points[i].body, c->points[i].at, x);
    b->points[2 * n] = x[0], b->points[2 * n + 1] = x[1];
    force += b->clip->force[3 * at + 2];
    n++;
  }
  return n ? balance_lack(b, whole.com, n) * sqrt(fmax(0, force) / (c->mass * b->length)) : 0;
}

/* Does a leg come down at frame k? */
static int balance_is_caught(const struct balance *b, int k)
{
  int before = (k + b->clip->n_frames - 1) % b->clip->n_frames, n = b->c->n_points;
  for (int leg = 0; leg < b->legs->n; leg++) {
    int was = 0, is = 0;
    for (int i = 0; i < n; i++)
      if (b->legs->of_point[i] == leg)
        was |= b->clip->contact[before * n + i], is |= b->clip->contact[k * n + i];
    if (is && !was)
      return 1;
  }
  return 0;
}

static double balance_growth(double exponent) { return fmin(MOST_GROWTH, expm1(2 * exponent) / 2); }

double balance_fall(struct arena *arena, const struct creature *c, const struct clip *clip, double length)
{
  size_t n = (size_t)c->n_dofs, points = 2 * (size_t)c->n_points + 2;
  struct balance b = {c, clip, legs_of(arena, c), dynamics_new(arena, c), length,
                      ARENA_NEW(arena, n, double), ARENA_NEW(arena, n, double), ARENA_NEW(arena, n, double),
                      ARENA_NEW(arena, points, double), ARENA_NEW(arena, points, double)};
  double exponent = 0, sum = 0, unit = sqrt(length / CREATURE_GRAVITY);
  int first = 0;
  if (!b.legs)
    return 0;
  while (first + 1 < clip->n_frames && !balance_is_caught(&b, first))
    first++;
  for (int i = 0; i < clip->n_frames; i++) {
    int k = (first + i) % clip->n_frames;
    if (balance_is_caught(&b, k))
      sum += balance_growth(exponent), exponent = 0;
    exponent += balance_rate(&b, k) * clip->dt;
  }
  sum += balance_growth(exponent);
  return sum / (clip->n_frames * clip->dt / unit);
}
