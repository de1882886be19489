/* See contract.h. */
#include "policy/contract.h"

#include <string.h>

struct builder {
  struct arena *arena;
  const struct decision_operators *from;
  const struct decision_process *old;
  int *kept;                    /* new number of each old node, -1: left out                                */
  struct decision_segment *segments;
  struct matrix_columns *along;
  int *origin;
};

static int only_way(const struct decision_process *p, int node)
{
  return p->first_segment[node + 1] - p->first_segment[node] == 1;
}

/* A node with one way out goes, unless that way leads round to it again without a choice in between. */
static int is_needed(const struct decision_process *p, int node)
{
  int at = node;
  for (int hops = 0; hops <= p->n_nodes; hops++) {
    if (!only_way(p, at))
      return at == node;
    at = p->segments[p->first_segment[at]].to;
    if (at == node)
      return 1;
  }
  return 1;
}

/* T1 T2. Circulants: the first column says all. */
static struct matrix_columns contract_multiply(struct arena *arena, struct matrix_columns a, struct matrix_columns b,
                                               int n)
{
  size_t m = (size_t)n;
  if (b.stride < 0) {
    double *out = ARENA_NEW(arena, 2 * m, double), *column = ARENA_NEW(arena, m, double);
    matrix_turn_product(a, n, b.columns, 1, column);
    memcpy(out + n, column, m * sizeof *out);
    memcpy(out, column, m * sizeof *out);
    return (struct matrix_columns){out + n, -1};
  }
  double *rows = ARENA_NEW(arena, m * m, double), *out = ARENA_NEW(arena, m * m, double);
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < m; j++)
      rows[i * m + j] = b.columns[j * m + i];
  matrix_turn_product(a, n, rows, m, out);
  return (struct matrix_columns){out, n};
}

/* Segment k of the new process goes on along segment e. */
static void contract_extend(struct builder *b, int k, int e)
{
  const struct decision_segment *next = &b->old->segments[e];
  struct decision_segment *s = &b->segments[k];
  int P = b->old->n_parameters;
  const double **cost = ARENA_NEW(b->arena, (size_t)P, const double *);
  for (int p = 0; p < P; p++) {
    int n = b->old->parameters[p].n;
    struct matrix_columns *T = &b->along[k * P + p];
    double *sum = ARENA_NEW(b->arena, (size_t)n, double);
    matrix_turn_product(*T, n, next->cost[p], 1, sum);
    matrix_add_scaled((size_t)n, 1, s->cost[p], sum);
    cost[p] = sum;
    *T = contract_multiply(b->arena, *T, b->from->along[e * P + p], n);
  }
  s->cost = cost;
  s->length += next->length;
  s->turn += next->turn;
  s->constant += next->constant;
  s->to = next->to;
}

static void contract_add_segment(struct builder *b, int k, int e)
{
  size_t P = (size_t)b->old->n_parameters;
  b->segments[k] = b->old->segments[e];
  memcpy(b->along + (size_t)k * P, b->from->along + (size_t)e * P, P * sizeof *b->along);
  b->origin[k] = e;
  while (b->kept[b->segments[k].to] < 0)
    contract_extend(b, k, b->old->first_segment[b->segments[k].to]);
  b->segments[k].from = b->kept[b->segments[k].from];
  b->segments[k].to = b->kept[b->segments[k].to];
}

struct contraction contract(struct arena *arena, const struct decision_operators *operators)
{
  const struct decision_process *old = operators->process;
  size_t nodes = (size_t)old->n_nodes, most = (size_t)old->n_segments;
  struct builder b = {arena, operators, old, ARENA_NEW(arena, nodes, int),
                      ARENA_NEW(arena, most, struct decision_segment),
                      ARENA_NEW(arena, most * (size_t)old->n_parameters, struct matrix_columns),
                      ARENA_NEW(arena, most, int)};
  struct decision_process *process = ARENA_NEW(arena, 1, struct decision_process);
  struct decision_operators *out = ARENA_NEW(arena, 1, struct decision_operators);
  int *node = ARENA_NEW(arena, nodes, int), *first = ARENA_NEW(arena, nodes + 1, int), n = 0, k = 0;
  for (int i = 0; i < old->n_nodes; i++) {
    b.kept[i] = is_needed(old, i) ? n : -1;
    if (b.kept[i] >= 0)
      node[n++] = i;
  }
  for (int i = 0; i < n; i++) {
    first[i] = k;
    for (int e = old->first_segment[node[i]]; e < old->first_segment[node[i] + 1]; e++)
      contract_add_segment(&b, k++, e);
  }
  first[n] = k;
  *process = *old;
  process->n_nodes = n;
  process->n_segments = k;
  process->segments = b.segments;
  process->first_segment = first;
  *out = *operators;
  out->process = process;
  out->along = b.along;
  return (struct contraction){out, node, b.origin};
}
