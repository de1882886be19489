/* Sampling-based control, window by window (Liu 2010, section 3.2), plain or around window feedback.
 *
 * A few states are kept at the end of each window. From each of them several windows are simulated with random
 * offsets; of all that, a few are kept again, good ones more often but not only the best: a state that is close now
 * may be lost later. At the end the cheapest path back to the start is the control. Guided, offsets are drawn around
 * what the feedback says, and the cost has its value, which looks ahead. */
#include "samcon/samcon.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "samcon/saving.h"

#define ROUNDS 4                /* of guided sampling                            */

static double *samcon_copy(struct tracking *t, const double *x, int n)
{
  return memcpy(ARENA_NEW(t->arena, (size_t)n, double), x, (size_t)n * sizeof *x);
}

struct level samcon_first(struct tracking *t)
{
  struct rollout *ro = batches_rollout(t->batches);
  struct node *node = ARENA_NEW(t->arena, 1, struct node);
  rollout_start(ro, 0, t->start);
  node->parent = -1;
  node->x = ARENA_NEW(t->arena, (size_t)t->n_errors, double);
  rollout_errors(ro, 0, node->x);
  node->state = arena_alloc(t->arena, ro->state_size, 1);
  world_save(ro->world, node->state);
  return (struct level){1, node, 0};
}

/* ---- samples of a window ---- */

/* How many samples saved state i gets: all the same, and the cheapest ones first where there are too few. */
static int samcon_share(int samples, int n, int i)
{
  return samples / n + (i < samples % n);
}

/* What the feedback says; 0 without. */
static void samcon_guide(const struct tracking *t, int w, const double *x, double *u)
{
  memset(u, 0, (size_t)t->n_controls * sizeof *u);
  if (t->gains)
    feedback_control(t->reference->creature, &t->gains[w], x, u);
}

static void send_window(struct tracking *t, int w, const struct level *from, const struct round *round)
{
  const struct track_options *o = t->options;
  double mean[t->n_controls], spread[t->n_controls];
  for (int k = 0; k < t->n_controls; k++)
    spread[k] = round->wider * o->spread;
  for (int i = 0; i < from->n; i++) {
    int n = samcon_share(round->samples, from->n, i), plain = !t->gains && !round->lower;
    if (n == 0)
      continue;
    samcon_guide(t, w, from->nodes[i].x, mean);
    for (int k = 0; k < t->n_controls && round->lower; k++)
      mean[k] += round->mean[k];
    struct batch b = {.kind = BATCH_SAMPLES, .window = w, .n = n, .seed = o->seed, .uniform = plain,
                      .with_mean = round->with_mean,
                      .recentre = plain && o->rollout.drive == DRIVE_POSES, .mean = mean,
                      .spread = round->lower ? round->lower : spread, .full = round->lower != NULL,
                      .state = from->nodes[i].state,
                      .surrogate = round->surrogate, .from_surrogate = from->from_surrogate,
                      .stateless = round->stateless};
    b.stream = (((uint64_t)w << 24) + round->number) * 10000000 + (uint64_t)i * 10000;
    batches_submit(t->batches, &b);
  }
}

static double samcon_cost(const struct tracking *t, int w, const struct batch_sample *s, double *least)
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

void samcon_gathering(struct arena *scratch, int room, struct gathering *g)
{
  *g = (struct gathering){.room = room, .value = INFINITY};
  g->samples = ARENA_NEW(scratch, (size_t)room, struct batch_sample);
  g->parent = ARENA_NEW(scratch, (size_t)room, int);
  g->cost = ARENA_NEW(scratch, (size_t)room, double);
}

