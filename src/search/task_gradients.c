/* From the distribution of what is asked to task gradients along a clip. */
#include "search/task_gradients.h"

#include <math.h>
#include <string.h>

#include "base/angle.h"

/* ---- what is asked ---- */

/* Sums a distribution over the grid into one of parameter p alone. */
static void marginal(const struct task *t, const double *mass, int p, double *out)
{
  size_t grid = task_points(t), inner = 1, n = (size_t)t->parameters[p].n;
  for (int i = p + 1; i < t->n_parameters; i++)
    inner *= (size_t)t->parameters[i].n;
  memset(out, 0, n * sizeof *out);
  for (size_t k = 0; k < grid; k++)
    out[k / inner % n] += mass[k];
}

/* A frame later. */
static void advance(const struct decision_parameter *p, double *mass, double *next)
{
  size_t n = (size_t)p->n;
  memset(next, 0, n * sizeof *next);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n && mass[i] > 0; j++)
      next[j] += mass[i] * p->chain[i * n + j];
  memcpy(mass, next, n * sizeof *mass);
}

/* ---- the parabola that is most like what is asked ---- */

/* What doing x costs, expected over what is asked. */
struct demand {
  const struct task_parameter *p;
  const double *mass;           /* (p->n) */
  double *costs;                /* room (p->n) */
};

static double expected(const struct demand *d, const struct frame_features *f)
{
  double sum = 0;
  task_costs(d->p, f, d->costs);
  for (int i = 0; i < d->p->n; i++)
    sum += d->mass[i] * d->costs[i];
  return sum;
}

/* What doing x costs, whatever the frame does otherwise. */
static double cost_of_doing(const struct demand *d, double x)
{
  struct frame_features f = {.speed = 1, .counted_effort = 1};
  d->p->kind->set(d->p, x, &f);
  return expected(d, &f);
}

/* Least squares around the cheapest of the values that lie evenly between two: as wide as `reach`. */
static struct task_wish fit(const struct demand *d, double least, double most, double reach)
{
  enum { LOOKS = 72, SAMPLES = 16 };
  double best = INFINITY, at = least, above = 0, fourth = 0;
  for (int i = 0; i < LOOKS; i++) {
    double x = least + (most - least) * i / LOOKS, cost = cost_of_doing(d, x);
    if (cost < best)
      best = cost, at = x;
  }
  for (int i = -SAMPLES; i <= SAMPLES; i++) {
    double off = reach * i / SAMPLES, square = off * off;
    above += square * (cost_of_doing(d, at + off) - best);
    fourth += square * square;
  }
  return (struct task_wish){at, fmax(0, above / fourth)};
}

/* ---- gradients ---- */

/* Each parameter by itself: a circle within a quarter turn, an interval within its range; a category has none. */
static struct task_wishes wishes_at(const struct scene *s, double *const *mass, double *room)
{
  struct task_wishes w = {0};
  for (int i = 0; i < s->task->n_parameters; i++) {
    const struct task_parameter *p = &s->task->parameters[i];
    struct demand d = {p, mass[i], room};
    if (p->kind->wish)
      p->kind->wish(p, p->kind->space == TASK_CIRCLE ? fit(&d, -PI, PI, 0.5 * PI)
                                                     : fit(&d, p->least, p->most, 0.5 * (p->most - p->least)), &w);
  }
  return w;
}

static double nearest_to(double angle, double about)
{
  return about + task_wrap(angle - about);
}

/* f: what the clip was imagined to do there. */
static struct task_gradient gradient_at(const struct scene *s, double *const *mass, const struct frame_features *f,
                                double heading, double *room)
{
  struct task_wishes w = wishes_at(s, mass, room);
  struct task_wish direction = w.travel, torso = w.torso, speed = w.speed;
  double v = speed.weight > 0 ? speed.at : f->speed, way = direction.weight > 0 ? direction.at : f->direction;
  struct task_gradient gradient = {.velocity = {v * cos(way), v * sin(way)}, .torso_weight = torso.weight};
  gradient.velocity_weight = direction.weight / fmax(1e-6, v * v) + speed.weight;
  if (direction.weight > 0 && speed.weight > 0)
    gradient.velocity_weight *= 0.5; /* each acts across one of two axes */
  gradient.torso = nearest_to(torso.at, heading);
  for (int i = 0; i < s->task->n_parameters; i++) {
    const struct task_parameter *p = &s->task->parameters[i];
    if (p->measure < 0 || !p->kind->target)
      continue;
    struct posture_target x = p->kind->target(p, w.measured[p->measure].at);
    x.weight = w.measured[p->measure].weight;
    gradient.targets[gradient.n_targets++] = x; /* as many in all of them, some of no weight */
  }
  return gradient;
}

void task_gradients_along(struct arena *scratch, const struct scene *s, double *const *asked,
                          const struct frame_features *f, int length, double turn, struct task_gradient *out)
{
  const struct decision_parameter *chains = s->controller->process->parameters;
  int P = s->task->n_parameters, most = 0, t = 0;
  for (int p = 0; p < P; p++)
    most = chains[p].n > most ? chains[p].n : most;
  double *room = ARENA_NEW(scratch, (size_t)most, double);
  for (int i = 0; i < TASK_GRADIENTS; i++) {
    int until = (int)lround((double)i * (length - 1) / (TASK_GRADIENTS - 1));
    for (; t < until; t++)
      for (int p = 0; p < P; p++)
        advance(&chains[p], asked[p], room);
    double along = (double)i / (TASK_GRADIENTS - 1);
    out[i] = gradient_at(s, asked, &f[until], turn * along * along * (3 - 2 * along), room);
  }
}

int task_gradients_of(struct arena *scratch, const struct scene *s, const struct candidate *x,
                      struct task_gradient *out)
{
  int P = s->task->n_parameters;
  struct imagined o;
  if (x->kind != CANDIDATE_TRANSITION || !predicted_gain_imagine(scratch, s, x, 0, &o))
    return 0;
  double *all = ARENA_NEW(scratch, s->controller->grid, double), **asked = ARENA_NEW(scratch, (size_t)P, double *);
  if (!(predicted_gain_demand(scratch, s, &o, 0, all) > 0))
    return 0;
  for (int p = 0; p < P; p++) {
    asked[p] = ARENA_NEW(scratch, (size_t)s->task->parameters[p].n, double);
    marginal(s->task, all, p, asked[p]);
  }
  task_gradients_along(scratch, s, asked, o.ways[0].features, o.ways[0].length, o.ways[0].turn, out);
  return TASK_GRADIENTS;
}
