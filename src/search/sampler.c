/* The guided, the even and the random sampler. */
#include "search/sampler.h"

#include <math.h>
#include <string.h>

#define DRAWS 96        /* points that compete to be the next                                                     */
#define NEAR_BEST 32    /* of these, drawn around the cheapest points                                             */
#define LEAST_SQUARE 1e-9
#define LIFT 4          /* ranges of costs by which even the cheapest is above 0: the more, the farther it looks  */

struct sampler {
  struct arena *arena;
  enum sampler_strategy strategy;
  int n_parameters;
  struct sampler_parameter *parameters;
  int n, room;
  double *points;               /* (n x n_parameters)                                    */
  double *cost;                 /* NaN while it is not known                 (n)         */
};

struct sampler *sampler_new(struct arena *arena, int n_parameters, const struct sampler_parameter *parameters,
                            enum sampler_strategy strategy)
{
  struct sampler *s = ARENA_NEW(arena, 1, struct sampler);
  *s = (struct sampler){.arena = arena, .strategy = strategy, .n_parameters = n_parameters};
  s->parameters = ARENA_NEW(arena, (size_t)n_parameters + 1, struct sampler_parameter);
  if (n_parameters > 0)
    memcpy(s->parameters, parameters, (size_t)n_parameters * sizeof *parameters);
  return s;
}

static double *point(const struct sampler *s, int i)
{
  return s->points + (size_t)i * (size_t)s->n_parameters;
}

static double distance2(const struct sampler *s, const double *x, const double *y)
{
  double sum = 0;
  for (int i = 0; i < s->n_parameters; i++) {
    const struct sampler_parameter *p = &s->parameters[i];
    double d = x[i] - y[i];
    if (p->space == SAMPLER_CATEGORY)
      sum += d == 0 ? 0 : 1;
    else
      sum += p->space == SAMPLER_CIRCLE ? 2 - 2 * cos(d) : d / p->unit * (d / p->unit);
  }
  return sum;
}

/* ---- what is known ---- */

static void add(struct sampler *s, const double *x, double cost)
{
  size_t width = (size_t)s->n_parameters;
  if (s->n == s->room) {
    int room = s->room ? 2 * s->room : 64;
    double *points = ARENA_NEW(s->arena, (size_t)room * width + 1, double);
    double *costs = ARENA_NEW(s->arena, (size_t)room, double);
    if (s->n) {
      memcpy(points, s->points, (size_t)s->n * width * sizeof *points);
      memcpy(costs, s->cost, (size_t)s->n * sizeof *costs);
    }
    s->points = points, s->cost = costs, s->room = room;
  }
  memcpy(point(s, s->n), x, width * sizeof *x);
  s->cost[s->n++] = cost;
}

void sampler_report(struct sampler *s, const double *parameters, double cost)
{
  double known = isfinite(cost) ? cost : INFINITY;
  for (int i = 0; i < s->n; i++)
    if (isnan(s->cost[i]) && memcmp(point(s, i), parameters, (size_t)s->n_parameters * sizeof *parameters) == 0) {
      s->cost[i] = known;
      return;
    }
  add(s, parameters, known);
}

void sampler_clear(struct sampler *s)
{
  s->n = 0;
}

/* ---- the guided sampler's measure, equation 18 ---- */

struct range { double least, most; };

static struct range cost_range(const struct sampler *s)
{
  struct range r = {INFINITY, -INFINITY};
  for (int i = 0; i < s->n; i++)
    if (isfinite(s->cost[i]))
      r = (struct range){fmin(r.least, s->cost[i]), fmax(r.most, s->cost[i])};
  return r.least <= r.most ? r : (struct range){0, 0};
}

static double promise(const struct sampler *s, struct range r, const double *x)
{
  double sum = 0, weights = 0, lift = r.most > r.least ? LIFT * (r.most - r.least) : 1;
  for (int i = 0; i < s->n; i++) {
    double d2 = fmax(distance2(s, x, point(s, i)), LEAST_SQUARE), cost = isfinite(s->cost[i]) ? s->cost[i] : r.most;
    double w = s->strategy == SAMPLER_LOCAL ? 1 / (d2 * d2) : 1 / d2;
    sum += w * (cost - r.least + lift);
    weights += w;
  }
  return sum / (weights + 1);
}

double sampler_promise(const struct sampler *s, const double *parameters)
{
  return promise(s, cost_range(s), parameters);
}

/* The other way round for the even sampler: the nearest point should be far. */
static double crowding(const struct sampler *s, const double *x)
{
  double nearest = INFINITY;
  for (int i = 0; i < s->n; i++)
    nearest = fmin(nearest, distance2(s, x, point(s, i)));
  return -nearest;
}

/* ---- drawing ---- */

static void draw(const struct sampler *s, struct rng *rng, double *x)
{
  for (int i = 0; i < s->n_parameters; i++) {
    const struct sampler_parameter *p = &s->parameters[i];
    x[i] = p->space == SAMPLER_CATEGORY ? rng_below(rng, p->n) : rng_uniform(rng, p->least, p->most);
  }
}

/* Near a point: numbers move by about an eighth of their range, one category in three is drawn anew. */
static void draw_near(const struct sampler *s, struct rng *rng, const double *centre, double *x)
{
  draw(s, rng, x);
  for (int i = 0; i < s->n_parameters; i++) {
    const struct sampler_parameter *p = &s->parameters[i];
    double wide = p->most - p->least, moved = centre[i] + 0.125 * wide * rng_normal(rng);
    if (p->space == SAMPLER_CATEGORY)
      x[i] = rng_below(rng, 3) ? centre[i] : x[i];
    else
      x[i] = moved < p->least || moved > p->most ? x[i] : moved;
  }
}

static int is_guided(const struct sampler *s)
{
  return s->strategy == SAMPLER_GUIDED || s->strategy == SAMPLER_LOCAL;
}

static int cheapest(const struct sampler *s)
{
  int best = -1;
  for (int i = 0; i < s->n; i++)
    if (isfinite(s->cost[i]) && (best < 0 || s->cost[i] < s->cost[best]))
      best = i;
  return best;
}

void sampler_next(struct sampler *s, struct rng *rng, double *out)
{
  size_t width = (size_t)s->n_parameters;
  int draws = s->strategy == SAMPLER_RANDOM ? 1 : DRAWS, best = cheapest(s);
  struct arena *scratch = arena_new();
  double *x = ARENA_NEW(scratch, width + 1, double), least = INFINITY;
  struct range r = cost_range(s);
  for (int i = 0; i < draws; i++) {
    if (is_guided(s) && best >= 0 && i < NEAR_BEST)
      draw_near(s, rng, point(s, best), x);
    else
      draw(s, rng, x);
    double value = is_guided(s) ? promise(s, r, x) : crowding(s, x);
    if (i == 0 || value < least)
      least = value, memcpy(out, x, width * sizeof *x);
  }
  arena_free(scratch);
  add(s, out, NAN);
}
