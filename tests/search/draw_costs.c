/* Figure 5 of the 2013 paper, for our runs: cost over steps, clips and time above a floor, and how many clips each
 * strategy needs to come down to a given cost.
 *
 *   draw_costs OUT.png [--floor RUN]... RUN...
 *
 * The floor is the cost of the graph of all that any of these runs has solved, in its graph or not, with mirror images,
 * where all begin with the same cyclic clip and have no other; else the least cost of all. RUN after --floor counts for
 * the floor only. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "motion/mirror.h"
#include "plots/cost_steps.h"
#include "policy/controller.h"
#include "store/store.h"

/* ---- the floor ---- */

struct heap {                   /* clips of all runs; that with id 1 is the cyclic one                   */
  struct arena *arena;
  const struct creature *c;
  const struct task *task;
  int n, room, mixed, shift;    /* mixed: there are other cyclic clips                                   */
  struct graph_clip *clips;
};

static void put(struct heap *h, struct clip *clip)
{
  if (h->n == h->room) {
    struct graph_clip *more = ARENA_NEW(h->arena, (size_t)(h->room = 2 * h->room + 64), struct graph_clip);
    if (h->n)
      memcpy(more, h->clips, (size_t)h->n * sizeof *more);
    h->clips = more;
  }
  h->clips[h->n] = (struct graph_clip){h->n + 1, clip, NULL};
  h->n++;
}

static void put_cycle(struct heap *h, struct clip *clip)
{
  const struct clip *first = h->n ? h->clips[0].clip : NULL;
  size_t size = (size_t)clip->n_frames * (size_t)clip->n_dofs * sizeof *clip->q;
  if (!first) {
    put(h, clip);
    h->mixed |= !clip_mirror_shift(h->c, clip, 1e-6, &h->shift);
  } else {
    h->mixed |= first->n_frames != clip->n_frames || memcmp(first->q, clip->q, size) != 0;
  }
}

/* With its mirror image; twice the same does not hurt. */
static void put_transition(struct heap *h, struct clip *clip)
{
  int n = h->clips[0].clip->n_frames;
  clip->from.clip = clip->to.clip = 1;
  put(h, clip);
  struct clip *mirrored = clip_mirror(h->arena, h->c, clip);
  mirrored->from = (struct clip_end){1, (clip->from.frame + h->shift) % n};
  mirrored->to = (struct clip_end){1, (clip->to.frame + h->shift) % n};
  put(h, mirrored);
}

static void gather(struct heap *h, struct store *store, const struct store_synth *told, struct diag *d)
{
  const char *file, *text;
  size_t length;
  int n = 0;
  struct store_line *lines = store_list_clips(h->arena, store, &n, d);
  if (!h->task) {
    h->c = store_get_creature(h->arena, store, d);
    text = store_get_task_text(h->arena, store, told->task, &file, &length, d);
    const struct task_file *t = h->c && text ? task_parse(h->arena, file, text, length, d) : NULL;
    h->task = t ? task_bind(h->arena, t, h->c, d) : NULL;
  }
  for (int i = 0; lines && h->task && i < n && !h->mixed; i++) {
    struct clip *clip = store_get_clip(h->arena, store, lines[i].id, d);
    if (clip)
      (clip->cyclic ? put_cycle : put_transition)(h, clip);
  }
}

static double cost_of_all(const struct heap *h, struct diag *d)
{
  struct graph_input in = {.creature = h->c, .file = "all runs", .n_clips = h->n, .clips = h->clips};
  const struct controller *c = h->mixed || !h->n ? NULL : controller_new(h->arena, &in, h->task, NULL, d);
  if (c)
    printf("%d clips in the graph of all that was solved\n", h->n);
  return c ? c->lower : (double)INFINITY;
}

/* ---- runs ---- */

static struct cost_steps load(struct arena *arena, const char *path, struct heap *h, struct diag *d)
{
  struct cost_steps run = {.label = path};
  struct store_synth told;
  struct store *store = store_open(arena, path, STORE_READ, d);
  if (store && store_get_synth(arena, store, &told, d) == 1) {
    run.steps = store_list_steps(arena, store, &run.n, d);
    gather(h, store, &told, d);
    run.label = told.strategy;
    run.group = strcmp(told.strategy, "guided") == 0 ? 0 : strcmp(told.strategy, "uniform") == 0 ? 1 : 2;
  }
  store_close(store);
  return run;
}

static double least_cost(const struct cost_steps *run)
{
  double least = INFINITY;
  for (int k = 0; k < run->n; k++)
    least = fmin(least, run->steps[k].cost);
  return least;
}

/* Clips when the cost first was no higher; 0: never. */
static int clips_to_reach(const struct cost_steps *run, double cost)
{
  int clips = 0;
  for (int k = 0; k < run->n; k++) {
    clips += run->steps[k].n_clips;
    if (run->steps[k].cost <= cost)
      return clips;
  }
  return 0;
}

/* The cost when there were at most so many clips. */
static double cost_at(const struct cost_steps *run, int most)
{
  double cost = NAN;
  for (int k = 0, clips = 0; k < run->n && (clips += run->steps[k].n_clips) <= most; k++)
    cost = run->steps[k].cost;
  return cost;
}

static void print_tables(const struct cost_steps *runs, int n, double floor)
{
  static const int counts[] = {5, 10, 15, 20, 25, 30, 40, 60, 80, 100, 150};
  printf("floor %.4f\ncost above it with at most so many clips:\n%-10s", floor, "");
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    printf("%8d", counts[i]);
  for (int k = 0; k < n; k++) {
    printf("\n%-10s", runs[k].label);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
      printf("%8.3f", cost_at(&runs[k], counts[i]) - floor);
  }
  printf("\nclips until the cost is so much of the first above the floor:\n%-10s", "");
  for (double share = 0.5; share > 0.01; share /= 1.5)
    printf("%8.3f", share);
  for (int k = 0; k < n; k++) {
    printf("\n%-10s", runs[k].label);
    for (double share = 0.5; share > 0.01; share /= 1.5)
      printf("%8d", clips_to_reach(&runs[k], floor + share * (runs[k].steps[0].cost - floor)));
  }
  printf("\n");
}

int main(int argc, char **argv)
{
  struct arena *arena = arena_new();
  struct cost_steps runs[COST_STEPS_MOST];
  struct diag d;
  struct heap all = {.arena = arena};
  double floor = INFINITY;
  int n = 0, drawn = 0;
  diag_init(&d);
  for (int i = 2; i < argc && n < COST_STEPS_MOST && !d.n_errors; i++) {
    int is_floor = strcmp(argv[i], "--floor") == 0 && i + 1 < argc;
    struct cost_steps run = load(arena, argv[is_floor ? ++i : i], &all, &d);
    floor = fmin(floor, least_cost(&run));
    if (!is_floor)
      runs[n++] = run;
  }
  if (n && !d.n_errors) {
    floor = fmin(floor, cost_of_all(&all, &d));
    print_tables(runs, n, floor);
    drawn = plot_cost_runs("The cost of the graph", n, runs, floor, argv[1], &d);
  }
  char *words = diag_text(&d);
  fputs(words, stderr);
  free(words);
  diag_clear(&d);
  arena_free(arena);
  return !drawn;
}
