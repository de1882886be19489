/* Values: a process solved by pencil, all policies of small ones, bounds, more segments, warm starts, grids,
 * refusals. */
#include "check.h"
#include "policy/contract.h"
#include "policy/influence.h"
#include "policy/random_process.h"
#include "policy/small_process.h"

static const struct random_request direction = {.n_nodes = 15, .ways = 2, .shortest = 4, .longest = 20,
                                                .n_parameters = 1,
                                                .kinds = {RANDOM_DIRECTION}, .grid = {24}, .keep = 0.96, .seed = 3};
static const struct random_request two = {.n_nodes = 10, .ways = 2, .shortest = 4, .longest = 20, .n_parameters = 2,
                                          .kinds = {RANDOM_DIRECTION, RANDOM_SPEED}, .grid = {12, 10}, .keep = 0.96,
                                          .seed = 5};

static struct values *solve(struct arena *arena, const struct decision_process *process, double relative)
{
  struct values_options o;
  values_defaults(&o);
  o.relative = relative;
  return values_solve(arena, process, &o);
}

/* By pencil. theta is a fresh coin in every frame. At node 0: a, back to 0, one frame, costs 0 on heads and 4 on tails;
 * b, to node 1, XX frames, costs 3. At node 1: c, to 0, one frame, costs 1. Let v be the mean value at 0; c is worth 1
 * - g + v. On heads a costs 0 - g + v and b 3 - 2 g + (1 - g + v) = 4 - 3 g + v; on tails a costs 4 - g + v. With a on
 * heads and b on tails a round from 0 costs (0 + 4) / 2 and takes (1 + 3) / 2 frames: g = 1, and both choices are
 * right, since 1 < 2 and 1 > 0. Then V = (v - 1, v + 1) at 0 and (v, v) at 1. Choices: a, b and c are a third each. */
static void test_pencil(void)
{
  struct arena *arena = arena_new();
  static const double coin[] = {0.5, 0.5, 0.5, 0.5}, a[] = {0, 4}, b[] = {1, 1}, c[] = {0, 0};
  static const double *const costs[] = {a, b, c};
  const struct decision_parameter parameter = {.n = 2, .chain = coin};
  const struct decision_segment segments[] = {{.from = 0, .to = 0, .length = 1, .cost = costs},
                                              {.from = 0, .to = 1, .length = 2, .constant = 2, .cost = costs + 1},
                                              {.from = 1, .to = 0, .length = 1, .constant = 1, .cost = costs + 2}};
  static const int first[] = {0, 2, 3};
  const struct decision_process process = {1, 2, 3, &parameter, segments, first};
  const struct values *v = solve(arena, &process, 1e-12);
  static const double expected[] = {-1, 1, 0, 0};
  static const int choice[] = {0, 1, 2, 2};
  CHECK_INT(v->status, VALUES_SOLVED);
  CHECK_NEAR(v->g, 1, 1e-9);
  for (int i = 0; i < 4; i++) {
    CHECK_NEAR(v->V[i] - v->V[2], expected[i], 1e-8);
    CHECK_INT(v->choice[i], choice[i]);
  }
  struct influence_options o;
  influence_defaults(&o);
  o.defect = 1e-12;
  const struct influence *f = influence_solve(arena, &process, v, &o);
  CHECK(f->solved);
  CHECK_NEAR(f->cost, 1, 1e-10);
  CHECK_NEAR(f->frames, 4.0 / 3, 1e-10);
  for (int e = 0; e < 3; e++)
    CHECK_NEAR(f->mass[e], 1.0 / 3, 1e-10);
  CHECK_NEAR(f->theta[1][0], 0, 1e-12); /* b is taken on tails */
  CHECK_NEAR(f->theta[1][1], 1, 1e-12);
  arena_free(arena);
}

/* The least cost of all policies, each by its own linear system, is g. */
static void test_all_policies(void)
{
  for (uint64_t seed = 0; seed < 6; seed++) {
    struct arena *arena = arena_new();
    const struct decision_process *process = small_process(arena, seed);
    double least = small_best(process);
    const struct values *v = solve(arena, process, 1e-8);
    struct influence_options o;
    influence_defaults(&o);
    o.defect = 1e-10;
    const struct influence *f = influence_solve(arena, process, v, &o);
    CHECK_INT(v->status, VALUES_SOLVED);
    CHECK_NEAR(v->g, least, 1e-7 * fabs(least));
    CHECK(v->lower <= least + 1e-12 && least <= v->upper + 1e-12);
    CHECK_NEAR(f->cost, small_cost(process, v->choice), 1e-8);
    arena_free(arena);
  }
}

