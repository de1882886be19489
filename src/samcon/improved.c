/* Improved sampling (Liu, Yin and Guo 2015, as used by Xie 2021, section 4): every window has a normal distribution
 * of offsets of its own, which learns from trial to trial.
 *
 * A trial samples a few windows in a row from the saved states before them and keeps the best. It is a success if
 * the cheapest sample of each window stays below a threshold. Samples are ranked by the cheapest path through them
 * to the end of those windows, so that an offset is good if what comes after it is; the distributions are updated
 * (CMA-ES) after trials that were better than all before, or as long as none has succeeded. When trials no longer
 * improve, or have for long enough, the first window is settled with what the best trial has saved of it, and the
 * windows slide on by one. The mean of each distribution, the average of its elite, is always among the samples: it
 * is smoother than they are. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "samcon/cma.h"
#include "samcon/samcon.h"

struct sliding {
  struct tracking *t;
  struct cma *distributions;    /* of windows                                        */
  double *lower;                /* scratch                (n_controls x n_controls)  */
  int *order;                   /* scratch                                           */
  struct level *settled;        /* saved states at the start of windows              */
  int surrogate;                /* trials are the surrogate's                            */
  uint64_t trials;
};

struct trial {
  struct arena *arena;          /* of its levels; NULL: there is no trial            */
  int n;                        /* windows that were sampled                         */
  int success;
  double cost;                  /* of the cheapest path through all of them; infinite if it failed */
  struct level *levels;         /* levels[0] is what it began with                   */
};

/* ---- a trial ---- */

struct ranked { double cost; int index; };

static int by_cost(const void *a, const void *b)
{
  const struct ranked *x = a, *y = b;
  return x->cost < y->cost ? -1 : x->cost > y->cost ? 1 : x->index - y->index;
}

/* Indices of the best; how many, at most `most`. */
static int choose_best(int n, const double *cost, int most, int *chosen)
{
  struct arena *scratch = arena_new();
  struct ranked *all = ARENA_NEW(scratch, (size_t)n + 1, struct ranked);
  int good = 0;
  for (int i = 0; i < n; i++)
    if (isfinite(cost[i]))
      all[good++] = (struct ranked){cost[i], i};
  qsort(all, (size_t)good, sizeof *all, by_cost);
  for (int i = 0; i < good && i < most; i++)
    chosen[i] = all[i].index;
  arena_free(scratch);
  return good < most ? good : most;
}

/* One window of a trial; 0 after an error. */
static int sliding_sample(struct sliding *s, int w, const struct level *from, struct level *to)
{
  struct tracking *t = s->t;
  const struct track_options *o = t->options;
  struct arena *scratch = arena_new();
  struct gathering g;
  struct cma *c = &s->distributions[w];
  if (!cma_lower(c, s->lower)) { /* it has learnt itself flat: start again around its mean */
    memset(c->C, 0, (size_t)(c->n * c->n) * sizeof *c->C);
    for (int i = 0; i < c->n; i++)
      c->C[i * c->n + i] = 1;
    cma_lower(c, s->lower);
  }
  struct round round = {.number = 16 + s->trials, .samples = o->samples, .with_mean = 1, .mean = c->mean,
                        .lower = s->lower, .surrogate = s->surrogate};
  samcon_gathering(scratch, o->samples, &g);
  int good = samcon_sample(t, scratch, w, from, &round, &g);
  if (good)
    *to = samcon_save(t, w, from, &g, choose_best(g.n, g.cost, o->saved, s->order), s->order);
  arena_free(scratch);
  return good;
}

static double sliding_cheapest(const struct level *l, int path)
{
  double least = INFINITY;
  for (int i = 0; i < l->n; i++)
    least = fmin(least, path ? l->nodes[i].path_cost : l->nodes[i].cost);
  return least;
}

/* Samples windows first .. until - 1; 0 after an error. */
static int sliding_run_trial(struct sliding *s, int first, int until, struct trial *trial)
{
  struct arena *home = s->t->arena;
  int good = 1;
  *trial = (struct trial){.success = 1, .arena = arena_new()};
  s->t->arena = trial->arena; /* what it saves is soon forgotten */
  trial->levels = ARENA_NEW(trial->arena, (size_t)(until - first) + 1, struct level);
  trial->levels[0] = s->settled[first];
  s->trials++;
  for (int w = first; w < until && trial->success && good; w++) {
    struct level *next = &trial->levels[w - first + 1];
    good = sliding_sample(s, w, &trial->levels[w - first], next);
    if (next->n > 0)
      trial->n = w - first + 1;
    trial->success = next->n > 0 && sliding_cheapest(next, 0) <= s->t->options->threshold;
  }
  s->t->result->trials++;
  s->t->result->trials_good += trial->success && good;
  trial->cost = trial->success ? sliding_cheapest(&trial->levels[trial->n], 1) : INFINITY;
  s->t->arena = home;
  return good;
}

static void sliding_forget(struct trial *trial)
{
  arena_free(trial->arena);
  trial->arena = NULL;
}

/* ---- learning ---- */

