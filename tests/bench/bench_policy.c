/* How long values and influence take: graphs of thirty clips (60 nodes, 120 segments), one to four parameters; from
 * nothing, and warm after one more clip. Processor milliseconds of one core, medians; as a ratio against plain value
 * iteration in the same run. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "policy/influence.h"
#include "policy/random_process.h"

enum { MAX_RUNS = 51 };

static double milliseconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *x, int n)
{
  qsort(x, (size_t)n, sizeof *x, by_value);
  return x[n / 2];
}

/* Plain: V' = min_e [V + eta (R_e + T_e V - V) / L_e] until the bounds are as near; returns sweeps. */
static int plain(const struct decision_process *p, double relative, double *g)
{
  struct arena *arena = arena_new();
  const struct decision_operators *o = decision_operators(arena, p, 0);
  size_t grid = o->grid;
  double *V = ARENA_NEW(arena, grid * (size_t)p->n_nodes, double),
          *rate = ARENA_NEW(arena, grid * (size_t)p->n_nodes, double);
  double lower = -HUGE_VAL, upper = HUGE_VAL;
  int sweeps = 0, shortest = p->segments[0].length;
  for (int e = 0; e < p->n_segments; e++)
    shortest = p->segments[e].length < shortest ? p->segments[e].length : shortest;
  for (; sweeps < 3000 && (sweeps == 0 || upper - lower > relative * fabs(upper)); sweeps++) {
    lower = HUGE_VAL;
    upper = -HUGE_VAL;
    for (int node = 0; node < p->n_nodes; node++) {
      size_t at = (size_t)node * grid;
      for (size_t i = 0; i < grid; i++)
        rate[at + i] = HUGE_VAL;
      for (int e = p->first_segment[node]; e < p->first_segment[node + 1]; e++) {
        double *q = decision_apply(o, e, V + (size_t)p->segments[e].to * grid);
        decision_add_cost(p, e, 0, q);
        for (size_t i = 0; i < grid; i++) {
          double r = (q[i] - V[at + i]) / p->segments[e].length;
          rate[at + i] = r < rate[at + i] ? r : rate[at + i];
        }
      }
      for (size_t i = at; i < at + grid; i++) {
        lower = rate[i] < lower ? rate[i] : lower;
        upper = rate[i] > upper ? rate[i] : upper;
      }
    }
    for (size_t i = 0; i < grid * (size_t)p->n_nodes; i++)
      V[i] += 0.95 * shortest * (rate[i] - 0.5 * (lower + upper));
  }
  *g = 0.5 * (lower + upper);
  arena_free(arena);
  return sweeps;
}

struct result {
  double values[MAX_RUNS], influence[MAX_RUNS], g, cost, width;
  int coarse_sweeps, value_sweeps, influence_sweeps, retreats, solved;
};

/* Solves process runs times; with start, from there. The last results stay in the arena. */
static void measure(struct arena *arena, const struct decision_process *process, int runs, const struct values **v,
                    const struct influence **f, struct result *r)
{
  struct values_options o;
  struct influence_options io;
  int map[128];
  values_defaults(&o);
  influence_defaults(&io);
  for (int n = 0; n < process->n_nodes && *v; n++)
    map[n] = n < (*v)->n_nodes ? n : -1;
  o.start = *v;
  io.start = *f;
  o.start_node = io.start_node = *v ? map : NULL;
  const struct values *values = NULL;
  const struct influence *influence = NULL;
  for (int k = 0; k < runs; k++) {
    struct arena *own = k == runs - 1 ? arena : arena_new();
    double a = milliseconds();
    values = values_solve(own, process, &o);
    double b = milliseconds();
    influence = influence_solve(own, process, values, &io);
    r->values[k] = b - a;
    r->influence[k] = milliseconds() - b;
    if (own != arena)
      arena_free(own);
  }
  *v = values;
  *f = influence;
  r->g = values->g;
  r->width = (values->upper - values->lower) / values->g;
  r->cost = influence->cost;
  r->coarse_sweeps = values->coarse_sweeps;
  r->value_sweeps = values->sweeps;
  r->influence_sweeps = influence->sweeps;
  r->retreats = values->retreats + influence->retreats;
  r->solved = values->status == VALUES_SOLVED && influence->solved;
}

static double print(const char *name, struct result *r, int runs)
{
  double values = median(r->values, runs), influence = median(r->influence, runs);
  printf("  %-5s values %8.2f ms %2d + %3d sweeps   influence %8.2f ms %3d sweeps   together %8.2f ms   g %.6f (width "
         "%.0e) cost %.6f%s%s\n", name,
         values, r->coarse_sweeps, r->value_sweeps, influence, r->influence_sweeps, values + influence, r->g, r->width,
         r->cost,
         r->retreats ? " RETREATS" : "", r->solved ? "" : " NOT SOLVED");
  return values;
}

static void bench(const char *title, struct random_request q, int runs, int reference)
{
  static struct result cold, warm;
  struct arena *arena = arena_new();
  const struct values *v = NULL;
  const struct influence *f = NULL;
  const struct decision_process *process = random_process(arena, &q);
  printf("%s, keep %.3f: at most %.1f MB\n", title, q.keep, (double)decision_memory(process) * 1e-6);
  measure(arena, process, runs, &v, &f, &cold);
  double mine = print("cold", &cold, runs);
  q.extra = 1;
  measure(arena, random_process(arena, &q), runs, &v, &f, &warm);
  print("warm", &warm, runs);
  if (reference) {
    double g, a = milliseconds();
    int sweeps = plain(process, 1e-4, &g);
    double theirs = milliseconds() - a;
    printf("  plain values %8.2f ms %3d sweeps, g %.6f: %.1f times the time of cold\n", theirs, sweeps, g,
           theirs / mine);
  }
  fflush(stdout);
  arena_free(arena);
}

int main(void)
{
  struct random_request q = {.n_nodes = 60, .ways = 2, .shortest = 8, .longest = 40, .seed = 7,
                             .kinds = {RANDOM_DIRECTION, RANDOM_TORSO, RANDOM_SPEED, RANDOM_GAIT}};
  printf("60 nodes, 120 segments of 8 to 40 frames\n");
  for (int user = 0; user < 2; user++) {
    q.keep = user ? 0.995 : 0.975;
    q.n_parameters = 1;
    q.grid[0] = 72;
    bench("one parameter, 72", q, 21, 1);
    q.n_parameters = 2;
    q.grid[0] = q.grid[1] = 36;
    bench("two parameters, 36 x 36", q, 9, 1);
    q.n_parameters = 3;
    q.kinds[2] = RANDOM_GAIT;
    q.grid[2] = 8;
    bench("three parameters, 36 x 36 x 8", q, 3, !user);
  }
  q.n_parameters = 4;
  q.kinds[2] = RANDOM_SPEED;
  q.grid[0] = q.grid[1] = 24;
  q.grid[3] = 4;
  bench("four parameters, 24 x 24 x 8 x 4", q, 1, 0);
  return 0;
}
