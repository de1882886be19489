/* Diversified saving: samples spread over the range of costs, densely where it is low. */
#include "samcon/saving.h"

#include <math.h>
#include <stdlib.h>

#include "base/arena.h"

struct entry { double cost; int index, taken; };

/* By cost, ties by index, so that the order never depends on the sort. */
static int by_cost(const void *a, const void *b)
{
  const struct entry *x = a, *y = b;
  return x->cost < y->cost ? -1 : x->cost > y->cost ? 1 : x->index - y->index;
}

/* The entry nearest in cost that is not taken; there is one. */
static struct entry *saving_nearest(struct entry *e, int n, double cost)
{
  struct entry *best = NULL;
  for (int i = 0; i < n; i++)
    if (!e[i].taken && (!best || fabs(e[i].cost - cost) < fabs(best->cost - cost)))
      best = &e[i];
  return best;
}

int saving_choose(int n, const double *cost, double left_out, int most, int *chosen)
{
  struct entry *e = malloc(((size_t)n + 1) * sizeof *e);
  int good = 0, count = 0;
  if (!e)
    arena_out_of_memory();
  for (int i = 0; i < n; i++)
    if (isfinite(cost[i]))
      e[good++] = (struct entry){cost[i], i, 0};
  qsort(e, (size_t)good, sizeof *e, by_cost);
  int left = good - (int)(left_out * good);
  for (int i = 0; i < most && i < left; i++) {
    double x = (double)i / most, x6 = x * x * x * x * x * x;
    struct entry *s = saving_nearest(e, left, e[0].cost + (e[left - 1].cost - e[0].cost) * x6);
    s->taken = 1;
    chosen[count++] = s->index;
  }
  free(e);
  return count;
}
