/* Figure 5 of the 2013 paper, for our runs: cost over steps, clips and time, above a floor, and how many clips each
 * strategy needs to come down to a given cost.
 *   draw_costs OUT.png [--floor RUN] RUN...     the floor is the least cost of all these runs; RUN: a dense graph */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plots/cost_steps.h"
#include "store/store.h"

static struct cost_steps load(struct arena *arena, const char *path, struct diag *d)
{
  struct cost_steps run = {.label = path};
  struct store_synth told;
  struct store *store = store_open(arena, path, STORE_READ, d);
  if (store && store_get_synth(arena, store, &told, d) == 1) {
    run.steps = store_list_steps(arena, store, &run.n, d);
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
  double floor = INFINITY;
  int n = 0, drawn = 0;
  diag_init(&d);
  for (int i = 2; i < argc && n < COST_STEPS_MOST && !d.n_errors; i++) {
    int is_floor = strcmp(argv[i], "--floor") == 0 && i + 1 < argc;
    struct cost_steps run = load(arena, argv[is_floor ? ++i : i], &d);
    floor = fmin(floor, least_cost(&run));
    if (!is_floor)
      runs[n++] = run;
  }
  if (n && !d.n_errors) {
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