/* Whatever the number of sweeps, with and without acceleration, no bound is wrong. */
static void test_bounds(void)
{
  struct arena *arena = arena_new();
  const struct random_request *requests[] = {&direction, &two};
  for (int k = 0; k < 2; k++) {
    const struct decision_process *process = random_process(arena, requests[k]);
    double g = solve(arena, process, 1e-9)->g, slack = 1e-8 * g;
    for (int depth = 0; depth <= DECISION_HISTORY; depth += 4)
      for (int sweeps = 1; sweeps < 40; sweeps += sweeps < 12 ? 1 : 7) {
        struct values_options o;
        struct influence_options fine;
        values_defaults(&o);
        influence_defaults(&fine);
        fine.defect = 1e-9;
        o.max_sweeps = sweeps;
        o.depth = depth;
        const struct values *v = values_solve(arena, process, &o);
        CHECK(v->lower <= g + slack && g <= v->upper + slack);
        const struct influence *f = influence_solve(arena, process, v, &fine);
        CHECK(f->solved && f->cost <= v->upper + slack && f->cost >= g - slack);
        if (v->status == VALUES_SOLVED)
          CHECK(v->upper - v->lower <= 1.0001e-4 * v->g && v->lower <= v->g && v->g <= v->upper);
      }
  }
  arena_free(arena);
}

/* One more clip, and one more: never worse; and from the values before, the same in fewer sweeps. */
static void test_more_clips(void)
{
  struct arena *arena = arena_new();
  struct random_request r = two;
  int map[20], cold = 0, warm = 0, n = 0;
  const struct values *before = solve(arena, random_process(arena, &r), 1e-6);
  for (r.extra = 1; r.extra <= 6; r.extra++) {
    const struct decision_process *process = random_process(arena, &r);
    const struct values *v = solve(arena, process, 1e-6);
    struct values_options o;
    values_defaults(&o);
    o.relative = 1e-6;
    o.start = before;
    o.start_node = map;
    for (n = 0; n < process->n_nodes; n++)
      map[n] = n < before->n_nodes ? n : -1;
    const struct values *again = values_solve(arena, process, &o);
    CHECK_INT(v->status, VALUES_SOLVED);
    CHECK_INT(again->status, VALUES_SOLVED);
    CHECK(v->g <= before->g * (1 + 1e-6));
    CHECK_NEAR(again->g, v->g, 1e-6 * v->g);
    cold += v->sweeps;
    warm += again->sweeps;
    before = v;
  }
  CHECK(warm < cold);
  arena_free(arena);
}

/* Finer grids settle: each doubling changes g by less. */
static void test_grids(void)
{
  struct arena *arena = arena_new();
  struct random_request r = direction;
  double g[4];
  for (int k = 0; k < 4; k++) {
    r.grid[0] = 12 << k;
    g[k] = solve(arena, random_process(arena, &r), 1e-7)->g;
  }
  CHECK(fabs(g[1] - g[2]) < fabs(g[0] - g[1]));
  CHECK(fabs(g[2] - g[3]) < fabs(g[1] - g[2]));
  CHECK_NEAR(g[2], g[3], 0.02 * g[3]);
  arena_free(arena);
}

/* The coarse start and the acceleration change how many sweeps it takes, not what comes out. A patient user makes it
 * slow. */
static void test_shortcuts(void)
{
  struct arena *arena = arena_new();
  struct random_request r = direction;
  r.grid[0] = 36;
  r.keep = 0.995;
  const struct decision_process *process = random_process(arena, &r);
  const struct values *v[3];
  for (int k = 0; k < 3; k++) {
    struct values_options o;
    values_defaults(&o);
    o.coarse = k == 2;
    o.depth = k ? 3 : 0;
    o.relative = 1e-6;
    v[k] = values_solve(arena, process, &o);
    CHECK_INT(v[k]->status, VALUES_SOLVED);
    CHECK_INT(v[k]->retreats, 0);
    CHECK_NEAR(v[k]->g, v[0]->g, 1e-6 * v[0]->g);
  }
  CHECK(v[1]->sweeps < v[0]->sweeps);
  CHECK(v[2]->coarse_sweeps > 0 && v[2]->sweeps < v[1]->sweeps);
  arena_free(arena);
}

