/* Decision processes: are they sound, how large are they, and the operators of their segments. */
#include "policy/decision.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/angle.h"

#define ROW_SUM_TOLERANCE 1e-9   /* of a chain's rows, as given                                           */
#define SAME_ROW_TOLERANCE 1e-14 /* rows of powers that should be shifts of each other, after rounding    */

size_t decision_grid(const struct decision_process *process)
{
  size_t grid = 1;
  for (int p = 0; p < process->n_parameters; p++)
    grid *= (size_t)process->parameters[p].n;
  return grid;
}

/* Horner: r = c_0 + K (c_1 + K (c_2 + ...)). */
void decision_expect(const struct decision_parameter *parameter, int length, const double *frame_cost, double *out)
{
  size_t n = (size_t)parameter->n;
  double later[n];
  memcpy(out, frame_cost + (size_t)(length - 1) * n, n * sizeof *out);
  for (int t = length - 2; t >= 0; t--) {
    memcpy(later, out, sizeof later);
    for (size_t i = 0; i < n; i++)
      out[i] = frame_cost[(size_t)t * n + i] + matrix_dot(n, parameter->chain + i * n, later);
  }
}

void decision_index(const struct decision_segment *segments, int n_segments, int n_nodes, int *first_segment)
{
  for (int node = 0, e = 0; node <= n_nodes; node++) {
    while (e < n_segments && segments[e].from < node)
      e++;
    first_segment[node] = e;
  }
}

/* ---- order ---- */

/* Depth first: a node is done when all that it leads to is, or waits for it further up. stack holds the way down, way
 * the segment to look at next. */
static void decision_visit(const struct decision_process *p, int root, int *stack, int *way, int **next)
{
  int depth = 0;
  stack[depth++] = root;
  while (depth > 0) {
    int node = stack[depth - 1];
    if (way[node] == p->first_segment[node + 1]) {
      *(*next)++ = node;
      depth--;
      continue;
    }
    int to = p->segments[way[node]++].to;
    if (to != node && way[to] == p->first_segment[to])
      stack[depth++] = to;
  }
}

void decision_order(const struct decision_process *process, int *order, int *place)
{
  struct arena *scratch = arena_new();
  size_t n = (size_t)process->n_nodes;
  int *stack = ARENA_NEW(scratch, n, int), *way = ARENA_NEW(scratch, n, int), *next = order;
  memcpy(way, process->first_segment, n * sizeof *way);
  for (int root = 0; root < process->n_nodes; root++)
    if (way[root] == process->first_segment[root])
      decision_visit(process, root, stack, way, &next);
  for (int k = 0; k < process->n_nodes; k++)
    place[order[k]] = k;
  arena_free(scratch);
}

/* ---- size ---- */

/* With other grids than the process has: n[p] points. The iterations keep at most this many vectors of all states:
 * point, image, residual, those of the history and a spare one; then values, choices, and the distribution. */
static double memory_of(const struct decision_process *process, const int *n)
{
  double grid = 1, matrices = 0, vectors = DECISION_HISTORY + 10;
  for (int p = 0; p < process->n_parameters; p++) {
    grid *= n[p];
    matrices += (double)n[p] * n[p];
  }
  double samples = (2 * DECISION_HISTORY + 1) * fmin(grid * process->n_nodes, DECISION_SAMPLES);
  return 8 * (grid * (process->n_nodes * vectors + 4) + samples + matrices * (process->n_segments + 4));
}

size_t decision_memory(const struct decision_process *process)
{
  int n[DECISION_MAX_PARAMETERS];
  for (int p = 0; p < process->n_parameters; p++)
    n[p] = process->parameters[p].n;
  double bytes = memory_of(process, n);
  return bytes < (double)(SIZE_MAX / 2) ? (size_t)bytes : SIZE_MAX / 2;
}

/* "36 x 36 x 8" */
static void print_grid(const int *n, int n_parameters, char *out, size_t size)
{
  size_t used = 0;
  *out = '\0';
  for (int p = 0; p < n_parameters && used < size; p++)
    used += (size_t)snprintf(out + used, size - used, "%s%d", p ? " x " : "", n[p]);
}

