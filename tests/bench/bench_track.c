/* Tracking, how fast: make bench.
 *
 * 1. Steps: windows of a walk followed in ODE, as a sample is (servos, contacts, targets between frames) and recorded
 *    as what is replayed is, against the time inside of ODE's own dWorldStep() in the same steps. The bar is 10 % more
 *    than that. The linker puts a clock around dWorldStep(), and rounds with it and without it take turns; of each
 *    window the quickest counts: the machine may be busy.
 * 2. Samples: windows simulated a second as sampling asks for them: 20 saved states, 12 samples from each, and only
 *    when all have come the next window. In ODE and in the surrogate simulator, with one worker, two and so on: by
 *    the clock on the wall, which says little on a busy machine, and what sharing out costs, in processor time. */
#include <ode/ode.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "follow/batches.h"
#include "follow/subject.h"
#include "follow/walk.h"
#include "zoo.h"

#define CYCLES  2
#define SECONDS 3.0             /* of rounds, for each line   */
#define STATES  20
#define SAMPLES 12              /* from each                  */

int __real_dWorldStep(dWorldID world, dReal step);
int __wrap_dWorldStep(dWorldID world, dReal step);

static double inside;           /* seconds spent in dWorldStep() */
static int with_clock;

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int __wrap_dWorldStep(dWorldID world, dReal step)
{
  if (!with_clock)
    return __real_dWorldStep(world, step);
  double start = now();
  int result = __real_dWorldStep(world, step);
  inside += now() - start;
  return result;
}

/* ---- steps ---- */

#define KINDS 3
#define WINDOWS 64
enum { SAMPLE, IN_ODE, RECORDED };

/* Half a cycle from the reference on, by its own torques: long before anything falls. For each window the quickest so
 * far: a window is short enough to be left alone on a busy machine now and then. 0: it fell. */
static int round_of(struct rollout *ro, struct follow_motion *motion, int kind, int windows, double *best)
{
  with_clock = kind == IN_ODE;
  rollout_start(ro, 0, NULL);
  for (int w = 0; w < windows; w++) {
    inside = 0;
    double from = now();
    if (!rollout_window(ro, w, NULL, kind == RECORDED ? motion : NULL))
      return 0;
    double spent = with_clock ? inside : now() - from;
    best[w] = spent < best[w] ? spent : best[w];
  }
  with_clock = 0;
  return 1;
}

static void bench_steps(const char *name, const struct reference *r, const struct rollout_options *o)
{
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  struct rollout *ro = rollout_new(arena, r, o, &d);
  struct follow_motion *motion = follow_motion_new(arena, r);
  int windows = r->n_windows / (2 * CYCLES) < WINDOWS ? r->n_windows / (2 * CYCLES) : WINDOWS;
  double best[KINDS][WINDOWS], sum[KINDS] = {0}, end = now() + SECONDS;
  for (int i = 0; i < KINDS * WINDOWS; i++)
    best[i / WINDOWS][i % WINDOWS] = 1e9;
  for (int i = 0; i < 12 || now() < end; i++)
    if (!round_of(ro, motion, i % KINDS, windows, best[i % KINDS]))
      break;
  for (int i = 0; i < KINDS * windows; i++)
    sum[i / windows] += best[i / windows][i % windows];
  double steps = (double)ro->steps * r->first[windows];
  printf("%-8s ode  %7.0f steps a second in samples; bare dWorldStep() %7.0f: ours is %.1f %% more, recorded %.1f %%\n",
         name, steps / sum[SAMPLE], steps / sum[IN_ODE], 100 * (sum[SAMPLE] / sum[IN_ODE] - 1),
         100 * (sum[RECORDED] / sum[IN_ODE] - 1));
  rollout_free(ro);
  arena_free(arena);
}

/* ---- samples ---- */

/* Of this process and of those that it waited for. */
static double processor_now(void)
{
  struct rusage own, others;
  getrusage(RUSAGE_SELF, &own);
  getrusage(RUSAGE_CHILDREN, &others);
  return (double)(own.ru_utime.tv_sec + own.ru_stime.tv_sec + others.ru_utime.tv_sec + others.ru_stime.tv_sec) +
         1e-6 * (double)(own.ru_utime.tv_usec + own.ru_stime.tv_usec + others.ru_utime.tv_usec +
                         others.ru_stime.tv_usec);
}

