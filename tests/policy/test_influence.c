/* Influence: against particles that play the policy, and against what must hold for any stationary distribution. */
#include "base/rng.h"
#include "check.h"
#include "policy/influence.h"
#include "policy/random_process.h"

#define TWO_PI 6.283185307179586

static const struct random_request two = {.n_nodes = 10, .ways = 2, .shortest = 4, .longest = 20, .n_parameters = 2,
                                          .kinds = {RANDOM_DIRECTION, RANDOM_SPEED}, .grid = {12, 10}, .keep = 0.96,
                                          .seed = 5};

static struct influence *solve(struct arena *arena, const struct decision_process *process, struct values **values)
{
  struct values_options o;
  struct influence_options fine;
  values_defaults(&o);
  influence_defaults(&fine);
  fine.defect = 1e-9;
  *values = values_solve(arena, process, &o);
  return influence_solve(arena, process, *values, &fine);
}

/* ---- particles ---- */

static int draw(struct rng *r, const double *weights, int n)
{
  double u = rng_uniform(r, 0, 1);
  int i = 0;
  while (i < n - 1 && (u -= weights[i]) >= 0)
    i++;
  return i;
}

struct tally { double cost, frames, choices, taken[64]; };

/* Plays n choices; on the grid: where the shift falls between two points, it takes a random one of them. */
static void play(const struct decision_process *process, const int *choice, struct rng *r, int n, struct tally *tally)
{
  int node = rng_below(r, process->n_nodes), P = process->n_parameters, at[DECISION_MAX_PARAMETERS];
  for (int p = 0; p < P; p++)
    at[p] = rng_below(r, process->parameters[p].n);
  for (int k = -100; k < n; k++) { /* the first hundred are not counted */
    size_t point = 0;
    for (int p = 0; p < P; p++)
      point = point * (size_t)process->parameters[p].n + (size_t)at[p];
    int e = choice[(size_t)node * decision_grid(process) + point];
    const struct decision_segment *s = &process->segments[e];
    double cost = s->constant;
    for (int p = 0; p < P; p++) {
      const struct decision_parameter *q = &process->parameters[p];
      cost += s->cost[p][at[p]];
      for (int t = 0; t < s->length; t++)
        at[p] = draw(r, q->chain + at[p] * q->n, q->n);
      double to = at[p] - (q->relative ? s->turn * q->n / TWO_PI : 0), low = floor(to);
      at[p] = (((int)low + (rng_uniform(r, 0, 1) < to - low)) % q->n + q->n) % q->n;
    }
    node = s->to;
    if (k >= 0) {
      tally->cost += cost;
      tally->frames += s->length;
      tally->choices++;
      tally->taken[e]++;
    }
  }
}

/* Thirty independent plays: the mean is within four standard errors, for the cost and for how often each segment is
 * taken. */
static void test_particles(void)
{
  enum { PLAYS = 30 };
  struct arena *arena = arena_new();
  const struct decision_process *process = random_process(arena, &two);
  struct values *v;
  const struct influence *f = solve(arena, process, &v);
  double sum = 0, square = 0, taken[64] = {0}, taken_square[64] = {0};
  for (uint64_t k = 0; k < PLAYS; k++) {
    struct tally tally = {0};
    struct rng r = rng_stream(77, k);
    play(process, v->choice, &r, 2000, &tally);
    double cost = tally.cost / tally.frames;
    sum += cost / PLAYS;
    square += cost * cost / PLAYS;
    for (int e = 0; e < process->n_segments; e++) {
      double share = tally.taken[e] / tally.choices;
      taken[e] += share / PLAYS;
      taken_square[e] += share * share / PLAYS;
    }
  }
  double error = sqrt((square - sum * sum) / (PLAYS - 1));
  CHECK(error < 0.02 * f->cost);
  CHECK_NEAR(f->cost, sum, 4 * error);
  CHECK_NEAR(v->g, sum, 4 * error);
  for (int e = 0; e < process->n_segments; e++)
    CHECK_NEAR(f->mass[e], taken[e], 4 * sqrt((taken_square[e] - taken[e] * taken[e]) / (PLAYS - 1)) + 1e-4);
  arena_free(arena);
}

/* ---- what must hold ---- */

