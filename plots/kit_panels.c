/* The drawing kit: small multiples. See plots/kit.h. */
#include "plots/kit.h"

#include <math.h>

struct rect panels_cell(const struct panels *p, int i)
{
  double width = (p->width - (p->columns - 1) * p->gap_x) / p->columns;
  return (struct rect){p->at.x + (i % p->columns) * (width + p->gap_x),
                       p->at.y + (i / p->columns) * (p->height + p->gap_y), width, p->height};
}

double panels_height(const struct panels *p, int n)
{
  int rows = (n + p->columns - 1) / p->columns;
  return rows > 0 ? rows * p->height + (rows - 1) * p->gap_y : 0.0;
}

double rows_height(const struct rows *r, int i, int j)
{
  double aspects = 0.0;
  for (int k = i; k < j; k++) aspects += r->aspects[k];
  return (r->width - (j - i - 1) * r->gap) / aspects;
}

/* The breaks of least total deviation from the target height, found backwards from the end. */
void rows_break(struct arena *arena, const struct rows *r, int *next)
{
  double *cost = ARENA_NEW(arena, (size_t)r->n + 1, double);
  for (int i = r->n - 1; i >= 0; i--) {
    cost[i] = INFINITY;
    next[i] = i + 1;
    for (int j = i + 1; j <= r->n && j <= i + 12; j++) {
      double height = rows_height(r, i, j), off = height > 0.0 ? log(height / r->target) : 1e3;
      double total = off * off + cost[j];
      if (total < cost[i]) {
        cost[i] = total;
        next[i] = j;
      }
    }
  }
}
