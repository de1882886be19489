/* Sampling-based control, window by window (Liu 2010, section 3.2), plain or around window feedback.
 *
 * A few states are kept at the end of each window. From each of them several windows are simulated with offsets by chance; of all that, a few
 * are kept again, good ones more often but not only the best: a state that is close now may be lost later. At the end the cheapest path
 * back to the start is the control. Guided, offsets are drawn around what the feedback says, and the cost has its value, which looks ahead. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "track/saving.h"
#include "track/track.h"

#define ROUNDS 3                /* of guided sampling                            */
#define WIDEST 3.0              /* times the usual spread                        */

struct node {                   /* a saved sample */
  int parent;                   /* of the window before                          */
  double path_cost;             /* sum of costs from the start                   */
  double cost;                  /* of its window                                 */
  double *u, *x;                /* offsets that led here; errors here            */
  void *state;
};

struct level { int n; struct node *nodes; };

static void keep(struct tracking *t, struct node *node, const struct batch_sample *s, int parent, double cost, double path)
{
  size_t size = crew_rollout(t->crew)->state_size;
  node->parent = parent;
  node->cost = cost;
  node->path_cost = path + cost;
  node->u = memcpy(ARENA_NEW(t->arena, (size_t)t->n_controls, double), s->u, (size_t)t->n_controls * sizeof(double));
  node->x = memcpy(ARENA_NEW(t->arena, (size_t)t->n_errors, double), s->end, (size_t)t->n_errors * sizeof(double));
  node->state = memcpy(arena_alloc(t->arena, size, 1), s->state, size);
}

/* The start as the only saved one. */
static struct level first_level(struct tracking *t)
{
  struct rollout *ro = crew_rollout(t->crew);
  struct node *node = ARENA_NEW(t->arena, 1, struct node);
  rollout_start(ro, 0, t->result->start);
  node->parent = -1;
  node->x = ARENA_NEW(t->arena, (size_t)t->n_errors, double);
  rollout_errors(ro, 0, node->x);
  node->state = arena_alloc(t->arena, ro->state_size, 1);
  world_save(ro->world, node->state);
  return (struct level){1, node};
}

/* Part of the samples of a window: guided, a few are enough where errors are small, and they are drawn wider where not. */
struct round { int number, samples; double wider; };

/* How many samples saved state i gets: all the same, and the cheapest ones first where there are too few. */
static int share(int samples, int n, int i)
{
  return samples / n + (i < samples % n);
}

/* Sends samples of a window from each saved state; how many each has. */
static void send_window(struct tracking *t, int w, const struct level *from, const struct round *round, int *counts)
{
  const struct track_options *o = t->options;
  double mean[t->n_controls], spread[t->n_controls];
  for (int i = 0; i < from->n; i++) {
    memset(mean, 0, sizeof mean);
    if (t->gains)
      feedback_control(t->reference->creature, &t->gains[w], from->nodes[i].x, mean);
    for (int k = 0; k < t->n_controls; k++)
      spread[k] = round->wider * o->spread;
    counts[i] = share(round->samples, from->n, i);
    if (counts[i] == 0)
      continue;
    struct batch b = {.kind = BATCH_SAMPLES, .window = w, .n = counts[i], .seed = o->seed, .uniform = !t->gains,
                      .with_mean = round->number == 0, .recentre = !t->gains && o->rollout.drive == DRIVE_POSES, .mean = mean,
                      .spread = spread, .state = from->nodes[i].state};
    b.stream = (((uint64_t)w + 1) * ROUNDS + (uint64_t)round->number) * 10000000 + (uint64_t)i * 100000;
    crew_submit(t->crew, &b);
  }
}

struct gathering {              /* samples of a window from all saved states */
  int n;
  struct batch_sample *samples;
  int *parent;
  double *cost;                 /* infinite: lost                                */
  double value;                 /* of the feedback: the least so far             */
};

static double cost_of(const struct tracking *t, int w, const struct batch_sample *s, double *least)
{
  double cost = s->cost.total;
  if (!s->good || !isfinite(cost))
    return INFINITY;
  if (t->gains) {
    double value = feedback_value(t->reference->creature, &t->gains[w + 1], s->end);
    cost += t->options->value_weight * value;
    *least = fmin(*least, value);
  }
  return isfinite(cost) ? cost : INFINITY;
}

