/* Which solved candidates to add. */
#include "search/additions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "search/coverage.h"
#include "search/predicted_gain.h"
#include "search/stand.h"

#define FIRST_STAND_IN 1900000000 /* ids of mirror images that are not kept yet                                    */

struct rank { int index; double gain; };

static int compare_ranks(const void *left, const void *right)
{
  const struct rank *a = left, *b = right;
  return a->gain != b->gain ? (a->gain < b->gain) - (a->gain > b->gain) : (a->index > b->index) - (a->index < b->index);
}

static double known_effort(void *user, const struct scene *s, const struct candidate *x)
{
  (void)s, (void)x;
  return ((const struct solved_candidate *)user)->log_effort;
}

/* The predicted gain of a solved candidate, with the effort that it takes. */
static double promise(struct scene *s, const struct solved_candidate *f)
{
  struct arena *scratch = arena_new();
  struct imagined o;
  s->log_effort = known_effort;
  s->user = (void *)f;
  double gain =
      !predicted_gain_imagine(scratch, s, &f->candidate, 0, &o)
          ? -INFINITY
          : predicted_gain(scratch, s, &o,
                           s->controller->grid > s->settings.large_grid ? PREDICTED_GAIN_COARSE : PREDICTED_GAIN_FINE);
  arena_free(scratch);
  return gain;
}

static double cost_with(const struct scene *s, const struct addition *a, struct solved_candidate *f)
{
  struct arena *scratch = arena_new();
  struct solved_candidate *solved_candidates[ADDITIONS_MOST + 1];
  struct diag d;
  memcpy(solved_candidates, a->solved_candidates, (size_t)a->n * sizeof *solved_candidates);
  solved_candidates[a->n] = f;
  diag_init(&d);
  double cost = solved_cost(scratch, s, solved_candidates, a->n + 1, &d);
  diag_clear(&d);
  arena_free(scratch);
  return cost;
}

static void take(struct addition *a, struct solved_candidate *f, double cost)
{
  a->solved_candidates[a->n++] = f;
  a->cost = cost;
}

static int clips_of(const struct addition *a)
{
  int n = 0;
  for (int i = 0; i < a->n; i++)
    n += a->solved_candidates[i]->n_clips;
  return n;
}

static int is_full(const struct additions_input *in, const struct addition *a)
{
  return a->n == ADDITIONS_MOST || clips_of(a) >= in->clips;
}

static void add_all(const struct additions_input *in, struct addition *a)
{
  for (int i = in->first; i < in->n_solved_candidates && !is_full(in, a); i++) {
    double cost = cost_with(in->s, a, &in->solved_candidates[i]);
    if (isfinite(cost))
      take(a, &in->solved_candidates[i], fmin(cost, a->cost));
  }
}

/* Another candidate that is added already may answer the same step. */
static int is_investment(const struct additions_input *in, const struct addition *a, const struct solved_candidate *f)
{
  struct arena *scratch = arena_new();
  const struct candidate *x = &f->candidate;
  int invest = x->kind == CANDIDATE_CYCLE || stand_asked(in->s, x) || coverage_lacks(scratch, in->s, x);
  for (int i = 0; i < a->n; i++) {
    const struct candidate *other = &a->solved_candidates[i]->candidate;
    invest &= x->kind != CANDIDATE_TRANSITION || other->kind != x->kind || other->from_clip != x->from_clip ||
              other->to_clip != x->to_clip || fabs(other->turn - x->turn) > 0.1;
  }
  arena_free(scratch);
  return invest;
}

/* Cycles and answers to small steps, as soon as they are solved: they were chosen for what they will be good for. */
static void add_investments(const struct additions_input *in, struct addition *a)
{
  for (int i = 0; i < in->n_solved_candidates && !is_full(in, a); i++) {
    struct solved_candidate *f = &in->solved_candidates[i];
    double cost = !f->in_graph && is_investment(in, a, f) ? cost_with(in->s, a, f) : INFINITY;
    if (isfinite(cost))
      take(a, f, fmin(cost, a->cost));
  }
}

static int is_taken(const struct addition *a, const struct solved_candidate *f)
{
  for (int i = 0; i < a->n; i++)
    if (a->solved_candidates[i] == f)
      return 1;
  return 0;
}

/* The one that lowers the cost most, and those that lower it almost as much on top of it. */
static void add_best(struct arena *arena, const struct additions_input *in, struct addition *a)
{
  struct rank *ranks = ARENA_NEW(arena, (size_t)in->n_solved_candidates + 1, struct rank);
  double before = a->cost, first_gain = 0,
         share = in->s->task->n_parameters > 1 ? in->s->settings.also_added : in->s->settings.also_added_of_one;
  int n = 0;
  for (int i = 0; i < in->n_solved_candidates; i++)
    if (!in->solved_candidates[i].in_graph && !is_taken(a, &in->solved_candidates[i]) &&
        in->solved_candidates[i].candidate.kind == CANDIDATE_TRANSITION)
      ranks[n++] = (struct rank){i, promise(in->s, &in->solved_candidates[i])};
  qsort(ranks, (size_t)n, sizeof *ranks, compare_ranks);
  n = n < in->s->settings.evaluated ? n : in->s->settings.evaluated;
  for (int i = 0; i < n; i++)
    ranks[i].gain = before - cost_with(in->s, a, &in->solved_candidates[ranks[i].index]);
  qsort(ranks, (size_t)n, sizeof *ranks, compare_ranks);
  for (int i = 0; i < n && ranks[i].gain > share * first_gain && !is_full(in, a); i++) {
    struct solved_candidate *f = &in->solved_candidates[ranks[i].index];
    double cost = i == 0 ? before - ranks[i].gain : cost_with(in->s, a, f);
    if (a->cost - cost > share * first_gain)
      take(a, f, cost);
    if (i == 0)
      first_gain = ranks[0].gain;
  }
}

struct addition additions_choose(struct arena *arena, const struct additions_input *in)
{
  struct addition a = {.cost = in->cost};
  for (int i = 0; i < in->n_solved_candidates; i++)
    if (!in->solved_candidates[i].in_graph)
      solved_mirror(arena, in->s, &in->solved_candidates[i], FIRST_STAND_IN + i);
  if (in->strategy == CHOOSE_UNIFORM) {
    add_all(in, &a);
  } else {
    add_investments(in, &a);
    add_best(arena, in, &a);
  }
  return a;
}