/* For each saved sample of a level the cost of the cheapest path through it; beyond all of those if none goes on. */
static void sliding_rank_level(const struct trial *trial, int k, double *rank)
{
  const struct level *l = &trial->levels[k];
  for (int i = 0; i < l->n; i++)
    rank[i] = INFINITY;
  for (int j = 0; j < trial->levels[trial->n].n; j++) { /* from each end back to here */
    int at = j;
    for (int back = trial->n; back > k; back--)
      at = trial->levels[back].nodes[at].parent;
    rank[at] = fmin(rank[at], trial->levels[trial->n].nodes[j].path_cost);
  }
  for (int i = 0; i < l->n; i++)
    if (!isfinite(rank[i]))
      rank[i] = 1e9 + l->nodes[i].path_cost;
}

static void sliding_learn(struct sliding *s, int first, const struct trial *trial)
{
  int most = s->t->options->saved;
  struct arena *scratch = arena_new();
  double *rank = ARENA_NEW(scratch, (size_t)most, double);
  const double **samples = ARENA_NEW(scratch, (size_t)most, const double *);
  for (int k = 1; k <= trial->n; k++) {
    const struct level *l = &trial->levels[k];
    sliding_rank_level(trial, k, rank);
    int n = choose_best(l->n, rank, most, s->order);
    for (int i = 0; i < n; i++)
      samples[i] = l->nodes[s->order[i]].drawn;
    cma_update(&s->distributions[first + k - 1], n, samples, s->t->options->samples);
  }
  arena_free(scratch);
}

/* Trials of the windows from `first` on, until they no longer get better; the best of them. 0 after an error. */
static int sliding_settle(struct sliding *s, int first, int until, struct trial *best)
{
  const struct track_options *o = s->t->options;
  int stale = 0, updates = 0, failed = 0;
  *best = (struct trial){.cost = INFINITY};
  while (stale < o->trials_least && updates < o->trials_most && failed < o->hopeless * o->trials_most) {
    struct trial trial;
    if (!sliding_run_trial(s, first, until, &trial)) {
      sliding_forget(&trial);
      return 0;
    }
    int better = trial.cost < best->cost - 1e-12, hope = !best->success;
    if (better || (hope && trial.n >= best->n)) {
      sliding_forget(best);
      *best = trial;
      sliding_learn(s, first, &trial);
      updates += better;
    } else {
      sliding_forget(&trial);
    }
    stale = better ? 0 : stale + best->success;
    failed += !best->success;
  }
  return 1;
}

/* ---- all windows ---- */

static struct sliding sliding_new(struct tracking *t)
{
  size_t n = (size_t)t->n_controls;
  int windows = t->reference->n_windows;
  struct sliding s = {.t = t, .distributions = ARENA_NEW(t->arena, (size_t)windows, struct cma)};
  s.lower = ARENA_NEW(t->arena, n * n, double);
  s.order = ARENA_NEW(t->arena, (size_t)t->options->samples + (size_t)t->options->saved, int);
  s.settled = ARENA_NEW(t->arena, (size_t)windows + 1, struct level);
  for (int w = 0; w < windows; w++)
    cma_init(t->arena, &s.distributions[w], t->n_controls, t->options->spread, t->options->variances);
  return s;
}

/* What the figures want: the saved samples of a settled window. */
static void sliding_note(struct tracking *t, int w, const struct level *l)
{
  struct sampled_window *window = &t->result->windows[w];
  samcon_note(t, w, l);
  window->costs = window->saved;
  window->n_samples = window->n_saved;
}

/* The first of windows w .. until - 1, settled; what the surrogate simulator settled, in the world of record. 0 after
 * an error. */
static int sliding_settle_first(struct sliding *s, int w, int until, struct trial *best)
{
  struct tracking *t = s->t;
  s->surrogate = samcon_may_use_surrogate(t, w, until);
  int good = sliding_settle(s, w, until, best);
  if (!good || !s->surrogate)
    return good;
  if (best->n > 0)
    good = samcon_confirm(t, w, &s->settled[w], &best->levels[1]);
  if (!good || (best->n > 0 && best->levels[1].n > 0))
    return good;
  sliding_forget(best);
  s->surrogate = 0;
  return sliding_settle(s, w, until, best);
}

int track_improved(struct tracking *t)
{
  int n = t->reference->n_windows, reached = 0, good = 1;
  struct sliding s = sliding_new(t);
  t->result->windows = ARENA_NEW(t->arena, (size_t)n, struct sampled_window);
  s.settled[0] = samcon_first(t);
  for (int w = 0; w < n && good && reached == w; w++) {
    int until = w + t->options->sliding < n ? w + t->options->sliding : n;
    struct trial best;
    good = sliding_settle_first(&s, w, until, &best);
    if (good && best.n > 0) {
      reached = w + 1;
      sliding_note(t, w, &best.levels[1]);
      s.settled[reached] = best.levels[1];
      if (t->options->progress)
        t->options->progress(t->options->user, reached, n, sliding_cheapest(&best.levels[1], 0));
      if (best.arena)
        arena_adopt(t->arena, best.arena); /* its states are needed: those of later windows live with them */
    } else {
      sliding_forget(&best);
    }
  }
  if (good)
    samcon_path(t, s.settled, reached);
  return good;
}
