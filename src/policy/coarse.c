/* Thinned-out processes, and the way back to the fine grid. */
#include "policy/coarse.h"

#include <string.h>

#define FINE 24 /* points of a grid that is worth thinning out */

static int factor_of(int n)
{
  return n < FINE ? 1 : n % 3 == 0 ? 3 : n % 2 == 0 ? 2 : 1;
}

/* Fine point i lies between coarse points low and high, part of the way from the one to the other. */
struct between { int low, high; double part; };

static struct between between(int i, int n_coarse, int factor, int circle)
{
  int low = i / factor, high = low + 1;
  if (high == n_coarse)
    high = circle ? 0 : low;
  return (struct between){low, high, (double)(i % factor) / factor};
}

/* Row i of a fine matrix, gathered into coarse columns. */
static void gather_row(struct matrix_columns T, int i, int n_coarse, int factor, int circle, double *row)
{
  memset(row, 0, (size_t)n_coarse * sizeof *row);
  for (int j = 0; j < n_coarse * factor; j++) {
    struct between b = between(j, n_coarse, factor, circle);
    double t = T.columns[j * T.stride + i];
    row[b.low] += (1 - b.part) * t;
    row[b.high] += b.part * t;
  }
}

static struct matrix_columns thin_out(struct arena *arena, struct matrix_columns T, int n, int factor, int circle)
{
  int m = n / factor;
  double row[n];
  if (factor == 1)
    return T;
  if (T.stride < 0) { /* all rows are the first one, shifted */
    double *out = ARENA_NEW(arena, 2 * (size_t)m, double);
    gather_row(T, 0, m, factor, 1, row);
    for (int k = 1 - m; k < m; k++)
      out[m + k] = row[(m - k) % m];
    return (struct matrix_columns){out + m, -1};
  }
  double *out = ARENA_NEW(arena, (size_t)m * (size_t)m, double);
  for (int i = 0; i < m; i++) {
    gather_row(T, i * factor, m, factor, circle, row);
    for (int j = 0; j < m; j++)
      out[j * m + i] = row[j];
  }
  return (struct matrix_columns){out, m};
}

static const double *const *thin_costs(struct arena *arena, const struct decision_process *fine, int e)
{
  const double **costs = ARENA_NEW(arena, (size_t)fine->n_parameters, const double *);
  for (int p = 0; p < fine->n_parameters; p++) {
    int factor = factor_of(fine->parameters[p].n), m = fine->parameters[p].n / factor;
    double *cost = ARENA_NEW(arena, (size_t)m, double);
    for (int i = 0; i < m; i++)
      cost[i] = fine->segments[e].cost[p][i * factor];
    costs[p] = cost;
  }
  return costs;
}

static struct decision_process *thin_process(struct arena *arena, const struct decision_process *fine)
{
  struct decision_process *coarse = ARENA_NEW(arena, 1, struct decision_process);
  struct decision_parameter *parameters = ARENA_NEW(arena, (size_t)fine->n_parameters, struct decision_parameter);
  struct decision_segment *segments = ARENA_NEW(arena, (size_t)fine->n_segments, struct decision_segment);
  *coarse = *fine;
  coarse->parameters = parameters;
  coarse->segments = segments;
  for (int p = 0; p < fine->n_parameters; p++)
    parameters[p] = (struct decision_parameter){.n = fine->parameters[p].n / factor_of(fine->parameters[p].n),
                                                .relative = fine->parameters[p].relative};
  for (int e = 0; e < fine->n_segments; e++) {
    segments[e] = fine->segments[e];
    segments[e].cost = thin_costs(arena, fine, e);
  }
  return coarse;
}

struct decision_operators *coarse_operators(struct arena *arena, const struct decision_operators *fine)
{
  const struct decision_process *process = fine->process;
  int P = process->n_parameters, thinned = 0;
  for (int p = 0; p < P; p++)
    thinned |= factor_of(process->parameters[p].n) > 1;
  if (!thinned)
    return NULL;
  struct decision_operators *o = ARENA_NEW(arena, 1, struct decision_operators);
  o->process = thin_process(arena, process);
  o->grid = decision_grid(o->process);
  o->along = ARENA_NEW(arena, (size_t)(process->n_segments * P), struct matrix_columns);
  for (int k = 0; k < process->n_segments * P; k++) {
    const struct decision_parameter *q = &process->parameters[k % P];
    o->along[k] = thin_out(arena, fine->along[k], q->n, factor_of(q->n), q->relative);
  }
  for (int i = 0; i < 2; i++)
    o->scratch[i] = ARENA_NEW(arena, o->grid, double);
  return o;
}

/* One axis at a time; the first ones are fine already, the others still coarse. */
void coarse_refine(const struct decision_process *coarse, const struct decision_process *fine, const double *from,
                   double *to, double *const scratch[2])
{
  size_t outer = 1, inner = decision_grid(coarse);
  for (int p = 0; p < fine->n_parameters; p++) {
    int n = fine->parameters[p].n, m = coarse->parameters[p].n;
    double *out = p == fine->n_parameters - 1 ? to : scratch[p % 2];
    inner /= (size_t)m;
    for (size_t o = 0; o < outer; o++)
      for (int i = 0; i < n; i++) {
        struct between b = between(i, m, n / m, fine->parameters[p].relative);
        const double *low = from + (o * (size_t)m + (size_t)b.low) * inner,
            *high = from + (o * (size_t)m + (size_t)b.high) * inner;
        double *row = out + (o * (size_t)n + (size_t)i) * inner;
        for (size_t k = 0; k < inner; k++)
          row[k] = (1 - b.part) * low[k] + b.part * high[k];
      }
    outer *= (size_t)n;
    from = out;
  }
}
