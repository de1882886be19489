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

/* Sends samples of a window from each saved state; how many each has. */
static void send_window(struct tracking *t, int w, const struct level *from, int *counts)
{
  const struct track_options *o = t->options;
  double mean[t->n_controls], spread[t->n_controls];
  for (int i = 0; i < from->n; i++) {
    memset(mean, 0, sizeof mean);
    if (t->gains)
      feedback_control(t->reference->creature, &t->gains[w], from->nodes[i].x, mean);
    for (int k = 0; k < t->n_controls; k++)
      spread[k] = o->spread;
    counts[i] = o->samples * (i + 1) / from->n - o->samples * i / from->n;
    struct batch b = {.kind = BATCH_SAMPLES, .window = w, .n = counts[i], .seed = o->seed, .uniform = !t->gains,
                      .with_mean = 1, .recentre = !t->gains && o->rollout.drive == DRIVE_POSES, .mean = mean, .spread = spread,
                      .state = from->nodes[i].state};
    b.stream = ((uint64_t)w + 1) * 10000000 + (uint64_t)i * 100000;
    crew_submit(t->crew, &b);
  }
}

struct gathering {              /* samples of a window from all saved states */
  int n;
  struct batch_sample *samples;
  int *parent;
  double *cost;                 /* infinite: lost                                */
};

static double cost_of(const struct tracking *t, int w, const struct batch_sample *s)
{
  double cost = s->cost.total;
  if (!s->good || !isfinite(cost))
    return INFINITY;
  if (t->gains)
    cost += t->options->value_weight * feedback_value(t->reference->creature, &t->gains[w + 1], s->end);
  return isfinite(cost) ? cost : INFINITY;
}

static int gather(struct tracking *t, struct arena *scratch, int w, const struct level *from, const int *counts, struct gathering *g)
{
  size_t room = (size_t)t->options->samples;
  g->n = 0;
  g->samples = ARENA_NEW(scratch, room, struct batch_sample);
  g->parent = ARENA_NEW(scratch, room, int);
  g->cost = ARENA_NEW(scratch, room, double);
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
      g->cost[g->n] = cost_of(t, w, &s[k]);
    }
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
  int *counts = ARENA_NEW(t->arena, (size_t)t->options->saved + 1, int);
  t->result->windows = ARENA_NEW(t->arena, (size_t)n, struct track_window);
  levels[0] = first_level(t);
  for (int w = 0; w < n && good && levels[w].n > 0; w++) {
    struct arena *scratch = arena_new();
    struct gathering g;
    send_window(t, w, &levels[w], counts);
    good = gather(t, scratch, w, &levels[w], counts, &g);
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
