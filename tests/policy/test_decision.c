/* The operators of segments: against sums written out, bit for bit where the order is the same; averages stay
 * averages. */
#include "base/rng.h"
#include "check.h"
#include "policy/random_process.h"

#define TWO_PI 6.283185307179586

static void fill(struct rng *r, double *x, size_t n)
{
  for (size_t i = 0; i < n; i++)
    x[i] = rng_uniform(r, -1, 1);
}

/* Every width of block and edge, dense and circulant: the very bits of the plain loop. */
static void test_product(void)
{
  struct arena *arena = arena_new();
  struct rng r = rng_stream(1, 1);
  for (int n = 1; n <= 41; n++)
    for (size_t rest = 1; rest <= 9; rest += 4) {
      size_t m = (size_t)n;
      double *T = ARENA_NEW(arena, m * m, double), *in = ARENA_NEW(arena, m * rest, double),
              *out = ARENA_NEW(arena, m * rest, double);
      fill(&r, T, m * m);
      fill(&r, in, m * rest);
      for (int dense = 0; dense < 2 && (dense || n > 1); dense++) {
        struct matrix_columns columns = {dense ? T : T + m, dense ? n : -1};
        matrix_turn_product(columns, n, in, rest, out);
        for (size_t k = 0; k < rest; k++)
          for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int j = 0; j < n; j++)
              sum += in[(size_t)j * rest + k] * columns.columns[j * columns.stride + i];
            CHECK(out[k * m + (size_t)i] == sum);
          }
      }
    }
  arena_free(arena);
}

static void test_small_loops(void)
{
  struct rng r = rng_stream(1, 2);
  for (size_t n = 1; n <= 21; n++) {
    double x[21], y[21], z[21], best[21], dot = 0, sum = 0, size = 0, least = HUGE_VAL, most = -HUGE_VAL;
    fill(&r, x, n);
    fill(&r, y, n);
    fill(&r, best, n);
    memcpy(z, best, sizeof z);
    matrix_least(n, 0.1, x, y, best);
    for (size_t i = 0; i < n; i++) {
      CHECK(best[i] == fmin(z[i], (x[i] + y[i]) + 0.1));
      dot += x[i] * y[i];
      sum += y[i] - x[i];
      size += fabs(y[i] - x[i]);
      least = fmin(least, y[i] - x[i]);
      most = fmax(most, y[i] - x[i]);
    }
    CHECK_NEAR(matrix_dot(n, x, y), dot, 1e-14);
    double a[21], b[21];
    memcpy(a, x, sizeof a);
    memcpy(b, y, sizeof b);
    struct matrix_range range = matrix_trade(n, a, b);
    CHECK(range.least == least && range.most == most);
    CHECK_NEAR(range.sum, sum, 1e-13);
    int choice[21], any = 0;
    for (size_t i = 0; i < n; i++)
      choice[i] = (int)(i * i) % 3;
    CHECK(matrix_select(n, choice, 2, x, z) == 0); /* no square leaves 2 */
    any = matrix_select(n, choice, 1, x, z);
    CHECK(any == (n > 1));
    for (size_t i = 0; i < n; i++)
      CHECK(z[i] == (choice[i] == 1 ? x[i] : 0));
    CHECK_NEAR(matrix_change(n, x, y, z), size, 1e-13);
    const double *const both[] = {x, y}, weights[] = {0.25, 3};
    double mixed[21];
    matrix_combine(n, 2, weights, both, mixed);
    for (size_t i = 0; i < n; i++)
      CHECK(z[i] == x[i] - y[i] && mixed[i] == 0.25 * x[i] + 3 * y[i]);
    for (size_t i = 0; i < n; i++)
      CHECK(a[i] == y[i] && b[i] == y[i] - x[i]);
  }
}

/* One frame at a time, then the shift, by sums over one axis: segment e of a process with any number of parameters. */
static void apply_plainly(const struct decision_process *process, int e, double *tensor, double *scratch)
{
  size_t grid = decision_grid(process), inner = grid;
  for (int p = 0; p < process->n_parameters; p++) {
    const struct decision_parameter *q = &process->parameters[p];
    size_t n = (size_t)q->n;
    double steps = q->relative ? -process->segments[e].turn * q->n / TWO_PI : 0, whole = floor(steps);
    inner /= n;
    for (int t = -1; t < process->segments[e].length; t++) { /* backwards in time: the shift is first */
      for (size_t k = 0; k < grid; k++) {
        size_t i = k / inner % n, base = k - i * inner;
        long j = (((long)i + (long)whole) % (long)n + (long)n) % (long)n;
        scratch[k] = 0;
        if (t < 0)
          scratch[k] = (1 - (steps - whole)) * tensor[base + (size_t)j * inner] +
                       (steps - whole) * tensor[base + (size_t)(j + 1) % n * inner];
        else
          for (size_t l = 0; l < n; l++)
            scratch[k] += q->chain[i * n + l] * tensor[base + l * inner];
      }
      memcpy(tensor, scratch, grid * sizeof *tensor);
    }
  }
}

static const struct random_request three = {.n_nodes = 5, .ways = 2, .shortest = 2, .longest = 9, .n_parameters = 3,
                                            .kinds = {RANDOM_DIRECTION, RANDOM_SPEED, RANDOM_GAIT}, .grid = {10, 7, 3},
                                            .keep = 0.9, .seed = 9};