static void test_sums(void)
{
  struct arena *arena = arena_new();
  const struct decision_process *process = random_process(arena, &two);
  struct values *v;
  const struct influence *f = solve(arena, process, &v);
  double total = 0, frames = 0;
  CHECK(f->solved);
  CHECK(f->cost >= v->lower - 1e-9 && f->cost <= v->upper + 1e-9);
  for (int e = 0; e < process->n_segments; e++) {
    total += f->mass[e];
    frames += influence_of_frame(f, e) * process->segments[e].length;
    for (int p = 0; p < 2; p++)
      for (int t = 0; t < process->segments[e].length; t += 3) {
        double theta[12], sum = 0;
        influence_at(process, f, e, t, p, theta);
        for (int i = 0; i < process->parameters[p].n; i++) {
          CHECK(theta[i] >= 0);
          sum += theta[i];
        }
        CHECK_NEAR(sum, f->mass[e] > 0 ? 1 : 0, 1e-10);
      }
  }
  CHECK_NEAR(total, 1, 1e-10);
  CHECK_NEAR(frames, 1, 1e-10);
  for (size_t i = 0; i < f->grid * (size_t)f->n_nodes; i++)
    CHECK(f->state[i] >= 0);
  arena_free(arena);
}

/* A parameter that does not turn moves by its chain whatever is chosen: over all frames it is distributed as its chain
 * is. */
static void test_speed_is_free(void)
{
  struct arena *arena = arena_new();
  const struct decision_process *process = random_process(arena, &two);
  struct values *v;
  const struct influence *f = solve(arena, process, &v);
  const struct decision_parameter *q = &process->parameters[1];
  double all[10] = {0}, theta[10], own[10], next[10];
  for (int e = 0; e < process->n_segments; e++)
    for (int t = 0; t < process->segments[e].length; t++) {
      influence_at(process, f, e, t, 1, theta);
      for (int i = 0; i < q->n; i++)
        all[i] += influence_of_frame(f, e) * theta[i];
    }
  for (int i = 0; i < q->n; i++)
    own[i] = 1.0 / q->n;
  for (int k = 0; k < 20000; k++) {
    memset(next, 0, sizeof next);
    for (int i = 0; i < q->n; i++)
      for (int j = 0; j < q->n; j++)
        next[j] += own[i] * q->chain[i * q->n + j];
    memcpy(own, next, sizeof own);
  }
  for (int i = 0; i < q->n; i++)
    CHECK_NEAR(all[i], own[i], 1e-7);
  arena_free(arena);
}

/* A graph that is one cycle of five: without half steps mass would go around for ever. Then the same from an earlier
 * one. */
static void test_cycle(void)
{
  struct arena *arena = arena_new();
  struct random_request r = two;
  r.n_nodes = 5;
  r.ways = 1;
  const struct decision_process *process = random_process(arena, &r);
  for (int depth = 0; depth <= 3; depth += 3) {
    struct values_options o;
    struct influence_options fine;
    values_defaults(&o);
    influence_defaults(&fine);
    fine.depth = o.depth = depth;
    const struct values *v = values_solve(arena, process, &o);
    const struct influence *f = influence_solve(arena, process, v, &fine);
    CHECK_INT(v->status, VALUES_SOLVED);
    CHECK(f->solved);
    for (int e = 0; e < 5; e++)
      CHECK_NEAR(f->mass[e], 0.2, 1e-5);
    fine.start = f;
    const struct influence *again = influence_solve(arena, process, v, &fine);
    CHECK(again->solved && again->sweeps <= f->sweeps);
    CHECK_NEAR(again->cost, f->cost, 1e-5);
  }
  arena_free(arena);
}

static void test_same_bytes(void)
{
  struct arena *arena = arena_new();
  const struct decision_process *process = random_process(arena, &two);
  struct values *v;
  const struct influence *f = solve(arena, process, &v), *g = solve(arena, process, &v);
  CHECK(memcmp(f->state, g->state, sizeof(double) * f->grid * (size_t)f->n_nodes) == 0);
  CHECK(f->cost == g->cost && f->sweeps == g->sweeps);
  arena_free(arena);
}

int main(void)
{
  test_particles();
  test_sums();
  test_speed_is_free();
  test_cycle();
  test_same_bytes();
  return test_finish();
}