static void gathering_init(struct tracking *t, struct arena *scratch, struct gathering *g)
{
  size_t room = (size_t)t->options->samples;
  *g = (struct gathering){.value = INFINITY};
  g->samples = ARENA_NEW(scratch, room, struct batch_sample);
  g->parent = ARENA_NEW(scratch, room, int);
  g->cost = ARENA_NEW(scratch, room, double);
}

static int gather(struct tracking *t, struct arena *scratch, int w, const struct level *from, const int *counts, struct gathering *g)
{
  for (int i = 0; i < from->n; i++) {
    struct batch_sample *s;
    if (counts[i] == 0)
      continue;
    int n = crew_collect(t->crew, scratch, &s, t->diag);
    if (n < 0)
      return 0;
    for (int k = 0; k < n; k++, g->n++) {
      g->samples[g->n] = s[k];
      g->parent[g->n] = i;
      g->cost[g->n] = cost_of(t, w, &s[k], &g->value);
    }
  }
  return 1;
}

/* All samples of a window, or as few as are enough. 0 after an error. */
static int sample_window(struct tracking *t, struct arena *scratch, int w, const struct level *from, struct gathering *g)
{
  static const double shares[ROUNDS] = {1.0 / 12, 1.0 / 3, 1}; /* of the samples, until a round and with it */
  const struct track_options *o = t->options;
  int counts[from->n], drawn = 0;
  gathering_init(t, scratch, g);
  for (int i = t->gains ? 0 : ROUNDS - 1; i < ROUNDS && (i == 0 || drawn == 0 || g->value > o->calm); i++) {
    struct round round = {.number = drawn ? i : 0, .samples = (int)ceil(shares[i] * o->samples) - drawn, .wider = 1};
    if (i > 0 && t->gains && isfinite(g->value))
      round.wider = fmin(WIDEST, sqrt(g->value / o->calm));
    send_window(t, w, from, &round, counts);
    if (!gather(t, scratch, w, from, counts, g))
      return 0;
    drawn += round.samples;
  }
  return 1;
}

/* Saves a few samples; also what the figures want of them. */
static struct level save(struct tracking *t, int w, const struct level *from, const struct gathering *g)
{
  struct track_window *window = &t->result->windows[w];
  int chosen[t->options->saved], n = saving_choose(g->n, g->cost, t->options->saved, chosen);
  struct level level = {n, ARENA_NEW(t->arena, (size_t)n + 1, struct node)};
  window->costs = ARENA_NEW(t->arena, (size_t)g->n, double);
  window->saved = ARENA_NEW(t->arena, (size_t)n + 1, double);
  for (int i = 0; i < g->n; i++)
    if (isfinite(g->cost[i]))
      window->costs[window->n_samples++] = g->cost[i];
  for (int i = 0; i < n; i++) {
    int k = chosen[i], parent = g->parent[k];
    keep(t, &level.nodes[i], &g->samples[k], parent, g->cost[k], from->nodes[parent].path_cost);
    window->saved[window->n_saved++] = g->cost[k];
  }
  return level;
}

/* The cheapest path back from the last level that was reached. */
static void choose_path(struct tracking *t, const struct level *levels, int last)
{
  int at = 0;
  for (int i = 1; i < levels[last].n; i++)
    if (levels[last].nodes[i].path_cost < levels[last].nodes[at].path_cost)
      at = i;
  t->result->n_windows = last;
  for (int w = last; w > 0; w--) {
    const struct node *node = &levels[w].nodes[at];
    memcpy(t->result->offsets + (size_t)(w - 1) * (size_t)t->n_controls, node->u, (size_t)t->n_controls * sizeof(double));
    t->result->windows[w - 1].best = node->cost;
    at = node->parent;
  }
}

int track_by_samples(struct tracking *t)
{
  int n = t->reference->n_windows, reached = 0, good = 1;
  struct level *levels = ARENA_NEW(t->arena, (size_t)n + 1, struct level);
  t->result->windows = ARENA_NEW(t->arena, (size_t)n, struct track_window);
  levels[0] = first_level(t);
  for (int w = 0; w < n && good && levels[w].n > 0; w++) {
    struct arena *scratch = arena_new();
    struct gathering g;
    good = sample_window(t, scratch, w, &levels[w], &g);
    if (good) {
      levels[w + 1] = save(t, w, &levels[w], &g);
      reached = levels[w + 1].n > 0 ? w + 1 : reached;
      if (t->options->progress)
        t->options->progress(t->options->user, w + 1, n, levels[w + 1].n > 0 ? levels[w + 1].nodes[0].cost : INFINITY);
    }
    arena_free(scratch);
  }
  if (good)
    choose_path(t, levels, reached);
  return good;
}