static void check_operators(const struct decision_process *process)
{
  struct arena *arena = arena_new();
  struct decision_operators *back = decision_operators(arena, process, 0),
                                    *forward = decision_operators(arena, process, 1);
  size_t grid = back->grid;
  double *x = ARENA_NEW(arena, grid, double), *y = ARENA_NEW(arena, grid, double), *z = ARENA_NEW(arena, grid, double);
  double *ones = ARENA_NEW(arena, grid, double), *scratch = ARENA_NEW(arena, grid, double);
  struct rng r = rng_stream(4, 4);
  for (int e = 0; e < process->n_segments; e++) {
    fill(&r, x, grid);
    fill(&r, y, grid);
    memcpy(z, x, grid * sizeof *z);
    apply_plainly(process, e, z, scratch);
    const double *Tx = decision_apply(back, e, x);
    for (size_t i = 0; i < grid; i++) {
      CHECK_NEAR(Tx[i], z[i], 1e-12);
      ones[i] = 1;
    }
    CHECK_NEAR(matrix_dot(grid, y, Tx), matrix_dot(grid, decision_apply(forward, e, y), x), 1e-11); /* transposes */
    const double *T1 = decision_apply(back, e, ones);
    for (size_t i = 0; i < grid; i++)
      CHECK_NEAR(T1[i], 1, 1e-13);
  }
  arena_free(arena);
}

static void test_operators(void)
{
  struct arena *arena = arena_new();
  struct decision_process *process = random_process(arena, &three);
  check_operators(process);
  /* the same circle, but for one row no longer the same all around: the other way to store it */
  struct decision_parameter parameters[3];
  double chain[100];
  memcpy(parameters, process->parameters, sizeof parameters);
  memcpy(chain, parameters[0].chain, sizeof chain);
  chain[31] += 0.05;
  chain[33] -= 0.05;
  chain[33] = fabs(chain[33]);
  double sum = 0;
  for (int j = 0; j < 10; j++)
    sum += chain[30 + j];
  for (int j = 0; j < 10; j++)
    chain[30 + j] /= sum;
  parameters[0].chain = chain;
  process->parameters = parameters;
  check_operators(process);
  arena_free(arena);
}

/* A turn by three points with a chain that keeps theta moves values by three points, exactly. */
static void test_whole_turns(void)
{
  struct arena *arena = arena_new();
  struct random_request r = {.n_nodes = 5, .ways = 2, .shortest = 2, .longest = 9, .n_parameters = 1,
                             .kinds = {RANDOM_DIRECTION},
                             .grid = {36}, .keep = 1, .seed = 9};
  struct decision_process *process = random_process(arena, &r);
  struct decision_segment *segments = ARENA_NEW(arena, (size_t)process->n_segments, struct decision_segment);
  memcpy(segments, process->segments, (size_t)process->n_segments * sizeof *segments);
  process->segments = segments;
  for (int k = -40; k <= 40; k += 8) {
    double x[36];
    struct rng stream = rng_stream(8, (uint64_t)k);
    fill(&stream, x, 36);
    segments[1].turn = k * TWO_PI / 36;
    const double *Tx = decision_apply(decision_operators(arena, process, 0), 1, x);
    for (int i = 0; i < 36; i++)
      CHECK_NEAR(Tx[i], x[((i - k) % 36 + 36) % 36], 1e-14);
  }
  arena_free(arena);
}

/* Horner against the sum of K^t c_t. */
static void test_expect(void)
{
  struct arena *arena = arena_new();
  const struct decision_process *process = random_process(arena, &three);
  const struct decision_parameter *p = &process->parameters[1];
  int n = p->n, length = 6;
  double cost[6 * 7], r[7], sum[7] = {0}, now[7], next[7];
  struct rng stream = rng_stream(2, 2);
  fill(&stream, cost, sizeof cost / sizeof *cost);
  decision_expect(p, length, cost, r);
  for (int start = 0; start < n; start++) {
    memset(now, 0, sizeof now);
    now[start] = 1;
    for (int t = 0; t < length; t++) {
      for (int i = 0; i < n; i++)
        sum[start] += now[i] * cost[t * n + i];
      memset(next, 0, sizeof next);
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
          next[j] += now[i] * p->chain[i * n + j];
      memcpy(now, next, sizeof now);
    }
    CHECK_NEAR(r[start], sum[start], 1e-13);
  }
  arena_free(arena);
}

/* Every node once; around a cycle only one segment goes against the order. */
static void test_order(void)
{
  struct arena *arena = arena_new();
  struct random_request r = three;
  r.n_nodes = 5;
  r.ways = 1;
  const struct decision_process *process = random_process(arena, &r);
  int order[5], place[5], against = 0;
  decision_order(process, order, place);
  for (int e = 0; e < process->n_segments; e++)
    against += place[process->segments[e].to] >= place[process->segments[e].from];
  CHECK_INT(against, 1);
  for (int k = 0; k < 5; k++)
    CHECK_INT(place[order[k]], k);
  arena_free(arena);
}

int main(void)
{
  test_product();
  test_small_loops();
  test_operators();
  test_whole_turns();
  test_expect();
  test_order();
  return test_finish();
}