/* All costs turned around the circle by five points: the same g, the values turned with them. */
static void test_turned(void)
{
  struct arena *arena = arena_new();
  struct decision_process *process = random_process(arena, &direction), turned = *process;
  int n = process->parameters[0].n;
  struct decision_segment *segments = ARENA_NEW(arena, (size_t)process->n_segments, struct decision_segment);
  for (int e = 0; e < process->n_segments; e++) {
    double *cost = ARENA_NEW(arena, (size_t)n, double);
    const double **costs = ARENA_NEW(arena, 1, const double *);
    for (int i = 0; i < n; i++)
      cost[(i + 5) % n] = process->segments[e].cost[0][i];
    costs[0] = cost;
    segments[e] = process->segments[e];
    segments[e].cost = costs;
  }
  turned.segments = segments;
  const struct values *v = solve(arena, process, 1e-9), *w = solve(arena, &turned, 1e-9);
  CHECK_NEAR(v->g, w->g, 1e-9);
  for (int node = 0; node < process->n_nodes; node++)
    for (int i = 0; i < n; i++)
      CHECK_NEAR(v->V[node * n + i], w->V[node * n + (i + 5) % n], 1e-5);
  arena_free(arena);
}

/* Q of the choice is the least, and it is V, as near as the bounds are. */
static void test_q(void)
{
  struct arena *arena = arena_new();
  const struct decision_process *p = random_process(arena, &two);
  const struct values *v = solve(arena, p, 1e-7);
  float *q = ARENA_NEW(arena, (size_t)p->n_segments * v->grid, float);
  values_q(p, v, q);
  for (int node = 0; node < p->n_nodes; node++)
    for (size_t i = 0; i < v->grid; i++) {
      float chosen = q[(size_t)v->choice[(size_t)node * v->grid + i] * v->grid + i];
      for (int e = p->first_segment[node]; e < p->first_segment[node + 1]; e++)
        CHECK(chosen <= q[(size_t)e * v->grid + i] + 1e-5f);
      CHECK_NEAR(chosen, v->V[(size_t)node * v->grid + i], 1e-4);
    }
  arena_free(arena);
}

static void test_same_bytes(void)
{
  struct arena *arena = arena_new();
  const struct decision_process *process = random_process(arena, &two);
  const struct values *v = solve(arena, process, 1e-6), *w = solve(arena, process, 1e-6);
  CHECK(memcmp(v->V, w->V, sizeof(double) * v->grid * (size_t)v->n_nodes) == 0);
  CHECK(memcmp(v->choice, w->choice, sizeof(int) * v->grid * (size_t)v->n_nodes) == 0);
  CHECK(v->g == w->g && v->lower == w->lower && v->upper == w->upper && v->sweeps == w->sweeps);
  arena_free(arena);
}

/* A parameter that never changes has a different average for each of its values: the bounds stay apart, and stay
 * true. */
static void test_stuck(void)
{
  struct arena *arena = arena_new();
  struct random_request r = two;
  struct values_options o;
  r.keep = 1;
  values_defaults(&o);
  o.max_sweeps = 300;
  const struct values *v = values_solve(arena, random_process(arena, &r), &o);
  CHECK_INT(v->status, VALUES_SWEEPS);
  CHECK(v->upper > v->lower && v->retreats > 0);
  arena_free(arena);
}

static const char *refusal(struct arena *arena, const struct decision_process *process, size_t memory)
{
  struct values_options o;
  values_defaults(&o);
  o.memory = memory;
  const struct values *v = values_solve(arena, process, &o);
  return v->status == VALUES_REFUSED ? v->complaint.words : "";
}