int samcon_sample(struct tracking *t, struct arena *scratch, int w, const struct level *from,
                  const struct round *round, struct gathering *g)
{
  send_window(t, w, from, round);
  g->from_surrogate = round->surrogate;
  for (int i = 0; i < from->n; i++) {
    struct batch_sample *s;
    if (samcon_share(round->samples, from->n, i) == 0)
      continue;
    int n = batches_collect(t->batches, scratch, &s, t->diag);
    if (n < 0)
      return 0;
    for (int k = 0; k < n && g->n < g->room; k++, g->n++) {
      g->samples[g->n] = s[k];
      g->parent[g->n] = i;
      g->cost[g->n] = samcon_cost(t, w, &s[k], &g->value);
    }
  }
  return 1;
}

int samcon_may_use_surrogate(const struct tracking *t, int first, int until)
{
  int can = t->options->surrogate && batches_has_surrogate(t->batches);
  for (int w = first; can && w < until; w++)
    can = reference_upright(t->reference, w);
  return can;
}

/* All samples of a window, or as few as are enough: guided, a few suffice where errors are small, and they are drawn
 * wider where not. 0 after an error. */
static int sample_window(struct tracking *t, struct arena *scratch, int w, const struct level *from, int surrogate,
                         struct gathering *g)
{
  static const double shares[ROUNDS] = {1.0 / 48, 1.0 / 12, 1.0 / 4, 1}; /* of the samples, until a round and with it */
  const struct track_options *o = t->options;
  int first = t->gains ? 0 : ROUNDS - 1, drawn = 0;
  samcon_gathering(scratch, o->samples, g);
  for (int i = first; i < ROUNDS && (i == first || g->value > o->calm); i++) {
    struct round round = {.number = (uint64_t)i, .samples = (int)ceil(shares[i] * o->samples) - drawn, .wider = 1,
                          .with_mean = i == first, .surrogate = surrogate, .stateless = surrogate};
    if (i > first && isfinite(g->value))
      round.wider = fmin(o->widest, sqrt(g->value / o->calm));
    if (!samcon_sample(t, scratch, w, from, &round, g))
      return 0;
    drawn += round.samples;
  }
  return 1;
}

/* ---- saved samples ---- */

struct level samcon_save(struct tracking *t, int w, const struct level *from, const struct gathering *g, int n,
                         const int *chosen)
{
  size_t size = batches_state_size(t->batches, g->from_surrogate);
  struct level level = {n, ARENA_NEW(t->arena, (size_t)n + 1, struct node), g->from_surrogate};
  double said[t->n_controls];
  for (int i = 0; i < n; i++) {
    int k = chosen[i], parent = g->parent[k];
    const struct batch_sample *s = &g->samples[k];
    struct node *node = &level.nodes[i];
    *node = (struct node){.parent = parent, .cost = g->cost[k], .path_cost = from->nodes[parent].path_cost +
                          g->cost[k]};
    node->u = samcon_copy(t, s->u, t->n_controls);
    node->x = samcon_copy(t, s->end, t->n_errors);
    node->drawn = samcon_copy(t, s->u, t->n_controls);
    if (s->state)
      node->state = memcpy(arena_alloc(t->arena, size, 1), s->state, size);
    samcon_guide(t, w, from->nodes[parent].x, said);
    for (int j = 0; j < t->n_controls; j++)
      node->drawn[j] -= said[j];
  }
  return level;
}

int samcon_confirm(struct tracking *t, int w, const struct level *from, struct level *level)
{
  size_t size = batches_state_size(t->batches, 0);
  struct arena *scratch = arena_new();
  int kept = 0, good = 1;
  for (int i = 0; i < level->n; i++) {
    struct batch b = {.kind = BATCH_SAMPLES, .window = w, .n = 1, .with_mean = 1, .mean = level->nodes[i].u,
                      .state = from->nodes[level->nodes[i].parent].state};
    batches_submit(t->batches, &b);
  }
  for (int i = 0; i < level->n && good; i++) {
    struct batch_sample *s;
    double least = INFINITY;
    struct node node = level->nodes[i];
    good = batches_collect(t->batches, scratch, &s, t->diag) == 1;
    node.cost = good ? samcon_cost(t, w, s, &least) : INFINITY;
    if (!isfinite(node.cost))
      continue;
    node.path_cost = from->nodes[node.parent].path_cost + node.cost;
    memcpy(node.x, s->end, (size_t)t->n_errors * sizeof *node.x);
    node.state = memcpy(arena_alloc(t->arena, size, 1), s->state, size);
    level->nodes[kept++] = node;
  }
  level->n = kept;
  level->from_surrogate = 0;
  arena_free(scratch);
  return good;
}

