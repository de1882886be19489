/* All policies of processes with a few states. */
#include "policy/small_process.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"

#define TWO_PI 6.283185307179586
#define NODES 3
#define MOST 12 /* states */

static double *random_chain(struct arena *arena, struct rng *r, int n)
{
  double *K = ARENA_NEW(arena, (size_t)(n * n), double);
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < n; j++)
      sum += K[i * n + j] = rng_uniform(r, 0.05, 1) + 3 * (i == j);
    for (int j = 0; j < n; j++)
      K[i * n + j] /= sum;
  }
  return K;
}

struct decision_process *small_process(struct arena *arena, uint64_t seed)
{
  struct rng r = rng_stream(seed, 11);
  struct decision_process *process = ARENA_NEW(arena, 1, struct decision_process);
  struct decision_parameter *parameters = ARENA_NEW(arena, 2, struct decision_parameter);
  struct decision_segment *segments = ARENA_NEW(arena, 2 * NODES, struct decision_segment);
  int *first = ARENA_NEW(arena, NODES + 1, int), P = 1 + (int)(seed % 2);
  int n = 4 - P;
  parameters[0] = (struct decision_parameter){.n = n, .relative = 1, .chain = random_chain(arena, &r, n)};
  parameters[1] = (struct decision_parameter){.n = 2, .chain = random_chain(arena, &r, 2)};
  for (int e = 0; e < 2 * NODES; e++) {
    const double **cost = ARENA_NEW(arena, 2, const double *);
    for (int p = 0; p < P; p++) {
      double *c = ARENA_NEW(arena, (size_t)parameters[p].n, double);
      for (int i = 0; i < parameters[p].n; i++)
        c[i] = rng_uniform(&r, 0, 10);
      cost[p] = c;
    }
    segments[e] = (struct decision_segment){.from = e / 2, .to = e % 2 ? 0 : (e / 2 + 1) % NODES,
                                            .length = 1 + rng_below(&r, 6),
                                            .turn = rng_uniform(&r, -4, 4), .constant = rng_uniform(&r, -1, 3),
                                            .cost = cost};
  }
  decision_index(segments, 2 * NODES, NODES, first);
  *process = (struct decision_process){P, NODES, 2 * NODES, parameters, segments, first};
  return process;
}

/* Distribution of one parameter at the end of a segment that it began at point i. */
static void end_of_segment(const struct decision_parameter *p, const struct decision_segment *s, int i, double *out)
{
  double now[MOST] = {0}, next[MOST];
  now[i] = 1;
  for (int t = 0; t < s->length; t++) {
    memset(next, 0, sizeof next);
    for (int a = 0; a < p->n; a++)
      for (int b = 0; b < p->n; b++)
        next[b] += now[a] * p->chain[a * p->n + b];
    memcpy(now, next, sizeof now);
  }
  memset(out, 0, MOST * sizeof *out);
  for (int a = 0; a < p->n; a++) {
    double at = a - (p->relative ? s->turn * p->n / TWO_PI : 0), low = floor(at);
    int k = (((int)low % p->n) + p->n) % p->n;
    out[k] += now[a] * (1 - (at - low));
    out[(k + 1) % p->n] += now[a] * (at - low);
  }
}

/* Adds the row of the transition matrix of a state under segment e. */
static void transition_row(const struct decision_process *process, int e, const int *at, double *row)
{
  const struct decision_segment *s = &process->segments[e];
  double a[MOST], b[MOST] = {1};
  int two = process->n_parameters > 1, inner = two ? process->parameters[1].n : 1, grid = process->parameters[0].n *
            inner;
  end_of_segment(&process->parameters[0], s, at[0], a);
  if (two)
    end_of_segment(&process->parameters[1], s, at[1], b);
  for (int i = 0; i < grid; i++)
    row[s->to * grid + i] += a[i / inner] * b[i % inner];
}

/* A x = b by elimination with pivots. */
static void eliminate(double A[MOST][MOST + 1], int n)
{
  for (int j = 0; j < n; j++) {
    int pivot = j;
    for (int i = j; i < n; i++)
      if (fabs(A[i][j]) > fabs(A[pivot][j]))
        pivot = i;
    for (int k = 0; k <= n; k++) {
      double t = A[j][k];
      A[j][k] = A[pivot][k];
      A[pivot][k] = t;
    }
    for (int i = 0; i < n; i++)
      if (i != j)
        for (int k = n; k >= j; k--)
          A[i][k] -= A[i][j] / A[j][j] * A[j][k];
  }
}

/* Rows of all segments at all points of the grid, computed once: row[e][point]. */
struct rows { double row[2 * NODES][MOST][MOST], cost[2 * NODES][MOST]; };

static void fill_rows(const struct decision_process *process, struct rows *rows)
{
  int inner = process->n_parameters > 1 ? process->parameters[1].n : 1, grid = process->parameters[0].n * inner;
  memset(rows, 0, sizeof *rows);
  for (int e = 0; e < process->n_segments; e++)
    for (int i = 0; i < grid; i++) {
      const struct decision_segment *s = &process->segments[e];
      int at[2] = {i / inner, i % inner};
      transition_row(process, e, at, rows->row[e][i]);
      rows->cost[e][i] = s->constant + s->cost[0][at[0]] + (process->n_parameters > 1 ? s->cost[1][at[1]] : 0);
    }
}

static double cost_of(const struct decision_process *process, const struct rows *rows, const int *choice)
{
  int grid = (int)decision_grid(process), n = NODES * grid;
  double A[MOST][MOST + 1] = {{0}}, cost = 0, frames = 0;
  for (int s = 0; s < n; s++)
    for (int t = 0; t < n; t++)
      A[t][s] = rows->row[choice[s]][s % grid][t] - (s == t);
  for (int s = 0; s < n; s++)
    A[n - 1][s] = 1;
  A[n - 1][n] = 1;
  eliminate(A, n);
  for (int s = 0; s < n; s++) {
    double x = A[s][n] / A[s][s];
    cost += x * rows->cost[choice[s]][s % grid];
    frames += x * process->segments[choice[s]].length;
  }
  return cost / frames;
}

double small_cost(const struct decision_process *process, const int *choice)
{
  static struct rows rows;
  fill_rows(process, &rows);
  return cost_of(process, &rows, choice);
}

double small_best(const struct decision_process *process)
{
  static struct rows rows;
  int grid = (int)decision_grid(process), n = NODES * grid, choice[MOST];
  double best = HUGE_VAL;
  fill_rows(process, &rows);
  for (long policy = 0; policy < 1L << n; policy++) {
    for (int s = 0; s < n; s++)
      choice[s] = s / grid * 2 + (int)(policy >> s & 1);
    best = fmin(best, cost_of(process, &rows, choice));
  }
  return best;
}
