/* Decision processes at random. */
#include "policy/random_process.h"

#include <math.h>

#include "base/rng.h"

#define TWO_PI 6.283185307179586
#define CYCLE 5 /* nodes of a cyclic clip */

struct features { double turn, torso, speed; int gait, gait_after; };

static double *chain(struct arena *arena, enum random_kind kind, int n, double keep)
{
  double *K = ARENA_NEW(arena, (size_t)n * (size_t)n, double);
  double drift = kind == RANDOM_GAIT ? 0 : 0.8 * (1 - keep), jump = 1 - keep - drift, width = 0.07; /* 4 degrees */
  double cell = kind == RANDOM_SPEED ? 1.0 / n : TWO_PI / n;
  for (int i = 0; i < n; i++) {
    double sum = 0, g[n];
    for (int j = 0; j < n; j++) {
      int steps = kind == RANDOM_SPEED ? j - i : (j - i + n + n / 2) % n - n / 2;
      g[j] = exp(-0.5 * pow(steps * cell / width, 2));
      sum += g[j];
    }
    for (int j = 0; j < n; j++)
      K[i * n + j] = (i == j ? keep : 0) + jump / n + drift * g[j] / sum;
  }
  return K;
}

/* Cost of one frame, a part of the way through the segment. */
static double frame_cost(enum random_kind kind, const struct features *f, double part, double theta)
{
  switch (kind) {
  case RANDOM_DIRECTION: return 1 - cos(theta - f->turn * part);
  case RANDOM_TORSO: return 0.5 * (1 - cos(theta - f->turn * part - f->torso));
  case RANDOM_SPEED: return 2 * pow(theta - f->speed, 2);
  default: return 0.5 * (theta != (part < 0.5 ? f->gait : f->gait_after));
  }
}

static double *segment_cost(struct arena *arena, const struct decision_parameter *p, enum random_kind kind,
                            const struct features *f, int length)
{
  struct arena *scratch = arena_new();
  double *out = ARENA_NEW(arena, (size_t)p->n, double), *c = ARENA_NEW(scratch, (size_t)(p->n * length), double);
  for (int t = 0; t < length; t++)
    for (int i = 0; i < p->n; i++) {
      double theta = kind == RANDOM_GAIT ? i : kind == RANDOM_SPEED ? (i + 0.5) / p->n : TWO_PI * i / p->n;
      c[t * p->n + i] = frame_cost(kind, f, (double)t / length, theta);
    }
  decision_expect(p, length, c, out);
  arena_free(scratch);
  return out;
}

/* Where segments start and end, sorted by start: way 0 around the cycle, the others anywhere, then those of added
 * clips. */
static int connect(const struct random_request *q, struct decision_segment *segments, int *item)
{
  int n = 0;
  for (int node = 0; node < q->n_nodes + q->extra; node++) {
    int first = node / CYCLE * CYCLE, nodes = q->n_nodes - first < CYCLE ? q->n_nodes - first : CYCLE;
    for (int way = 0; node < q->n_nodes ? way < q->ways : way < 2; way++) {
      item[n] = node < q->n_nodes ? node * q->ways + way : -(2 * node + way);
      struct rng r = rng_stream(q->seed + 1, (uint64_t)item[n]);
      segments[n++] = (struct decision_segment){
          .from = node, .to = way == 0 && node < q->n_nodes ? first + (node - first + 1) % nodes
                  : rng_below(&r, q->n_nodes)};
    }
    for (int k = 0; k < q->extra; k++) {
      struct rng r = rng_stream(q->seed + 2, (uint64_t)k);
      if (node == rng_below(&r, q->n_nodes)) {
        item[n] = -100000 - k;
        segments[n++] = (struct decision_segment){.from = node, .to = q->n_nodes + k};
      }
    }
  }
  return n;
}

/* What a segment does. Those of way 0 go straight on at little effort. */
static struct features draw(const struct random_request *q, int item, struct decision_segment *s)
{
  struct rng r = rng_stream(q->seed, (uint64_t)item);
  int straight = item >= 0 && item % q->ways == 0, cycle = s->from / CYCLE;
  double turn = rng_uniform(&r, -1.6, 1.6), effort = rng_uniform(&r, 0, 0.2);
  s->length = q->shortest + rng_below(&r, q->longest - q->shortest + 1);
  s->turn = straight ? 0 : turn;
  struct features f = {.turn = s->turn, .torso = 0.4 * sin(cycle), .speed = 0.2 + 0.6 * fabs(sin(2.0 * cycle)),
                       .gait = cycle % 4,
                       .gait_after = s->to / CYCLE % 4};
  s->constant = s->length * (straight ? 0.02 * (cycle % 3) : effort * fabs(turn));
  return f;
}

struct decision_process *random_process(struct arena *arena, const struct random_request *q)
{
  struct decision_process *process = ARENA_NEW(arena, 1, struct decision_process);
  int P = q->n_parameters, n_nodes = q->n_nodes + q->extra, most = q->n_nodes * q->ways + 3 * q->extra;
  struct decision_parameter *parameters = ARENA_NEW(arena, (size_t)P, struct decision_parameter);
  struct decision_segment *segments = ARENA_NEW(arena, (size_t)most, struct decision_segment);
  int *first = ARENA_NEW(arena, (size_t)n_nodes + 1, int), *item = ARENA_NEW(arena, (size_t)most, int);
  for (int p = 0; p < P; p++)
    parameters[p] = (struct decision_parameter){.n = q->grid[p], .relative = q->kinds[p] <= RANDOM_TORSO,
                                                .chain = chain(arena, q->kinds[p], q->grid[p], q->keep)};
  int n = connect(q, segments, item);
  for (int e = 0; e < n; e++) {
    struct features f = draw(q, item[e], &segments[e]);
    const double **cost = ARENA_NEW(arena, (size_t)P, const double *);
    for (int p = 0; p < P; p++)
      cost[p] = segment_cost(arena, &parameters[p], q->kinds[p], &f, segments[e].length);
    segments[e].cost = cost;
  }
  decision_index(segments, n, n_nodes, first);
  *process = (struct decision_process){P, n_nodes, n, parameters, segments, first};
  return process;
}
