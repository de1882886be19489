/* Which finds to add. */
#include "search/adding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "search/net.h"
#include "search/outlook.h"

#define WEIGHED    8             /* finds that are weighed exactly in a step, the most promising first             */
/* Added too are those that gain this share of what the best one gains, on top of it. One by one a graph becomes better
 * for its size; with several parameters there is so much to add, and a step takes so long, that this would cost more. */
#define ALSO_ADDED_OF_ONE 1.0
#define ALSO_ADDED        0.3
#define LARGE_GRID 500           /* points: finds are ranked on a coarse one                                       */
#define FIRST_STAND_IN 1900000000 /* ids of mirror images that are not kept yet                                    */

struct rank { int find; double gain; };

static int compare_ranks(const void *left, const void *right)
{
  const struct rank *a = left, *b = right;
  return a->gain != b->gain ? (a->gain < b->gain) - (a->gain > b->gain) : (a->find > b->find) - (a->find < b->find);
}

static double known_effort(void *user, const struct scene *s, const struct candidate *x)
{
  (void)s, (void)x;
  return ((const struct find *)user)->log_effort;
}

/* What a find would gain by a first look, with the effort that it turned out to have. */
static double promise(struct scene *s, const struct find *f)
{
  struct arena *scratch = arena_new();
  struct outlook o;
  s->log_effort = known_effort;
  s->user = (void *)f;
  double gain = !outlook_of(scratch, s, &f->candidate, 0, &o)
                    ? -INFINITY
                    : outlook_gain(scratch, s, &o, s->controller->grid > LARGE_GRID ? OUTLOOK_COARSE : OUTLOOK_FINE);
  arena_free(scratch);
  return gain;
}

static double cost_with(const struct scene *s, const struct addition *a, struct find *f)
{
  struct arena *scratch = arena_new();
  struct find *finds[ADDING_MOST + 1];
  struct diag d;
  memcpy(finds, a->finds, (size_t)a->n * sizeof *finds);
  finds[a->n] = f;
  diag_init(&d);
  double cost = find_cost(scratch, s, finds, a->n + 1, &d);
  diag_clear(&d);
  arena_free(scratch);
  return cost;
}

static void take(struct addition *a, struct find *f, double cost)
{
  a->finds[a->n++] = f;
  a->cost = cost;
}

static int clips_of(const struct addition *a)
{
  int n = 0;
  for (int i = 0; i < a->n; i++)
    n += a->finds[i]->n_clips;
  return n;
}

static int is_full(const struct adding_input *in, const struct addition *a)
{
  return a->n == ADDING_MOST || clips_of(a) >= in->clips;
}

static void add_all(const struct adding_input *in, struct addition *a)
{
  for (int i = in->first; i < in->n_finds && !is_full(in, a); i++) {
    double cost = cost_with(in->s, a, &in->finds[i]);
    if (isfinite(cost))
      take(a, &in->finds[i], fmin(cost, a->cost));
  }
}

/* Another find that is added already may answer the same step. */
static int is_investment(const struct adding_input *in, const struct addition *a, const struct find *f)
{
  struct arena *scratch = arena_new();
  const struct candidate *x = &f->candidate;
  int invest = x->kind == CANDIDATE_CYCLE || net_lacks(scratch, in->s, x);
  for (int i = 0; i < a->n; i++) {
    const struct candidate *other = &a->finds[i]->candidate;
    invest &= x->kind != CANDIDATE_TRANSITION || other->kind != x->kind || other->from_clip != x->from_clip ||
              other->to_clip != x->to_clip || fabs(other->turn - x->turn) > 0.1;
  }
  arena_free(scratch);
  return invest;
}

/* Cycles and answers to small steps, as soon as they are solved: they were chosen for what they will be good for. */
static void add_investments(const struct adding_input *in, struct addition *a)
{
  for (int i = 0; i < in->n_finds && !is_full(in, a); i++) {
    struct find *f = &in->finds[i];
    double cost = !f->in_graph && is_investment(in, a, f) ? cost_with(in->s, a, f) : INFINITY;
    if (isfinite(cost))
      take(a, f, fmin(cost, a->cost));
  }
}

static int is_taken(const struct addition *a, const struct find *f)
{
  for (int i = 0; i < a->n; i++)
    if (a->finds[i] == f)
      return 1;
  return 0;
}

/* The find that lowers the cost most, and those that lower it almost as much on top of it. */
static void add_best(struct arena *arena, const struct adding_input *in, struct addition *a)
{
  struct rank *ranks = ARENA_NEW(arena, (size_t)in->n_finds + 1, struct rank);
  double before = a->cost, first_gain = 0, share = in->s->task->n_parameters > 1 ? ALSO_ADDED : ALSO_ADDED_OF_ONE;
  int n = 0;
  for (int i = 0; i < in->n_finds; i++)
    if (!in->finds[i].in_graph && !is_taken(a, &in->finds[i]) && in->finds[i].candidate.kind == CANDIDATE_TRANSITION)
      ranks[n++] = (struct rank){i, promise(in->s, &in->finds[i])};
  qsort(ranks, (size_t)n, sizeof *ranks, compare_ranks);
  n = n < WEIGHED ? n : WEIGHED;
  for (int i = 0; i < n; i++)
    ranks[i].gain = before - cost_with(in->s, a, &in->finds[ranks[i].find]);
  qsort(ranks, (size_t)n, sizeof *ranks, compare_ranks);
  for (int i = 0; i < n && ranks[i].gain > share * first_gain && !is_full(in, a); i++) {
    struct find *f = &in->finds[ranks[i].find];
    double cost = i == 0 ? before - ranks[i].gain : cost_with(in->s, a, f);
    if (a->cost - cost > share * first_gain)
      take(a, f, cost);
    if (i == 0)
      first_gain = ranks[0].gain;
  }
}

struct addition adding_choose(struct arena *arena, const struct adding_input *in)
{
  struct addition a = {.cost = in->cost};
  for (int i = 0; i < in->n_finds; i++)
    if (!in->finds[i].in_graph)
      find_mirror(arena, in->s, &in->finds[i], FIRST_STAND_IN + i);
  if (in->strategy == CHOOSE_UNIFORM) {
    add_all(in, &a);
  } else {
    add_investments(in, &a);
    add_best(arena, in, &a);
  }
  return a;
}