struct speed { double rate, cost; }; /* samples a second; processor seconds a sample */

static struct speed measure(const struct reference *r, const struct rollout_options *o, int workers, int surrogate)
{
  double used = processor_now();
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  struct batches *batches = batches_open(arena, r, o, workers, &d);
  size_t n = (size_t)(r->n_dofs - CREATURE_ROOT_DOFS);
  double *mean = ARENA_NEW(arena, n, double), *spread = ARENA_NEW(arena, n, double);
  for (size_t k = 0; k < n; k++)
    spread[k] = 0.02;
  struct rollout *ro = batches_rollout(batches);
  void *state = arena_alloc(arena, ro->state_size, 1);
  double start = now();
  long count = 0;
  for (int w = 0; now() < start + SECONDS; w = (w + 1) % r->n_windows) {
    struct arena *scratch = arena_new();
    rollout_start(ro, r->first[w], NULL);
    world_save(ro->world, state);
    for (int i = 0; i < STATES; i++)
      batches_submit(batches, &(struct batch){.kind = BATCH_SAMPLES, .window = w, .n = SAMPLES, .seed = 1,
                                        .stream = (uint64_t)i * 1000, .with_mean = 1, .mean = mean, .spread = spread,
                                        .state = state, .surrogate = surrogate, .stateless = surrogate});
    for (int i = 0; i < STATES; i++) {
      struct batch_sample *s;
      int got = batches_collect(batches, scratch, &s, &d);
      count += got > 0 ? got : 0;
    }
    arena_free(scratch);
  }
  double rate = (double)count / (now() - start);
  batches_close(batches);
  arena_free(arena);
  return (struct speed){d.n_errors ? -1 : rate, (processor_now() - used) / (double)count};
}

static void bench_samples(const char *name, const struct reference *r, const struct rollout_options *o)
{
  double window = r->first[r->n_windows] * r->dt / r->n_windows;
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  for (int surrogate = 0; surrogate < 2; surrogate++) {
    struct speed one = measure(r, o, 1, surrogate);
    printf("%-8s %-4s %7.0f windows of %.0f ms a second with one worker (%.0f times real time)", name,
           surrogate ? "own" : "ode", one.rate, 1e3 * window, one.rate * window);
    for (int workers = 2; workers <= 2 * processors && workers <= 64; workers *= 2) {
      struct speed many = measure(r, o, workers, surrogate);
      printf(", with %d %.2f times as many at %.2f times the processor time", workers, many.rate / one.rate,
             many.cost / one.cost);
    }
    printf("\n");
  }
}

static void bench(const char *name)
{
  struct arena *arena = arena_new();
  struct rollout_options o;
  struct diag d;
  const struct creature *c = zoo_find(arena, name);
  diag_init(&d);
  struct graph_clip clip = {1, walk_of(arena, c), NULL};
  struct graph_input in = {.creature = c, .file = name, .n_clips = 1, .clips = &clip};
  const struct reference *r = clip.clip ? subject_clip(arena, &in, 0, CYCLES, NULL, &d) : NULL;
  if (r) {
    rollout_defaults(c, &o);
    bench_steps(name, r, &o);
    bench_samples(name, r, &o);
  } else {
    printf("%-8s no walk\n", name);
  }
  arena_free(arena);
}

int main(int argc, char **argv)
{
  static const char *const usual[] = {"biped", "strider", "triped", "horse"};
  setvbuf(stdout, NULL, _IOLBF, 0);
  printf("tracking: this machine has %ld processors\n", sysconf(_SC_NPROCESSORS_ONLN));
  for (int i = 0; i < 4; i++) {
    int wanted = argc < 2;
    for (int k = 1; k < argc; k++)
      wanted |= !strcmp(argv[k], usual[i]);
    if (wanted)
      bench(usual[i]);
  }
  return 0;
}