static void test_refusals(void)
{
  struct arena *arena = arena_new();
  struct decision_process *process = random_process(arena, &two), bad = *process;
  struct decision_parameter parameters[2] = {process->parameters[0], process->parameters[1]};
  struct decision_segment *segments = ARENA_NEW(arena, (size_t)process->n_segments, struct decision_segment);
  CHECK_STR(refusal(arena, process, DECISION_MEMORY), "");
  CHECK_STR(refusal(arena, process, 100000), "a grid of 12 x 10 over 10 nodes needs 0.4 MB and 0.1 MB are allowed; 5 x "
                                             "6 would fit");
  CHECK_STR(refusal(arena, process, 10), "a grid of 12 x 10 over 10 nodes needs 0.4 MB and 0.0 MB are allowed; no grid "
                                         "would fit");
  memcpy(segments, process->segments, (size_t)process->n_segments * sizeof *segments);
  bad.segments = segments;
  segments[3].length = 0;
  CHECK_STR(refusal(arena, &bad, DECISION_MEMORY), "segment 3 must last at least one frame, got 0");
  segments[3].length = 4;
  segments[3].to = 10;
  CHECK_STR(refusal(arena, &bad, DECISION_MEMORY), "segment 3 ends at a node that does not exist, 10");
  segments[3].to = 0;
  segments[3].constant = NAN;
  CHECK(strstr(refusal(arena, &bad, DECISION_MEMORY), "turn and cost of segment 3 must be numbers"));
  bad = *process;
  bad.parameters = parameters;
  double chain[144];
  memcpy(chain, parameters[0].chain, sizeof chain);
  parameters[0].chain = chain;
  chain[7] += 1e-3;
  CHECK_STR(refusal(arena, &bad, DECISION_MEMORY), "a row of the chain of parameter 0 must sum to 1, got 1.001");
  chain[7] = -1;
  CHECK_STR(refusal(arena, &bad, DECISION_MEMORY), "the chain of parameter 0 has a negative probability, -1");
  arena_free(arena);
}

/* Four parameters: thirty clips fit into the memory allowed; a smaller graph is solved. */
static void test_four(void)
{
  struct arena *arena = arena_new();
  struct random_request r = {.n_nodes = 60, .ways = 2, .shortest = 8, .longest = 40, .n_parameters = 4,
                             .kinds = {RANDOM_DIRECTION, RANDOM_TORSO, RANDOM_SPEED, RANDOM_GAIT},
                             .grid = {24, 24, 8, 4},
                             .keep = 0.97, .seed = 2};
  CHECK(decision_memory(random_process(arena, &r)) < DECISION_MEMORY);
  r.n_nodes = 5;
  const struct decision_process *process = random_process(arena, &r);
  const struct values *v = solve(arena, process, 1e-3);
  struct influence_options o;
  influence_defaults(&o);
  o.defect = 1e-5;
  const struct influence *f = influence_solve(arena, process, v, &o);
  CHECK_INT(v->status, VALUES_SOLVED);
  CHECK(f->solved && f->cost >= v->lower - 1e-5 && f->cost <= v->upper + 1e-5);
  arena_free(arena);
}

/* Nodes without a choice may be left out: the same cost, and the same values where there is one. Every second node of
 * the random process loses its second way. */
static void test_contraction(const struct random_request *r)
{
  struct arena *arena = arena_new();
  struct decision_process p = *random_process(arena, r);
  struct decision_segment *segments = ARENA_NEW(arena, (size_t)p.n_segments, struct decision_segment);
  int n = 0, *first = ARENA_NEW(arena, (size_t)p.n_nodes + 1, int);
  for (int e = 0; e < p.n_segments; e++)
    if (e == p.first_segment[p.segments[e].from] || p.segments[e].from % 2 == 0)
      segments[n++] = p.segments[e];
  decision_index(segments, n, p.n_nodes, first);
  p.segments = segments, p.n_segments = n, p.first_segment = first;
  struct values_options o;
  values_defaults(&o);
  o.relative = 1e-7;
  struct contraction c = contract(arena, decision_operators(arena, &p, 0));
  const struct decision_process *small = c.operators->process;
  const struct values *all = values_solve(arena, &p, &o), *few = values_solve_operators(arena, c.operators, &o);
  CHECK(small->n_nodes < p.n_nodes - 3 && small->n_segments < p.n_segments && small->n_nodes > 1);
  CHECK(all->status == VALUES_SOLVED && few->status == VALUES_SOLVED);
  CHECK_NEAR(few->g, all->g, 2e-7 * fabs(all->g));
  double apart = few->V[0] - all->V[(size_t)c.node[0] * all->grid];
  for (int i = 0; i < small->n_nodes; i++)
    for (size_t k = 0; k < all->grid; k++) {
      size_t here = (size_t)i * all->grid + k, there = (size_t)c.node[i] * all->grid + k;
      CHECK_NEAR(few->V[here] - apart, all->V[there], 1e-3);
      CHECK(c.segment[few->choice[here]] == all->choice[there] || fabs(few->V[here] - apart - all->V[there]) < 1e-3);
    }
  arena_free(arena);
}

int main(void)
{
  test_pencil();
  test_all_policies();
  test_bounds();
  test_more_clips();
  test_grids();
  test_shortcuts();
  test_turned();
  test_q();
  test_same_bytes();
  test_stuck();
  test_refusals();
  test_four();
  test_contraction(&direction);
  test_contraction(&two);
  return test_finish();
}