/* Coarsens the finest parameter point by point until all fits. */
static int check_memory(const struct decision_process *process, size_t memory, struct decision_complaint *complaint)
{
  int n[DECISION_MAX_PARAMETERS], most = 0, P = process->n_parameters;
  char asked[100], fits[100];
  for (int p = 0; p < P; p++)
    n[p] = process->parameters[p].n;
  double bytes = memory_of(process, n);
  if (bytes <= (double)memory)
    return 1;
  print_grid(n, P, asked, sizeof asked);
  do {
    most = 0;
    for (int p = 1; p < P; p++)
      if (n[p] > n[most])
        most = p;
    n[most]--;
  } while (n[most] > 0 && memory_of(process, n) > (double)memory);
  print_grid(n, P, fits, sizeof fits);
  snprintf(complaint->words, sizeof complaint->words,
           "a grid of %s over %d nodes needs %.1f MB and %.1f MB are allowed; %s%s",
           asked, process->n_nodes, bytes * 1e-6, (double)memory * 1e-6, n[most] > 0 ? fits : "no grid", " would fit");
  return 0;
}

/* ---- soundness ---- */

static int decision_complain(struct decision_complaint *complaint, const char *format, int index, double found)
{
  snprintf(complaint->words, sizeof complaint->words, format, index, found);
  return 0;
}

static int check_parameter(const struct decision_process *process, int p, struct decision_complaint *complaint)
{
  const struct decision_parameter *parameter = &process->parameters[p];
  int n = parameter->n;
  if (n < 1)
    return decision_complain(complaint, "the grid of parameter %d must have at least one point, got %g", p, n);
  for (int i = 0; i < n; i++) {
    double sum = 0, least = 0;
    for (int j = 0; j < n; j++) {
      sum += parameter->chain[i * n + j];
      least = fmin(least, parameter->chain[i * n + j]);
    }
    if (!(least >= 0))
      return decision_complain(complaint, "the chain of parameter %d has a negative probability, %g", p, least);
    if (!(fabs(sum - 1) <= ROW_SUM_TOLERANCE))
      return decision_complain(complaint, "a row of the chain of parameter %d must sum to 1, got %.12g", p, sum);
  }
  return 1;
}

static int check_segment(const struct decision_process *process, int e, struct decision_complaint *complaint)
{
  const struct decision_segment *s = &process->segments[e];
  if (s->from < 0 || s->from >= process->n_nodes || e < process->first_segment[s->from] ||
      e >= process->first_segment[s->from + 1])
    return decision_complain(complaint, "segment %d must leave the node that lists it, got node %g", e, s->from);
  if (s->to < 0 || s->to >= process->n_nodes)
    return decision_complain(complaint, "segment %d ends at a node that does not exist, %g", e, s->to);
  if (s->length < 1)
    return decision_complain(complaint, "segment %d must last at least one frame, got %g", e, s->length);
  if (!isfinite(s->turn) || !isfinite(s->constant))
    return decision_complain(complaint, "turn and cost of segment %d must be numbers, got %g", e,
                             isfinite(s->turn) ? s->constant : s->turn);
  for (int p = 0; p < process->n_parameters; p++)
    for (int i = 0; i < process->parameters[p].n; i++)
      if (!isfinite(s->cost[p][i]))
        return decision_complain(complaint, "a cost of segment %d must be a number, got %g", e, s->cost[p][i]);
  return 1;
}

int decision_check(const struct decision_process *process, size_t memory, struct decision_complaint *complaint)
{
  if (process->n_parameters < 1 || process->n_parameters > DECISION_MAX_PARAMETERS)
    return decision_complain(complaint, "between 1 and %d parameters are needed, got %g", DECISION_MAX_PARAMETERS,
                             process->n_parameters);
  if (process->n_nodes < 1)
    return decision_complain(complaint, "at least %d node is needed, got %g", 1, process->n_nodes);
  for (int node = 0; node < process->n_nodes; node++)
    if (process->first_segment[node + 1] <= process->first_segment[node])
      return decision_complain(complaint, "no segment leaves node %d of %g", node, process->n_nodes);
  if (process->first_segment[0] != 0 || process->first_segment[process->n_nodes] != process->n_segments)
    return decision_complain(complaint, "the index of first segments must run from 0 to %d, not to %g",
                             process->n_segments, process->first_segment[process->n_nodes]);
  for (int p = 0; p < process->n_parameters; p++)
    if (!check_parameter(process, p, complaint))
      return 0;
  for (int e = 0; e < process->n_segments; e++)
    if (!check_segment(process, e, complaint))
      return 0;
  return check_memory(process, memory, complaint);
}

