/* The drawing kit: small multiples. See plots/kit.h. */
#include "plots/kit.h"

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
