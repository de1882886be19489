/* The tridiagonal system of spline.h by elimination, all curves at once. */
#include "base/spline.h"

/* out = (y[k+1] - 2 y[k] + y[k-1]) / h^2 */
static void second_difference(const struct spline *s, size_t k, double *out)
{
  const double *y = s->y + k * s->width;
  for (size_t i = 0; i < s->width; i++)
    out[i] = (y[i + s->width] - 2 * y[i] + y[i - s->width]) / (s->step * s->step);
}

struct spline spline_fit(struct arena *arena, int n, size_t width, const double *y, double step, enum spline_ends ends)
{
  struct spline s = {n, width, step, y, ARENA_NEW(arena, (size_t)n * width, double)};
  struct arena *scratch = arena_new();
  double *ratio = ARENA_NEW(scratch, (size_t)n, double);
  int joined = ends == SPLINE_JOINED && n >= 4;
  size_t last = (size_t)n - 1, from = joined ? 2 : 1, until = joined ? last - 1 : last; /* rows that are solved for */
  if (joined) { /* one cubic: its second derivative in the middle is the second difference */
    second_difference(&s, 1, s.bend + width);
    second_difference(&s, last - 1, s.bend + (last - 1) * width);
  }
  for (size_t k = from; k < until; k++) {
    double *b = s.bend + k * width;
    ratio[k] = 1 / (4 - ratio[k - 1]);
    second_difference(&s, k, b);
    for (size_t i = 0; i < width; i++)
      b[i] = ratio[k] * (6 * b[i] - b[i - width]);
  }
  for (size_t k = until; k-- > from;)
    for (double *b = s.bend + k * width, *end = b + width; b < end; b++)
      *b -= ratio[k] * b[width];
  for (size_t i = 0; joined && i < width; i++) { /* linear through the inner two */
    double *b = s.bend + i;
    b[0] = 2 * b[width] - b[2 * width];
    b[last * width] = 2 * b[(last - 1) * width] - b[(last - 2) * width];
  }
  arena_free(scratch);
  return s;
}

void spline_at(const struct spline *s, int k, double u, double *y, double *v, double *a)
{
  size_t n = s->width, row = (size_t)k * n;
  double w = 1 - u, h = s->step;
  for (size_t i = 0; i < n; i++) {
    const double *q = s->y + row + i, *b = s->bend + row + i;
    if (y)
      y[i] = w * q[0] + u * q[n] + h * h / 6 * ((w * w * w - w) * b[0] + (u * u * u - u) * b[n]);
    if (v)
      v[i] = (q[n] - q[0]) / h + h / 6 * ((3 * u * u - 1) * b[n] - (3 * w * w - 1) * b[0]);
    if (a)
      a[i] = w * b[0] + u * b[n];
  }
}