/* ---- operators ---- */

/* A turn on a circle of n points: V(theta - turn) at point j is (1 - part) V_(j + whole) + part V_(j + whole + 1). Both
 * weights are positive: the values stay an average of values, whence convergence. */
struct shift { int whole; double part; };

static struct shift shift_of(const struct decision_parameter *parameter, double turn)
{
  if (!parameter->relative)
    return (struct shift){0, 0};
  double steps = -turn * parameter->n / (2 * PI), whole = floor(steps + 1e-9);
  double part = fmax(0, steps - whole);
  return (struct shift){(int)(whole - parameter->n * floor(whole / parameter->n)), part < 1e-9 ? 0 : part};
}

/* Rows that are each other's shifts: keep, jump and drift on a circle are. */
static int is_circulant(const double *K, int n)
{
  for (int i = 1; i < n; i++)
    for (int j = 0; j < n; j++)
      if (!(fabs(K[i * n + j] - K[(j - i + n) % n]) <= SAME_ROW_TOLERANCE))
        return 0;
  return 1;
}

/* For all segments and one parameter. */
struct builder {
  struct arena *arena;
  struct decision_operators *operators;
  const struct decision_parameter *parameter;
  int index, transposed, longest;
};

static struct matrix_columns *place(const struct builder *b, int e)
{
  return &b->operators->along[e * b->operators->process->n_parameters + b->index];
}

/* Columns of a circulant matrix whose first row is c: 2 n numbers, see matrix.h. */
static struct matrix_columns circulant(struct arena *arena, const double *c, int n, int transposed)
{
  double *buffer = ARENA_NEW(arena, 2 * (size_t)n, double);
  for (int k = 1 - n; k < n; k++) /* k = row - column */
    buffer[n + k] = c[((transposed ? k : -k) + n) % n];
  return (struct matrix_columns){buffer + n, -1};
}

static void build_circulant(const struct builder *b)
{
  int n = b->parameter->n;
  size_t m = (size_t)n;
  double *c = ARENA_NEW(b->arena, m, double), *next = ARENA_NEW(b->arena, m, double);
  double *shifted = ARENA_NEW(b->arena, m, double);
  double sum = 0;
  for (size_t i = 0; i < m; i++)
    sum += b->parameter->chain[i];
  for (size_t i = 0; i < m; i++)
    next[i] = b->parameter->chain[i] / sum;
  struct matrix_columns K_transposed = circulant(b->arena, next, n, 1);
  c[0] = 1;
  for (int length = 1; length <= b->longest; length++) {
    matrix_turn_product(K_transposed, n, c, 1, next); /* the first row of K^length */
    memcpy(c, next, m * sizeof *c);
    for (int e = 0; e < b->operators->process->n_segments; e++) {
      const struct decision_segment *s = &b->operators->process->segments[e];
      if (s->length != length)
        continue;
      struct shift shift = shift_of(b->parameter, s->turn);
      memset(shifted, 0, m * sizeof *shifted);
      for (int j = 0; j < n; j++) {
        shifted[(j + shift.whole) % n] += (1 - shift.part) * c[j];
        shifted[(j + shift.whole + 1) % n] += shift.part * c[j];
      }
      *place(b, e) = circulant(b->arena, shifted, n, b->transposed);
    }
  }
}

/* Column m of K^L Shift, from the columns of K^L. */
static struct matrix_columns shifted_columns(const struct builder *b, const double *power, struct shift shift)
{
  int n = b->parameter->n;
  double *out = ARENA_NEW(b->arena, (size_t)n * (size_t)n, double);
  for (int column = 0; column < n; column++) {
    const double *near = power + (column - shift.whole + n) % n * n;
    const double *far = power + (column - shift.whole - 1 + 2 * n) % n * n;
    for (int i = 0; i < n; i++)
      out[b->transposed ? i * n + column : column * n + i] = (1 - shift.part) * near[i] + shift.part * far[i];
  }
  return (struct matrix_columns){out, n};
}