void samcon_note(struct tracking *t, int w, const struct level *level)
{
  struct sampled_window *window = &t->result->windows[w];
  window->saved = ARENA_NEW(t->arena, (size_t)level->n + 1, double);
  window->parents = ARENA_NEW(t->arena, (size_t)level->n + 1, int);
  window->n_saved = level->n;
  for (int i = 0; i < level->n; i++) {
    window->saved[i] = level->nodes[i].cost;
    window->parents[i] = level->nodes[i].parent;
  }
}

/* What the figures want of a window. */
static void samcon_note_samples(struct tracking *t, int w, const struct gathering *g, const struct level *level)
{
  struct sampled_window *window = &t->result->windows[w];
  *window = (struct sampled_window){.best = NAN};
  window->costs = ARENA_NEW(t->arena, (size_t)g->n, double);
  for (int i = 0; i < g->n; i++)
    if (isfinite(g->cost[i]))
      window->costs[window->n_samples++] = g->cost[i];
  samcon_note(t, w, level);
}

void samcon_path(struct tracking *t, const struct level *levels, int last)
{
  int at = 0;
  for (int i = 1; i < levels[last].n; i++)
    if (levels[last].nodes[i].path_cost < levels[last].nodes[at].path_cost)
      at = i;
  t->result->n_windows = last;
  for (int w = last; w > 0; w--) {
    const struct node *node = &levels[w].nodes[at];
    memcpy(t->result->offsets + (size_t)(w - 1) * (size_t)t->n_controls, node->u, (size_t)t->n_controls *
           sizeof(double));
    t->result->windows[w - 1].best = node->cost;
    t->result->windows[w - 1].chosen = at;
    at = node->parent;
  }
}

/* Samples a window and saves some. 0 after an error. */
static int follow_window(struct tracking *t, int w, int surrogate, const struct level *from, struct level *to)
{
  struct arena *scratch = arena_new();
  struct gathering g;
  int *chosen = ARENA_NEW(scratch, (size_t)t->options->saved, int),
       good = sample_window(t, scratch, w, from, surrogate, &g);
  if (good) {
    int kept = saving_choose(g.n, g.cost, t->options->left_out, t->options->saved, chosen);
    *to = samcon_save(t, w, from, &g, kept, chosen);
    good = !surrogate || samcon_confirm(t, w, from, to);
    samcon_note_samples(t, w, &g, to);
  }
  arena_free(scratch);
  return good;
}

int track_by_samples(struct tracking *t)
{
  int n = t->reference->n_windows, reached = 0, good = 1;
  struct level *levels = ARENA_NEW(t->arena, (size_t)n + 1, struct level);
  t->result->windows = ARENA_NEW(t->arena, (size_t)n, struct sampled_window);
  levels[0] = samcon_first(t);
  for (int w = 0; w < n && good && levels[w].n > 0; w++) {
    struct level *next = &levels[w + 1];
    int surrogate = samcon_may_use_surrogate(t, w, w + 1);
    good = follow_window(t, w, surrogate, &levels[w], next);
    if (good && surrogate && next->n == 0) /* what the surrogate found is lost in the world */
      good = follow_window(t, w, 0, &levels[w], next);
    if (!good)
      break;
    reached = next->n > 0 ? w + 1 : reached;
    if (t->options->progress)
      t->options->progress(t->options->user, w + 1, n, next->n > 0 ? next->nodes[0].cost : INFINITY);
  }
  if (good)
    samcon_path(t, levels, reached);
  return good;
}