static void build_dense(const struct builder *b)
{
  int n = b->parameter->n;
  size_t m = (size_t)n;
  double *K = ARENA_NEW(b->arena, m * m, double), *power = ARENA_NEW(b->arena, m * m, double);
  double *next = ARENA_NEW(b->arena, m * m, double);
  for (size_t i = 0; i < m; i++) {
    double sum = 0;
    for (size_t j = 0; j < m; j++)
      sum += b->parameter->chain[i * m + j];
    for (size_t j = 0; j < m; j++)
      K[i * m + j] = b->parameter->chain[i * m + j] / sum;
    power[i * m + i] = 1;
  }
  for (int length = 1; length <= b->longest; length++) {
    matrix_turn_product((struct matrix_columns){power, n}, n, K, m, next); /* columns of K^(length - 1) K */
    double *swap = power;
    power = next;
    next = swap;
    const struct matrix_columns *unturned = NULL; /* one for all segments of that length */
    for (int e = 0; e < b->operators->process->n_segments; e++) {
      const struct decision_segment *s = &b->operators->process->segments[e];
      if (s->length != length)
        continue;
      struct shift shift = shift_of(b->parameter, s->turn);
      int turns = shift.whole != 0 || shift.part > 0;
      *place(b, e) = !turns && unturned ? *unturned : shifted_columns(b, power, shift);
      if (!turns)
        unturned = place(b, e);
    }
  }
}

struct decision_operators *decision_operators(struct arena *arena, const struct decision_process *process,
                                              int transposed)
{
  struct decision_operators *o = ARENA_NEW(arena, 1, struct decision_operators);
  struct builder b = {.arena = arena, .operators = o, .transposed = transposed};
  o->process = process;
  o->grid = decision_grid(process);
  o->along = ARENA_NEW(arena, (size_t)process->n_segments * (size_t)process->n_parameters, struct matrix_columns);
  for (int i = 0; i < 2; i++)
    o->scratch[i] = ARENA_NEW(arena, o->grid, double);
  for (int e = 0; e < process->n_segments; e++)
    if (process->segments[e].length > b.longest)
      b.longest = process->segments[e].length;
  for (b.index = 0; b.index < process->n_parameters; b.index++) {
    b.parameter = &process->parameters[b.index];
    if (is_circulant(b.parameter->chain, b.parameter->n))
      build_circulant(&b);
    else
      build_dense(&b);
  }
  return o;
}

double *decision_apply(const struct decision_operators *operators, int segment, const double *tensor)
{
  int P = operators->process->n_parameters;
  for (int p = 0; p < P; p++) {
    int n = operators->process->parameters[p].n;
    double *out = operators->scratch[p % 2];
    matrix_turn_product(operators->along[segment * P + p], n, tensor, operators->grid / (size_t)n, out);
    tensor = out;
  }
  return operators->scratch[(P - 1) % 2];
}

/* The rows of a tensor along its last axis: within a row, what the other parameters cost is the same. */
struct row { int at[DECISION_MAX_PARAMETERS]; };

static double row_cost(const struct decision_process *process, int segment, const struct row *row)
{
  double sum = process->segments[segment].constant;
  for (int p = 0; p + 1 < process->n_parameters; p++)
    sum += process->segments[segment].cost[p][row->at[p]];
  return sum;
}

static int next_row(const struct decision_process *process, struct row *row)
{
  int p = process->n_parameters - 2;
  while (p >= 0 && ++row->at[p] == process->parameters[p].n)
    row->at[p--] = 0;
  return p >= 0;
}

void decision_add_cost(const struct decision_process *process, int segment, double offset, double *tensor)
{
  struct row row = {0};
  int last = process->n_parameters - 1, n = process->parameters[last].n;
  const double *along = process->segments[segment].cost[last];
  do {
    double base = row_cost(process, segment, &row) + offset;
    for (int i = 0; i < n; i++)
      tensor[i] = (tensor[i] + along[i]) + base;
    tensor += n;
  } while (next_row(process, &row));
}

void decision_least(const struct decision_process *process, int segment, double offset, const double *tensor,
                    double *best)
{
  struct row row = {0};
  int last = process->n_parameters - 1, n = process->parameters[last].n;
  do {
    matrix_least((size_t)n, row_cost(process, segment, &row) + offset, tensor, process->segments[segment].cost[last],
                 best);
    tensor += n;
    best += n;
  } while (next_row(process, &row));
}
